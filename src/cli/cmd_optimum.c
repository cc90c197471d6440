/* tilewright optimum: the makespan of an optimal schedule of a small task graph. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

#include "base/cells.h"
#include "base/json_text.h"
#include "bounds/optimum.h"
#include "experiment/load.h"
#include "results/write.h"
#include "trace/formats.h"

static const char usage[] =
	"Usage: tilewright optimum --platform NAME --workload SPEC[,...] [OPTION]...\n"
	"Finds the shortest makespan of any schedule of a small task graph, and proves it: some 20 tasks without\n"
	"transfers, 12 with them, at most 64. Data are transferred over links without contention, into memories\n"
	"without limits; a runtime system costs nothing. docs/reference/optimum.md defines the problem.\n"
	"\n";

struct options {
	struct tw__inputs inputs;
	int format; /* enum tw__result_format */
	const char *output;
};

static const struct cli_option options[] = {
	{"communication", "on|off", .type = CLI_INPUT,
         .help = "With 'on', data must arrive in a worker's memory first (default). With 'off', all workers compute in "
                 "main memory."},
	{"time-limit", "TIME", .type = CLI_INPUT,
         .help = "Ends the search of each graph after TIME of wall time, as in '60s'. The best makespan found, and the "
                 "best lower bound proven by then, are printed. Default: no limit."},
	{.type = CLI_INPUTS},
	{"output", "FILE.csv", SETS(CLI_TEXT, output), .letter = 'o',
         .help = "Writes the schedule to FILE.csv, as 'run --trace FILE.csv' does. The policy 'replay:file=FILE.csv' "
                 "runs it. With one task graph only."},
	{"format", "text|csv|json", SETS(CLI_FORMAT, format), .help = "Prints in this format. Default: 'text'."},
	{0},
};

/* --- output ------------------------------------------------------------------------------------------------------- */

static double gap_of(const struct tw__optimum *o)
{
	return o->makespan ? (double)(o->makespan - o->bound) / (double)o->makespan : 0;
}

static void print_text(const struct tw__optimum *o, const struct tw__scene *scene)
{
	const bool is_optimal = o->bound == o->makespan;
	printf("%s on %s, %d CPU%s + %d GPU%s: %d tasks%s\n", scene->request->workload, scene->request->platform,
	       scene->cpus, scene->cpus == 1 ? "" : "s", scene->gpus, scene->gpus == 1 ? "" : "s",
	       (int)scene->graph->n_tasks, scene->request->choice.no_communication ? ", without transfers" : "");
	printf("  %-24s %12.6g s", is_optimal ? "optimal makespan" : "shortest makespan found",
	       tw__seconds(o->makespan));
	if (scene->graph->flops > 0 && o->makespan > 0)
		printf("  %10.1f GFlop/s", scene->graph->flops / tw__seconds(o->makespan) / 1e9);
	if (!is_optimal)
		printf("\n  %-24s %12.6g s\n  %-24s %12.2f %%", "proven lower bound", tw__seconds(o->bound), "gap",
		       100 * gap_of(o));
	printf("\n  %-24s %12llu\n", "partial schedules", (unsigned long long)o->nodes);
}

enum { N_CELLS = 11 };

static void fill_cells(struct cell cells[N_CELLS], const struct tw__optimum *o, const struct tw__scene *scene)
{
	static const char *const keys[N_CELLS] = {"workload", "platform",   "communication", "cpus", "gpus",    "tasks",
	                                          "optimal",  "makespan_s", "bound_s",       "gap",  "searched"};
	const struct cell values[N_CELLS] = {cell_text(scene->request->workload),
	                                     cell_text(scene->request->platform),
	                                     cell_text(scene->request->choice.no_communication ? "off" : "on"),
	                                     cell_integer(scene->cpus),
	                                     cell_integer(scene->gpus),
	                                     cell_integer(scene->graph->n_tasks),
	                                     cell_flag(o->bound == o->makespan),
	                                     cell_ns(o->makespan),
	                                     cell_ns(o->bound),
	                                     cell_real(gap_of(o)),
	                                     cell_integer((int64_t)o->nodes)};
	for (int i = 0; i < N_CELLS; i++) {
		cells[i] = values[i];
		cells[i].key = keys[i];
	}
}

static int write_schedule(const char *path, const struct tw__optimum *o, const struct tw__scene *scene,
                          struct tw_error *err)
{
	struct tw__record record;
	tw__record_init(&record);
	record.makespan = o->makespan;
	for (tw_task t = 0; t < scene->graph->n_tasks; t++) {
		const struct tw__optimum_task *task = &o->tasks[t];
		struct tw__event event = {
			.kind = TW__START, .date = task->start, .task = t, .worker = (int16_t)task->worker};
		event.node = (int16_t)scene->platform->workers[task->worker].node;
		tw__record_add(&record, &event);
		event.kind = TW__END;
		event.date = task->end;
		tw__record_add(&record, &event);
	}
	const struct tw__traced traced = {.platform = scene->platform, .graph = scene->graph, .record = &record};
	int status = tw__trace_write(path, &traced, err);
	tw__record_finish(&record);
	return status;
}

/* ------------------------------------------------------------------------------------------------------------------ */

/* `rows`: those of JSON. */
static int find_optimum(const struct options *o, int point, const struct tw__scene *scene, json_t *rows,
                        struct tw_error *err)
{
	const struct tw__bounded in = tw__scene_bounded(scene);
	struct tw__optimum optimum;
	struct cell cells[N_CELLS];
	int status = tw__optimum(&in, scene->request->workload, scene->request->time_limit_s, &optimum, err);
	if (status == TW_OK && o->output)
		status = write_schedule(o->output, &optimum, scene, err);
	if (status < 0)
		return status;
	fill_cells(cells, &optimum, scene);
	if (o->format == TW__TEXT)
		print_text(&optimum, scene);
	if (o->format == TW__CSV && point == 0)
		tw__cells_write_keys(stdout, cells, N_CELLS);
	if (o->format == TW__CSV)
		tw__cells_write(stdout, cells, N_CELLS);
	if (o->format == TW__JSON)
		tw__json_append(rows, tw__cells_json(cells, N_CELLS));
	fflush(stdout); /* the next graph may take long */
	return TW_OK;
}

static int find_all(const struct options *o, json_t *rows, struct tw_error *err)
{
	struct tw__origin origin = {0};
	int status = TW_OK;
	for (int i = 0; i < tw__inputs_points(&o->inputs) && status == TW_OK; i++) {
		struct tw__request request;
		struct tw__scene *scene;
		tw__inputs_point(&o->inputs, i, &request);
		status = tw__scene_create_from(&origin, &scene, &request, err);
		if (status < 0)
			break;
		tw__scene_tell(&origin, scene);
		status = find_optimum(o, i, scene, rows, err);
		tw__scene_destroy(scene);
	}
	tw__origin_finish(&origin);
	return status;
}

static int check(struct options *o, struct tw_error *err)
{
	int status = tw__inputs_complete(&o->inputs, TW__FOR_OPTIMUM, "optimum", TW__MOST_POINTS, err);
	if (status == TW_OK)
		status = tw__check_factors(&o->inputs, err);
	if (status < 0 || !o->output)
		return status;
	if (tw__inputs_points(&o->inputs) > 1)
		return tw_fail(err, TW_INVALID, "--output: there are several task graphs: expected one");
	if (tw__trace_format_of(o->output, false) != TW__FORMAT_TABLE)
		return tw_fail(err, TW_INVALID, "--output '%.200s': expected a name that ends in .csv", o->output);
	return tw__trace_check_path(o->output, err);
}

static int print_optima(struct options *o)
{
	struct tw_error err;
	int status = check(o, &err);
	json_t *rows = json_array();
	if (status == TW_OK)
		status = find_all(o, rows, &err);
	if (status == TW_OK && o->format == TW__JSON)
		tw__cells_write_json(stdout, json_incref(rows));
	json_decref(rows);
	return status < 0 ? cli_error(status, &err) : 0;
}

static int optimum(int argc, char **argv)
{
	struct options o = {.format = TW__TEXT};
	tw__inputs_init(&o.inputs);
	o.inputs.common.lacks_emulate = true;
	int exit_status = cli_parse(&command_optimum, argc, argv, &o, &o.inputs);
	if (exit_status == CLI_GO_ON)
		exit_status = print_optima(&o);
	tw__inputs_finish(&o.inputs);
	return exit_status;
}

const struct command command_optimum = {
	.name = "optimum",
	.summary = "prove the makespan of an optimal schedule of a small graph",
	.usage = usage,
	.options = options,
	.inputs = TW__FOR_OPTIMUM,
	.has_no_words = true,
	.run = optimum,
};
