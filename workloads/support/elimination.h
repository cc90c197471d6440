/* The steps of the symbolic analysis. elimination.c makes the elimination tree, amalgamation.c groups columns into
 * fronts, and assembly_tree.c finds the columns of each front. */
#ifndef TW__ELIMINATION_H
#define TW__ELIMINATION_H

#include "workloads/support/sparse.h"

/* The elimination tree of a graph. `order` is a postorder of the tree; column k of the factor is order[k]. */
struct tw__elimination {
	int32_t n;
	int32_t *order;  /* [n] order[k] is the k-th eliminated column of the matrix */
	int32_t *place;  /* [n] place[c] is the place of the matrix' column c in `order` */
	int32_t *parent; /* [n] parent of column k: above k, or TW_NONE */
	int32_t *count;  /* [n] entries of column k of the factor, including the diagonal */
};

void tw__elimination_init(struct tw__elimination *, const struct tw_pattern *graph, const int32_t *order);
void tw__elimination_finish(struct tw__elimination *);

/* Groups of columns, one for each front, children before parents. */
struct tw__groups {
	int32_t n;
	int32_t *parent;           /* [n] parent of group g: above g, or TW_NONE */
	int32_t *pivots, *columns; /* [n] number of eliminated columns, and of all columns, of the front */
	int32_t *start;            /* [n + 1] where each group starts in `member` */
	int32_t *member;           /* columns of the elimination, in the order in which the groups eliminate them */
};

void tw__groups_init(struct tw__groups *, const struct tw__elimination *, struct tw_amalgamation);
void tw__groups_finish(struct tw__groups *);

#endif
