/* Experiments: lists of runs that share platforms and graphs, and their results, which become rows of output. */
#include "experiment/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/load.h"
#include "request/identity.h"

/* --- the result of a run ------------------------------------------------------------------------------------------ */

uint64_t tw__accelerator_bytes(const struct tw__platform *platform, const uint64_t *capacity)
{
	uint64_t least = UINT64_MAX;
	bool any = false;
	for (int w = 0; w < platform->n_workers; w++) {
		if (!platform->archs[platform->workers[w].arch].accelerator)
			continue;
		any = true;
		if (capacity[platform->workers[w].node] < least)
			least = capacity[platform->workers[w].node];
	}
	return any ? least : 0;
}

static void write_figure(struct tw__result *result, const char *name, double value)
{
	size_t at = strlen(result->figures);
	snprintf(result->figures + at, sizeof result->figures - at, "%s%s=%.17g", at ? ";" : "", name, value);
}

static void write_graph_figure(struct tw__result *result, int graph, const char *name, double value)
{
	char key[40];
	snprintf(key, sizeof key, "graph%d.%s", graph, name);
	if (!isnan(value))
		write_figure(result, key, value);
}

/* Fills what several graphs add to a row. The slowdown of a graph is its makespan, from its arrival on, divided by its
 * makespan alone. Fairness is the index of Jain, Chiu and Hawe (1984) of the slowdowns: 1 if all are equal, 1/n if one
 * graph has all the delay. */
static void write_graphs(struct tw__result *result)
{
	const int n = result->counters.n_graphs;
	double sum = 0, squares = 0, most = 0;
	for (int i = 0; i < n; i++) {
		const struct tw__graph_dates *graph = &result->counters.graphs[i];
		double makespan_s = tw__seconds(graph->end - graph->arrival);
		double alone_s = graph->alone == TW__NEVER ? NAN : tw__seconds(graph->alone);
		double slowdown = alone_s > 0 ? makespan_s / alone_s : NAN;
		write_graph_figure(result, i, "arrival_s", tw__seconds(graph->arrival));
		write_graph_figure(result, i, "start_s", tw__seconds(graph->start));
		write_graph_figure(result, i, "end_s", tw__seconds(graph->end));
		write_graph_figure(result, i, "makespan_s", makespan_s);
		write_graph_figure(result, i, "alone_s", alone_s);
		write_graph_figure(result, i, "slowdown", slowdown);
		sum += slowdown;
		squares += slowdown * slowdown;
		most = slowdown > most ? slowdown : most;
	}
	result->slowdown_mean = n && !isnan(sum) ? sum / n : NAN;
	result->slowdown_max = n && !isnan(sum) ? most : NAN;
	result->fairness = n && squares > 0 ? sum * sum / (n * squares) : NAN;
}

void tw__result_refuse(struct tw__result *result, const struct tw__request *request, const char *message)
{
	*result = (struct tw__result){
		.request = request,
		.status = TW__RUN_REFUSED,
		.eviction = request->eviction ? request->eviction : "",
		.default_runtime = tw__default_runtime(tw__engine_of(request)),
		.kernel_model = "",
	};
	snprintf(result->message, sizeof result->message, "%s", message);
}

void tw__result_begin(struct tw__result *result, const struct tw__plan *plan)
{
	const struct tw__scene *scene = plan->scene;
	*result = (struct tw__result){
		.request = plan->request,
		.eviction = plan->request->eviction ? plan->request->eviction : plan->plugins.eviction->name,
		.default_runtime = tw__default_runtime(plan->plugins.engine),
		.cpus = scene->cpus,
		.gpus = scene->gpus,
		.nodes = scene->platform->n_ranks,
		.gpu_mem_bytes = tw__accelerator_bytes(scene->platform, plan->capacity),
		.working_set_bytes = scene->working_set_bytes,
		.tasks = tw__scene_program(scene)->n_tasks,
		.flops = scene->graph->flops > 0 ? scene->graph->flops : NAN,
		.bound_critical_path_s = plan->critical_path_s,
		.bound_area_s = plan->area_s,
		.kernel_model = scene->kernel_model,
		.extrapolated_share = scene->times.extrapolated_share,
	};
}

/* Returns the share of the makespan in which n workers ran no kernel, on average. */
static double idle_ratio(tw__ns busy, int n, double makespan_s)
{
	return n > 0 && makespan_s > 0 ? fmax(0, 1 - tw__seconds(busy) / (n * makespan_s)) : NAN;
}

void tw__result_end(struct tw__result *result, const struct tw__plan *plan, const struct tw__outcome *outcome)
{
	const struct tw__scene *scene = plan->scene;
	if (outcome->status < 0) {
		result->status = TW__RUN_FAILED;
		memcpy(result->message, outcome->err.message, sizeof result->message);
		return;
	}
	double makespan_s = tw__seconds(outcome->counters.makespan);
	result->counters = outcome->counters;
	for (int i = 0; i < outcome->counters.n_figures; i++)
		write_figure(result, outcome->counters.figures[i].name, outcome->counters.figures[i].value);
	write_graphs(result);
	result->gflops = makespan_s > 0 && !tw__computing_is_empty(plan) ? result->flops / makespan_s / 1e9 : NAN;
	tw__ns busy = outcome->counters.busy, gpu_busy = outcome->counters.gpu_busy;
	result->idle_ratio = idle_ratio(busy, scene->platform->n_workers, makespan_s);
	result->idle_ratio_cpu = idle_ratio(busy - gpu_busy, scene->cpus, makespan_s);
	result->idle_ratio_gpu = idle_ratio(gpu_busy, scene->gpus, makespan_s);
	result->wall_s = scene->setup_s + outcome->run_s;
	result->tasks_per_s = result->wall_s > 0 ? (double)result->tasks / result->wall_s : NAN;
	result->peak_rss_bytes = outcome->peak_rss_bytes;
	result->validated = outcome->validated;
}

/* --- lists of runs ------------------------------------------------------------------------------------------------ */

struct tw__experiment {
	int n_scenes, n_plans;
	struct tw__origin origin; /* the files of the last scene's platform */
	struct tw__scene **scenes;
	struct tw__plan *plans;
	char (*identities)[TW__DIGEST_TEXT];
	struct tw__identifier identifier;
};

/* Finds a scene (platform, graph and kernel times) that the request can use; creates one if there is none. */
static int find_scene(struct tw__experiment *e, const struct tw__request *request, struct tw__scene **scene,
                      struct tw_error *err)
{
	for (int i = 0; i < e->n_scenes; i++)
		if (tw__scene_serves(e->scenes[i], request)) {
			*scene = e->scenes[i];
			return TW_OK;
		}
	int status = tw__scene_create_from(&e->origin, scene, request, err);
	if (status == TW_OK) {
		e->scenes[e->n_scenes++] = *scene;
		tw__scene_tell(&e->origin, *scene);
	}
	return status;
}

int tw__experiment_create(struct tw__experiment **out, const struct tw__request *requests, int n, struct tw_error *err)
{
	*out = NULL;
	struct tw__experiment *e = tw_alloc(1, sizeof *e);
	e->scenes = tw_alloc((size_t)n, sizeof(*e->scenes));
	e->plans = tw_alloc((size_t)n, sizeof *e->plans);
	e->identities = tw_alloc((size_t)n, sizeof *e->identities);
	int status = TW_OK;
	for (int i = 0; status == TW_OK && i < n; i++) {
		struct tw__scene *scene = NULL;
		status = find_scene(e, &requests[i], &scene, err);
		if (status == TW_OK)
			status = tw__scene_check_spread(scene, &requests[i], err);
		if (status == TW_OK)
			status = tw__plan_init(&e->plans[e->n_plans], &requests[i], scene, err);
		if (status == TW_OK)
			e->plans[e->n_plans++].identity = e->identities[i];
		if (status == TW_OK && (!requests[i].is_shown_as_text || requests[i].trace))
			status = tw__identify(&e->identifier, &requests[i], e->identities[i], err);
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
	tw__origin_finish(&e->origin);
	free(e->scenes);
	tw__identifier_finish(&e->identifier);
	free(e->identities);
	free(e->plans);
	free(e);
}

struct tw__plan *tw__experiment_plan(const struct tw__experiment *e, int i) { return &e->plans[i]; }

void tw__experiment_begin_row(const struct tw__experiment *e, int i, struct tw__result *result)
{
	tw__result_begin(result, &e->plans[i]);
	memcpy(result->identity, e->identities[i], sizeof result->identity);
}
