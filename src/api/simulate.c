/* Simulations by names alone: tilewright/simulate.h. */
#include <tilewright/simulate.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/date.h"

void tw_simulation_init_sized(struct tw_simulation *s, size_t size)
{
	const struct tw_simulation defaults = {.size = size, .cpus = -1, .gpus = -1, .seed = 1};
	memcpy(s, &defaults, size < sizeof defaults ? size : sizeof defaults);
}

static struct tw_outcome outcome_of(const struct tw__result *r, size_t size)
{
	return (struct tw_outcome){
		.size = size,
		.makespan_s = tw__seconds(r->counters.makespan),
		.gflops = r->gflops,
		.bound_critical_path_s = r->bound_critical_path_s,
		.bound_area_s = r->bound_area_s,
		.idle_ratio = r->idle_ratio,
		.tasks = r->counters.tasks,
		.transfers = r->counters.transfers,
		.evictions = r->counters.evictions,
		.transferred_bytes = r->counters.transferred_bytes,
	};
}

/* The options of a simulation as texts, with a NULL behind. */
struct texts {
	char *of[8];
	int n;
};

static void add(struct texts *texts, const char *format, ...) TW_PRINTF(2, 3);

static void add(struct texts *texts, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	texts->of[texts->n++] = tw__format_list(format, values);
	va_end(values);
}

static void free_texts(struct texts *texts)
{
	for (int i = 0; i < texts->n; i++)
		free(texts->of[i]);
}

static int open_scene(struct tw_scene **scene, const struct tw_simulation *s, struct tw_error *err)
{
	struct tw_platform *platform;
	struct texts options = {0};
	if (s->cpus >= 0)
		add(&options, "cpus=%d", s->cpus);
	if (s->gpus >= 0)
		add(&options, "gpus=%d", s->gpus);
	if (s->gpu_mem_bytes)
		add(&options, "gpu-mem=%" PRIu64, s->gpu_mem_bytes);
	int status = tw_platform_open(&platform, s->platform, (const char *const *)options.of, err);
	if (status == TW_OK)
		status = tw_scene_generate(scene, platform, s->workload, err);
	tw_platform_close(platform);
	free_texts(&options);
	return status;
}

static int run_scene(struct tw_scene *scene, const struct tw_simulation *s, struct tw_run **run, struct tw_error *err)
{
	struct tw_run_options o;
	struct texts options = {0};
	add(&options, "seed=%" PRIu64, s->seed);
	if (s->eviction)
		add(&options, "eviction=%s", s->eviction);
	if (s->engine)
		add(&options, "engine=%s", s->engine);
	if (s->runtime)
		add(&options, "runtime=%s", s->runtime);
	if (s->validate)
		add(&options, "validate");
	tw_run_options_init(&o);
	o.policy = s->policy;
	o.trace = s->trace;
	o.options = (const char *const *)options.of;
	int status = tw_scene_run(scene, &o, run, err);
	free_texts(&options);
	return status;
}

static int simulate(const struct tw_simulation *s, struct tw_outcome *outcome, size_t size, struct tw_error *err)
{
	struct tw_scene *scene = NULL;
	struct tw_run *run = NULL;
	int status = open_scene(&scene, s, err);
	if (status == TW_OK)
		status = run_scene(scene, s, &run, err);
	if (status == TW_OK) {
		const struct tw_outcome found = outcome_of(&run->result, size);
		memcpy(outcome, &found, size < sizeof found ? size : sizeof found);
	}
	tw_run_close(run);
	tw_scene_close(scene);
	return status;
}

int tw_simulate_sized(const struct tw_simulation *given, struct tw_outcome *outcome, size_t size, struct tw_error *err)
{
	struct tw_simulation own, *s = &own;
	tw_simulation_init(s);
	int status = tw__complete_structure(s, sizeof *s, given, "tw_simulation", err);
	if (status < 0)
		return status;
	if (!s->platform || !s->workload || !s->policy)
		return tw_fail(err, TW_INVALID, "%s: expected its name",
		               !s->platform   ? "platform"
		               : !s->workload ? "workload"
		                              : "policy");
	TW__RETURN_BEHIND_DOOR(simulate(s, outcome, size, err), err);
}
