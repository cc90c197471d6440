/* tilewright list: lists plug-ins, platforms and engines, and describes one of them. */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/cell_table.h"
#include "base/nearest.h"
#include "base/spec.h"
#include "cli/show.h"
#include "experiment/load.h"
#include "platform/platform.h"
#include "process/shared_object.h"
#include "registry.h"
#include "runtime/params.h"

static const char usage[] =
	"Usage: tilewright list KIND [NAME] [--names]\n"
	"Lists all that this KIND has; KIND is policies, evictions (eviction policies), workloads, platforms,\n"
	"engines or runtimes (models of the runtime system). With NAME, prints the parameters of that policy,\n"
	"eviction policy, workload, engine or runtime model, or the parts of that platform, as 'tilewright\n"
	"platform show' does. The list of platforms counts the kernels whose times were measured, stand in a\n"
	"paper, were extrapolated or are assumed. NAME can also be the path of your own: ./mine.so with a policy,\n"
	"an eviction policy or a workload, or the folder of a platform.\n"
	"\n";

struct options {
	bool names_only;
};

static const struct cli_option options[] = {
	{"names", NULL, SETS(CLI_YES, names_only),
         .help = "Prints only the names, one on each line. Default: each name with a short description."},
	{0},
};

struct entry {
	const char *name, *summary;
	const struct tw_param *params;
	const struct tw_param *common; /* parameters that all plug-ins of this kind take; or NULL */
};

#define ENTRY_OF(plugin, ...) ((struct entry){(plugin)->name, (plugin)->summary, (plugin)->params, __VA_ARGS__})

/* Defines the function that fills the entry of the i-th plug-in of a kind. It returns false if i is behind the last. */
#define PLUGIN_AT(kind, list, common)                       \
	static bool kind##_at(struct entry *e, int i)       \
	{                                                   \
		if ((list)[i])                              \
			*e = ENTRY_OF((list)[i], (common)); \
		return (list)[i];                           \
	}
PLUGIN_AT(policy, tw__policies, NULL)
PLUGIN_AT(eviction, tw__evictions, NULL)
PLUGIN_AT(workload, tw__workloads, tw__workload_params)
PLUGIN_AT(engine, tw__engines, NULL)

/* Defines the function that fills the entry of a plug-in from the user's shared object `name`. */
#define OWN(kind, open, common)                                                        \
	static int own_##kind(struct entry *e, const char *name, struct tw_error *err) \
	{                                                                              \
		const struct tw_##kind *plugin;                                        \
		int status = (open)(&plugin, name, err);                               \
		if (status == TW_OK)                                                   \
			*e = ENTRY_OF(plugin, (common));                               \
		return status;                                                         \
	}
OWN(policy, tw__policy_named, NULL)
OWN(eviction, tw__eviction_named, NULL)
OWN(workload, tw__workload_of_name, tw__workload_params)

static bool runtime_at(struct entry *e, int i)
{
	const char *name = tw__runtime_model_name(i);
	if (!name)
		return false;
	const struct tw__runtime_model *m = tw__runtime_model(name);
	*e = (struct entry){name, strcmp(name, m->name) ? "alias of the model above" : m->summary, NULL, NULL};
	return true;
}

static const struct kind {
	const char *name, *one;
	bool (*at)(struct entry *, int i);
	int (*own)(struct entry *, const char *name, struct tw_error *); /* NULL: users have none of their own */
} kinds[] = {
	{"policies", "policy", policy_at, own_policy},
	{"evictions", "eviction policy", eviction_at, own_eviction},
	{"workloads", "workload", workload_at, own_workload},
	{"platforms", "platform", NULL, NULL},
	{"engines", "engine", engine_at, NULL},
	{"runtimes", "runtime", runtime_at, NULL},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* The name of the i-th entry of a kind; NULL: it has no more. */
static const char *name_at(const void *kind, int i)
{
	struct entry e;
	return ((const struct kind *)kind)->at(&e, i) ? e.name : NULL;
}

static void print_entries(const struct kind *kind, bool names_only)
{
	static const struct cell_column columns[] = {{.title = ""}, {.title = ""}, {0}};
	struct cell_table t = {.columns = columns};
	struct entry e;
	for (int i = 0; kind->at(&e, i); i++)
		if (names_only)
			puts(e.name);
		else
			tw__cells_add(&t, cell_text(e.name), cell_text(e.summary ? e.summary : ""));
	tw__cells_print(&t, stdout);
}

/* Returns the type of a parameter as text, such as "integer"; for a choice, the values to choose from. */
static const char *type_of(const struct tw_param *p)
{
	static const char *const names[] = {
		[TW_PARAM_INT] = "integer", [TW_PARAM_REAL] = "number",   [TW_PARAM_BYTES] = "size",
		[TW_PARAM_TIME] = "time",   [TW_PARAM_FLAG] = "yes|no",   [TW_PARAM_CHOICE] = "choice",
		[TW_PARAM_TEXT] = "text",   [TW_PARAM_POLICY] = "policy",
	};
	return p->type == TW_PARAM_CHOICE && p->choices ? p->choices : names[p->type];
}

static void print_params(const struct tw_param *params)
{
	static const struct cell_column columns[] = {{.title = "parameter"}, {.title = "type"},    {.title = "default"},
	                                             {.title = "range"},     {.title = "meaning"}, {0}};
	struct cell_table t = {.columns = columns};
	char range[TW__RANGE_BYTES];
	for (const struct tw_param *p = params; p && p->name; p++)
		tw__cells_add(&t, cell_text(p->name), cell_text(type_of(p)),
		              cell_text(!p->fallback   ? "(required)"
		                        : *p->fallback ? p->fallback
		                                       : "''"),
		              cell_text(tw__param_range(p, range, sizeof range)), cell_text(p->help ? p->help : ""));
	fputs(t.n ? "\n" : "It takes no parameters.\n", stdout);
	if (t.n)
		tw__cells_print(&t, stdout);
}

static void print_entry(const struct kind *kind, const struct entry *e)
{
	printf("%s: %s\n", e->name, e->summary ? e->summary : "");
	print_params(e->params);
	if (e->common) {
		printf("\nas all %s do:\n", kind->name);
		print_params(e->common);
	}
}

/* Prints a runtime model, and the parameters of runtime models with this model's values. */
static int print_runtime(const struct kind *kind, const struct tw__runtime_model *m)
{
	struct tw_param table[TW__N_RUNTIME_PARAMS + 1];
	struct tw__spec values;
	struct tw_error err;
	int status = tw__runtime_params_table(m, table, &values, &err);
	if (status == TW_OK)
		print_entry(kind, &(struct entry){m->name, m->summary, table, NULL});
	tw__spec_finish(&values);
	return status < 0 ? cli_error(status, &err) : 0;
}

static int print_named(const struct kind *kind, const char *name)
{
	struct tw_error err;
	struct entry e;
	int status, i = 0;
	if (kind->at == runtime_at && tw__runtime_model(name))
		return print_runtime(kind, tw__runtime_model(name));
	if (kind->own && tw__is_shared_object(name)) {
		status = kind->own(&e, name, &err);
	} else {
		while (kind->at(&e, i) && strcmp(e.name, name) != 0)
			i++;
		status = kind->at(&e, i) ? TW_OK : tw__unknown_name_in(kind->one, name, name_at, kind, &err);
	}
	if (status < 0)
		return cli_error(status, &err);
	print_entry(kind, &e);
	return 0;
}

/* Adds the row of a platform: name, kernel times, summary. */
static int add_platform(struct cell_table *t, const char *name, struct tw_error *err)
{
	struct tw__platform *platform;
	struct tw__models *models = NULL;
	char *kernels_path;
	int status = tw__platform_find(&platform, &kernels_path, name, err);
	if (status < 0)
		return status;
	status = read_kernel_times(&models, kernels_path, platform, err);
	if (status == TW_OK)
		tw__cells_add(t, cell_text(name), cell_owned(summary_of_times(models)), cell_text(platform->summary));
	tw__models_destroy(models);
	tw__platform_destroy(platform);
	free(kernels_path);
	return status;
}

static int print_platform_rows(char *const *names)
{
	static const struct cell_column columns[] = {
		{.title = "platform"}, {.title = "kernel times"}, {.title = "node"}, {0}};
	struct tw_error err;
	struct cell_table t = {.columns = columns};
	int exit_status = 0;
	for (int i = 0; names[i]; i++) {
		int status = add_platform(&t, names[i], &err);
		if (status < 0)
			exit_status = cli_error(status, &err); /* go on with the other platforms */
	}
	tw__cells_add(&t, cell_text(TW__MACHINE_NAME), cell_text("timed before a run"),
	              cell_text("this machine and its GPUs"));
	tw__cells_print(&t, stdout);
	return exit_status;
}

static int print_platforms(bool names_only)
{
	char **names = tw__platform_names();
	int exit_status = names_only ? 0 : print_platform_rows(names);
	for (int i = 0; names[i]; i++) {
		if (names_only)
			printf("%s\n", names[i]);
		free(names[i]);
	}
	free(names);
	return exit_status;
}

static int list(int argc, char **argv)
{
	struct options o = {0};
	int exit_status = cli_parse(&command_list, argc, argv, &o, NULL);
	if (exit_status != CLI_GO_ON)
		return exit_status;
	const char *expected = "expected policies, evictions, workloads, platforms, engines or runtimes";
	if (optind == argc)
		return cli_fail(EXIT_BAD_INPUT, "list: nothing to list: %s", expected);
	if (argc - optind > 2)
		return cli_fail(EXIT_BAD_INPUT, "list: '%s': expected one name", argv[optind + 2]);
	const char *name = argc - optind == 2 ? argv[optind + 1] : NULL;
	for (int i = 0; i < N_KINDS; i++) {
		if (strcmp(kinds[i].name, argv[optind]) != 0)
			continue;
		if (!kinds[i].at)
			return name ? show_platform(name, NULL) : print_platforms(o.names_only);
		if (name)
			return print_named(&kinds[i], name);
		print_entries(&kinds[i], o.names_only);
		return 0;
	}
	return cli_fail(EXIT_BAD_INPUT, "list: '%s': %s", argv[optind], expected);
}

const struct command command_list = {
	.name = "list",
	.summary = "list policies, evictions, workloads, platforms, engines or runtimes",
	.usage = usage,
	.options = options,
	.run = list,
};
