/* tilewright plot: figures. */
#include "cli/cli.h"

#include <getopt.h>
#include <string.h>

#include "plot/plot.h"

static const char usage[] =
	"Usage: tilewright plot gantt TRACE -o FILE\n"
	"Draws what each worker did over time, and how full the GPUs' memories were, from a trace that\n"
	"'tilewright run --trace' wrote.\n"
	"\n"
	"  -o, --output FILE  the figure: .svg, .png or .pdf; .gp is gnuplot's script, with its data\n"
	"  -h, --help         print this\n"
	"\n"
	"Figures are drawn by gnuplot, which has to be installed; scripts are not.\n";

static const struct option long_options[] = {
	{"output", required_argument, NULL, 'o'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

static int plot(int argc, char **argv)
{
	const char *output = NULL;
	int option;
	while ((option = getopt_long(argc, argv, ":ho:", long_options, NULL)) != -1) {
		if (option == 'h')
			return cli_print(usage);
		if (option == 'o')
			output = optarg;
		else
			return cli_bad_option(&command_plot, option, argv);
	}
	int n = argc - optind;
	if (n < 1)
		return cli_fail(EXIT_BAD_INPUT, "plot: no kind of figure: expected 'gantt'");
	if (strcmp(argv[optind], "gantt") != 0)
		return cli_fail(EXIT_BAD_INPUT, "plot: unknown kind of figure '%s': expected 'gantt'", argv[optind]);
	if (n != 2)
		return cli_fail(EXIT_BAD_INPUT, "plot gantt: %d traces: expected one", n - 1);
	if (!output)
		return cli_fail(EXIT_BAD_INPUT,
		                "plot gantt: option --output is missing: expected it, as in -o gantt.svg");

	struct tw_error err;
	int status = tw__plot_gantt(argv[optind + 1], output, &err);
	return status < 0 ? cli_error(status, &err) : 0;
}

const struct command command_plot = {
	.name = "plot",
	.summary = "draw a figure from a trace",
	.usage = usage,
	.run = plot,
};
