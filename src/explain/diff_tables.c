/* Differences of two runs besides time, as text and as JSON: where tasks ran, and the bytes that were transferred. */
#include <math.h>
#include <stdlib.h>

#include "base/json_text.h"
#include "explain/diff_printed.h"
#include "graph/graph.h"
#include "trace/event_fields.h"

struct cell_table tw__diff_table(const struct tw__diff_printed *p, const struct cell_column *columns)
{
	return (struct cell_table){.columns = columns, .is_json = p->is_json, .indent = "  "};
}

json_t *tw__diff_end(const struct tw__diff_printed *p, struct cell_table *t, const char *title, size_t n)
{
	if (p->is_json)
		return tw__cells_array(t);
	fputs(title, p->f);
	if (t->n)
		tw__cells_print(t, p->f);
	if (n > TW__DIFF_MOST_ROWS)
		fprintf(p->f, "  and %zu more: --format json has all\n", n - TW__DIFF_MOST_ROWS);
	return NULL;
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

static const char *worker_of(const struct tw__diff *d, int run, tw_task t)
{
	tw_worker w = d->tasks[run][t].worker;
	return w == TW_NONE ? "-" : d->runs[run]->platform->workers[w].name;
}

static const char *kernel_of(const struct tw__diff *d, tw_task t)
{
	const struct tw_graph *g = d->runs[0]->program;
	return g->kernels[g->kernel[t]].name;
}

/* Where and when the task ran in one run; null: it did not. */
static json_t *place_json(const struct tw__diff *d, int run, tw_task t)
{
	const struct tw__diff_task *task = &d->tasks[run][t];
	if (task->worker == TW_NONE)
		return json_null();
	return json_pack("{s:s, s:f, s:f, s:f, s:f, s:b}", "worker", worker_of(d, run, t), "assigned_s",
	                 tw__seconds(task->assign), "start_s", tw__seconds(task->start), "end_s",
	                 tw__seconds(task->end), "held_s", tw__seconds(task->held), "on_chain", task->on_chain);
}

json_t *tw__diff_task_json(const struct tw__diff *d, tw_task t)
{
	return t == TW_NONE ? json_null()
	                    : json_pack("{s:i, s:s, s:o, s:o}", "task", (int)t, "kernel", kernel_of(d, t), "a",
	                                place_json(d, 0, t), "b", place_json(d, 1, t));
}

static struct cell parting_cell(const struct tw__diff *d, int run, tw_task t, bool assign)
{
	const struct tw__diff_task *task = &d->tasks[run][t];
	tw__ns date = assign ? task->assign : task->start;
	return date < 0 ? cell_text("-") : cell_format("%.9f s on %s", tw__seconds(date), worker_of(d, run, t));
}

static void add_parting(struct cell_table *table, const struct tw__diff *d, const char *what, tw_task t, bool assign)
{
	if (t != TW_NONE)
		tw__cells_add(table, cell_text(what), cell_format("%d, %s", (int)t, kernel_of(d, t)),
		              parting_cell(d, 0, t, assign), parting_cell(d, 1, t, assign));
}

static void put_parting(const struct tw__diff_printed *p)
{
	static const struct cell_column columns[] = {
		{.title = ""}, {.title = "task"}, {.title = "A"}, {.title = "B"}, {0}};
	struct cell_table t = tw__diff_table(p, columns);
	add_parting(&t, p->d, "first start elsewhere or at another date", p->d->first_start, false);
	add_parting(&t, p->d, "first assignment to another worker", p->d->first_assign, true);
	if (p->d->first_start != TW_NONE)
		tw__diff_end(p, &t, "\nWhere the runs part\n", 0);
}

static json_t *moves(const struct tw__diff_printed *p, const struct tw__diff_move *moves, size_t n,
                     const struct tw__diff_names *names, const char *what)
{
	char titles[2][32];
	snprintf(titles[0], sizeof titles[0], "from %s", what);
	snprintf(titles[1], sizeof titles[1], "to %s", what);
	const struct cell_column columns[] = {{.title = "tasks"},
	                                      {.key = "from", .title = titles[0]},
	                                      {.key = "to", .title = titles[1]},
	                                      {.key = "tasks"},
	                                      {0}};
	struct cell_table t = tw__diff_table(p, columns);
	for (size_t i = 0; i < n && !tw__diff_leaves_out(p, i); i++)
		tw__cells_add(&t, cell_integer(moves[i].tasks), cell_text(names->list[moves[i].from]),
		              cell_text(names->list[moves[i].to]), cell_integer(moves[i].tasks));
	return tw__diff_end(p, &t, "", n);
}

static json_t *kind_moves(const struct tw__diff_printed *p)
{
	return moves(p, p->d->kind_moves, p->d->n_kind_moves, &p->d->kinds, "kind");
}

static json_t *worker_moves(const struct tw__diff_printed *p)
{
	return moves(p, p->d->worker_moves, p->d->n_worker_moves, &p->d->workers, "worker");
}

static void put_most(const struct tw__diff_printed *p)
{
	static const struct cell_column columns[] = {{.title = "task"},
	                                             {.title = "on in A"},
	                                             {.title = "in B"},
	                                             {.title = "A", .unit = UNIT_DURATION},
	                                             {.title = "B", .unit = UNIT_DURATION},
	                                             {.title = "B - A", .unit = UNIT_DIFFERENCE},
	                                             {.title = "on the chain of"},
	                                             {0}};
	struct cell_table t = tw__diff_table(p, columns);
	for (int i = 0; i < p->d->n_most; i++) {
		tw_task task = p->d->most[i];
		const struct tw__diff_task *a = &p->d->tasks[0][task], *b = &p->d->tasks[1][task];
		tw__cells_add(&t, cell_format("%d, %s", (int)task, kernel_of(p->d, task)),
		              cell_text(worker_of(p->d, 0, task)), cell_text(worker_of(p->d, 1, task)),
		              DIFF_SECONDS(tw__seconds(a->held), tw__seconds(b->held)),
		              cell_text(a->on_chain && b->on_chain ? "both"
		                        : a->on_chain              ? "A"
		                        : b->on_chain              ? "B"
		                                                   : "-"));
	}
	if (t.n)
		tw__diff_end(p, &t, "  Those that keep their worker longer or shorter by most:\n", 0);
}

void tw__diff_put_tasks(const struct tw__diff_printed *p)
{
	const struct tw__diff *d = p->d;
	put_parting(p);
	fprintf(p->f,
	        "\nTasks that moved\n  of %d, %d run on another worker, and %d of these on another kind of worker; "
	        "%d others start at another date\n",
	        (int)d->n_tasks, (int)d->n_other_worker, (int)d->n_other_kind, (int)d->n_other_date);
	if (d->n_appended[0] || d->n_appended[1])
		fprintf(p->f, "  not compared: tasks that reductions appended, %d in A and %d in B\n",
		        (int)d->n_appended[0], (int)d->n_appended[1]);
	if (d->n_other_worker == 0)
		return;
	kind_moves(p);
	worker_moves(p);
	put_most(p);
}

json_t *tw__diff_tasks_json(const struct tw__diff_printed *p)
{
	const struct tw__diff *d = p->d;
	json_t *most = json_array();
	for (int i = 0; i < d->n_most; i++)
		tw__json_append(most, tw__diff_task_json(d, d->most[i]));
	return json_pack("{s:i, s:i, s:i, s:i, s:[i, i], s:o, s:o, s:o}", "all", (int)d->n_tasks, "other_worker",
	                 (int)d->n_other_worker, "other_kind", (int)d->n_other_kind, "other_date", (int)d->n_other_date,
	                 "appended", (int)d->n_appended[0], (int)d->n_appended[1], "by_kind", kind_moves(p),
	                 "by_worker", worker_moves(p), "most", most);
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

#define COLUMNS_OF_BYTES                                                                                       \
	{.key = "a_bytes", .title = "A MB", .unit = UNIT_MEGABYTES},                                           \
		{.key = "b_bytes", .title = "B MB", .unit = UNIT_MEGABYTES}, {.title = "B - A", .align = 'r'}, \
		{.key = "a_transfers", .title = "A times"}, {.key = "b_transfers", .title = "B times"},        \
	{                                                                                                      \
		0                                                                                              \
	}

static double difference(const struct tw__diff_bytes *b) { return fabs((double)b->bytes[1] - (double)b->bytes[0]); }

/* Sorts pointers to rows: the greatest difference first, then the order of the rows. */
static int by_difference(const void *x, const void *y)
{
	const struct tw__diff_bytes *a = *(const struct tw__diff_bytes *const *)x;
	const struct tw__diff_bytes *b = *(const struct tw__diff_bytes *const *)y;
	if (difference(a) != difference(b))
		return difference(a) < difference(b) ? 1 : -1;
	return (a > b) - (a < b);
}

static void add_bytes(struct cell_table *t, const char *from, struct cell to, const struct tw__diff_bytes *b)
{
	tw__cells_add(t, cell_text(from), to, cell_text(tw__cause_names[b->cause]),
	              DIFF_MEGABYTES(b->bytes[0], b->bytes[1]), cell_integer(b->transfers[0]),
	              cell_integer(b->transfers[1]));
}

/* Adds the sums over all memories. */
static void add_sums(struct cell_table *t, const struct tw__diff *d)
{
	for (int cause = 0; cause < TW__N_CAUSES; cause++) {
		struct tw__diff_bytes sum = {.cause = (enum tw__cause)cause};
		for (size_t i = 0; i < d->n_bytes; i++)
			for (int run = 0; run < 2 && (int)d->bytes[i].cause == cause; run++) {
				sum.bytes[run] += d->bytes[i].bytes[run];
				sum.transfers[run] += d->bytes[i].transfers[run];
			}
		if (sum.transfers[0] || sum.transfers[1])
			add_bytes(t, "all", cell_text(""), &sum);
	}
}

/* Text has the sums, and the greatest differences first. */
json_t *tw__diff_transfers(const struct tw__diff_printed *p)
{
	static const struct cell_column columns[] = {{.key = "from", .title = "from"},
	                                             {.key = "to", .title = "to"},
	                                             {.key = "cause", .title = "cause"},
	                                             COLUMNS_OF_BYTES};
	const struct tw__diff *d = p->d;
	struct cell_table t = tw__diff_table(p, columns);
	const struct tw__diff_bytes **rows = tw_alloc(d->n_bytes, sizeof *rows);
	for (size_t i = 0; i < d->n_bytes; i++)
		rows[i] = &d->bytes[i];
	if (!p->is_json) {
		qsort(rows, d->n_bytes, sizeof *rows, by_difference);
		add_sums(&t, d);
	}
	for (size_t i = 0; i < d->n_bytes && !tw__diff_leaves_out(p, i); i++) {
		const char *to = d->memories.list[rows[i]->to];
		add_bytes(&t, d->memories.list[rows[i]->from], p->is_json ? cell_text(to) : cell_format("-> %s", to),
		          rows[i]);
	}
	free(rows);
	return tw__diff_end(p, &t, d->n_bytes ? "\nTransfers by cause\n" : "\nNo transfers.\n", d->n_bytes);
}

/* The use of a memory by one run; NULL: the run has no such memory. */
static const struct tw__memory_use *use_of(const struct tw__diff *d, int run, int memory)
{
	int number = d->memories.in[run][memory];
	return number == TW_NONE ? NULL : &d->of[run].memories[number];
}

void tw__diff_put_loads_again(const struct tw__diff_printed *p)
{
	static const struct cell_column columns[] = {{.title = "memory"}, COLUMNS_OF_BYTES};
	struct cell_table t = tw__diff_table(p, columns);
	for (int n = 0; n < p->d->memories.n; n++) {
		static const struct tw__memory_use none;
		const struct tw__memory_use *a = use_of(p->d, 0, n), *b = use_of(p->d, 1, n);
		a = a ? a : &none;
		b = b ? b : &none;
		if (a->reloads || b->reloads)
			tw__cells_add(&t, cell_text(p->d->memories.list[n]),
			              DIFF_MEGABYTES(a->reloaded_bytes, b->reloaded_bytes), cell_integer(a->reloads),
			              cell_integer(b->reloads));
	}
	if (t.n)
		tw__diff_end(p, &t, "\nLoaded again after evictions\n", 0);
}

/* Loads and evictions of one run; null: it has no such memory. */
static json_t *use_json(const struct tw__diff *d, int run, int memory)
{
	const struct tw__memory_use *m = use_of(d, run, memory);
	if (!m)
		return json_null();
	uint64_t capacity = d->runs[run]->capacity[d->memories.in[run][memory]];
	return json_pack("{s:o, s:I, s:I, s:I, s:I}", "capacity_bytes",
	                 capacity == UINT64_MAX ? json_null() : json_integer((json_int_t)capacity), "loads",
	                 (json_int_t)m->loads, "loads_again", (json_int_t)m->reloads, "bytes_again",
	                 (json_int_t)m->reloaded_bytes, "evictions", (json_int_t)m->evictions);
}

json_t *tw__diff_memories_json(const struct tw__diff *d)
{
	json_t *list = json_array();
	for (int n = 0; n < d->memories.n; n++)
		tw__json_append(list, json_pack("{s:s, s:o, s:o}", "memory", d->memories.list[n], "a",
		                                use_json(d, 0, n), "b", use_json(d, 1, n)));
	return list;
}
