/* Where two runs part, and which tasks moved, as text. */
#include "cli/diff_cells.h"
#include "graph/graph.h"

static const char *worker_of(const struct tw__diff *d, int run, tw_task t)
{
	tw_worker w = d->tasks[run][t].worker;
	return w == TW_NONE ? "-" : d->runs[run]->platform->workers[w].name;
}

static const char *kernel_of(const struct tw__diff *d, tw_task t)
{
	const struct tw_graph *g = d->runs[0]->graph;
	return g->kernels[g->kernel[t]].name;
}

static void add_parting(struct grid *g, const struct tw__diff *d, const char *what, tw_task t, bool assign)
{
	if (t == TW_NONE)
		return;
	grid_add(g, "%s", what);
	grid_add(g, "%d, %s", (int)t, kernel_of(d, t));
	for (int run = 0; run < 2; run++) {
		const struct tw__diff_task *task = &d->tasks[run][t];
		tw__ns date = assign ? task->assign : task->start;
		if (date < 0)
			grid_add(g, "-");
		else
			grid_add(g, "%.9f s on %s", tw__seconds(date), worker_of(d, run, t));
	}
}

static int put_parting(FILE *f, const struct tw__diff *d, struct tw_error *err)
{
	struct grid g = {.columns = 4};
	if (d->first_start == TW_NONE)
		return TW_OK;
	fputs("\nWhere the runs part\n", f);
	diff_titles(&g, (const char *const[]){"", "task", "A", "B"});
	add_parting(&g, d, "first start elsewhere or at another date", d->first_start, false);
	add_parting(&g, d, "first assignment to another worker", d->first_assign, true);
	return grid_print(&g, f, "  ", err);
}

static int put_moves(FILE *f, const struct tw__diff_move *moves, size_t n, const struct tw__diff_names *names,
                     const char *from, const char *to, struct tw_error *err)
{
	struct grid g = {.columns = 3, .right = "rll"};
	diff_titles(&g, (const char *const[]){"tasks", from, to});
	for (size_t i = 0; i < n && i < DIFF_MOST_ROWS; i++) {
		grid_add(&g, "%lld", (long long)moves[i].tasks);
		grid_add(&g, "%s", names->list[moves[i].from]);
		grid_add(&g, "%s", names->list[moves[i].to]);
	}
	int status = grid_print(&g, f, "  ", err);
	if (n > DIFF_MOST_ROWS)
		fprintf(f, "  and %zu more: --format json has all\n", n - DIFF_MOST_ROWS);
	return status;
}

static int put_most(FILE *f, const struct tw__diff *d, struct tw_error *err)
{
	struct grid g = {.columns = 7, .right = "lllrrrl"};
	if (d->n_most == 0)
		return TW_OK;
	fputs("  Those that keep their worker longer or shorter by most:\n", f);
	diff_titles(&g, (const char *const[]){"task", "on in A", "in B", "A", "B", "B - A", "on the chain of"});
	for (int i = 0; i < d->n_most; i++) {
		const struct tw__diff_task *a = &d->tasks[0][d->most[i]], *b = &d->tasks[1][d->most[i]];
		grid_add(&g, "%d, %s", (int)d->most[i], kernel_of(d, d->most[i]));
		grid_add(&g, "%s", worker_of(d, 0, d->most[i]));
		grid_add(&g, "%s", worker_of(d, 1, d->most[i]));
		diff_seconds(&g, tw__seconds(a->held), tw__seconds(b->held));
		grid_add(&g, "%s", a->on_chain && b->on_chain ? "both" : a->on_chain ? "A" : b->on_chain ? "B" : "-");
	}
	return grid_print(&g, f, "  ", err);
}

int print_diff_tasks(FILE *f, const struct tw__diff *d, struct tw_error *err)
{
	int status = put_parting(f, d, err);
	fprintf(f,
	        "\nTasks that moved\n  of %d, %d run on another worker, and %d of these on another kind of worker; "
	        "%d others start at another date\n",
	        (int)d->n_tasks, (int)d->n_other_worker, (int)d->n_other_kind, (int)d->n_other_date);
	if (d->n_appended[0] || d->n_appended[1])
		fprintf(f, "  not compared: tasks that reductions appended, %d in A and %d in B\n",
		        (int)d->n_appended[0], (int)d->n_appended[1]);
	if (status < 0 || d->n_other_worker == 0)
		return status;
	status = put_moves(f, d->kind_moves, d->n_kind_moves, &d->kinds, "from kind", "to kind", err);
	if (status == TW_OK)
		status = put_moves(f, d->worker_moves, d->n_worker_moves, &d->workers, "from worker", "to worker", err);
	return status == TW_OK ? put_most(f, d, err) : status;
}
