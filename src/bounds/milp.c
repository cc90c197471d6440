/* The mixed integer program with dependencies (Augonnet 2011, section 6.4). Each task runs on one worker, after its
 * predecessors. A worker runs one task at a time. There are no transfers.
 *
 * The thesis has a variable for each task and worker. Here there is one for each task and arch, because the workers of
 * an arch are equal. If tasks never need more workers of an arch at a time than there are, they can be assigned to
 * these. With s(t) as the start of task t, m(r) as the number of workers of arch r, and E as durations, the program is:
 *
 *     minimise l
 *     x(t, r) in {0, 1}, sum over r of x(t, r) = 1               t runs on arch r
 *     p(t) = sum over r of E(t, r) x(t, r)
 *     s(t) + p(t) <= l,  s(j) >= s(i) + p(i)                     where j waits for i
 *     sum over t of E(t, r) x(t, r) <= m(r) l                    redundant, but tightens the relaxation
 *     y(i, j) in {0, 1}, s(j) >= s(i) + p(i) - M (1 - y(i, j))   for independent tasks, if j runs after i
 *     sum over i, j in C of y(i, j) >= 1 - sum over t in C of (1 - x(t, r))
 *
 * The last row is for all sets C of m(r) + 1 tasks: if all of them are on r, one waits for another. There are very
 * many of these rows, so they are added when a solution violates one. M is the least value that allows schedules as
 * short as a known one. The relaxation without y is at least the iterative bound. */
#include <stdlib.h>

#include <glpk.h>

#include "bounds/area_program.h"
#include "graph/reduction.h"

/* --- the graph ---------------------------------------------------------------------------------------------------- */

enum { N = TW__MILP_MAX_TASKS, N_ARCHS = TW__MILP_MAX_ARCHS };

/* A set of tasks is a bit set: bit t is for task t. */
struct small {
	int n_tasks, n_archs;       /* n_archs: number of archs that have workers */
	int workers[N_ARCHS];       /* [n_archs] number of workers of each arch */
	double seconds[N][N_ARCHS]; /* duration of each task on each arch; INFINITY: it cannot run */
	double least[N];            /* duration of each task on its fastest arch, in s */
	uint64_t direct[N];         /* the direct successors of each task */
	uint64_t behind[N];         /* all direct and indirect successors of each task */
	/* the longest paths before and after each task in s, with all tasks on their fastest archs */
	double head[N], tail[N];
	double schedule_s; /* the makespan of a list schedule, where each task ends as early as possible */
};

static void add_edges(struct small *s, const struct tw_graph *g, tw_task t)
{
	for (uint32_t i = g->successor_start[t]; i < g->successor_start[t + 1]; i++)
		s->direct[t] |= UINT64_C(1) << g->successor[i];
	/* Tasks that wait for a reduction wait for all its contributors. */
	for (uint32_t a = g->access_start[t]; g->n_phases && a < g->access_start[t + 1]; a++) {
		int32_t phase = g->access[a] & TW_REDUX ? tw__graph_phase_of(g, a) : -1;
		for (uint32_t i = phase < 0 ? 0 : g->phase_successor_start[phase];
		     phase >= 0 && i < g->phase_successor_start[phase + 1]; i++)
			s->direct[t] |= UINT64_C(1) << g->phase_successor[i];
	}
}

/* Fills `behind`, `head` and `tail`. Successors have greater numbers, so one pass over the tasks is enough for each. */
static void find_paths(struct small *s)
{
	for (int t = s->n_tasks - 1; t >= 0; t--) {
		s->behind[t] = s->direct[t];
		for (int i = t + 1; i < s->n_tasks; i++)
			if (s->direct[t] >> i & 1) {
				s->behind[t] |= s->behind[i];
				s->tail[t] = fmax(s->tail[t], s->least[i] + s->tail[i]);
			}
	}
	for (int t = 0; t < s->n_tasks; t++)
		for (int i = t + 1; i < s->n_tasks; i++)
			if (s->direct[t] >> i & 1)
				s->head[i] = fmax(s->head[i], s->head[t] + s->least[t]);
}

/* Returns the makespan of a list schedule. The priority of a task is the longest path from its start to the end of the
 * graph. */
static double schedule(const struct small *s)
{
	double free_at[N_ARCHS][N] = {{0}}, ready[N] = {0}, makespan = 0; /* more workers than tasks are useless */
	uint64_t done = 0;
	for (int n = 0; n < s->n_tasks; n++) {
		int task = -1, arch = 0, worker = 0;
		double end = INFINITY;
		for (int t = 0; t < s->n_tasks; t++) {
			bool waits = done >> t & 1;
			for (int i = 0; i < t; i++)
				waits |= (s->direct[i] >> t & 1) && !(done >> i & 1);
			if (!waits && (task < 0 || s->least[t] + s->tail[t] > s->least[task] + s->tail[task]))
				task = t;
		}
		for (int r = 0; r < s->n_archs; r++)
			for (int w = 0; w < s->workers[r] && w < N; w++)
				if (fmax(free_at[r][w], ready[task]) + s->seconds[task][r] < end) {
					end = fmax(free_at[r][w], ready[task]) + s->seconds[task][r];
					arch = r;
					worker = w;
				}
		free_at[arch][worker] = end;
		done |= UINT64_C(1) << task;
		makespan = fmax(makespan, end);
		for (int i = 0; i < s->n_tasks; i++)
			if (s->direct[task] >> i & 1)
				ready[i] = fmax(ready[i], end);
	}
	return makespan;
}

static void small_init(struct small *s, const struct tw__bounded *in)
{
	*s = (struct small){.n_tasks = in->graph->n_tasks};
	for (tw_arch a = 0; a < in->platform->n_archs; a++) {
		int n = 0;
		for (tw_worker w = 0; w < in->platform->n_workers; w++)
			n += in->platform->workers[w].arch == a;
		if (n == 0)
			continue;
		for (tw_task t = 0; t < s->n_tasks; t++) {
			double seconds = tw__task_run_seconds(in->times, in->graph, t, a);
			s->seconds[t][s->n_archs] = isnan(seconds) ? INFINITY : seconds;
			s->least[t] =
				s->n_archs ? fmin(s->least[t], s->seconds[t][s->n_archs]) : s->seconds[t][s->n_archs];
		}
		s->workers[s->n_archs++] = n;
	}
	for (tw_task t = 0; t < s->n_tasks; t++)
		add_edges(s, in->graph, t);
	find_paths(s);
	s->schedule_s = schedule(s);
}

/* Whether neither of the tasks i and j waits for the other, directly or indirectly. */
static bool are_independent(const struct small *s, int i, int j)
{
	return i != j && !(s->behind[i] >> j & 1) && !(s->behind[j] >> i & 1);
}

/* --- the program -------------------------------------------------------------------------------------------------- */

/* GLPK's rounding, relative to the schedule's length. A solution may violate a row by this much, and a bound may be too
 * high by this much. */
static const double rounding = 1e-6;

struct program {
	struct small small;
	glp_prob *lp;
	/* Seconds per unit of time in the program, so that numbers are well scaled. */
	double unit;
	/* numbers of columns of s(t), x(t, r) and y(i, j); 0: there is no column */
	int start[N], on[N][N_ARCHS], order[N][N];
	double bound; /* the best bound proven so far, in units of the program */
	int columns[2 + N * N];
	double values[2 + N * N]; /* coefficients of `columns` in the row to add; the first one has index 1 */
	double least_s, limit_s;
	bool optimal;
};

static int add_column(struct program *p, int kind, double low, double high)
{
	int column = glp_add_cols(p->lp, 1);
	glp_set_col_kind(p->lp, column, kind);
	if (kind == GLP_CV)
		glp_set_col_bnds(p->lp, column, high > low ? GLP_DB : GLP_FX, low, high);
	return column;
}

/* Appends a column to the row that is being filled. Returns the number of columns in the row. */
static int put(struct program *p, int n, int column, double value)
{
	p->columns[n + 1] = column;
	p->values[n + 1] = value;
	return n + 1;
}

/* Appends the term sign * p(t), the duration of task t, to the row. Returns the number of columns in the row. */
static int put_length(struct program *p, int n, int t, double sign)
{
	for (int r = 0; r < p->small.n_archs; r++)
		if (p->on[t][r])
			n = put(p, n, p->on[t][r], sign * p->small.seconds[t][r] / p->unit);
	return n;
}

static void add_row(struct program *p, int n, int type, double bound)
{
	int row = glp_add_rows(p->lp, 1);
	glp_set_row_bnds(p->lp, row, type, bound, bound);
	glp_set_mat_row(p->lp, row, n, p->columns, p->values);
}

/* Adds the row that j starts after i has ended: s(j) - s(i) - p(i) >= 0. If y(i, j) exists, the row is s(j) - s(i) -
 * p(i) - M y(i, j) >= -M. */
static void add_precedence(struct program *p, int i, int j)
{
	int n = put_length(p, put(p, put(p, 0, p->start[j], 1), p->start[i], -1), i, -1);
	double m = 0;
	if (p->order[i][j]) {
		/* i ends early enough for its successors, if the schedule is no longer than the known one; j starts
		 * only after its predecessors */
		m = (p->small.schedule_s - p->small.tail[i] - p->small.head[j]) / p->unit;
		n = put(p, n, p->order[i][j], -m);
	}
	add_row(p, n, GLP_LO, -m);
}

static void add_task(struct program *p, int t)
{
	const struct small *s = &p->small;
	int n = 0;
	p->start[t] = add_column(p, GLP_CV, s->head[t] / p->unit,
	                         (s->schedule_s - s->tail[t] - s->least[t]) / p->unit + rounding);
	for (int r = 0; r < s->n_archs; r++)
		if (s->head[t] + s->seconds[t][r] + s->tail[t] <= s->schedule_s * (1 + rounding)) {
			p->on[t][r] = add_column(p, GLP_BV, 0, 1);
			n = put(p, n, p->on[t][r], 1);
		}
	add_row(p, n, GLP_FX, 1);
	n = put_length(p, put(p, put(p, 0, 1, 1), p->start[t], -1), t, -1);
	add_row(p, n, GLP_LO, s->tail[t] / p->unit);
}

static void build(struct program *p, double least_s)
{
	const struct small *s = &p->small;
	for (int t = 0; t < s->n_tasks; t++)
		p->unit = fmax(p->unit, s->least[t]);
	p->unit = p->unit > 0 ? p->unit : 1;
	glp_term_out(GLP_OFF);
	p->lp = glp_create_prob();
	glp_set_obj_dir(p->lp, GLP_MIN);
	double longest = s->schedule_s / p->unit * (1 + rounding);
	glp_set_obj_coef(p->lp, add_column(p, GLP_CV, fmin(least_s / p->unit, longest), longest), 1);
	for (int t = 0; t < s->n_tasks; t++)
		add_task(p, t);
	for (int r = 0; r < s->n_archs; r++) {
		int n = put(p, 0, 1, s->workers[r]);
		for (int t = 0; t < s->n_tasks; t++)
			if (p->on[t][r])
				n = put(p, n, p->on[t][r], -s->seconds[t][r] / p->unit);
		add_row(p, n, GLP_LO, 0);
	}
	for (int i = 0; i < s->n_tasks; i++)
		for (int j = 0; j < s->n_tasks; j++) {
			bool fits =
				s->head[i] + s->least[i] + s->least[j] + s->tail[j] <= s->schedule_s * (1 + rounding);
			if (are_independent(s, i, j) && fits)
				p->order[i][j] = add_column(p, GLP_BV, 0, 1);
			if (p->order[i][j] || (s->direct[i] >> j & 1))
				add_precedence(p, i, j);
		}
}

/* --- the search tree: callbacks of GLPK's branch and cut ---------------------------------------------------------- */

/* Lists the tasks on arch r that run when t starts, t first, in `together`. Returns their number. In the solution, each
 * x is 0 or 1. */
static int running_with(const struct program *p, int r, int t, int *together)
{
	const struct small *s = &p->small;
	double date = glp_get_col_prim(p->lp, p->start[t]);
	int n = 0;
	together[n++] = t;
	for (int i = 0; i < s->n_tasks; i++) {
		double start = glp_get_col_prim(p->lp, p->start[i]);
		bool there = i != t && p->on[i][r] && glp_get_col_prim(p->lp, p->on[i][r]) > 0.5;
		if (there && start <= date && start + s->seconds[i][r] / p->unit > date + 1e-5)
			together[n++] = i;
	}
	return n;
}

/* Adds the row that one of these tasks must wait for another one if all are on arch r. Returns false, and adds nothing,
 * if the solution satisfies the row already. */
static bool add_conflict(struct program *p, int r, const int *tasks, int n_tasks)
{
	double sum = 0;
	int n = 0;
	for (int a = 0; a < n_tasks; a++) {
		sum -= glp_get_col_prim(p->lp, p->on[tasks[a]][r]);
		n = put(p, n, p->on[tasks[a]][r], -1);
		for (int b = 0; b < n_tasks; b++)
			if (p->order[tasks[a]][tasks[b]]) {
				n = put(p, n, p->order[tasks[a]][tasks[b]], 1);
				sum += glp_get_col_prim(p->lp, p->order[tasks[a]][tasks[b]]);
			}
	}
	if (sum >= 1 - n_tasks - 1e-4)
		return false;
	add_row(p, n, GLP_LO, 1 - n_tasks);
	return true;
}

/* Adds the rows that the solution violates because more tasks run on an arch at a time than it has workers. Does
 * nothing while the solution splits a task over archs. */
static void add_conflicts(struct program *p)
{
	const struct small *s = &p->small;
	int together[N];
	for (int t = 0; t < s->n_tasks; t++)
		for (int r = 0; r < s->n_archs; r++)
			if (p->on[t][r] && fabs(glp_get_col_prim(p->lp, p->on[t][r]) - 0.5) < 0.499)
				return;
	for (int t = 0; t < s->n_tasks; t++)
		for (int r = 0; r < s->n_archs; r++)
			if (p->on[t][r] && glp_get_col_prim(p->lp, p->on[t][r]) > 0.5 &&
			    running_with(p, r, t, together) > s->workers[r])
				add_conflict(p, r, together, s->workers[r] + 1);
}

/* Chooses the variable to branch on. The bound depends most on the archs of tasks, and most of all on the archs of long
 * tasks. */
static void branch(struct program *p, glp_tree *tree)
{
	int column = 0;
	double most = 0;
	for (int t = 0; t < p->small.n_tasks; t++)
		for (int r = 0; r < p->small.n_archs; r++) {
			if (!p->on[t][r] || !glp_ios_can_branch(tree, p->on[t][r]))
				continue;
			double x = glp_get_col_prim(p->lp, p->on[t][r]);
			double weight = fmin(x, 1 - x) * p->small.least[t];
			if (weight > most) {
				most = weight;
				column = p->on[t][r];
			}
		}
	if (column)
		glp_ios_branch_upon(tree, column, GLP_NO_BRNCH);
}

static void on_event(glp_tree *tree, void *context)
{
	struct program *p = context;
	int best = glp_ios_best_node(tree);
	if (best)
		p->bound = fmax(p->bound, fmin(glp_ios_node_bound(tree, best), p->small.schedule_s / p->unit));
	if (glp_ios_reason(tree) == GLP_IROWGEN)
		add_conflicts(p);
	else if (glp_ios_reason(tree) == GLP_IBRANCH)
		branch(p, tree);
}

/* Proves the best bound that it can within limit_s. Returns whether the bound is the optimum. */
static bool solve(struct program *p, double limit_s)
{
	glp_smcp first;
	glp_init_smcp(&first);
	first.msg_lev = GLP_MSG_OFF;
	first.meth = GLP_DUALP;
	first.tm_lim = (int)(1e3 * limit_s);
	glp_adv_basis(p->lp, 0);
	if (glp_simplex(p->lp, &first) || glp_get_status(p->lp) != GLP_OPT)
		return false;
	p->bound = fmax(p->bound, glp_get_obj_val(p->lp));
	glp_iocp how;
	glp_init_iocp(&how);
	how.msg_lev = GLP_MSG_OFF;
	how.br_tech = GLP_BR_MFV;
	how.bt_tech = GLP_BT_BLB;
	how.tm_lim = (int)(1e3 * limit_s);
	how.cb_func = on_event;
	how.cb_info = p;
	/* A solution always exists: the known schedule. If GLPK finds none, its rounding was too large, and its result
	 * is not used. */
	bool optimal = glp_intopt(p->lp, &how) == 0 && glp_mip_status(p->lp) == GLP_OPT;
	if (optimal)
		p->bound = glp_mip_obj_val(p->lp);
	return optimal;
}

static int search(void *program, struct tw_error *err)
{
	struct program *p = program;
	(void)err;
	build(p, p->least_s);
	p->optimal = solve(p, p->limit_s);
	glp_delete_prob(p->lp);
	return TW_OK;
}

int tw__bound_milp(const struct tw__bounded *in, double least_s, double limit_s, struct tw__milp *milp,
                   struct tw_error *err)
{
	*milp = (struct tw__milp){.seconds = NAN};
	int n_archs = 0;
	for (tw_arch a = 0; a < in->platform->n_archs; a++)
		n_archs += tw__has_worker(in->platform, a);
	if (in->graph->n_tasks > TW__MILP_MAX_TASKS || n_archs > TW__MILP_MAX_ARCHS || tw__has_wide(in->platform) ||
	    in->graph->around)
		return TW_OK;
	struct program *p = tw_alloc(1, sizeof *p);
	small_init(&p->small, in);
	p->least_s = least_s;
	p->limit_s = limit_s;
	p->optimal = p->small.schedule_s <= least_s * (1 + rounding);
	int status = p->optimal ? TW_OK : tw__glpk_try(search, p, err);
	if (status == TW_OK) {
		milp->optimal = p->optimal;
		milp->seconds = fmax(least_s, p->bound * p->unit * (1 - rounding));
	}
	free(p);
	return status;
}
