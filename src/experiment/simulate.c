/* Simulations for programs that link with the library: tilewright/simulate.h. */
#include <tilewright/simulate.h>

#include <string.h>

#include "base/date.h"
#include "base/memory.h"
#include "experiment/experiment.h"

void tw_simulation_init_sized(struct tw_simulation *s, size_t size)
{
	const struct tw_simulation defaults = {.size = size, .cpus = -1, .gpus = -1, .seed = 1};
	memcpy(s, &defaults, size < sizeof defaults ? size : sizeof defaults);
}

static int workers(int n) { return n < 0 ? TW__ALL_WORKERS : n; }

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

int tw_simulate_sized(const struct tw_simulation *given, struct tw_outcome *outcome, size_t size, struct tw_error *err)
{
	struct tw_simulation own, *s = &own;
	tw_simulation_init(s);
	if (given->size < sizeof given->size || given->size > sizeof own)
		return tw_fail(err, TW_INVALID,
		               "simulation: its size is %zu: expected %zu, as tw_simulation_init sets it", given->size,
		               sizeof own);
	memcpy(s, given, given->size);
	if (!s->platform || !s->workload || !s->policy)
		return tw_fail(err, TW_INVALID, "%s: expected its name",
		               !s->platform   ? "platform"
		               : !s->workload ? "workload"
		                              : "policy");
	const struct tw__request request = {
		.platform = s->platform,
		.workload = s->workload,
		.policy = s->policy,
		.eviction = s->eviction,
		.engine = s->engine,
		.runtime = s->runtime,
		.choice = {.cpus = workers(s->cpus), .gpus = workers(s->gpus), .gpu_mem_bytes = s->gpu_mem_bytes},
		.seed = s->seed,
		.validate = s->validate,
		.trace = s->trace,
	};
	struct tw__result result;
	struct tw__door door;
	if (TW__MEMORY_RUNS_OUT(&door))
		return tw__out_of_memory(err);
	int status = tw__experiment_run(&request, &result, err);
	tw__door_close(&door);
	if (status != TW_OK)
		return status;
	if (result.status != TW__RUN_OK)
		return tw_fail(err, result.status == TW__RUN_REFUSED ? TW_INVALID : TW_FAILED, "%s", result.message);
	const struct tw_outcome found = outcome_of(&result, size);
	memcpy(outcome, &found, size < sizeof found ? size : sizeof found);
	return TW_OK;
}
