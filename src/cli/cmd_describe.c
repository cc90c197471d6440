/* tilewright describe: measures of task graphs, without a run. */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/describe_print.h"
#include "cli/run_options.h"
#include "cli/words.h"
#include "experiment/load.h"

static const char *const usage[] = {
	"Usage: tilewright describe [OPTION]... [SPEC|FILE]...\n"
	"Describes task graphs, without running them: tasks, data, shape, critical path, parallelism.\n"
	"docs/reference/describe.md defines every measure.\n"
	"\n"
	"  SPEC                   A task graph, as in 'cholesky:nt=20'. A comma is part of it.\n"
	"  FILE                   A file with a task graph, as 'file:FILE' is to other commands.\n"
	"  --workload SPEC[,...]  Chooses further task graphs, which come first. 'tilewright list workloads' prints\n"
	"                         the names.\n"
	"  --platform NAME        Adds measures with the kernel times and links of this node: a name that\n"
	"                         'tilewright list platforms' prints, the path of a folder with platform.xml and\n"
	"                         kernels.csv, or the path of such an XML file. Default: none.\n" DEFAULT_SECONDS_USAGE
		SPEEDUP_USAGE
	"  --extrapolate          Estimates the times of kernels and sizes that were not measured: from the times\n"
	"                         of other sizes, otherwise from the kernel's flops and the measured rate of\n"
	"                         gemm. Default: a missing time is an error.\n"
	"  --exact                Computes the transitive dependencies and the largest antichain of graphs of any\n"
	"                         size. Default: not of large graphs, where they take long.\n"
	"  --format text|json     Prints the descriptions in this format. Default: 'text'.\n"
	"  -h, --help             Prints this help.\n",
	NULL,
};

static const struct option long_options[] = {
	{"workload", required_argument, NULL, 'w'},
	{"platform", required_argument, NULL, 'p'},
	{"default-seconds", required_argument, NULL, 'D'},
	{"speedup", required_argument, NULL, 'F'},
	{"extrapolate", no_argument, NULL, 'x'},
	{"exact", no_argument, NULL, 'e'},
	{"format", required_argument, NULL, 'f'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

struct options {
	struct words workloads;
	const char *default_seconds;
	const char *platform;
	char *speedup; /* all values of --speedup, malloc'ed */
	bool extrapolate, exact, json;
	bool speedup_is_checked;   /* as in struct tw__request */
	struct tw__origin *origin; /* the platform's files */
};

bool described_runs_on(const struct described *d, tw_kernel k, tw_arch a)
{
	int i = k * d->times->n_archs + a;
	return !isnan(d->times->mean[i]) || d->times->recorded[i];
}

/* --- one graph ---------------------------------------------------------------------------------------------------- */

static int print(const struct described *d, json_t *array, struct tw_error *err)
{
	if (!array)
		return describe_print_text(d, err);
	json_t *object = describe_json(d);
	return object && json_array_append_new(array, object) == 0 ? TW_OK
	                                                           : tw_fail(err, TW_NOMEM, "describe: out of memory");
}

static int describe_graph(struct described *d, const struct tw_graph *g, const struct options *o, json_t *array,
                          struct tw_error *err)
{
	int status = tw__describe(&d->graph, g, o->exact, err);
	if (status == TW_OK && d->platform)
		status = tw__describe_timed(&d->timed, g, d->times, d->platform, err);
	if (status == TW_OK)
		status = print(d, array, err);
	tw__timed_finish(&d->timed);
	tw__description_finish(&d->graph);
	return status;
}

static int describe_on_platform(struct described *d, const char *workload, const struct options *o, json_t *array,
                                struct tw_error *err)
{
	const struct tw__request request = {.platform = o->platform,
	                                    .workload = workload,
	                                    .choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS},
	                                    .seed = 1,
	                                    .speedup = o->speedup,
	                                    .speedup_is_checked = o->speedup_is_checked,
	                                    .extrapolate = o->extrapolate,
	                                    .lacks_emulate = true};
	struct tw__scene *scene;
	int status = tw__scene_create_from(o->origin, &scene, &request, err);
	if (status < 0)
		return status;
	tw__scene_tell(o->origin, scene);
	d->platform_name = o->platform;
	d->platform = scene->platform;
	d->times = &scene->times;
	status = describe_graph(d, scene->graph, o, array, err);
	tw__scene_destroy(scene);
	return status;
}

/* `array` NULL: prints text. */
static int describe_workload(const char *name, const char *workload, const struct options *o, json_t *array,
                             struct tw_error *err)
{
	struct described d = {.workload = name};
	struct tw_graph *graph;
	if (o->platform)
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

/* "file:path=WORD", with each colon of the word as `\:`. malloc'ed; NULL: out of memory. */
static char *spec_of_file(const char *word)
{
	static const char start[] = "file:path=";
	char *spec = malloc(sizeof start + 2 * strlen(word));
	if (!spec)
		return NULL;
	char *to = spec + sprintf(spec, "%s", start);
	for (; *word; word++) {
		if (*word == ':')
			*to++ = '\\';
		*to++ = *word;
	}
	*to = '\0';
	return spec;
}

/* Appends the words without an option to the workloads, as specifications. */
static int add_words(struct words *workloads, char **words, int n, struct tw_error *err)
{
	char **all = realloc(workloads->of, ((size_t)workloads->n + (size_t)n + 1) * sizeof *all);
	if (!all)
		return tw_fail(err, TW_NOMEM, "describe: out of memory");
	workloads->of = all;
	for (int i = 0; i < n; i++) {
		char *spec = is_file(words[i]) ? spec_of_file(words[i]) : strdup(words[i]);
		if (!spec)
			return tw_fail(err, TW_NOMEM, "describe: out of memory");
		all[workloads->n++] = spec;
	}
	all[workloads->n] = NULL;
	return TW_OK;
}

/* Describes all workloads. The last n are the words, which have their names. */
static int describe_all(const struct options *o, char **words, int n, json_t *array, struct tw_error *err)
{
	int status = TW_OK, first = o->workloads.n - n;
	for (int i = 0; i < o->workloads.n && status == TW_OK; i++) {
		const char *spec = o->workloads.of[i];
		if (i > 0 && !array)
			putchar('\n');
		status = describe_workload(i < first ? spec : words[i - first], spec, o, array, err);
	}
	return status;
}

static int describe_and_print(struct options *o, char **words, int n)
{
	struct tw_error err;
	int status = add_words(&o->workloads, words, n, &err);
	if (status == TW_OK)
		status = specs_default_seconds(&o->workloads, o->default_seconds, &err);
	if (status < 0)
		return cli_error(status, &err);
	json_t *array = o->json ? json_array() : NULL;
	struct tw__request common = {.platform = o->platform, .speedup = o->speedup};
	status = o->json && !array ? tw_fail(&err, TW_NOMEM, "describe: out of memory")
	                           : tw__check_speedup(&common, NULL, 0, o->workloads.of, o->workloads.n, &err);
	o->speedup_is_checked = common.speedup_is_checked;
	if (status == TW_OK)
		status = describe_all(o, words, n, array, &err);
	if (status == TW_OK && o->json) {
		json_dumpf(array, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
		putchar('\n');
	}
	json_decref(array);
	return status < 0 ? cli_error(status, &err) : 0;
}

static int take(void *options, int option, const char *text, struct tw_error *err)
{
	struct options *o = options;
	switch (option) {
	case 'w':
		return specs_init(&o->workloads, "--workload", text, err);
	case 'p':
		o->platform = text;
		return TW_OK;
	case 'D':
		o->default_seconds = text;
		return TW_OK;
	case 'F':
		return run_options_speedup(&o->speedup, text, err);
	case 'x':
		o->extrapolate = true;
		return TW_OK;
	case 'e':
		o->exact = true;
		return TW_OK;
	default:
		return word_json(&o->json, text, err);
	}
}

static int describe(int argc, char **argv)
{
	struct tw__origin origin = {0};
	struct options o = {.origin = &origin};
	int exit_status = cli_options(&command_describe, argc, argv, ":h", long_options, take, &o);
	if (exit_status < 0 && !o.workloads.n && optind == argc)
		exit_status = cli_fail(EXIT_BAD_INPUT,
		                       "describe: no task graph: expected one, see 'tilewright describe --help'");
	if (exit_status < 0 && o.speedup && !o.platform)
		exit_status =
			cli_fail(EXIT_BAD_INPUT, "describe: --speedup changes times: expected --platform with it");
	if (exit_status < 0)
		exit_status = describe_and_print(&o, argv + optind, argc - optind);
	words_finish(&o.workloads);
	free(o.speedup);
	tw__origin_finish(&origin);
	return exit_status;
}

const struct command command_describe = {
	.name = "describe",
	.summary = "describe a task graph before running it",
	.usage = usage,
	.run = describe,
};
