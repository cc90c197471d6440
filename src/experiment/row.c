/* Fills the result of a run, which becomes a row of output. */
#include <math.h>
#include <string.h>

#include "experiment/computing.h"
#include "experiment/load.h"

uint64_t tw__accelerator_bytes(const struct tw_platform *platform, const uint64_t *capacity)
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

static void write_figures(const struct tw__run_counters *c, char *text, size_t bytes)
{
	size_t at = 0;
	for (int i = 0; i < c->n_figures && at < bytes; i++)
		at += (size_t)snprintf(text + at, bytes - at, "%s%s=%.17g", i ? ";" : "", c->figures[i].name,
		                       c->figures[i].value);
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
		.gpu_mem_bytes = tw__accelerator_bytes(scene->platform, plan->capacity),
		.working_set_bytes = scene->working_set_bytes,
		.tasks = scene->graph->n_tasks,
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
	write_figures(&outcome->counters, result->figures, sizeof result->figures);
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
