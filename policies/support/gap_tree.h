/* The idle gaps of equal workers in a schedule under construction, with a tree that finds the worker on which a task
 * ends first. Dates and lengths must be integers below 2^53 (such as nanoseconds), so that sums are exact. With other
 * numbers, a gap that just fits may be missed. */
#ifndef TILEWRIGHT_GAP_TREE_H
#define TILEWRIGHT_GAP_TREE_H

#include "policies/support/gaps.h"

/* Bounds over some workers. */
struct tw_gap_node {
	double last;    /* the least date from which a worker stays idle */
	double closed;  /* the greatest end of a gap, except of endless gaps */
	double longest; /* upper bound of all gaps, except of endless gaps */
};

struct tw_gap_tree {
	int n, n_leaves;           /* workers; leaves (a power of 2) */
	struct tw_gaps *gaps;      /* [n] */
	struct tw_gap_node *nodes; /* [2 n_leaves] node i covers the workers of nodes 2i and 2i + 1; the root is 1 */
};

/* For n workers, all idle from date 0. TW_NOMEM: nothing is left allocated. */
int tw_gap_tree_init(struct tw_gap_tree *, int n);
void tw_gap_tree_finish(struct tw_gap_tree *); /* accepts a zeroed struct */

/* The place of a task. */
struct tw_gap_place {
	int worker; /* index in the tree; TW_NONE: not found */
	size_t gap;
	double start, end;
};

/* Finds the least end, before place->end, of a task of that length that is ready at that date. Candidates are the
 * workers that stay idle from `idle_at` or earlier. With `insertion` the task may go into any gap, without it only
 * behind all placed tasks. Ties: the first worker. Returns whether `place` was found. O(log workers), plus one step
 * per worker whose gaps may fit but do not. */
bool tw_gap_tree_earliest(const struct tw_gap_tree *, double ready, double length, bool insertion, double idle_at,
                          struct tw_gap_place *place);

/* Takes the place out of its gap. TW_NOMEM. */
int tw_gap_tree_fill(struct tw_gap_tree *, const struct tw_gap_place *);

#endif
