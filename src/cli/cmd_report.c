/* tilewright report: shows results as one HTML page. */
#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/output.h"
#include "cli/warnings.h"
#include "report/report.h"
#include "request/words.h"

static const char usage[] =
	"Usage: tilewright report RESULTS.csv -o FILE.html [OPTION]...\n"
	"Writes one self-contained HTML page about the results in RESULTS.csv, a file of 'tilewright run' or\n"
	"'tilewright sweep'. The page shows what was run, what failed, the figures of 'tilewright plot' that fit\n"
	"these rows, schedules to zoom into, the means of repetitions with 95 % confidence intervals, and all\n"
	"rows, to sort and to filter.\n"
	"\n";

static const char notes[] =
	"\n"
	"To show a schedule, the command simulates that run again, and checks that the makespan is the same.\n"
	"Figures need the program gnuplot; without it the page has no figures.\n"
	"Exit status: 0 done, 1 a run of --gantt could not be simulated again, 2 bad arguments or input.\n";

struct options {
	const char *output;
	struct tw__repeated gantt, where;
};

static const struct cli_option options[] = {
	{"output", "FILE.html", SETS(CLI_TEXT, output), .letter = 'o',
         .help = "\nWrites the page to this file. '-' is standard output. Required."},
	{"gantt", "WHICH", SETS(CLI_REPEATED, gantt),
         .help = "Shows the schedule of one run. WHICH is the number of its row, counted from 1, or its identity, "
                 "or at least the first six characters of that. 'best' and 'worst' are the shortest and the longest "
                 "run of the workload with most tasks. 'none' shows no schedule. Can be given up to 16 times, for "
                 "several runs. Default: 'best' and 'worst', unless they have more than 100,000 tasks."},
	{"where", "COLUMN=VALUE[,VALUE]...", SETS(CLI_REPEATED, where), .help = CLI_WHERE},
	{0},
};

static int write_page(const char *results, const struct options *o)
{
	struct output output;
	struct tw_error err;
	const struct tw__report_request request = {
		.results = results,
		.where = o->where.of,
		.gantt = o->gantt.of,
		.warnings = warnings_list,
	};
	int left_out = 0;
	char *text = NULL;
	size_t size = 0;
	int status = output_open(&output, o->output, &err);
	if (status < 0)
		return cli_error(status, &err);
	/* Complete the page in memory, before it replaces the old file. */
	FILE *page = tw__text_open(&text, &size);
	status = tw__report_write(page, &request, &left_out, &err);
	tw__text_close(page);
	if (status == TW_OK) {
		output_begin(&output);
		fwrite(text, 1, size, output.file); /* output_close finds errors */
		status = output_close(&output, &err);
	}
	output_abandon(&output); /* does nothing if the page was written */
	free(text);
	if (status < 0)
		return cli_error(status, &err);
	return left_out == 0 ? 0
	                     : cli_fail(EXIT_RUN_FAILED,
	                                "report: %d of the runs of --gantt could not be simulated again", left_out);
}

static int report(int argc, char **argv)
{
	struct options o = {0};
	int exit_status = cli_parse(&command_report, argc, argv, &o, NULL);
	if (exit_status != CLI_GO_ON)
		return exit_status;
	int n = argc - optind;
	if (n != 1)
		return cli_fail(EXIT_BAD_INPUT, "report: %d files of results: expected one", n);
	if (!o.output)
		return cli_fail(EXIT_BAD_INPUT,
		                "report: option --output is missing: expected it, as in -o report.html");
	return write_page(argv[optind], &o);
}

const struct command command_report = {
	.name = "report",
	.summary = "show results as one HTML page",
	.usage = usage,
	.notes = notes,
	.options = options,
	.is_told = true,
	.run = report,
};
