/* Results as a text table: one line per run, in short units. */
#include "results/write.h"

#include <math.h>
#include <string.h>

#include "base/cell_table.h"
#include "base/spec.h"

/* Names in cells have at most MOST_BYTES. */
enum { MOST_BYTES = 95, SEED = 4, IDLE = 7, CPUS_IDLE = 8, GPUS_IDLE = 9, N_COLUMNS = 14 };

static const struct cell_column columns[N_COLUMNS + 1] = {
	{.title = "workload"},
	{.title = "policy"},
	{.title = "eviction"},
	{.title = "workers"},
	[SEED] = {"seed", .title = "seed", .align = 'r'},
	{.title = "makespan", .align = 'r'},
	{.title = "GFlop/s", .align = 'r', .format = "%.1f"},
	[IDLE] = {"idle_ratio", .title = "idle", .align = 'r', .unit = UNIT_PERCENT},
	[CPUS_IDLE] = {"idle_ratio_cpu", .title = "CPUs idle", .align = 'r', .unit = UNIT_PERCENT},
	[GPUS_IDLE] = {"idle_ratio_gpu", .title = "GPUs idle", .align = 'r', .unit = UNIT_PERCENT},
	{.title = "GPU tasks", .align = 'r', .unit = UNIT_PERCENT},
	{.title = "transferred", .align = 'r'},
	{.title = "evictions", .align = 'r'},
	{.title = "status"},
};

/* Makes a cell with a duration of at least three significant digits. */
static struct cell seconds_cell(double seconds)
{
	static const char *const units[] = {"us", "ms", "s"};
	double value = seconds * 1e6;
	int i = 0;
	for (; value >= 1000 && i < 2; i++)
		value /= 1000;
	return cell_format("%.*f %s", value < 10 ? 3 : value < 100 ? 2 : 1, value, units[i]);
}

/* Makes a cell with the workers, as in "2 CPUs (4+4) + 1 GPU". The parentheses have the cores of each CPU group in
 * use. */
static struct cell workers_cell(const struct tw__result *r)
{
	const char *groups = r->request->choice.cpu_groups, *end = groups;
	for (int i = 0; groups && i < r->cpus; i++)
		end += strcspn(end, "+") + (i + 1 < r->cpus); /* skip the '+', except behind the last group in use */
	bool some = end > groups;
	return cell_format("%d CPU%s%s%.*s%s + %d GPU%s", r->cpus, r->cpus == 1 ? "" : "s", some ? " (" : "",
	                   some ? (int)(end - groups) : 0, some ? groups : "", some ? ")" : "", r->gpus,
	                   r->gpus == 1 ? "" : "s");
}

static struct cell status_cell(const struct tw__result *r)
{
	const struct tw__run_counters *c = &r->counters;
	char residual[40] = "", predictions[60] = "";
	if (isfinite(c->engine.residual))
		snprintf(residual, sizeof residual, ", residual %.1e", c->engine.residual);
	if (c->predictions.n > 0)
		snprintf(predictions, sizeof predictions, ", predictions %.1f %% off", 100 * c->predictions.error);
	return cell_format("%s%s%s", r->validated ? "ok, validated" : "ok", residual, predictions);
}

/* Fills the cells of a result; an unknown value is an empty text. */
static void fill(struct cell *cells, const struct tw__result *r)
{
	const struct tw__run_counters *c = &r->counters;
	const struct cell first[] = {cell_format("%.*s", MOST_BYTES, r->request->workload),
	                             cell_format("%.*s", MOST_BYTES, r->request->policy),
	                             cell_format("%.*s", MOST_BYTES, r->eviction), workers_cell(r),
	                             cell_format("%llu", (unsigned long long)tw__seed_of(r->request))};
	memcpy(cells, first, sizeof first);
	for (int i = SEED + 1; i < N_COLUMNS; i++)
		cells[i] = cell_text("");
	cells[N_COLUMNS - 1] = cell_text("failed");
	if (r->status != TW__RUN_OK)
		return;
	char transferred[32];
	/* Tasks that reductions append count, too. */
	double gpu_tasks = c->tasks ? (double)c->gpu_tasks / (double)c->tasks : NAN;
	const struct cell rest[] = {
		seconds_cell(tw__seconds(c->makespan)),
		cell_real(r->gflops),
		cell_real(r->idle_ratio),
		cell_real(r->idle_ratio_cpu),
		cell_real(r->idle_ratio_gpu),
		cell_real(gpu_tasks),
		cell_format("%s", tw__amount_text(transferred, sizeof transferred, (double)c->transferred_bytes)),
		cell_integer(c->evictions),
		status_cell(r)};
	for (int i = 0; i < N_COLUMNS - SEED - 1; i++)
		if (rest[i].kind != CELL_NONE)
			cells[SEED + 1 + i] = rest[i];
}

/* Whether some run has CPU workers and GPUs. Then the table has the idle time of each kind, and otherwise that of all
 * workers. */
static bool has_both(const struct tw__result *results, int n)
{
	for (int i = 0; i < n; i++)
		if (results[i].cpus > 0 && results[i].gpus > 0)
			return true;
	return false;
}

/* Whether runs differ in their seeds, as repetitions do. */
static bool have_seeds(const struct tw__result *results, int n)
{
	for (int i = 1; i < n; i++)
		if (tw__seed_of(results[i].request) != tw__seed_of(results[0].request))
			return true;
	return false;
}

void tw__result_write_text(FILE *f, const struct tw__result *results, int n)
{
	struct cell_column shown[N_COLUMNS + 1];
	struct cell cells[N_COLUMNS];
	memcpy(shown, columns, sizeof shown);
	if (!has_both(results, n))
		shown[CPUS_IDLE].title = shown[GPUS_IDLE].title = NULL;
	else
		shown[IDLE].title = NULL;
	if (!have_seeds(results, n))
		shown[SEED].title = NULL;
	struct cell_table table = {.columns = shown};
	for (int i = 0; i < n; i++) {
		fill(cells, &results[i]);
		tw__cells_row(&table, cells, N_COLUMNS);
	}
	tw__cells_print(&table, f);
	for (int i = 0; i < n; i++)
		if (results[i].explanation)
			fprintf(f, "\n%s", results[i].explanation);
}
