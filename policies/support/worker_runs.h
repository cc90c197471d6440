/* Runs of workers: neighbours by number that have one arch and one memory. A policy's predictions for a task are
 * the same for all workers of a run. */
#ifndef TILEWRIGHT_WORKER_RUNS_H
#define TILEWRIGHT_WORKER_RUNS_H

#include <tilewright/sched.h>

struct tw_worker_run {
	tw_worker first;
	int n;
};

/* malloc'ed, the caller's; NULL: out of memory. */
struct tw_worker_run *tw_worker_runs(const struct tw_sched *, int *n_runs);

/* The sum of as many times the value, added one by one, from `sum` on: rounded as for each worker by itself. */
static inline double tw_add_times(double sum, double value, int n)
{
	for (int i = 0; i < n; i++)
		sum += value;
	return sum;
}

#endif
