/* Reads files of comma-separated text with a header line, and checks their lines and fields. */
#include "perf/table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/csv.h>
#include <tilewright/graph.h>

#include "base/print.h"
#include "base/one_line.h"
#include "base/spec.h"

int tw__table_fail(const struct tw__table *t, const char *format, ...)
{
	char text[sizeof t->err->message];
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	return tw_fail(t->err, TW_INVALID, "%s:%d: %s", t->path, t->line, text);
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
	if (length == 0 || length > TW__MOST_NAME)
		return tw__table_fail(t, "%s of %zu bytes, expected 1 to %d", what, length, TW__MOST_NAME);
	if (!tw__is_text(text))
		return tw__table_fail(t, "%s '%.80s': expected text in UTF-8, without control characters", what, text);
	return TW_OK;
}

static void put_name(FILE *f, const char *name) { tw__csv_put_with(f, name, ",\"\r\n#", NULL); }

void tw__table_put_names(FILE *f, const char *kernel, const char *arch, int cores, const char *size,
                         const char *precision)
{
	put_name(f, kernel);
	putc(',', f);
	put_name(f, arch);
	fprintf(f, ",%d,", cores);
	put_name(f, size);
	putc(',', f);
	put_name(f, precision);
	putc(',', f);
}

static int wrong_header(const struct tw__table *t, const char *line)
{
	char expected[200];
	size_t length = (size_t)snprintf(expected, sizeof expected, "%s", t->header);
	for (const char *const *other = t->others; other && *other && length < sizeof expected; other++)
		length += (size_t)snprintf(expected + length, sizeof expected - length, " or %s", *other);
	if (!*line)
		return tw__table_fail(t, "no header, expected %s", expected);
	return tw__table_fail(t, "'%.120s': expected the header %s%s%s", line, expected,
	                      t->more ? ", and perhaps one column more: " : "", t->more ? t->more : "");
}

static int take_header(struct tw__table *t, const char *line)
{
	for (const char *const *other = t->others; other && *other; other++)
		if (strcmp(line, *other) == 0)
			t->header = *other;
	size_t length = strlen(t->header);
	if (strncmp(line, t->header, length) == 0 && line[length] == ',' && t->more)
		t->has_more = strcmp(line + length + 1, t->more) == 0;
	if (!t->has_more && strcmp(line, t->header) != 0)
		return wrong_header(t, line);
	t->seen_header = true;
	t->n_columns = 1;
	for (const char *comma = t->header; (comma = strchr(comma, ',')); comma++)
		t->n_columns++;
	return TW_OK;
}

static int take_line(struct tw__table *t, char *line)
{
	if (line[0] == '#' || (line[0] <= ' ' && line[strspn(line, " \t")] == '\0')) /* most lines are longer */
		return TW_OK;
	if (strpbrk(line, "\r"))
		return tw__table_fail(t, "a carriage return inside a line, expected lines that end with LF or CR LF");
	if (!t->seen_header)
		return take_header(t, line);
	char *fields[TW__TABLE_COLUMNS + 1] = {NULL};
	struct tw_csv csv = {.fields = fields, .most = t->n_columns + t->has_more};
	int n = tw_csv_cut(&csv, line);
	if (n < 0)
		return tw__table_fail(t, "%s, expected the %d of the header", tw_csv_why(n), csv.most);
	if (n < csv.most)
		return tw__table_fail(t, "%d fields, expected the %d of the header", n, csv.most);
	return t->add(t, fields);
}

/* The lines of a file, cut in place. `text` has room for a line of the greatest length with its line break, and a zero
 * byte. */
struct lines {
	FILE *file;
	char *text, *at, *end; /* at .. end: bytes that are read, but not yet cut */
	bool over;
};

/* As tw_csv_read_line. The line is valid until the next call. */
static int next_line(struct lines *l, char **line)
{
	char *stop;
	while (!(stop = memchr(l->at, '\n', (size_t)(l->end - l->at))) && !l->over &&
	       l->end - l->at <= TW_CSV_LINE_BYTES) {
		l->end = l->text + (l->end - l->at);
		l->at = memmove(l->text, l->at, (size_t)(l->end - l->text));
		const size_t room = (size_t)(l->text + TW_CSV_LINE_BYTES + 1 - l->end);
		const size_t n = fread(l->end, 1, room, l->file);
		l->end += n;
		l->over = n < room;
	}
	if (!stop && l->over && ferror(l->file))
		return TW_CSV_UNREADABLE;
	const size_t length = (size_t)((stop ? stop : l->end) - l->at);
	*line = l->at;
	if (memchr(*line, '\0', length))
		return TW_CSV_ZERO_BYTE;
	if (length > TW_CSV_LINE_BYTES)
		return TW_CSV_LONG_LINE;
	l->at += length + (stop != NULL);
	(*line)[length - (length > 0 && (*line)[length - 1] == '\r')] = '\0';
	return stop || length > 0;
}

static int read_lines(struct tw__table *t, FILE *file)
{
	int found, status = TW_OK;
	char *text = tw_resize(NULL, TW_CSV_LINE_BYTES + 2, 1), *line;
	struct lines lines = {.file = file, .text = text, .at = text, .end = text};
	errno = 0;
	while (status == TW_OK && (found = next_line(&lines, &line)) != 0) {
		t->line += found != TW_CSV_UNREADABLE;
		if (found == TW_CSV_UNREADABLE)
			status = tw_fail(t->err, tw_status_of_errno(errno), "%s: %s, expected %s", t->path,
			                 strerror(errno), t->content);
		else if (found == TW_CSV_LONG_LINE)
			status = tw__table_fail(t, "a line of more than %d bytes, expected shorter ones",
			                        TW_CSV_LINE_BYTES);
		else if (found == TW_CSV_ZERO_BYTE)
			status = tw__table_fail(t, "a zero byte, expected text in UTF-8");
		else
			status = take_line(t, t->line == 1 ? tw_csv_text(line) : line);
	}
	free(text);
	return status;
}

int tw__table_read(struct tw__table *t)
{
	FILE *file = fopen(t->path, "re");
	if (!file)
		return tw_fail(t->err, tw_status_of_errno(errno), "%s: %s, expected %s", t->path, strerror(errno),
		               t->content);
	int status = read_lines(t, file);
	fclose(file);
	if (status == TW_OK && !t->seen_header) {
		t->line++;
		status = wrong_header(t, "");
	}
	return status;
}
