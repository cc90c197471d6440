/* The iterative bound. At first the program only counts the tasks of each type. When a path is too long, each of its
 * tasks gets variables of its own, and the path gets a row. The row says that the sum of E(t, r) x(t, r) over the
 * path's tasks t and all archs r is at most l. */
#include <string.h>

#include "base/wall.h"
#include "bounds/area_program.h"

/* Paths may exceed l by this fraction of l, because of the solver's rounding. */
static const double tolerance = 1e-7;
enum { PATHS_A_ROUND = 8 };

struct state {
	const struct tw__bounded *in;
	struct tw__area_program program;
	int *own;        /* [tasks] the first of the n_resources columns of a task; 0: it has no own columns yet */
	double *seconds; /* [tasks] duration of each task in the current solution, in s */
	double *weight, *levels;
	tw_task *path;
	int *columns; /* numbers of the columns in the row to add; the first one has index 1 */
	double *values;
	int max_rounds;
	double limit_s;
	bool has_bound; /* whether `result` has a bound */
	struct tw__iterative *result;
};

static double task_seconds(const struct state *s, tw_task t, int r)
{
	double seconds = tw__task_run_seconds(s->in->times, s->in->graph, t, s->program.types.arch[r]);
	return isnan(seconds) ? INFINITY : seconds;
}

/* Takes the task out of its type's count: adds a row sum_r x(t, r) = 1, and columns to the rows of the archs. If an
 * arch cannot run the task, its column is fixed at 0. */
static void give_columns(struct state *s, tw_task t)
{
	const struct tw__types *y = &s->program.types;
	glp_prob *lp = s->program.lp;
	int type = tw__type_of(y, s->in->graph, t), row = glp_add_rows(lp, 1);
	int type_row = 1 + y->n_resources + type;
	double left = round(glp_get_row_ub(lp, type_row)) - 1;
	glp_set_row_bnds(lp, type_row, GLP_FX, left, left);
	glp_set_row_bnds(lp, row, GLP_FX, 1, 1);
	s->own[t] = glp_add_cols(lp, y->n_resources);
	for (int r = 0; r < y->n_resources; r++) {
		double seconds = task_seconds(s, t, r);
		int rows[] = {0, 1 + r, row}, column = s->own[t] + r;
		double values[] = {0, seconds / s->program.unit, 1};
		if (isinf(seconds)) {
			glp_set_col_bnds(lp, column, GLP_FX, 0, 0);
			continue;
		}
		glp_set_col_bnds(lp, column, GLP_LO, 0, 0);
		glp_set_mat_col(lp, column, 2, rows, values);
	}
}

/* Computes the duration of each task in the current solution. Tasks without columns of their own get the mean of their
 * type. */
static void weigh(struct state *s)
{
	const struct tw__types *y = &s->program.types;
	glp_prob *lp = s->program.lp;
	for (tw_task t = 0; t < s->in->graph->n_tasks; t++) {
		int type = tw__type_of(y, s->in->graph, t);
		double sum = 0, left = glp_get_row_ub(lp, 1 + y->n_resources + type);
		for (int r = 0; r < y->n_resources; r++) {
			int shared = s->program.column[type * y->n_resources + r];
			if (s->own[t] && !isinf(task_seconds(s, t, r)))
				sum += glp_get_col_prim(lp, s->own[t] + r) * task_seconds(s, t, r);
			else if (!s->own[t] && shared)
				sum += glp_get_col_prim(lp, shared) / left * y->least[type * y->n_resources + r];
		}
		s->seconds[t] = sum;
	}
}

/* Finds the path with the greatest sum of `weight`, and stores its tasks in `path`. Returns their number. */
static int find_longest(struct state *s)
{
	const struct tw_graph *g = s->in->graph;
	const uint32_t *n_predecessors = tw__graph_predecessors(g);
	tw_task t = TW_NONE;
	int n = 0;
	tw__graph_bottom_levels(g, s->weight, s->levels);
	for (tw_task i = 0; i < g->n_tasks; i++)
		if (n_predecessors[i] == 0 && (t == TW_NONE || s->levels[i] > s->levels[t]))
			t = i;
	while (t != TW_NONE) {
		tw_task next = TW_NONE;
		s->path[n++] = t;
		for (uint32_t i = g->successor_start[t]; i < g->successor_start[t + 1]; i++)
			if (next == TW_NONE || s->levels[g->successor[i]] > s->levels[next])
				next = g->successor[i];
		t = next;
	}
	return n;
}

static void add_row(struct state *s, int n_tasks)
{
	const struct tw__types *y = &s->program.types;
	int n = 1, row = glp_add_rows(s->program.lp, 1);
	s->columns[1] = 1;
	s->values[1] = -1;
	for (int i = 0; i < n_tasks; i++) {
		tw_task t = s->path[i];
		if (!s->own[t])
			give_columns(s, t);
		for (int r = 0; r < y->n_resources; r++) {
			double seconds = task_seconds(s, t, r);
			if (isinf(seconds))
				continue;
			s->columns[++n] = s->own[t] + r;
			s->values[n] = seconds / s->program.unit;
		}
	}
	glp_set_row_bnds(s->program.lp, row, GLP_UP, 0, 0);
	glp_set_mat_row(s->program.lp, row, n, s->columns, s->values);
}

/* Adds rows for paths that are longer than `limit` seconds. After each row, the weights of its path's tasks become 0,
 * so that the next path is another. Returns the number of rows. */
static int add_long_paths(struct state *s, double limit)
{
	int n_added = 0;
	memcpy(s->weight, s->seconds, (size_t)s->in->graph->n_tasks * sizeof *s->weight);
	while (n_added < PATHS_A_ROUND) {
		int n = find_longest(s);
		double length = 0;
		for (int i = 0; i < n; i++)
			length += s->seconds[s->path[i]];
		if (length <= limit)
			break;
		add_row(s, n);
		for (int i = 0; i < n; i++)
			s->weight[s->path[i]] = 0;
		n_added++;
	}
	return n_added;
}

static int iterate(void *state, struct tw_error *err)
{
	struct state *s = state;
	struct tw__arena *arena = &s->program.arena;
	const struct tw__types *y = &s->program.types;
	const size_t tasks = (size_t)s->in->graph->n_tasks, entries = tasks * (size_t)(y->n_resources + 1) + 2;
	const double end_s = tw__wall_s() + s->limit_s;
	double value;
	s->own = tw__arena_alloc(arena, tasks, sizeof *s->own);
	s->seconds = tw__arena_alloc(arena, tasks, sizeof *s->seconds);
	s->weight = tw__arena_alloc(arena, tasks, sizeof *s->weight);
	s->levels = tw__arena_alloc(arena, tasks, sizeof *s->levels);
	s->path = tw__arena_alloc(arena, tasks, sizeof *s->path);
	s->columns = tw__arena_alloc(arena, entries, sizeof *s->columns);
	s->values = tw__arena_alloc(arena, entries, sizeof *s->values);
	tw__area_program_init(&s->program, y->least);
	for (int round = 0;; round++) {
		int status = tw__area_program_solve(&s->program, &value, err);
		s->result->timed_out = s->program.timed_out;
		if (status < 0)
			return s->program.timed_out ? TW_OK : status;
		s->has_bound = true;
		s->result->seconds = value;
		s->result->rounds = round;
		if (round == s->max_rounds)
			return TW_OK;
		weigh(s);
		if (!add_long_paths(s, value * (1 + tolerance)))
			return TW_OK;
		s->program.end_s = end_s;
	}
}

int tw__bound_iterative(const struct tw__bounded *in, int max_rounds, double limit_s, struct tw__iterative *result,
                        struct tw_error *err)
{
	struct state s = {.in = in, .max_rounds = max_rounds, .limit_s = limit_s, .result = result};
	*result = (struct tw__iterative){.seconds = NAN};
	if (tw__has_wide(in->platform) || in->graph->around)
		return tw__bound_area(in, NULL, &result->seconds, err);
	int status = tw__area_program_try(&s.program, in, iterate, &s, err);
	if (!s.has_bound)
		return status;
	if (status < 0) /* the bound of the round before stays valid */
		tw_log(TW_LOG_WARNING, "the bound 'iterative' is that after round %d: %s", result->rounds,
		       err->message);
	return TW_OK;
}
