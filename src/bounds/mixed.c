#include <stdlib.h>

#include "bounds/area_program.h"

/* A graph with more kernels than this is not a regular factorisation, and the search for paths would take long. */
enum { MAX_TYPES = 64 };

/* Looks for paths that contain all tasks of a kernel (type). Returns the greatest least time, in s, of the other tasks
 * on such a path. Negative: there is no such path. */
static double rest_of_path(const struct tw__bounded *in, const struct tw__types *y, int type, const double *best,
                           double *weight, double *levels)
{
	double sum = 0;
	for (tw_task t = 0; t < in->graph->n_tasks; t++)
		sum += best[t];
	double great = 2 * sum + 1;
	for (tw_task t = 0; t < in->graph->n_tasks; t++)
		weight[t] = in->graph->kernel[t] == y->kernel[type] ? great : best[t];
	double rest = tw__graph_bottom_levels(in->graph, weight, levels) - y->tasks[type] * great;
	/* corrects for rounding errors of large sums */
	return rest < 0 ? -1 : fmax(0, rest - 1e-12 * y->tasks[type] * great);
}

static void add_path(struct tw__area_program *p, int type, double rest_s)
{
	const struct tw__types *y = p->types;
	int row = glp_add_rows(p->lp, 1), n = 1;
	int *columns = malloc(((size_t)y->n_resources + 2) * sizeof *columns);
	double *values = malloc(((size_t)y->n_resources + 2) * sizeof *values);
	if (columns && values) { /* if memory is short, the row is left out: the bound is lower, but still valid */
		columns[1] = 1;
		values[1] = -1;
		for (int r = 0; r < y->n_resources; r++) {
			int column = p->column[type * y->n_resources + r];
			if (!column)
				continue;
			columns[++n] = column;
			values[n] = p->seconds[type * y->n_resources + r] / p->unit;
		}
		glp_set_row_bnds(p->lp, row, GLP_UP, 0, -rest_s / p->unit);
		glp_set_mat_row(p->lp, row, n, columns, values);
	}
	free(columns);
	free(values);
}

int tw__bound_mixed(const struct tw__bounded *in, double *seconds, struct tw_error *err)
{
	size_t n = (size_t)in->graph->n_tasks + 1;
	struct tw__types y;
	struct tw__area_program p = {0};
	double *best = malloc(n * sizeof *best), *weight = malloc(n * sizeof *weight),
	       *levels = malloc(n * sizeof *levels);
	int status = tw__types_init(&y, in, err);
	if (status == TW_OK && !(best && weight && levels))
		status = tw_fail(err, TW_NOMEM, "bounds: out of memory");
	if (status == TW_OK)
		status = tw__area_program_init(&p, &y, y.least, err);
	if (status == TW_OK) {
		tw__times_best(in->times, in->platform, in->graph, best);
		for (tw_task t = 0; t < in->graph->n_tasks; t++)
			best[t] /= TW__NS_PER_S;
		for (int k = 0; k < y.n_types && y.n_types <= MAX_TYPES; k++) {
			double rest_s = rest_of_path(in, &y, k, best, weight, levels);
			if (rest_s >= 0)
				add_path(&p, k, rest_s);
		}
		status = tw__area_program_solve(&p, seconds, err);
	}
	tw__area_program_finish(&p);
	tw__types_finish(&y);
	free(best);
	free(weight);
	free(levels);
	return status;
}
