/* tilewright run: runs every combination of workload, policy and eviction policy, each in its own process. */
#include "cli/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/wall.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "engine/engine.h"
#include "experiment/load.h"
#include "process/launched.h"
#include "request/plugins.h"
#include "results/write.h"

static const char usage[] =
	"Usage: tilewright run --platform NAME --workload SPEC[,...] --policy SPEC[,...] [OPTION]...\n"
	"Simulates task graphs on a platform under scheduling policies. With --engine real, executes them on this\n"
	"machine.\n"
	"\n"
	"A SPEC is NAME[:VALUE][:KEY=VALUE]..., as in cholesky:nt=20:nb=960. Write '\\:' for a colon and '\\,' for\n"
	"a comma inside a value. 'tilewright list policies' prints the names of policies, and 'tilewright list\n"
	"policies NAME' the keys of one policy.\n"
	"\n"
	"Options that choose what to run:\n";

static const char notes[] =
	"\n"
	"Each combination of a workload, a policy and an eviction policy is a run, printed as one row. Rows are\n"
	"sorted in this order; repetitions of a run stand together.\n"
	"Exit status: 0 done, 1 a run failed, 2 bad arguments or input.\n";

enum { MOST_RUNS = 1000000 };

struct options {
	struct tw__inputs inputs;
	int jobs;
	bool explains;
	int format; /* enum tw__result_format; negative: chosen by the ending of --output */
	struct tw__column_choice columns;
	const char *output;
};

static int take_columns(void *options, const char *option, const char *text, struct tw_error *err)
{
	(void)option;
	return tw__columns_parse(&((struct options *)options)->columns, tw__result_table, text, err);
}

static const struct cli_option options[] = {
	{.type = CLI_INPUTS},
	{"jobs", "N", SETS(CLI_INT, jobs), .least = 1, .most = MOST_JOBS,
         .help = "Executes up to N runs at the same time. Rows do not depend on N, except for the measured columns. "
                 "Not with --engine real. Default: 1."},
	{.type = CLI_LINES, .help = "\nOptions that choose what to write:"},
	{"trace", "FILE", SETS(CLI_TEXT, inputs.common.trace),
         .help = "Writes the schedule to FILE; the command must then execute one run only. The\n"
                 "ending of FILE chooses the format: .paje or .trace (Paje), .json (Chrome,\n"
                 "Perfetto), .csv (a table of tasks), .record (the record of the run alone), .twb\n"
                 "(the same, binary: small and read fast), or / (a folder with StarVZ's tables).\n"
                 "'tilewright validate' and 'explain' read all but .csv, which does not hold the\n"
                 "whole run. Default: no trace."},
	{"explain", NULL, SETS(CLI_YES, explains),
         .help = "Also says why each run took as long as it did, as 'tilewright explain' does: behind\n"
                 "the table, or with --format json as the member 'explanation' of each row.\n"
                 "Default: no explanation."},
	{"format", "text|json|csv", SETS(CLI_FORMAT, format),
         .help = "\nPrints the results in this format. Default: the format that the ending of\n"
                 "--output names (.json or .csv), otherwise 'csv' with --columns and 'text'\n"
                 "without."},
	{"columns", "NAME[,...]", .type = CLI_OWN, .take = take_columns,
         .help = "Prints only these columns of the results, in this order, as in 'policy,makespan_s'. For csv and "
                 "json. Default: all columns."},
	{"output", "FILE", SETS(CLI_TEXT, output),
         .help = "Writes the results to FILE. '-' is standard output (default)."},
	{0},
};

static enum tw__result_format format_of(const char *path)
{
	const char *dot = strrchr(path, '.');
	return !dot ? TW__TEXT : !strcmp(dot, ".csv") ? TW__CSV : !strcmp(dot, ".json") ? TW__JSON : TW__TEXT;
}

/* Of several processes for one run, the first tells all. */
static bool is_silent(const struct options *o) { return o->inputs.common.process > 0; }

/* Whether an MPI launcher has started this command in several processes, which are to execute one run together. Other
 * engines than those that compute run in each process by itself. */
static void join_processes(struct options *o)
{
	const struct tw__launched launched = tw__launched();
	if (launched.n <= 1 || !tw__computes(&o->inputs.common))
		return;
	o->inputs.common.process = launched.number;
	o->inputs.common.n_processes = launched.n;
	tw__launched_share_cores(&launched);
	if (is_silent(o))
		tw_set_log(NULL, NULL);
}

/* Checks that the options fit together. */
static int check(struct options *o, struct tw_error *err)
{
	int status = tw__inputs_complete(&o->inputs, TW__FOR_RUN, "run", MOST_RUNS, err);
	if (status < 0)
		return status;
	join_processes(o);
	int64_t runs = tw__inputs_points(&o->inputs);
	if (o->inputs.common.trace && runs > 1)
		return tw_fail(err, TW_INVALID, "--trace '%.200s': %d runs: expected one run, as a trace shows one",
		               o->inputs.common.trace, (int)runs);
	if (o->inputs.common.n_processes > 1 && runs > 1)
		return tw_fail(err, TW_INVALID, "--engine %.100s in %d processes: %d runs: expected one run",
		               o->inputs.common.engine, o->inputs.common.n_processes, (int)runs);
	if (o->jobs > 1 && tw__computes(&o->inputs.common))
		return tw_fail(err, TW_INVALID, "--jobs %d: --engine %.100s needs the machine for itself: expected 1",
		               o->jobs, o->inputs.common.engine);
	if (o->columns.n && o->format == TW__TEXT)
		return tw_fail(err, TW_INVALID, "--columns: expected --format csv or json with it");
	return TW_OK;
}

/* Chooses the format of explanations by that of the rows. */
static int check_explain(struct options *o, struct tw_error *err)
{
	if (!o->explains)
		return TW_OK;
	if (o->format == TW__CSV)
		return tw_fail(err, TW_INVALID,
		               "--explain: csv has no place for explanations: expected --format text or json");
	o->inputs.common.explain = o->format == TW__JSON ? TW__EXPLAIN_JSON : TW__EXPLAIN_TEXT;
	return TW_OK;
}

/* --- progress: a line on a terminal, once the command has taken two seconds --------------------------------------- */

#define WIPE "\r\033[K"
#define QUIET_S 2.0
#define DRAW_EVERY_S 0.2

/* For the handler of signals: whether the line is on the screen. */
static volatile sig_atomic_t is_drawn;

struct progress {
	bool shows;
	int n_runs;
	double start_s, drawn_s;
};

/* "1234 of 5000 tasks done, date 0.012 s"; of several runs, their sums. */
static void describe(char *text, size_t room, const struct tw__running *running, int n)
{
	long long n_done = 0, n_tasks = 0;
	bool over = true, before = true;
	for (int i = 0; i < n; i++) {
		int stage = running[i].pulse->stage;
		over &= stage == TW__PULSE_OVER;
		before &= stage == TW__PULSE_BEFORE;
		n_done += running[i].pulse->n_done;
		n_tasks += running[i].pulse->n_tasks;
	}
	if (before)
		snprintf(text, room, "starts");
	else if (over)
		snprintf(text, room, "all %lld tasks done, checks and writes", n_tasks);
	else if (n > 1)
		snprintf(text, room, "%lld of %lld tasks done", n_done, n_tasks);
	else
		snprintf(text, room, "%lld of %lld tasks done, date %.6g s", n_done, n_tasks,
		         tw__seconds(running->pulse->now));
}

/* Draws the line if it is due. `done`: runs whose rows are complete. */
static void draw(struct progress *p, int done, const struct tw__running *running, int n)
{
	const double now_s = tw__wall_s();
	char tasks[160], runs[80] = "", since[32];
	if (!p->shows || now_s - p->start_s < QUIET_S || now_s - p->drawn_s < DRAW_EVERY_S)
		return;
	p->drawn_s = now_s;
	describe(tasks, sizeof tasks, running, n);
	progress_duration(since, sizeof since, now_s - p->start_s);
	if (n > 1)
		snprintf(runs, sizeof runs, "%d of %d runs done, %d at once: ", done, p->n_runs, n);
	else if (p->n_runs > 1)
		snprintf(runs, sizeof runs, "run %d of %d: ", running->row + 1, p->n_runs);
	is_drawn = 1;
	fprintf(stderr, WIPE "%s%s, %s", runs, tasks, since);
	fflush(stderr);
}

static void wipe(struct progress *p)
{
	if (is_drawn)
		fputs(WIPE, stderr);
	is_drawn = 0;
	p->drawn_s = 0;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

/* The runs that the user has been told of: those of the rows 0 .. n - 1. */
struct told {
	const struct tw__result *results;
	int n, exit_status;
	struct progress progress;
};

/* A makespan of threads that lost their cores is that of a machine which other programs share. */
static void tell_lost_cores(struct progress *progress, const struct tw__result *row)
{
	wipe(progress);
	tw_log(TW_LOG_WARNING,
	       "policy '%s', workload '%s': threads lost their cores for %.0f %% of the time in kernels: other "
	       "programs run here",
	       row->request->policy, row->request->workload, 100 * row->counters.engine.off_cpu);
}

static void tell_row(void *context, int i)
{
	struct told *told = context;
	const struct tw__result *row = &told->results[i];
	told->n = i + 1;
	if (row->status == TW__RUN_OK && row->counters.engine.off_cpu > TW__MOST_OFF_CPU)
		tell_lost_cores(&told->progress, row);
	if (row->status == TW__RUN_OK)
		return;
	wipe(&told->progress);
	told->exit_status = cli_fail(EXIT_RUN_FAILED, "policy '%s', workload '%s': the run failed: %s",
	                             row->request->policy, row->request->workload, row->message);
}

static void tell_progress(void *context, const struct tw__running *running, int n)
{
	struct told *told = context;
	draw(&told->progress, told->n, running, n);
}

/* Executes all runs, even if one fails, and writes their rows. A refused run ends the list. Returns the exit status. */
static int run_all(const struct tw__experiment *experiment, struct tw__result *results, int n, const struct options *o,
                   struct output *output)
{
	struct tw_error err;
	struct told told = {
		.results = results,
		.progress = {.shows = isatty(STDERR_FILENO) && !is_silent(o), .n_runs = n, .start_s = tw__wall_s()},
	};
	const struct tw__experiment_watch watch = {.row = tell_row, .tick = tell_progress, .context = &told};
	int status = tw__experiment_rows(experiment, n, o->jobs, results, &watch, &err);
	wipe(&told.progress);
	int exit_status = status < 0 ? cli_error(status, &err) : told.exit_status;
	if (told.n == 0 || is_silent(o))
		return exit_status;
	output_begin(output);
	tw__result_write(output->file, (enum tw__result_format)o->format, &o->columns, results, told.n);
	status = output_close(output, &err);
	return status < 0 ? cli_error(status, &err) : exit_status;
}

static int run_requests(struct options *o)
{
	struct tw_error err;
	const int n = (int)tw__inputs_points(&o->inputs);
	struct tw__experiment *experiment = NULL;
	struct output output = {0};
	int status = tw__check_factors(&o->inputs, &err);
	struct tw__request *requests = tw_alloc((size_t)n, sizeof *requests);
	struct tw__result *results = tw_alloc((size_t)n, sizeof *results);
	o->inputs.common.is_shown_as_text = o->format == TW__TEXT;
	for (int i = 0; i < n; i++)
		tw__inputs_point(&o->inputs, i, &requests[i]);
	if (status == TW_OK)
		status = tw__experiment_create(&experiment, requests, n, &err);
	if (status == TW_OK && !is_silent(o))
		status = output_open(&output, o->output, &err);
	int exit_status = status < 0 ? cli_error(status, &err) : run_all(experiment, results, n, o, &output);
	output_abandon(&output); /* does nothing if the results were written */
	tw__experiment_destroy(experiment);
	for (int i = 0; i < n; i++)
		free(results[i].explanation);
	free(results);
	free(requests);
	return exit_status;
}

/* Process id of the command: forked children inherit the handler, which prints only in this process. */
static pid_t command;

/* Signal handler: prints a message, then ends the process by the signal's default action. */
static void end_by_signal(int number)
{
	static const char interrupted[] = "tilewright: interrupted\n", ended[] = "tilewright: ended by a signal\n";
	ssize_t n = getpid() == command && is_drawn ? write(STDERR_FILENO, WIPE, strlen(WIPE)) : 0;
	n = getpid() != command ? 0
	    : number == SIGINT  ? write(STDERR_FILENO, interrupted, sizeof interrupted - 1)
	                        : write(STDERR_FILENO, ended, sizeof ended - 1);
	(void)n;
	signal(number, SIG_DFL);
	raise(number);
}

/* Sets the handler of a signal. A signal that the shell ignores for background commands stays ignored. */
static void catch_unless_ignored(int number)
{
	if (signal(number, end_by_signal) == SIG_IGN)
		signal(number, SIG_IGN);
}

static int parse(struct options *o, int argc, char **argv)
{
	struct tw_error err;
	int exit_status = cli_parse(&command_run, argc, argv, o, &o->inputs);
	if (exit_status != CLI_GO_ON)
		return exit_status;
	if (check(o, &err) < 0)
		return cli_error(TW_INVALID, &err);
	if (o->format < 0)
		o->format = format_of(o->output);
	if (o->format == TW__TEXT && o->columns.n)
		o->format = TW__CSV;
	return check_explain(o, &err) < 0 ? cli_error(TW_INVALID, &err) : CLI_GO_ON;
}

static int run(int argc, char **argv)
{
	struct options o = {.jobs = 1, .format = -1, .output = "-"};
	tw__inputs_init(&o.inputs);
	int exit_status = parse(&o, argc, argv);
	command = getpid();
	if (tw__launched().n == 1) { /* a launcher tells itself why it ends processes */
		catch_unless_ignored(SIGINT);
		catch_unless_ignored(SIGTERM);
	}
	if (exit_status < 0)
		exit_status = run_requests(&o);
	tw__inputs_finish(&o.inputs);
	return exit_status;
}

const struct command command_run = {
	.name = "run",
	.summary = "simulate task graphs under scheduling policies",
	.usage = usage,
	.notes = notes,
	.options = options,
	.inputs = TW__FOR_RUN,
	.has_no_words = true,
	.run = run,
};
