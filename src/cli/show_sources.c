/* Prints where the times of a kernels.csv come from, and the cautions of its rows. */
#include <stdlib.h>
#include <string.h>

#include "cli/grid.h"
#include "cli/show.h"
#include "perf/rows.h"

enum { MAX_NAMES = 12, MAX_LINES = 100 }; /* kernels of a source, and lines of a table; further ones are only counted */

static int compare_sources(const struct tw__row *a, const struct tw__row *b)
{
	return a->origin != b->origin ? (int)a->origin - (int)b->origin : strcmp(a->source, b->source);
}

static int by_source(const void *one, const void *other)
{
	const struct tw__row *a = *(const struct tw__row *const *)one, *b = *(const struct tw__row *const *)other;
	int order = compare_sources(a, b);
	return order ? order : strverscmp(a->kernel, b->kernel);
}

static int by_caution(const void *one, const void *other)
{
	const struct tw__row *a = *(const struct tw__row *const *)one, *b = *(const struct tw__row *const *)other;
	int order = strcmp(a->caution, b->caution);
	return order ? order : strverscmp(a->kernel, b->kernel);
}

static int by_kernel(const void *one, const void *other)
{
	const struct tw__row *a = *(const struct tw__row *const *)one, *b = *(const struct tw__row *const *)other;
	int order = strcmp(a->kernel, b->kernel);
	return order ? order : (int)a->origin - (int)b->origin;
}

/* Returns the rows, sorted; malloc'ed; NULL: out of memory. */
static const struct tw__row **sorted(const struct tw__models *models, int (*compare)(const void *, const void *))
{
	const struct tw__row **rows = calloc((size_t)models->n_rows + 1, sizeof *rows);
	for (int i = 0; rows && i < models->n_rows; i++)
		rows[i] = &models->rows[i];
	if (rows && models->n_rows)
		qsort(rows, (size_t)models->n_rows, sizeof *rows, compare);
	return rows;
}

/* Returns the names of the kernels in rows[from .. to - 1], which are sorted by kernel. malloc'ed; NULL: out of
 * memory. */
static char *kernels_in(const struct tw__row *const *rows, int from, int to)
{
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);
	int n = 0;
	for (int i = from; f && i < to; i++) {
		if (i > from && strcmp(rows[i]->kernel, rows[i - 1]->kernel) == 0)
			continue;
		if (n++ < MAX_NAMES)
			fprintf(f, "%s%s", i > from ? ", " : "", rows[i]->kernel);
	}
	if (f && n > MAX_NAMES)
		fprintf(f, " and %d more", n - MAX_NAMES);
	if (f && fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

/* Prints a table, and how many lines it leaves out. */
static int print_table(struct grid *g, FILE *f, int left_out, struct tw_error *err)
{
	int status = grid_print(g, f, "  ", err);
	if (status == TW_OK && left_out > 0)
		fprintf(f, "  and %d more\n", left_out);
	return status;
}

static int print_all_sources(FILE *f, const struct tw__row *const *rows, int n, struct tw_error *err)
{
	struct grid g = {.columns = 3};
	int lines = 0;
	for (int from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && compare_sources(rows[to], rows[from]) == 0;)
			to++;
		if (!*rows[from]->source || lines++ >= MAX_LINES)
			continue;
		grid_add(&g, "%s", tw__origin_names[rows[from]->origin]);
		grid_add(&g, "%s", rows[from]->source);
		grid_take(&g, kernels_in(rows, from, to));
	}
	if (lines)
		fputs("\nsources of kernel times\n", f);
	return print_table(&g, f, lines - MAX_LINES, err);
}

static int print_cautions(FILE *f, const struct tw__row *const *rows, int n, struct tw_error *err)
{
	struct grid g = {.columns = 2};
	int lines = 0;
	for (int from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && strcmp(rows[to]->caution, rows[from]->caution) == 0;)
			to++;
		if (!*rows[from]->caution || lines++ >= MAX_LINES)
			continue;
		grid_take(&g, kernels_in(rows, from, to));
		grid_add(&g, "%s", rows[from]->caution);
	}
	if (lines)
		fputs("\ncautions\n", f);
	return print_table(&g, f, lines - MAX_LINES, err);
}

int print_sources(FILE *f, const struct tw__models *models, struct tw_error *err)
{
	const struct tw__row **rows = sorted(models, by_source);
	int status = rows ? print_all_sources(f, rows, models->n_rows, err) : tw_fail(err, TW_NOMEM, "out of memory");
	if (status == TW_OK) {
		qsort(rows, (size_t)models->n_rows, sizeof *rows, by_caution);
		status = print_cautions(f, rows, models->n_rows, err);
	}
	free(rows);
	return status;
}

char *summary_of_times(const struct tw__models *models)
{
	int counts[TW__N_ORIGINS] = {0};
	char *text = NULL;
	size_t length;
	if (!models)
		return strdup("none");
	const struct tw__row **rows = sorted(models, by_kernel);
	FILE *f = rows ? open_memstream(&text, &length) : NULL;
	for (int i = 0; rows && i < models->n_rows; i++)
		counts[rows[i]->origin] += i == 0 || by_kernel(&rows[i], &rows[i - 1]) != 0;
	free(rows);
	if (!f)
		return NULL;
	const char *between = "";
	for (int i = 0; i < TW__N_ORIGINS; i++)
		if (counts[i]) {
			fprintf(f, "%s%d %s", between, counts[i], tw__origin_names[i]);
			between = ", ";
		}
	if (!*between)
		fputs("none", f);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}
