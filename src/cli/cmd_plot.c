/* tilewright plot: draws figures. */
#include <getopt.h>
#include <string.h>

#include "cli/cli.h"
#include "plot/options.h"

static const char usage[] =
	"Usage: tilewright plot gantt TRACE -o FILE [OPTION]...\n"
	"       tilewright plot order TRACE -o FILE [OPTION]...\n"
	"       tilewright plot KIND RESULTS.csv -o FILE [OPTION]...\n"
	"Draws a figure. TRACE is a file or folder of 'tilewright run --trace'. RESULTS.csv is a file of\n"
	"'tilewright run' or 'tilewright sweep'; repetitions of a run become one point: their mean with its 95 %\n"
	"confidence interval.\n"
	"\n"
	"Figures of a trace:\n"
	"  gantt                  Shows what each worker executes over time, the GPU memory in use, the number of\n"
	"                         ready tasks, and the use of links.\n"
	"  order                  Shows when each tile of a matrix was processed, in a map for each iteration of\n"
	"                         the factorisation or product. For cholesky, lu, qr and matmul2d.\n"
	"Figures of results (KIND):\n"
	"  gflops                 Shows the GFlop/s of each policy over the size of the data, and the upper limit\n"
	"                         that follows from the lower bound of the makespan.\n"
	"  transfers              Shows the bytes that each policy moved, with limits and lower bounds of them.\n"
	"  ratio                  Shows the makespan of each policy divided by its lower bound.\n"
	"  counters               Shows a counter of the policies, which --counter names.\n"
	"  bars                   Shows the GFlop/s of policies side by side, for each number of GPUs or each\n"
	"                         value of another column that differs.\n"
	"  cloud                  Shows the GFlop/s of all configurations of a node over its number of CPU\n"
	"                         workers.\n"
	"  best                   Shows the best tenth of all configurations of a node, over the size of the\n"
	"                         data.\n"
	"  validation             Compares simulated with real makespans and shows the parts of their difference,\n"
	"                         from rows of 'tilewright validate-model'.\n"
	"\n"
	"Options of all figures:\n";

struct options {
	struct tw__plot_options figure;
	const char *output;
};

static int take(void *options, const char *option, const char *text, struct tw_error *err)
{
	struct options *o = options;
	return tw__plot_take(&o->figure, strstr(option, "--") + 2, option, text, err);
}

static const struct cli_option options[] = {
	{"output", "FILE", SETS(CLI_TEXT, output), .letter = 'o',
         .help = "Writes the figure to FILE. The ending chooses the format: .svg, .png or .pdf, which need the "
                 "program gnuplot, or .gp, a script for gnuplot with its data. Required."},
	{"keep-script", NULL, .type = CLI_OWN, .take = take,
         .help = "Also writes the gnuplot script of the figure, to a file beside FILE with the ending .gp."},
	{.type = CLI_LINES, .help = "Options of figures of results:"},
	{"x", "working-set|memory|COLUMN", .type = CLI_OWN, .take = take,
         .help = "Chooses the horizontal axis of figures of lines. 'working-set': the bytes of all data of the "
                 "workload (default). 'memory': the bytes of the memory of one GPU. COLUMN: a column of numbers, or "
                 "a parameter of the workload, as in 'gpus' or 'nt'."},
	{"per", "COLUMN", .type = CLI_OWN, .take = take,
         .help = "Divides all lines by a column of numbers, or by a parameter of the workload, as in 'nodes'. For "
                 "'gflops', 'transfers' and 'counters'."},
	{"where", "COLUMN=VALUE[,VALUE]...", .type = CLI_OWN, .take = take, .help = CLI_WHERE},
	{"facet", "COLUMN|none", .type = CLI_OWN, .take = take,
         .help = "Draws a panel for each value of COLUMN, as in 'gpu-mem' or 'gpus', with common\n"
                 "axes and one legend. 'none' draws one panel. Default: one panel for up to 8\n"
                 "lines or groups of bars; for more, the column that leaves the fewest in a\n"
                 "panel. Not for 'cloud' and 'validation', which have panels of their own."},
	{"title", "TEXT", .type = CLI_OWN, .take = take,
         .help = "Sets the title. Default: what the figure shows, and what all rows share."},
	{"size", "WxH", .type = CLI_OWN, .take = take,
         .help = "Sets width and height in pixels, as in '1000x600'. In .pdf, 100 pixels are an inch. Default: "
                 "1000x600 for one panel; a size that suits the panels."},
	{"font", "NAME[,SIZE]", .type = CLI_OWN, .take = take,
         .help = "Sets the font and its size in points. Default: 'DejaVu Sans,13'."},
	{"legend", "POSITION", .type = CLI_OWN, .take = take,
         .help = "Sets the place of the legend: 'right' (default), 'below', 'above', 'none', or a\n"
                 "corner of the plot: 'top-left', 'top-right', 'bottom-left', 'bottom-right'.\n"
                 "Not for 'cloud' and 'validation'."},
	{"yrange", "LOW:HIGH", .type = CLI_OWN, .take = take,
         .help = "Sets the range of the vertical axis, in its unit, as in '0:2000'. An end that is\n"
                 "left out, as in ':2000', follows from the rows. Default: all rows are shown.\n"
                 "Not for 'cloud' and 'validation'."},
	{"names", "LABEL=NAME[,...]", .type = CLI_OWN, .take = take,
         .help = "Gives lines other names in the legend, as in 'dmdas=DMDAS,eager=Eager'. LABEL is a label of the "
                 "figure, or a part of it between commas. Also for panels and groups of bars. Not for 'cloud' and "
                 "'validation'."},
	{"no-bounds", NULL, .type = CLI_OWN, .take = take,
         .help = "Draws no reference lines: no bounds, limits and peaks. Not for 'cloud' and 'validation'."},
	{"counter", "NAME", .type = CLI_OWN, .take = take,
         .help = "Chooses the counter that 'counters' shows. Default: the only counter in the file."},
	{"metric", "COLUMN", .type = CLI_OWN, .take = take,
         .help = "Chooses the column of numbers that 'bars' shows. Default: 'gflops'."},
	{.type = CLI_LINES, .help = "Options of figures of a trace:"},
	{"workers", "WORKER[,...]", .type = CLI_OWN, .take = take,
         .help = "Shows only these workers. WORKER is a name, as in 'GPU0'; a range FIRST:LAST of\n"
                 "names in the order of the trace, as in 'CPU0:CPU3'; or a kind, which is a name\n"
                 "without its number, as in 'CPU', or a kind of arch, as in 'm2070'. Names of\n"
                 "nodes of a cluster are for their workers, as in 'node0:node3'. Default of\n"
                 "gantt: all workers. 'order' draws one row of maps for each of these workers,\n"
                 "with only the tiles that it processed. Default: one row of maps for all\n"
                 "workers together."},
	{.type = CLI_LINES, .help = "Options of gantt:"},
	{"fold", "KIND[,...]|all|nodes|none", .type = CLI_OWN, .take = take,
         .help = "Draws the workers of each of these kinds as one row, whose height shows how\n"
                 "many of them run each kernel. 'all': of all kinds. 'nodes': of each kind on\n"
                 "each node of a cluster; memories and links are then those of nodes, too. 'none':\n"
                 "each worker has a row. Default: 'nodes' for clusters of more than 100 workers;\n"
                 "otherwise workers of one kind that execute nothing share a row; so do they with\n"
                 "other KINDs."},
	{"explain", NULL, .type = CLI_OWN, .take = take,
         .help = "Also shows why the run took as long as it did: the chain of kernels, transfers and waits that the "
                 "makespan hangs on, and the causes of idle time. Default: not shown."},
	{.type = CLI_LINES, .help = "\nOptions of order:"},
	{"iterations", "N[,...]", .type = CLI_OWN, .take = take,
         .help = "Draws the maps of these iterations, counted from 0. N is a number or a range FIRST:LAST[:STEP] "
                 "with both ends included. Default: the first four iterations."},
	{"workload", "SPEC", .type = CLI_OWN, .take = take,
         .help = "Names the workload of the trace, as in 'cholesky:nt=20'. Needed only for tables of tasks (.csv), "
                 "which do not name it."},
	{"per-colour", "N", .type = CLI_OWN, .take = take,
         .help = "Begins a new colour after each N tasks, in the order in which they started. Default: the smallest "
                 "of 1, 2, 5, 10, 20, 50 ... that gives at most seven colours."},
	{"colours", "light|paper", .type = CLI_OWN, .take = take,
         .help = "Chooses the colours of tiles. 'light': the earlier a tile was processed, the lighter its colour "
                 "(default). 'paper': the colours in Gonthier et al. 2024."},
	{.type = CLI_LINES, .help = ""},
	{0},
};

/* Checks the words and options. Returns CLI_GO_ON or an exit status. */
static int check(const struct options *o, const char *kind, int n_files)
{
	struct tw_error err;
	bool of_results;
	int status = tw__plot_check_kind(kind, &of_results, &err);
	if (status < 0)
		return cli_error(status, &err);
	if (n_files != 1)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: %d %s: expected one", kind, n_files,
		                of_results ? "files of results" : "traces");
	if (!o->output)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: option --output is missing: expected it, as in -o %s.svg",
		                kind, kind);
	status = tw__plot_check(&o->figure, kind, &err);
	return status < 0 ? cli_error(status, &err) : CLI_GO_ON;
}

static int draw(struct options *o, const char *kind, const char *file)
{
	struct tw_error err;
	int status = tw__plot_file(&o->figure, kind, file, o->output, &err);
	return status < 0 ? cli_error(status, &err) : 0;
}

static int plot(int argc, char **argv)
{
	char names[200];
	struct options o = {0};
	int exit_status = cli_parse(&command_plot, argc, argv, &o, NULL);
	if (exit_status == CLI_GO_ON && argc == optind)
		exit_status = cli_fail(EXIT_BAD_INPUT, "plot: no kind of figure: expected %s",
		                       tw__plot_kinds(names, sizeof names));
	if (exit_status == CLI_GO_ON)
		exit_status = check(&o, argv[optind], argc - optind - 1);
	if (exit_status == CLI_GO_ON)
		exit_status = draw(&o, argv[optind], argv[optind + 1]);
	tw__plot_options_finish(&o.figure);
	return exit_status;
}

const struct command command_plot = {
	.name = "plot",
	.summary = "draw a figure from a trace or from results",
	.usage = usage,
	.options = options,
	.is_told = true,
	.run = plot,
};
