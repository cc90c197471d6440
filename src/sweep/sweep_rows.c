/* Reads the output file of a sweep: the keys of its rows, and whether its last line is complete. */
#include <stdlib.h>
#include <string.h>

#include "request/identity.h"
#include "results/rows.h"
#include "sweep/sweep.h"

/* The indices of the columns that are read, and the number of columns. */
struct layout {
	int n, status, version, identity;
};

/* Reads the first line, which must be the header. The reader stays at the begin if even the header is incomplete. */
static int read_header(struct tw__kept *rows, struct tw__records *r, const char *header, struct layout *layout,
                       struct tw_error *err)
{
	size_t bytes = strlen(header), there = (size_t)(r->end - r->text);
	if (memcmp(r->text, header, there < bytes ? there : bytes) != 0) {
		int length = (int)strcspn(r->text, "\n");
		return tw_fail(err, TW_INVALID,
		               "%.200s:1: '%.*s': expected the columns that this command writes (version %s): give a "
		               "new file",
		               r->path, length < 60 ? length : 60, r->text, tw__results_version());
	}
	if (there < bytes) {
		snprintf(rows->dropped, sizeof rows->dropped, "%s", there ? "line 1 is cut" : "");
		r->csv.at = r->end;
		return TW_OK;
	}
	rows->whole_bytes = (int64_t)bytes;
	layout->n = tw__records_next(r);
	for (int i = 0; i < layout->n; i++) {
		int *place = !strcmp(r->fields[i], "status")     ? &layout->status
		             : !strcmp(r->fields[i], "version")  ? &layout->version
		             : !strcmp(r->fields[i], "identity") ? &layout->identity
		                                                 : NULL;
		if (place)
			*place = i;
	}
	return TW_OK;
}

/* Returns what is wrong with the record just read; NULL: nothing. */
static const char *wrong(const struct tw__records *r, int n, const struct layout *layout)
{
	if (r->is_last && r->is_cut)
		return "it is cut";
	if (n < 0)
		return tw_csv_why(n);
	if (n != layout->n)
		return n < layout->n ? "it has too few columns" : "it has too many columns";
	const char *identity = r->fields[layout->identity], *status = r->fields[layout->status];
	if (strlen(identity) != TW__DIGEST_TEXT - 1 || strspn(identity, "0123456789abcdef") != TW__DIGEST_TEXT - 1)
		return "its identity is malformed";
	return strcmp(status, "ok") != 0 && strcmp(status, "failed") != 0 ? "its status is neither ok nor failed"
	                                                                  : NULL;
}

/* Reads the keys of all rows. */
static int read_rows(struct tw__kept *rows, struct tw__records *r, const struct layout *layout, struct tw_error *err)
{
	for (int n; (n = tw__records_next(r)) != 0;) {
		const char *why = wrong(r, n, layout);
		int line = r->csv.first_line;
		if (why && r->is_last) {
			snprintf(rows->dropped, sizeof rows->dropped, "line %d is damaged (%s)", line, why);
			return TW_OK;
		}
		if (why)
			return tw_fail(
				err, TW_INVALID,
				"%.200s:%d: the line is damaged (%s): expected a row of results; nothing was changed",
				r->path, line, why);
		if (strcmp(r->fields[layout->version], tw__results_version()) != 0)
			return tw_fail(
				err, TW_INVALID,
				"%.200s:%d: version '%.40s': expected %s, as rows of several versions must not be "
				"mixed: give a new file",
				r->path, line, r->fields[layout->version], tw__results_version());
		TW_RESERVE(rows->keys, rows->capacity, rows->n + 1);
		struct tw__row_key *key = &rows->keys[rows->n++];
		*key = (struct tw__row_key){.failed = *r->fields[layout->status] == 'f', .line = line};
		memcpy(key->identity, r->fields[layout->identity], sizeof key->identity);
		rows->whole_bytes = r->csv.at - r->text;
	}
	return TW_OK;
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
	struct tw__records r;
	struct layout layout = {0};
	*rows = (struct tw__kept){0};
	int status = tw__records_open(&r, path, fd, err);
	if (status == TW_OK)
		status = read_header(rows, &r, header, &layout, err);
	if (status == TW_OK)
		status = read_rows(rows, &r, &layout, err);
	if (status == TW_OK && rows->n)
		sort(rows);
	tw__records_finish(&r);
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
