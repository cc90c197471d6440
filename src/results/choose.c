/* Selects rows of results: drops failed runs and duplicate rows. */
#include <stdlib.h>
#include <string.h>

#include "results/points.h"

static int drop_failed(struct tw__rows *rows)
{
	int n = rows->n_rows;
	rows->n_rows = 0;
	for (int row = 0; row < n; row++)
		if (tw__rows_is_ok(rows, row))
			tw__rows_add(rows, rows, row);
	return n - rows->n_rows;
}

/* Keeps the first row of each group. `group`: the number of each row's group. */
static void keep_firsts(struct tw__rows *rows, const int *group)
{
	int n = rows->n_rows;
	rows->n_rows = 0;
	for (int row = 0; row < n; row++)
		if (group[row] == rows->n_rows) /* groups are numbered in the order of their first rows */
			tw__rows_add(rows, rows, row);
}

/* Rows with the same identity are the same run: keeps one of them, with a warning. Other rows may agree in all columns
 * that identify a run, also seed and repeat. They differ in version or in an input without a column: warns, and counts
 * them as repetitions. */
static void check_repetitions(struct tw__rows *rows)
{
	int columns[TW__MAX_POINT_COLUMNS + 2], n_columns = tw__point_columns_of(rows, NULL, columns);
	int identity = tw__rows_column(rows, "identity"), seed = tw__rows_column(rows, "seed");
	int repeat = tw__rows_column(rows, "repeat"), n = rows->n_rows, groups = n;
	int *group = tw_alloc((size_t)n, sizeof *group);
	for (int row = 0; row < n && identity >= 0; row++)
		if (!*tw__rows_text(rows, row, identity))
			identity = -1;
	if (identity >= 0)
		groups = tw__rows_group(rows, &identity, 1, group);
	if (groups < n) {
		keep_firsts(rows, group);
		tw_log(TW_LOG_WARNING, "%s: %d row%s the identity of another row: left out", rows->path, n - groups,
		       n - groups == 1 ? " has" : "s have");
	}
	if (seed >= 0 && repeat >= 0) {
		columns[n_columns++] = seed;
		columns[n_columns++] = repeat;
		groups = tw__rows_group(rows, columns, n_columns, group);
	}
	if (groups < rows->n_rows && seed >= 0 && repeat >= 0)
		tw_log(TW_LOG_WARNING,
		       "%s: %d row%s with another in all columns that identify a run, "
		       "also seed and repeat: counted as repetitions",
		       rows->path, rows->n_rows - groups, rows->n_rows - groups == 1 ? " agrees" : "s agree");
	free(group);
}

int tw__rows_choose(struct tw__rows *rows, const char *const *where, struct tw_error *err)
{
	int status = tw__rows_where(rows, where, err);
	int failed = status == TW_OK ? drop_failed(rows) : 0;
	if (failed > 0)
		tw_log(TW_LOG_WARNING, "%s: %d failed run%s left out", rows->path, failed, failed == 1 ? "" : "s");
	if (status == TW_OK && rows->n_rows == 0)
		status = tw_fail(err, TW_INVALID, "%s: no successful run: expected at least one", rows->path);
	if (status == TW_OK)
		check_repetitions(rows);
	return status;
}
