/* Finds plug-ins by name, in the registry or in shared objects. */
#include "request/plugins.h"

#include <string.h>

#include <tilewright/compose.h>

#include "base/nearest.h"
#include "base/spec.h"
#include "process/shared_object.h"
#include "registry.h"

const struct tw__engine_ops *const tw__engines[] = {&tw__engine_simgrid, &tw__engine_native, &tw__engine_real, NULL};

static const char *policy_name(int i) { return tw__policies[i] ? tw__policies[i]->name : NULL; }

static const char *eviction_name(int i) { return tw__evictions[i] ? tw__evictions[i]->name : NULL; }

static const char *engine_name(int i) { return tw__engines[i] ? tw__engines[i]->name : NULL; }

/* Returns the index of `name` in the list that name_at() gives; negative: an error. */
static int find(const char *what, const char *name, const char *(*name_at)(int), struct tw_error *err)
{
	for (int i = 0; name_at(i); i++)
		if (strcmp(name_at(i), name) == 0)
			return i;
	return tw__unknown_name(what, name, name_at, err);
}

static int check_params(struct tw_args **args, const char *kind, const struct tw_param *params,
                        const struct tw__spec *spec, struct tw_error *err)
{
	char what[128];
	snprintf(what, sizeof what, "%s '%.100s'", kind, spec->name);
	return tw__args_create(args, what, params, spec, err);
}

static int check_policy(const struct tw_policy *policy, const char *name, struct tw_error *err)
{
	if (!policy->name || !policy->push || !policy->pop)
		return tw_fail(err, TW_INVALID,
		               "policy '%.100s': lacks a mandatory member: expected name, push and pop", name);
	return TW_OK;
}

static int check_eviction(const struct tw_eviction *eviction, const char *name, struct tw_error *err)
{
	if (!eviction->name || !eviction->loaded || !eviction->victim)
		return tw_fail(err, TW_INVALID,
		               "eviction policy '%.100s': lacks a mandatory member: expected name, loaded and victim",
		               name);
	return TW_OK;
}

int tw__policy_named(const struct tw_policy **policy, const char *name, struct tw_error *err)
{
	const void *plugin;
	int i = tw__is_shared_object(name) ? tw__shared_object_open(&plugin, &tw__policy_kind, name, err)
	                                   : find("policy", name, policy_name, err);
	if (i < 0)
		return i;
	*policy = tw__is_shared_object(name) ? plugin : tw__policies[i];
	return check_policy(*policy, name, err);
}

int tw__eviction_named(const struct tw_eviction **eviction, const char *name, struct tw_error *err)
{
	const void *plugin;
	int i = tw__is_shared_object(name) ? tw__shared_object_open(&plugin, &tw__eviction_kind, name, err)
	                                   : find("eviction policy", name, eviction_name, err);
	if (i < 0)
		return i;
	*eviction = tw__is_shared_object(name) ? plugin : tw__evictions[i];
	return check_eviction(*eviction, name, err);
}

static int parse(struct tw__spec *spec, const char *kind, const char *text, struct tw_error *err)
{
	int status = tw__spec_parse(spec, text, err);
	return status < 0 ? tw_fail(err, status, "%s %s", kind, err->message) : TW_OK;
}

/* Copies the program's own plug-in, whose interface was checked, to `copy`. The copy, zeroed before, has all members of
 * this library. */
static void take_own(void *copy, const void *own) { memcpy(copy, own, (size_t)(*(const int *)own & 0xffff)); }

/* The level of policies, from 1 for those of a run, and whether the run is in the program, whose policy it has. */
struct level {
	int number;
	bool is_own;
};

static int find_children(struct tw_args *, const char *parent, struct level, struct tw_error *err);

/* Parses the arguments of a policy, and finds its children. */
static int take_policy_args(struct tw_args **args, const struct tw_policy *policy, const struct tw__spec *spec,
                            struct level level, struct tw_error *err)
{
	int status = check_params(args, "policy", policy->params, spec, err);
	return status == TW_OK ? find_children(*args, spec->name, level, err) : status;
}

static int find_child(struct tw__args_policy *child, struct level level, struct tw_error *err)
{
	struct tw__spec spec;
	if (level.number > TW_MOST_LEVELS)
		return tw_fail(err, TW_INVALID, "expected children on at most %d levels", TW_MOST_LEVELS);
	int status = tw__spec_parse(&spec, child->text, err);
	if (status == TW_OK && level.is_own && tw__is_shared_object(spec.name))
		status = tw_fail(err, TW_INVALID,
		                 "a child from a shared object: expected none of a program's own policy");
	if (status == TW_OK)
		status = tw__policy_named(&child->policy, spec.name, err);
	level.number++;
	if (status == TW_OK)
		status = take_policy_args(&child->args, child->policy, &spec, level, err);
	tw__spec_finish(&spec);
	return status;
}

/* Finds the policies that the parameters of a policy name. */
static int find_children(struct tw_args *args, const char *parent, struct level level, struct tw_error *err)
{
	struct tw__args_policy *child;
	for (int i = 0; (child = tw__args_next_policy(args, &i));) {
		int status = *child->text ? find_child(child, level, err) : TW_OK;
		if (status < 0)
			return tw_fail(err, status, "policy '%.60s': %s=%.100s: %s", parent, child->param, child->text,
			               err->message);
	}
	return TW_OK;
}

/* Returns the program's own policy, if the i-th domain, whose policy has that name, has it. A policy alone is the
 * program's, whatever the name. */
static const struct tw_policy *own_of(const struct tw__request *q, int i, const char *name)
{
	const struct tw_policy *own = q->own.policy;
	if (q->own.n_policies)
		return i < q->own.n_policies ? q->own.policies[i] : NULL;
	const bool is_named = own && own->name && strcmp(own->name, name) == 0;
	return own && (is_named || !tw__has_several_policies(q->policy)) ? own : NULL;
}

static int find_policy(struct tw__plugins *plugins, int i, const struct tw__request *q, struct tw_error *err)
{
	struct tw__spec spec;
	struct tw__domain *domain = &plugins->domains[i];
	int status = parse(&spec, "policy", plugins->words.of[i].policy, err);
	const struct tw_policy *own = status == TW_OK ? own_of(q, i, spec.name) : NULL;
	domain->name = plugins->words.of[i].name;
	domain->context = q->own.context;
	if (own && q->own.n_policies && own->name && strcmp(own->name, spec.name) != 0) {
		status = tw_fail(err, TW_INVALID, "domain '%s': policy '%.100s': expected '%.100s', the program's own",
		                 domain->name, spec.name, own->name);
	} else if (own) {
		take_own(&plugins->own_policies[i], own);
		domain->policy = &plugins->own_policies[i];
		status = check_policy(domain->policy, spec.name, err);
	} else if (status == TW_OK && q->own.policy && tw__is_shared_object(spec.name)) {
		status = tw_fail(err, TW_INVALID,
		                 "domain '%s': a policy from a shared object: expected none beside a program's own",
		                 domain->name);
	} else if (status == TW_OK) {
		status = tw__policy_named(&domain->policy, spec.name, err);
	}
	if (status == TW_OK)
		status = take_policy_args(&plugins->policy_args[i], domain->policy, &spec,
		                          (struct level){1, q->own.policy != NULL}, err);
	domain->args = plugins->policy_args[i];
	tw__spec_finish(&spec);
	return status;
}

int tw__find_policy(struct tw__plugins *plugins, const struct tw__request *q, struct tw_error *err)
{
	bool has_own = !q->own.policy;
	int status = tw__domain_words_init(&plugins->words, q->policy, err);
	for (int i = 0; i < plugins->words.n && status == TW_OK; i++) {
		status = find_policy(plugins, i, q, err);
		has_own |= plugins->domains[i].policy == &plugins->own_policies[i];
	}
	if (status == TW_OK && q->own.n_policies > plugins->words.n)
		return tw_fail(err, TW_INVALID,
		               "policy '%.200s': %d own policies: expected at most one for each domain", q->policy,
		               q->own.n_policies);
	if (status == TW_OK && !has_own)
		status = tw_fail(err, TW_INVALID, "policy '%.200s': expected a domain with '%.100s', the program's own",
		                 q->policy, q->own.policy->name ? q->own.policy->name : "");
	return status;
}

/* Adds the eviction policy of one policy, or, if it has none, those of its children. */
static int add_eviction(const char **eviction, const struct tw_policy *policy, struct tw_args *args,
                        struct tw_error *err)
{
	const char *name = policy->eviction;
	struct tw__args_policy *child;
	int status = TW_OK;
	if (name && *eviction && strcmp(name, *eviction) != 0)
		return tw_fail(
			err, TW_INVALID,
			"policies that have the eviction policies '%s' and '%s': expected --eviction with one of "
			"them",
			*eviction, name);
	*eviction = name ? name : *eviction;
	for (int i = 0; status == TW_OK && !name && (child = tw__args_next_policy(args, &i));)
		if (child->policy)
			status = add_eviction(eviction, child->policy, child->args, err);
	return status;
}

int tw__default_eviction(const char **eviction, const struct tw__plugins *plugins, struct tw_error *err)
{
	int status = TW_OK;
	*eviction = NULL;
	for (int i = 0; i < plugins->words.n && status == TW_OK; i++)
		status = add_eviction(eviction, plugins->domains[i].policy, plugins->policy_args[i], err);
	*eviction = *eviction ? *eviction : TW__DEFAULT_EVICTION;
	return status;
}

int tw__find_eviction(struct tw__plugins *plugins, const struct tw__request *q, struct tw_error *err)
{
	struct tw__spec spec;
	const char *text = q->eviction;
	int status = text ? TW_OK : tw__default_eviction(&text, plugins, err);
	if (status < 0)
		return status;
	status = parse(&spec, "eviction", text, err);
	if (status == TW_OK && q->own.eviction) {
		take_own(&plugins->own_eviction, q->own.eviction);
		plugins->eviction = &plugins->own_eviction;
		status = check_eviction(plugins->eviction, spec.name, err);
	} else if (status == TW_OK) {
		status = tw__eviction_named(&plugins->eviction, spec.name, err);
	}
	if (status == TW_OK)
		status = check_params(&plugins->eviction_args, "eviction", plugins->eviction->params, &spec, err);
	tw__spec_finish(&spec);
	return status;
}

int tw__find_engine(struct tw__plugins *plugins, const char *text, struct tw_error *err)
{
	struct tw__spec spec;
	int status = parse(&spec, "engine", text, err);
	if (status == TW_OK)
		status = find("engine", spec.name, engine_name, err);
	if (status >= 0) {
		plugins->engine = tw__engines[status];
		status = check_params(&plugins->engine_args, "engine", plugins->engine->params, &spec, err);
	}
	if (status == TW_OK && plugins->engine->check)
		status = plugins->engine->check(plugins->engine_args, err);
	tw__spec_finish(&spec);
	return status;
}

const char *tw__default_runtime(const struct tw__engine_ops *engine)
{
	return engine && (engine->caps & TW__ENGINE_COMPUTES) ? TW__DEFAULT_REAL_RUNTIME : TW__DEFAULT_RUNTIME;
}

const struct tw__engine_ops *tw__engine_of(const struct tw__request *q)
{
	struct tw__plugins plugins = {0};
	struct tw_error ignored;
	tw__find_engine(&plugins, q->engine ? q->engine : TW__DEFAULT_ENGINE, &ignored);
	const struct tw__engine_ops *engine = plugins.engine;
	tw__plugins_finish(&plugins);
	return engine;
}

bool tw__computes(const struct tw__request *q)
{
	const struct tw__engine_ops *engine = tw__engine_of(q);
	return engine && engine->caps & TW__ENGINE_COMPUTES;
}

bool tw__executes_kernels(const struct tw__request *q)
{
	struct tw__plugins plugins = {0};
	struct tw_error ignored;
	bool executes = tw__find_engine(&plugins, q->engine ? q->engine : TW__DEFAULT_ENGINE, &ignored) == TW_OK &&
	                plugins.engine->caps & TW__ENGINE_COMPUTES &&
	                strcmp(tw_args_text(plugins.engine_args, "mode"), "timed") != 0;
	tw__plugins_finish(&plugins);
	return executes;
}

static bool is_theirs(const char *text);

/* Whether a parameter of the policy, which comes with Tilewright, names a child that comes from a shared object. */
static bool has_their_child(const struct tw__spec *spec)
{
	const struct tw_param *params = NULL;
	bool theirs = false;
	for (int i = 0; tw__policies[i]; i++)
		if (strcmp(tw__policies[i]->name, spec->name) == 0)
			params = tw__policies[i]->params;
	for (const struct tw_param *p = params; p && p->name; p++)
		for (int i = 0; i < spec->n && p->type == TW_PARAM_POLICY; i++)
			if (spec->items[i].key && strcmp(spec->items[i].key, p->name) == 0 && *spec->items[i].value)
				theirs |= is_theirs(spec->items[i].value);
	return theirs;
}

/* Whether a plug-in's specification names a shared object. An invalid specification counts as one that does. */
static bool is_theirs(const char *text)
{
	struct tw__spec spec;
	struct tw_error ignored;
	if (!text)
		return false;
	if (tw__spec_parse(&spec, text, &ignored) < 0)
		return true;
	bool theirs = tw__is_shared_object(spec.name) || has_their_child(&spec);
	tw__spec_finish(&spec);
	return theirs;
}

/* Whether the policy of any domain comes from a shared object. */
static bool has_theirs(const char *text)
{
	struct tw__domain_words words;
	struct tw_error ignored;
	bool theirs = tw__domain_words_init(&words, text, &ignored) < 0;
	for (int i = 0; i < words.n; i++)
		theirs |= is_theirs(words.of[i].policy);
	tw__domain_words_finish(&words);
	return theirs;
}

bool tw__is_foreign(const struct tw__request *q)
{
	return (!q->own.policy && has_theirs(q->policy)) || (!q->own.eviction && is_theirs(q->eviction)) ||
	       (!q->own.graph && is_theirs(q->workload));
}

bool tw__needs_process(const struct tw__request *q)
{
	const struct tw__engine_ops *engine = tw__engine_of(q);
	return !engine || engine->caps & TW__ENGINE_FORKS || tw__is_foreign(q);
}

int tw__policy_check(const char *text, struct tw_error *err)
{
	struct tw__plugins plugins = {0};
	int status = tw__find_policy(&plugins, &(struct tw__request){.policy = text}, err);
	tw__plugins_finish(&plugins);
	return status;
}

int tw__eviction_check(const char *text, struct tw_error *err)
{
	struct tw__plugins plugins = {0};
	int status = tw__find_eviction(&plugins, &(struct tw__request){.eviction = text}, err);
	tw__plugins_finish(&plugins);
	return status;
}

int tw__engine_check(const char *text, struct tw_error *err)
{
	struct tw__plugins plugins = {0};
	int status = tw__find_engine(&plugins, text, err);
	tw__plugins_finish(&plugins);
	return status;
}

void tw__plugins_finish(struct tw__plugins *plugins)
{
	for (int i = 0; i < plugins->words.n; i++)
		tw__args_destroy(plugins->policy_args[i]);
	tw__domain_words_finish(&plugins->words);
	tw__args_destroy(plugins->eviction_args);
	tw__args_destroy(plugins->engine_args);
	*plugins = (struct tw__plugins){0};
}
