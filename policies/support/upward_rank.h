/* Upward ranks: the distance of each task to the end of the graph, which list schedulers order tasks by (HEFT, Topcuoglu,
 * Hariri, Wu 2002; HeteroPrio, Beaumont et al. 2016). A help for policies that know the whole graph.
 *
 *   rank(t) = E(t) + max over successors s of (C(t, s) + rank(s))
 *
 * rank=mean: E(t) is the mean over the workers that can run t; C(t, s) the mean over all ordered pairs of workers, of
 * which those that share a memory need none, of the transfer of what t writes and s reads. rank=fastest: E(t) is the
 * time on the fastest worker, C is 0. Tasks that reductions append have no rank. */
#ifndef TILEWRIGHT_UPWARD_RANK_H
#define TILEWRIGHT_UPWARD_RANK_H

#include <tilewright/sched.h>

/* A row of a policy's table of parameters, which these functions read; `value`: its default. */
#define TW_UPWARD_RANK_PARAM(value)                                                      \
	{                                                                                \
		"rank", TW_PARAM_CHOICE, value, 0, 0, "mean|fastest",                    \
			"whose times count in the distance to the end: all workers' or " \
			"the fastest's"                                                  \
	}

/* Fills one entry for each task of the graph, in seconds. O(dependencies x accesses). TW_NOMEM. */
int tw_upward_ranks(double *ranks, const struct tw_sched *);

/* The same as priorities from 0 to 2^20, the greatest rank: equal ones share one, however their sums were rounded. */
int tw_upward_rank_levels(int32_t *levels, const struct tw_sched *);

/* The graph's tasks by decreasing rank, those submitted first before others of the same: predecessors come before their
 * successors. malloc'ed; the caller's. */
int tw_upward_rank_order(tw_task **order, const struct tw_sched *);

#endif
