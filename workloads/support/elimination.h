/* Between the files of the symbolic analysis: which column waits for which (elimination.c), which columns go together
 * (amalgamation.c), what each front is made of (assembly_tree.c). */
#ifndef TW__ELIMINATION_H
#define TW__ELIMINATION_H

#include "workloads/support/sparse.h"

/* The elimination tree of a graph in an order that is a postorder of it: column k of the factor is the k-th of `order`. */
struct tw__elimination {
	int32_t n;
	int32_t *order;  /* [n] */
	int32_t *place;  /* [n]: its inverse */
	int32_t *parent; /* [n]: > k, or TW_NONE */
	int32_t *count;  /* [n]: entries of column k of the factor, the diagonal included */
};

int tw__elimination_init(struct tw__elimination *, const struct tw_pattern *graph, const int32_t *order,
                         struct tw_error *err);
void tw__elimination_finish(struct tw__elimination *);

/* Groups of columns, one for each front, children before parents. */
struct tw__groups {
	int32_t n;
	int32_t *parent;           /* [n]: > g, or TW_NONE */
	int32_t *pivots, *columns; /* [n]: how many it eliminates, and has */
	int32_t *start;            /* [n + 1], into member */
	int32_t *member;           /* columns of the elimination, in the order in which groups eliminate them */
};

int tw__groups_init(struct tw__groups *, const struct tw__elimination *, struct tw_amalgamation, struct tw_error *err);
void tw__groups_finish(struct tw__groups *);

/* Children before parents and siblings as they were: post[k] is the node visited k-th. Roots have TW_NONE for a parent.
 * `work`: room for 3 * n. */
void tw__postorder(int32_t n, const int32_t *parent, int32_t *post, int32_t *work);

#endif
