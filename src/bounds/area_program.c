/* Programs of the area bound, with the types of tasks that they count. GLPK solves them; it ends the process on errors
 * unless it is kept from that. */
#include "bounds/area_program.h"

#include <glpk.h>
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "base/door.h"
#include "base/wall.h"

/* --- types of tasks ----------------------------------------------------------------------------------------------- */

static void count_workers(struct tw__types *y, const struct tw__platform *p)
{
	for (tw_arch a = 0; a < p->n_archs; a++) {
		int n = 0;
		for (tw_worker w = 0; w < p->n_workers; w++)
			n += p->workers[w].arch == a;
		if (n == 0)
			continue;
		y->arch[y->n_resources] = a;
		y->workers[y->n_resources++] = n;
	}
}

/* Counts a task of the type, and adds its seconds on each arch to `mean`. If all tasks of the kernel take equal times
 * on an arch, `least` is that time. The sum is rounded as if tasks were added one by one. */
static void count_task(struct tw__types *y, const struct tw__bounded *in, tw_task t, int type)
{
	y->tasks[type]++;
	for (int r = 0; r < y->n_resources; r++) {
		int i = type * y->n_resources + r;
		if (y->tasks[type] > 1 && tw__times_are_equal(in->times, y->kernel[type], y->arch[r])) {
			y->mean[i] += y->least[i];
			continue;
		}
		double seconds = tw__task_core_seconds(in->times, in->platform, in->graph, t, y->arch[r]);
		if (isnan(seconds))
			seconds = INFINITY;
		y->mean[i] += seconds;
		y->least[i] = y->tasks[type] == 1 ? seconds : fmin(y->least[i], seconds);
	}
}

static void find_types(struct tw__area_program *p, const struct tw__bounded *in)
{
	struct tw__types *y = &p->types;
	const struct tw_graph *g = in->graph;
	struct tw__arena *arena = &p->arena;
	tw__classes_init(&y->classes, in->times, in->platform, g);
	const size_t types = (size_t)y->classes.n, resources = (size_t)in->platform->n_archs;
	y->of_class = tw__arena_alloc(arena, types, sizeof *y->of_class);
	y->kernel = tw__arena_alloc(arena, types, sizeof *y->kernel);
	y->arch = tw__arena_alloc(arena, resources, sizeof *y->arch);
	y->tasks = tw__arena_alloc(arena, types, sizeof *y->tasks);
	y->workers = tw__arena_alloc(arena, resources, sizeof *y->workers);
	y->mean = tw__arena_alloc(arena, types * resources, sizeof *y->mean);
	y->least = tw__arena_alloc(arena, types * resources, sizeof *y->least);
	count_workers(y, in->platform);
	for (int c = 0; c < y->classes.n; c++)
		y->of_class[c] = TW_NONE;
	for (tw_task t = 0; t < g->n_tasks; t++) {
		if (g->kernels[g->kernel[t]].is_message) /* no worker runs it */
			continue;
		int *type = &y->of_class[tw__class_of(&y->classes, g, t)];
		if (*type == TW_NONE) {
			*type = y->n_types;
			y->kernel[y->n_types++] = g->kernel[t];
		}
		count_task(y, in, t, *type);
	}
	for (int i = 0; i < y->n_types * y->n_resources; i++)
		y->mean[i] /= y->tasks[i / y->n_resources];
}

/* --- the program -------------------------------------------------------------------------------------------------- */

static void add_columns(struct tw__area_program *p)
{
	const struct tw__types *y = &p->types;
	for (int k = 0; k < y->n_types; k++)
		for (int r = 0; r < y->n_resources; r++) {
			double seconds = p->seconds[k * y->n_resources + r];
			if (isinf(seconds))
				continue;
			int column = glp_add_cols(p->lp, 1);
			int rows[] = {0, 1 + r, 1 + y->n_resources + k};
			double values[] = {0, seconds / p->unit, 1};
			glp_set_col_bnds(p->lp, column, GLP_LO, 0, 0);
			glp_set_mat_col(p->lp, column, 2, rows, values);
			p->column[k * y->n_resources + r] = column;
		}
}

void tw__area_program_init(struct tw__area_program *p, const double *seconds)
{
	const struct tw__types *y = &p->types;
	p->seconds = seconds;
	p->column = tw__arena_alloc(&p->arena, (size_t)(y->n_types * y->n_resources), sizeof *p->column);
	for (int i = 0; i < y->n_types * y->n_resources; i++)
		if (!isinf(seconds[i]))
			p->unit = fmax(p->unit, seconds[i]);
	if (p->unit == 0)
		p->unit = 1;
	glp_term_out(GLP_OFF);
	p->lp = glp_create_prob();
	glp_set_obj_dir(p->lp, GLP_MIN);
	glp_add_rows(p->lp, y->n_resources + y->n_types);
	glp_add_cols(p->lp, 1);
	glp_set_obj_coef(p->lp, 1, 1);
	glp_set_col_bnds(p->lp, 1, GLP_LO, 0, 0);
	for (int r = 0; r < y->n_resources; r++) {
		int columns[] = {0, 1};
		double values[] = {0, -y->workers[r]};
		glp_set_row_bnds(p->lp, 1 + r, GLP_UP, 0, 0);
		glp_set_mat_row(p->lp, 1 + r, 1, columns, values);
	}
	for (int k = 0; k < y->n_types; k++)
		glp_set_row_bnds(p->lp, 1 + y->n_resources + k, GLP_FX, y->tasks[k], y->tasks[k]);
	add_columns(p);
	glp_adv_basis(p->lp, 0); /* with thousands of kernels, GLPK is five times as fast as from the standard basis */
}

int tw__area_program_try(struct tw__area_program *p, const struct tw__bounded *in,
                         int (*work)(void *arg, struct tw_error *err), void *arg, struct tw_error *err)
{
	find_types(p, in);
	int made = glp_init_env(); /* before tw__glpk_try, so that the program outlives its memory */
	int status = made > 1 ? TW_NOMEM : tw__glpk_try(work, arg, err);
	if (made > 1)
		tw_fail(err, status, "bounds: out of memory for GLPK");
	if (p->lp && status != TW_NOMEM) /* TW_NOMEM: GLPK's memory is gone, or there is no program */
		glp_delete_prob(p->lp);
	if (made == 0)
		glp_free_env();
	tw__classes_finish(&p->types.classes);
	tw__arena_finish(&p->arena);
	return status;
}

/* Runs GLPK's simplex with a limit of steps. GLPK's dual simplex can cycle where several bases have the same value, as
 * for graphs with identical tasks and workers. Returns 0 if the simplex has ended. */
static int simplex(const struct tw__area_program *p, int method)
{
	glp_prob *lp = p->lp;
	glp_smcp how;
	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_OFF;
	how.meth = method;
	how.it_lim = 1000 + 3 * (glp_get_num_rows(lp) + glp_get_num_cols(lp));
	if (p->end_s > 0)
		how.tm_lim = (int)fmin(INT_MAX, fmax(0, 1e3 * (p->end_s - tw__wall_s())));
	return glp_simplex(lp, &how);
}

int tw__area_program_solve(struct tw__area_program *p, double *seconds, struct tw_error *err)
{
	int failed = simplex(p, GLP_DUALP);
	if (failed && failed != GLP_ETMLIM) {
		glp_adv_basis(p->lp, 0);
		failed = simplex(p, GLP_PRIMAL);
	}
	p->timed_out = failed == GLP_ETMLIM;
	if (failed || glp_get_status(p->lp) != GLP_OPT)
		return tw_fail(
			err, TW_FAILED,
			"bounds: GLPK finds no solution of a program with %d rows (glp_simplex returns %d, status %d)",
			glp_get_num_rows(p->lp), failed, glp_get_status(p->lp));
	*seconds = p->unit * glp_get_obj_val(p->lp);
	return TW_OK;
}

/* --- errors of GLPK ----------------------------------------------------------------------------------------------- */

struct attempt {
	jmp_buf back;
	char text[200]; /* the first line that GLPK prints about its error */
};

/* Keeps what GLPK would print. */
static int keep_text(void *attempt, const char *text)
{
	struct attempt *a = attempt;
	if (!*a->text)
		snprintf(a->text, sizeof a->text, "%.*s", (int)strcspn(text, "\n"), text);
	return 1; /* GLPK prints nothing */
}

static void go_back(void *attempt) { longjmp(((struct attempt *)attempt)->back, 1); }

/* A function of its own, as local variables of the function that calls setjmp lose their values. */
static int attempt_work(struct attempt *a, int (*work)(void *arg, struct tw_error *err), void *arg,
                        struct tw_error *err)
{
	struct tw__door door;
	if (TW__MEMORY_RUNS_OUT(&door)) {
		glp_free_env();
		return tw__out_of_memory(err);
	}
	if (setjmp(a->back)) {
		tw__door_close(&door);
		glp_free_env();
		return tw_fail(err, TW_NOMEM, "bounds: GLPK: %s", a->text);
	}
	glp_term_hook(keep_text, a);
	glp_error_hook(go_back, a);
	int status = work(arg, err);
	glp_error_hook(NULL, NULL);
	glp_term_hook(NULL, NULL);
	tw__door_close(&door);
	return status;
}

int tw__glpk_try(int (*work)(void *arg, struct tw_error *err), void *arg, struct tw_error *err)
{
	struct attempt a = {.text = ""};
	int made = glp_init_env(); /* each thread has a memory of GLPK's. 0: it is made, 1: it was there before */
	if (made > 1)
		return tw_fail(err, TW_NOMEM, "bounds: out of memory for GLPK");
	int status = attempt_work(&a, work, arg, err);
	if (made == 0)
		glp_free_env(); /* the end of the thread would not */
	return status;
}
