/* Runs of workers: workers with neighbouring numbers, one arch and one memory. Predictions for a task are the same on
 * all workers of a run. */
#ifndef TILEWRIGHT_WORKER_RUNS_H
#define TILEWRIGHT_WORKER_RUNS_H

#include <tilewright/sched.h>

struct tw_worker_run {
	tw_worker first;
	int n;
	tw_arch arch;
	tw_node node;
};

/* Returns the runs of all workers of the platform, in ascending order; `*n_runs` is their number. The array is in
 * memory of the run. */
struct tw_worker_run *tw_worker_runs(const struct tw_sched *, int *n_runs);

/* As tw_worker_runs, but the workers of a run may be in different memories; `node` is that of the first. */
struct tw_worker_run *tw_arch_runs(const struct tw_sched *, int *n_runs);

/* Returns a worker of each arch, [tw_n_archs()]; TW_NONE: the arch has none. The array is in memory of the run. */
tw_worker *tw_arch_workers(const struct tw_sched *);

/* Fills length[archs] with the predicted times of the task on each arch; INFINITY: no worker of the arch can run it.
 * `workers` is the result of tw_arch_workers. */
void tw_arch_lengths(const struct tw_sched *, const tw_worker *workers, tw_task, double *length);

/* Returns a worker with a probability proportional to its weight, if `number` is uniform in [0, 1). Each worker of
 * runs[i] has the weight weights[i], 0 or more. The weights of all workers are laid end to end. The result is the
 * worker at the point `number` x (sum of all weights). TW_NONE: all weights are 0. */
tw_worker tw_draw_worker(const struct tw_worker_run *runs, const double *weights, int n_runs, double number);

/* Returns `sum` plus n times the value. Adds the value one by one, so that the result is rounded as in a loop over the
 * workers. */
static inline double tw_add_times(double sum, double value, int n)
{
	for (int i = 0; i < n; i++)
		sum += value;
	return sum;
}

#endif
