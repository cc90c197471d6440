/* From the user's request to a plan: a scene, with the plug-ins and parameters of one run. */
#include "experiment/load.h"

#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "graph/ranks.h"
#include "platform/choice.h"
#include "platform/cluster.h"
#include "trace/write.h"

/* Finds the bounds on the makespan for the durations that noise draws. All policies get the same durations, so the
 * scene's memo keeps these bounds. */
static int find_drawn_bounds(struct tw__plan *plan, struct tw_error *err)
{
	const struct tw__scene *scene = plan->scene;
	struct tw__memo_bounds found = {0};
	int status = TW_OK;
	if (!tw__memo_bounds(scene->drawn, &plan->truth.noise, &found)) {
		status = tw__scene_find_bounds(scene, &plan->truth, &found.critical_path_s, &found.area_s, err);
		if (status == TW_OK)
			tw__memo_add_bounds(scene->drawn, &plan->truth.noise, found);
	}
	plan->critical_path_s = found.critical_path_s;
	plan->area_s = found.area_s;
	return status;
}

/* Sets the kernel times of the run (truth, with noise), and those that the policy sees (belief, with errors). */
static int draw_times(struct tw__plan *plan, struct tw_error *err)
{
	const struct tw__request *request = plan->request;
	const struct tw__scene *scene = plan->scene;
	plan->truth = plan->belief = scene->times;
	plan->critical_path_s = scene->critical_path_s;
	plan->area_s = scene->area_s;
	const struct tw__ranks *ranks = scene->graph->ranks;
	if (request->belief_error > 0)
		plan->belief.noise = (struct tw__noise){
			.kind = TW__NOISE_EXPONENT, .amount = request->belief_error, .seed = tw__seed_of(request)};
	int status = request->noise ? tw__noise_parse(&plan->truth.noise, request->noise, err) : TW_OK;
	plan->truth.noise.seed = tw__seed_of(request);
	plan->truth.noise.numbers = plan->belief.noise.numbers = ranks ? ranks->origin : NULL;
	plan->truth.noise.n_numbers = plan->belief.noise.n_numbers = ranks ? scene->graph->n_tasks : 0;
	if (status == TW_OK && plan->truth.noise.kind != TW__NOISE_NONE)
		status = find_drawn_bounds(plan, err);
	return status;
}

/* --- does each task fit the memories? ----------------------------------------------------------------------------- */

/* The unit if the user gave no size. */
enum { USUAL_UNIT = 1000 * 1000 };

/* The size of --mem for that memory, or 0. */
static uint64_t named_bound(const struct tw__platform_choice *choice, const char *node)
{
	struct tw__bounds bounds;
	struct tw_error ignored;
	for (int i = 0; tw__bounds_parse(&bounds, choice->mem, &ignored) == TW_OK && i < bounds.n; i++)
		if (strcmp(bounds.of[i].node, node) == 0)
			return bounds.of[i].bytes;
	return 0;
}

static void add_option(struct tw_error *err, const char *words, const char *node, uint64_t bytes, uint64_t like)
{
	char size[40];
	tw__print_bytes_like(size, sizeof size, bytes, like ? like : USUAL_UNIT);
	tw_fail(err, TW_INVALID, "%s, %s%s%s%s", err->message, words, node, *node ? "=" : "", size);
}

/* Adds the options for all memories that are too small. --gpu-mem holds for those without --mem. */
static void add_options(const struct tw__plan *plan, const uint64_t *least, struct tw_error *err)
{
	const struct tw__platform *p = plan->scene->platform;
	const struct tw__platform_choice *choice = &plan->request->choice;
	uint64_t gpu_least = 0, gpu_has = UINT64_MAX;
	bool gpu_lacks = false;
	char all[40];
	for (tw_node n = 0; n < p->n_nodes; n++) {
		const struct tw__node *node = &p->nodes[n];
		uint64_t bound = named_bound(choice, node->name),
			 has = node->memory_bytes ? node->memory_bytes : UINT64_MAX;
		bool lacks = plan->capacity[n] < least[n];
		if (lacks && (bound || n == TW_RAM) && least[n] <= has)
			add_option(err, "as with --mem ", node->name, least[n], bound);
		if (lacks && (bound || n == TW_RAM) && least[n] > has)
			tw_fail(err, TW_INVALID, "%s, and '%s' has %s in all", err->message, node->name,
			        tw__size_text(all, sizeof all, has));
		if (bound || n == TW_RAM || !least[n])
			continue;
		gpu_lacks |= lacks;
		gpu_least = least[n] > gpu_least ? least[n] : gpu_least;
		gpu_has = has < gpu_has ? has : gpu_has;
	}
	if (gpu_lacks && gpu_least <= gpu_has)
		add_option(err, "as with --gpu-mem ", "", gpu_least, choice->gpu_mem_bytes);
	else if (gpu_lacks && plan->request->emulate)
		add_option(err, "as with --emulate ...:mem=", "", gpu_least, gpu_has);
	else if (gpu_lacks)
		tw_fail(err, TW_INVALID, "%s, and a GPU has %s in all", err->message,
		        tw__size_text(all, sizeof all, gpu_has));
}

/* Adds to the message, after a task of the plan fits no memory, which options would give it room. */
static void advise_memory(const struct tw__plan *plan, const struct tw__run_input *input, struct tw_error *err)
{
	if (tw__run_home(plan->scene->platform, plan->capacity) == TW_RAM && plan->capacity[TW_RAM] != UINT64_MAX)
		return; /* without a disk, no size of main memory would do */
	uint64_t *least = tw_alloc((size_t)plan->scene->platform->n_nodes, sizeof *least);
	tw__run_least_capacities(input, plan->capacity, least);
	add_options(plan, least, err);
	free(least);
}

/* Checks that each task's handles fit together in a memory. The check is slow for large graphs, so the scene's memo
 * keeps its result for one runtime model, and for runs without domains. Later repetitions of a run leave the check to
 * tw__run. */
static int check_fit(struct tw__plan *plan, struct tw_error *err)
{
	struct tw__memo *memo = plan->scene->memo;
	bool simulates = !(plan->plugins.engine->caps & TW__ENGINE_COMPUTES) && !plan->domain_of;
	plan->fits = simulates && tw__memo_fits(memo, plan->runtime);
	if (plan->request->repeat > 0 || plan->scene->graph->ranks) /* each node of a cluster checks its own */
		return TW_OK;
	const struct tw__run_input input = tw__plan_input(plan, NULL);
	int status = tw__run_check_fit(&input, plan->capacity, err);
	if (status == TW_INVALID)
		advise_memory(plan, &input, err);
	plan->fits = simulates && status == TW_OK;
	if (plan->fits)
		tw__memo_add_fits(memo, plan->runtime);
	return status;
}

/* --- plans -------------------------------------------------------------------------------------------------------- */

static int find_engine(struct tw__plan *plan, struct tw_error *err)
{
	const struct tw__request *request = plan->request;
	int status = tw__find_engine(&plan->plugins, request->engine ? request->engine : TW__DEFAULT_ENGINE, err);
	plan->runtime = request->runtime ? request->runtime : tw__default_runtime(plan->plugins.engine);
	return status;
}

/* Finds all plug-ins. Loads the engine's module in this process, so that processes forked for runs share the load. */
static int find_plugins(struct tw__plan *plan, struct tw_error *err)
{
	int status = tw__find_policy(&plan->plugins, plan->request, err);
	if (status == TW_OK)
		status = tw__find_eviction(&plan->plugins, plan->request, err);
	if (status == TW_OK)
		status = find_engine(plan, err);
	if (status < 0)
		return status;
	plan->plugins.engine = tw__engine_load(plan->plugins.engine, err);
	return plan->plugins.engine ? TW_OK : TW_INVALID;
}

static int find_domains(struct tw__plan *plan, struct tw_error *err)
{
	const struct tw__scene *scene = plan->scene;
	struct tw__plugins *plugins = &plan->plugins;
	int status = tw__domains_bind(plugins->domains, &plan->domain_of, &plugins->words, plan->request->assign,
	                              &(struct tw__domain_scene){scene->platform, scene->graph, &plan->belief}, err);
	for (int i = 0; i < plugins->words.n; i++) {
		plan->domain_workers[i] = plugins->domains[i].workers;
		plan->domain_names[i] = plugins->words.of[i].name;
	}
	return status == TW_OK ? tw__node_policies_bind(&plan->policy_of, &plugins->words, scene->platform, err)
	                       : status;
}

struct tw__run_domains tw__plan_domains(const struct tw__plan *plan)
{
	return (struct tw__run_domains){.n = plan->domain_of ? plan->plugins.words.n : 0,
	                                .names = plan->domain_names,
	                                .workers = plan->domain_workers,
	                                .of = plan->domain_of};
}

/* The domains of a past run, whose policies need not be there. */
static int find_past_domains(struct tw__plan *plan, struct tw_error *err)
{
	int status = tw__domain_words_init(&plan->plugins.words, plan->request->policy, err);
	return status == TW_OK ? find_domains(plan, err) : status;
}

static int set_params(struct tw__plan *plan, struct tw_error *err)
{
	const char *decision_cost = plan->request->decision_cost;
	if (decision_cost && tw__decision_cost_parse(&plan->decision_cost, decision_cost, err) < 0)
		return TW_INVALID;
	const struct tw__platform *p = plan->scene->platform;
	int status = tw__runtime_params_init(&plan->params, plan->runtime,
	                                     plan->plugins.engine->caps & TW__ENGINE_COMPUTES ? NULL : p, err);
	if (status == TW_OK && plan->params.gpudirect && p->n_ranks > 1)
		tw__direct_routes_init(&plan->direct, p);
	return status;
}

static int check_trace(struct tw__plan *plan, struct tw_error *err)
{
	return plan->request->trace ? tw__trace_check_path(plan->request->trace, err) : TW_OK;
}

static int set_capacities(struct tw__plan *plan, struct tw_error *unused)
{
	(void)unused;
	plan->capacity = tw_alloc((size_t)plan->scene->platform->n_nodes, sizeof *plan->capacity);
	tw__run_capacities(plan->scene->platform, &plan->params, plan->capacity);
	return TW_OK;
}

static int make(struct tw__plan *plan, const struct tw__request *request, const struct tw__scene *scene,
                int (*const *steps)(struct tw__plan *, struct tw_error *), struct tw_error *err)
{
	int status = TW_OK;
	*plan = (struct tw__plan){.request = request, .scene = scene};
	for (; *steps && status == TW_OK; steps++)
		status = (*steps)(plan, err);
	if (status < 0)
		tw__plan_finish(plan);
	return status;
}

int tw__plan_init(struct tw__plan *plan, const struct tw__request *request, const struct tw__scene *scene,
                  struct tw_error *err)
{
	static int (*const steps[])(struct tw__plan *, struct tw_error *) = {
		draw_times,   find_plugins,    set_params,  tw__computing_init, tw__computing_times,
		find_domains, tw__learn_check, check_trace, set_capacities,     check_fit,
		NULL,
	};
	return make(plan, request, scene, steps, err);
}

int tw__plan_init_past(struct tw__plan *plan, const struct tw__request *request, const struct tw__scene *scene,
                       struct tw_error *err)
{
	static int (*const steps[])(struct tw__plan *, struct tw_error *) = {draw_times, find_past_domains, find_engine,
	                                                                     set_params, set_capacities,    NULL};
	return make(plan, request, scene, steps, err);
}

int tw__plan_replace_means(struct tw__plan *plan, double *mean, struct tw_error *err)
{
	free(plan->own_mean);
	plan->own_mean = plan->truth.mean = mean;
	return tw__scene_find_bounds(plan->scene, &plan->truth, &plan->critical_path_s, &plan->area_s, err);
}

struct tw__run_input tw__plan_input(const struct tw__plan *plan, struct tw__record *record)
{
	return (struct tw__run_input){
		.platform = tw__plan_platform(plan),
		.graph = plan->scene->graph,
		.truth = &plan->truth,
		.belief = &plan->belief,
		.domains = plan->plugins.domains,
		.n_domains = plan->plugins.words.n,
		.domain_of = plan->domain_of,
		.policy_of = plan->policy_of,
		.eviction = plan->plugins.eviction,
		.eviction_args = plan->plugins.eviction_args,
		.params = &plan->params,
		.engine = plan->plugins.engine,
		.engine_config = &plan->computing.config,
		.decision_cost = plan->decision_cost,
		.seed = tw__seed_of(plan->request),
		.fits = plan->fits,
		.cancel = plan->cancel,
		.own_frames = plan->request->own.policy || plan->request->own.eviction,
		.record = record,
	};
}

void tw__plan_finish(struct tw__plan *plan)
{
	tw__domains_unbind(plan->plugins.domains, &plan->domain_of, &plan->plugins.words);
	tw__plugins_finish(&plan->plugins);
	tw__computing_finish(plan);
	free(plan->policy_of);
	free(plan->own_mean);
	if (plan->params.args)
		tw__runtime_params_finish(&plan->params);
	tw__direct_routes_finish(&plan->direct);
	free(plan->capacity);
	*plan = (struct tw__plan){0};
}
