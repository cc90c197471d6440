/* Mean transfer times between a task and its successors. List schedulers weigh the edges of the graph with them (HEFT
 * and CPOP, Topcuoglu, Hariri, Wu 2002; PEFT, Arabnejad, Barbosa 2014). The weight of the edge from t to s is the mean
 * time to transfer the data that t writes and s reads, over pairs of workers. A pair in one memory needs no
 * transfer. */
#ifndef TILEWRIGHT_EDGE_COSTS_H
#define TILEWRIGHT_EDGE_COSTS_H

#include <tilewright/sched.h>

#include "policies/support/worker_runs.h"

/* The task that wrote what each access reads; TW_NONE: no task did, or the access does not read. */
struct tw_writers {
	size_t *first; /* [tasks] index in `of` of the task's first access */
	tw_task *of;
};

/* Finds the writers. All memory is that of the run. */
struct tw_writers tw_writers_find(const struct tw_sched *);

struct tw_edge_costs {
	const struct tw_sched *s;
	struct tw_writers writers; /* first = NULL: all weights are 0 */
	double latency, per_byte;  /* the mean transfer takes latency + bytes x per_byte seconds */
};

/* `pairs`: the ordered pairs of workers in the mean. A worker and itself count as a pair, or not. All memory is that of
 * the run. */
enum tw_worker_pairs { TW_ALL_PAIRS, TW_DISTINCT_PAIRS };
struct tw_edge_costs tw_edge_costs_find(const struct tw_sched *, enum tw_worker_pairs pairs);

/* Returns the weight in seconds; 0: the struct is zeroed. O(accesses of the successor). */
double tw_edge_cost(const struct tw_edge_costs *, tw_task, tw_task successor);

#endif
