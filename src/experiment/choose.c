/* Selects rows of results: applies --where, and drops failed runs and duplicate rows. */
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "experiment/points.h"

enum { MOST_VALUES = 64 };

static void keep(struct tw__rows *rows, int to, int from)
{
	size_t n = (size_t)rows->n_columns;
	memmove(rows->cells + (size_t)to * n, rows->cells + (size_t)from * n, n * sizeof *rows->cells);
	rows->lines[to] = rows->lines[from];
}

/* Whether a cell has the value that the user names. Cells of columns of bytes have numbers: "2GB" is 2000000000. */
static bool is_value(const char *cell, const char *value, bool is_bytes)
{
	uint64_t a, b;
	struct tw_error ignored;
	return !strcmp(cell, value) || (is_bytes && tw__parse_bytes(&a, cell, &ignored) == TW_OK &&
	                                tw__parse_bytes(&b, value, &ignored) == TW_OK && a == b);
}

static bool has_bytes(const char *column)
{
	size_t length = strlen(column), of_end = strlen("_bytes");
	return length > of_end && !strcmp(column + length - of_end, "_bytes");
}

static int keep_where(struct tw__rows *rows, const char *name, char *const *values, int n, struct tw_error *err)
{
	int column, kept = 0, status = tw__rows_find(rows, name, "--where", &column, err);
	bool is_bytes = status == TW_OK && has_bytes(rows->names[column]);
	for (int row = 0; status == TW_OK && row < rows->n_rows; row++)
		for (int i = 0; i < n; i++)
			if (is_value(tw__rows_text(rows, row, column), values[i], is_bytes)) {
				keep(rows, kept++, row);
				break;
			}
	if (status == TW_OK)
		rows->n_rows = kept;
	return status;
}

static int drop_failed(struct tw__rows *rows)
{
	int column = tw__rows_column(rows, "status"), kept = 0, n = rows->n_rows;
	for (int row = 0; row < n; row++)
		if (column < 0 || !strcmp(tw__rows_text(rows, row, column), "ok"))
			keep(rows, kept++, row);
	rows->n_rows = kept;
	return n - kept;
}

/* Follows one option --where: "gpus=1,2" keeps the rows whose column `gpus` has the value 1 or 2. */
static int take_where(struct tw__rows *rows, const char *text, struct tw_error *err)
{
	char *copy = strdup(text), *values[MOST_VALUES];
	char *equals = copy ? strchr(copy, '=') : NULL;
	int n = 0, status = TW_OK;
	if (!copy)
		return tw_fail(err, TW_NOMEM, "--where: out of memory");
	if (!equals || equals == copy) {
		status = tw_fail(err, TW_INVALID, "--where '%.200s': expected COLUMN=VALUE[,VALUE]...", text);
	} else {
		*equals = '\0';
		char *at = equals + 1;
		for (; at && n < MOST_VALUES; n++) {
			values[n] = at;
			at = strchr(at, ',');
			if (at)
				*at++ = '\0';
		}
		status = at ? tw_fail(err, TW_INVALID, "--where '%.60s=...': expected at most %d values", copy,
		                      MOST_VALUES)
		            : keep_where(rows, copy, values, n, err);
		if (status == TW_OK && rows->n_rows == 0)
			status =
				tw_fail(err, TW_INVALID, "%s: no row is left after --where '%.200s'", rows->path, text);
	}
	free(copy);
	return status;
}

/* Keeps the first row of each group. `group`: the number of each row's group. */
static void keep_firsts(struct tw__rows *rows, const int *group)
{
	int kept = 0, next = 0; /* groups are numbered in the order of their first rows */
	for (int row = 0; row < rows->n_rows; row++)
		if (group[row] == next) {
			keep(rows, kept++, row);
			next++;
		}
	rows->n_rows = kept;
}

/* Rows with the same identity are the same run: keeps one of them, with a warning. Other rows may agree in all columns
 * that identify a run, also seed and repeat. They differ in version or in an input without a column: warns, and counts
 * them as repetitions. */
static int check_repetitions(struct tw__rows *rows, struct tw_error *err)
{
	int columns[TW__MAX_POINT_COLUMNS + 2], n_columns = tw__point_columns_of(rows, NULL, columns);
	int identity = tw__rows_column(rows, "identity"), seed = tw__rows_column(rows, "seed");
	int repeat = tw__rows_column(rows, "repeat"), n = rows->n_rows;
	int *group = calloc((size_t)n + 1, sizeof *group);
	int groups = group ? n : tw_fail(err, TW_NOMEM, "%s: out of memory", rows->path);
	for (int row = 0; row < n && identity >= 0; row++)
		if (!*tw__rows_text(rows, row, identity))
			identity = -1;
	if (groups >= 0 && identity >= 0)
		groups = tw__rows_group(rows, &identity, 1, group, err);
	if (groups >= 0 && groups < n) {
		keep_firsts(rows, group);
		tw_log(TW_LOG_WARNING, "%s: %d row%s the identity of another row: left out", rows->path, n - groups,
		       n - groups == 1 ? " has" : "s have");
	}
	if (groups >= 0 && seed >= 0 && repeat >= 0) {
		columns[n_columns++] = seed;
		columns[n_columns++] = repeat;
		groups = tw__rows_group(rows, columns, n_columns, group, err);
	}
	if (groups >= 0 && groups < rows->n_rows && seed >= 0 && repeat >= 0)
		tw_log(TW_LOG_WARNING,
		       "%s: %d row%s with another in all columns that identify a run, "
		       "also seed and repeat: counted as repetitions",
		       rows->path, rows->n_rows - groups, rows->n_rows - groups == 1 ? " agrees" : "s agree");
	free(group);
	return groups < 0 ? groups : TW_OK;
}

int tw__rows_where(struct tw__rows *rows, const char *const *where, struct tw_error *err)
{
	int status = TW_OK;
	for (; where && *where && status == TW_OK; where++)
		status = take_where(rows, *where, err);
	return status;
}

int tw__rows_choose(struct tw__rows *rows, const char *const *where, struct tw_error *err)
{
	int status = tw__rows_where(rows, where, err);
	int failed = status == TW_OK ? drop_failed(rows) : 0;
	if (failed > 0)
		tw_log(TW_LOG_WARNING, "%s: %d failed run%s left out", rows->path, failed, failed == 1 ? "" : "s");
	if (status == TW_OK && rows->n_rows == 0)
		status = tw_fail(err, TW_INVALID, "%s: no successful run: expected at least one", rows->path);
	return status < 0 ? status : check_repetitions(rows, err);
}
