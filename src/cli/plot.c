/* tilewright plot: figures. */
#include "cli/cli.h"

#include <getopt.h>
#include <string.h>

#include "plot/plot.h"

static const char usage[] =
	"Usage: tilewright plot gantt TRACE -o FILE\n"
	"       tilewright plot KIND RESULTS.csv -o FILE [OPTION]...\n"
	"Draws a figure: of a trace that 'tilewright run --trace' wrote, or of results that 'tilewright run' or\n"
	"'tilewright sweep' wrote as CSV. Repetitions become their mean and its 95 % confidence interval.\n"
	"\n"
	"  gantt      what each worker did over time, and how full the GPUs' memories were\n"
	"  gflops     GFlop/s of each policy over the working set, with the lower bound's\n"
	"  transfers  data moved, with the bus limit, compulsory loads and the leading term of the I/O bound\n"
	"  ratio      makespan over the lower bound\n"
	"  counters   a policy's own counter: see --counter\n"
	"  bars       GFlop/s, policies beside each other, by GPUs or whatever else differs\n"
	"  cloud      GFlop/s of all configurations of a node by its number of CPU workers, in panels\n"
	"  best       the best tenth of the configurations, over the working set\n"
	"\n"
	"  -o, --output FILE      the figure: .svg, .png or .pdf; .gp is gnuplot's script, with its data\n"
	"  --x working-set|memory what the axis shows: the bytes of the workload's data (default), or a GPU's memory\n"
	"  --where COLUMN=V[,V].. only rows with one of these values there; can be given several times\n"
	"  --counter NAME         which of the counters in the rows\n"
	"  --keep-script          write gnuplot's script beside the figure, too\n"
	"  -h, --help             print this\n"
	"\n"
	"Figures are drawn by gnuplot, which has to be installed; scripts are not.\n";

static const struct option long_options[] = {
	{"output", required_argument, NULL, 'o'},
	{"x", required_argument, NULL, 'x'},
	{"where", required_argument, NULL, 'w'},
	{"counter", required_argument, NULL, 'c'},
	{"keep-script", no_argument, NULL, 'k'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

enum { MAX_WHERE = 16 };

struct options {
	struct tw__figure_request request;
	const char *where[MAX_WHERE + 1];
	int n_where;
	const char *only_results; /* an option that means nothing for traces */
};

static int take(struct options *o, int option, const char *text)
{
	o->only_results = option != 'o' ? "--x, --where, --counter and --keep-script" : o->only_results;
	switch (option) {
	case 'o':
		o->request.output = text;
		return 0;
	case 'c':
		o->request.counter = text;
		return 0;
	case 'k':
		o->request.keep_script = true;
		return 0;
	case 'x':
		o->request.x = strcmp(text, "memory") ? TW__X_WORKING_SET : TW__X_MEMORY;
		return !strcmp(text, "memory") || !strcmp(text, "working-set")
		               ? 0
		               : cli_fail(EXIT_BAD_INPUT, "plot: --x '%s': expected working-set or memory", text);
	default:
		if (o->n_where == MAX_WHERE)
			return cli_fail(EXIT_BAD_INPUT, "plot: --where '%s': expected at most %d of them", text,
			                MAX_WHERE);
		o->where[o->n_where++] = text;
		return 0;
	}
}

static bool is_of_results(const char *kind)
{
	for (const struct tw__figure_kind *k = tw__figure_kinds; k->name; k++)
		if (!strcmp(kind, k->name))
			return true;
	return false;
}

/* "'gantt', 'gflops' ..." */
static const char *kinds(char *text, size_t size)
{
	size_t at = (size_t)snprintf(text, size, "'gantt'");
	for (const struct tw__figure_kind *k = tw__figure_kinds; k->name && at < size; k++)
		at += (size_t)snprintf(text + at, size - at, "%s '%s'", k[1].name ? "," : " or", k->name);
	return text;
}

static int plot(int argc, char **argv)
{
	struct options o = {0};
	char names[200];
	int option, exit_status = 0;
	while (!exit_status && (option = getopt_long(argc, argv, ":ho:", long_options, NULL)) != -1) {
		if (option == 'h')
			return cli_print(usage);
		exit_status = option == '?' || option == ':' ? cli_bad_option(&command_plot, option, argv)
		                                             : take(&o, option, optarg);
	}
	if (exit_status)
		return exit_status;
	int n = argc - optind;
	if (n < 1)
		return cli_fail(EXIT_BAD_INPUT, "plot: no kind of figure: expected %s", kinds(names, sizeof names));
	const char *kind = argv[optind], *file = argv[optind + 1];
	bool of_results = is_of_results(kind);
	if (!of_results && strcmp(kind, "gantt") != 0)
		return cli_fail(EXIT_BAD_INPUT, "plot: unknown kind of figure '%s': expected %s", kind,
		                kinds(names, sizeof names));
	if (n != 2)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: %d %s: expected one", kind, n - 1,
		                of_results ? "files of results" : "traces");
	if (!o.request.output)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: option --output is missing: expected it, as in -o %s.svg",
		                kind, kind);
	if (!of_results && o.only_results)
		return cli_fail(EXIT_BAD_INPUT, "plot gantt: a trace has no rows: expected %s for results only",
		                o.only_results);
	if (o.request.x == TW__X_MEMORY && (!strcmp(kind, "bars") || !strcmp(kind, "cloud") || !strcmp(kind, "best")))
		return cli_fail(EXIT_BAD_INPUT, "plot %s: --x memory: expected it for figures of lines only", kind);
	if (o.request.counter && strcmp(kind, "counters") != 0)
		return cli_fail(EXIT_BAD_INPUT, "plot %s: --counter '%s': expected it for 'counters' only", kind,
		                o.request.counter);

	struct tw_error err;
	o.request.kind = kind;
	o.request.results = file;
	o.request.where = o.where;
	int status = of_results ? tw__plot_results(&o.request, &err) : tw__plot_gantt(file, o.request.output, &err);
	return status < 0 ? cli_error(status, &err) : 0;
}

const struct command command_plot = {
	.name = "plot",
	.summary = "draw a figure from a trace or from results",
	.usage = usage,
	.run = plot,
};
