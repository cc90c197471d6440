/* Distributions of a graph over the nodes of a cluster (ranks): each handle has an owner, and each task a rank where it
 * runs. docs/reference/distributions.md documents them. */
#ifndef TW__DISTRIBUTION_H
#define TW__DISTRIBUTION_H

#include <tilewright/params.h>

#include "graph/graph.h"

struct tw__distribution {
	int32_t *owner; /* [data] */
	int32_t *rank;  /* [tasks] TW_NONE: its handles decide (split.h); NULL: those of all tasks do */
};

/* Finds the owners as `words` say: "2dbc:p=2:q=3". NULL: a block-cyclic distribution on a grid that is as square as
 * possible, if all handles are tiles and each task writes one; else METIS. TW_INVALID: the words are wrong, or do not
 * suit the graph. */
int tw__distribute(struct tw__distribution *, const struct tw_graph *, const char *words, int n_ranks,
                   struct tw_error *err);
void tw__distribution_finish(struct tw__distribution *);
/* Checks the words alone. */
int tw__distribution_check(const char *words, struct tw_error *err);
/* Returns the parameters of distributions of that name, such as "2dbc"; NULL: there are none. */
const struct tw_param *tw__distribution_params(const char *name);
/* Returns the number of other nodes to which the owner of a tile sends it, in a large Cholesky factorisation. Times the
 * bytes of the matrix, it is the volume without terms of lower order. NAN: no formula is known. The words suit
 * the graph. */
double tw__distribution_sends(const struct tw_graph *, const char *words, int n_ranks);

#endif
