/* The points of a sweep, by number. */
#include "experiment/sweep.h"

static int64_t at_least_one(int n) { return n > 0 ? n : 1; }

int64_t tw__sweep_points(const struct tw__sweep *s)
{
	return at_least_one(s->n_platforms) * at_least_one(s->n_workloads) * at_least_one(s->n_cpus) *
	       at_least_one(s->n_gpus) * at_least_one(s->n_gpu_mem) * at_least_one(s->n_policies) *
	       at_least_one(s->n_evictions) * s->repeat;
}

/* The digit of a list with n elements; the rest of the number stays in *i. */
static int digit(int64_t *i, int n)
{
	int64_t base = at_least_one(n), value = *i % base;
	*i /= base;
	return (int)value;
}

void tw__sweep_point(const struct tw__sweep *s, int64_t i, struct tw__request *request)
{
	*request = s->common;
	request->repeat = digit(&i, s->repeat);
	int eviction = digit(&i, s->n_evictions), policy = digit(&i, s->n_policies), gpu_mem = digit(&i, s->n_gpu_mem),
	    gpus = digit(&i, s->n_gpus), cpus = digit(&i, s->n_cpus), workload = digit(&i, s->n_workloads),
	    platform = digit(&i, s->n_platforms);
	if (s->n_evictions)
		request->eviction = s->evictions[eviction];
	if (s->n_policies)
		request->policy = s->policies[policy];
	if (s->n_gpu_mem)
		request->choice.gpu_mem_bytes = s->gpu_mem_bytes[gpu_mem];
	if (s->n_gpus)
		request->choice.gpus = s->gpus[gpus];
	if (s->n_cpus)
		request->choice.cpus = s->cpus[cpus];
	if (s->n_workloads)
		request->workload = s->workloads[workload];
	if (s->n_platforms)
		request->platform = s->platforms[platform];
}
