/* tilewright platform: shows platforms, and describes this machine as one. */
#include "cli/cli.h"

#include <getopt.h>
#include <string.h>

#include "cli/detect.h"
#include "cli/show.h"

static const char usage[] =
	"Usage: tilewright platform show NAME [--picture FILE]\n"
	"       tilewright platform detect --output FOLDER [--name NAME] [--hwloc-xml FILE] [--force]\n"
	"\n"
	"show prints the workers, memories, routes and shared links of a platform, and the kernels that have times.\n"
	"\n"
	"      --picture FILE    also draw its memories and links: .svg or .png (needs dot of Graphviz), or .dot,\n"
	"                        the script for dot\n"
	"\n"
	"detect writes FOLDER/platform.xml, which describes this machine as hwloc sees it: its cores, its memory,\n"
	"and its GPUs with their PCI links. Comments in the file name the assumptions. If FOLDER has no\n"
	"kernels.csv, detect writes one without times. It measures nothing; 'tilewright calibrate' does.\n"
	"\n"
	"  -o, --output FOLDER   the platform's folder; it is created if need be\n"
	"      --name NAME       the platform's name in the file (default: the name of the host)\n"
	"      --hwloc-xml FILE  describe the machine whose topology hwloc exported to FILE\n"
	"      --force           replace an existing platform.xml\n"
	"\n"
	"  -h, --help            print this\n";

static const struct option long_options[] = {
	{"picture", required_argument, NULL, 'p'},
	{"output", required_argument, NULL, 'o'},
	{"name", required_argument, NULL, 'n'},
	{"hwloc-xml", required_argument, NULL, 'x'},
	{"force", no_argument, NULL, 'f'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

struct options {
	const char *picture;
	struct detect_options detect;
};

static int show(const struct options *o, int n_names, char **names)
{
	if (o->detect.folder || o->detect.name || o->detect.hwloc_xml || o->detect.force)
		return cli_fail(EXIT_BAD_INPUT, "platform show: expected no option but --picture");
	if (n_names != 1)
		return cli_fail(EXIT_BAD_INPUT, "platform show: %d names: expected one", n_names);
	return show_platform(names[0], o->picture);
}

static int detect(const struct options *o, int n_names, char **names)
{
	const char *name = o->detect.name;
	if (o->picture)
		return cli_fail(EXIT_BAD_INPUT, "platform detect: expected no option --picture: show has it");
	if (n_names)
		return cli_fail(EXIT_BAD_INPUT, "platform detect: '%s': expected options only", names[0]);
	if (!o->detect.folder)
		return cli_fail(EXIT_BAD_INPUT,
		                "platform detect: option --output is missing: expected it, as in -o platforms/mine");
	if (name && (!*name || strlen(name) > 80 ||
	             name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")]))
		return cli_fail(EXIT_BAD_INPUT, "--name '%.200s': expected 1 to 80 letters, digits and '.', '_', '-'",
		                name);
	return detect_platform(&o->detect);
}

static int platform(int argc, char **argv)
{
	struct options o = {0};
	int option;
	while ((option = getopt_long(argc, argv, ":ho:", long_options, NULL)) != -1) {
		switch (option) {
		case 'h':
			return cli_print(usage);
		case 'p':
			o.picture = optarg;
			break;
		case 'o':
			o.detect.folder = optarg;
			break;
		case 'n':
			o.detect.name = optarg;
			break;
		case 'x':
			o.detect.hwloc_xml = optarg;
			break;
		case 'f':
			o.detect.force = true;
			break;
		default:
			return cli_bad_option(&command_platform, option, argv);
		}
	}
	if (optind == argc)
		return cli_fail(EXIT_BAD_INPUT, "platform: nothing to do: expected show or detect");
	const char *what = argv[optind++];
	if (strcmp(what, "show") == 0)
		return show(&o, argc - optind, argv + optind);
	if (strcmp(what, "detect") == 0)
		return detect(&o, argc - optind, argv + optind);
	return cli_fail(EXIT_BAD_INPUT, "platform: '%s': expected show or detect", what);
}

const struct command command_platform = {
	.name = "platform",
	.summary = "show a platform, or describe this machine as one",
	.usage = usage,
	.run = platform,
};
