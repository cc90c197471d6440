#include "results/adapt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/spec.h"
#include "experiment/load.h"

/* Makes `rows` the owner of `text`, which is malloc'ed: tw__rows_finish frees it. Returns the text. */
static char *own(struct tw__rows *rows, char *text)
{
	TW_RESERVE(rows->made, rows->made_room, rows->n_made + 1);
	return rows->made[rows->n_made++] = text;
}

static void set(struct tw__rows *rows, int row, int column, char *text)
{
	rows->cells[(size_t)row * (size_t)rows->n_columns + (size_t)column] = text;
}

/* Returns the index of the column `name`. If the rows lack that column, adds it with "" in all cells. */
static int have_column(struct tw__rows *rows, const char *name)
{
	int column = tw__rows_column(rows, name);
	if (column >= 0)
		return column;
	char *nothing = own(rows, tw_copy_text(""));
	size_t old = (size_t)rows->n_columns, n = old + 1;
	char **cells = tw_alloc((size_t)rows->n_rows * n, sizeof *cells);
	for (size_t row = 0; row < (size_t)rows->n_rows; row++) {
		memcpy(cells + row * n, rows->cells + row * old, old * sizeof *cells);
		cells[row * n + old] = nothing;
	}
	free(rows->cells);
	rows->cells = cells;
	rows->names = tw_resize(rows->names, n, sizeof *rows->names);
	rows->names[old] = own(rows, tw_copy_text(name));
	rows->n_columns++;
	return (int)old;
}

/* Writes `template` to the file, with that column's cell of the row in place of each `{column}`. On TW_INVALID,
 * `missing` is the name of an unknown column, or "" if a brace is not closed. */
static int expand(FILE *f, const struct tw__rows *rows, int row, const char *template, char *missing, size_t size)
{
	for (const char *c = template; *c; c++) {
		if (*c != '{') {
			putc(*c, f);
			continue;
		}
		size_t length = strcspn(++c, "}");
		snprintf(missing, size, "%.*s", (int)length, c);
		int column = tw__rows_column(rows, missing);
		if (!c[length])
			snprintf(missing, size, "%s", "");
		if (!c[length] || column < 0)
			return TW_INVALID;
		fputs(tw__rows_text(rows, row, column), f);
		c += length;
	}
	return TW_OK;
}

/* Follows one option --column: "workload=matmul2d:nt={tiles}" sets the column `workload` from the column `tiles`. */
static int make_column(struct tw__rows *rows, const char *text, struct tw_error *err)
{
	char name[80], missing[80];
	size_t length = strcspn(text, "=");
	if (!text[length] || length == 0 || length >= sizeof name)
		return tw_fail(err, TW_INVALID, "--column '%.200s': expected NAME=TEXT, as in policy={scheduler}",
		               text);
	snprintf(name, sizeof name, "%.*s", (int)length, text);
	/* Make the new cells of all rows before setting any cell: the template may read the column that it replaces. */
	size_t first = rows->n_made;
	for (int row = 0; row < rows->n_rows; row++) {
		char *cell;
		size_t size;
		FILE *f = tw__text_open(&cell, &size);
		int status = expand(f, rows, row, text + length + 1, missing, sizeof missing);
		tw__text_close(f);
		own(rows, cell);
		if (status < 0 && !*missing)
			return tw_fail(err, status, "--column '%.200s': expected a column of %s between '{' and '}'",
			               text, rows->path);
		if (status < 0)
			return tw_fail(err, status, "--column '%.200s': '{%.60s}': expected a column of %s", text,
			               missing, rows->path);
	}
	int column = have_column(rows, name);
	/* The new cells begin at made[first]. Behind them, have_column may have added the name of a new column. */
	for (int row = 0; row < rows->n_rows; row++)
		set(rows, row, column, rows->made[first + (size_t)row]);
	return TW_OK;
}

/* Follows one option --value: "policy:heft=dmda" replaces the value `heft` in the column `policy` by `dmda`. */
static int change_value(struct tw__rows *rows, const char *text, struct tw_error *err)
{
	char name[80];
	size_t length = strcspn(text, ":");
	const char *from = text + length + 1, *to = text[length] ? strrchr(from, '=') : NULL;
	if (!to || length == 0 || length >= sizeof name)
		return tw_fail(err, TW_INVALID, "--value '%.200s': expected COLUMN:THEIRS=OURS, as in policy:heft=dmda",
		               text);
	snprintf(name, sizeof name, "%.*s", (int)length, text);
	int column, n = 0, status = tw__rows_need(rows, name, "--value", &column, err);
	if (status < 0)
		return status;
	char *ours = own(rows, tw_copy_text(to + 1));
	for (int row = 0; row < rows->n_rows; row++) {
		const char *cell = tw__rows_text(rows, row, column);
		if (strlen(cell) != (size_t)(to - from) || memcmp(cell, from, (size_t)(to - from)) != 0)
			continue;
		set(rows, row, column, ours);
		n++;
	}
	return n ? TW_OK
	         : tw_fail(err, TW_INVALID, "--value '%.200s': expected a value that column '%s' of %s has", text, name,
	                   rows->path);
}

/* Follows one option --scale: "makespan_s=0.001" multiplies the numbers in the column `makespan_s` by 0.001. */
static int scale(struct tw__rows *rows, const char *text, struct tw_error *err)
{
	char name[80];
	double factor, value;
	struct tw_error ignored;
	size_t length = strcspn(text, "=");
	if (!text[length] || length == 0 || length >= sizeof name ||
	    tw__parse_real(&factor, text + length + 1, &ignored) < 0 || factor <= 0)
		return tw_fail(err, TW_INVALID,
		               "--scale '%.200s': expected COLUMN=NUMBER, above 0, as in makespan_s=0.001", text);
	snprintf(name, sizeof name, "%.*s", (int)length, text);
	int column, status = tw__rows_need(rows, name, "--scale", &column, err);
	for (int row = 0; row < rows->n_rows && status == TW_OK; row++) {
		status = tw__rows_number(rows, row, column, &value, err);
		if (status == TW_OK && !isnan(value))
			set(rows, row, column, own(rows, tw_format("%.17g", value * factor)));
	}
	return status;
}

static int follow(struct tw__rows *rows, const char *const *list,
                  int (*step)(struct tw__rows *, const char *, struct tw_error *), struct tw_error *err)
{
	int status = TW_OK;
	for (; list && *list && status == TW_OK; list++)
		status = step(rows, *list, err);
	return status;
}

int tw__rows_adapt(struct tw__rows *rows, const struct tw__adaptation *how, struct tw_error *err)
{
	int status = follow(rows, how->columns, make_column, err);
	if (status == TW_OK)
		status = follow(rows, how->values, change_value, err);
	return status < 0 ? status : follow(rows, how->scales, scale, err);
}

/* Whether some row's workload has this parameter. */
static bool is_parameter(const struct tw__rows *rows, int workload, const char *name)
{
	char value[256];
	bool has = false;
	for (int row = 0; row < rows->n_rows && !has; row++)
		has = tw__workload_param(tw__rows_text(rows, row, workload), name, value, sizeof value);
	return has;
}

int tw__rows_make(struct tw__rows *rows, const char *name, const char *from,
                  char *(*make)(const char *cell, const char *context), const char *context)
{
	int source = tw__rows_column(rows, from), column = have_column(rows, name);
	for (int row = 0; row < rows->n_rows; row++)
		set(rows, row, column, own(rows, make(tw__rows_text(rows, row, source), context)));
	return column;
}

static char *parameter_of(const char *workload, const char *name)
{
	char value[256];
	tw__workload_param(workload, name, value, sizeof value);
	return tw_copy_text(value);
}

int tw__rows_find_or_make(struct tw__rows *rows, const char *name, const char *what, int *column, struct tw_error *err)
{
	int workload = tw__rows_column(rows, "workload"), status = tw__rows_find(rows, name, what, column, err);
	if (status == TW_OK || !is_parameter(rows, workload, name))
		return status;
	*column = tw__rows_make(rows, name, "workload", parameter_of, name);
	return TW_OK;
}
