/* Kinds of distributions, for src/cluster/ alone. */
#ifndef TW__KINDS_H
#define TW__KINDS_H

#include "cluster/distribution.h"

struct tw__distribution_kind {
	const char *name;
	const struct tw_param *params;
	/* Fills the owners, or the ranks of all tasks. `args` NULL: the parameters' defaults. */
	int (*fill)(struct tw__distribution *, const struct tw_graph *, const struct tw_args *args, int n_ranks,
	            struct tw_error *);
	/* See tw__distribution_sends. The numbers suit `fill`. NULL: no formula is known. */
	int32_t (*sends)(const struct tw_args *args, int n_ranks);
};
extern const struct tw__distribution_kind tw__distribution_2dbc, tw__distribution_rows, tw__distribution_columns,
	tw__distribution_sbc, tw__distribution_metis, tw__distribution_file;

/* Functions of distribution_tiles.c: */
bool tw__is_tile(const struct tw_graph *, tw_data);
/* TW_INVALID: the handle is no tile. `kind`: the name of the distribution. */
int tw__check_tile(const struct tw_graph *, tw_data, const char *kind, struct tw_error *err);

#endif
