/* Analyses for programs: bounds, descriptions, explanations, comparisons, and the validator. */
#include <tilewright/analysis.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/json_text.h"
#include "base/nearest.h"
#include "bounds/bounds.h"
#include "describe/described.h"
#include "explain/diff_printed.h"
#include "graph/graph.h"

/* --- texts -------------------------------------------------------------------------------------------------------- */

/* Sets the text of a value, and frees the value. */
static void give(char **text, json_t *value, size_t layout)
{
	size_t bytes;
	FILE *f = tw__text_open(text, &bytes);
	tw__json_write(f, value, layout);
	tw__text_close(f);
}

/* Returns an enum tw__explain_as, or TW_INVALID. */
static int format_of(const char *given, struct tw_error *err)
{
	static const char *const names[] = {"text", "json", NULL};
	int choice = 0;
	int status = tw__word_choice(&choice, "format", given ? given : "", names, "text or json", err);
	return status < 0 ? status : choice ? TW__EXPLAIN_JSON : TW__EXPLAIN_TEXT;
}

/* The names of options, of an array that ends with NULL. */
static const char *name_at(const void *names, int i) { return ((const char *const *)names)[i]; }

/* --- before runs -------------------------------------------------------------------------------------------------- */

static int take_bounds(void *limits, const char *name, const char *value, struct tw_error *err)
{
	static const char *const names[] = {"rounds", "iterative-time", "milp-time", NULL};
	struct tw__bounds_limits *l = limits;
	int option = 0;
	while (names[option] && strcmp(name, names[option]) != 0)
		option++;
	if (!names[option])
		return tw__unknown_name_in("option", name, name_at, names, err);
	if (!value)
		return tw__option_lacks_value(name, option == 0 ? "N" : "SECONDS", err);
	if (option == 0)
		return tw__word_int(&l->rounds, "--rounds", value, 0, INT_MAX, err);
	return option == 1
	               ? tw__word_real(&l->iterative_time_s, "--iterative-time", value, 0, TW__MOST_BOUND_TIME_S, err)
	               : tw__word_real(&l->milp_time_s, "--milp-time", value, 0, TW__MOST_BOUND_TIME_S, err);
}

static int find_bounds(const struct tw_scene *scene, const char *const *options, char **json, struct tw_error *err)
{
	const struct tw__scene *s = scene->scene;
	const struct tw__bounded in = tw__scene_bounded(s);
	struct tw__all_bounds b = {.critical_path_s = s->critical_path_s, .area_s = s->area_s};
	struct tw__bounds_limits limits = TW__BOUNDS_LIMITS;
	int status = tw__options_each(options, take_bounds, &limits, err);
	if (status == TW_OK)
		status = tw__bound_all(&b, &in, scene->request.own.graph ? NULL : scene->workload, &limits, err);
	if (status == TW_OK)
		give(json, tw__bounds_json(&b, &in, scene->request.platform, scene->workload), TW__JSON_EXACT);
	return status;
}

int tw_scene_bounds(struct tw_scene *scene, const char *const *options, char **json, struct tw_error *err)
{
	*json = NULL;
	if (!scene)
		return tw_fail(err, TW_INVALID, "scene: expected one");
	TW__MAKE_BEHIND_DOOR(json, free, find_bounds(scene, options, json, err), err);
}

static int take_exact(void *exact, const char *name, const char *value, struct tw_error *err)
{
	static const char *const names[] = {"exact", NULL};
	if (strcmp(name, names[0]) != 0)
		return tw__unknown_name_in("option", name, name_at, names, err);
	*(bool *)exact = true;
	return value ? tw__option_has_value(name, value, err) : TW_OK;
}

static int describe(struct tw__described d, const struct tw_graph *g, const char *const *options, char **json,
                    struct tw_error *err)
{
	bool exact = false;
	int status = tw__options_each(options, take_exact, &exact, err);
	if (status < 0)
		return status;
	status = tw__describe_all(&d, g, exact, err);
	if (status == TW_OK)
		give(json, tw__described_json(&d), TW__JSON_EXACT);
	tw__described_finish(&d);
	return status;
}

int tw_scene_describe(struct tw_scene *scene, const char *const *options, char **json, struct tw_error *err)
{
	*json = NULL;
	if (!scene)
		return tw_fail(err, TW_INVALID, "scene: expected one");
	const struct tw__bounded of = tw__scene_bounded(scene->scene);
	const struct tw__described d = {
		.workload = scene->workload,
		.platform_name = scene->request.platform,
		.platform = scene->scene->platform,
		.times = of.times,
	};
	TW__MAKE_BEHIND_DOOR(json, free, describe(d, of.graph, options, json, err), err);
}

int tw_graph_describe(const struct tw_graph *g, const char *name, const char *const *options, char **json,
                      struct tw_error *err)
{
	*json = NULL;
	if (!g || !name)
		return tw_fail(err, TW_INVALID, "%s: expected one", g ? "name of the graph" : "graph");
	if (g->build)
		return tw_fail(err, TW_INVALID, "graph '%.200s': expected one that tw_graph_finish has finished", name);
	TW__MAKE_BEHIND_DOOR(json, free, describe((struct tw__described){.workload = name}, g, options, json, err),
	                     err);
}

/* --- after runs --------------------------------------------------------------------------------------------------- */

int tw__run_needs_record(const struct tw_run *run, struct tw_error *err)
{
	if (!run)
		return tw_fail(err, TW_INVALID, "run: expected one");
	return run->has_record ? TW_OK
	                       : tw_fail(err, TW_INVALID,
	                                 "the run keeps no schedule: expected a run with the option records, which "
	                                 "ended without error");
}

static int explain(struct tw_run *run, const char *given, char **text, struct tw_error *err)
{
	size_t bytes;
	int status = tw__run_needs_record(run, err), format = status < 0 ? status : format_of(given, err);
	if (format < 0)
		return format;
	FILE *f = tw__text_open(text, &bytes);
	status = tw__plan_explain(&run->plan, &run->record, (enum tw__explain_as)format, f, err);
	tw__text_close(f);
	return status;
}

int tw_run_explain(struct tw_run *run, const char *format, char **text, struct tw_error *err)
{
	TW__MAKE_BEHIND_DOOR(text, free, explain(run, format, text, err), err);
}

/* The arguments are to be freed. */
static struct tw__diff_about about_of(const struct tw_run *run)
{
	const struct tw__request *q = run->request;
	struct tw__diff_about about = {.name = {NULL, q->platform, q->workload, q->policy}};
	about.arguments = tw__arguments_of(q, &about.n_arguments);
	return about;
}

static void print_diff(char **text, const struct tw__diff *d, const struct tw_run *a, const struct tw_run *b,
                       int format)
{
	const struct tw__diff_about about[2] = {about_of(a), about_of(b)};
	size_t bytes;
	if (format == TW__EXPLAIN_JSON) {
		give(text, tw__diff_json(d, about), TW__JSON_SHORT);
	} else {
		FILE *f = tw__text_open(text, &bytes);
		tw__diff_print(f, d, about);
		tw__text_close(f);
	}
	for (int i = 0; i < 2; i++)
		tw__arguments_free((struct tw__run_argument *)(uintptr_t)about[i].arguments, about[i].n_arguments);
}

static int compare(struct tw_run *a, struct tw_run *b, const char *given, char **text, struct tw_error *err)
{
	struct tw__diff d;
	int status = tw__run_needs_record(a, err);
	if (status == TW_OK)
		status = tw__run_needs_record(b, err);
	const int format = status < 0 ? status : format_of(given, err);
	if (format < 0)
		return format;
	const struct tw__explained_run of_a = tw__plan_explained(&a->plan, &a->record),
				       of_b = tw__plan_explained(&b->plan, &b->record);
	status = tw__diff_init(&d, &of_a, &of_b, err);
	if (status == TW_OK) {
		print_diff(text, &d, a, b, format);
		tw__diff_finish(&d);
	}
	return status;
}

int tw_run_diff(struct tw_run *a, struct tw_run *b, const char *format, char **text, struct tw_error *err)
{
	TW__MAKE_BEHIND_DOOR(text, free, compare(a, b, format, text, err), err);
}

static int validate(struct tw_run *run, struct tw_error *err)
{
	const struct tw__validation_input in = tw__plan_validation(&run->plan);
	return tw__validate(&in, &run->record, NULL, err);
}

int tw_run_validate(struct tw_run *run, struct tw_error *err)
{
	int status = tw__run_needs_record(run, err);
	if (status < 0)
		return status;
	TW__RETURN_BEHIND_DOOR(validate(run, err), err);
}
