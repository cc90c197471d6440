/* Prints the kernels, precisions, archs and sizes in a kernels.csv, and where their times come from. Sizes share a line
 * if the same archs have times for them, of the same kind. Sorting keeps this O(n log n): a file may have a million
 * rows. */
#include <stdlib.h>
#include <string.h>

#include "base/cell_table.h"
#include "cli/show.h"
#include "perf/rows.h"

/* Sizes, kernels and lines of a table that are named; further ones are only counted. */
enum { MAX_SIZES = 8, MAX_NAMES = 12, MAX_LINES = 100 };

typedef int compare_rows(const struct tw__row *, const struct tw__row *);

/* --- orders of rows ----------------------------------------------------------------------------------------------- */

/* Numbers in names count by value: 320 is before 1024. */
static int by_name(const struct tw__row *a, const struct tw__row *b)
{
	int order = strverscmp(a->kernel, b->kernel);
	return order ? order : strverscmp(a->precision, b->precision);
}

static int by_origin(const struct tw__row *a, const struct tw__row *b) { return (int)a->origin - (int)b->origin; }

static int by_size(const struct tw__row *a, const struct tw__row *b)
{
	int order = by_name(a, b);
	if (!order)
		order = strverscmp(a->size, b->size);
	return order ? order : by_origin(a, b);
}

static int by_source(const struct tw__row *a, const struct tw__row *b)
{
	int order = by_origin(a, b);
	return order ? order : strcmp(a->source, b->source);
}

static int by_caution(const struct tw__row *a, const struct tw__row *b) { return strcmp(a->caution, b->caution); }

static int by_kernel_and_origin(const struct tw__row *a, const struct tw__row *b)
{
	int order = strcmp(a->kernel, b->kernel);
	return order ? order : by_origin(a, b);
}

/* Compares pointers to rows: first as `compare` says, then by kernel and arch. */
static int in_order(const void *one, const void *other, void *compare)
{
	const struct tw__row *a = *(const struct tw__row *const *)one, *b = *(const struct tw__row *const *)other;
	int order = (*(compare_rows *const *)compare)(a, b);
	if (!order)
		order = strverscmp(a->kernel, b->kernel);
	if (!order)
		order = strverscmp(a->arch, b->arch);
	return order ? order : (a->cores > b->cores) - (a->cores < b->cores);
}

/* Returns the rows, sorted; malloc'ed. */
static const struct tw__row **sorted(const struct tw__models *models, compare_rows *compare)
{
	const struct tw__row **rows = tw_alloc((size_t)models->n_rows, sizeof *rows);
	for (int i = 0; i < models->n_rows; i++)
		rows[i] = &models->rows[i];
	if (models->n_rows)
		qsort_r(rows, (size_t)models->n_rows, sizeof *rows, in_order, &compare);
	return rows;
}

/* Returns the index behind rows[from] and the rows behind it that are equal to it by `compare`. */
static int end_of(const struct tw__row *const *rows, int n, int from, compare_rows *compare)
{
	int to = from + 1;
	while (to < n && compare(rows[to], rows[from]) == 0)
		to++;
	return to;
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* One size of a kernel in one precision, and the archs that have times of one kind for it. */
struct entry {
	const struct tw__row *first;
	char *archs; /* archs with a time for this size, as in "cpu, cpu x4, m2070" */
};

static int by_archs(const struct entry *a, const struct entry *b)
{
	int order = by_name(a->first, b->first);
	if (!order)
		order = by_origin(a->first, b->first);
	return order ? order : strcmp(a->archs, b->archs);
}

static int compare_entries(const void *one, const void *other)
{
	const struct entry *a = one, *b = other;
	int order = by_archs(a, b);
	return order ? order : strverscmp(a->first->size, b->first->size);
}

static char *archs_of(const struct tw__row *const *rows, int from, int to)
{
	struct cell_list archs = {0};
	for (int i = from; i < to; i++)
		if (rows[i]->cores > 1)
			tw__list_add(&archs, "%s x%d", rows[i]->arch, rows[i]->cores);
		else
			tw__list_add(&archs, "%s", rows[i]->arch);
	return tw__list_text(&archs);
}

static void print_entries(FILE *f, struct entry *entries, int n)
{
	static const struct cell_column columns[] = {{.title = "kernel"}, {.title = "precision"},
	                                             {.title = "times"},  {.title = "archs (xN: N cores)"},
	                                             {.title = "sizes"},  {0}};
	struct cell_table t = {.columns = columns, .indent = "  "};
	qsort(entries, (size_t)n, sizeof *entries, compare_entries);
	for (int i = 0, from = 0; i < n; from = i) {
		const struct tw__row *row = entries[from].first;
		struct cell_list sizes = {.most = MAX_SIZES};
		for (; i < n && by_archs(&entries[i], &entries[from]) == 0; i++)
			tw__list_add(&sizes, "%s", entries[i].first->size);
		tw__cells_add(&t, cell_text(row->kernel), cell_text(row->precision),
		              cell_text(tw__origin_names[row->origin]), cell_text(entries[from].archs),
		              tw__list_cell(&sizes));
	}
	fputs("\nkernel times\n", f);
	tw__cells_print(&t, f);
}

static void print_kernels(FILE *f, const struct tw__models *models)
{
	int n = models->n_rows, n_entries = 0;
	const struct tw__row **rows = sorted(models, by_size);
	struct entry *entries = tw_alloc((size_t)n, sizeof *entries);
	for (int from = 0, to; from < n; from = to) {
		to = end_of(rows, n, from, by_size);
		entries[n_entries++] = (struct entry){rows[from], archs_of(rows, from, to)};
	}
	print_entries(f, entries, n_entries);
	for (int i = 0; i < n_entries; i++)
		free(entries[i].archs);
	free(entries);
	free(rows);
}

/* --- sources and cautions ----------------------------------------------------------------------------------------- */

/* The names of the kernels in rows[from .. to - 1], which are sorted by kernel. */
static struct cell kernels_in(const struct tw__row *const *rows, int from, int to)
{
	struct cell_list kernels = {.most = MAX_NAMES};
	for (int i = from; i < to; i++)
		if (i == from || strcmp(rows[i]->kernel, rows[i - 1]->kernel) != 0)
			tw__list_add(&kernels, "%s", rows[i]->kernel);
	return tw__list_cell(&kernels);
}

/* Prints a table of the sources, or of the cautions; nothing if no row has one. */
static void print_notes(FILE *f, const struct tw__models *models, bool are_sources)
{
	static const struct cell_column columns[] = {{.title = ""}, {.title = ""}, {.title = ""}, {0}};
	struct cell_table t = {.columns = are_sources ? columns : columns + 1, .indent = "  "};
	compare_rows *compare = are_sources ? by_source : by_caution;
	const struct tw__row **rows = sorted(models, compare);
	int lines = 0, n = models->n_rows;
	for (int from = 0, to; from < n; from = to) {
		const struct tw__row *row = rows[from];
		to = end_of(rows, n, from, compare);
		if (!*(are_sources ? row->source : row->caution) || lines++ >= MAX_LINES)
			continue;
		if (are_sources)
			tw__cells_add(&t, cell_text(tw__origin_names[row->origin]), cell_text(row->source),
			              kernels_in(rows, from, to));
		else
			tw__cells_add(&t, kernels_in(rows, from, to), cell_text(row->caution));
	}
	free(rows);
	if (lines)
		fputs(are_sources ? "\nsources of kernel times\n" : "\ncautions\n", f);
	tw__cells_print(&t, f);
	if (lines > MAX_LINES)
		fprintf(f, "  and %d more\n", lines - MAX_LINES);
}

void print_kernel_times(FILE *f, const struct tw__models *models)
{
	if (models->n_rows == 0)
		fprintf(f, "\nkernel times: none in %s\n", models->path);
	else
		print_kernels(f, models);
	print_notes(f, models, true);
	print_notes(f, models, false);
}

char *summary_of_times(const struct tw__models *models)
{
	int counts[TW__N_ORIGINS] = {0}, n = models ? models->n_rows : 0;
	struct cell_list list = {0};
	const struct tw__row **rows = models ? sorted(models, by_kernel_and_origin) : NULL;
	for (int from = 0; from < n; from = end_of(rows, n, from, by_kernel_and_origin))
		counts[rows[from]->origin]++;
	free(rows);
	for (int i = 0; i < TW__N_ORIGINS; i++)
		if (counts[i])
			tw__list_add(&list, "%d %s", counts[i], tw__origin_names[i]);
	if (!list.n)
		tw__list_add(&list, "none");
	return tw__list_text(&list);
}
