/* tilewright describe: measures of task graphs, without a run. */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json_text.h"
#include "cli/describe_text.h"
#include "experiment/load.h"

static const char usage[] =
	"Usage: tilewright describe [OPTION]... [SPEC|FILE]...\n"
	"Describes task graphs, without running them: tasks, data, shape, critical path, parallelism.\n"
	"docs/reference/describe.md defines every measure.\n"
	"\n"
	"  SPEC                   A task graph, as in 'cholesky:nt=20'. A comma is part of it.\n"
	"  FILE                   A file with a task graph, as 'file:FILE' is to other commands.\n";

struct options {
	struct tw__inputs inputs;
	bool exact, json;
	struct tw__origin *origin; /* the platform's files */
};

static const struct cli_option options[] = {
	{"workload", "SPEC[,...]", .type = CLI_INPUT,
         .help = "Chooses further task graphs, which come first. 'tilewright list workloads' prints\n"
                 "the names."},
	{"platform", "NAME", .type = CLI_INPUT,
         .help = "Adds measures with the kernel times and links of this node: a name that 'tilewright list "
                 "platforms' prints, the path of a folder with platform.xml and kernels.csv, or the path of such an "
                 "XML file. Default: none."},
	{.type = CLI_INPUTS},
	{"exact", NULL, SETS(CLI_YES, exact),
         .help = "Computes the transitive dependencies and the largest antichain of graphs of any size. Default: "
                 "not of large graphs, where they take long."},
	{"format", "text|json", SETS(CLI_JSON, json),
         .help = "Prints the descriptions in this format. Default: 'text'."},
	{0},
};

/* --- one graph ---------------------------------------------------------------------------------------------------- */

static int describe_graph(struct tw__described *d, const struct tw_graph *g, const struct options *o, json_t *array,
                          struct tw_error *err)
{
	int status = tw__describe_all(d, g, o->exact, err);
	if (status == TW_OK && array)
		tw__json_append(array, tw__described_json(d));
	else if (status == TW_OK)
		describe_print_text(d);
	tw__described_finish(d);
	return status;
}

static int describe_on_platform(struct tw__described *d, const char *workload, const struct options *o, json_t *array,
                                struct tw_error *err)
{
	struct tw__request request = o->inputs.common;
	request.workload = workload;
	struct tw__scene *scene;
	int status = tw__scene_create_from(o->origin, &scene, &request, err);
	if (status < 0)
		return status;
	tw__scene_tell(o->origin, scene);
	d->platform_name = o->inputs.common.platform;
	d->platform = scene->platform;
	const struct tw__bounded of = tw__scene_bounded(scene);
	d->times = of.times;
	status = describe_graph(d, of.graph, o, array, err);
	tw__scene_destroy(scene);
	return status;
}

/* `array` NULL: prints text. */
static int describe_workload(const char *name, const char *workload, const struct options *o, json_t *array,
                             struct tw_error *err)
{
	struct tw__described d = {.workload = name};
	struct tw_graph *graph;
	if (o->inputs.common.platform)
		return describe_on_platform(&d, workload, o, array, err);
	int status = tw__generate(&graph, workload, err);
	if (status == TW_OK)
		status = describe_graph(&d, graph, o, array, err);
	if (status == TW_OK || graph)
		tw_graph_destroy(graph);
	return status;
}

/* --- the words of the command line -------------------------------------------------------------------------------- */

/* Whether a word without an option is the path of a graph's file or folder. Names of workloads come first; they have
 * neither '.' nor '/'. A workload in a shared object has both, but ends in .so. */
static bool is_file(const char *word)
{
	struct stat about;
	struct tw_error ignored;
	size_t name = strcspn(word, ":");
	bool has_path = strcspn(word, "./") < name;
	if (name > 3 && strncmp(word + name - 3, ".so", 3) == 0)
		return false;
	return has_path || (stat(word, &about) == 0 && tw__workload_named(word, &ignored) != TW_OK);
}

/* "file:path=WORD", with each colon of the word as `\:`. malloc'ed. */
static char *spec_of_file(const char *word)
{
	static const char start[] = "file:path=";
	char *spec = tw_alloc(sizeof start + 2 * strlen(word), 1);
	char *to = spec + sprintf(spec, "%s", start);
	for (; *word; word++) {
		if (*word == ':')
			*to++ = '\\';
		*to++ = *word;
	}
	return spec;
}

/* Appends the words without an option to the workloads, as specifications. */
static void add_words(struct tw__words *workloads, char **words, int n)
{
	for (int i = 0; i < n; i++)
		tw__words_take(workloads, is_file(words[i]) ? spec_of_file(words[i]) : tw_copy_text(words[i]));
}

/* Describes all workloads. The last n are the words, which have their names. */
static int describe_all(struct options *o, char **words, int n, json_t *array, struct tw_error *err)
{
	const struct tw__words *workloads = tw__inputs_list(&o->inputs, "workload");
	int status = TW_OK, first = workloads->n - n;
	for (int i = 0; i < workloads->n && status == TW_OK; i++) {
		const char *spec = workloads->of[i];
		if (i > 0 && !array)
			putchar('\n');
		status = describe_workload(i < first ? spec : words[i - first], spec, o, array, err);
	}
	return status;
}

static int describe_and_print(struct options *o, char **words, int n)
{
	struct tw_error err;
	add_words(tw__inputs_list(&o->inputs, "workload"), words, n);
	int status = tw__inputs_complete(&o->inputs, TW__FOR_DESCRIBE, "describe", TW__MOST_POINTS, &err);
	if (status == TW_OK)
		status = tw__check_factors(&o->inputs, &err);
	if (status < 0)
		return cli_error(status, &err);
	json_t *array = o->json ? json_array() : NULL;
	status = describe_all(o, words, n, array, &err);
	if (status == TW_OK && array)
		tw__json_write(stdout, json_incref(array), TW__JSON_EXACT);
	json_decref(array);
	return status < 0 ? cli_error(status, &err) : 0;
}

static int parse(struct options *o, int argc, char **argv)
{
	int exit_status = cli_parse(&command_describe, argc, argv, o, &o->inputs);
	if (exit_status != CLI_GO_ON)
		return exit_status;
	if (!tw__inputs_list(&o->inputs, "workload")->n && optind == argc)
		return cli_fail(EXIT_BAD_INPUT,
		                "describe: no task graph: expected one, see 'tilewright describe --help'");
	if (o->inputs.common.speedup && !o->inputs.common.platform)
		return cli_fail(EXIT_BAD_INPUT, "describe: --speedup changes times: expected --platform with it");
	return CLI_GO_ON;
}

static int describe(int argc, char **argv)
{
	struct tw__origin origin = {0};
	struct options o = {.origin = &origin};
	tw__inputs_init(&o.inputs);
	o.inputs.common.lacks_emulate = true;
	int exit_status = parse(&o, argc, argv);
	if (exit_status < 0)
		exit_status = describe_and_print(&o, argv + optind, argc - optind);
	tw__inputs_finish(&o.inputs);
	tw__origin_finish(&origin);
	return exit_status;
}

const struct command command_describe = {
	.name = "describe",
	.summary = "describe a task graph before running it",
	.usage = usage,
	.options = options,
	.inputs = TW__FOR_DESCRIBE,
	.run = describe,
};
