/* tilewright report: shows results as one HTML page. */
#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>

#include "cli/output.h"
#include "report/report.h"

static const char usage[] =
	"Usage: tilewright report RESULTS.csv -o FILE.html [OPTION]...\n"
	"Makes one self-contained HTML page from CSV results of 'tilewright run' or 'tilewright sweep': what was\n"
	"run, what failed, the figures of 'tilewright plot' that fit these rows, schedules to zoom into, means of\n"
	"repetitions with 95 % confidence intervals, and all rows, which the page sorts and filters.\n"
	"\n"
	"  -o, --output FILE      the page; -: standard output\n"
	"  --gantt WHICH          show the schedule of this run; can be repeated. WHICH is its row number, from\n"
	"                         1; its identity or the first characters of it; best or worst run of the largest\n"
	"                         workload; or none (default: best and worst)\n"
	"  --where COLUMN=V[,V].. only rows with one of these values in that column; can be repeated\n"
	"  -h, --help             print this\n"
	"\n"
	"The command simulates these runs again from their rows; their makespans must agree. Figures need\n"
	"gnuplot; without it the page has none.\n"
	"Exit status: 0 done, 1 a run of --gantt could not be simulated again, 2 bad arguments or input.\n";

static const struct option long_options[] = {
	{"output", required_argument, NULL, 'o'},
	{"gantt", required_argument, NULL, 'g'},
	{"where", required_argument, NULL, 'w'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

enum { MAX_WORDS = 16 };

struct list {
	const char *of[MAX_WORDS + 1]; /* NULL at the end */
	int n;
};

static int add(struct list *l, const char *option, const char *word)
{
	if (l->n == MAX_WORDS)
		return cli_fail(EXIT_BAD_INPUT, "report: --%s '%.200s': expected this option at most %d times", option,
		                word, MAX_WORDS);
	l->of[l->n++] = word;
	return 0;
}

/* Warnings for standard error and for the page. */
struct warnings {
	char **list;
	size_t n, capacity;
};

static void take_warning(enum tw_log_level level, const char *message, void *context)
{
	struct warnings *w = context;
	if (level > TW_LOG_WARNING)
		return;
	fprintf(stderr, "tilewright: %s: %s\n", level == TW_LOG_ERROR ? "error" : "warning", message);
	char *copy = strdup(message);
	if (copy && TW_HAS_ROOM(w->list, w->capacity, w->n + 1))
		w->list[w->n++] = copy;
	else
		free(copy);
}

static const char *const *list_warnings(void *context, int *n)
{
	struct warnings *w = context;
	*n = (int)w->n;
	return (const char *const *)w->list;
}

static int write_page(const char *results, const char *path, const struct list *gantt, const struct list *where)
{
	struct warnings warnings = {0};
	struct output output;
	struct tw_error err;
	const struct tw__report_request request = {
		.results = results,
		.where = where->of,
		.gantt = gantt->of,
		.warnings = list_warnings,
		.context = &warnings,
	};
	int left_out = 0;
	char *text = NULL;
	size_t size = 0;
	int status = output_open(&output, path, &err);
	if (status < 0)
		return cli_error(status, &err);
	tw_set_log(take_warning, &warnings);
	/* The page is complete in memory before it replaces the old file. */
	FILE *page = open_memstream(&text, &size);
	status = page ? tw__report_write(page, &request, &left_out, &err)
	              : tw_fail(&err, TW_NOMEM, "report: out of memory");
	if (page && fclose(page) != 0 && status == TW_OK)
		status = tw_fail(&err, TW_NOMEM, "report: out of memory");
	if (status == TW_OK) {
		output_begin(&output);
		if (fwrite(text, 1, size, output.file) == size)
			status = output_close(&output, &err);
		else
			status =
				tw_fail(&err, TW_FAILED, "--output '%s': cannot be written: %s", path, strerror(errno));
	}
	if (status < 0)
		output_abandon(&output);
	tw_set_log(NULL, NULL);
	for (size_t i = 0; i < warnings.n; i++)
		free(warnings.list[i]);
	free(warnings.list);
	free(text);
	if (status < 0)
		return cli_error(status, &err);
	return left_out == 0 ? 0
	                     : cli_fail(EXIT_RUN_FAILED,
	                                "report: %d of the runs of --gantt could not be simulated again", left_out);
}

static int report(int argc, char **argv)
{
	struct list gantt = {0}, where = {0};
	const char *output = NULL;
	int option, exit_status = 0;
	while (!exit_status && (option = getopt_long(argc, argv, ":ho:", long_options, NULL)) != -1)
		switch (option) {
		case 'h':
			return cli_print(usage);
		case 'o':
			output = optarg;
			break;
		case 'g':
			exit_status = add(&gantt, "gantt", optarg);
			break;
		case 'w':
			exit_status = add(&where, "where", optarg);
			break;
		default:
			exit_status = cli_bad_option(&command_report, option, argv);
		}
	if (exit_status)
		return exit_status;
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
