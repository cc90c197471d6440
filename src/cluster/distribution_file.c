/* Distributions that a file of comma-separated text has: a row for each handle, each tile or each task. */
#include <stdlib.h>

#include "base/memory.h"
#include "cluster/kinds.h"
#include "perf/table.h"

/* The first columns of a row are its key: the number of a handle or of a task, or the place of a tile. */
struct row {
	int32_t key[2], node;
	int line;
	bool is_used;
};

struct rows {
	struct row *of;
	size_t n, capacity;
	int n_ranks;
};

static const char by_data[] = "data,node", by_task[] = "task,node", by_tile[] = "row,column,node";

static int add_row(struct tw__table *t, char **fields)
{
	struct rows *rows = t->context;
	const int n_keys = t->n_columns - 1;
	const char *const names[] = {t->header == by_tile ? "row" : t->header == by_data ? "data" : "task", "column"};
	struct row row = {.line = t->line};
	int64_t value = 0;
	int status = TW_OK;
	for (int i = 0; i < n_keys && status == TW_OK; i++) {
		status = tw__table_count(t, &value, names[i], fields[i], 0, INT32_MAX);
		row.key[i] = (int32_t)value;
	}
	if (status == TW_OK)
		status = tw__table_count(t, &value, "node", fields[n_keys], 0, rows->n_ranks - 1);
	row.node = (int32_t)value;
	TW_RESERVE(rows->of, rows->capacity, rows->n + 1);
	rows->of[rows->n++] = row;
	return status;
}

static int compare_keys(const void *one, const void *other)
{
	const struct row *a = one, *b = other;
	const int i = a->key[0] == b->key[0];
	return (a->key[i] > b->key[i]) - (a->key[i] < b->key[i]);
}

static int compare(const void *one, const void *other)
{
	const int order = compare_keys(one, other);
	return order ? order : ((const struct row *)one)->line - ((const struct row *)other)->line;
}

/* Sets the node of a handle or task. */
static int take(int32_t *node, struct rows *rows, const struct tw__table *t, struct row wanted, struct tw_error *err)
{
	struct row *row = rows->n ? bsearch(&wanted, rows->of, rows->n, sizeof *rows->of, compare_keys) : NULL;
	if (row) {
		row->is_used = true;
		*node = row->node;
		return TW_OK;
	}
	if (t->header == by_tile)
		return tw_fail(err, TW_INVALID, "%s: no row for tile (%d, %d): expected one for each of the workload",
		               t->path, (int)wanted.key[0], (int)wanted.key[1]);
	return tw_fail(err, TW_INVALID, "%s: no row for %.4s %d: expected one for each of the workload", t->path,
	               t->header, (int)wanted.key[0]);
}

static int take_all(struct tw__distribution *d, const struct tw_graph *g, struct rows *rows, const struct tw__table *t,
                    struct tw_error *err)
{
	int status = TW_OK;
	if (t->header == by_task) {
		d->rank = tw_alloc((size_t)g->n_tasks, sizeof *d->rank);
		for (tw_task task = 0; task < g->n_tasks && status == TW_OK; task++)
			status = take(&d->rank[task], rows, t, (struct row){.key = {task}}, err);
		return status;
	}
	d->owner = tw_alloc((size_t)g->n_data, sizeof *d->owner);
	for (tw_data h = 0; h < g->n_data && status == TW_OK; h++) {
		struct row wanted = {.key = {h}};
		if (t->header == by_tile) {
			status = tw__check_tile(g, h, "file", err);
			if (status < 0)
				return status;
			wanted = (struct row){.key = {g->tiles[h].row, g->tiles[h].column}};
		}
		status = take(&d->owner[h], rows, t, wanted, err);
	}
	return status;
}

/* Checks sorted rows: none may be there twice, or for something that the workload lacks. */
static int check(const struct rows *rows, bool are_used, struct tw__table *t)
{
	for (size_t i = 0; i < rows->n; i++) {
		t->line = rows->of[i].line;
		if (i > 0 && compare_keys(&rows->of[i - 1], &rows->of[i]) == 0)
			return tw__table_fail(t, "the same as in line %d, expected one row for each",
			                      rows->of[i - 1].line);
		if (are_used && !rows->of[i].is_used)
			return tw__table_fail(t, "the workload has no such %s",
			                      t->header == by_data   ? "data"
			                      : t->header == by_task ? "task"
			                                             : "tile");
	}
	return TW_OK;
}

static int fill(struct tw__distribution *d, const struct tw_graph *g, const struct tw_args *args, int n_ranks,
                struct tw_error *err)
{
	static const char *const others[] = {by_task, by_tile, NULL};
	struct rows rows = {.n_ranks = n_ranks};
	struct tw__table table = {.path = tw_args_text(args, "path"),
	                          .content = "a distribution",
	                          .header = by_data,
	                          .others = others,
	                          .add = add_row,
	                          .context = &rows,
	                          .err = err};
	int status = tw__table_read(&table);
	if (status == TW_OK && rows.n)
		qsort(rows.of, rows.n, sizeof *rows.of, compare);
	if (status == TW_OK)
		status = check(&rows, false, &table);
	if (status == TW_OK)
		status = take_all(d, g, &rows, &table, err);
	if (status == TW_OK)
		status = check(&rows, true, &table);
	free(rows.of);
	return status;
}

static const struct tw_param params[] = {
	{"path", TW_PARAM_TEXT, NULL, 0, 0, NULL, "file with the nodes"},
	{0},
};

const struct tw__distribution_kind tw__distribution_file = {.name = "file", .params = params, .fill = fill};
