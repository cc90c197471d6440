/* Reading results. The file is anybody's: nothing about it is taken for granted. */
#include "experiment/rows.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/array.h>

#include "base/spec.h"
#include "experiment/columns.h"

enum { MOST_COLUMNS = 1000, MOST_BYTES = INT_MAX / 2 };

/* One record of the file after the other, cut in place. */
struct reader {
	const char *path;
	char *at, *end;
	int line;       /* of `at` */
	int first_line; /* of the record read last */
	bool unended;   /* it lacks its line end */
	char **fields;
	size_t n_fields, room;
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
		got = fread(*text + *n, 1, 65535, f); /* one byte is left for the '\0' */
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

/* From the opening quote; the text moves to where that was. False: the quote does not end. */
static bool unquote(struct reader *r)
{
	char *to = r->at++;
	for (; r->at < r->end; r->at++) {
		if (*r->at == '"' && *++r->at != '"') { /* a '\0' stands at the end */
			*to = '\0';
			return true;
		}
		r->line += *r->at == '\n';
		*to++ = *r->at;
	}
	return false;
}

static int next_field(struct reader *r, struct tw_error *err)
{
	if (r->n_fields == MOST_COLUMNS)
		return tw_fail(err, TW_INVALID, "%s:%d: expected at most %d fields", r->path, r->line, MOST_COLUMNS);
	if (!TW_HAS_ROOM(r->fields, r->room, r->n_fields + 1))
		return tw_fail(err, TW_NOMEM, "%s: out of memory", r->path);
	r->fields[r->n_fields++] = r->at;
	if (r->at < r->end && *r->at == '"') {
		int line = r->line;
		if (!unquote(r))
			return tw_fail(err, TW_INVALID, "%s:%d: a quoted field does not end: expected a '\"'", r->path,
			               line);
	} else {
		while (r->at < r->end && !strchr(",\n\r\"", *r->at))
			r->at++;
	}
	if (r->at < r->end && *r->at != ',' && *r->at != '\n' && !(*r->at == '\r' && r->at[1] == '\n'))
		return tw_fail(err, TW_INVALID, "%s:%d: expected a comma or the end of the line behind field %zu",
		               r->path, r->line, r->n_fields);
	return TW_OK;
}

/* A record's fields; none at the end of the file. */
static int next_record(struct reader *r, struct tw_error *err)
{
	r->n_fields = 0;
	r->first_line = r->line;
	r->unended = true;
	while (r->at < r->end) {
		int status = next_field(r, err);
		if (status < 0)
			return status;
		if (r->at == r->end)
			break;
		char mark = *r->at;
		*r->at++ = '\0';
		if (mark == ',' && r->at < r->end)
			continue;
		if (mark != ',') {
			r->at += mark == '\r';
			r->line++;
			r->unended = false;
		}
		break;
	}
	return TW_OK;
}

static bool is_known(const char *name)
{
	static const struct tw__request nothing = {.platform = "", .workload = "", .policy = ""};
	const struct tw__result result = {.request = &nothing, .eviction = "", .kernel_model = ""};
	struct cell cells[TW__MAX_COLUMNS];
	int n = tw__result_cells(&result, cells);
	for (int i = 0; i < n; i++)
		if (!strcmp(cells[i].key, name))
			return true;
	return !strcmp(name, "identity");
}

/* What the columns of a file are to be: ours; or anybody's, which will be adapted. */
enum columns { COLUMNS_OF_RESULTS, COLUMNS_TO_ADAPT };

static int take_header(struct tw__rows *rows, struct reader *r, enum columns columns, struct tw_error *err)
{
	int status = next_record(r, err), unknown = 0;
	if (status < 0)
		return status;
	if (r->n_fields == 0)
		return tw_fail(err, TW_INVALID, "%s:1: expected a line with the columns of results", rows->path);
	rows->n_columns = (int)r->n_fields;
	rows->names = malloc(r->n_fields * sizeof *rows->names);
	if (!rows->names)
		return tw_fail(err, TW_NOMEM, "%s: out of memory", rows->path);
	memcpy(rows->names, r->fields, r->n_fields * sizeof *rows->names);
	const char *first = NULL;
	for (int i = 0; i < rows->n_columns; i++) {
		for (int j = 0; j < i; j++)
			if (!strcmp(rows->names[i], rows->names[j]))
				return tw_fail(err, TW_INVALID, "%s:1: two columns '%.60s': expected each once",
				               rows->path, rows->names[i]);
		bool known = is_known(rows->names[i]);
		first = known || first ? first : rows->names[i];
		unknown += !known;
	}
	if (unknown == rows->n_columns && columns == COLUMNS_OF_RESULTS)
		return tw_fail(err, TW_INVALID,
		               "%s:1: no column of results is here: expected a file of tilewright run --format csv",
		               rows->path);
	rows->of_validation =
		tw__rows_column(rows, "makespan_real_s") >= 0 && tw__rows_column(rows, "makespan_error") >= 0;
	if (unknown && !rows->of_validation)
		tw_log(TW_LOG_WARNING, "%s: %d column%s that this version does not know, '%.60s' the first: ignored",
		       rows->path, unknown, unknown == 1 ? "" : "s", first);
	return TW_OK;
}

static int take_rows(struct tw__rows *rows, struct reader *r, struct tw_error *err)
{
	size_t n = (size_t)rows->n_columns, cell_room = 0, line_room = 0;
	while (r->at < r->end) {
		int status = next_record(r, err);
		bool is_torn = r->at == r->end && (status < 0 || (r->unended && r->n_fields < n));
		if (is_torn && status != TW_NOMEM) {
			tw_log(TW_LOG_WARNING, "%s:%d: the last line is not whole: left out", rows->path,
			       r->first_line);
			return TW_OK;
		}
		if (status < 0)
			return status;
		if (r->n_fields == 1 && !*r->fields[0])
			continue; /* an empty line says nothing */
		if (r->n_fields != n)
			return tw_fail(err, TW_INVALID, "%s:%d: %zu fields: expected %zu, one for each column",
			               rows->path, r->first_line, r->n_fields, n);
		if (!TW_HAS_ROOM(rows->cells, cell_room, ((size_t)rows->n_rows + 1) * n) ||
		    !TW_HAS_ROOM(rows->lines, line_room, (size_t)rows->n_rows + 1))
			return tw_fail(err, TW_NOMEM, "%s: out of memory", rows->path);
		memcpy(rows->cells + (size_t)rows->n_rows * n, r->fields, n * sizeof *rows->cells);
		rows->lines[rows->n_rows++] = r->first_line;
	}
	return TW_OK;
}

static int read_file(struct tw__rows *rows, const char *path, enum columns columns, struct tw_error *err)
{
	size_t n;
	*rows = (struct tw__rows){.path = path};
	int status = read_text(path, &rows->text, &n, err);
	struct reader r = {.path = path, .at = rows->text, .end = rows->text + n, .line = 1};
	const char *nul = status == TW_OK ? memchr(rows->text, '\0', n) : NULL;
	if (nul) {
		for (const char *c = rows->text; c < nul; c++)
			r.line += *c == '\n';
		status = tw_fail(err, TW_INVALID, "%s:%d: a byte of value 0: expected text", path, r.line);
	}
	if (status == TW_OK)
		status = take_header(rows, &r, columns, err);
	if (status == TW_OK)
		status = take_rows(rows, &r, err);
	free(r.fields);
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

int tw__rows_column(const struct tw__rows *rows, const char *name)
{
	for (int i = 0; i < rows->n_columns; i++)
		if (!strcmp(rows->names[i], name))
			return i;
	return -1;
}

int tw__rows_need(const struct tw__rows *rows, const char *name, const char *what, int *column, struct tw_error *err)
{
	*column = tw__rows_column(rows, name);
	return *column >= 0 ? TW_OK
	                    : tw_fail(err, TW_INVALID, "%s:1: no column '%.60s': %s needs it", rows->path, name, what);
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
	if (fabs(*value) > TW__MAX_CELL || (*value < 0 && is_known(rows->names[column])))
		return tw_fail(err, TW_INVALID, "%s:%d: %s '%.60s': expected a number from 0 to %g", rows->path,
		               rows->lines[row], rows->names[column], text, TW__MAX_CELL);
	if (fabs(*value) < 1 / TW__MAX_CELL)
		*value = 0;
	return TW_OK;
}
