/* tilewright validate: checks schedules in trace files. */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "experiment/past.h"
#include "graph/ranks.h"
#include "import/shown.h"
#include "request/identity.h"

static const char usage[] =
	"Usage: tilewright validate TRACE...\n"
	"Checks the schedules in trace files. Each trace becomes one line of output.\n"
	"\n"
	"A trace that 'tilewright run --trace' wrote as .json, .paje, .trace, .record, .twb or a folder\n"
	"holds the whole run. Then every rule is checked: tasks run once, in the order of their dependencies,\n"
	"one at a time on each worker, as long as the model says; data is coherent, and valid where tasks read\n"
	"it; memories do not overflow; transfers end when the links that they share allow. All that a .json,\n"
	".paje or .trace shows to viewers must be of that run. Tables in a folder are not compared. The platform\n"
	"and the workload are made again from the options of the run: their files must be as they were.\n"
	"Relative names count from the current folder. docs/reference/traces.md lists the rules.\n"
	"\n"
	"StarVZ's tables of other programs show only which kernels ran where and when. For these the command checks\n"
	"that no two kernels overlap on a worker and, if the folder has dag.csv, dependencies. It says what it has\n"
	"not checked.\n"
	"\n";

static const char notes[] =
	"\n"
	"Exit status: 0 all valid, 1 a trace breaks a rule, 2 bad arguments, or a trace that cannot be checked.\n";

static const struct cli_option options[] = {{0}};

static int broken_rule(const char *path, int status, const struct tw_error *err)
{
	return cli_fail(status == TW_FAILED ? EXIT_RUN_FAILED : EXIT_BAD_INPUT, "%s: %s", path, err->message);
}

static bool is_folder(const char *path)
{
	struct stat about;
	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
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
	const struct tw__traced run = tw__past_traced(past);
	const bool tables = is_folder(past->section.path);
	status = tables ? TW_OK : tw__trace_compare(past->section.path, &run, &err);
	const bool other = status == TW_INVALID && strcmp(past->section.version, tw__results_version()) != 0;
	if (status < 0 && !other)
		return cli_error(status, &err);
	const struct tw_graph *g = past->scene->graph;
	const int n_messages = g->ranks ? (int)g->ranks->n_messages : 0;
	char messages[40] = "";
	if (past->scene->platform->n_ranks > 1)
		snprintf(messages, sizeof messages, " and %d messages", n_messages);
	printf("%s: valid: %d tasks%s on %d workers, %zu events%s%s\n", past->section.path,
	       (int)g->n_tasks - 2 * n_messages, messages, (int)past->scene->platform->n_workers, n_events,
	       record->measured ? " of a real run, whose durations are measured" : "",
	       tables  ? " (its tables were not compared with that run)"
	       : other ? " (what it shows to viewers is not what this version writes of that run)"
	               : "");
	return 0;
}

/* --- tables that show kernels alone ------------------------------------------------------------------------------- */

/* Prints what was checked, and what was not. */
static void print_shown(const char *path, const struct tw__shown *shown)
{
	size_t n = tw__shown_n_dependencies(shown);
	printf("%s: no two of %zu kernels overlap on a worker", path, tw__shown_n_kernels(shown));
	if (n)
		printf(", and %zu %s", n, n == 1 ? "dependency holds" : "dependencies hold");
	printf(". Not checked, as the trace does not hold the whole run: %sdurations, data, memories and transfers",
	       n ? "" : "dependencies, ");
	putchar('\n');
}

static int check_shown(const char *path)
{
	struct tw_error err;
	struct tw__shown *shown = tw__shown_create();
	int status = tw__shown_read_tables(shown, path, &err);
	int exit_status = status < 0 ? cli_error(status, &err) : 0;
	if (status == TW_OK) {
		status = tw__shown_check(shown, &err);
		exit_status = status < 0 ? broken_rule(path, status, &err) : 0;
	}
	if (status == TW_OK)
		print_shown(path, shown);
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
	int worst = cli_parse(&command_validate, argc, argv, NULL, NULL);
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
	.notes = notes,
	.options = options,
	.run = validate,
};
