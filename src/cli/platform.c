/* tilewright platform: what nodes are made of. */
#include "cli/cli.h"

#include <getopt.h>
#include <string.h>

#include "cli/show.h"

static const char usage[] =
	"Usage: tilewright platform show NAME [--picture FILE]\n"
	"Prints the workers, memories, routes and shared links of a platform, and what has kernel times.\n"
	"\n"
	"      --picture FILE  also draw its memories and links: .svg or .png (by Graphviz' dot, which has to be\n"
	"                      installed), or .dot, the script for it\n"
	"  -h, --help          print this\n";

static const struct option long_options[] = {
	{"picture", required_argument, NULL, 'p'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

static int platform(int argc, char **argv)
{
	const char *picture = NULL;
	int option;
	while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
		if (option == 'h')
			return cli_print(usage);
		if (option != 'p')
			return cli_bad_option(&command_platform, option, argv);
		picture = optarg;
	}
	int n = argc - optind;
	if (n < 1)
		return cli_fail(EXIT_BAD_INPUT, "platform: nothing to do: expected 'show'");
	if (strcmp(argv[optind], "show") != 0)
		return cli_fail(EXIT_BAD_INPUT, "platform: '%s': expected 'show'", argv[optind]);
	if (n != 2)
		return cli_fail(EXIT_BAD_INPUT, "platform show: %d names: expected one", n - 1);
	return show_platform(argv[optind + 1], picture);
}

const struct command command_platform = {
	.name = "platform",
	.summary = "show what a platform is made of",
	.usage = usage,
	.run = platform,
};
