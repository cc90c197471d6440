/* Distributions of the tiles of matrices: block-cyclic ones. */
#include <stdlib.h>

#include "base/memory.h"
#include "cluster/kinds.h"

/* Rows and columns of a pattern of owners, which matrices repeat. */
struct grid {
	int32_t rows, columns;
};

typedef int32_t owner_of_tile(struct grid, int32_t row, int32_t column);

static const struct tw_param no_params[] = {{0}};

bool tw__is_tile(const struct tw_graph *g, tw_data d) { return d < g->n_tiles && g->tiles[d].row != TW_NONE; }

int tw__check_tile(const struct tw_graph *g, tw_data d, const char *kind, struct tw_error *err)
{
	return tw__is_tile(g, d) ? TW_OK
	                         : tw_fail(err, TW_INVALID,
	                                   "distribution '%s': data %d is no tile of a matrix: expected a workload of "
	                                   "tiles, or --distribution metis",
	                                   kind, (int)d);
}

static int fill_tiles(struct tw__distribution *d, const struct tw_graph *g, const char *name, struct grid grid,
                      owner_of_tile *owner, struct tw_error *err)
{
	int status = TW_OK;
	d->owner = tw_alloc((size_t)g->n_data, sizeof *d->owner);
	for (tw_data h = 0; h < g->n_data && status == TW_OK; h++) {
		status = tw__check_tile(g, h, name, err);
		if (status == TW_OK)
			d->owner[h] = owner(grid, g->tiles[h].row, g->tiles[h].column);
	}
	return status;
}

/* --- two-dimensional block-cyclic --------------------------------------------------------------------------------- */

static int32_t owner_2dbc(struct grid grid, int32_t row, int32_t column)
{
	return row % grid.rows * grid.columns + column % grid.columns;
}

static const struct tw_param params_2dbc[] = {
	{"p", TW_PARAM_INT, "0", 0, 1 << 16, NULL, "rows of the grid of nodes; 0: the nodes over q"},
	{"q", TW_PARAM_INT, "0", 0, 1 << 16, NULL, "its columns; 0: the nodes over p; both 0: as square as possible"},
	{0},
};

static struct grid grid_2dbc(const struct tw_args *args, int n_ranks)
{
	int64_t p = args ? tw_args_int(args, "p") : 0, q = args ? tw_args_int(args, "q") : 0;
	if (!p && !q)
		for (int64_t rows = 1; rows * rows <= n_ranks; rows++)
			p = n_ranks % rows ? p : rows;
	p = p ? p : n_ranks / q;
	q = q ? q : n_ranks / p;
	return (struct grid){(int32_t)p, (int32_t)q};
}

static int fill_2dbc(struct tw__distribution *d, const struct tw_graph *g, const struct tw_args *args, int n_ranks,
                     struct tw_error *err)
{
	const struct grid grid = grid_2dbc(args, n_ranks);
	if ((int64_t)grid.rows * grid.columns != n_ranks)
		return tw_fail(err, TW_INVALID, "distribution '2dbc': p=%d, q=%d: expected a grid of %d nodes",
		               (int)grid.rows, (int)grid.columns, n_ranks);
	return fill_tiles(d, g, "2dbc", grid, owner_2dbc, err);
}

static int32_t sends_2dbc(const struct tw_args *args, int n_ranks)
{
	const struct grid grid = grid_2dbc(args, n_ranks);
	return grid.rows + grid.columns - 2;
}

const struct tw__distribution_kind tw__distribution_2dbc = {"2dbc", params_2dbc, fill_2dbc, sends_2dbc};

/* --- rows and columns --------------------------------------------------------------------------------------------- */

static int fill_rows(struct tw__distribution *d, const struct tw_graph *g, const struct tw_args *args, int n_ranks,
                     struct tw_error *err)
{
	(void)args;
	return fill_tiles(d, g, "rows", (struct grid){n_ranks, 1}, owner_2dbc, err);
}

static int fill_columns(struct tw__distribution *d, const struct tw_graph *g, const struct tw_args *args, int n_ranks,
                        struct tw_error *err)
{
	(void)args;
	return fill_tiles(d, g, "columns", (struct grid){1, n_ranks}, owner_2dbc, err);
}

static int32_t sends_to_all(const struct tw_args *args, int n_ranks)
{
	(void)args;
	return n_ranks - 1;
}

const struct tw__distribution_kind tw__distribution_rows = {"rows", no_params, fill_rows, sends_to_all};
const struct tw__distribution_kind tw__distribution_columns = {"columns", no_params, fill_columns, sends_to_all};

/* --- symmetric block-cyclic --------------------------------------------------------------------------------------- */

/* Symmetric block-cyclic (Beaumont, Duchon, Eyraud-Dubois, Langou, Verite 2022, section 4). The pattern of r x r tiles
 * is symmetric, and each pair of two different numbers below r is a node. So row i and column i of the pattern have the
 * same r - 1 nodes. Tiles on the pattern's diagonal take turns among these. */
static int32_t owner_sbc(struct grid grid, int32_t row, int32_t column)
{
	const int32_t r = grid.rows;
	int32_t a = row % r, b = column % r;
	if (a == b)
		b = (a + 1 + (row / r * (row / r + 1) / 2 + column / r) % (r - 1)) % r;
	const int32_t greater = a > b ? a : b, less = a < b ? a : b;
	return greater * (greater - 1) / 2 + less;
}

/* Returns r. */
static int32_t side_of_sbc(int n_ranks)
{
	int32_t r = 2;
	while (r * (r - 1) / 2 < n_ranks)
		r++;
	return r;
}

static int fill_sbc(struct tw__distribution *d, const struct tw_graph *g, const struct tw_args *args, int n_ranks,
                    struct tw_error *err)
{
	const int32_t r = side_of_sbc(n_ranks);
	(void)args;
	if (r * (r - 1) / 2 != n_ranks)
		return tw_fail(err, TW_INVALID,
		               "distribution 'sbc' on %d nodes: expected r (r - 1) / 2 nodes, as in %d or %d", n_ranks,
		               (r - 1) * (r - 2) / 2, r * (r - 1) / 2);
	return fill_tiles(d, g, "sbc", (struct grid){r, r}, owner_sbc, err);
}

static int32_t sends_sbc(const struct tw_args *args, int n_ranks)
{
	(void)args;
	return side_of_sbc(n_ranks) - 2;
}

const struct tw__distribution_kind tw__distribution_sbc = {"sbc", no_params, fill_sbc, sends_sbc};
