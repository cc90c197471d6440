/* tilewright plot: draws figures. */
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/spec.h"
#include "cli/cli.h"
#include "plot/plot.h"
#include "request/words.h"

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

/* --- options ------------------------------------------------------------------------------------------------------ */

/* Options that some figures alone take, as numbers of groups: those of results, those with one legend, and of traces
 * `order`, `gantt` and both. */
enum { OF_RESULTS, OF_LEGEND, OF_ORDER, OF_GANTT, OF_TRACES, N_GROUPS };

struct options {
	struct tw__figure_request request;
	struct tw__trace_request trace;
	struct tw__repeated where;
	int *iterations; /* malloc'ed */
	struct tw__words workers, fold, names;
	const char *given[N_GROUPS]; /* the last option given of each group; NULL: none */
};

static int take_iterations(void *options, const char *option, const char *text, struct tw_error *err)
{
	struct options *o = options;
	struct tw__words numbers = {0};
	int status = tw__ranges_init(&numbers, option, text, 0, INT_MAX, err);
	free(o->iterations);
	o->trace.iterations = o->iterations = tw_alloc((size_t)numbers.n, sizeof *o->iterations);
	o->trace.n_iterations = numbers.n;
	for (int i = 0; i < numbers.n; i++)
		o->iterations[i] = atoi(numbers.of[i]);
	tw__words_finish(&numbers);
	return status;
}

static int take_per_colour(void *options, const char *option, const char *text, struct tw_error *err)
{
	struct options *o = options;
	int64_t n;
	if (tw__parse_int(&n, text, err) < 0 || n < 1 || n > INT32_MAX)
		return tw_fail(err, TW_INVALID, "%s '%s': expected a number of tasks", option, text);
	o->trace.per_colour = (int)n;
	return TW_OK;
}

static int take_colours(void *options, const char *option, const char *text, struct tw_error *err)
{
	static const char *const names[] = {"light", "paper", NULL};
	struct options *o = options;
	int paper = 0;
	int status = cli_choice(&paper, option, text, names, "light or paper", err);
	o->trace.as_printed = paper;
	return status;
}

/* Takes the value of --fold: kinds, or one of two words that are no kinds. */
static int take_fold(void *options, const char *option, const char *text, struct tw_error *err)
{
	struct options *o = options;
	o->trace.fold = !strcmp(text, "all") ? TW__FOLD_ALL : !strcmp(text, "none") ? TW__FOLD_NONE : TW__FOLD_IDLE;
	tw__words_finish(&o->fold);
	return o->trace.fold == TW__FOLD_IDLE ? tw__words_init(&o->fold, option, text, err) : TW_OK;
}

static int take_x(void *options, const char *option, const char *text, struct tw_error *err)
{
	struct options *o = options;
	(void)option;
	(void)err;
	o->request.x_column = text;
	o->request.x = !strcmp(text, "memory")        ? TW__X_MEMORY
	               : !strcmp(text, "working-set") ? TW__X_WORKING_SET
	                                              : TW__X_COLUMN;
	return TW_OK;
}

typedef int style_fn(struct tw__figure_style *, const char *, struct tw_error *);

static int take_style(style_fn *take, struct options *o, const char *option, const char *text, struct tw_error *err)
{
	struct tw_error why;
	int status = take(&o->request.style, text, &why);
	return status < 0 ? tw_fail(err, TW_INVALID, "%s '%.200s': %s", option, text, why.message) : TW_OK;
}

static int take_size(void *options, const char *option, const char *text, struct tw_error *err)
{
	return take_style(tw__style_size, options, option, text, err);
}

static int take_font(void *options, const char *option, const char *text, struct tw_error *err)
{
	return take_style(tw__style_font, options, option, text, err);
}

static int take_y_range(void *options, const char *option, const char *text, struct tw_error *err)
{
	return take_style(tw__style_y_range, options, option, text, err);
}

static int take_legend(void *options, const char *option, const char *text, struct tw_error *err)
{
	static const char expected[] = "right, below, above, top-left, top-right, bottom-left, bottom-right or none";
	struct options *o = options;
	int legend = (int)o->request.style.legend;
	int status = cli_choice(&legend, option, text, tw__legend_names, expected, err);
	o->request.style.legend = (enum tw__legend)legend;
	return status;
}

static const struct cli_option options[] = {
	{"output", "FILE", SETS(CLI_TEXT, request.output), .letter = 'o',
         .help = "Writes the figure to FILE. The ending chooses the format: .svg, .png or .pdf, which need the "
                 "program gnuplot, or .gp, a script for gnuplot with its data. Required."},
	{"keep-script", NULL, SETS(CLI_YES, request.keep_script),
         .help = "Also writes the gnuplot script of the figure, to a file beside FILE with the ending .gp."},
	{.type = CLI_LINES, .help = "Options of figures of results:"},
	{"x", "working-set|memory|COLUMN", .type = CLI_OWN, .take = take_x, .groups = 1U << OF_RESULTS,
         .help = "Chooses the horizontal axis of figures of lines. 'working-set': the bytes of all data of the "
                 "workload (default). 'memory': the bytes of the memory of one GPU. COLUMN: a column of numbers, or "
                 "a parameter of the workload, as in 'gpus' or 'nt'."},
	{"where", "COLUMN=VALUE[,VALUE]...", SETS(CLI_REPEATED, where), .groups = 1U << OF_RESULTS, .help = CLI_WHERE},
	{"facet", "COLUMN|none", SETS(CLI_TEXT, request.facet), .groups = 1U << OF_RESULTS,
         .help = "Draws a panel for each value of COLUMN, as in 'gpu-mem' or 'gpus', with common\n"
                 "axes and one legend. 'none' draws one panel. Default: one panel for up to 8\n"
                 "lines or groups of bars; for more, the column that leaves the fewest in a\n"
                 "panel. Not for 'cloud' and 'validation', which have panels of their own."},
	{"title", "TEXT", SETS(CLI_TEXT, request.style.title), .groups = 1U << OF_RESULTS,
         .help = "Sets the title. Default: what the figure shows, and what all rows share."},
	{"size", "WxH", .type = CLI_OWN, .take = take_size, .groups = 1U << OF_RESULTS,
         .help = "Sets width and height in pixels, as in '1000x600'. In .pdf, 100 pixels are an inch. Default: "
                 "1000x600 for one panel; a size that suits the panels."},
	{"font", "NAME[,SIZE]", .type = CLI_OWN, .take = take_font, .groups = 1U << OF_RESULTS,
         .help = "Sets the font and its size in points. Default: 'DejaVu Sans,13'."},
	{"legend", "POSITION", .type = CLI_OWN, .take = take_legend, .groups = 1U << OF_RESULTS | 1U << OF_LEGEND,
         .help = "Sets the place of the legend: 'right' (default), 'below', 'above', 'none', or a\n"
                 "corner of the plot: 'top-left', 'top-right', 'bottom-left', 'bottom-right'.\n"
                 "Not for 'cloud' and 'validation'."},
	{"yrange", "LOW:HIGH", .type = CLI_OWN, .take = take_y_range, .groups = 1U << OF_RESULTS | 1U << OF_LEGEND,
         .help = "Sets the range of the vertical axis, in its unit, as in '0:2000'. An end that is\n"
                 "left out, as in ':2000', follows from the rows. Default: all rows are shown.\n"
                 "Not for 'cloud' and 'validation'."},
	{"names", "LABEL=NAME[,...]", SETS(CLI_WORDS, names), .groups = 1U << OF_RESULTS | 1U << OF_LEGEND,
         .help = "Gives lines other names in the legend, as in 'dmdas=DMDAS,eager=Eager'. LABEL is a label of the "
                 "figure, or a part of it between commas. Also for panels and groups of bars. Not for 'cloud' and "
                 "'validation'."},
	{"no-bounds", NULL, SETS(CLI_YES, request.no_bounds), .groups = 1U << OF_RESULTS | 1U << OF_LEGEND,
         .help = "Draws no reference lines: no bounds, limits and peaks. Not for 'cloud' and 'validation'."},
	{"counter", "NAME", SETS(CLI_TEXT, request.counter), .groups = 1U << OF_RESULTS,
         .help = "Chooses the counter that 'counters' shows. Default: the only counter in the file."},
	{"metric", "COLUMN", SETS(CLI_TEXT, request.metric), .groups = 1U << OF_RESULTS,
         .help = "Chooses the column of numbers that 'bars' shows. Default: 'gflops'."},
	{.type = CLI_LINES, .help = "Options of figures of a trace:"},
	{"workers", "WORKER[,...]", SETS(CLI_WORDS, workers), .groups = 1U << OF_TRACES,
         .help = "Shows only these workers. WORKER is a name, as in 'GPU0'; a range FIRST:LAST of\n"
                 "names in the order of the trace, as in 'CPU0:CPU3'; or a kind, which is a name\n"
                 "without its number, as in 'CPU', or a kind of arch, as in 'm2070'. Default of\n"
                 "gantt: all workers. 'order' draws one row of maps for each of these workers,\n"
                 "with only the tiles that it processed. Default: one row of maps for all\n"
                 "workers together."},
	{.type = CLI_LINES, .help = "Options of gantt:"},
	{"fold", "KIND[,...]|all|none", .type = CLI_OWN, .take = take_fold, .groups = 1U << OF_GANTT,
         .help = "Draws the workers of each of these kinds as one row, whose height shows how\n"
                 "many of them run each kernel. 'all': of all kinds. 'none': each worker has a\n"
                 "row. Default: workers of one kind that execute nothing share a row; so do they\n"
                 "with other KINDs."},
	{"explain", NULL, SETS(CLI_YES, trace.explains), .groups = 1U << OF_GANTT,
         .help = "Also shows why the run took as long as it did: the chain of kernels, transfers and waits that the "
                 "makespan hangs on, and the causes of idle time. Default: not shown."},
	{.type = CLI_LINES, .help = "\nOptions of order:"},
	{"iterations", "N[,...]", .type = CLI_OWN, .take = take_iterations, .groups = 1U << OF_ORDER,
         .help = "Draws the maps of these iterations, counted from 0. N is a number or a range FIRST:LAST[:STEP] "
                 "with both ends included. Default: the first four iterations."},
	{"workload", "SPEC", SETS(CLI_TEXT, trace.workload), .groups = 1U << OF_ORDER,
         .help = "Names the workload of the trace, as in 'cholesky:nt=20'. Needed only for tables of tasks (.csv), "
                 "which do not name it."},
	{"per-colour", "N", .type = CLI_OWN, .take = take_per_colour, .groups = 1U << OF_ORDER,
         .help = "Begins a new colour after each N tasks, in the order in which they started. Default: the smallest "
                 "of 1, 2, 5, 10, 20, 50 ... that gives at most seven colours."},
	{"colours", "light|paper", .type = CLI_OWN, .take = take_colours, .groups = 1U << OF_ORDER,
         .help = "Chooses the colours of tiles. 'light': the earlier a tile was processed, the lighter its colour "
                 "(default). 'paper': the colours in Gonthier et al. 2024."},
	{.type = CLI_LINES, .help = ""},
	{0},
};

/* --- kinds of figures --------------------------------------------------------------------------------------------- */

static const struct tw__figure_kind *find_kind(const char *name)
{
	for (const struct tw__figure_kind *k = tw__figure_kinds; k->name; k++)
		if (!strcmp(name, k->name))
			return k;
	return NULL;
}

/* Writes the names of all kinds of figures to `text`, as in "'gantt', 'order', 'gflops' ...". */
static const char *kinds(char *text, size_t size)
{
	size_t at = (size_t)snprintf(text, size, "'gantt', 'order'");
	for (const struct tw__figure_kind *k = tw__figure_kinds; k->name && at < size; k++)
		at += (size_t)snprintf(text + at, size - at, "%s '%s'", k[1].name ? "," : " or", k->name);
	return text;
}

static const char *kind_at(const void *context, int i)
{
	(void)context;
	int n = 0;
	while (tw__figure_kinds[n].name)
		n++;
	return i < n ? tw__figure_kinds[i].name : i == n ? "order" : i == n + 1 ? "gantt" : NULL;
}

/* Checks that the options belong to this kind of figure, and the number of files. Returns CLI_GO_ON or an exit
 * status. */
static int check(const struct options *o, const char *kind, int n_files)
{
	char hint[TW__NEAREST_BYTES];
	const struct tw__figure_kind *of_results = find_kind(kind);
	bool of_order = !strcmp(kind, "order");
	char names[200];
	if (!of_results && !of_order && strcmp(kind, "gantt") != 0)
		return cli_fail(EXIT_BAD_INPUT, "plot: unknown kind of figure '%s'%s: expected %s", kind,
		                tw__nearest_hint(hint, kind, kind_at, NULL), kinds(names, sizeof names));
	if (n_files != 1)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: %d %s: expected one", kind, n_files,
		                of_results ? "files of results" : "traces");
	if (!o->request.output)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: option --output is missing: expected it, as in -o %s.svg",
		                kind, kind);
	static const char *const of_group[] = {[OF_RESULTS] = "figures of results",
	                                       [OF_ORDER] = "'order'",
	                                       [OF_GANTT] = "'gantt'",
	                                       [OF_TRACES] = "'gantt' and 'order'"};
	const bool takes[N_GROUPS] = {[OF_RESULTS] = of_results,
	                              [OF_LEGEND] = true,
	                              [OF_ORDER] = of_order,
	                              [OF_GANTT] = !of_results && !of_order,
	                              [OF_TRACES] = !of_results};
	for (int i = 0; i < N_GROUPS; i++)
		if (o->given[i] && !takes[i])
			return cli_fail(EXIT_BAD_INPUT, "plot %s: --%s: expected it for %s only", kind, o->given[i],
			                of_group[i]);
	if (o->request.x != TW__X_WORKING_SET && of_results && !of_results->has_x)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: --x '%.60s': expected it for figures of lines only", kind,
		                o->request.x_column);
	if (o->request.facet && of_results && !of_results->has_facets)
		return cli_fail(EXIT_BAD_INPUT,
		                "plot %s: --facet '%.60s': expected it for figures without panels of their own", kind,
		                o->request.facet);
	if (o->given[OF_LEGEND] && of_results && !of_results->has_legend)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: --%s: expected it for figures with one legend", kind,
		                o->given[OF_LEGEND]);
	if (o->request.counter && strcmp(kind, "counters") != 0)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: --counter '%s': expected it for 'counters' only", kind,
		                o->request.counter);
	if (o->request.metric && strcmp(kind, "bars") != 0)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: --metric '%s': expected it for 'bars' only", kind,
		                o->request.metric);
	return CLI_GO_ON;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int draw(struct options *o, const char *kind, const char *file)
{
	struct tw_error err;
	int status;
	if (find_kind(kind)) {
		o->request.kind = kind;
		o->request.results = file;
		o->request.where = o->where.of;
		o->request.names = (const char *const *)o->names.of;
		status = tw__plot_results(&o->request, &err);
	} else {
		o->trace.trace = file;
		o->trace.output = o->request.output;
		o->trace.keep_script = o->request.keep_script;
		o->trace.workers = (const char *const *)o->workers.of;
		o->trace.n_workers = o->workers.n;
		o->trace.kinds = (const char *const *)o->fold.of;
		o->trace.n_kinds = o->fold.n;
		status = (strcmp(kind, "order") ? tw__plot_gantt : tw__plot_order)(&o->trace, &err);
	}
	return status < 0 ? cli_error(status, &err) : 0;
}

static int plot(int argc, char **argv)
{
	char names[200];
	struct options o = {0};
	int exit_status = cli_parse(&command_plot, argc, argv, &o, NULL, o.given);
	if (exit_status == CLI_GO_ON && argc == optind)
		exit_status =
			cli_fail(EXIT_BAD_INPUT, "plot: no kind of figure: expected %s", kinds(names, sizeof names));
	if (exit_status == CLI_GO_ON)
		exit_status = check(&o, argv[optind], argc - optind - 1);
	if (exit_status == CLI_GO_ON)
		exit_status = draw(&o, argv[optind], argv[optind + 1]);
	free(o.iterations);
	tw__words_finish(&o.workers);
	tw__words_finish(&o.fold);
	tw__words_finish(&o.names);
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
