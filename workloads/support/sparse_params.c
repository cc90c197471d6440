/* Reads the parameters that sparse workloads share, and makes an assembly tree from them. */
#include <metis.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/support/sparse.h"

static int get_matrix(struct tw_pattern *p, const struct tw_args *args, struct tw_error *err)
{
	int plane = (int)tw_args_int(args, "grid2d"), space = (int)tw_args_int(args, "grid3d");
	const char *path = tw_args_text(args, "matrix");
	int given = (plane > 0) + (space > 0) + (*path != '\0');
	if (given != 1)
		return tw_fail(err, TW_INVALID, "%d matrices: expected one of grid2d=N, grid3d=N and matrix=FILE",
		               given);
	if (*path)
		return tw_pattern_read(p, path, err);
	bool box = strcmp(tw_args_text(args, "stencil"), "box") == 0;
	return plane ? tw_pattern_grid(p, plane, plane, 1, box, err)
	             : tw_pattern_grid(p, space, space, space, box, err);
}

/* Replaces a matrix with more columns than rows by its transpose, which solvers factorise for a minimum-norm
 * solution. */
static void make_tall(struct tw_pattern *p)
{
	struct tw_pattern wide = *p;
	if (p->n_rows >= p->n_columns)
		return;
	tw_pattern_transpose(p, &wide);
	tw_pattern_finish(&wide);
}

/* The seed of METIS, which draws random numbers. A fixed seed gives the same order each time. */
static const idx_t seed = 1;

/* Orders by nested dissection (George 1973) with METIS (Karypis and Kumar 1998). */
int tw_nested_dissection(const struct tw_pattern *graph, int32_t *order, struct tw_error *err)
{
	int64_t entries = graph->start[graph->n_columns];
	for (int32_t c = 0; c < graph->n_columns; c++)
		order[c] = c;
	if (entries == 0)
		return TW_OK; /* without entries any order is good, and METIS needs edges */

	idx_t n = graph->n_columns, options[METIS_NOPTIONS];
	idx_t *start = tw_resize(NULL, (size_t)n + 1, sizeof *start);
	idx_t *neighbour = tw_resize(NULL, (size_t)entries, sizeof *neighbour);
	idx_t *old_of_new = tw_resize(NULL, (size_t)n, sizeof *old_of_new);
	idx_t *new_of_old = tw_resize(NULL, (size_t)n, sizeof *new_of_old);
	for (int32_t c = 0; c <= graph->n_columns; c++)
		start[c] = (idx_t)graph->start[c];
	for (int64_t e = 0; e < entries; e++)
		neighbour[e] = graph->row[e];
	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = seed;
	int status = TW_OK, result = METIS_NodeND(&n, start, neighbour, NULL, options, old_of_new, new_of_old);
	if (result != METIS_OK)
		status = tw_fail(err, result == METIS_ERROR_MEMORY ? TW_NOMEM : TW_FAILED,
		                 "nested dissection: METIS failed with status %d", result);
	for (int32_t k = 0; result == METIS_OK && k < graph->n_columns; k++)
		order[k] = (int32_t)old_of_new[k];
	free(start);
	free(neighbour);
	free(old_of_new);
	free(new_of_old);
	return status;
}

static int plant_tree(struct tw_sparse *s, const struct tw_args *args, enum tw_sparse_kind kind, struct tw_error *err)
{
	struct tw_pattern graph;
	int status = kind == TW_ORTHOGONAL ? tw_pattern_gram(&graph, &s->matrix, err)
	                                   : tw_pattern_symmetrise(&graph, &s->matrix, err);
	if (status < 0)
		return status;
	int32_t *order = tw_resize(NULL, (size_t)graph.n_columns, sizeof *order);
	for (int32_t c = 0; c < graph.n_columns; c++)
		order[c] = c;
	if (strcmp(tw_args_text(args, "ordering"), "metis") == 0)
		status = tw_nested_dissection(&graph, order, err);
	if (status == TW_OK)
		status = tw_assembly_tree_init(
			&s->tree, &graph, order,
			(struct tw_amalgamation){(int)tw_args_int(args, "nemin"), tw_args_real(args, "relax")}, err);
	free(order);
	tw_pattern_finish(&graph);
	return status;
}

int tw_sparse_init(struct tw_sparse *s, const struct tw_args *args, const char *workload, enum tw_sparse_kind kind,
                   struct tw_error *err)
{
	*s = (struct tw_sparse){0};
	int status = get_matrix(&s->matrix, args, err);
	if (status == TW_OK && kind == TW_ORTHOGONAL)
		make_tall(&s->matrix);
	if (status == TW_OK)
		status = plant_tree(s, args, kind, err);
	if (status < 0) {
		tw_sparse_finish(s);
		return tw_fail(err, status, "workload '%s': %s", workload, err->message);
	}
	return TW_OK;
}

void tw_sparse_finish(struct tw_sparse *s)
{
	tw_pattern_finish(&s->matrix);
	tw_assembly_tree_finish(&s->tree);
}
