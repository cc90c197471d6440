/* Which rows of results take part. */
#include <stdlib.h>
#include <string.h>

#include "experiment/rows.h"

static void keep(struct tw__rows *rows, int to, int from)
{
	size_t n = (size_t)rows->n_columns;
	memmove(rows->cells + (size_t)to * n, rows->cells + (size_t)from * n, n * sizeof *rows->cells);
	rows->lines[to] = rows->lines[from];
}

static int keep_where(struct tw__rows *rows, const char *name, char *const *values, int n, struct tw_error *err)
{
	int column, kept = 0, status = tw__rows_need(rows, name, "--where", &column, err);
	for (int row = 0; status == TW_OK && row < rows->n_rows; row++)
		for (int i = 0; i < n; i++)
			if (!strcmp(tw__rows_text(rows, row, column), values[i])) {
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

/* "gpus=1,2" */
static int take_where(struct tw__rows *rows, const char *text, struct tw_error *err)
{
	char *copy = strdup(text), *values[64];
	char *equals = copy ? strchr(copy, '=') : NULL;
	int n = 0, status = TW_OK;
	if (!copy)
		return tw_fail(err, TW_NOMEM, "--where: out of memory");
	if (!equals || equals == copy) {
		status = tw_fail(err, TW_INVALID, "--where '%.200s': expected COLUMN=VALUE[,VALUE]...", text);
	} else {
		*equals = '\0';
		for (char *at = equals + 1; at && n < 64; n++) {
			values[n] = at;
			at = strchr(at, ',');
			if (at)
				*at++ = '\0';
		}
		status = keep_where(rows, copy, values, n, err);
		if (status == TW_OK && rows->n_rows == 0)
			status =
				tw_fail(err, TW_INVALID, "%s: no row is left after --where '%.200s'", rows->path, text);
	}
	free(copy);
	return status;
}

int tw__rows_choose(struct tw__rows *rows, const char *const *where, struct tw_error *err)
{
	int status = TW_OK;
	for (; where && *where && status == TW_OK; where++)
		status = take_where(rows, *where, err);
	int failed = status == TW_OK ? drop_failed(rows) : 0;
	if (failed > 0)
		tw_log(TW_LOG_WARNING, "%s: %d failed run%s left out", rows->path, failed, failed == 1 ? "" : "s");
	if (status == TW_OK && rows->n_rows == 0)
		status = tw_fail(err, TW_INVALID, "%s: no run that ended well: expected one at least", rows->path);
	return status;
}
