/* A description as text. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cell_table.h"
#include "base/print.h"
#include "base/spec.h"
#include "cli/describe_text.h"
#include "graph/parts.h"

enum { MOST_COLUMNS = TW__PARALLELISM_BINS, MOST_KERNELS = 20 };

/* A piece of text that can be an argument of printf. */
struct piece {
	char text[64];
};

static struct piece amount(double bytes)
{
	struct piece piece;
	tw__amount_text(piece.text, sizeof piece.text, bytes);
	return piece;
}

static struct piece plural(double n, const char *what)
{
	struct piece piece;
	snprintf(piece.text, sizeof piece.text, "%.15g %s%s", n, what, n == 1 ? "" : "s");
	return piece;
}

static TW_PRINTF(2, 3) void line(const char *label, const char *format, ...)
{
	va_list values;
	printf("  %-30s ", label);
	va_start(values, format);
	vprintf(format, values);
	va_end(values);
	putchar('\n');
}

/* Prints a row of at most MOST_COLUMNS bars, each an eighth to eight eighths of a line high; a blank for 0. */
static void print_bars(const char *label, const double *height, int n)
{
	static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	char row[4 * MOST_COLUMNS + 1] = "", *end = row;
	double most = 0;
	for (int i = 0; i < n; i++)
		most = fmax(most, height[i]);
	for (int i = 0; i < n; i++)
		end = stpcpy(end, bars[height[i] > 0 ? (int)fmax(1, ceil(8 * height[i] / most - 1e-9)) : 0]);
	line(label, "|%s| highest %.4g", row, most);
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* Kernels that differ only in size share a row. */
struct row {
	const struct tw__kernel *kernel; /* of the least number, if there are several */
	char *archs;
	int n_sizes;
	int64_t tasks;
	double flops;
};

/* "cpu, m2070"; malloc'ed. */
static char *archs_of(const struct tw__described *d, tw_kernel k)
{
	const char *archs = d->graph.graph->kernels[k].archs;
	struct cell_list list = {0};
	if (!d->platform)
		return tw_copy_text(archs ? archs : "all");
	for (int i = 0; i < d->timed.n_archs; i++)
		if (tw__described_runs_on(d, k, d->timed.on[i].arch))
			tw__list_add(&list, "%s", d->platform->archs[d->timed.on[i].arch].name);
	return tw__list_text(&list);
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

static void print_rows(const struct row *rows, int n)
{
	static const struct cell_column columns[] = {{.title = "kernel"},
	                                             {.title = "size"},
	                                             {.title = "precision"},
	                                             {.title = "tasks"},
	                                             {.title = "flops", .format = "%.4g", .align = 'r'},
	                                             {.title = "runs on"},
	                                             {0}};
	struct cell_table t = {.columns = columns, .indent = "  "};
	for (int i = 0; i < n && i < MOST_KERNELS; i++) {
		const struct row *r = &rows[i];
		tw__cells_add(&t, cell_text(r->kernel->name),
		              r->n_sizes > 1 ? cell_format("%d sizes", r->n_sizes) : cell_text(r->kernel->size),
		              cell_text(r->kernel->precision), cell_integer(r->tasks),
		              r->flops > 0 ? cell_real(r->flops) : cell_text(""), /* unknown */
		              cell_text(r->archs));
	}
	tw__cells_print(&t, stdout);
	if (n > MOST_KERNELS)
		printf("  ... and %d more, see --format json\n", n - MOST_KERNELS);
	putchar('\n');
}

/* Of several graphs, prints each. */
static void print_graphs(const struct tw__described *d)
{
	static const struct cell_column columns[] = {{.title = "graph"},
	                                             {.title = "arrival", .align = 'r', .unit = UNIT_DURATION},
	                                             {.title = "tasks"},
	                                             {.title = "flops", .format = "%.4g", .align = 'r'},
	                                             {0}};
	const struct tw_graph *g = d->graph.graph;
	struct cell_table t = {.columns = columns, .indent = "  "};
	if (!g->n_parts)
		return;
	for (int i = 0; i < g->n_parts; i++) {
		const struct tw__graph_part *part = &g->parts[i];
		tw__cells_add(&t, cell_text(part->name), cell_ns(part->arrival),
		              cell_integer(tw__graph_part_end(g, i) - part->first),
		              part->flops > 0 ? cell_real(part->flops) : cell_text("")); /* unknown */
	}
	tw__cells_print(&t, stdout);
	putchar('\n');
}

static void print_kernels(const struct tw__described *d)
{
	const struct tw_graph *g = d->graph.graph;
	struct row *rows = tw_alloc((size_t)g->n_kernels, sizeof *rows);
	for (tw_kernel k = 0; k < g->n_kernels; k++) {
		int tasks = (int)d->graph.kernel_tasks[k];
		rows[k] = (struct row){&g->kernels[k], archs_of(d, k), 1, tasks, tasks * g->kernels[k].flops};
	}
	int n = join(rows, g->n_kernels);
	print_rows(rows, n);
	for (int i = 0; i < n; i++)
		free(rows[i].archs);
	free(rows);
}

/* --- the graph ---------------------------------------------------------------------------------------------------- */

static void print_degrees(const char *name, const struct tw__degrees *d)
{
	line(name, "%d to %d, mean %.4g; 0 for %s", (int)d->least, (int)d->most, d->mean,
	     plural(d->least == 0 ? d->n_tasks[0] : 0, "task").text);
}

static void print_dependencies(const struct tw__description *d)
{
	if (d->n_transitive == TW__NOT_COMPUTED)
		line("dependencies", "%zu; transitive ones not counted in so large a graph, see --exact",
		     d->n_dependencies);
	else
		line("dependencies", "%zu, %lld of them transitive", d->n_dependencies, (long long)d->n_transitive);
	print_degrees("predecessors of a task", &d->in);
	print_degrees("successors of a task", &d->out);
	if (d->n_components > 1)
		line("connected parts", "%d, the largest of %s", (int)d->n_components,
		     plural(d->largest_component, "task").text);
	else
		line("connected parts", "%d", (int)d->n_components);
}

static void print_levels(const struct tw__description *d)
{
	double height[MOST_COLUMNS] = {0};
	int columns = d->depth < MOST_COLUMNS ? (int)d->depth : MOST_COLUMNS;
	for (int c = 0; c < columns; c++) {
		int64_t first = (int64_t)c * d->depth / columns, end = (int64_t)(c + 1) * d->depth / columns;
		for (int64_t level = first; level < end; level++)
			height[c] += (double)d->level_tasks[level] / (double)(end - first);
	}
	if (d->depth)
		line("depth", "%s, mean %.4g tasks", plural(d->depth, "level").text,
		     (double)d->graph->n_tasks / d->depth);
	else
		line("depth", "0 levels");
	const struct piece width = plural(d->level_width, "task");
	if (d->antichain == TW__NOT_COMPUTED)
		line("width",
		     "%s in the largest level, largest antichain not searched in so large a graph, see --exact",
		     width.text);
	else
		line("width", "%s in the largest level, %d in the largest antichain", width.text, (int)d->antichain);
	print_bars("tasks by level", height, columns);
}

static void print_data(const struct tw__description *d)
{
	char accesses[TW__N_MODES * 32] = "none";
	size_t used = 0;
	line("handles", "%d, %s", (int)d->graph->n_data, amount(d->handle_bytes).text);
	if (d->n_divided)
		line("divided handles", "%d, in %d parts", d->n_divided, d->n_parts);
	line("working set", "%s; one task accesses at most %s", amount(d->working_set_bytes).text,
	     amount(d->largest_task_bytes).text);
	line("live data", "at most %s, in the order of submission", amount(d->peak_live_bytes).text);
	for (int i = 0; i < TW__N_MODES; i++)
		if (d->accesses[i])
			used += (size_t)snprintf(accesses + used, sizeof accesses - used, "%s%llu %s", used ? ", " : "",
			                         (unsigned long long)d->accesses[i],
			                         tw_mode_name(tw__described_modes[i]));
	line("accesses", "%s; %s", accesses, amount(d->access_bytes).text);
}

static void print_work(const struct tw__description *d)
{
	if (!isnan(d->recorded_s))
		line("recorded times", "critical path %.6g s, work %.6g s", d->critical_recorded_s, d->recorded_s);
	if (!(d->graph->flops > 0 || d->task_flops > 0))
		line("flops", "unknown");
	else if (fabs(d->graph->flops - d->task_flops) > 1e-6 * d->task_flops)
		line("flops", "%.6g; of all tasks %.6g", d->graph->flops, d->task_flops);
	else
		line("flops", "%.6g", d->graph->flops);
	if (!(d->task_flops > 0))
		return;
	line("critical path", "%.6g flops, parallelism %.4g", d->critical_flops, d->task_flops / d->critical_flops);
	line("bytes accessed per flop", "%.4g", d->access_bytes / d->task_flops);
}

/* --- the platform ------------------------------------------------------------------------------------------------- */

static void print_ratio(const char *name, double transfer_s, double work_s)
{
	if (!isfinite(transfer_s))
		line(name, "none: no route from main memory to another one with workers");
	else if (work_s > 0)
		line(name, "%.4g (%.4g s of transfers)", transfer_s / work_s, transfer_s);
	else
		line(name, "no work");
}

static void print_timed(const struct tw__described *d)
{
	const struct tw__timed *timed = &d->timed;
	for (int i = 0; i < timed->n_archs; i++) {
		const struct tw__on_arch *on = &timed->on[i];
		char name[64];
		snprintf(name, sizeof name, "critical path on %.40s", d->platform->archs[on->arch].name);
		if (on->n_without_time)
			line(name, "%s cannot run there", plural(on->n_without_time, "task").text);
		else
			line(name, "%.6g s, work %.6g s", on->critical_path_s, on->work_s);
	}
	line("critical path, fastest archs", "%.6g s, work %.6g s", timed->critical_path_s, timed->work_s);
	if (timed->critical_path_s > 0)
		line("parallelism", "mean %.4g, most %d tasks at a time", timed->work_s / timed->critical_path_s,
		     (int)timed->most_running);
	else
		line("parallelism", "no tasks");
	print_bars("running tasks by time", timed->running, TW__PARALLELISM_BINS);
	print_ratio("transfer/compute, no reuse", timed->read_transfer_s, timed->work_s);
	print_ratio("transfer/compute, full reuse", timed->handle_transfer_s, timed->work_s);
}

void describe_print_text(const struct tw__described *d)
{
	for (const char *c = d->workload; *c;)
		c += tw__print_character(stdout, c);
	printf("%s%s: %s\n", d->platform ? " on " : "", d->platform ? d->platform_name : "",
	       plural(d->graph.graph->n_tasks, "task").text);
	print_graphs(d);
	print_kernels(d);
	print_dependencies(&d->graph);
	print_levels(&d->graph);
	print_data(&d->graph);
	print_work(&d->graph);
	if (d->platform)
		print_timed(d);
}
