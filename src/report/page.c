/* The rows of a page, and what its sections ask about them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "report/parts.h"
#include "results/columns.h"

bool tw__column_is_constant(const struct tw__rows *rows, int column)
{
	for (int row = 1; row < rows->n_rows; row++)
		if (strcmp(tw__rows_text(rows, row, column), tw__rows_text(rows, 0, column)) != 0)
			return false;
	return true;
}

bool tw__column_is_numeric(const struct tw__rows *rows, int column)
{
	bool any = false;
	struct tw_error err;
	double value;
	if (column >= 0 && !strcmp(rows->names[column], "identity"))
		return false;
	for (int row = 0; row < rows->n_rows; row++) {
		const char *text = tw__rows_text(rows, row, column);
		if (*text && tw__parse_real(&value, text, &err) < 0)
			return false;
		any = any || *text;
	}
	return any;
}

const char *tw__report_row_name(const struct tw__page *p, int row, char *text, size_t size)
{
	const struct tw__rows *rows = &p->all;
	snprintf(text, size, "row %d (%.80s, %.60s)", p->number[row],
	         tw__rows_text(rows, row, tw__rows_column(rows, "workload")),
	         tw__rows_text(rows, row, tw__rows_column(rows, "policy")));
	return text;
}

int tw__report_temporary(char path[TW__TEMPORARY_PATH], const char *ending, struct tw_error *err)
{
	const char *folder = getenv("TMPDIR");
	snprintf(path, TW__TEMPORARY_PATH, "%s/tilewright-XXXXXX%s", folder && *folder ? folder : P_tmpdir, ending);
	int fd = mkostemps(path, (int)strlen(ending), O_CLOEXEC);
	return fd >= 0 ? fd : tw_fail(err, TW_FAILED, "%s: no temporary file: %s", path, strerror(errno));
}

/* Copies the rows of successful runs to p->good, without duplicates. */
static int take_good(struct tw__page *p, struct tw_error *err)
{
	int n_good = 0;
	tw__rows_share(&p->good, &p->all);
	for (int row = 0; row < p->all.n_rows; row++) {
		tw__rows_add(&p->good, &p->all, row);
		n_good += tw__rows_is_ok(&p->all, row);
	}
	if (n_good > 0)
		return tw__rows_choose(&p->good, NULL, err);
	p->good.n_rows = 0;
	return TW_OK;
}

/* Checks all numeric columns of results once. Otherwise figures and schedules would report a wrong number in different
 * ways. */
static int check_numbers(const struct tw__rows *rows, struct tw_error *err)
{
	double value;
	int status = TW_OK;
	for (int i = 0; i < rows->n_columns; i++) {
		const struct tw__column *c = tw__column_named(rows->names[i]);
		bool numeric = c && c->type >= TW__INT && c->type <= TW__DATE && (c->known != TW__ALWAYS || c->point);
		for (int row = 0; numeric && row < rows->n_rows && status == TW_OK; row++)
			status = tw__rows_number(rows, row, i, &value, err);
	}
	return status;
}

int tw__page_open(struct tw__page *p, struct tw_error *err)
{
	struct tw__rows *rows = &p->all;
	int status = tw__rows_read(rows, p->request->results, err);
	if (status == TW_OK && rows->n_rows == 0)
		status = tw_fail(err, TW_INVALID, "%s: no rows: expected at least one", rows->path);
	if (status < 0)
		return status;
	const int n = rows->n_rows;
	int *lines = tw__arena_alloc(&p->arena, (size_t)n, sizeof *lines);
	p->number = tw__arena_alloc(&p->arena, (size_t)n, sizeof *p->number);
	memcpy(lines, rows->lines, (size_t)n * sizeof *lines);
	status = tw__rows_where(rows, p->request->where, err);
	for (int row = 0, number = 0; row < rows->n_rows && number < n; number++)
		if (lines[number] == rows->lines[row])
			p->number[row++] = number + 1;
	if (status == TW_OK)
		status = take_good(p, err);
	return status < 0 ? status : check_numbers(&p->good, err);
}

void tw__page_close(struct tw__page *p)
{
	tw__rows_finish(&p->good);
	tw__rows_finish(&p->all);
	tw__arena_finish(&p->arena);
}
