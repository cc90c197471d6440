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

static const char *const usage[] = {
	"Usage: tilewright report RESULTS.csv -o FILE.html [OPTION]...\n"
	"Writes one self-contained HTML page about the results in RESULTS.csv, a file of 'tilewright run' or\n"
	"'tilewright sweep'. The page shows what was run, what failed, the figures of 'tilewright plot' that fit\n"
	"these rows, schedules to zoom into, the means of repetitions with 95 % confidence intervals, and all\n"
	"rows, to sort and to filter.\n"
	"\n"
	"  -o, --output FILE.html\n"
	"                         Writes the page to this file. '-' is standard output. Required.\n"
	"  --gantt WHICH          Shows the schedule of one run. WHICH is the number of its row, counted from 1,\n"
	"                         or its identity, or at least the first six characters of that. 'best' and\n"
	"                         'worst' are the shortest and the longest run of the workload with most tasks.\n"
	"                         'none' shows no schedule. Can be given up to 16 times, for several runs.\n"
	"                         Default: 'best' and 'worst', unless they have more than 100,000 tasks.\n"
	"  --where COLUMN=VALUE[,VALUE]...\n"
	"                         Reads only the rows that have one of these values in COLUMN, as in\n"
	"                         'policy=eager,dmdas', 'gpu-mem=2GB', 'gpu-mem=none' or 'nt=16', a parameter of\n"
	"                         the workload. Can be given up to 16 times: rows must meet every condition.\n"
	"                         Default: all rows.\n"
	"  -h, --help             Prints this help.\n"
	"\n"
	"To show a schedule, the command simulates that run again, and checks that the makespan is the same.\n"
	"Figures need the program gnuplot; without it the page has no figures.\n"
	"Exit status: 0 done, 1 a run of --gantt could not be simulated again, 2 bad arguments or input.\n",
	NULL,
};

static const struct option long_options[] = {
	{"output", required_argument, NULL, 'o'},
	{"gantt", required_argument, NULL, 'g'},
	{"where", required_argument, NULL, 'w'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

static int write_page(const char *results, const char *path, const struct tw__repeated *gantt,
                      const struct tw__repeated *where)
{
	struct output output;
	struct tw_error err;
	const struct tw__report_request request = {
		.results = results,
		.where = where->of,
		.gantt = gantt->of,
		.warnings = warnings_list,
	};
	int left_out = 0;
	char *text = NULL;
	size_t size = 0;
	int status = output_open(&output, path, &err);
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
	struct tw__repeated gantt = {0}, where = {0};
	struct tw_error err;
	const char *output = NULL;
	int option, exit_status = 0, status = TW_OK;
	while (!exit_status && status == TW_OK && (option = getopt_long(argc, argv, ":ho:", long_options, NULL)) != -1)
		switch (option) {
		case 'h':
			return cli_print_usage(&command_report);
		case 'o':
			output = optarg;
			break;
		case 'g':
			status = tw__repeated_add(&gantt, "report: --gantt", optarg, &err);
			break;
		case 'w':
			status = tw__repeated_add(&where, "report: --where", optarg, &err);
			break;
		default:
			exit_status = cli_bad_option(&command_report, option, argv, long_options);
		}
	if (exit_status || status < 0)
		return exit_status ? exit_status : cli_error(status, &err);
	int n = argc - optind;
	if (n != 1)
		return cli_fail(EXIT_BAD_INPUT, "report: %d files of results: expected one", n);
	if (!output)
		return cli_fail(EXIT_BAD_INPUT,
		                "report: option --output is missing: expected it, as in -o report.html");
	return write_page(argv[optind], output, &gantt, &where);
}

const struct command command_report = {
	.name = "report",
	.summary = "show results as one HTML page",
	.usage = usage,
	.run = report,
};
