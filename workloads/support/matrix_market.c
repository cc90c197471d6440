/* Reads the pattern of a Matrix Market file (Boisvert, Pozo and Remington 1996, NISTIR 5935), coordinate format:
 *
 *     %%MatrixMarket matrix coordinate real symmetric
 *     % comments
 *     3 3 4            rows, columns, entries
 *     1 1 2.5          row, column, value (two numbers if complex, none for patterns)
 *     ...
 *
 * Files are not trusted: arrays grow with the entries that were read, not with the promised number. Each error message
 * has the file and the line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "workloads/support/sparse.h"

enum { LINE_ROOM = 1025 }; /* longest line and its '\0': the format allows 1024 characters */

struct reader {
	FILE *stream;
	const char *name;
	int64_t line;
	char text[LINE_ROOM];
	int values; /* how many numbers follow the row and column of an entry */
	bool integers, symmetric;
	int32_t n_rows, n_columns;
	int64_t expected; /* number of entries that the file promises */
	int64_t n;        /* number of pairs (row, column) read, including mirrored ones */
	size_t room;
	int32_t (*pairs)[2];
};

#define COMPLAIN(r, err, format, ...) \
	tw_fail(err, TW_INVALID, "%.200s:%lld: " format, (r)->name, (long long)(r)->line, __VA_ARGS__)

/* Reads a line of the file, without its line break. Cuts off long comments. Returns 1, 0 at the end of the file, or an
 * error. */
static int read_line(struct reader *r, struct tw_error *err)
{
	int length = 0, c;
	r->line++;
	while ((c = getc_unlocked(r->stream)) != EOF && c != '\n') {
		if (c == '\0')
			return COMPLAIN(r, err, "%s", "a zero byte, expected text");
		if (length < LINE_ROOM - 1)
			r->text[length++] = (char)c;
		else if (r->text[0] != '%')
			return COMPLAIN(r, err, "a line of more than %d characters, expected shorter ones",
			                LINE_ROOM - 1);
	}
	r->text[length] = '\0';
	if (ferror(r->stream)) /* the stream reads blocks, so the line of the error is unknown */
		return tw_fail(err, tw_status_of_errno(errno), "%.200s: cannot read it: %s, expected a whole file",
		               r->name,
		               errno == EBADMSG ? "the compressed data is truncated or damaged" : strerror(errno));
	if (c == EOF && length > 0) /* some programs write no last line break, so this is only a warning */
		tw_log(TW_LOG_WARNING, "%.200s:%lld: no line break at the end: the last number may be truncated",
		       r->name, (long long)r->line);
	return c == '\n' || length > 0;
}

/* Reads the next line that is neither empty nor a comment. */
static int next_line(struct reader *r, struct tw_error *err)
{
	int status;
	do
		status = read_line(r, err);
	while (status == 1 && (r->text[0] == '%' || r->text[strspn(r->text, " \t\r\v\f")] == '\0'));
	return status;
}

static bool one_of(const char *word, const char *const *words, int *which)
{
	for (*which = 0; words[*which]; ++*which)
		if (strcasecmp(word, words[*which]) == 0)
			return true;
	return false;
}

static int read_banner(struct reader *r, struct tw_error *err)
{
	static const char *const fields[] = {"pattern", "real", "integer", "complex", NULL};
	static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian", NULL};
	char banner[33], object[33], format[33], field[33], symmetry[33];
	int which, status = read_line(r, err);
	if (status < 0)
		return status;
	if (status == 0 || sscanf(r->text, "%32s %32s %32s %32s %32s", banner, object, format, field, symmetry) != 5 ||
	    strcasecmp(banner, "%%MatrixMarket") != 0)
		return COMPLAIN(r, err, "%s", "expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
	if (strcasecmp(object, "matrix") != 0 || strcasecmp(format, "coordinate") != 0)
		return COMPLAIN(r, err, "a '%s' in format '%s', expected a matrix in coordinate format", object,
		                format);
	if (!one_of(field, fields, &which))
		return COMPLAIN(r, err, "entries of type '%s', expected pattern, real, integer or complex", field);
	r->values = which == 3 ? 2 : which > 0;
	r->integers = which == 2;
	if (!one_of(symmetry, symmetries, &which))
		return COMPLAIN(r, err, "'%s', expected general, symmetric, skew-symmetric or hermitian", symmetry);
	r->symmetric = which > 0;
	return TW_OK;
}

/* Reads the integer at *text, which must be in [1, most], and moves *text behind it. */
static bool read_integer(const char **text, int64_t most, int64_t *value)
{
	char *end;
	errno = 0;
	*value = strtoll(*text, &end, 10);
	if (end == *text || errno || *value < 1 || *value > most || (*end && !strchr(" \t\r\v\f", *end)))
		return false;
	*text = end;
	return true;
}

static bool at_end(const char *text) { return text[strspn(text, " \t\r\v\f")] == '\0'; }

static int read_sizes(struct reader *r, struct tw_error *err)
{
	int64_t rows, columns;
	int status = next_line(r, err);
	if (status < 0)
		return status;
	const char *text = status ? r->text : "";
	if (!read_integer(&text, TW_MAX_UNKNOWNS, &rows) || !read_integer(&text, TW_MAX_UNKNOWNS, &columns) ||
	    !read_integer(&text, TW_MAX_ENTRIES, &r->expected) || !at_end(text))
		return COMPLAIN(r, err, "expected rows and columns, 1 to %d, and entries, 1 to %d", TW_MAX_UNKNOWNS,
		                TW_MAX_ENTRIES);
	if (r->symmetric && rows != columns)
		return COMPLAIN(r, err, "%d rows and %d columns, expected a square matrix for this symmetry", (int)rows,
		                (int)columns);
	r->n_rows = (int32_t)rows;
	r->n_columns = (int32_t)columns;
	return TW_OK;
}

static bool values_follow(const struct reader *r, const char *text)
{
	for (int v = 0; v < r->values; v++) {
		char *end;
		if (r->integers)
			strtoll(text, &end, 10);
		else
			strtod(text, &end);
		if (end == text || (*end && !strchr(" \t\r\v\f", *end)))
			return false;
		text = end;
	}
	return at_end(text);
}

static void add(struct reader *r, int32_t row, int32_t column)
{
	TW_RESERVE(r->pairs, r->room, (size_t)r->n + 1);
	r->pairs[r->n][0] = row;
	r->pairs[r->n][1] = column;
	r->n++;
}

static int read_entries(struct reader *r, struct tw_error *err)
{
	static const char *const numbers[] = {"", ", then a number", ", then two numbers"};
	for (int64_t e = 0;; e++) {
		int64_t row, column;
		int status = next_line(r, err);
		if (status < 0)
			return status;
		if (status == 0 && e == r->expected)
			return TW_OK;
		if (status == 0)
			return COMPLAIN(r, err, "the file ends after %lld entries, expected %lld", (long long)e,
			                (long long)r->expected);
		if (e == r->expected)
			return COMPLAIN(r, err, "another entry, expected the file's end after %lld",
			                (long long)r->expected);
		const char *text = r->text;
		if (!read_integer(&text, r->n_rows, &row) || !read_integer(&text, r->n_columns, &column) ||
		    !values_follow(r, text))
			return COMPLAIN(r, err, "expected a row, 1 to %d, and a column, 1 to %d%s", r->n_rows,
			                r->n_columns, numbers[r->values]);
		add(r, (int32_t)row - 1, (int32_t)column - 1);
		if (r->symmetric && row != column)
			add(r, (int32_t)column - 1, (int32_t)row - 1);
	}
}

/* Sorts the pairs into columns, by a transposition of rows, and drops duplicates. */
static void collect(struct reader *r, struct tw_pattern *p)
{
	struct tw_pattern rows = {.n_rows = r->n_columns, .n_columns = r->n_rows};
	rows.start = tw_alloc((size_t)r->n_rows + 2, sizeof *rows.start);
	rows.row = tw_resize(NULL, (size_t)r->n, sizeof *rows.row);
	int64_t *next = rows.start + 1; /* in the end, next[i] is the start of row i + 1 */
	for (int64_t e = 0; e < r->n; e++)
		next[r->pairs[e][0] + 1]++;
	for (int32_t i = 0; i < r->n_rows; i++)
		next[i + 1] += next[i];
	for (int64_t e = 0; e < r->n; e++)
		rows.row[next[r->pairs[e][0]]++] = r->pairs[e][1];
	tw_pattern_transpose(p, &rows);
	tw_pattern_finish(&rows);

	int64_t at = 0, again = 0;
	for (int32_t c = 0; c < p->n_columns; c++) {
		int64_t from = p->start[c], first = at;
		p->start[c] = at;
		for (int64_t e = from; e < p->start[c + 1]; e++)
			if (at == first || p->row[at - 1] != p->row[e])
				p->row[at++] = p->row[e];
			else
				again += !r->symmetric || p->row[e] >= c; /* count an entry and its mirror image once */
	}
	p->start[p->n_columns] = at;
	if (again)
		tw_log(TW_LOG_WARNING, "%.200s: duplicate entries left out: %lld", r->name, (long long)again);
}

int tw_pattern_read_stream(struct tw_pattern *p, FILE *stream, const char *name, struct tw_error *err)
{
	struct reader r = {.stream = stream, .name = name};
	int status = read_banner(&r, err);
	if (status == TW_OK)
		status = read_sizes(&r, err);
	if (status == TW_OK)
		status = read_entries(&r, err);
	if (status == TW_OK)
		collect(&r, p);
	free(r.pairs);
	return status;
}

static ssize_t read_some(void *file, char *to, size_t room)
{
	errno = 0;
	int code = Z_OK, n = gzread(file, to, (unsigned)room);
	if (n <= 0)
		gzerror(file, &code); /* Z_BUF_ERROR: the file is truncated, for which gzread returns no error */
	if ((n < 0 && errno == 0) || code == Z_BUF_ERROR)
		errno = EBADMSG; /* EBADMSG stands for an error of the compressed data */
	return code == Z_BUF_ERROR ? -1 : n;
}

static int close_file(void *file) { return gzclose_r(file) == Z_OK ? 0 : EOF; }

/* Opens a file as a stream, which decompresses it if it is compressed. NULL: errno has the reason. */
static FILE *open_file(const char *path)
{
	errno = 0;
	gzFile file = gzopen(path, "rbe");
	if (!file) {
		errno = errno ? errno : ENOMEM; /* errno 0: zlib is out of memory */
		return NULL;
	}
	FILE *stream = fopencookie(file, "r", (cookie_io_functions_t){.read = read_some, .close = close_file});
	if (!stream)
		gzclose_r(file);
	return stream;
}

int tw_pattern_read(struct tw_pattern *p, const char *path, struct tw_error *err)
{
	FILE *stream = open_file(path);
	if (!stream)
		return tw_fail(err, tw_status_of_errno(errno), "%.200s: cannot open it: %s", path, strerror(errno));
	int status = tw_pattern_read_stream(p, stream, path, err);
	fclose(stream);
	return status;
}
