/* tilewright platform: shows platforms, describes this machine as one, and joins nodes to clusters. */
#include "cli/cli.h"

#include <getopt.h>
#include <string.h>

#include "base/spec.h"
#include "cli/folder.h"
#include "cli/platform_cluster.h"
#include "cli/show.h"
#include "perf/models.h"
#include "machine/detect.h"

static const char usage[] =
	"Usage: tilewright platform show NAME [--picture FILE]\n"
	"       tilewright platform detect --output FOLDER [--name NAME] [--hwloc-xml FILE] [--force]\n"
	"       tilewright platform cluster --output FOLDER --node NAME --count N [--node NAME --count N]...\n"
	"                                   --bandwidth RATE --latency TIME [--backbone RATE] [--topology SHAPE]\n"
	"                                   [--force]\n"
	"       tilewright platform cluster --output FOLDER --network FILE --node NAME [--force]\n"
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
	struct cluster_options cluster;
};

static int take_node(void *options, const char *option, const char *text, struct tw_error *err)
{
	struct cluster_options *c = &((struct options *)options)->cluster;
	if (!*text || c->n_nodes == MOST_CLUSTER_NODES)
		return tw_fail(err, TW_INVALID, "%s '%.80s': expected the name of a platform, at most %d times", option,
		               text, MOST_CLUSTER_NODES);
	c->nodes[c->n_nodes++] = (struct cluster_node){.name = text};
	return TW_OK;
}

static int take_count(void *options, const char *option, const char *text, struct tw_error *err)
{
	struct cluster_options *c = &((struct options *)options)->cluster;
	int64_t count;
	if (!c->n_nodes || c->nodes[c->n_nodes - 1].count)
		return tw_fail(err, TW_INVALID, "%s '%.80s': expected one behind each --node", option, text);
	if (tw__parse_int(&count, text, err) < 0 || count < 1 || count > MOST_CLUSTER_COUNT)
		return tw_fail(err, TW_INVALID, "%s '%.80s': expected a number of nodes from 1 to %d", option, text,
		               MOST_CLUSTER_COUNT);
	c->nodes[c->n_nodes - 1].count = (int)count;
	return TW_OK;
}

static int check_rate(const char *option, const char *text, struct tw_error *err)
{
	double rate;
	if (tw__parse_bandwidth(&rate, text, err) < 0 || rate < 1)
		return tw_fail(err, TW_INVALID, "%s '%.80s': expected a bandwidth, as in 4GBps", option, text);
	return TW_OK;
}

static int take_bandwidth(void *options, const char *option, const char *text, struct tw_error *err)
{
	((struct options *)options)->cluster.bandwidth = text;
	return check_rate(option, text, err);
}

static int take_backbone(void *options, const char *option, const char *text, struct tw_error *err)
{
	((struct options *)options)->cluster.backbone = text;
	return check_rate(option, text, err);
}

static int take_latency(void *options, const char *option, const char *text, struct tw_error *err)
{
	double seconds;
	((struct options *)options)->cluster.latency = text;
	if (tw__parse_seconds(&seconds, text, err) < 0)
		return tw_fail(err, TW_INVALID, "%s '%.80s': expected a time, as in 1us", option, text);
	return TW_OK;
}

static const char detect_usage[] =
	"\n"
	"detect describes this machine as a platform and writes it to FOLDER/platform.xml: the cores, the memory,\n"
	"and the GPUs with their PCI links, as the library hwloc reports them. Comments in that file name the\n"
	"assumptions. detect measures no times: if FOLDER has no kernels.csv, it writes one without times there.\n"
	"'tilewright calibrate' measures times.\n";

static const char cluster_usage[] =
	"\n"
	"cluster joins nodes to a cluster and writes it to FOLDER/platform.xml: the platforms of the nodes by name,\n"
	"and the network between them. If the nodes differ, it also writes FOLDER/kernels.csv, where the archs of the\n"
	"nodes have the platform's name in front, as in 'mirage.cpu'.\n";

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
         .help = "Replaces an existing FOLDER/platform.xml; kernels.csv stays as it is. 'cluster' also replaces the "
                 "kernels.csv of nodes that differ. Default: an existing file is an error."},
	{.type = CLI_LINES, .help = cluster_usage},
	{"node", "NAME", .type = CLI_OWN, .take = take_node,
         .help = "The platform of the next nodes, a name or a path. Can be given several times."},
	{"count", "N", .type = CLI_OWN, .take = take_count,
         .help = "How many nodes have the platform of the last --node."},
	{"bandwidth", "RATE", .type = CLI_OWN, .take = take_bandwidth,
         .help = "The bandwidth of each node's link, in each direction, as in '4GBps'."},
	{"latency", "TIME", .type = CLI_OWN, .take = take_latency,
         .help = "The latency of each node's link, as in '1us'."},
	{"backbone", "RATE", .type = CLI_OWN, .take = take_backbone,
         .help = "The bandwidth of a link that all transfers between nodes share. Default: there is no such link."},
	{"topology", "SHAPE", SETS(CLI_TEXT, cluster.topology),
         .help = "The shape of the network, with SimGrid's parameters: 'fat-tree:2;4,4;1,2;1,2', "
                 "'dragonfly:3,4;4,3;5,1;2' or 'torus:3,2,2'. Default: each node has one link, and all meet."},
	{"network", "FILE", SETS(CLI_TEXT, cluster.network),
         .help = "Takes the network from a platform file of SimGrid, whose hosts become nodes."},
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

/* Whether an option of `cluster` is given. */
static bool has_cluster(const struct options *o)
{
	const struct cluster_options *c = &o->cluster;
	return c->n_nodes || c->bandwidth || c->latency || c->backbone || c->topology || c->network;
}

static int show(const struct options *o, int n_names, char **names)
{
	if (o->folder || o->name || o->hwloc_xml || o->numa || o->force || has_cluster(o))
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
	if (has_cluster(o))
		return cli_fail(EXIT_BAD_INPUT, "platform detect: expected no option of platform cluster");
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

static int cluster(const struct options *o, int n_names, char **names)
{
	if (o->picture || o->name || o->hwloc_xml || o->numa)
		return cli_fail(EXIT_BAD_INPUT, "platform cluster: expected no option of show or detect");
	if (n_names)
		return cli_fail(EXIT_BAD_INPUT, "platform cluster: '%s': expected options only", names[0]);
	if (!o->folder)
		return cli_fail(
			EXIT_BAD_INPUT,
			"platform cluster: option --output is missing: expected it, as in -o platforms/cluster");
	return platform_cluster(&o->cluster, o->folder, o->force);
}

static int platform(int argc, char **argv)
{
	struct options o = {0};
	int exit_status = cli_parse(&command_platform, argc, argv, &o, NULL);
	if (exit_status != CLI_GO_ON)
		return exit_status;
	if (optind == argc)
		return cli_fail(EXIT_BAD_INPUT, "platform: nothing to do: expected show, detect or cluster");
	const char *what = argv[optind++];
	if (strcmp(what, "show") == 0)
		return show(&o, argc - optind, argv + optind);
	if (strcmp(what, "detect") == 0)
		return detect(&o, argc - optind, argv + optind);
	if (strcmp(what, "cluster") == 0)
		return cluster(&o, argc - optind, argv + optind);
	return cli_fail(EXIT_BAD_INPUT, "platform: '%s': expected show, detect or cluster", what);
}

const struct command command_platform = {
	.name = "platform",
	.summary = "show a platform, describe this machine as one, or make a cluster",
	.usage = usage,
	.options = options,
	.run = platform,
};
