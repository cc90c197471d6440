#include "report/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "plot/facets.h"
#include "results/columns.h"

static int no_memory(struct tw_error *err) { return tw_fail(err, TW_NOMEM, "report: out of memory"); }

/* Whether the figure of each part can show its lines, with panels if there are many: 1 or 0; TW_NOMEM. */
static int fits(struct tw__split *s, const struct tw__families *f, const int *columns, int n_columns,
                struct tw_error *err)
{
	for (int i = 0; i < s->n; i++) {
		char name[2];
		int column, most;
		tw__split_choose(s, f, i, name, sizeof name);
		int n_lines = tw__facets_best(&s->rows, columns, n_columns, NULL, &column, &most, err);
		if (n_lines < 0 || most > TW__MOST_LINES)
			return n_lines < 0 ? n_lines : 0;
	}
	return 1;
}

/* Whether rows of one policy differ in their eviction policy: 1 or 0; TW_NOMEM. */
static int have_evictions(const struct tw__rows *rows, struct tw_error *err)
{
	const int both[2] = {tw__rows_column(rows, "policy"), tw__rows_column(rows, "eviction")};
	int policies = tw__rows_count(rows, both, 1, err), pairs = tw__rows_count(rows, both, 2, err);
	return policies < 0 ? policies : pairs < 0 ? pairs : pairs > policies;
}

/* Splits each part by the values of one more column, unless that gives no more parts. */
static int split_by(struct tw__split *s, const struct tw__rows *rows, int column, struct tw_error *err)
{
	s->by[s->n_by] = column;
	int n = tw__rows_group(rows, s->by, s->n_by + 1, s->part, err);
	s->n_by += n > s->n;
	s->n = n < 0 ? s->n : n;
	return n < 0 ? n : TW_OK;
}

/* Lists the columns to split by: workers first, and last those that figures can show themselves. */
static int order_of_splits(const char **order)
{
	static const char *const first[] = {"platform", "(family)", "gpus", "cpus", "cpu_groups", NULL};
	static const char *const last[] = {"eviction", "gpu_mem_bytes", NULL}, *const never[] = {"workload", "policy",
	                                                                                         NULL};
	const struct tw__column *c;
	int n = 0;
	for (int i = 0; first[i]; i++)
		order[n++] = first[i];
	for (int place = 1; (c = tw__point_column(place)); place++)
		if (!tw__is_named(c->key, first) && !tw__is_named(c->key, last) && !tw__is_named(c->key, never))
			order[n++] = c->key;
	for (int i = 0; last[i]; i++)
		order[n++] = last[i];
	return n;
}

int tw__split_init(struct tw__split *s, const struct tw__families *f, bool over_memory, struct tw_error *err)
{
	const char *order[TW__MAX_POINT_COLUMNS + 1];
	int n_order = order_of_splits(order);
	static const char *const without_memory[] = {"gpu_mem_bytes", NULL};
	const struct tw__rows *rows = &f->rows;
	int columns[TW__MAX_POINT_COLUMNS],
		n_columns = tw__family_columns(f, over_memory ? without_memory : NULL, columns);
	int workers[2] = {tw__rows_column(rows, "cpus"), tw__rows_column(rows, "cpu_groups")};
	*s = (struct tw__split){.n = 1, .part = calloc((size_t)rows->n_rows + 1, sizeof *s->part)};
	int good = 0, status = tw__rows_share(&s->rows, rows, err);
	status = status == TW_OK && !s->part ? no_memory(err) : status;
	int configurations = status < 0 ? status : tw__rows_count(rows, workers, 2, err);
	int evictions = configurations < 0 ? configurations : have_evictions(rows, err);
	status = evictions < 0 ? evictions : TW_OK;
	for (int i = 0; i < n_order && status == TW_OK && good == 0; i++) {
		int column = tw__rows_column(rows, order[i]);
		if (column < 0 || (i > 0 && configurations >= TW__MANY_CONFIGURATIONS) ||
		    (over_memory && !strcmp(order[i], "gpu_mem_bytes")) ||
		    (!evictions && !strcmp(order[i], "eviction")))
			continue;
		status = split_by(s, rows, column, err);
		good = status < 0 ? 0 : fits(s, f, columns, n_columns, err);
		status = good < 0 ? good : status;
	}
	return status;
}

void tw__split_finish(struct tw__split *s)
{
	free(s->part);
	tw__rows_unshare(&s->rows);
}

void tw__split_choose(struct tw__split *s, const struct tw__families *f, int i, char *name, size_t size)
{
	const struct tw__rows *from = &f->rows;
	size_t at = 0;
	struct tw__rows *to = &s->rows;
	to->n_rows = 0;
	*name = '\0';
	for (int row = 0; row < from->n_rows; row++)
		if (s->part[row] == i)
			tw__rows_add(to, from, row);
	for (int k = 0; k < s->n_by && at < size; k++) {
		char text[TW__CHART_LABEL];
		tw__column_text(text, sizeof text, to->names[s->by[k]], tw__rows_text(to, 0, s->by[k]));
		at += (size_t)snprintf(name + at, size - at, "%s %s", at ? "," : ":", text);
	}
}

int tw__largest_first(struct tw__rows *rows)
{
	size_t n_columns = (size_t)rows->n_columns;
	int workload = tw__rows_column(rows, "workload"), tasks = tw__rows_column(rows, "tasks"), n = 0;
	const char *most = NULL;
	double most_tasks = -1, n_tasks;
	struct tw_error err;
	for (int row = 0; row < rows->n_rows; row++)
		if (tw__rows_number(rows, row, tasks, &n_tasks, &err) == TW_OK && n_tasks > most_tasks) {
			most_tasks = n_tasks;
			most = tw__rows_text(rows, row, workload);
		}
	for (int row = 0; most && row < rows->n_rows; row++)
		if (!strcmp(tw__rows_text(rows, row, workload), most)) {
			for (size_t c = 0; c < n_columns && row > n; c++) {
				char **a = &rows->cells[(size_t)row * n_columns + c];
				char **b = &rows->cells[(size_t)n * n_columns + c], *cell = *a;
				*a = *b;
				*b = cell;
			}
			int line = rows->lines[row];
			rows->lines[row] = rows->lines[n];
			rows->lines[n++] = line;
		}
	return n;
}
