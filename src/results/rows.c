/* Reads files of results. A file may come from anywhere, so everything in it is checked. */
#include "results/rows.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>
#include <tilewright/csv.h>

#include "base/nearest.h"
#include "base/spec.h"
#include "results/columns.h"

enum { MOST_COLUMNS = 1000, MOST_BYTES = INT_MAX / 2, MOST_NAME = 100 };

struct reader {
	const char *path;
	struct tw_csv csv;
	char *fields[MOST_COLUMNS];
};

static int read_text(const char *path, char **text, size_t *n, struct tw_error *err)
{
	size_t room = 0;
	*text = NULL;
	*n = 0;
	FILE *f = fopen(path, "rb");
	if (!f)
		return tw_fail(err, TW_INVALID, "%s: cannot be read: %s", path, strerror(errno));
	bool has_room = true;
	for (size_t got = 1; got > 0 && (has_room = TW_HAS_ROOM(*text, room, *n + 65536)); *n += got) {
		got = fread(*text + *n, 1, 65535, f); /* keep one byte for the '\0' */
		if (*n > MOST_BYTES)
			break;
	}
	int error = ferror(f) ? errno : 0;
	fclose(f);
	if (!has_room)
		return tw_fail(err, TW_NOMEM, "%s: out of memory", path);
	if (error)
		return tw_fail(err, TW_INVALID, "%s: cannot be read: %s", path, strerror(error));
	if (*n > MOST_BYTES)
		return tw_fail(err, TW_INVALID, "%s: expected a file of at most 1 GB", path);
	(*text)[*n] = '\0';
	return TW_OK;
}

/* Reads the next record of the CSV file into r->fields. At the end of the file the record has no fields. */
static int next_record(struct reader *r, struct tw_error *err)
{
	int n = tw_csv_record(&r->csv), line = r->csv.line;
	if (n >= 0)
		return TW_OK;
	if (n == TW_CSV_TOO_MANY)
		return tw_fail(err, TW_INVALID, "%s:%d: expected at most %d fields", r->path, line, MOST_COLUMNS);
	if (n == TW_CSV_OPEN_QUOTE)
		return tw_fail(err, TW_INVALID, "%s:%d: a quoted field does not end: expected a '\"'", r->path, line);
	return tw_fail(err, TW_INVALID, "%s:%d: expected a comma or the end of the line behind field %d", r->path, line,
	               r->csv.n);
}

/* Which columns a file may have: those of results, or any, which tw__rows_adapt will change. */
enum columns { COLUMNS_OF_RESULTS, COLUMNS_TO_ADAPT };

static int take_header(struct tw__rows *rows, struct reader *r, enum columns columns, struct tw_error *err)
{
	int status = next_record(r, err), unknown = 0;
	if (status < 0)
		return status;
	if (r->csv.n == 0)
		return tw_fail(err, TW_INVALID, "%s:1: expected a line with the columns of results", rows->path);
	rows->n_columns = r->csv.n;
	rows->names = malloc((size_t)r->csv.n * sizeof *rows->names);
	if (!rows->names)
		return tw_fail(err, TW_NOMEM, "%s: out of memory", rows->path);
	memcpy(rows->names, r->fields, (size_t)r->csv.n * sizeof *rows->names);
	const char *first = NULL;
	for (int i = 0; i < rows->n_columns; i++) {
		for (int j = 0; j < i; j++)
			if (!strcmp(rows->names[i], rows->names[j]))
				return tw_fail(err, TW_INVALID, "%s:1: two columns '%.60s': expected each once",
				               rows->path, rows->names[i]);
		bool known = tw__column_named(rows->names[i]);
		first = known || first ? first : rows->names[i];
		unknown += !known;
	}
	if (unknown == rows->n_columns && columns == COLUMNS_OF_RESULTS)
		return tw_fail(err, TW_INVALID,
		               "%s:1: no column of results: expected a file of tilewright run --format csv",
		               rows->path);
	rows->of_validation =
		tw__rows_column(rows, "makespan_real_s") >= 0 && tw__rows_column(rows, "makespan_error") >= 0;
	if (unknown)
		tw_log(TW_LOG_WARNING, "%s: %d column%s that this version does not know, first '%.60s': ignored",
		       rows->path, unknown, unknown == 1 ? "" : "s", first);
	return TW_OK;
}

/* Whether the record just read is an incomplete last line, because its writer was stopped. `n`: expected fields. */
static bool is_torn(const struct tw_csv *c, int status, int n)
{
	return !*c->at && (status < 0 || (c->unended && (c->n < n || !*c->fields[c->n - 1])));
}

static int take_rows(struct tw__rows *rows, struct reader *r, struct tw_error *err)
{
	size_t n = (size_t)rows->n_columns, cell_room = 0, line_room = 0;
	while (*r->csv.at) {
		int status = next_record(r, err), line = r->csv.first_line;
		if (is_torn(&r->csv, status, rows->n_columns)) {
			tw_log(TW_LOG_WARNING, "%s:%d: the last line is incomplete: left out", rows->path, line);
			return TW_OK;
		}
		if (status < 0)
			return status;
		if (r->csv.n == 1 && !*r->fields[0])
			continue; /* an empty line */
		if (r->csv.n != rows->n_columns)
			return tw_fail(err, TW_INVALID, "%s:%d: %d fields: expected %d, one for each column",
			               rows->path, line, r->csv.n, rows->n_columns);
		if (!TW_HAS_ROOM(rows->cells, cell_room, ((size_t)rows->n_rows + 1) * n) ||
		    !TW_HAS_ROOM(rows->lines, line_room, (size_t)rows->n_rows + 1))
			return tw_fail(err, TW_NOMEM, "%s: out of memory", rows->path);
		memcpy(rows->cells + (size_t)rows->n_rows * n, r->fields, n * sizeof *rows->cells);
		rows->lines[rows->n_rows++] = line;
	}
	return TW_OK;
}

static int read_file(struct tw__rows *rows, const char *path, enum columns columns, struct tw_error *err)
{
	size_t n;
	*rows = (struct tw__rows){.path = path};
	int status = read_text(path, &rows->text, &n, err);
	struct reader r = {.path = path, .csv = {.line = 1, .fields = r.fields, .most = MOST_COLUMNS}};
	const char *nul = status == TW_OK ? memchr(rows->text, '\0', n) : NULL;
	if (status == TW_OK)
		r.csv.at = tw_csv_text(rows->text);
	if (nul) {
		for (const char *c = rows->text; c < nul; c++)
			r.csv.line += *c == '\n';
		status = tw_fail(err, TW_INVALID, "%s:%d: a byte of value 0: expected text", path, r.csv.line);
	}
	if (status == TW_OK)
		status = take_header(rows, &r, columns, err);
	if (status == TW_OK)
		status = take_rows(rows, &r, err);
	if (status < 0)
		tw__rows_finish(rows);
	return status;
}

int tw__rows_read(struct tw__rows *rows, const char *path, struct tw_error *err)
{
	return read_file(rows, path, COLUMNS_OF_RESULTS, err);
}

int tw__rows_read_foreign(struct tw__rows *rows, const char *path, struct tw_error *err)
{
	return read_file(rows, path, COLUMNS_TO_ADAPT, err);
}

void tw__rows_finish(struct tw__rows *rows)
{
	for (size_t i = 0; i < rows->n_made; i++)
		free(rows->made[i]);
	free(rows->made);
	free(rows->text);
	free(rows->names);
	free(rows->cells);
	free(rows->lines);
	*rows = (struct tw__rows){0};
}

void tw__rows_keep(struct tw__rows *rows, int to, int from)
{
	size_t n = (size_t)rows->n_columns;
	memmove(rows->cells + (size_t)to * n, rows->cells + (size_t)from * n, n * sizeof *rows->cells);
	rows->lines[to] = rows->lines[from];
}

int tw__rows_column(const struct tw__rows *rows, const char *name)
{
	for (int i = 0; i < rows->n_columns; i++)
		if (!strcmp(rows->names[i], name))
			return i;
	return -1;
}

static const char *column_at(const void *context, int i)
{
	const struct tw__rows *rows = context;
	return i < rows->n_columns ? rows->names[i] : NULL;
}

int tw__rows_need(const struct tw__rows *rows, const char *name, const char *what, int *column, struct tw_error *err)
{
	char hint[TW__NEAREST_BYTES];
	*column = tw__rows_column(rows, name);
	return *column >= 0 ? TW_OK
	                    : tw_fail(err, TW_INVALID, "%s:1: no column '%.60s'%s: %s needs it", rows->path, name,
	                              tw__nearest_hint(hint, name, column_at, rows), what);
}

int tw__rows_find(const struct tw__rows *rows, const char *name, const char *what, int *column, struct tw_error *err)
{
	char own[MOST_NAME + sizeof "_bytes"];
	int length = snprintf(own, MOST_NAME, "%s", name);
	*column = tw__rows_column(rows, name);
	if (*column >= 0 || length >= MOST_NAME)
		return tw__rows_need(rows, name, what, column, err);
	for (char *c = own; *c; c++)
		*c = *c == '-' ? '_' : *c;
	*column = tw__rows_column(rows, own);
	if (*column < 0)
		*column = tw__rows_column(rows, strcat(own, "_bytes"));
	return *column >= 0 ? TW_OK : tw__rows_need(rows, name, what, column, err);
}

const char *tw__rows_text(const struct tw__rows *rows, int row, int column)
{
	return column < 0 ? "" : rows->cells[(size_t)row * (size_t)rows->n_columns + (size_t)column];
}

int tw__rows_number(const struct tw__rows *rows, int row, int column, double *value, struct tw_error *err)
{
	const char *text = tw__rows_text(rows, row, column);
	struct tw_error inner;
	*value = NAN;
	if (!*text)
		return TW_OK;
	if (tw__parse_real(value, text, &inner) < 0)
		return tw_fail(err, TW_INVALID, "%s:%d: %s '%.60s': expected a number", rows->path, rows->lines[row],
		               rows->names[column], text);
	const struct tw__column *known = tw__column_named(rows->names[column]);
	if (fabs(*value) > TW__MAX_CELL || (*value < 0 && known && !(known->traits & TW__SIGNED)))
		return tw_fail(err, TW_INVALID, "%s:%d: %s '%.60s': expected a number from 0 to %g", rows->path,
		               rows->lines[row], rows->names[column], text, TW__MAX_CELL);
	if (fabs(*value) < 1 / TW__MAX_CELL)
		*value = 0;
	return TW_OK;
}
