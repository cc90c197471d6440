/* Reads the output file of a sweep: the keys of its rows, and whether its last line is complete. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tilewright/containers.h>
#include <tilewright/csv.h>

#include "request/identity.h"
#include "sweep/sweep.h"

enum { MAX_LINE = 65536 };

/* Resuming a sweep also needs the engine of each row. */
int tw__sweep_columns(struct tw__column_choice *choice, const char *text, struct tw_error *err)
{
	struct cell columns[TW__MAX_COLUMNS];
	int n = tw__column_names(tw__result_table, columns);
	int status = tw__column_choice_parse(choice, text, columns, n, err);
	if (status < 0)
		return status;
	tw__column_choice_add(choice, "engine", false, columns, n);
	tw__columns_resume(choice, tw__result_table);
	return TW_OK;
}

/* The columns of the file: their number n, and the indices of the three that are read. */
struct layout {
	const char *header; /* the first line that the file must have, with its line feed */
	size_t header_bytes;
	int n, status, version, identity;
	char **cells; /* [n] cells of the current line; malloc'ed */
};

static int make_layout(struct layout *layout, const char *header, struct tw_error *err)
{
	*layout = (struct layout){.header = header, .status = -1, .version = -1, .identity = -1};
	if (!header)
		return tw_fail(err, TW_NOMEM, "results: out of memory");
	layout->header_bytes = strlen(header);
	for (const char *name = layout->header; name; layout->n++) {
		size_t length = strcspn(name, ",\n");
		if (length == 6 && memcmp(name, "status", 6) == 0)
			layout->status = layout->n;
		else if (length == 7 && memcmp(name, "version", 7) == 0)
			layout->version = layout->n;
		else if (length == 8 && memcmp(name, "identity", 8) == 0)
			layout->identity = layout->n;
		name = name[length] == ',' ? name + length + 1 : NULL;
	}
	layout->cells = malloc((size_t)layout->n * sizeof *layout->cells);
	return layout->cells ? TW_OK : tw_fail(err, TW_NOMEM, "results: out of memory");
}

static bool is_identity(const char *text)
{
	return strlen(text) == TW__DIGEST_TEXT - 1 && strspn(text, "0123456789abcdef") == TW__DIGEST_TEXT - 1;
}

/* Splits a line of the file in place, and fills the row's key. Returns NULL, or what is wrong with the line.
 * `*version`: the cell of that column, unless the line is damaged before. */
static const char *take_line(const struct layout *layout, char *line, size_t bytes, struct tw__row_key *key,
                             const char **version)
{
	struct tw_csv csv = {.fields = layout->cells, .most = layout->n};
	if (memchr(line, '\0', bytes))
		return "it has a byte 0";
	line[bytes] = '\0';
	int n = tw_csv_cut(&csv, line);
	if (n < 0 && n != TW_CSV_TOO_MANY)
		return "a quotation mark is missing, or one or a carriage return too many";
	if (n != layout->n)
		return n < 0 ? "it has too many columns" : "it has too few columns";
	const char *identity = layout->cells[layout->identity], *status = layout->cells[layout->status];
	*version = layout->cells[layout->version];
	if (!is_identity(identity))
		return "its identity is malformed";
	if (strcmp(status, "ok") != 0 && strcmp(status, "failed") != 0)
		return "its status is neither ok nor failed";
	memcpy(key->identity, identity, sizeof key->identity);
	key->failed = *status == 'f';
	return NULL;
}

static int add(struct tw__kept *rows, const struct tw__row_key *key, struct tw_error *err)
{
	if (!TW_HAS_ROOM(rows->keys, rows->capacity, rows->n + 1))
		return tw_fail(err, TW_NOMEM, "results: out of memory");
	rows->keys[rows->n++] = *key;
	return TW_OK;
}

static int read_header(struct tw__kept *rows, const struct layout *layout, const char *text, size_t bytes,
                       const char *path, struct tw_error *err)
{
	if (bytes >= layout->header_bytes && memcmp(text, layout->header, layout->header_bytes) == 0) {
		rows->whole_bytes = (int64_t)layout->header_bytes;
		return TW_OK;
	}
	if (bytes < layout->header_bytes && memcmp(text, layout->header, bytes) == 0) {
		if (bytes > 0)
			snprintf(rows->dropped, sizeof rows->dropped, "line 1 is cut");
		return TW_OK;
	}
	return tw_fail(err, TW_INVALID,
	               "%.200s:1: '%.*s': expected the columns that this command writes (version %s): give a new file",
	               path, (int)strcspn(text, "\n") < 60 ? (int)strcspn(text, "\n") : 60, text,
	               tw__results_version());
}

/* Reads the keys of all rows in a file's content. `text` has length `bytes`, and a terminating 0 behind. */
static int read_text(struct tw__kept *rows, const struct layout *layout, char *text, size_t bytes, const char *path,
                     struct tw_error *err)
{
	int status = read_header(rows, layout, text, bytes, path, err);
	if (status < 0 || rows->whole_bytes == 0)
		return status;
	char *line = text + rows->whole_bytes, *end = text + bytes;
	for (int64_t number = 2; status == TW_OK && line < end; number++) {
		struct tw__row_key key;
		const char *version = NULL;
		char *feed = memchr(line, '\n', (size_t)(end - line)), *behind = feed ? feed + 1 : end;
		const char *wrong = feed ? take_line(layout, line, (size_t)(feed - line), &key, &version) : "it is cut";
		if (wrong && behind == end) {
			snprintf(rows->dropped, sizeof rows->dropped, "line %lld is damaged (%s)", (long long)number,
			         wrong);
			return TW_OK;
		}
		if (wrong)
			return tw_fail(
				err, TW_INVALID,
				"%.200s:%lld: the line is damaged (%s): expected a row of results; nothing was changed",
				path, (long long)number, wrong);
		if (strcmp(version, tw__results_version()) != 0)
			return tw_fail(
				err, TW_INVALID,
				"%.200s:%lld: version '%.40s': expected %s, as rows of several versions must not be "
				"mixed: give a new file",
				path, (long long)number, version, tw__results_version());
		key.line = number;
		status = add(rows, &key, err);
		rows->whole_bytes = behind - text;
		line = behind;
	}
	return status;
}

/* Reads the whole file into a malloc'ed text with a terminating 0. */
static int read_all(char **text, size_t *bytes, int fd, const char *path, struct tw_error *err)
{
	size_t capacity = 0;
	*text = NULL;
	*bytes = 0;
	for (;;) {
		if (!TW_HAS_ROOM(*text, capacity, *bytes + MAX_LINE))
			return tw_fail(err, TW_NOMEM, "%.200s: out of memory", path);
		ssize_t n = pread(fd, *text + *bytes, capacity - *bytes - 1, (off_t)*bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return tw_fail(err, TW_INVALID, "--output '%.200s': cannot be read: %s", path, strerror(errno));
		(*text)[ *bytes += (size_t)n] = '\0';
		if (n == 0)
			return TW_OK;
	}
}

static int by_identity(const void *a, const void *b)
{
	return strcmp(((const struct tw__row_key *)a)->identity, ((const struct tw__row_key *)b)->identity);
}

static int by_identity_and_line(const void *a, const void *b)
{
	const struct tw__row_key *left = a, *right = b;
	int order = by_identity(a, b);
	return order ? order : (left->line > right->line) - (left->line < right->line);
}

/* Sorts the keys by identity; of several with one identity, only the last in the file stays. */
static void sort(struct tw__kept *rows)
{
	size_t kept = 0;
	qsort(rows->keys, rows->n, sizeof *rows->keys, by_identity_and_line);
	for (size_t i = 0; i < rows->n; i++)
		if (i + 1 == rows->n || strcmp(rows->keys[i].identity, rows->keys[i + 1].identity) != 0)
			rows->keys[kept++] = rows->keys[i];
	rows->n = kept;
}

int tw__kept_read(struct tw__kept *rows, int fd, const char *path, const char *header, struct tw_error *err)
{
	*rows = (struct tw__kept){0};
	struct layout layout;
	char *text = NULL;
	size_t bytes;
	int status = make_layout(&layout, header, err);
	if (status == TW_OK)
		status = read_all(&text, &bytes, fd, path, err);
	if (status == TW_OK)
		status = read_text(rows, &layout, text, bytes, path, err);
	if (status == TW_OK && rows->n)
		sort(rows);
	free(text);
	free(layout.cells);
	if (status < 0)
		tw__kept_finish(rows);
	return status;
}

const struct tw__row_key *tw__kept_find(const struct tw__kept *rows, const char *identity)
{
	struct tw__row_key key;
	memcpy(key.identity, identity, sizeof key.identity);
	return rows->n ? bsearch(&key, rows->keys, rows->n, sizeof *rows->keys, by_identity) : NULL;
}

void tw__kept_finish(struct tw__kept *rows)
{
	free(rows->keys);
	*rows = (struct tw__kept){0};
}
