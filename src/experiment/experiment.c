/* Lists of runs. */
#include "experiment/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/load.h"

struct tw__experiment {
	int n_scenes, n_plans;
	struct tw__scene **scenes;
	struct tw__plan *plans;
};

/* The scene of a request, made if there is none yet. */
static int find_scene(struct tw__experiment *e, const struct tw__request *request, struct tw__scene **scene,
                      struct tw_error *err)
{
	for (int i = 0; i < e->n_scenes; i++)
		if (tw__scene_serves(e->scenes[i], request)) {
			*scene = e->scenes[i];
			return TW_OK;
		}
	int status = tw__scene_create(scene, request, err);
	if (status == TW_OK)
		e->scenes[e->n_scenes++] = *scene;
	return status;
}

int tw__experiment_create(struct tw__experiment **out, const struct tw__request *requests, int n, struct tw_error *err)
{
	*out = NULL;
	struct tw__experiment *e = calloc(1, sizeof *e);
	if (!e)
		return tw_fail(err, TW_NOMEM, "out of memory");
	e->scenes = calloc((size_t)n + 1, sizeof(*e->scenes));
	e->plans = calloc((size_t)n + 1, sizeof *e->plans);
	int status = e->scenes && e->plans ? TW_OK : tw_fail(err, TW_NOMEM, "out of memory");
	for (int i = 0; status == TW_OK && i < n; i++) {
		struct tw__scene *scene = NULL;
		status = find_scene(e, &requests[i], &scene, err);
		if (status == TW_OK)
			status = tw__scene_check_spread(scene, &requests[i], err);
		if (status == TW_OK)
			status = tw__plan_init(&e->plans[e->n_plans], &requests[i], scene, err);
		e->n_plans += status == TW_OK;
	}
	if (status < 0)
		tw__experiment_destroy(e);
	else
		*out = e;
	return status;
}

void tw__experiment_destroy(struct tw__experiment *e)
{
	if (!e)
		return;
	for (int i = 0; i < e->n_plans; i++)
		tw__plan_finish(&e->plans[i]);
	for (int i = 0; i < e->n_scenes; i++)
		tw__scene_destroy(e->scenes[i]);
	free(e->scenes);
	free(e->plans);
	free(e);
}

static uint64_t accelerator_bytes(const struct tw__plan *plan)
{
	const struct tw_platform *platform = plan->scene->platform;
	uint64_t least = UINT64_MAX;
	for (int w = 0; w < platform->n_workers; w++)
		if (platform->archs[platform->workers[w].arch].accelerator &&
		    plan->capacity[platform->workers[w].node] < least)
			least = plan->capacity[platform->workers[w].node];
	return plan->scene->gpus ? least : 0;
}

static void write_figures(const struct tw__run_counters *c, char *text, size_t bytes)
{
	size_t at = 0;
	for (int i = 0; i < c->n_figures && at < bytes; i++)
		at += (size_t)snprintf(text + at, bytes - at, "%s%s=%.17g", i ? ";" : "", c->figures[i].name,
		                       c->figures[i].value);
}

int tw__experiment_row(const struct tw__experiment *e, int i, struct tw__result *result, struct tw_error *err)
{
	const struct tw__plan *plan = &e->plans[i];
	const struct tw__scene *scene = plan->scene;
	*result = (struct tw__result){
		.request = plan->request,
		.eviction = plan->request->eviction ? plan->request->eviction : plan->eviction->name,
		.cpus = scene->cpus,
		.gpus = scene->gpus,
		.gpu_mem_bytes = accelerator_bytes(plan),
		.tasks = scene->graph->n_tasks,
		.flops = scene->graph->flops,
		.bound_critical_path_s = plan->critical_path_s,
		.bound_area_s = plan->area_s,
		.kernel_model = scene->kernel_model,
	};
	struct tw__outcome outcome;
	tw__plan_run(plan, &outcome);
	if (outcome.status == TW_INVALID)
		return tw_fail(err, TW_INVALID, "%s", outcome.err.message);
	if (outcome.status < 0) {
		result->status = TW__RUN_FAILED;
		memcpy(result->message, outcome.err.message, sizeof result->message);
		return TW_OK;
	}
	double makespan_s = outcome.counters.makespan_s;
	result->counters = outcome.counters;
	write_figures(&outcome.counters, result->figures, sizeof result->figures);
	result->gflops = makespan_s > 0 ? scene->graph->flops / makespan_s / 1e9 : NAN;
	/* Sums of durations are rounded: workers that are busy all the time can be so for a little longer. */
	result->idle_ratio =
		makespan_s > 0 ? fmax(0, 1 - outcome.counters.busy_s / (scene->platform->n_workers * makespan_s)) : NAN;
	result->wall_s = scene->setup_s + outcome.run_s;
	result->tasks_per_s = result->wall_s > 0 ? (double)result->tasks / result->wall_s : NAN;
	result->peak_rss_bytes = outcome.peak_rss_bytes;
	result->validated = outcome.validated;
	return TW_OK;
}

int tw__experiment_run(const struct tw__request *request, struct tw__result *result, struct tw_error *err)
{
	struct tw__experiment *e;
	int status = tw__experiment_create(&e, request, 1, err);
	if (status < 0)
		return status;
	status = tw__experiment_row(e, 0, result, err);
	tw__experiment_destroy(e);
	return status;
}
