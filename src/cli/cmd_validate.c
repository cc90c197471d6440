/* tilewright validate: checks schedules in trace files. */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "experiment/past.h"
#include "graph/graph.h"
#include "import/shown.h"
#include "plot/schedule.h"

static const char *const usage[] = {
	"Usage: tilewright validate TRACE...\n"
	"Checks the schedules in trace files. Each trace becomes one line of output.\n"
	"\n"
	"A trace that 'tilewright run --trace' wrote as .json, .paje, .trace, .record or a folder holds the whole\n"
	"run. Then every rule is checked: tasks run once, in the order of their dependencies, one at a time on each\n"
	"worker, as long as the model says; data is coherent, and valid where tasks read it; memories do not\n"
	"overflow; transfers end when the links that they share allow. The kernels that a .json, .paje or .trace\n"
	"shows to viewers must be those of the run. Tables in a folder are not compared. The platform and the\n"
	"workload are made again from the options of the run: their files must be as they were. Relative names\n"
	"count from the current folder. docs/reference/traces.md lists the rules.\n"
	"\n"
	"Traces of older versions, and StarVZ's tables of other programs, show only which kernels ran where and\n"
	"when. For these the command checks that no two kernels overlap on a worker. It checks dependencies if the\n"
	"folder has dag.csv, or if the trace names a workload that can be made. It says what it has not checked.\n"
	"\n"
	"  -h, --help             Prints this help.\n"
	"\n"
	"Exit status: 0 all valid, 1 a trace breaks a rule, 2 bad arguments, or a trace that cannot be checked.\n",
	NULL,
};

static const struct option long_options[] = {{"help", no_argument, NULL, 'h'}, {0}};

static int broken_rule(const char *path, int status, const struct tw_error *err)
{
	return cli_fail(status == TW_FAILED ? EXIT_RUN_FAILED : EXIT_BAD_INPUT, "%s: %s", path, err->message);
}

static bool is_folder(const char *path)
{
	struct stat about;
	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* --- what a trace shows of its run -------------------------------------------------------------------------------- */

static int by_task_and_start(const void *a, const void *b)
{
	const struct tw__box *x = a, *y = b;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

/* Adds the kernels of a sorted record, with the platform's workers and the graph's kernels. */
static bool add_boxes(struct tw__schedule *s, const struct tw__record *record, const struct tw_graph *g, int n_workers)
{
	tw__ns started[n_workers];
	for (size_t i = 0; i < record->n; i++) {
		const struct tw__event *e = &record->events[i];
		if (e->kind == TW__START)
			started[e->worker] = e->date;
		else if ((e->kind == TW__END || e->kind == TW__CANCEL) &&
		         !tw__schedule_add_box(s, e->worker, g->kernel[e->task], e->task, started[e->worker], e->date))
			return false;
	}
	return true;
}

static bool are_equal(const struct tw__schedule *s, const struct tw__box *shown, const struct tw__past *past,
                      const struct tw__box *box)
{
	const struct tw_platform *p = past->scene->platform;
	return shown->task == box->task && shown->start == box->start && shown->end == box->end &&
	       !strcmp(s->workers.list[shown->worker], p->workers[box->worker].name) &&
	       !strcmp(s->kernels.list[shown->kernel], past->scene->graph->kernels[box->kernel].name);
}

/* Compares the kernels that viewers and figures show with those of the run section. */
static int compare_shown(const struct tw__past *past, const struct tw__schedule *shown, struct tw_error *err)
{
	const struct tw__record *record = &past->section.record;
	const struct tw_graph *g = record->extended ? record->extended : past->scene->graph;
	struct tw__schedule run;
	tw__schedule_init(&run);
	bool good = add_boxes(&run, record, g, past->scene->platform->n_workers);
	int status = good ? TW_OK : tw_fail(err, TW_NOMEM, "%s: out of memory", past->section.path);
	if (good && run.n_boxes) {
		qsort(run.boxes, run.n_boxes, sizeof *run.boxes, by_task_and_start);
		qsort(shown->boxes, shown->n_boxes, sizeof *shown->boxes, by_task_and_start);
	}
	for (size_t i = 0; status == TW_OK && i < run.n_boxes; i++)
		if (i >= shown->n_boxes || !are_equal(shown, &shown->boxes[i], past, &run.boxes[i]))
			status = tw_fail(err, TW_INVALID,
			                 "%s: the trace shows another kernel of task %d than its run section",
			                 past->section.path, run.boxes[i].task);
	if (status == TW_OK && shown->n_boxes > run.n_boxes)
		status = tw_fail(err, TW_INVALID, "%s: the trace shows %zu kernels, its run section %zu",
		                 past->section.path, shown->n_boxes, run.n_boxes);
	tw__schedule_finish(&run);
	return status;
}

/* Checks the part of a trace that is not its run section, as 'tilewright plot' reads it. */
static int check_picture(const struct tw__past *past, struct tw_error *err)
{
	const char *path = past->section.path;
	struct tw__schedule shown;
	if (tw__schedule_is_past(path))
		return TW_OK;
	tw__schedule_init(&shown);
	int status = tw__schedule_read(&shown, path, err);
	if (status == TW_OK)
		status = compare_shown(past, &shown, err);
	tw__schedule_finish(&shown);
	return status;
}

/* --- traces that hold the whole run ------------------------------------------------------------------------------- */

static int check_run(struct tw__past *past)
{
	struct tw_error err;
	struct tw__record *record = &past->section.record;
	const struct tw__validation_input input = tw__plan_validation(&past->plan);
	size_t n_events = record->n;
	int status = tw__validate(&input, record, NULL, &err);
	if (status < 0)
		return broken_rule(past->section.path, status, &err);
	status = check_picture(past, &err);
	if (status < 0)
		return cli_error(status, &err);
	printf("%s: valid: %d tasks on %d workers, %zu events%s%s\n", past->section.path,
	       (int)past->scene->graph->n_tasks, (int)past->scene->platform->n_workers, n_events,
	       record->measured ? " of a real run, whose durations are measured" : "",
	       is_folder(past->section.path) ? " (its tables were not compared with that run)" : "");
	return 0;
}

/* --- traces that show kernels alone ------------------------------------------------------------------------------- */

static int no_memory(const char *path, struct tw_error *err)
{
	return tw_fail(err, TW_NOMEM, "%s: out of memory", path);
}

/* Adds the kernels of a schedule, with the numbers of their tasks as jobs. */
static int add_kernels(struct tw__shown *shown, const struct tw__schedule *s)
{
	int status = TW_OK;
	for (size_t i = 0; i < s->n_boxes && status == TW_OK; i++) {
		const struct tw__box *b = &s->boxes[i];
		char job[16];
		snprintf(job, sizeof job, "%d", b->task);
		status = tw__shown_kernel(shown, s->workers.list[b->worker], s->kernels.list[b->kernel],
		                          b->task < 0 ? NULL : job, b->start, b->end);
	}
	return status;
}

/* Adds the dependencies of a workload's graph. `err`: why there is no graph. */
static int add_dependencies(struct tw__shown *shown, const char *workload, struct tw_error *err)
{
	struct tw_graph *g = NULL;
	int status =
		workload ? tw__generate(&g, workload, err) : tw_fail(err, TW_INVALID, "the trace names no workload");
	for (tw_task t = 0; status == TW_OK && t < g->n_tasks; t++)
		for (uint32_t i = g->successor_start[t]; i < g->successor_start[t + 1] && status == TW_OK; i++) {
			char before[16], behind[16];
			snprintf(before, sizeof before, "%d", (int)t);
			snprintf(behind, sizeof behind, "%d", (int)g->successor[i]);
			status = tw__shown_depend(shown, before, behind);
		}
	tw_graph_destroy(g);
	return status;
}

/* Reads a trace of an older version. `unknown`: why dependencies are not known; else "". */
static int read_schedule(struct tw__shown *shown, const char *path, struct tw_error *unknown, struct tw_error *err)
{
	struct tw__schedule s;
	tw__schedule_init(&s);
	int status = tw__schedule_read(&s, path, err);
	if (status == TW_OK && add_kernels(shown, &s) < 0)
		status = no_memory(path, err);
	if (status == TW_OK && add_dependencies(shown, s.workload, unknown) == TW_NOMEM)
		status = no_memory(path, err);
	tw__schedule_finish(&s);
	return status;
}

/* Prints what was checked, and what was not. */
static void print_shown(const char *path, const struct tw__shown *shown, const struct tw_error *unknown)
{
	size_t n = tw__shown_n_dependencies(shown);
	printf("%s: no two of %zu kernels overlap on a worker", path, tw__shown_n_kernels(shown));
	if (n)
		printf(", and %zu %s", n, n == 1 ? "dependency holds" : "dependencies hold");
	printf(". Not checked, as the trace does not hold the whole run: %sdurations, data, memories and transfers",
	       n ? "" : "dependencies, ");
	if (!n && *unknown->message)
		printf(" (%s)", unknown->message);
	putchar('\n');
}

static int check_shown(const char *path)
{
	struct tw_error err, unknown = {""};
	struct tw__shown *shown = tw__shown_create();
	int status = !shown            ? no_memory(path, &err)
	             : is_folder(path) ? tw__shown_read_tables(shown, path, &err)
	                               : read_schedule(shown, path, &unknown, &err);
	int exit_status = status < 0 ? cli_error(status, &err) : 0;
	if (status == TW_OK) {
		status = tw__shown_check(shown, &err);
		exit_status = status < 0 ? broken_rule(path, status, &err) : 0;
	}
	if (status == TW_OK)
		print_shown(path, shown, &unknown);
	tw__shown_destroy(shown);
	return exit_status;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int check_trace(const char *path)
{
	struct tw_error err;
	struct tw__past past;
	bool found;
	int status = tw__past_open(&past, path, &found, &err);
	int exit_status = status < 0 ? cli_error(status, &err) : found ? check_run(&past) : check_shown(path);
	tw__past_close(&past);
	return exit_status;
}

static int validate(int argc, char **argv)
{
	int worst = cli_options(&command_validate, argc, argv, ":h", long_options, NULL, NULL);
	if (worst >= 0)
		return worst;
	if (optind == argc)
		return cli_fail(EXIT_BAD_INPUT, "validate: no trace: expected one, see 'tilewright validate --help'");
	worst = 0;
	for (int i = optind; i < argc; i++) {
		int exit_status = check_trace(argv[i]);
		worst = exit_status > worst ? exit_status : worst;
	}
	return worst;
}

const struct command command_validate = {
	.name = "validate",
	.summary = "check schedules in trace files",
	.usage = usage,
	.run = validate,
};
