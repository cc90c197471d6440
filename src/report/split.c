#include "report/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "plot/facets.h"
#include "results/columns.h"

/* Whether the figure of each part can show its lines, with panels if there are many. */
static bool fits(struct tw__split *s, const int *columns, int n_columns)
{
	int most = 0;
	for (int i = 0; i < s->n && most <= TW__MOST_LINES; i++) {
		char name[2];
		int column;
		tw__split_choose(s, i, name, sizeof name);
		tw__facets_best(&s->rows, columns, n_columns, NULL, &column, &most);
	}
	return most <= TW__MOST_LINES;
}

/* Whether rows of one policy differ in their eviction policy. */
static bool have_evictions(const struct tw__rows *rows)
{
	const int both[2] = {tw__rows_column(rows, "policy"), tw__rows_column(rows, "eviction")};
	return tw__rows_count(rows, both, 2) > tw__rows_count(rows, both, 1);
}

/* Splits each part by the values of one more column, unless that gives no more parts. */
static void split_by(struct tw__split *s, int column)
{
	s->by[s->n_by] = column;
	int n = tw__rows_group(s->all, s->by, s->n_by + 1, s->part);
	s->n_by += n > s->n;
	s->n = n;
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

void tw__split_init(struct tw__split *s, const struct tw__rows *rows, bool over_memory)
{
	static const char *const without_memory[] = {"gpu_mem_bytes", NULL};
	const char *order[TW__MAX_POINT_COLUMNS + 1];
	int n_order = order_of_splits(order), columns[TW__MAX_POINT_COLUMNS];
	int n_columns = tw__family_columns(rows, over_memory ? without_memory : NULL, columns);
	const int workers[2] = {tw__rows_column(rows, "cpus"), tw__rows_column(rows, "cpu_groups")};
	const bool only_first = tw__rows_count(rows, workers, 2) >= TW__MANY_CONFIGURATIONS;
	const bool evictions = have_evictions(rows);
	*s = (struct tw__split){.all = rows, .n = 1, .part = tw_alloc((size_t)rows->n_rows, sizeof *s->part)};
	tw__rows_share(&s->rows, rows);
	bool good = false;
	for (int i = 0; i < (only_first ? 1 : n_order) && !good; i++) {
		int column = tw__rows_column(rows, order[i]);
		if (column < 0 || (over_memory && !strcmp(order[i], "gpu_mem_bytes")) ||
		    (!evictions && !strcmp(order[i], "eviction")))
			continue;
		split_by(s, column);
		good = fits(s, columns, n_columns);
	}
}

void tw__split_finish(struct tw__split *s)
{
	free(s->part);
	tw__rows_finish(&s->rows);
}

void tw__split_choose(struct tw__split *s, int i, char *name, size_t size)
{
	size_t at = 0;
	struct tw__rows *to = &s->rows;
	to->n_rows = 0;
	*name = '\0';
	for (int row = 0; row < s->all->n_rows; row++)
		if (s->part[row] == i)
			tw__rows_add(to, s->all, row);
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
