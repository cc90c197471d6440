/* tilewright platform: shows platforms, and describes this machine as one. */
#include "cli/cli.h"

#include <getopt.h>
#include <string.h>

#include "cli/folder.h"
#include "cli/show.h"
#include "perf/models.h"
#include "machine/detect.h"

static const char usage[] =
	"Usage: tilewright platform show NAME [--picture FILE]\n"
	"       tilewright platform detect --output FOLDER [--name NAME] [--hwloc-xml FILE] [--force]\n"
	"\n"
	"show prints the workers, memories, routes and shared links of a platform, the kernels for which the\n"
	"platform has times, and where these times come from. NAME is a name that 'tilewright list platforms'\n"
	"prints, or the path of a platform.\n"
	"\n";

struct options {
	const char *picture;
	const char *folder;
	const char *name, *hwloc_xml; /* see tw__detect; each may be NULL */
	bool numa;                    /* as above */
	bool force;                   /* whether to replace an existing platform.xml */
};

static const char detect_usage[] =
	"\n"
	"detect describes this machine as a platform and writes it to FOLDER/platform.xml: the cores, the memory,\n"
	"and the GPUs with their PCI links, as the library hwloc reports them. Comments in that file name the\n"
	"assumptions. detect measures no times: if FOLDER has no kernels.csv, it writes one without times there.\n"
	"'tilewright calibrate' measures times.\n";

static const struct cli_option options[] = {
	{"picture", "FILE", SETS(CLI_TEXT, picture),
         .help = "Also draws the memories of the platform and the links between them. The ending of FILE chooses "
                 "the format: .svg or .png, which need the program dot of Graphviz, or .dot, the script for that "
                 "program. Default: no picture."},
	{.type = CLI_LINES, .help = detect_usage},
	{"output", "FOLDER", SETS(CLI_TEXT, folder), .letter = 'o',
         .help = "Writes the platform to FOLDER, which is created if it does not exist. Required."},
	{"name", "NAME", SETS(CLI_TEXT, name),
         .help = "Sets the platform's name in platform.xml. Default: the name of this host."},
	{"hwloc-xml", "FILE", SETS(CLI_TEXT, hwloc_xml),
         .help = "Describes, instead of this machine, the one whose topology hwloc has exported\n"
                 "to FILE, as 'lstopo FILE.xml' does. Default: this machine."},
	{"numa", NULL, SETS(CLI_YES, numa),
         .help = "Makes each NUMA node near cores a main memory, with assumed links between them. Default: all NUMA "
                 "nodes are one main memory."},
	{"force", NULL, SETS(CLI_YES, force),
         .help = "Replaces an existing FOLDER/platform.xml; kernels.csv stays as it is. Default: an existing file "
                 "is an error."},
	{.type = CLI_LINES, .help = ""},
	{0},
};

/* --- detect ------------------------------------------------------------------------------------------------------- */

static void write_kernels(FILE *f, const char *summary)
{
	fprintf(f,
	        "# %s\n"
	        "# A row for each kernel, kind of worker and size that is measured: docs/reference/platforms.md\n"
	        "%s\n",
	        summary, tw__kernels_header);
}

/* Reads the written platform.xml back, since a file that the parser refuses is no platform. */
static int read_back(struct tw__platform **p, const char *path, struct tw_error *err)
{
	struct tw_error inner;
	if (tw__platform_read(p, path, "detected", &inner) == TW_OK)
		return TW_OK;
	return tw_fail(err, TW_INVALID, "hwloc's topology makes no valid platform: %.400s", inner.message);
}

static int detect_into(struct folder *folder, const struct options *o, struct tw_error *err)
{
	struct tw__platform *p = NULL;
	struct tw__new_file *files = folder->files;
	char draft[4096];
	int status = tw__detect(files[FOLDER_PLATFORM].f, o->name, o->hwloc_xml, o->numa, err);
	if (status == TW_OK)
		status = folder_flush(folder, FOLDER_PLATFORM, draft, err);
	if (status == TW_OK)
		status = read_back(&p, draft, err);
	if (status == TW_OK) {
		write_kernels(files[FOLDER_KERNELS].f, p->summary);
		status = folder_settle(folder, err);
	}
	if (status == TW_OK)
		printf("%s: %s\n", files[FOLDER_PLATFORM].final, p->summary);
	tw__platform_destroy(p);
	return status;
}

/* Describes this machine as a platform: writes the folder's platform.xml, and its kernels.csv unless that exists. Both
 * are written, or neither. Returns the exit status. */
static int detect_platform(const struct options *o)
{
	/* Measured kernel times stay: even --force does not replace kernels.csv. */
	const enum tw__new_file_rule rules[] = {o->force ? TW__REPLACE : TW__REFUSE, TW__KEEP};
	struct tw_error err;
	struct folder folder;
	int status = folder_open(&folder, o->folder, rules, &err);
	if (status == TW_OK)
		status = detect_into(&folder, o, &err);
	folder_finish(&folder);
	return status < 0 ? cli_error(status, &err) : 0;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int show(const struct options *o, int n_names, char **names)
{
	if (o->folder || o->name || o->hwloc_xml || o->numa || o->force)
		return cli_fail(EXIT_BAD_INPUT, "platform show: expected no option but --picture");
	if (n_names != 1)
		return cli_fail(EXIT_BAD_INPUT, "platform show: %d names: expected one", n_names);
	return show_platform(names[0], o->picture);
}

static int detect(const struct options *o, int n_names, char **names)
{
	const char *name = o->name;
	if (o->picture)
		return cli_fail(EXIT_BAD_INPUT, "platform detect: expected no option --picture: show has it");
	if (n_names)
		return cli_fail(EXIT_BAD_INPUT, "platform detect: '%s': expected options only", names[0]);
	if (!o->folder)
		return cli_fail(EXIT_BAD_INPUT,
		                "platform detect: option --output is missing: expected it, as in -o platforms/mine");
	if (name && (!*name || strlen(name) > 80 ||
	             name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")]))
		return cli_fail(EXIT_BAD_INPUT, "--name '%.200s': expected 1 to 80 letters, digits and '.', '_', '-'",
		                name);
	return detect_platform(o);
}

static int platform(int argc, char **argv)
{
	struct options o = {0};
	int exit_status = cli_parse(&command_platform, argc, argv, &o, NULL);
	if (exit_status != CLI_GO_ON)
		return exit_status;
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
	.options = options,
	.run = platform,
};
