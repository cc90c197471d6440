/* tilewright export: writes a task graph as a file. */
#include "cli/cli.h"

#include <getopt.h>

#include <tilewright/run.h>

#include "cli/output.h"
#include "export/export.h"
#include "request/inputs.h"

static const char usage[] =
	"Usage: tilewright export --workload SPEC --output FILE [OPTION]...\n"
	"Writes a task graph to a file, for other programs. Tilewright reads the file as the workload\n"
	"'file:FILE'.\n"
	"\n";

static const char notes[] = "\n"
			    "The format .json keeps everything in the graph; .graphml all but recorded workers.\n"
			    "docs/reference/graphs.md describes the formats.\n";

struct options {
	struct tw__inputs inputs;
	const char *output;
};

static const struct cli_option options[] = {
	{"workload", "SPEC", .type = CLI_INPUT,
         .help = "Chooses the task graph, as in 'cholesky:nt=20'. 'tilewright list workloads' prints the names. "
                 "Required."},
	{"output", "FILE", SETS(CLI_TEXT, output), .letter = 'o',
         .help = "Writes the graph to FILE. The ending chooses the format: .dot or .gv\n"
                 "(Graphviz), .graphml (GraphML), or .json (Tilewright's own format). Required."},
	{.type = CLI_INPUTS},
	{0},
};

static int write_graph(const struct tw_graph *graph, int format, const char *path, struct tw_error *err)
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
	int format = tw__export_format(path, &err);
	if (format < 0)
		return cli_fail(EXIT_BAD_INPUT, "--output %s", err.message);
	int status = tw_graph_generate(&graph, workload, &err);
	if (status == TW_OK)
		status = write_graph(graph, format, path, &err);
	tw_graph_destroy(graph);
	return status < 0 ? cli_error(status, &err) : 0;
}

/* Exports the graph of --workload. As in `tilewright run`, a comma separates workloads, so a comma in a value is
 * written `\,`. */
static int export_words(struct tw__inputs *inputs, const char *output)
{
	struct tw_error err;
	int status = tw__inputs_complete(inputs, TW__FOR_EXPORT, "export", TW__MOST_POINTS, &err);
	const struct tw__words *workloads = tw__inputs_list(inputs, "workload");
	if (status == TW_OK && !output)
		status = tw_fail(&err, TW_INVALID,
		                 "export: option --output is missing: expected it, see 'tilewright export --help'");
	if (status == TW_OK && workloads->n != 1)
		status = tw_fail(&err, TW_INVALID, "--workload '%.200s,%.200s%s': %d workloads: expected one",
		                 workloads->of[0], workloads->of[1], workloads->n > 2 ? ",..." : "", workloads->n);
	return status < 0 ? cli_error(status, &err) : export_graph(workloads->of[0], output);
}

static int export(int argc, char **argv)
{
	struct options o = {0};
	tw__inputs_init(&o.inputs);
	int exit_status = cli_parse(&command_export, argc, argv, &o, &o.inputs);
	if (exit_status < 0)
		exit_status = export_words(&o.inputs, o.output);
	tw__inputs_finish(&o.inputs);
	return exit_status;
}

const struct command command_export = {
	.name = "export",
	.summary = "write a task graph as a file",
	.usage = usage,
	.notes = notes,
	.options = options,
	.inputs = TW__FOR_EXPORT,
	.has_no_words = true,
	.run = export,
};
