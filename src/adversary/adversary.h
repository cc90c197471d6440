/* A search for small task graphs on which one policy's makespan is as much longer than another's as possible:
 * docs/reference/adversary.md. */
#ifndef TW__ADVERSARY_H
#define TW__ADVERSARY_H

#include "adversary/duel.h"
#include "adversary/instance.h"

/* Rules that accept a change after which the ratio is lower: see adversary.c. */
enum tw__acceptance { TW__ACCEPT_METROPOLIS, TW__ACCEPT_PISA };

struct tw__adversary_search {
	const struct tw__request *request; /* of the policy that should lose: see tw__duel_init */
	const char *against;
	int n_tasks, n_iterations, n_restarts;
	int acceptance;      /* enum tw__acceptance */
	double longest_s;    /* the longest time of a task */
	uint64_t most_bytes; /* the largest size of a handle */
};

/* The outcome of a search. */
struct tw__adversary {
	double start;                   /* the ratio of the first graph of all */
	double ratio;                   /* the worst ratio found: makespan[0] / makespan[1] */
	tw__ns makespan[TW__DUEL_RUNS]; /* on the graph with this ratio */
	int restart;                    /* which restart found it, from 0 */
	int64_t n_graphs;               /* graphs that both policies ran */
	int64_t n_accepted;             /* changes from which the search went on */
	int64_t n_refused;              /* changes to graphs that cannot run, such as those with too large data */
	int cpus, gpus;                 /* workers of the platform */
	struct tw_graph *graph;
};

/* The result depends on the arguments alone. Random numbers come from the request's seed. TW_INVALID: an option does
 * not suit. After an error there is nothing to finish. */
int tw__adversary_find(struct tw__adversary *, const struct tw__adversary_search *, struct tw_error *err);
void tw__adversary_finish(struct tw__adversary *);

#endif
