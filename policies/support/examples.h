/* Lists of example workers, with one worker of each arch. The time of a task on a worker depends on the arch alone. For
 * policies that treat all workers of a memory alike. */
#ifndef TILEWRIGHT_EXAMPLES_H
#define TILEWRIGHT_EXAMPLES_H

#include <math.h>

#include <tilewright/sched.h>

/* Adds the worker to the list of *n example workers, unless the list has a worker of the same arch. */
static inline void tw_examples_add(tw_worker *examples, int *n, const struct tw_sched *s, tw_worker worker)
{
	for (int i = 0; i < *n; i++)
		if (tw_worker_arch(s, examples[i]) == tw_worker_arch(s, worker))
			return;
	examples[(*n)++] = worker;
}

/* Whether two lists of workers have the same archs in the same order. Then each task takes the same time in both
 * lists. */
static inline bool tw_examples_are_alike(const struct tw_sched *s, const tw_worker *a, int n_a, const tw_worker *b,
                                         int n_b)
{
	bool alike = n_a == n_b;
	for (int i = 0; alike && i < n_a; i++)
		alike = tw_worker_arch(s, a[i]) == tw_worker_arch(s, b[i]);
	return alike;
}

/* Returns the predicted seconds of the task on the fastest of the n example workers; INFINITY: none of them can run the
 * task. */
static inline double tw_examples_least_s(const struct tw_sched *s, const tw_worker *examples, int n, tw_task task)
{
	double least = INFINITY;
	for (int i = 0; i < n; i++)
		least = fmin(least, tw_task_length(s, task, examples[i]));
	return least;
}

#endif
