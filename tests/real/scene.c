#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/real/config.h"
#include "platform/emulate.h"
#include "machine/machine.h"
#include "trace/validate.h"

static void must(int status, const struct scene *s) { ck_assert_msg(status == TW_OK, "%s", s->err.message); }

bool scene_uses_cuda(void) { return getenv("SCENE_CUDA"); }

/* --- the platform ------------------------------------------------------------------------------------------------- */

/* GPUs with the links that would be emulated. */
static void describe_gpus(struct tw__gpus *gpus, const struct tw__emulation *e)
{
	*gpus = (struct tw__gpus){.n = e->gpus};
	for (int i = 0; i < gpus->n; i++) {
		struct tw__gpu *gpu = &gpus->gpu[i];
		*gpu = (struct tw__gpu){.name = "Stand-in",
		                        .free_bytes = UINT64_C(1) << 30,
		                        .to_device = e->bandwidth,
		                        .to_host = e->bandwidth,
		                        .latency_s = e->latency_s};
		for (int peer = 0; peer < gpus->n; peer++)
			gpu->to_peer[peer] = e->peer && peer != i ? e->bandwidth : 0;
	}
}

static void make_machine(struct tw__platform **all, const struct tw__emulation *emulation, struct scene *s)
{
	struct tw__gpus gpus;
	if (!emulation || !scene_uses_cuda()) {
		must(tw__machine_platform(all, emulation, NULL, false, &s->err), s);
		return;
	}
	describe_gpus(&gpus, emulation);
	must(tw__machine_platform(all, NULL, &gpus, false, &s->err), s);
}

/* A GPU has a whole number of MiB; the runtime uses only as much as would be emulated. */
static void limit_gpus(struct tw__platform *p, const struct tw__emulation *e)
{
	for (tw_node n = TW_RAM + 1; n < p->n_nodes; n++)
		p->nodes[n].limit_bytes = e->memory_bytes;
}

static void make_platform(struct scene *s, const struct scene_words *w)
{
	struct tw__emulation emulation;
	struct tw__platform *all;
	const struct tw__platform_choice choice = {
		.cpus = w->cpus,
		.gpus = TW__ALL_WORKERS,
		.cpu_groups = w->cpu_groups,
		.max_parallelism = w->max_parallelism,
	};
	if (w->emulate)
		must(tw__emulation_parse(&emulation, w->emulate, &s->err), s);
	if (w->platform)
		must(tw__platform_read(&all, w->platform, "file", &s->err), s);
	else
		make_machine(&all, w->emulate ? &emulation : NULL, s);
	must(tw__platform_select(&s->platform, all, &choice, &s->err), s);
	tw__platform_destroy(all);
	if (w->emulate && scene_uses_cuda())
		limit_gpus(s->platform, &emulation);
}

/* --- times -------------------------------------------------------------------------------------------------------- */

static double seconds_of(const struct scene *s, tw_kernel k, tw_arch a)
{
	if (!s->platform->archs[a].accelerator)
		return 1e-3;
	return !scene_uses_cuda() || tw__real_gpus_have(s->words.spec.name, s->graph->kernels[k].name) ? 1e-4 : NAN;
}

static void make_times(struct scene *s)
{
	size_t archs = (size_t)s->platform->n_archs, n = (size_t)s->graph->n_kernels * archs;
	s->times = (struct tw__times){.n_kernels = s->graph->n_kernels,
	                              .n_archs = s->platform->n_archs,
	                              .mean = malloc(n * sizeof(double)),
	                              .recorded = calloc(n, sizeof(bool)),
	                              .stddev = calloc(n, sizeof(double))};
	for (size_t i = 0; i < n; i++)
		s->times.mean[i] = seconds_of(s, (tw_kernel)(i / archs), (tw_arch)(i % archs));
}

/* --- a scene ------------------------------------------------------------------------------------------------------ */

void scene_init(struct scene *s, const struct scene_words *w)
{
	*s = (struct scene){.ops = tw__engine_real};
	make_platform(s, w);
	must(tw__generate(&s->graph, w->workload, &s->err), s);
	must(tw__generate(&s->as_made, w->workload, &s->err), s);
	must(tw__workload_words_init(&s->words, w->workload, &s->err), s);
	make_times(s);
	must(tw__find_policy(&s->plan.plugins, &(struct tw__request){.policy = w->policy ? w->policy : "lws"}, &s->err),
	     s);
	must(tw__find_eviction(&s->plan.plugins, &(struct tw__request){.eviction = "lru"}, &s->err), s);
	must(tw__find_engine(&s->plan.plugins, "real:poison=yes", &s->err), s);
	must(tw__runtime_params_init(&s->plan.params, w->runtime ? w->runtime : "real", s->platform, &s->err), s);
	s->config = (struct tw__real_config){
		.args = s->plan.plugins.engine_args,
		.workload = s->words.spec.name,
		.workload_args = s->words.args,
		.check = TW__CHECK_FULL,
		.emulates = !scene_uses_cuda(),
	};
}

static int validate(struct scene *s, struct tw__record *record)
{
	uint64_t capacity[TW__MAX_SPACES];
	tw__run_capacities(s->platform, &s->plan.params, capacity);
	const struct tw__validation_input input = {
		.platform = s->platform,
		.graph = s->as_made,
		.times = &s->times,
		.capacity = capacity,
		.homes = tw__run_homes(s->platform, s->as_made, &s->plan.params, capacity),
		.shares = tw__run_link_shares(&s->plan.params)};
	return tw__validate(&input, record, NULL, &s->err);
}

int scene_run(struct scene *s)
{
	struct tw__record record;
	const struct tw__run_input in = {
		.platform = s->platform,
		.graph = s->graph,
		.truth = &s->times,
		.belief = &s->times,
		.domains = s->plan.plugins.domains,
		.n_domains = 1,
		.eviction = s->plan.plugins.eviction,
		.eviction_args = s->plan.plugins.eviction_args,
		.params = &s->plan.params,
		.engine = &s->ops,
		.engine_config = &s->config,
		.seed = 1,
		.record = &record,
	};
	tw__record_init(&record);
	int status = tw__run(&in, &s->counters, &s->err);
	if (status == TW_OK && !s->allow_any_schedule)
		status = validate(s, &record);
	tw__record_finish(&record);
	return status;
}

void scene_finish(struct scene *s)
{
	tw__times_finish(&s->times);
	tw_graph_destroy(s->graph);
	tw_graph_destroy(s->as_made);
	tw__platform_destroy(s->platform);
	tw__workload_words_finish(&s->words);
	tw__plan_finish(&s->plan);
}
