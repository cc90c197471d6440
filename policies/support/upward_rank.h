/* Upward ranks: the distance of each task to the end of the graph. List schedulers order tasks by their ranks (HEFT,
 * Topcuoglu, Hariri, Wu 2002; HeteroPrio, Beaumont et al. 2016). For policies that know the whole graph.
 *
 *     rank(t) = E(t) + max over successors s of (C(t, s) + rank(s))
 *
 * With rank=mean, E(t) is the mean time over the workers that can run t. C(t, s) is the time to transfer the data that
 * t writes and s reads. It is the mean over all ordered pairs of workers; a pair in one memory needs no transfer. With
 * rank=fastest, E(t) is the time on the fastest worker, and C is 0. Tasks that reductions append have no rank. */
#ifndef TILEWRIGHT_UPWARD_RANK_H
#define TILEWRIGHT_UPWARD_RANK_H

#include <tilewright/sched.h>

/* The parameter `rank`, which the functions below read: the policy's table of parameters must have it. `value`: its
 * default. */
#define TW_UPWARD_RANK_PARAM(value)                                                                  \
	{                                                                                            \
		"rank", TW_PARAM_CHOICE, value, 0, 0, "mean|fastest",                                \
			"times in the distance to the end: mean: over all workers; fastest: on the " \
			"fastest worker"                                                             \
	}

/* Returns the ranks of the graph's tasks as priorities from 0 to 2^20 (the greatest rank). Equal ranks get one
 * priority, however their sums are rounded. The array is in memory of the run. O(dependencies x accesses). */
int32_t *tw_upward_rank_levels(const struct tw_sched *);

/* Returns the length of the longest path through each task, from the begin of the graph to its end: the sum of the
 * upward and the downward rank (CPOP). Times are means over the workers that can run a task, and over pairs of distinct
 * workers. The longest path of this policy's tasks has the length 2^20. Lengths are whole, so those of one path are
 * equal however their sums are rounded. The array is in memory of the run. O(dependencies x accesses). */
double *tw_path_lengths(const struct tw_sched *);

/* Fills order[tasks] with the graph's tasks by decreasing rank; ties: the task submitted first. tw_rank_order returns
 * an array in memory of the run. */
void tw_rank_sort(const struct tw_sched *, const double *ranks, tw_task *order);
tw_task *tw_rank_order(const struct tw_sched *, const double *ranks);

/* Returns the upward rank of each task, in seconds. The caller frees the array. */
double *tw_upward_ranks(const struct tw_sched *);

/* Returns the graph's tasks by decreasing upward rank; ties: the task submitted first. Predecessors come before their
 * successors. The array is in memory of the run. */
tw_task *tw_upward_rank_order(const struct tw_sched *);

#endif
