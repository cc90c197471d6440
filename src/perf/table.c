/* Reads such a file; everything in it is checked. */
#include "perf/table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/graph.h>

#include "base/one_line.h"
#include "base/spec.h"
#include "perf/csv.h"

enum { MAX_LINE_BYTES = 64 << 10, MAX_NAME = 255 };

int tw__table_fail(const struct tw__table *t, const char *format, ...)
{
	char text[sizeof t->err->message];
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	return tw_fail(t->err, TW_INVALID, "%s:%d: %s", t->path, t->line, text);
}

int tw__table_no_memory(const struct tw__table *t)
{
	return tw_fail(t->err, TW_NOMEM, "%s:%d: out of memory", t->path, t->line);
}

int tw__table_us(const struct tw__table *t, double *us, const char *what, const char *text, bool may_be_0)
{
	const double most = TW_MAX_SECONDS * 1e6;
	struct tw_error ignored;
	if (tw__parse_real(us, text, &ignored) < 0 || *us < 0 || *us > most || (*us == 0 && !may_be_0))
		return tw__table_fail(t, "%s '%.80s': expected a number %s, at most %g", what, text,
		                      may_be_0 ? "from 0" : "above 0", most);
	return TW_OK;
}

int tw__table_count(const struct tw__table *t, int64_t *count, const char *what, const char *text, int64_t least,
                    int64_t most)
{
	struct tw_error ignored;
	if (tw__parse_int(count, text, &ignored) < 0 || *count < least || *count > most)
		return tw__table_fail(t, "%s '%.80s': expected a whole number from %lld to %lld", what, text,
		                      (long long)least, (long long)most);
	return TW_OK;
}

int tw__table_name(const struct tw__table *t, const char *what, const char *text)
{
	size_t length = strlen(text);
	if (length == 0 || length > MAX_NAME)
		return tw__table_fail(t, "%s of %zu bytes, expected 1 to %d", what, length, MAX_NAME);
	if (!tw__is_text(text))
		return tw__table_fail(t, "%s '%.80s': expected text in UTF-8, without control characters", what, text);
	return TW_OK;
}

/* `line` has room for one byte more than `length`. */
static int read_line(struct tw__table *t, char *line, size_t length)
{
	if (memchr(line, '\0', length))
		return tw__table_fail(t, "a zero byte, expected text in UTF-8");
	line[length] = '\0';
	if (t->line == 1 && !strncmp(line, "\xef\xbb\xbf", 3)) /* a byte order mark, as spreadsheets write it */
		line += 3, length -= 3;
	if (length && line[length - 1] == '\r')
		line[length - 1] = '\0';
	if (line[strspn(line, " \t")] == '\0' || line[0] == '#')
		return TW_OK;
	if (strpbrk(line, "\r"))
		return tw__table_fail(t, "a carriage return inside a line, expected lines that end with LF or CR LF");
	if (!t->seen_header) {
		if (strcmp(line, t->header) != 0)
			return tw__table_fail(t, "'%.80s': expected the header %s", line, t->header);
		t->seen_header = true;
		return TW_OK;
	}
	char *fields[TW__TABLE_COLUMNS];
	const char *why = NULL;
	int n = tw__csv_split(line, fields, t->n_columns, &why);
	if (n < 0)
		return tw__table_fail(t, "%s, expected the %d of the header", why, t->n_columns);
	if (n < t->n_columns)
		return tw__table_fail(t, "%d fields, expected the %d of the header", n, t->n_columns);
	return t->add(t, fields);
}

static int read_lines(struct tw__table *t, FILE *file, char *line)
{
	size_t length = 0;
	for (;;) {
		int c = getc_unlocked(file);
		if (c == EOF && ferror(file))
			return tw_fail(t->err, TW_INVALID, "%s: %s, expected kernel times", t->path, strerror(errno));
		if (c != EOF && c != '\n') {
			if (length == MAX_LINE_BYTES) {
				t->line++;
				return tw__table_fail(t, "a line of more than %d bytes, expected shorter ones",
				                      MAX_LINE_BYTES);
			}
			line[length++] = (char)c;
			continue;
		}
		if (c == '\n' || length) {
			t->line++;
			int status = read_line(t, line, length);
			if (status < 0)
				return status;
			length = 0;
		}
		if (c == EOF)
			return TW_OK;
	}
}

static int read_file(struct tw__table *t, FILE *file)
{
	char *line = malloc(MAX_LINE_BYTES + 1);
	int status = line ? read_lines(t, file, line) : tw__table_no_memory(t);
	free(line);
	if (status == TW_OK && !t->seen_header) {
		t->line++;
		status = tw__table_fail(t, "no header, expected %s", t->header);
	}
	return status;
}

int tw__table_read(struct tw__table *t)
{
	FILE *file = fopen(t->path, "re");
	if (!file)
		return tw_fail(t->err, TW_INVALID, "%s: %s, expected kernel times", t->path, strerror(errno));
	int status = read_file(t, file);
	fclose(file);
	return status;
}
