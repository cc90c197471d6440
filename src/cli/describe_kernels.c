/* The table of a description's kernels. Kernels that differ only in size share a row. */
#include <stdlib.h>
#include <string.h>

#include "cli/describe_print.h"
#include "cli/grid.h"

enum { MOST_ROWS = 20 };

struct row {
	const struct tw__kernel *kernel; /* of the least number, if there are several */
	char *archs;
	int n_sizes;
	int64_t tasks;
	double flops;
};

/* "cpu, m2070"; malloc'ed, or NULL: out of memory. */
static char *archs_of(const struct described *d, tw_kernel k)
{
	const char *archs = d->graph.graph->kernels[k].archs, *comma = "";
	char *text = NULL;
	size_t length;
	if (!d->platform)
		return strdup(archs ? archs : "all");
	FILE *f = open_memstream(&text, &length);
	if (!f)
		return NULL;
	for (int i = 0; i < d->timed.n_archs; i++)
		if (described_runs_on(d, k, d->timed.on[i].arch)) {
			fprintf(f, "%s%s", comma, d->platform->archs[d->timed.on[i].arch].name);
			comma = ", ";
		}
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

static int compare_names(const struct row *a, const struct row *b)
{
	int order = strcmp(a->kernel->name, b->kernel->name);
	if (!order)
		order = strcmp(a->kernel->precision, b->kernel->precision);
	return order ? order : strcmp(a->archs, b->archs);
}

/* Kernels of one row lie together; of one row, those of lower numbers come first. */
static int by_name(const void *one, const void *other)
{
	const struct row *a = one, *b = other;
	int order = compare_names(a, b);
	return order ? order : (a->kernel > b->kernel) - (a->kernel < b->kernel);
}

/* Most tasks first. */
static int by_tasks(const void *one, const void *other)
{
	const struct row *a = one, *b = other;
	return a->tasks != b->tasks ? (a->tasks < b->tasks ? 1 : -1)
	                            : (a->kernel > b->kernel) - (a->kernel < b->kernel);
}

/* Joins the kernels of one row; returns the number of rows. */
static int join(struct row *rows, int n)
{
	int joined = 0;
	qsort(rows, (size_t)n, sizeof *rows, by_name);
	for (int i = 0; i < n; i++) {
		struct row *last = &rows[joined - 1];
		if (joined == 0 || compare_names(last, &rows[i]) != 0) {
			rows[joined++] = rows[i];
			continue;
		}
		last->n_sizes++;
		last->tasks += rows[i].tasks;
		last->flops += rows[i].flops;
		free(rows[i].archs);
	}
	qsort(rows, (size_t)joined, sizeof *rows, by_tasks);
	return joined;
}

static int print_rows(const struct row *rows, int n, struct tw_error *err)
{
	static const char *const titles[] = {"kernel", "size", "precision", "tasks", "flops", "runs on"};
	struct grid grid = {.columns = 6, .right = "l  rrl"};
	for (int i = 0; i < grid.columns; i++)
		grid_add(&grid, "%s", titles[i]);
	for (int i = 0; i < n && i < MOST_ROWS; i++) {
		grid_add(&grid, "%s", rows[i].kernel->name);
		if (rows[i].n_sizes > 1)
			grid_add(&grid, "%d sizes", rows[i].n_sizes);
		else
			grid_add(&grid, "%s", rows[i].kernel->size);
		grid_add(&grid, "%s", rows[i].kernel->precision);
		grid_add(&grid, "%lld", (long long)rows[i].tasks);
		if (rows[i].flops > 0)
			grid_add(&grid, "%.4g", rows[i].flops);
		else
			grid_add(&grid, "%s", ""); /* unknown */
		grid_add(&grid, "%s", rows[i].archs);
	}
	int status = grid_print(&grid, stdout, "  ", err);
	if (n > MOST_ROWS)
		printf("  ... and %d more, see --format json\n", n - MOST_ROWS);
	putchar('\n');
	return status;
}

int describe_print_kernels(const struct described *d, struct tw_error *err)
{
	const struct tw_graph *g = d->graph.graph;
	struct row *rows = calloc((size_t)g->n_kernels + 1, sizeof *rows);
	int n = 0;
	bool enough = rows;
	for (tw_kernel k = 0; enough && k < g->n_kernels; k++) {
		int tasks = (int)d->graph.kernel_tasks[k];
		rows[n] = (struct row){&g->kernels[k], archs_of(d, k), 1, tasks, tasks * g->kernels[k].flops};
		enough = rows[n].archs;
		n += enough;
	}
	n = enough ? join(rows, n) : n;
	int status = enough ? print_rows(rows, n, err) : tw_fail(err, TW_NOMEM, "describe: out of memory");
	for (int i = 0; i < n; i++)
		free(rows[i].archs);
	free(rows);
	return status;
}
