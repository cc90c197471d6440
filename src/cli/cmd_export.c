/* tilewright export: writes a task graph as a file. */
#include "cli/cli.h"

#include <getopt.h>

#include "cli/output.h"
#include "cli/run_options.h"
#include "cli/words.h"
#include "experiment/load.h"
#include "export/export.h"

static const char *const usage[] = {
	"Usage: tilewright export --workload SPEC --output FILE [OPTION]...\n"
	"Writes a task graph to a file, for other programs. Tilewright reads the file as the workload\n"
	"'file:FILE'.\n"
	"\n"
	"  --workload SPEC        Chooses the task graph, as in 'cholesky:nt=20'. 'tilewright list workloads'\n"
	"                         prints the names. Required.\n"
	"  -o, --output FILE      Writes the graph to FILE. The ending chooses the format: .dot or .gv\n"
	"                         (Graphviz), .graphml (GraphML), or .json (Tilewright's own format). Required.\n",
	DEFAULT_SECONDS_USAGE,
	"  -h, --help             Prints this help.\n"
	"\n"
	"The format .json keeps everything in the graph; .graphml all but recorded workers.\n"
	"docs/reference/graphs.md describes the formats.\n",
	NULL,
};

static const struct option long_options[] = {
	{"workload", required_argument, NULL, 'w'},
	{"output", required_argument, NULL, 'o'},
	{"default-seconds", required_argument, NULL, 'D'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

/* Sets the priorities of tasks as the workload's parameter `priority` says. Refuses priorities by bottom levels, which
 * need kernel times. */
static int prioritise(struct tw_graph *graph, const char *workload, struct tw_error *err)
{
	if (graph->priorities == TW__PRIORITIES_BOTTOM_LEVEL)
		return tw_fail(
			err, TW_INVALID,
			"workload '%.200s': priority=bottom_level needs kernel times of a platform: expected another "
			"priority for export",
			workload);
	return tw__prioritise(graph, NULL, NULL, err);
}

static int write_graph(const struct tw_graph *graph, enum tw__export_format format, const char *path,
                       struct tw_error *err)
{
	struct output output;
	int status = output_open(&output, path, err);
	if (status < 0)
		return status;
	output_begin(&output);
	status = tw__export(output.file, format, graph, err);
	if (status == TW_OK)
		status = output_close(&output, err);
	output_abandon(&output); /* does nothing unless an error left the output open */
	return status;
}

static int export_graph(const char *workload, const char *path)
{
	struct tw_error err;
	struct tw_graph *graph = NULL;
	enum tw__export_format format;
	int status = tw__export_format(&format, path, &err);
	if (status < 0)
		return cli_fail(EXIT_BAD_INPUT, "--output %s", err.message);
	status = tw__generate(&graph, workload, &err);
	if (status == TW_OK)
		status = prioritise(graph, workload, &err);
	if (status == TW_OK)
		status = write_graph(graph, format, path, &err);
	tw_graph_destroy(graph);
	return status < 0 ? cli_error(status, &err) : 0;
}

struct options {
	const char *workload, *output, *default_seconds;
};

/* Exports the graph of --workload. As in `tilewright run`, a comma separates workloads, so a comma in a value is
 * written `\,`. */
static int export_words(const struct options *o)
{
	struct tw_error err;
	struct words workloads = {0};
	int status = specs_init(&workloads, "--workload", o->workload, &err);
	if (status == TW_OK && workloads.n != 1)
		status = tw_fail(&err, TW_INVALID, "--workload '%.200s': %d workloads: expected one", o->workload,
		                 workloads.n);
	if (status == TW_OK)
		status = specs_default_seconds(&workloads, o->default_seconds, &err);
	int exit_status = status < 0 ? cli_error(status, &err) : export_graph(workloads.of[0], o->output);
	words_finish(&workloads);
	return exit_status;
}

static int take(void *options, int option, const char *text, struct tw_error *err)
{
	struct options *o = options;
	(void)err;
	*(option == 'w' ? &o->workload : option == 'D' ? &o->default_seconds : &o->output) = text;
	return TW_OK;
}

static int export(int argc, char **argv)
{
	struct options o = {0};
	int exit_status = cli_options_only(&command_export, argc, argv, ":ho:", long_options, take, &o);
	if (exit_status >= 0)
		return exit_status;
	if (!o.workload || !o.output)
		return cli_fail(EXIT_BAD_INPUT,
		                "export: option %s is missing: expected it, see 'tilewright export --help'",
		                o.workload ? "--output" : "--workload");
	return export_words(&o);
}

const struct command command_export = {
	.name = "export",
	.summary = "write a task graph as a file",
	.usage = usage,
	.run = export,
};
