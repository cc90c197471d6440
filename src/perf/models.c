/* Reads kernels.csv: one measured kernel time a row. The file may come from anywhere; everything in it is checked. */
#include "perf/rows.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* uthash ends the process when memory is short, unless told otherwise. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) ((entry)->row = TW_NONE)
#include <uthash.h>

#include <tilewright/array.h>

#include "base/one_line.h"
#include "base/spec.h"
#include "perf/csv.h"

enum { MAX_LINE_BYTES = 64 << 10, MAX_ROWS = 1 << 20, MAX_NAME = 255, MAX_CORES = 1 << 20 };

enum { KERNEL, ARCH, CORES, SIZE, PRECISION, MEAN, STDDEV, SAMPLES, NOTE, N_COLUMNS };
const char tw__kernels_header[] = "kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note";
static const char *const columns[N_COLUMNS] = {
	"kernel", "arch", "cores", "size", "precision", "mean_us", "stddev_us", "samples", "note",
};

struct tw__row_index {
	UT_hash_handle hh;
	int row;
	char key[];
};

struct reader {
	struct tw__models *models;
	struct tw_error *err;
	int line;
	bool seen_header;
};

static int TW_PRINTF(2, 3) fail(const struct reader *r, const char *format, ...)
{
	char text[sizeof r->err->message];
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	return tw_fail(r->err, TW_INVALID, "%s:%d: %s", r->models->path, r->line, text);
}

static int no_memory(const struct reader *r)
{
	return tw_fail(r->err, TW_NOMEM, "%s:%d: out of memory", r->models->path, r->line);
}

/* What tells rows apart, in one text; no name holds a line break. NULL: out of memory. */
static char *make_key(const char *kernel, const char *size, const char *precision, const char *arch, int cores)
{
	char *key;
	return asprintf(&key, "%s\n%s\n%s\n%s\n%d", kernel, size, precision, arch, cores) < 0 ? NULL : key;
}

const struct tw__row *tw__models_find(const struct tw__models *models, const char *kernel, const char *size,
                                      const char *precision, const char *arch, int cores, bool *short_of_memory)
{
	struct tw__row_index *entry = NULL;
	char *key = make_key(kernel, size, precision, arch, cores);
	*short_of_memory = !key;
	if (!key)
		return NULL;
	HASH_FIND_STR(models->index, key, entry);
	free(key);
	return entry ? &models->rows[entry->row] : NULL;
}

static int add_to_index(const struct reader *r, const struct tw__row *row, int place)
{
	char *key = make_key(row->kernel, row->size, row->precision, row->arch, row->cores);
	size_t length = key ? strlen(key) : 0;
	struct tw__row_index *entry = key ? malloc(sizeof *entry + length + 1) : NULL;
	if (entry) {
		memcpy(entry->key, key, length + 1);
		entry->row = place;
		HASH_ADD_STR(r->models->index, key, entry);
		if (entry->row == TW_NONE) {
			free(entry);
			entry = NULL;
		}
	}
	free(key);
	return entry ? TW_OK : no_memory(r);
}

/* Of times in microseconds. */
static int read_number(const struct reader *r, double *number, int column, const char *text, bool may_be_0)
{
	const double most = TW_MAX_SECONDS * 1e6;
	struct tw_error ignored;
	if (tw__parse_real(number, text, &ignored) < 0 || *number < 0 || *number > most || (*number == 0 && !may_be_0))
		return fail(r, "%s '%.80s': expected a number %s, at most %g", columns[column], text,
		            may_be_0 ? "from 0" : "above 0", most);
	return TW_OK;
}

static int read_count(const struct reader *r, int64_t *count, int column, const char *text, int64_t least, int64_t most)
{
	struct tw_error ignored;
	if (tw__parse_int(count, text, &ignored) < 0 || *count < least || *count > most)
		return fail(r, "%s '%.80s': expected a whole number from %lld to %lld", columns[column], text,
		            (long long)least, (long long)most);
	return TW_OK;
}

/* The four names of a row, copied into one allocation. */
static int copy_names(const struct reader *r, struct tw__row *row, char **fields)
{
	static const int names[] = {KERNEL, ARCH, SIZE, PRECISION};
	char **copies[] = {&row->kernel, &row->arch, &row->size, &row->precision};
	size_t lengths[4], total = 0;
	for (int i = 0; i < 4; i++) {
		lengths[i] = strlen(fields[names[i]]);
		if (lengths[i] == 0 || lengths[i] > MAX_NAME)
			return fail(r, "%s of %zu bytes, expected 1 to %d", columns[names[i]], lengths[i], MAX_NAME);
		if (!tw__is_text(fields[names[i]]))
			return fail(r, "%s '%.80s': expected text in UTF-8, without control characters",
			            columns[names[i]], fields[names[i]]);
		total += lengths[i] + 1;
	}
	char *to = malloc(total);
	if (!to)
		return no_memory(r);
	for (int i = 0; i < 4; i++) {
		memcpy(to, fields[names[i]], lengths[i] + 1);
		*copies[i] = to;
		to += lengths[i] + 1;
	}
	return TW_OK;
}

static int add_row(struct reader *r, char **fields)
{
	struct tw__models *models = r->models;
	struct tw__row row = {.line = r->line};
	int64_t cores;
	int status = read_count(r, &cores, CORES, fields[CORES], 1, MAX_CORES);
	if (status == TW_OK)
		status = read_number(r, &row.mean_us, MEAN, fields[MEAN], false);
	if (status == TW_OK)
		status = read_number(r, &row.stddev_us, STDDEV, fields[STDDEV], true);
	if (status == TW_OK)
		status = read_count(r, &row.samples, SAMPLES, fields[SAMPLES], 0, INT64_MAX);
	if (status < 0)
		return status;
	row.cores = (int)cores;

	bool short_of_memory;
	const struct tw__row *same = tw__models_find(models, fields[KERNEL], fields[SIZE], fields[PRECISION],
	                                             fields[ARCH], row.cores, &short_of_memory);
	if (short_of_memory)
		return no_memory(r);
	if (same)
		return fail(r,
		            "%.60s of size %.60s, precision %.20s on %.60s with %d cores is on line %d already, "
		            "expected one row",
		            same->kernel, same->size, same->precision, same->arch, same->cores, same->line);
	if (models->n_rows == MAX_ROWS)
		return fail(r, "too many rows, expected at most %d", MAX_ROWS);
	if (!TW_HAS_ROOM(models->rows, models->capacity, (size_t)models->n_rows + 1))
		return no_memory(r);
	status = copy_names(r, &row, fields);
	if (status < 0)
		return status;
	models->rows[models->n_rows++] = row;
	return add_to_index(r, &row, models->n_rows - 1);
}

/* `line` has room for one byte more than `length`. */
static int read_line(struct reader *r, char *line, size_t length)
{
	if (memchr(line, '\0', length))
		return fail(r, "a zero byte, expected text in UTF-8");
	line[length] = '\0';
	if (r->line == 1 && !strncmp(line, "\xef\xbb\xbf", 3)) /* a byte order mark, as spreadsheets write it */
		line += 3, length -= 3;
	if (length && line[length - 1] == '\r')
		line[length - 1] = '\0';
	if (line[strspn(line, " \t")] == '\0' || line[0] == '#')
		return TW_OK;
	if (strpbrk(line, "\r"))
		return fail(r, "a carriage return inside a line, expected lines that end with LF or CR LF");
	if (!r->seen_header) {
		if (strcmp(line, tw__kernels_header) != 0)
			return fail(r, "'%.80s': expected the header %s", line, tw__kernels_header);
		r->seen_header = true;
		return TW_OK;
	}
	char *fields[N_COLUMNS];
	const char *why = NULL;
	int n = tw__csv_split(line, fields, N_COLUMNS, &why);
	if (n < 0)
		return fail(r, "%s, expected the %d of the header", why, N_COLUMNS);
	if (n < N_COLUMNS)
		return fail(r, "%d fields, expected the %d of the header", n, N_COLUMNS);
	return add_row(r, fields);
}

static int read_lines(struct reader *r, FILE *file, char *line)
{
	size_t length = 0;
	for (;;) {
		int c = getc_unlocked(file);
		if (c == EOF && ferror(file))
			return tw_fail(r->err, TW_INVALID, "%s: %s, expected kernel times", r->models->path,
			               strerror(errno));
		if (c != EOF && c != '\n') {
			if (length == MAX_LINE_BYTES) {
				r->line++;
				return fail(r, "a line of more than %d bytes, expected shorter ones", MAX_LINE_BYTES);
			}
			line[length++] = (char)c;
			continue;
		}
		if (c == '\n' || length) {
			r->line++;
			int status = read_line(r, line, length);
			if (status < 0)
				return status;
			length = 0;
		}
		if (c == EOF)
			return TW_OK;
	}
}

static int read_file(struct reader *r, FILE *file)
{
	char *line = malloc(MAX_LINE_BYTES + 1);
	int status = line ? read_lines(r, file, line) : no_memory(r);
	free(line);
	if (status == TW_OK && !r->seen_header) {
		r->line++;
		status = fail(r, "no header, expected %s", tw__kernels_header);
	}
	return status;
}

int tw__models_read(struct tw__models **read, const char *path, struct tw_error *err)
{
	*read = NULL;
	struct tw__models *models = calloc(1, sizeof *models);
	if (!models || !(models->path = strdup(path))) {
		tw__models_destroy(models);
		return tw_fail(err, TW_NOMEM, "%s: out of memory", path);
	}
	struct reader r = {.models = models, .err = err};
	FILE *file = fopen(path, "re");
	int status;
	if (file) {
		status = read_file(&r, file);
		fclose(file);
	} else {
		status = tw_fail(err, TW_INVALID, "%s: %s, expected kernel times", path, strerror(errno));
	}
	if (status == TW_OK && !tw__between_prepare(models))
		status = tw_fail(err, TW_NOMEM, "%s: out of memory", path);
	if (status < 0)
		tw__models_destroy(models);
	else
		*read = models;
	return status;
}

void tw__models_extrapolate(struct tw__models *models) { models->extrapolate = true; }

void tw__models_destroy(struct tw__models *models)
{
	if (!models)
		return;
	struct tw__row_index *entry, *next;
	HASH_ITER(hh, models->index, entry, next)
	{
		HASH_DEL(models->index, entry);
		free(entry);
	}
	for (int i = 0; i < models->n_rows; i++)
		free(models->rows[i].kernel);
	free(models->rows);
	free(models->by_cores);
	free(models->path);
	free(models);
}
