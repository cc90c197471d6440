/* A description as text. */
#include <math.h>

#include "base/spec.h"
#include "cli/describe_print.h"
#include "base/print.h"

enum { LABEL_WIDTH = 30, MOST_COLUMNS = TW__PARALLELISM_BINS };

static void label(const char *text) { printf("  %-*s ", LABEL_WIDTH, text); }

static void print_bytes(double bytes)
{
	char text[32];
	fputs(tw__amount_text(text, sizeof text, bytes), stdout);
}

static void print_plural(double n, const char *what) { printf("%.15g %s%s", n, what, n == 1 ? "" : "s"); }

/* A row of bars, each an eighth to eight eighths of a line high; a blank for 0. */
static void print_bars(const double *height, int n)
{
	static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	double most = 0;
	for (int i = 0; i < n; i++)
		most = fmax(most, height[i]);
	putchar('|');
	for (int i = 0; i < n; i++)
		fputs(bars[height[i] > 0 ? (int)fmax(1, ceil(8 * height[i] / most - 1e-9)) : 0], stdout);
	printf("| highest %.4g\n", most);
}

/* --- the graph ---------------------------------------------------------------------------------------------------- */

static void print_degrees(const char *name, const struct tw__degrees *d)
{
	label(name);
	printf("%d to %d, mean %.4g; 0 for ", (int)d->least, (int)d->most, d->mean);
	print_plural(d->least == 0 ? d->n_tasks[0] : 0, "task");
	putchar('\n');
}

static void print_dependencies(const struct tw__description *d)
{
	label("dependencies");
	printf("%zu", d->n_dependencies);
	if (d->n_transitive == TW__NOT_COMPUTED)
		puts("; transitive ones not counted in so large a graph, see --exact");
	else
		printf(", %lld of them transitive\n", (long long)d->n_transitive);
	print_degrees("predecessors of a task", &d->in);
	print_degrees("successors of a task", &d->out);
	label("connected parts");
	printf("%d", (int)d->n_components);
	if (d->n_components > 1) {
		printf(", the largest of ");
		print_plural(d->largest_component, "task");
	}
	putchar('\n');
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
	label("depth");
	print_plural(d->depth, "level");
	if (d->depth)
		printf(", mean %.4g tasks", (double)d->graph->n_tasks / d->depth);
	putchar('\n');
	label("width");
	print_plural(d->level_width, "task");
	printf(" in the largest level, ");
	if (d->antichain == TW__NOT_COMPUTED)
		puts("largest antichain not searched in so large a graph, see --exact");
	else
		printf("%d in the largest antichain\n", (int)d->antichain);
	label("tasks by level");
	print_bars(height, columns);
}

static void print_data(const struct tw__description *d)
{
	const char *comma = "";
	label("handles");
	printf("%d, ", (int)d->graph->n_data);
	print_bytes(d->handle_bytes);
	putchar('\n');
	label("working set");
	print_bytes(d->working_set_bytes);
	printf("; one task accesses at most ");
	print_bytes(d->largest_task_bytes);
	putchar('\n');
	label("accesses");
	for (int i = 0; i < TW__N_MODES; i++)
		if (d->accesses[i]) {
			printf("%s%llu %s", comma, (unsigned long long)d->accesses[i],
			       tw_mode_name(tw__described_modes[i]));
			comma = ", ";
		}
	printf("%s", *comma ? "; " : "none; ");
	print_bytes(d->access_bytes);
	putchar('\n');
}

static void print_work(const struct tw__description *d)
{
	if (!isnan(d->recorded_s)) {
		label("recorded times");
		printf("critical path %.6g s, work %.6g s\n", d->critical_recorded_s, d->recorded_s);
	}
	label("flops");
	if (!(d->graph->flops > 0 || d->task_flops > 0)) {
		puts("unknown");
		return;
	}
	printf("%.6g", d->graph->flops);
	if (fabs(d->graph->flops - d->task_flops) > 1e-6 * d->task_flops)
		printf("; of all tasks %.6g", d->task_flops);
	putchar('\n');
	if (!(d->task_flops > 0))
		return;
	label("critical path");
	printf("%.6g flops, parallelism %.4g\n", d->critical_flops, d->task_flops / d->critical_flops);
	label("bytes accessed per flop");
	printf("%.4g\n", d->access_bytes / d->task_flops);
}

/* --- the platform ------------------------------------------------------------------------------------------------- */

static void print_archs(const struct described *d)
{
	for (int i = 0; i < d->timed.n_archs; i++) {
		const struct tw__on_arch *on = &d->timed.on[i];
		char name[64];
		snprintf(name, sizeof name, "critical path on %.40s", d->platform->archs[on->arch].name);
		label(name);
		if (on->n_without_time) {
			print_plural(on->n_without_time, "task");
			puts(" cannot run there");
		} else
			printf("%.6g s, work %.6g s\n", on->critical_path_s, on->work_s);
	}
}

static void print_ratio(const char *name, double transfer_s, double work_s)
{
	label(name);
	if (isfinite(transfer_s) && work_s > 0)
		printf("%.4g (%.4g s of transfers)\n", transfer_s / work_s, transfer_s);
	else
		puts(isfinite(transfer_s) ? "no work" : "none: no route from main memory to another one with workers");
}

static void print_timed(const struct described *d)
{
	const struct tw__timed *timed = &d->timed;
	print_archs(d);
	label("critical path, fastest archs");
	printf("%.6g s, work %.6g s\n", timed->critical_path_s, timed->work_s);
	label("parallelism");
	if (timed->critical_path_s > 0)
		printf("mean %.4g, most %d tasks at a time\n", timed->work_s / timed->critical_path_s,
		       (int)timed->most_running);
	else
		puts("no tasks");
	label("running tasks by time");
	print_bars(timed->running, TW__PARALLELISM_BINS);
	print_ratio("transfer/compute, no reuse", timed->read_transfer_s, timed->work_s);
	print_ratio("transfer/compute, full reuse", timed->handle_transfer_s, timed->work_s);
}

int describe_print_text(const struct described *d, struct tw_error *err)
{
	for (const char *c = d->workload; *c;)
		c += tw__print_character(stdout, c);
	if (d->platform)
		printf(" on %s", d->platform_name);
	printf(": ");
	print_plural(d->graph.graph->n_tasks, "task");
	putchar('\n');
	int status = describe_print_kernels(d, err);
	print_dependencies(&d->graph);
	print_levels(&d->graph);
	print_data(&d->graph);
	print_work(&d->graph);
	if (d->platform)
		print_timed(d);
	return status;
}
