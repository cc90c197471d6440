/* Reads files of results. A file may come from anywhere, so everything in it is checked. */
#include "results/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/spec.h"
#include "results/columns.h"

enum { MOST_NAME = 100 };

/* --- records ----------------------------------------------------------------------------------------------------- */

static int cannot_read(const char *path, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID, "%s: cannot be read: %s", path, strerror(errno));
}

int tw__records_open(struct tw__records *r, const char *path, int fd, struct tw_error *err)
{
	size_t room = 0, n = 0;
	ssize_t got = 1;
	*r = (struct tw__records){.path = path, .csv = {.line = 1, .most = TW__MOST_FIELDS}};
	while (got && n <= TW__MOST_BYTES) {
		TW_RESERVE(r->text, room, n + 65536);
		got = read(fd, r->text + n, 65535); /* keeps one byte for the '\0' */
		if (got < 0 && errno != EINTR)
			return cannot_read(path, err);
		n += got > 0 ? (size_t)got : 0;
	}
	if (n > TW__MOST_BYTES)
		return tw_fail(err, TW_INVALID, "%s: expected a file of at most %d GB", path, TW__MOST_BYTES >> 30);
	r->text[n] = '\0';
	r->end = r->text + n;
	r->is_cut = n > 0 && r->end[-1] != '\n';
	r->csv.at = tw_csv_text(r->text);
	return TW_OK;
}

int tw__records_next(struct tw__records *r)
{
	const char *feed = memchr(r->csv.at, '\n', (size_t)(r->end - r->csv.at));
	r->csv.fields = r->fields;
	r->csv.first_line = r->csv.line;
	int n = tw_csv_record(&r->csv);
	if ((n <= 0 || r->csv.unended) && !*r->csv.at && r->csv.at < r->end)
		n = TW_CSV_ZERO_BYTE;
	r->is_last = n < 0 ? !feed || feed + 1 == r->end : r->csv.at == r->end;
	return n;
}

void tw__records_finish(struct tw__records *r)
{
	free(r->text);
	*r = (struct tw__records){0};
}

static int malformed(const struct tw__records *r, int fault, struct tw_error *err)
{
	int line = r->csv.line;
	if (fault == TW_CSV_ZERO_BYTE)
		return tw_fail(err, TW_INVALID, "%s:%d: a byte of value 0: expected text", r->path, line);
	if (fault == TW_CSV_TOO_MANY)
		return tw_fail(err, TW_INVALID, "%s:%d: expected at most %d fields", r->path, line, TW__MOST_FIELDS);
	if (fault == TW_CSV_OPEN_QUOTE)
		return tw_fail(err, TW_INVALID, "%s:%d: a quoted field does not end: expected a '\"'", r->path, line);
	return tw_fail(err, TW_INVALID, "%s:%d: expected a comma or the end of the line behind field %d", r->path, line,
	               r->csv.n);
}

/* --- whole files ------------------------------------------------------------------------------------------------- */

/* Which columns a file may have: those of results, or any, which tw__rows_adapt will change. */
enum columns { COLUMNS_OF_RESULTS, COLUMNS_TO_ADAPT };

static int take_header(struct tw__rows *rows, struct tw__records *r, enum columns columns, struct tw_error *err)
{
	int n = tw__records_next(r), unknown = 0;
	if (n < 0)
		return malformed(r, n, err);
	if (n == 0)
		return tw_fail(err, TW_INVALID, "%s:1: expected a line with the columns of results", rows->path);
	rows->n_columns = r->csv.n;
	rows->names = tw_alloc((size_t)r->csv.n, sizeof *rows->names);
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

/* Whether the record just read is an incomplete last line, because its writer was stopped. */
static bool is_torn(const struct tw__records *r, int n, int n_columns)
{
	return n == TW_CSV_OPEN_QUOTE ||
	       (r->is_last && r->is_cut && n != TW_CSV_ZERO_BYTE && (n < n_columns || !*r->fields[n_columns - 1]));
}

static int take_rows(struct tw__rows *rows, struct tw__records *r, struct tw_error *err)
{
	size_t n_columns = (size_t)rows->n_columns, cell_room = 0, line_room = 0;
	for (int n; (n = tw__records_next(r)) != 0;) {
		int line = r->csv.first_line;
		if (is_torn(r, n, rows->n_columns)) {
			tw_log(TW_LOG_WARNING, "%s:%d: the last line is incomplete: left out", rows->path, line);
			return TW_OK;
		}
		if (n < 0)
			return malformed(r, n, err);
		if (n == 1 && !*r->fields[0])
			continue; /* an empty line */
		if (n != rows->n_columns)
			return tw_fail(err, TW_INVALID, "%s:%d: %d fields: expected %d, one for each column",
			               rows->path, line, n, rows->n_columns);
		TW_RESERVE(rows->cells, cell_room, ((size_t)rows->n_rows + 1) * n_columns);
		TW_RESERVE(rows->lines, line_room, (size_t)rows->n_rows + 1);
		memcpy(rows->cells + (size_t)rows->n_rows * n_columns, r->fields, n_columns * sizeof *rows->cells);
		rows->lines[rows->n_rows++] = line;
	}
	return TW_OK;
}

static int read_file(struct tw__rows *rows, const char *path, enum columns columns, struct tw_error *err)
{
	struct tw__records r;
	*rows = (struct tw__rows){.path = path};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return cannot_read(path, err);
	int status = tw__records_open(&r, path, fd, err);
	close(fd);
	rows->text = r.text;
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

bool tw__rows_is_ok(const struct tw__rows *rows, int row)
{
	int column = tw__rows_column(rows, "status");
	return column < 0 || !strcmp(tw__rows_text(rows, row, column), "ok");
}

void tw__rows_share(struct tw__rows *rows, const struct tw__rows *from)
{
	size_t n = (size_t)from->n_rows, n_columns = (size_t)from->n_columns;
	*rows = (struct tw__rows){.path = from->path,
	                          .n_columns = from->n_columns,
	                          .names = tw_alloc(n_columns, sizeof *rows->names),
	                          .cells = tw_alloc(n * n_columns, sizeof *rows->cells),
	                          .lines = tw_alloc(n, sizeof *rows->lines),
	                          .of_validation = from->of_validation};
	memcpy(rows->names, from->names, n_columns * sizeof *rows->names);
}

void tw__rows_add(struct tw__rows *rows, const struct tw__rows *from, int row)
{
	size_t n = (size_t)rows->n_columns;
	memmove(rows->cells + (size_t)rows->n_rows * n, from->cells + (size_t)row * n, n * sizeof *rows->cells);
	rows->lines[rows->n_rows++] = from->lines[row];
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
