/* Results as a text table: one line per run, in short units. */
#include "results/write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"

enum column {
	WORKLOAD,
	POLICY,
	EVICTION,
	WORKERS,
	SEED,
	MAKESPAN,
	GFLOPS,
	IDLE,
	CPUS_IDLE,
	GPUS_IDLE,
	GPU_TASKS,
	TRANSFERRED,
	EVICTIONS,
	STATUS,
	N_COLUMNS
};
enum { CELL_SIZE = 96 };

typedef char table_row[N_COLUMNS][CELL_SIZE];

/* The columns of the table. Texts are aligned left, numbers right. */
static const struct {
	const char *title;
	bool left;
} columns[N_COLUMNS] = {
	[WORKLOAD] = {"workload", true},    [POLICY] = {"policy", true},        [EVICTION] = {"eviction", true},
	[WORKERS] = {"workers", true},      [SEED] = {"seed", false},           [MAKESPAN] = {"makespan", false},
	[GFLOPS] = {"GFlop/s", false},      [IDLE] = {"idle", false},           [CPUS_IDLE] = {"CPUs idle", false},
	[GPUS_IDLE] = {"GPUs idle", false}, [GPU_TASKS] = {"GPU tasks", false}, [TRANSFERRED] = {"transferred", false},
	[EVICTIONS] = {"evictions", false}, [STATUS] = {"status", true},
};

/* Writes a duration with at least three significant digits. */
static void put_seconds(char *cell, double seconds)
{
	static const char *const units[] = {"us", "ms", "s"};
	double value = seconds * 1e6;
	int i = 0;
	for (; value >= 1000 && i < 2; i++)
		value /= 1000;
	snprintf(cell, CELL_SIZE, "%.*f %s", value < 10 ? 3 : value < 100 ? 2 : 1, value, units[i]);
}

static void put_percent(char *cell, double ratio)
{
	if (isfinite(ratio))
		snprintf(cell, CELL_SIZE, "%.1f %%", 100 * ratio);
}

/* Writes the workers, as in "2 CPUs (4+4) + 1 GPU". The parentheses have the cores of each CPU group in use. */
static void put_workers(char *cell, const struct tw__result *r)
{
	const char *groups = r->request->choice.cpu_groups, *end = groups;
	for (int i = 0; groups && i < r->cpus; i++)
		end += strcspn(end, "+") + (i + 1 < r->cpus); /* skip the '+', except behind the last group in use */
	char some[64] = "";
	if (end > groups)
		snprintf(some, sizeof some, " (%.*s)", (int)(end - groups), groups);
	snprintf(cell, CELL_SIZE, "%d CPU%s%s + %d GPU%s", r->cpus, r->cpus == 1 ? "" : "s", some, r->gpus,
	         r->gpus == 1 ? "" : "s");
}

static void fill(table_row row, const struct tw__result *r)
{
	const struct tw__run_counters *c = &r->counters;
	memset(row, 0, sizeof(table_row));
	snprintf(row[WORKLOAD], CELL_SIZE, "%s", r->request->workload);
	snprintf(row[POLICY], CELL_SIZE, "%s", r->request->policy);
	snprintf(row[EVICTION], CELL_SIZE, "%s", r->eviction);
	put_workers(row[WORKERS], r);
	snprintf(row[SEED], CELL_SIZE, "%llu", (unsigned long long)tw__seed_of(r->request));
	if (r->status != TW__RUN_OK) {
		snprintf(row[STATUS], CELL_SIZE, "failed");
		return;
	}
	put_seconds(row[MAKESPAN], tw__seconds(c->makespan));
	if (isfinite(r->gflops))
		snprintf(row[GFLOPS], CELL_SIZE, "%.1f", r->gflops);
	put_percent(row[IDLE], r->idle_ratio);
	put_percent(row[CPUS_IDLE], r->idle_ratio_cpu);
	put_percent(row[GPUS_IDLE], r->idle_ratio_gpu);
	/* Tasks that reductions append count, too. */
	put_percent(row[GPU_TASKS], c->tasks ? (double)c->gpu_tasks / (double)c->tasks : NAN);
	tw__amount_text(row[TRANSFERRED], CELL_SIZE, (double)c->transferred_bytes);
	snprintf(row[EVICTIONS], CELL_SIZE, "%lld", (long long)c->evictions);
	int n = snprintf(row[STATUS], CELL_SIZE, "%s", r->validated ? "ok, validated" : "ok");
	if (isfinite(c->engine.residual))
		n += snprintf(row[STATUS] + n, CELL_SIZE - (size_t)n, ", residual %.1e", c->engine.residual);
	if (c->predictions.n > 0)
		snprintf(row[STATUS] + n, CELL_SIZE - (size_t)n, ", predictions %.1f %% off",
		         100 * c->predictions.error);
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

int tw__result_write_text(FILE *f, const struct tw__result *results, int n, struct tw_error *err)
{
	table_row *rows = calloc((size_t)n + 1, sizeof *rows);
	if (!rows)
		return tw_fail(err, TW_NOMEM, "results: out of memory");
	size_t width[N_COLUMNS] = {0};
	for (int i = 0; i <= n; i++) {
		if (i > 0)
			fill(rows[i], &results[i - 1]);
		for (int k = 0; k < N_COLUMNS; k++) {
			if (i == 0)
				snprintf(rows[i][k], CELL_SIZE, "%s", columns[k].title);
			if (strlen(rows[i][k]) > width[k])
				width[k] = strlen(rows[i][k]);
		}
	}
	bool by_kind = has_both(results, n), by_seed = have_seeds(results, n);
	for (int i = 0; i <= n; i++)
		for (int k = 0; k < N_COLUMNS; k++) {
			if ((by_kind ? k == IDLE : k == CPUS_IDLE || k == GPUS_IDLE) || (k == SEED && !by_seed))
				continue;
			bool last = k + 1 == N_COLUMNS; /* no blanks at the end of a line */
			int pad = last ? 0 : (int)width[k];
			fprintf(f, "%*s%s", columns[k].left ? -pad : pad, rows[i][k], last ? "\n" : "  ");
		}
	free(rows);
	for (int i = 0; i < n; i++)
		if (results[i].explanation)
			fprintf(f, "\n%s", results[i].explanation);
	return TW_OK;
}
