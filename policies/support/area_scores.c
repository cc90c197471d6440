#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <glpk.h>

#include "policies/support/affinity.h"

/* Scores up to this value are rounding errors of GLPK; they become 0. */
#define NEGLIGIBLE 1e-9

/* The linear program of the area bound (affinity.h), for GLPK. Its rows are one per resource, then one per type. Its
 * columns are l, then one x(t, r) for each type t and resource r that can run t. All times are divided by the longest
 * time, so that the solver gets numbers of similar size. */
struct program {
	glp_prob *lp;
	int *row, *column; /* row and column of entry i of the matrix, i from 1 to n; value[i] is its value */
	double *value;
	int n;
};

static void entry(struct program *p, int row, int column, double value)
{
	p->n++;
	p->row[p->n] = row;
	p->column[p->n] = column;
	p->value[p->n] = value;
}

static void fill(struct program *p, const struct tw_affinity *a)
{
	double unit = 0;
	for (int i = 0; i < a->n_types * a->n_resources; i++)
		if (!isinf(a->seconds[i]))
			unit = fmax(unit, a->seconds[i]);
	glp_set_obj_dir(p->lp, GLP_MIN);
	glp_add_rows(p->lp, a->n_resources + a->n_types);
	glp_add_cols(p->lp, 1);
	glp_set_obj_coef(p->lp, 1, 1);
	glp_set_col_bnds(p->lp, 1, GLP_LO, 0, 0);
	for (int r = 0; r < a->n_resources; r++) {
		glp_set_row_bnds(p->lp, 1 + r, GLP_UP, 0, 0);
		entry(p, 1 + r, 1, -a->workers[r]);
	}
	for (int t = 0; t < a->n_types; t++) {
		/* x(t, r) is the part of the tasks of type t that r runs. The parts add up to 1, as the scores do. */
		glp_set_row_bnds(p->lp, 1 + a->n_resources + t, GLP_FX, 1, 1);
		for (int r = 0; r < a->n_resources; r++) {
			double here = a->seconds[t * a->n_resources + r];
			if (isinf(here))
				continue;
			int column = glp_add_cols(p->lp, 1);
			glp_set_col_bnds(p->lp, column, GLP_LO, 0, 0);
			entry(p, 1 + r, column, here / unit * a->tasks[t]);
			entry(p, 1 + a->n_resources + t, column, 1);
		}
	}
	glp_load_matrix(p->lp, p->n, p->row, p->column, p->value);
}

static int solve(double *scores, struct program *p, const struct tw_affinity *a, struct tw_error *err)
{
	glp_smcp how;
	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_OFF;
	how.meth = GLP_DUALP;
	int failed = glp_simplex(p->lp, &how), column = 1;
	if (failed || glp_get_status(p->lp) != GLP_OPT)
		return tw_fail(err, TW_FAILED,
		               "area scores of %d types on %d resources: GLPK finds no solution (glp_simplex returns "
		               "%d, status %d)",
		               a->n_types, a->n_resources, failed, glp_get_status(p->lp));
	for (int i = 0; i < a->n_types * a->n_resources; i++) {
		double part = isinf(a->seconds[i]) ? 0 : glp_get_col_prim(p->lp, ++column);
		scores[i] = part > NEGLIGIBLE ? part : 0;
	}
	return TW_OK;
}

int tw_area_scores(double *scores, const struct tw_affinity *a, struct tw_error *err)
{
	size_t most = (size_t)a->n_resources + 2 * (size_t)a->n_types * (size_t)a->n_resources + 1;
	struct program p = {
		.lp = glp_create_prob(),
		.row = tw_alloc(most, sizeof *p.row),
		.column = tw_alloc(most, sizeof *p.column),
		.value = tw_alloc(most, sizeof *p.value),
	};
	glp_term_out(GLP_OFF);
	fill(&p, a);
	int status = solve(scores, &p, a, err);
	glp_delete_prob(p.lp);
	free(p.row);
	free(p.column);
	free(p.value);
	return status;
}
