/* Counts the points of a sweep, and makes the request of a point from its number. */
#include "sweep/sweep.h"

#include <string.h>

static int64_t at_least_one(int n) { return n > 0 ? n : 1; }

int64_t tw__sweep_points(const struct tw__sweep *s)
{
	int64_t points = 1;
	for (int list = 0; list < TW__N_LISTS; list++)
		points *= at_least_one(s->n[list]);
	return points;
}

void tw__sweep_point(const struct tw__sweep *s, int64_t i, struct tw__request *request)
{
	int64_t at[TW__N_LISTS];
	for (int list = TW__N_LISTS; list-- > 0; i /= at_least_one(s->n[list]))
		at[list] = i % at_least_one(s->n[list]);
	*request = s->common;
	if (s->n[TW__PLATFORMS])
		request->platform = s->platforms[at[TW__PLATFORMS]];
	if (s->n[TW__WORKLOADS])
		request->workload = s->workloads[at[TW__WORKLOADS]];
	if (s->n[TW__COMMUNICATIONS])
		request->choice.no_communication = strcmp(s->communications[at[TW__COMMUNICATIONS]], "off") == 0;
	if (s->n[TW__CPU_GROUPS]) {
		const char *groups = s->cpu_groups[at[TW__CPU_GROUPS]];
		request->choice.cpu_groups = strcmp(groups, "none") != 0 ? groups : NULL;
	}
	if (s->n[TW__CPUS])
		request->choice.cpus = s->cpus[at[TW__CPUS]];
	if (s->n[TW__GPUS])
		request->choice.gpus = s->gpus[at[TW__GPUS]];
	if (s->n[TW__GPU_MEM])
		request->choice.gpu_mem_bytes = s->gpu_mem_bytes[at[TW__GPU_MEM]];
	if (s->n[TW__RUNTIMES])
		request->runtime = s->runtimes[at[TW__RUNTIMES]];
	if (s->n[TW__NOISES])
		request->noise = s->noises[at[TW__NOISES]];
	if (s->n[TW__BELIEF_ERRORS])
		request->belief_error = s->belief_errors[at[TW__BELIEF_ERRORS]];
	if (s->n[TW__POLICIES])
		request->policy = s->policies[at[TW__POLICIES]];
	if (s->n[TW__EVICTIONS])
		request->eviction = s->evictions[at[TW__EVICTIONS]];
	if (s->n[TW__SEEDS])
		request->seed = s->seeds[at[TW__SEEDS]];
	request->repeat = (int)at[TW__REPETITIONS];
}
