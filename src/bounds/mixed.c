#include "bounds/area_program.h"

/* A graph with more types of tasks than this is no regular factorisation, and the search for paths would take long. */
enum { MAX_TYPES = 64 };

/* Looks for paths that contain all tasks of a type. Returns the greatest least time, in s, of the other tasks
 * on such a path. Negative: there is no such path. */
static double rest_of_path(const struct tw__bounded *in, const struct tw__types *y, int type, const double *best,
                           double *weight, double *levels)
{
	double sum = 0;
	for (tw_task t = 0; t < in->graph->n_tasks; t++)
		sum += best[t];
	double great = 2 * sum + 1;
	for (tw_task t = 0; t < in->graph->n_tasks; t++)
		weight[t] = tw__type_of(y, in->graph, t) == type ? great : best[t];
	double rest = tw__graph_bottom_levels(in->graph, weight, levels) - y->tasks[type] * great;
	/* corrects for rounding errors of large sums */
	return rest < 0 ? -1 : fmax(0, rest - 1e-12 * y->tasks[type] * great);
}

struct search {
	const struct tw__bounded *in;
	struct tw__area_program program;
	double *best, *weight, *levels; /* [tasks] */
	/* [n_resources + 2] columns and coefficients of the row to add; the first one has index 1 */
	int *columns;
	double *values;
	double *seconds; /* where the bound goes */
};

static void add_path(struct search *s, int type, double rest_s)
{
	const struct tw__area_program *p = &s->program;
	const struct tw__types *y = &p->types;
	int row = glp_add_rows(p->lp, 1), n = 1;
	s->columns[1] = 1;
	s->values[1] = -1;
	for (int r = 0; r < y->n_resources; r++) {
		int column = p->column[type * y->n_resources + r];
		if (!column)
			continue;
		s->columns[++n] = column;
		s->values[n] = p->seconds[type * y->n_resources + r] / p->unit;
	}
	glp_set_row_bnds(p->lp, row, GLP_UP, 0, -rest_s / p->unit);
	glp_set_mat_row(p->lp, row, n, s->columns, s->values);
}

static int solve(void *search, struct tw_error *err)
{
	struct search *s = search;
	const struct tw__types *y = &s->program.types;
	struct tw__arena *arena = &s->program.arena;
	const size_t tasks = (size_t)s->in->graph->n_tasks, entries = (size_t)y->n_resources + 2;
	s->best = tw__arena_alloc(arena, tasks, sizeof *s->best);
	s->weight = tw__arena_alloc(arena, tasks, sizeof *s->weight);
	s->levels = tw__arena_alloc(arena, tasks, sizeof *s->levels);
	s->columns = tw__arena_alloc(arena, entries, sizeof *s->columns);
	s->values = tw__arena_alloc(arena, entries, sizeof *s->values);
	tw__times_best(s->in->times, s->in->platform, s->in->graph, s->best);
	for (tw_task t = 0; t < s->in->graph->n_tasks; t++)
		s->best[t] /= TW__NS_PER_S;
	tw__area_program_init(&s->program, y->least);
	for (int k = 0; k < y->n_types && y->n_types <= MAX_TYPES; k++) {
		double rest_s = rest_of_path(s->in, y, k, s->best, s->weight, s->levels);
		if (rest_s >= 0)
			add_path(s, k, rest_s);
	}
	return tw__area_program_solve(&s->program, s->seconds, err);
}

int tw__bound_mixed(const struct tw__bounded *in, double *seconds, struct tw_error *err)
{
	struct search s = {.in = in, .seconds = seconds};
	if (tw__has_wide(in->platform) || in->graph->around)
		return tw__bound_area(in, NULL, seconds, err);
	return tw__area_program_try(&s.program, in, solve, &s, err);
}
