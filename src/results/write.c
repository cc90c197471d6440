/* Writes results: as a text table, one line per run in short units, and as JSON and CSV, for programs to read. */
#include "results/write.h"

#include <math.h>
#include <string.h>

#include "base/cell_table.h"
#include "base/json_text.h"
#include "base/spec.h"

/* --- text --------------------------------------------------------------------------------------------------------- */

/* Names in cells have at most MOST_BYTES. */
enum { MOST_BYTES = 95, SEED = 4, IDLE = 7, CPUS_IDLE = 8, GPUS_IDLE = 9, NETWORK = 12, N_COLUMNS = 15 };

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
	[NETWORK] = {"network_bytes", .title = "messages", .align = 'r'},
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
	char transferred[32], network[32];
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
		cell_format("%lld, %s", (long long)c->messages,
	                    tw__amount_text(network, sizeof network, (double)c->network_bytes)),
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

/* Whether some run has several nodes of a cluster. */
static bool has_nodes(const struct tw__result *results, int n)
{
	for (int i = 0; i < n; i++)
		if (results[i].nodes > 1)
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

static const struct cell_column graph_columns[] = {
	{.title = "policy"},
	{.title = "graph"},
	{.title = "arrival", .align = 'r', .unit = UNIT_DURATION},
	{.title = "end", .align = 'r', .unit = UNIT_DURATION},
	{.title = "makespan", .align = 'r', .unit = UNIT_DURATION},
	{.title = "alone", .align = 'r', .unit = UNIT_DURATION},
	{.title = "slowdown", .align = 'r', .format = "%.2f"},
	{0},
};

/* Adds a row for each graph of a run that has several. */
static void add_graphs(struct cell_table *table, const struct tw__result *r)
{
	if (r->status != TW__RUN_OK)
		return;
	for (int i = 0; i < r->counters.n_graphs; i++) {
		const struct tw__graph_dates *graph = &r->counters.graphs[i];
		double makespan_s = tw__seconds(graph->end - graph->arrival);
		double alone_s = graph->alone == TW__NEVER ? NAN : tw__seconds(graph->alone);
		tw__cells_add(table, cell_format("%.*s", MOST_BYTES, r->request->policy),
		              cell_format("%s", graph->name), cell_real(tw__seconds(graph->arrival)),
		              cell_real(tw__seconds(graph->end)), cell_real(makespan_s), cell_real(alone_s),
		              cell_real(makespan_s / alone_s));
	}
}

static void write_graphs(FILE *f, const struct tw__result *results, int n)
{
	struct cell_table table = {.columns = graph_columns};
	for (int i = 0; i < n; i++)
		add_graphs(&table, &results[i]);
	if (table.n)
		fputc('\n', f);
	if (table.n)
		tw__cells_print(&table, f);
}

static void write_text(FILE *f, const struct tw__result *results, int n)
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
	if (!has_nodes(results, n))
		shown[NETWORK].title = NULL;
	struct cell_table table = {.columns = shown};
	for (int i = 0; i < n; i++) {
		fill(cells, &results[i]);
		tw__cells_row(&table, cells, N_COLUMNS);
	}
	tw__cells_print(&table, f);
	write_graphs(f, results, n);
	for (int i = 0; i < n; i++)
		if (results[i].explanation)
			fprintf(f, "\n%s", results[i].explanation);
}

/* --- JSON and CSV ------------------------------------------------------------------------------------------------- */

/* Fills `cells` with the chosen columns of the result; returns the number of cells. */
static int chosen_cells(const struct tw__column_choice *choice, const struct tw__result *result, struct cell *cells)
{
	return tw__column_choice_apply(choice, cells, tw__result_cells(result, cells));
}

/* A row, with its explanation if one was asked for: null for a failed run. */
static json_t *row_json(const struct tw__column_choice *choice, const struct tw__result *result, struct cell *cells)
{
	json_t *row = tw__cells_json(cells, chosen_cells(choice, result, cells));
	if (result->request->explain)
		tw__json_set(row, "explanation",
		             result->explanation ? json_loads(result->explanation, 0, NULL) : json_null());
	return row;
}

static void write_json(FILE *f, const struct tw__column_choice *choice, const struct tw__result *results, int n)
{
	struct cell cells[TW__MAX_COLUMNS];
	json_t *rows = json_array();
	for (int i = 0; i < n; i++)
		tw__json_append(rows, row_json(choice, &results[i], cells));
	tw__cells_write_json(f, rows);
}

static void write_csv(FILE *f, const struct tw__column_choice *choice, const struct tw__result *results, int n)
{
	struct cell cells[TW__MAX_COLUMNS];
	if (n > 0)
		tw__cells_write_keys(f, cells, chosen_cells(choice, &results[0], cells));
	for (int i = 0; i < n; i++)
		tw__cells_write(f, cells, chosen_cells(choice, &results[i], cells));
}

char *tw__result_header(const struct tw__column_choice *choice)
{
	struct cell cells[TW__MAX_COLUMNS];
	return tw__cells_header(cells,
	                        tw__column_choice_apply(choice, cells, tw__column_names(tw__result_table, cells)));
}

void tw__result_write_row(FILE *f, const struct tw__column_choice *choice, const struct tw__result *result)
{
	struct cell cells[TW__MAX_COLUMNS];
	tw__cells_write(f, cells, chosen_cells(choice, result, cells));
}

void tw__result_write(FILE *f, enum tw__result_format format, const struct tw__column_choice *choice,
                      const struct tw__result *results, int n)
{
	switch (format) {
	case TW__TEXT:
		write_text(f, results, n);
		break;
	case TW__JSON:
		write_json(f, choice, results, n);
		break;
	case TW__CSV:
		write_csv(f, choice, results, n);
		break;
	}
}
