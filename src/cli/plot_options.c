#include "cli/plot_options.h"

#include <limits.h>
#include <stdlib.h>
#include <getopt.h>
#include <string.h>

#include "base/nearest.h"
#include "base/spec.h"
#include "cli/cli.h"

const char *const plot_usage[] = {
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
	"Options of all figures:\n"
	"  -o, --output FILE      Writes the figure to FILE. The ending chooses the format: .svg, .png or .pdf,\n"
	"                         which need the program gnuplot, or .gp, a script for gnuplot with its data.\n"
	"                         Required.\n"
	"  --keep-script          Also writes the gnuplot script of the figure, to a file beside FILE with the\n"
	"                         ending .gp.\n"
	"Options of figures of results:\n",
	"  --x working-set|memory|COLUMN\n"
	"                         Chooses the horizontal axis of figures of lines. 'working-set': the bytes of all\n"
	"                         data of the workload (default). 'memory': the bytes of the memory of one GPU.\n"
	"                         COLUMN: a column of numbers, or a parameter of the workload, as in 'gpus' or\n"
	"                         'nt'.\n"
	"  --where COLUMN=VALUE[,VALUE]...\n"
	"                         Reads only the rows that have one of these values in COLUMN, as in\n"
	"                         'policy=eager,dmdas', 'gpu-mem=2GB', 'gpu-mem=none' or 'nt=16', a parameter of\n"
	"                         the workload. Can be given up to 16 times: rows must meet every condition.\n"
	"                         Default: all rows.\n"
	"  --facet COLUMN|none    Draws a panel for each value of COLUMN, as in 'gpu-mem' or 'gpus', with common\n"
	"                         axes and one legend. 'none' draws one panel. Default: one panel for up to 8\n"
	"                         lines or groups of bars; for more, the column that leaves the fewest in a\n"
	"                         panel. Not for 'cloud' and 'validation', which have panels of their own.\n"
	"  --title TEXT           Sets the title. Default: what the figure shows, and what all rows share.\n"
	"  --size WxH             Sets width and height in pixels, as in '1000x600'. In .pdf, 100 pixels are an\n"
	"                         inch. Default: 1000x600 for one panel; a size that suits the panels.\n"
	"  --font NAME[,SIZE]     Sets the font and its size in points. Default: 'DejaVu Sans,13'.\n"
	"  --legend POSITION      Sets the place of the legend: 'right' (default), 'below', 'above', 'none', or a\n"
	"                         corner of the plot: 'top-left', 'top-right', 'bottom-left', 'bottom-right'.\n"
	"                         Not for 'cloud' and 'validation'.\n"
	"  --yrange LOW:HIGH      Sets the range of the vertical axis, in its unit, as in '0:2000'. An end that is\n"
	"                         left out, as in ':2000', follows from the rows. Default: all rows are shown.\n"
	"                         Not for 'cloud' and 'validation'.\n"
	"  --names LABEL=NAME[,...]\n"
	"                         Gives lines other names in the legend, as in 'dmdas=DMDAS,eager=Eager'. LABEL is\n"
	"                         a label of the figure, or a part of it between commas. Also for panels and\n"
	"                         groups of bars. Not for 'cloud' and 'validation'.\n"
	"  --no-bounds            Draws no reference lines: no bounds, limits and peaks. Not for 'cloud' and\n"
	"                         'validation'.\n"
	"  --counter NAME         Chooses the counter that 'counters' shows. Default: the only counter in the\n"
	"                         file.\n"
	"  --metric COLUMN        Chooses the column of numbers that 'bars' shows. Default: 'gflops'.\n",
	"Options of figures of a trace:\n"
	"  --workers WORKER[,...] Shows only these workers. WORKER is a name, as in 'GPU0'; a range FIRST:LAST of\n"
	"                         names in the order of the trace, as in 'CPU0:CPU3'; or a kind, which is a name\n"
	"                         without its number, as in 'CPU', or a kind of arch, as in 'm2070'. Default of\n"
	"                         gantt: all workers. 'order' draws one row of maps for each of these workers,\n"
	"                         with only the tiles that it processed. Default: one row of maps for all\n"
	"                         workers together.\n"
	"Options of gantt:\n"
	"  --fold KIND[,...]|all|none\n"
	"                         Draws the workers of each of these kinds as one row, whose height shows how\n"
	"                         many of them run each kernel. 'all': of all kinds. 'none': each worker has a\n"
	"                         row. Default: workers of one kind that execute nothing share a row; so do they\n"
	"                         with other KINDs.\n"
	"  --explain              Also shows why the run took as long as it did: the chain of kernels, transfers\n"
	"                         and waits that the makespan hangs on, and the causes of idle time. Default: not\n"
	"                         shown.\n"
	"\n"
	"Options of order:\n"
	"  --iterations N[,...]   Draws the maps of these iterations, counted from 0. N is a number or a range\n"
	"                         FIRST:LAST[:STEP] with both ends included. Default: the first four iterations.\n"
	"  --workload SPEC        Names the workload of the trace, as in 'cholesky:nt=20'. Needed only for tables\n"
	"                         of tasks (.csv), which do not name it.\n"
	"  --per-colour N         Begins a new colour after each N tasks, in the order in which they started.\n"
	"                         Default: the smallest of 1, 2, 5, 10, 20, 50 ... that gives at most seven\n"
	"                         colours.\n"
	"  --colours light|paper  Chooses the colours of tiles. 'light': the earlier a tile was processed, the\n"
	"                         lighter its colour (default). 'paper': the colours in Gonthier et al. 2024.\n"
	"\n"
	"  -h, --help             Prints this help.\n",
	NULL,
};

static const struct option long_options[] = {
	{"output", required_argument, NULL, 'o'},
	{"x", required_argument, NULL, 'x'},
	{"where", required_argument, NULL, 'w'},
	{"yrange", required_argument, NULL, 'y'},
	{"names", required_argument, NULL, 'n'},
	{"no-bounds", no_argument, NULL, 'B'},
	{"counter", required_argument, NULL, 'c'},
	{"metric", required_argument, NULL, 'm'},
	{"facet", required_argument, NULL, 'F'},
	{"title", required_argument, NULL, 't'},
	{"size", required_argument, NULL, 's'},
	{"font", required_argument, NULL, 'f'},
	{"legend", required_argument, NULL, 'L'},
	{"keep-script", no_argument, NULL, 'k'},
	{"iterations", required_argument, NULL, 'i'},
	{"workers", required_argument, NULL, 'W'},
	{"workload", required_argument, NULL, 'l'},
	{"per-colour", required_argument, NULL, 'p'},
	{"colours", required_argument, NULL, 'C'},
	{"explain", no_argument, NULL, 'X'},
	{"fold", required_argument, NULL, 'G'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

static int take_iterations(struct plot_options *o, const char *text)
{
	struct tw__words numbers = {0};
	struct tw_error err;
	int status = tw__ranges_init(&numbers, "plot: --iterations", text, 0, INT_MAX, &err);
	free(o->iterations);
	o->order.iterations = o->iterations = tw_alloc((size_t)numbers.n, sizeof *o->iterations);
	o->order.n_iterations = numbers.n;
	for (int i = 0; i < numbers.n; i++)
		o->iterations[i] = atoi(numbers.of[i]);
	tw__words_finish(&numbers);
	return status < 0 ? cli_error(status, &err) : 0;
}

/* Takes an option that only the figure 'order' has. */
static int take_for_order(struct plot_options *o, int option, const char *text)
{
	struct tw_error err;
	int64_t n;
	switch (option) {
	case 'i':
		return take_iterations(o, text);
	case 'l':
		o->order.workload = text;
		return 0;
	case 'p':
		if (tw__parse_int(&n, text, &err) < 0 || n < 1 || n > INT32_MAX)
			return cli_fail(EXIT_BAD_INPUT, "plot: --per-colour '%s': expected a number of tasks", text);
		o->order.per_colour = (int)n;
		return 0;
	default:
		o->order.as_printed = !strcmp(text, "paper");
		return o->order.as_printed || !strcmp(text, "light")
		               ? 0
		               : cli_fail(EXIT_BAD_INPUT, "plot: --colours '%s': expected light or paper", text);
	}
}

static int take_words(struct tw__words *words, const char *option, const char *text)
{
	struct tw_error err;
	return tw__words_init(words, option, text, &err) < 0 ? cli_fail(EXIT_BAD_INPUT, "%s", err.message) : 0;
}

/* Takes the value of --fold: kinds, or one of two words that are no kinds. */
static int take_fold(struct plot_options *o, const char *text)
{
	o->gantt.view.fold = !strcmp(text, "all")    ? TW__FOLD_ALL
	                     : !strcmp(text, "none") ? TW__FOLD_NONE
	                                             : TW__FOLD_IDLE;
	tw__words_finish(&o->fold);
	return o->gantt.view.fold == TW__FOLD_IDLE ? take_words(&o->fold, "plot: --fold", text) : 0;
}

/* Takes an option about the look of figures of results. */
static int take_style(struct plot_options *o, int option, const char *text)
{
	static const char expected[] = "right, below, above, top-left, top-right, bottom-left, bottom-right or none";
	struct tw__figure_style *style = &o->request.style;
	struct tw_error err;
	int legend, status = TW_OK;
	switch (option) {
	case 'F':
		o->of_results = "--facet";
		o->request.facet = text;
		return 0;
	case 't':
		o->of_results = "--title";
		style->title = text;
		return 0;
	case 's':
		o->of_results = "--size";
		status = tw__style_size(style, text, &err);
		break;
	case 'f':
		o->of_results = "--font";
		status = tw__style_font(style, text, &err);
		break;
	case 'y':
		o->of_results = o->of_legend = "--yrange";
		status = tw__style_y_range(style, text, &err);
		break;
	case 'n':
		o->of_results = o->of_legend = "--names";
		return take_words(&o->names, "plot: --names", text);
	case 'B':
		o->of_results = o->of_legend = "--no-bounds";
		o->request.no_bounds = true;
		return 0;
	default:
		o->of_results = o->of_legend = "--legend";
		if (cli_choice(&legend, "plot: --legend", text, tw__legend_names, expected, &err) < 0)
			return cli_fail(EXIT_BAD_INPUT, "%s", err.message);
		style->legend = (enum tw__legend)legend;
		return 0;
	}
	return status < 0 ? cli_fail(EXIT_BAD_INPUT, "plot: %s '%.200s': %s", o->of_results, text, err.message) : 0;
}

static int take(struct plot_options *o, int option, const char *text)
{
	struct tw_error err;
	switch (option) {
	case 'o':
		o->request.output = text;
		return 0;
	case 'k':
		o->request.keep_script = true;
		return 0;
	case 'X':
		o->of_gantt = "--explain";
		o->gantt.explains = true;
		return 0;
	case 'G':
		o->of_gantt = "--fold";
		return take_fold(o, text);
	case 'W':
		o->of_traces = "--workers";
		return take_words(&o->workers, "plot: --workers", text);
	case 'c':
		o->of_results = "--counter";
		o->request.counter = text;
		return 0;
	case 'm':
		o->of_results = "--metric";
		o->request.metric = text;
		return 0;
	case 'x':
		o->of_results = "--x";
		o->request.x_column = text;
		o->request.x = !strcmp(text, "memory")        ? TW__X_MEMORY
		               : !strcmp(text, "working-set") ? TW__X_WORKING_SET
		                                              : TW__X_COLUMN;
		return 0;
	case 'F':
	case 't':
	case 's':
	case 'f':
	case 'L':
	case 'y':
	case 'n':
	case 'B':
		return take_style(o, option, text);
	case 'w':
		o->of_results = "--where";
		return tw__repeated_add(&o->where, "plot: --where", text, &err) < 0
		               ? cli_fail(EXIT_BAD_INPUT, "%s", err.message)
		               : 0;
	default:
		for (const struct option *l = long_options; l->name; l++)
			if (l->val == option)
				o->of_order = l->name;
		return take_for_order(o, option, text);
	}
}

const struct tw__figure_kind *plot_kind(const char *name)
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

int plot_options_check(const struct plot_options *o, const char *kind, int n_files)
{
	char hint[TW__NEAREST_BYTES];
	const struct tw__figure_kind *of_results = plot_kind(kind);
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
	if (!of_results && o->of_results)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: %s: expected it for figures of results only", kind,
		                o->of_results);
	if (!of_order && o->of_order)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: --%s: expected it for 'order' only", kind, o->of_order);
	if (o->of_gantt && (of_results || of_order))
		return cli_fail(EXIT_BAD_INPUT, "plot %s: %s: expected it for 'gantt' only", kind, o->of_gantt);
	if (o->of_traces && of_results)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: %s: expected it for 'gantt' and 'order' only", kind,
		                o->of_traces);
	if (o->request.x != TW__X_WORKING_SET && of_results && !of_results->has_x)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: --x '%.60s': expected it for figures of lines only", kind,
		                o->request.x_column);
	if (o->request.facet && of_results && !of_results->has_facets)
		return cli_fail(EXIT_BAD_INPUT,
		                "plot %s: --facet '%.60s': expected it for figures without panels of their own", kind,
		                o->request.facet);
	if (o->of_legend && of_results && !of_results->has_legend)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: %s: expected it for figures with one legend", kind,
		                o->of_legend);
	if (o->request.counter && strcmp(kind, "counters") != 0)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: --counter '%s': expected it for 'counters' only", kind,
		                o->request.counter);
	if (o->request.metric && strcmp(kind, "bars") != 0)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: --metric '%s': expected it for 'bars' only", kind,
		                o->request.metric);
	return CLI_GO_ON;
}

int plot_options_init(struct plot_options *o, int argc, char **argv)
{
	char names[200];
	int option, exit_status = 0;
	*o = (struct plot_options){0};
	while (!exit_status && (option = getopt_long(argc, argv, ":ho:", long_options, NULL)) != -1) {
		if (option == 'h')
			return cli_print_usage(&command_plot);
		exit_status = option == '?' || option == ':' ? cli_bad_option(&command_plot, option, argv, long_options)
		                                             : take(o, option, optarg);
	}
	if (!exit_status && argc == optind)
		exit_status =
			cli_fail(EXIT_BAD_INPUT, "plot: no kind of figure: expected %s", kinds(names, sizeof names));
	return exit_status ? exit_status : CLI_GO_ON;
}

void plot_options_finish(struct plot_options *o)
{
	free(o->iterations);
	tw__words_finish(&o->workers);
	tw__words_finish(&o->fold);
	tw__words_finish(&o->names);
}
