/* Runs of programs, and the rows of their results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/json_text.h"
#include "process/shared_object.h"
#include "results/write.h"

void tw_run_options_init_sized(struct tw_run_options *options, size_t size)
{
	const struct tw_run_options none = {.size = size};
	memcpy(options, &none, size < sizeof none ? size : sizeof none);
}

/* --- from options to a plan --------------------------------------------------------------------------------------- */

static const char *keep(struct tw_run *run, const char *text)
{
	return text ? strcpy(tw__arena_alloc(&run->options.texts, strlen(text) + 1, 1), text) : NULL;
}

/* The name that a program gives, with parameters or without, must be that of its own plug-in. */
static int check_name(const char *what, const char *given, const char *own, struct tw_error *err)
{
	if (!given || !own || (strncmp(given, own, strlen(own)) == 0 && strchr(":", given[strlen(own)])))
		return TW_OK;
	return tw_fail(err, TW_INVALID, "%s '%.100s': expected '%.100s', the name of the program's own", what, given,
	               own);
}

static int take_options(struct tw_run *run, const struct tw_run_options *o, struct tw_error *err)
{
	struct tw__request *q = run->request;
	int status = tw__options_take(&run->options, o->options, false, o->own_eviction, err);
	const struct tw_policy *own = o->own_policy;
	const int n_own = o->own_policies && o->n_own_policies > 0 ? (int)o->n_own_policies : 0;
	if (status == TW_OK && own && n_own)
		status = tw_fail(err, TW_INVALID, "own_policy and own_policies: expected one of them");
	for (int i = 0; i < n_own && status == TW_OK; i++) {
		own = own ? own : o->own_policies[i];
		if (o->own_policies[i])
			status = tw__plugin_check_abi(&tw__policy_kind, "own", o->own_policies[i]->abi, err);
	}
	if (status == TW_OK && o->own_policy)
		status = tw__plugin_check_abi(&tw__policy_kind, "own", o->own_policy->abi, err);
	if (status == TW_OK && o->own_eviction)
		status = tw__plugin_check_abi(&tw__eviction_kind, "own", o->own_eviction->abi, err);
	if (status == TW_OK && o->own_policy && !(o->policy && tw__has_several_policies(o->policy)))
		status = check_name("policy", o->policy, o->own_policy->name, err);
	if (status < 0)
		return status;
	const char *policy = o->policy ? o->policy : o->own_policy ? o->own_policy->name : NULL;
	if (!policy)
		return tw_fail(err, TW_INVALID, "policy: expected its name");
	q->policy = keep(run, policy);
	q->trace = keep(run, o->trace);
	if (o->explain && strcmp(o->explain, "text") != 0 && strcmp(o->explain, "json") != 0)
		return tw_fail(err, TW_INVALID, "explain '%.100s': expected text or json", o->explain);
	q->explain = !o->explain ? TW__EXPLAIN_NOT : *o->explain == 't' ? TW__EXPLAIN_TEXT : TW__EXPLAIN_JSON;
	q->own.policy = own;
	q->own.policies = o->own_policies;
	q->own.n_policies = own ? n_own : 0;
	q->own.eviction = o->own_eviction;
	q->own.context = o->context;
	if (o->own_eviction && !q->eviction)
		q->eviction = o->own_eviction->name ? keep(run, o->own_eviction->name) : "";
	return TW_OK;
}

static int find_identity(void *arg, struct tw_error *err)
{
	struct tw_run *run = arg;
	return tw__identify(&run->scene->platform->identifier, run->request, run->identity, err);
}

static int identify(struct tw_run *run, struct tw_error *err)
{
	return tw__platform_lock(run->scene->platform, find_identity, run, err);
}

/* Where the run takes place. */
static int choose_place(struct tw_run *run, enum tw_place_of_run place, bool *here, struct tw_error *err)
{
	const unsigned caps = run->plan.plugins.engine->caps;
	const bool computes = caps & TW__ENGINE_COMPUTES;
	const char *why = caps & TW__ENGINE_FORKS && !computes ? "its engine runs once in a process"
	                  : run->request->time_limit_s > 0     ? "only a process has a time limit"
	                  : tw__is_foreign(run->request)       ? "a plug-in comes from a shared object"
	                                                       : NULL;
	if (place < TW_RUN_AUTOMATIC || place > TW_RUN_IN_PROCESS)
		return tw_fail(err, TW_INVALID, "place of a run: %d: expected one of enum tw_place_of_run", (int)place);
	if (place == TW_RUN_HERE && why)
		return tw_fail(err, TW_INVALID, "the run cannot take place in this process: %s", why);
	*here = place == TW_RUN_HERE || (place == TW_RUN_AUTOMATIC && !why && !computes);
	return TW_OK;
}

/* Makes the plan of a run whose options are taken. */
static int plan(struct tw_run *run, const struct tw_run_options *o, bool *here, struct tw_error *err)
{
	int status = identify(run, err);
	if (status == TW_OK)
		status = tw__scene_check_spread(run->scene->scene, run->request, err);
	if (status == TW_OK)
		status = tw__plan_init(&run->plan, run->request, run->scene->scene, err);
	if (status < 0)
		return status;
	run->plan.identity = run->identity;
	run->plan.cancel = o->cancel;
	return choose_place(run, o->place, here, err);
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

static void run_here(struct tw_run *run, struct tw__outcome *outcome, struct tw__record *record)
{
	char *text = NULL;
	size_t bytes;
	FILE *explanation = run->request->explain ? tw__text_open(&text, &bytes) : NULL;
	tw__plan_run_here(&run->plan, NULL, outcome, explanation, record);
	if (explanation)
		tw__text_close(explanation);
	if (outcome->status == TW_OK)
		run->result.explanation = text;
	else
		free(text);
}

static int execute(struct tw_run *run, bool here, bool records, struct tw_error *err)
{
	struct tw__outcome outcome;
	struct tw__record *record = records ? &run->record : NULL;
	tw__result_begin(&run->result, &run->plan);
	run->result.eviction = keep(run, run->result.eviction);
	if (here)
		run_here(run, &outcome, record);
	else
		tw__plan_run(&run->plan, &outcome, &run->result.explanation, record);
	run->has_record = record && outcome.status == TW_OK;
	run->hangs = here && outcome.counters.hangs;
	tw__result_end(&run->result, &run->plan, &outcome);
	if (run->has_record)
		tw__run_make_schedule(run);
	return outcome.status < 0 ? tw_fail(err, outcome.status, "%s", outcome.err.message) : TW_OK;
}

/* Plans the run and, if it is to be executed, executes it. */
static int run_scene(struct tw_run *run, const struct tw_run_options *given, bool executes, struct tw_error *err)
{
	struct tw_run_options o;
	bool here = false;
	tw_run_options_init(&o);
	int status = tw__complete_structure(&o, sizeof o, given, "tw_run_options", err);
	if (status == TW_OK)
		status = take_options(run, &o, err);
	if (status < 0)
		return status;
	run->has_row = true;
	status = executes ? plan(run, &o, &here, err) : identify(run, err);
	if (status == TW_OK && executes)
		status = execute(run, here, o.records, err);
	if (status == TW_INVALID)
		tw__result_refuse(&run->result, run->request, err->message);
	memcpy(run->result.identity, run->identity, sizeof run->identity);
	return status;
}

static int open_run(struct tw_run **out, struct tw_scene *scene, const struct tw_run_options *options, bool executes,
                    struct tw_error *err)
{
	struct tw_run *run = tw_alloc(1, sizeof *run);
	atomic_fetch_add(&scene->uses, 1);
	run->scene = scene;
	tw__options_init(&run->options, &scene->request);
	run->request = &run->options.inputs.common;
	int status = run_scene(run, options, executes, err);
	if (run->has_row)
		*out = run;
	else
		tw_run_close(run);
	return status;
}

int tw_scene_run(struct tw_scene *scene, const struct tw_run_options *options, struct tw_run **run,
                 struct tw_error *err)
{
	struct tw__door door;
	*run = NULL;
	if (!scene || !options)
		return tw_fail(err, TW_INVALID, "a run: expected %s", scene ? "its options" : "a scene");
	if (TW__MEMORY_RUNS_OUT(&door))
		return tw__out_of_memory(err);
	int status = open_run(run, scene, options, true, err);
	tw__door_close(&door);
	return status;
}

int tw_scene_identity(struct tw_scene *scene, const struct tw_run_options *options, char *identity,
                      struct tw_error *err)
{
	struct tw_run *run = NULL;
	struct tw__door door;
	if (!scene || !options || !identity)
		return tw_fail(err, TW_INVALID, "identity of a run: expected a scene, options and room for a text");
	if (TW__MEMORY_RUNS_OUT(&door))
		return tw__out_of_memory(err);
	int status = open_run(&run, scene, options, false, err);
	if (status == TW_OK)
		memcpy(identity, run->identity, sizeof run->identity);
	tw_run_close(run);
	tw__door_close(&door);
	return status;
}

void tw_run_close(struct tw_run *run)
{
	if (!run)
		return;
	for (int i = 0; run->values && tw_column_name(i); i++)
		free(run->values[i]);
	free(run->values);
	free(run->row);
	free(run->result.explanation);
	free(run->tasks);
	free(run->transfers);
	free(run->memory);
	free(run->members);
	if (run->has_record)
		tw__record_finish(&run->record);
	if (run->hangs)
		return;
	tw__plan_finish(&run->plan);
	tw__options_finish(&run->options);
	tw_scene_close(run->scene);
	free(run);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static int n_columns(void)
{
	int n = 0;
	while (tw__result_table[n].key)
		n++;
	return n;
}

const char *tw_column_name(int column)
{
	return column >= 0 && column < n_columns() ? tw__result_table[column].key : NULL;
}

static int column_of(const char *name)
{
	int i = 0;
	while (tw__result_table[i].key && !(name && strcmp(tw__result_table[i].key, name) == 0))
		i++;
	return i;
}

/* Makes the texts of all columns. False: memory does not suffice for them. */
static bool has_values(struct tw_run *run)
{
	struct tw__door door;
	struct cell cells[TW__MAX_COLUMNS];
	if (run->values)
		return true;
	if (TW__MEMORY_RUNS_OUT(&door))
		return false;
	int n = tw__result_cells(&run->result, cells);
	char **values = tw_alloc((size_t)n, sizeof *values);
	for (int i = 0; i < n; i++)
		values[i] = tw__cell_text(&cells[i]);
	run->values = values;
	tw__door_close(&door);
	return true;
}

const char *tw_run_value(struct tw_run *run, const char *column)
{
	int i = column_of(column);
	if (!run || !tw__result_table[i].key)
		return NULL;
	return has_values(run) ? run->values[i] : "";
}

double tw_run_number(struct tw_run *run, const char *column)
{
	const char *text = tw_run_value(run, column);
	char *end;
	double number = text && *text ? strtod_l(text, &end, tw__c_locale()) : NAN;
	return text && *text && !*end ? number : NAN;
}

const char *tw_run_row(struct tw_run *run)
{
	struct tw__door door;
	if (!run || TW__MEMORY_RUNS_OUT(&door))
		return "{}";
	if (!run->row) {
		struct cell cells[TW__MAX_COLUMNS];
		json_t *row = tw__cells_json(cells, tw__result_cells(&run->result, cells));
		run->row = json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(17));
		json_decref(row);
		if (!run->row)
			tw__no_memory(1, 1);
	}
	tw__door_close(&door);
	return run->row;
}

const char *tw_run_explanation(struct tw_run *run) { return run ? run->result.explanation : NULL; }
