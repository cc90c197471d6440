/* tilewright import: makes platforms from foreign descriptions of nodes. */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "cli/folder.h"
#include "import/import.h"

static const char usage[] =
	"Usage: tilewright import starpu:NAME[:KEY=VALUE]... [--output FOLDER] [--force]\n"
	"Makes a platform (platform.xml and kernels.csv) from the files in which StarPU keeps its measurements of\n"
	"the host NAME.\n"
	"\n"
	"Keys, as in starpu:mirage:gpu=m2070:\n"
	"  dir=FOLDER             Reads StarPU's measurements from FOLDER. Default: the first of these folders\n"
	"                         that has the host NAME: $STARPU_PERF_MODEL_DIR, $STARPU_HOME/.starpu/sampling,\n"
	"                         ~/.starpu/sampling, /usr/share/starpu/perfmodels/sampling.\n"
	"  gpu=ARCH               Gives the architecture of the accelerators the name ARCH. Default: the model\n"
	"                         that StarPU's files name, otherwise the kind, such as 'cuda' or 'hip'.\n"
	"  devices=merged|apart   'merged' makes one architecture of all accelerators, with the means of their\n"
	"                         times (default). 'apart' makes an architecture for each accelerator: ARCH-0,\n"
	"                         ARCH-1 ...\n"
	"  bus=measured|simulated\n"
	"                         Chooses the bandwidths of links. With 'measured', a copy that is alone on the\n"
	"                         links takes the time that StarPU measured (default). 'simulated' makes the\n"
	"                         links that StarPU itself simulates.\n"
	"  models=all|known       'all' imports the times of all kernels (default). 'known' imports only those of\n"
	"                         kernels in Tilewright's workloads.\n"
	"\n"
	"Options:\n";

static const char notes[] =
	"\n"
	"A line on standard error counts the measurements that were left out. The exit status is 1 if one of them\n"
	"was left out because its file is malformed.\n";

struct options {
	const char *output;
	bool force;
};

static const struct cli_option options[] = {
	{"output", "FOLDER", SETS(CLI_TEXT, output), .letter = 'o',
         .help = "Writes platform.xml and kernels.csv to FOLDER. Default: a folder with the name of the imported "
                 "node, in the current one."},
	{"force", NULL, SETS(CLI_YES, force),
         .help = "Replaces both files if they exist. Default: an existing file is an error."},
	{0},
};

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void put_platform(FILE *f, const struct tw__import *import)
{
	char cards[80] = "";
	if (import->cards)
		snprintf(cards, sizeof cards, " GPU0 is StarPU's %s0.", import->cards);
	char *comment = tw_format(
		"%s: imported from StarPU's measurements of this host, bus/%s.* in\n"
		"     %s: links and routes from the platform.v4.xml, predicted_* from bandwidth and latency.\n"
		"     Devices that OpenCL sees again and StarPU's default disk are left out.%s",
		import->platform->name, import->platform->name, import->source, cards);
	for (char *at = comment; (at = strstr(at, "--"));)
		at[1] = '_'; /* an XML comment must not contain "--" */
	tw__platform_write_xml(import->platform, comment, f);
	free(comment);
}

static int write_folder(const struct tw__import *import, const char *path, bool force, struct tw_error *err)
{
	const enum tw__new_file_rule rule = force ? TW__REPLACE : TW__REFUSE;
	struct folder folder;
	int status = folder_open(&folder, path, (const enum tw__new_file_rule[]){rule, rule}, err);
	if (status == TW_OK) {
		put_platform(folder.files[FOLDER_PLATFORM].f, import);
		tw__import_write_kernels(import, folder.files[FOLDER_KERNELS].f);
		status = folder_settle(&folder, err);
	}
	folder_finish(&folder);
	return status;
}

/* --- summary ------------------------------------------------------------------------------------------------------ */

static void count(char *text, size_t room, int n, const char *what)
{
	size_t used = strlen(text);
	if (n && used < room)
		snprintf(text + used, room - used, "%s%d %s", used ? ", " : "; left out: ", n, what);
}

static void tell(const struct tw__import *import, const char *folder)
{
	const struct tw__import_left *left = &import->left;
	char rest[600] = "";
	count(rest, sizeof rest, left->malformed, "malformed models");
	count(rest, sizeof rest, left->copied, "models that are copies for other libraries");
	count(rest, sizeof rest, left->copies, "times that another model has too");
	count(rest, sizeof rest, left->unknown, "models of other kernels");
	count(rest, sizeof rest, left->devices, "times of devices that the node does not have");
	count(rest, sizeof rest, left->mixed, "combinations of several kinds of devices");
	count(rest, sizeof rest, left->unused, "sizes without executions");
	count(rest, sizeof rest, left->routes, "routes faster than the links that StarPU lists");
	count(rest, sizeof rest, left->slower, "times of slower implementations");
	fprintf(stderr, "tilewright: %s: %d workers, %d kernel times from %d models%s%s\n", folder,
	        import->platform->n_workers, (int)import->n_rows, import->n_models,
	        import->n_hashed ? ", some for sizes known only by their hash" : "", rest);
}

static int import_starpu(const struct tw_args *args, const struct options *o)
{
	struct tw__import import;
	struct tw_error err;
	const char *folder = o->output ? o->output : tw_args_text(args, "name");
	int status = tw__import_starpu(&import, args, &err);
	if (status == TW_OK)
		status = write_folder(&import, folder, o->force, &err);
	int exit_status = status < 0 ? cli_error(status, &err) : import.left.malformed ? EXIT_RUN_FAILED : 0;
	if (status == TW_OK)
		tell(&import, folder);
	tw__import_finish(&import);
	return exit_status;
}

static int import_spec(const char *text, const struct options *o)
{
	struct tw_error err;
	struct tw__spec spec;
	struct tw_args *args = NULL;
	int status = tw__spec_parse(&spec, text, &err);
	if (status < 0)
		return cli_fail(EXIT_BAD_INPUT, "import %s", err.message);
	if (strcmp(spec.name, "starpu") != 0)
		status = tw_fail(&err, TW_INVALID, "import '%.100s': unknown kind of description: expected starpu:NAME",
		                 spec.name);
	else
		status = tw__args_create(&args, "import 'starpu'", tw__import_starpu_params, &spec, &err);
	tw__spec_finish(&spec);
	int exit_status = status < 0 ? cli_error(status, &err) : import_starpu(args, o);
	tw__args_destroy(args);
	return exit_status;
}

static int import(int argc, char **argv)
{
	struct options o = {0};
	int exit_status = cli_parse(&command_import, argc, argv, &o, NULL);
	if (exit_status != CLI_GO_ON)
		return exit_status;
	if (argc - optind != 1)
		return cli_fail(EXIT_BAD_INPUT, "import: %s: expected one description, as in starpu:mirage",
		                argc == optind ? "nothing to import" : argv[optind + 1]);
	return import_spec(argv[optind], &o);
}

const struct command command_import = {
	.name = "import",
	.summary = "make a platform from StarPU's measurements",
	.usage = usage,
	.notes = notes,
	.options = options,
	.run = import,
};
