#include "cluster/distribution.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/spec.h"

struct kind {
	const char *name;
	const struct tw_param *params;
	/* Fills the distribution. */
	int (*fill)(struct tw__distribution *, const struct tw_graph *, const struct tw_args *, int n_ranks,
	            struct tw_error *);
};

/* --- distributions of tiles --------------------------------------------------------------------------------------- */

/* The numbers of a rule for tiles. */
struct grid {
	int32_t p, q; /* 2dbc: rows and columns of the grid; sbc: p is the side of the pattern */
};

typedef int32_t owner_of_tile(const struct grid *, int32_t row, int32_t column);

static int fill_tiles(struct tw__distribution *d, const struct tw_graph *g, const char *name, struct grid grid,
                      owner_of_tile *owner, struct tw_error *err)
{
	d->owner = tw_alloc((size_t)g->n_data, sizeof *d->owner);
	for (tw_data h = 0; h < g->n_data; h++) {
		if (h >= g->n_tiles || g->tiles[h].row == TW_NONE)
			return tw_fail(
				err, TW_INVALID,
				"distribution '%s': data %d is no tile of a matrix: expected a workload of tiles, "
				"or --distribution metis",
				name, (int)h);
		d->owner[h] = owner(&grid, g->tiles[h].row, g->tiles[h].column);
	}
	return TW_OK;
}

static int32_t owner_2dbc(const struct grid *grid, int32_t row, int32_t column)
{
	return row % grid->p * grid->q + column % grid->q;
}

static const struct tw_param params_2dbc[] = {
	{"p", TW_PARAM_INT, "0", 0, 1 << 16, NULL, "rows of the grid of nodes; 0: as square as possible"},
	{"q", TW_PARAM_INT, "0", 0, 1 << 16, NULL, "its columns, at least as many; 0: the nodes over p"},
	{0},
};

static int fill_2dbc(struct tw__distribution *d, const struct tw_graph *g, const struct tw_args *args, int n_ranks,
                     struct tw_error *err)
{
	int64_t p = args ? tw_args_int(args, "p") : 0, q = args ? tw_args_int(args, "q") : 0;
	if (!p && !q)
		for (int64_t rows = 1; rows * rows <= n_ranks; rows++)
			p = n_ranks % rows ? p : rows;
	p = p ? p : n_ranks / q;
	q = q ? q : n_ranks / p;
	if (p * q != n_ranks)
		return tw_fail(err, TW_INVALID, "distribution '2dbc': p=%lld, q=%lld: expected a grid of %d nodes",
		               (long long)p, (long long)q, n_ranks);
	return fill_tiles(d, g, "2dbc", (struct grid){(int32_t)p, (int32_t)q}, owner_2dbc, err);
}

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

/* Symmetric block-cyclic (Beaumont, Duchon, Eyraud-Dubois, Langou, Verite 2022, section 4). The pattern of r x r tiles
 * is symmetric, and each pair of two different numbers below r is a node. So row i and column i of the pattern have the
 * same r - 1 nodes. Tiles on the pattern's diagonal take turns among these. */
static int32_t owner_sbc(const struct grid *grid, int32_t row, int32_t column)
{
	const int32_t r = grid->p;
	int32_t a = row % r, b = column % r;
	if (a == b)
		b = (a + 1 + (row / r * (row / r + 1) / 2 + column / r) % (r - 1)) % r;
	const int32_t greater = a > b ? a : b, less = a > b ? b : a;
	return greater * (greater - 1) / 2 + less;
}

static int fill_sbc(struct tw__distribution *d, const struct tw_graph *g, const struct tw_args *args, int n_ranks,
                    struct tw_error *err)
{
	int32_t r = 2;
	(void)args;
	while (r * (r - 1) / 2 < n_ranks)
		r++;
	if (r * (r - 1) / 2 != n_ranks)
		return tw_fail(err, TW_INVALID,
		               "distribution 'sbc' on %d nodes: expected r (r - 1) / 2 nodes, as in %d or %d", n_ranks,
		               (r - 1) * (r - 2) / 2, r * (r - 1) / 2);
	return fill_tiles(d, g, "sbc", (struct grid){r, r}, owner_sbc, err);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static const struct tw_param no_params[] = {{0}};

static const struct kind kinds[] = {
	{"2dbc", params_2dbc, fill_2dbc},
	{"rows", no_params, fill_rows},
	{"columns", no_params, fill_columns},
	{"sbc", no_params, fill_sbc},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* Finds the kind, and its arguments, which the caller destroys. */
static int parse(const struct kind **kind, struct tw_args **args, const char *words, struct tw_error *err)
{
	struct tw__spec spec;
	char what[80];
	*args = NULL;
	int status = tw__spec_parse(&spec, words, err);
	if (status < 0)
		return status;
	*kind = NULL;
	for (int i = 0; i < N_KINDS; i++)
		if (strcmp(kinds[i].name, spec.name) == 0)
			*kind = &kinds[i];
	snprintf(what, sizeof what, "distribution '%.60s'", spec.name);
	if (!*kind)
		status = tw_fail(err, TW_INVALID, "%s: expected 2dbc, rows, columns or sbc", what);
	else
		status = tw__args_create(args, what, (*kind)->params, &spec, err);
	tw__spec_finish(&spec);
	return status;
}

int tw__distribution_check(const char *words, struct tw_error *err)
{
	const struct kind *kind;
	struct tw_args *args;
	int status = parse(&kind, &args, words, err);
	if (status == TW_OK)
		tw__args_destroy(args);
	return status;
}

int tw__distribute(struct tw__distribution *d, const struct tw_graph *g, const char *words, int n_ranks,
                   struct tw_error *err)
{
	const struct kind *kind = kinds;
	struct tw_args *args = NULL;
	*d = (struct tw__distribution){0};
	int status = words ? parse(&kind, &args, words, err) : TW_OK;
	if (status == TW_OK)
		status = kind->fill(d, g, args, n_ranks, err);
	tw__args_destroy(args);
	if (status < 0)
		tw__distribution_finish(d);
	return status;
}

void tw__distribution_finish(struct tw__distribution *d)
{
	free(d->owner);
	free(d->rank);
	*d = (struct tw__distribution){0};
}
