/* Reads the parameters that sparse workloads share, and makes an assembly tree from them. */
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
static int make_tall(struct tw_pattern *p, struct tw_error *err)
{
	if (p->n_rows >= p->n_columns)
		return TW_OK;
	struct tw_pattern wide = *p;
	int status = tw_pattern_transpose(p, &wide, err);
	if (status < 0)
		*p = wide;
	else
		tw_pattern_finish(&wide);
	return status;
}

static int order_columns(const struct tw_pattern *graph, const char *ordering, int32_t *order, struct tw_error *err)
{
	if (strcmp(ordering, "metis") == 0)
		return tw_nested_dissection(graph, order, err);
	for (int32_t c = 0; c < graph->n_columns; c++)
		order[c] = c;
	return TW_OK;
}

static int plant_tree(struct tw_sparse *s, const struct tw_args *args, enum tw_sparse_kind kind, struct tw_error *err)
{
	struct tw_pattern graph;
	int status = kind == TW_ORTHOGONAL ? tw_pattern_gram(&graph, &s->matrix, err)
	                                   : tw_pattern_symmetrise(&graph, &s->matrix, err);
	if (status < 0)
		return status;
	int32_t *order = malloc(((size_t)graph.n_columns + 1) * sizeof *order);
	status = order ? order_columns(&graph, tw_args_text(args, "ordering"), order, err)
	               : tw_fail(err, TW_NOMEM, "out of memory for the order of %d columns", graph.n_columns);
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
		status = make_tall(&s->matrix, err);
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
