/* Prints the kernels, precisions, archs and sizes in a kernels.csv, and whether the times were measured. Sizes share a
 * line if the same archs have times for them, of the same kind. Sorting keeps this O(n log n): a file may have a
 * million rows. */
#include <stdlib.h>
#include <string.h>

#include "cli/grid.h"
#include "cli/show.h"
#include "perf/rows.h"

enum { MAX_SIZES = 8 }; /* sizes named in one line; further ones are only counted */

/* One size of a kernel in one precision, and the archs that have times of one kind for it. */
struct entry {
	const struct tw__row *first;
	char *archs; /* archs with a time for this size, as in "cpu, cpu x4, m2070" */
};

/* Orders rows by kernel and precision. Numbers in names count by value: 320 is before 1024. */
static int compare_names(const struct tw__row *a, const struct tw__row *b)
{
	int order = strverscmp(a->kernel, b->kernel);
	return order ? order : strverscmp(a->precision, b->precision);
}

static int compare_origins(const struct tw__row *a, const struct tw__row *b) { return (int)a->origin - (int)b->origin; }

static int compare_rows(const void *one, const void *other)
{
	const struct tw__row *a = *(const struct tw__row *const *)one, *b = *(const struct tw__row *const *)other;
	int order = compare_names(a, b);
	if (!order)
		order = strverscmp(a->size, b->size);
	if (!order)
		order = compare_origins(a, b);
	if (!order)
		order = strverscmp(a->arch, b->arch);
	return order ? order : (a->cores > b->cores) - (a->cores < b->cores);
}

static int compare_entries(const void *one, const void *other)
{
	const struct entry *a = one, *b = other;
	int order = compare_names(a->first, b->first);
	if (!order)
		order = compare_origins(a->first, b->first);
	if (!order)
		order = strcmp(a->archs, b->archs);
	return order ? order : strverscmp(a->first->size, b->first->size);
}

static bool share_archs(const struct tw__row *a, const struct tw__row *b)
{
	return !compare_names(a, b) && !strcmp(a->size, b->size) && !compare_origins(a, b);
}

/* Returns the archs of rows[from] and of the rows behind it with the same kernel, precision, size and origin. `*end`:
 * index behind these rows. malloc'ed; NULL: out of memory. */
static char *archs_of(const struct tw__row *const *rows, int n, int from, int *end)
{
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);
	if (!f)
		return NULL;
	int i = from;
	for (; i < n && share_archs(rows[i], rows[from]); i++) {
		fprintf(f, "%s%s", i > from ? ", " : "", rows[i]->arch);
		if (rows[i]->cores > 1)
			fprintf(f, " x%d", rows[i]->cores);
	}
	*end = i;
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

/* Returns the sizes of entries[from] and of the entries behind it that differ only in size. `*end`: index behind these
 * entries. malloc'ed; NULL: out of memory. */
static char *sizes_of(const struct entry *entries, int n, int from, int *end)
{
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);
	if (!f)
		return NULL;
	int i = from;
	for (;
	     i < n && !compare_names(entries[i].first, entries[from].first) &&
	     !compare_origins(entries[i].first, entries[from].first) && !strcmp(entries[i].archs, entries[from].archs);
	     i++)
		if (i - from < MAX_SIZES)
			fprintf(f, "%s%s", i > from ? ", " : "", entries[i].first->size);
	if (i - from > MAX_SIZES)
		fprintf(f, " and %d more", i - from - MAX_SIZES);
	*end = i;
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

static int print_entries(FILE *f, struct entry *entries, int n, struct tw_error *err)
{
	struct grid g = {.columns = 5};
	for (const char *const *title =
	             (const char *const[]){"kernel", "precision", "times", "archs (xN: N cores)", "sizes", NULL};
	     *title; title++)
		grid_add(&g, "%s", *title);
	qsort(entries, (size_t)n, sizeof *entries, compare_entries);
	for (int i = 0; i < n && !g.short_of_memory;) {
		const struct entry *entry = &entries[i];
		grid_add(&g, "%s", entry->first->kernel);
		grid_add(&g, "%s", entry->first->precision);
		grid_add(&g, "%s", tw__origin_names[entry->first->origin]);
		grid_add(&g, "%s", entry->archs);
		grid_take(&g, sizes_of(entries, n, i, &i));
	}
	fputs("\nkernel times\n", f);
	return grid_print(&g, f, "  ", err);
}

int print_kernel_times(FILE *f, const struct tw__models *models, struct tw_error *err)
{
	int n = models->n_rows, n_entries = 0;
	if (n == 0) {
		fprintf(f, "\nkernel times: none in %s\n", models->path);
		return TW_OK;
	}
	const struct tw__row **rows = calloc((size_t)n, sizeof *rows);
	struct entry *entries = calloc((size_t)n, sizeof *entries);
	bool whole = rows && entries;
	for (int i = 0; whole && i < n; i++)
		rows[i] = &models->rows[i];
	if (whole)
		qsort(rows, (size_t)n, sizeof *rows, compare_rows);
	for (int i = 0; whole && i < n;) {
		struct entry *entry = &entries[n_entries];
		entry->first = rows[i];
		entry->archs = archs_of(rows, n, i, &i);
		whole = entry->archs;
		n_entries += whole;
	}
	int status = whole ? print_entries(f, entries, n_entries, err) : tw_fail(err, TW_NOMEM, "out of memory");
	for (int i = 0; i < n_entries; i++)
		free(entries[i].archs);
	free(entries);
	free(rows);
	return status;
}
