/* Reads damaged files of results, as figures and comparisons do, and as a resumed sweep does. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "results/adapt.h"
#include "results/write.h"
#include "request/identity.h"
#include "results/points.h"
#include "sweep/sweep.h"
#include "memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void require(bool holds, const char *what, const struct tw_error *err)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s\n", what, err ? err->message : "");
	abort();
}

/* Error messages name the file. */
static void check_error(int status, const struct tw_error *err, const char *path)
{
	require(status == TW_INVALID && strstr(err->message, path), "message", err);
}

static void check_cells(const struct tw__rows *rows, const char *path)
{
	struct tw_error err = {""};
	for (int row = 0; row < rows->n_rows; row++) {
		require(rows->lines[row] > (row ? rows->lines[row - 1] : 1), "lines", NULL);
		for (int column = -1; column < rows->n_columns; column++) {
			double value;
			const char *text = tw__rows_text(rows, row, column);
			require(strlen(text) < 1 << 20, "cell", NULL);
			int status = tw__rows_number(rows, row, column, &value, &err);
			if (status < 0)
				check_error(status, &err, path);
			else
				require(isfinite(value) || (isnan(value) && !*text), "number", NULL);
		}
	}
}

static void check_points(const struct tw__rows *rows)
{
	int columns[TW__MAX_POINT_COLUMNS], n_columns = tw__point_columns_of(rows, NULL, columns);
	int *group = tw_alloc((size_t)rows->n_rows, sizeof *group);
	int n = tw__rows_group(rows, columns, n_columns, group), known = 0;
	require(n >= 0 && n <= rows->n_rows, "groups", NULL);
	for (int row = 0; row < rows->n_rows; row++) { /* groups are numbered in the order of their first rows */
		require(group[row] >= 0 && group[row] <= known, "group", NULL);
		known += group[row] == known;
	}
	require(known == n, "groups", NULL);
	free(group);
}

/* Returns the number of rows, or a negative number. */
static int read_rows(const char *path)
{
	static const char *const where[] = {"policy=eager,lws", NULL};
	static const char *const columns[] = {"workload=w:nt={policy}", "policy={policy}.{workload}", NULL};
	static const char *const scales[] = {"makespan_s=0.001", NULL};
	static const struct tw__adaptation how = {.columns = columns, .scales = scales};
	struct tw__rows rows;
	struct tw_error err = {""};
	int status = tw__rows_read(&rows, path, &err), n = -1;
	if (status < 0) {
		check_error(status, &err, path);
		return n;
	}
	n = rows.n_rows;
	check_cells(&rows, path);
	check_points(&rows);
	status = tw__rows_adapt(&rows, &how, &err);
	if (status < 0)
		check_error(status, &err, path);
	else
		check_cells(&rows, path);
	status = tw__rows_choose(&rows, where, &err);
	if (status < 0)
		check_error(status, &err, path);
	else
		require(rows.n_rows > 0 && rows.n_rows <= n, "choice", NULL);
	tw__rows_finish(&rows);
	return n;
}

/* Replaces the word "@version" by this version, so that the corpus stays valid. */
static void write_bytes(FILE *f, const uint8_t *bytes, size_t n)
{
	static const char word[] = "@version";
	const size_t length = sizeof word - 1;
	for (const uint8_t *found; (found = memmem(bytes, n, word, length)) != NULL;) {
		fwrite(bytes, 1, (size_t)(found - bytes), f);
		fputs(tw__results_version(), f);
		n -= (size_t)(found - bytes) + length;
		bytes = found + length;
	}
	fwrite(bytes, 1, n, f);
}

/* Reads the bytes after this version's header, which a fuzzer would not find. Figures can read the
 * rows that a sweep keeps. */
static void read_kept(const uint8_t *bytes, size_t n)
{
	char *text, path[64];
	size_t size;
	FILE *f = open_memstream(&text, &size);
	require(f != NULL, "memory", NULL);
	char *header = tw__result_header(&(struct tw__column_choice){0});
	require(header != NULL, "memory", NULL);
	fputs(header, f);
	write_bytes(f, bytes, n);
	require(fclose(f) == 0, "memory", NULL);
	int fd = memory_file(path, (const uint8_t *)text, size);
	struct tw__kept kept;
	struct tw_error err = {""};
	int status = tw__kept_read(&kept, fd, path, header, &err);
	if (status == TW_OK) {
		for (size_t i = 0; i < kept.n; i++)
			require(tw__kept_find(&kept, kept.keys[i].identity) == &kept.keys[i], "key", NULL);
		require(kept.whole_bytes >= 0 && (size_t)kept.whole_bytes <= size, "size", NULL);
		require(ftruncate(fd, kept.whole_bytes) == 0, "ftruncate", NULL);
		require(kept.n == 0 || read_rows(path) >= (int)kept.n, "a sweep's rows as a figure's", NULL);
		tw__kept_finish(&kept);
	} else {
		check_error(status, &err, path);
	}
	close(fd);
	free(header);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char path[64];
	int fd = memory_file(path, bytes, n);
	read_rows(path);
	close(fd);
	read_kept(bytes, n);
	return 0;
}
