/* Generates the task graph of a workload from its specification, such as "cholesky:nt=20:priority=none". */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "base/nearest.h"
#include "process/shared_object.h"
#include "process/fork.h"
#include "registry.h"
#include "request/graph_words.h"
#include "request/workload.h"

/* Parameters that all workloads have, in addition to their own. */
const struct tw_param tw__workload_params[] = {
	{"priority", TW_PARAM_CHOICE, "workload", 0, 0, "workload|bottom_level|submission|none",
         "of tasks: the workload's own; by the longest path to the end; first submitted first; all equal"},
	{"discard", TW_PARAM_CHOICE, "hinted", 0, 0, "hinted|read|all",
         "handles that nobody needs after their last tasks: those of hints; also those last read; all"},
	{0},
};

static const char *workload_name(int i) { return tw__workloads[i] ? tw__workloads[i]->name : NULL; }

static int count(const struct tw_param *params)
{
	int n = 0;
	while (params && params[n].name)
		n++;
	return n;
}

/* Returns the workload's own parameters and those of all workloads, as one malloc'ed array. */
static struct tw_param *all_params(const struct tw_workload *workload)
{
	int own = count(workload->params), common = count(tw__workload_params);
	struct tw_param *all = tw_alloc((size_t)(own + common) + 1, sizeof *all);
	if (own)
		memcpy(all, workload->params, (size_t)own * sizeof *all);
	memcpy(all + own, tw__workload_params, (size_t)common * sizeof *all);
	return all;
}

static enum tw__priorities priorities_named(const char *name)
{
	return !strcmp(name, "bottom_level") ? TW__PRIORITIES_BOTTOM_LEVEL
	       : !strcmp(name, "submission") ? TW__PRIORITIES_SUBMISSION
	       : !strcmp(name, "none")       ? TW__PRIORITIES_NONE
	                                     : TW__PRIORITIES_WORKLOAD;
}

static enum tw__discards discards_named(const char *name)
{
	return !strcmp(name, "read")  ? TW__DISCARDS_READ
	       : !strcmp(name, "all") ? TW__DISCARDS_ALL
	                              : TW__DISCARDS_HINTED;
}

static int fill(struct tw_graph *graph, const struct tw_workload *workload, const struct tw_param *params,
                const struct tw__spec *spec, struct tw_error *err)
{
	char what[128];
	snprintf(what, sizeof what, "workload '%.100s'", spec->name);
	struct tw_args *args;
	int status = tw__args_create(&args, what, params, spec, err);
	if (status < 0)
		return status;
	graph->priorities = priorities_named(tw_args_text(args, "priority"));
	tw__graph_set_discards(graph, discards_named(tw_args_text(args, "discard")));
	err->message[0] = '\0';
	tw__wrong_calls_forget();
	status = workload->generate(graph, args, err);
	tw__args_destroy(args);
	if (status == TW_OK && tw__wrong_calls_first())
		return tw_fail(err, TW_INVALID, "%s: %s", what, tw__wrong_calls_first());
	if (status < 0)
		return err->message[0] ? status : tw_fail(err, status, "%s: generate failed without a message", what);
	status = tw_graph_finish(graph, err);
	return status < 0 ? tw_fail(err, status, "%s: %s", what, err->message) : TW_OK;
}

/* Returns a name that occurs twice among the workload's own parameters and those of all workloads; NULL: none. */
static const char *repeated(const struct tw_workload *workload)
{
	for (int i = 0, n = count(workload->params); i < n; i++) {
		const char *name = workload->params[i].name;
		for (int j = 0; j < i; j++)
			if (strcmp(workload->params[j].name, name) == 0)
				return name;
		for (int j = 0; j < count(tw__workload_params); j++)
			if (strcmp(tw__workload_params[j].name, name) == 0)
				return name;
	}
	return NULL;
}

int tw__workload_of_name(const struct tw_workload **workload, const char *name, struct tw_error *err)
{
	const void *plugin;
	if (tw__is_shared_object(name)) {
		int status = tw__shared_object_open(&plugin, &tw__workload_kind, name, err);
		if (status < 0)
			return status;
		*workload = plugin;
		if (!(*workload)->name || !(*workload)->generate)
			return tw_fail(err, TW_INVALID,
			               "workload '%.100s': lacks a mandatory member: expected name and generate", name);
		if (repeated(*workload))
			return tw_fail(
				err, TW_INVALID,
				"workload '%.100s': parameter '%.60s' occurs twice: expected names that differ, also "
				"from those of the parameters of all workloads",
				name, repeated(*workload));
		return TW_OK;
	}
	for (int i = 0; tw__workloads[i]; i++)
		if (strcmp(workload_name(i), name) == 0) {
			*workload = tw__workloads[i];
			return TW_OK;
		}
	return tw__unknown_name("workload", name, workload_name, err);
}

/* Finds the workload of a specification. Sets `*params` to all its parameters, malloc'ed, and `what` to its name for
 * messages. */
static int params_of(struct tw_param **params, char what[128], const struct tw__spec *spec, struct tw_error *err)
{
	const struct tw_workload *workload;
	*params = NULL;
	int status = tw__workload_of_name(&workload, spec->name, err);
	if (status < 0)
		return status;
	snprintf(what, 128, "workload '%.100s'", spec->name);
	*params = all_params(workload);
	return TW_OK;
}

static int is_named(const char *text, struct tw_error *err)
{
	struct tw__spec spec;
	struct tw_param *params;
	char what[128];
	int status = tw__spec_parse(&spec, text, err);
	if (status < 0)
		return tw_fail(err, status, "workload %s", err->message);
	status = params_of(&params, what, &spec, err);
	if (status == TW_OK)
		status = tw__args_check(what, params, &spec, err);
	free(params);
	tw__spec_finish(&spec);
	return status;
}

int tw__workload_named(const char *text, struct tw_error *err)
{
	struct tw__graph_words words;
	int status = tw__graph_words_init(&words, text, err);
	for (int i = 0; i < words.n && status == TW_OK; i++)
		status = is_named(words.of[i].spec, err);
	tw__graph_words_finish(&words);
	return status;
}

int tw__with_check(const char *text, struct tw_error *err)
{
	struct tw__graph_word word;
	int status = tw__graph_word_init(&word, text, err);
	if (status == TW_OK)
		status = is_named(word.spec, err);
	tw__graph_word_finish(&word);
	return status;
}

int tw__workload_words_init(struct tw__workload_words *w, const char *workload, struct tw_error *err)
{
	char what[128];
	*w = (struct tw__workload_words){0};
	if (*tw__further_graphs(workload))
		return tw_fail(err, TW_INVALID, "workload '%.200s': several graphs: expected one", workload);
	int status = tw__spec_parse(&w->spec, workload, err);
	if (status < 0)
		return tw_fail(err, status, "workload %s", err->message);
	status = params_of(&w->params, what, &w->spec, err);
	return status < 0 ? status : tw__args_create(&w->args, what, w->params, &w->spec, err);
}

void tw__workload_words_finish(struct tw__workload_words *w)
{
	tw__args_destroy(w->args);
	free(w->params);
	tw__spec_finish(&w->spec);
	*w = (struct tw__workload_words){0};
}

bool tw__workload_param(const char *workload, const char *param, char *text, size_t size)
{
	struct tw__spec spec;
	struct tw_param *params = NULL;
	struct tw_error ignored;
	char what[128];
	const char *value = NULL;
	*text = '\0';
	char *first = tw_format("%.*s", (int)(tw__further_graphs(workload) - workload), workload);
	int status = tw__spec_parse(&spec, first, &ignored);
	free(first);
	if (status < 0)
		return false;
	if (params_of(&params, what, &spec, &ignored) == TW_OK)
		for (int i = 0; params[i].name; i++)
			value = strcmp(params[i].name, param) == 0 ? params[i].fallback : value;
	for (int i = 0; i < spec.n; i++)
		value = spec.items[i].key && strcmp(spec.items[i].key, param) == 0 ? spec.items[i].value : value;
	if (value)
		snprintf(text, size, "%s", value);
	free(params);
	tw__spec_finish(&spec);
	return value;
}

static int generate(struct tw_graph *graph, const struct tw__spec *spec, struct tw_error *err)
{
	const struct tw_workload *workload;
	int status = tw__workload_of_name(&workload, spec->name, err);
	if (status < 0)
		return status;
	struct tw_param *params = all_params(workload);
	status = fill(graph, workload, params, spec, err);
	free(params);
	return status;
}

struct trial {
	int status;
	struct tw_error err;
};

static void try_to_generate(const void *spec, void *result)
{
	struct trial *trial = result;
	sigset_t none; /* a sweep blocks signals: unblock them, so that Ctrl-C ends a workload that never returns */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	struct tw_graph *graph = tw_graph_create();
	trial->status = graph ? generate(graph, spec, &trial->err) : tw_fail(&trial->err, TW_NOMEM, "out of memory");
	tw_graph_destroy(graph);
}

/* Generates the graph in this process. */
static int generate_foreign(struct tw_graph *graph, const struct tw__spec *spec, struct tw_error *err)
{
	struct tw__own_state own;
	int output, status = tw__output_divert(&output, err);
	if (status < 0)
		return status;
	tw__foreign_begin(&own);
	status = generate(graph, spec, err);
	tw__foreign_end(&own);
	tw__output_restore(output);
	return status;
}

/* Generates the graph. A workload from a shared object may crash, so it first generates the graph in a child
 * process. */
static int generate_safely(struct tw_graph *graph, const struct tw__spec *spec, struct tw_error *err)
{
	struct trial trial = {0};
	if (!tw__is_shared_object(spec->name))
		return generate(graph, spec, err);
	int status = tw__fork_run(try_to_generate, spec, &trial, sizeof trial, "the run's process", err);
	if (status < 0)
		return tw_fail(err, status, "workload '%.100s': cannot generate: %s", spec->name, err->message);
	if (trial.status < 0)
		return tw_fail(err, trial.status, "%s", trial.err.message);
	return generate_foreign(graph, spec, err);
}

/* A graph that is too large is refused, and the command goes on. */
static int generate_or_run_out_of_memory(struct tw_graph *graph, const struct tw__spec *spec, struct tw_error *err)
{
	struct tw__door door;
	if (TW__MEMORY_RUNS_OUT(&door))
		return tw__out_of_memory(err);
	int status = generate_safely(graph, spec, err);
	tw__door_close(&door);
	return status;
}

static int generate_one(struct tw_graph **graph, const char *workload, struct tw_error *err)
{
	*graph = NULL;
	struct tw__spec spec;
	int status = tw__spec_parse(&spec, workload, err);
	if (status < 0)
		return tw_fail(err, status, "workload %s", err->message);
	struct tw_graph *made = tw_graph_create();
	status = made ? generate_or_run_out_of_memory(made, &spec, err)
	              : tw_fail(err, TW_NOMEM, "workload '%.100s': out of memory", spec.name);
	tw__spec_finish(&spec);
	if (status < 0)
		tw_graph_destroy(made);
	else
		*graph = made;
	return status;
}

/* Joins graphs. If memory runs out, the command goes on. */
static int join(struct tw_graph **graph, struct tw_graph *const *of, const struct tw__graph_words *words,
                struct tw_error *err)
{
	struct tw_joined_graph joined[TW__MOST_PARTS];
	struct tw__door door;
	for (int i = 0; i < words->n; i++)
		joined[i] = (struct tw_joined_graph){.graph = of[i],
		                                     .arrival_s = words->of[i].arrival_s,
		                                     .domain = words->of[i].domain,
		                                     .name = words->of[i].spec};
	if (TW__MEMORY_RUNS_OUT(&door))
		return tw__out_of_memory(err);
	int status = tw__graph_join(graph, joined, words->n, err);
	tw__door_close(&door);
	return status;
}

static int generate_all(struct tw_graph **graph, const struct tw__graph_words *words, struct tw_error *err)
{
	struct tw_graph *of[TW__MOST_PARTS] = {NULL};
	int status = TW_OK;
	*graph = NULL;
	if (words->n == 1)
		return generate_one(graph, words->of[0].spec, err);
	for (int i = 0; i < words->n && status == TW_OK; i++)
		status = generate_one(&of[i], words->of[i].spec, err);
	if (status == TW_OK)
		status = join(graph, of, words, err);
	for (int i = 0; i < words->n; i++)
		tw_graph_destroy(of[i]);
	return status;
}

int tw__generate(struct tw_graph **graph, const char *workload, struct tw_error *err)
{
	struct tw__graph_words words;
	*graph = NULL;
	int status = tw__graph_words_init(&words, workload, err);
	if (status == TW_OK)
		status = generate_all(graph, &words, err);
	tw__graph_words_finish(&words);
	return status;
}
