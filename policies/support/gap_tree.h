/* The idle gaps of workers that are alike, in a schedule that is being made, with a tree over them that finds the
 * worker on which a task ends first. Dates and lengths are whole numbers below 2^53 (nanoseconds, say), so that
 * sums are exact: with others, a gap that just fits may be overlooked. */
#ifndef TILEWRIGHT_GAP_TREE_H
#define TILEWRIGHT_GAP_TREE_H

#include "policies/support/gaps.h"

/* Of some workers. */
struct tw_gap_node {
	double last;    /* the least date from which on one is idle for good */
	double closed;  /* the greatest date on which a gap ends, without those that are endless */
	double longest; /* that no such gap is longer than */
};

struct tw_gap_tree {
	int n, n_leaves;           /* workers; a power of 2 */
	struct tw_gaps *gaps;      /* [n] */
	struct tw_gap_node *nodes; /* [2 n_leaves] those of node i are those of 2i and of 2i + 1; the root is 1 */
};

/* Of n workers, all of them idle from 0 on. TW_NOMEM: nothing is left allocated. */
int tw_gap_tree_init(struct tw_gap_tree *, int n);
void tw_gap_tree_finish(struct tw_gap_tree *); /* also of a zeroed one */

/* Where a task goes. */
struct tw_gap_place {
	int worker; /* of the tree's; TW_NONE: none was found */
	size_t gap;
	double start, end;
};

/* Looks for the least end, before place->end, of a task of that length that is ready at that date: on one of the
 * workers that are idle for good from `idle_at` on, into any gap, or, without `insertion`, behind all that was
 * placed; on the first of equals. Whether there is one, which `place` then tells. O(log workers), and one look at
 * each worker with a gap that may fit and does not. */
bool tw_gap_tree_earliest(const struct tw_gap_tree *, double ready, double length, bool insertion, double idle_at,
                          struct tw_gap_place *place);

/* Takes the place out of its gap. TW_NOMEM. */
int tw_gap_tree_fill(struct tw_gap_tree *, const struct tw_gap_place *);

#endif
