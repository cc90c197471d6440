/* Runs of workers: neighbours by number, with one arch and one memory. Predictions for a task are the same on all
 * workers of a run. */
#ifndef TILEWRIGHT_WORKER_RUNS_H
#define TILEWRIGHT_WORKER_RUNS_H

#include <tilewright/sched.h>

struct tw_worker_run {
	tw_worker first;
	int n;
};

/* malloc'ed, the caller frees it; NULL: out of memory. */
struct tw_worker_run *tw_worker_runs(const struct tw_sched *, int *n_runs);

/* Adds the value n times to `sum`, one by one: rounded as a loop over the workers would be. */
static inline double tw_add_times(double sum, double value, int n)
{
	for (int i = 0; i < n; i++)
		sum += value;
	return sum;
}

#endif
