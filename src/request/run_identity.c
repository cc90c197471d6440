#include "request/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/spec.h"
#include "base/version.h"
#include "cluster/distribution.h"
#include "platform/platform.h"
#include "process/shared_object.h"
#include "request/fields.h"
#include "request/graph_words.h"
#include "request/plugins.h"
#include "request/workload.h"

/* A specification of a platform or plug-in that was seen before, with the digest of its text and of the files that it
 * names. */
struct tw__known_input {
	int (*add)(struct tw__known_input *,
	           struct tw_error *); /* completes the digest of this kind of specification */
	char *text;
	char *eviction;                      /* for a policy: its default eviction policy, malloc'ed; otherwise NULL */
	const struct tw__engine_ops *engine; /* for an engine: the engine; otherwise NULL */
	bool object;                         /* whether the plug-in comes from a shared object */
	struct tw__digest digest;
};

const char *tw__results_version(void) { return TW__VERSION "+" TW__MODELS_VERSION; }

void tw__identifier_finish(struct tw__identifier *id)
{
	for (size_t i = 0; i < id->n; i++) {
		free(id->known[i].text);
		free(id->known[i].eviction);
	}
	free(id->known);
	*id = (struct tw__identifier){0};
}

/* Adds the host's name to the digest: measured kernel times depend on the machine. */
static void add_machine(struct tw__digest *d)
{
	struct utsname machine;
	if (uname(&machine) == 0)
		tw__digest_word(d, machine.nodename);
}

/* Adds a file, which may be missing: samples.csv is optional. */
static int add_platform_file(struct tw__digest *d, const char *path, struct tw_error *err)
{
	bool there = access(path, F_OK) == 0;
	tw__digest_bytes(d, &there, 1);
	return there ? tw__digest_file(d, path, err) : TW_OK;
}

/* Adds the files first .. last of a platform's files, and of those of a cluster's nodes. */
static int add_platform_files(struct tw__digest *d, const char *name, int first, int last, struct tw_error *err)
{
	char *files[TW__PLATFORM_FILES], **of_nodes = NULL;
	int n_of_nodes = 0, status = tw__platform_files(files, name, err);
	for (int i = first; status == TW_OK && i <= last; i++)
		status = add_platform_file(d, files[i], err);
	if (status == TW_OK)
		status = tw__platform_node_files(&of_nodes, &n_of_nodes, files[0], err);
	for (int i = 0; i < n_of_nodes && status == TW_OK; i++)
		if (i % TW__PLATFORM_FILES >= first && i % TW__PLATFORM_FILES <= last)
			status = add_platform_file(d, of_nodes[i], err);
	for (int i = 0; i < n_of_nodes; i++)
		free(of_nodes[i]);
	free(of_nodes);
	for (int i = 0; i < TW__PLATFORM_FILES; i++)
		free(files[i]);
	return status;
}

static int add_platform(struct tw__known_input *k, struct tw_error *err)
{
	if (strcmp(k->text, TW__MACHINE_NAME) == 0) { /* the platform `machine` has no files */
		add_machine(&k->digest);
		return TW_OK;
	}
	return add_platform_files(&k->digest, k->text, 0, TW__PLATFORM_FILES - 1, err);
}

/* Whether the path is a readable regular file or folder. Devices, which may never end, and pipes, which can be read
 * only once, are excluded. */
static bool can_be_read(const char *path)
{
	struct stat about;
	return stat(path, &about) == 0 && (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)) && access(path, R_OK) == 0;
}

/* Adds to the digest the content of each file that a parameter of type TEXT names. */
static int add_files(struct tw__known_input *k, const struct tw_param *params, const struct tw__spec *spec,
                     struct tw_error *err)
{
	int status = TW_OK;
	for (int i = 0; status == TW_OK && i < spec->n; i++)
		for (int p = 0; params && params[p].name; p++) {
			const struct tw__spec_item *item = &spec->items[i];
			bool meant = item->key ? strcmp(item->key, params[p].name) == 0 : p == 0;
			if (meant && params[p].type == TW_PARAM_TEXT && can_be_read(item->value))
				status = tw__digest_file(&k->digest, item->value, err);
		}
	return status;
}

/* If the plug-in comes from a shared object, adds the content of that file to the digest. */
static int add_object(struct tw__known_input *k, const struct tw__spec *spec, struct tw_error *err)
{
	const bool is_object = tw__is_shared_object(spec->name);
	k->object |= is_object;
	return is_object ? tw__digest_file(&k->digest, spec->name, err) : TW_OK;
}

/* The files and the shared object of one graph. */
static int add_graph(struct tw__known_input *k, const char *text, struct tw_error *err)
{
	struct tw__workload_words words;
	int status = tw__workload_words_init(&words, text, err);
	if (status == TW_OK)
		status = add_files(k, words.params, &words.spec, err);
	if (status == TW_OK)
		status = add_object(k, &words.spec, err);
	tw__workload_words_finish(&words);
	return status;
}

static int add_workload(struct tw__known_input *k, struct tw_error *err)
{
	struct tw__graph_words words;
	int status = tw__graph_words_init(&words, k->text, err);
	for (int i = 0; i < words.n && status == TW_OK; i++)
		status = add_graph(k, words.of[i].spec, err);
	tw__graph_words_finish(&words);
	return status;
}

/* The files and the shared object of a policy, and those of its children. */
static int add_policy_of(struct tw__known_input *k, const struct tw_policy *policy, const char *text,
                         struct tw_args *args, struct tw_error *err)
{
	struct tw__args_policy *child;
	struct tw__spec spec;
	int status = tw__spec_parse(&spec, text, err);
	if (status == TW_OK)
		status = add_files(k, policy->params, &spec, err);
	if (status == TW_OK)
		status = add_object(k, &spec, err);
	tw__spec_finish(&spec);
	for (int i = 0; status == TW_OK && (child = tw__args_next_policy(args, &i));)
		if (child->policy)
			status = add_policy_of(k, child->policy, child->text, child->args, err);
	return status;
}

static int add_policy(struct tw__known_input *k, struct tw_error *err)
{
	struct tw__plugins plugins = {0};
	const char *eviction;
	const struct tw__request q = {.policy = k->text};
	int status = tw__find_policy(&plugins, &q, err);
	if (status == TW_OK && tw__default_eviction(&eviction, &plugins, err) == TW_OK)
		k->eviction = tw_copy_text(eviction);
	for (int i = 0; i < plugins.words.n && status == TW_OK; i++)
		status = add_policy_of(k, plugins.domains[i].policy, plugins.words.of[i].policy, plugins.policy_args[i],
		                       err);
	tw__plugins_finish(&plugins);
	return status;
}

static int add_eviction(struct tw__known_input *k, struct tw_error *err)
{
	struct tw__spec spec;
	int status = tw__eviction_check(k->text, err);
	if (status == TW_OK)
		status = tw__spec_parse(&spec, k->text, err);
	if (status < 0)
		return status;
	status = add_object(k, &spec, err);
	tw__spec_finish(&spec);
	return status;
}

/* The file that has the distribution. */
static int add_distribution(struct tw__known_input *k, struct tw_error *err)
{
	struct tw__spec spec;
	int status = tw__spec_parse(&spec, k->text, err);
	if (status < 0)
		return status;
	status = add_files(k, tw__distribution_params(spec.name), &spec, err);
	tw__spec_finish(&spec);
	return status;
}

static int add_engine(struct tw__known_input *k, struct tw_error *err)
{
	struct tw__plugins plugins = {0};
	int status = tw__find_engine(&plugins, k->text, err);
	k->engine = plugins.engine;
	tw__plugins_finish(&plugins);
	return status;
}

/* Finds the entry of a specification, or makes it. It is valid until the next call. */
static int look_up(struct tw__identifier *id, int (*add)(struct tw__known_input *, struct tw_error *), const char *text,
                   const struct tw__known_input **found, struct tw_error *err)
{
	for (size_t i = 0; i < id->n; i++)
		if (id->known[i].add == add && strcmp(id->known[i].text, text) == 0) {
			*found = &id->known[i];
			return TW_OK;
		}
	TW_RESERVE(id->known, id->capacity, id->n + 1);
	struct tw__known_input *k = &id->known[id->n++];
	*k = (struct tw__known_input){.add = add, .text = tw_copy_text(text), .digest = tw__digest_start()};
	tw__digest_word(&k->digest, text);
	*found = k;
	int status = add(k, err);
	if (status < 0) {
		free(k->text);
		free(k->eviction);
		id->n--;
	}
	return status;
}

/* Adds each given input, with its name. An input that is not given leaves the digest as it is, so identities stay when
 * a later version has more inputs. */
static void add_given(struct tw__digest *d, const struct tw__request *q)
{
	char room[TW__FIELD_ROOM];
	for (const struct tw__field *f = tw__fields; f->name; f++) {
		const char *text = f->flags & (TW__NAMED | TW__ASIDE) ? NULL : tw__field_text(f, q, room);
		if (!text)
			continue;
		tw__digest_word(d, f->name);
		tw__digest_word(d, text);
	}
}

/* Adds an input that a program gives in memory. Of policies and evictions, only the names are known. */
static void add_own(struct tw__digest *d, const char *what, const char *text)
{
	tw__digest_word(d, what);
	tw__digest_word(d, text);
}

/* Returns the default eviction policy of a run with policies of a program's own; NULL: the run is refused. */
static const char *usual_of_own(const struct tw__request *q)
{
	struct tw__plugins plugins = {0};
	struct tw_error refused;
	const char *eviction = NULL;
	if (tw__find_policy(&plugins, q, &refused) < 0 || tw__default_eviction(&eviction, &plugins, &refused) < 0)
		eviction = NULL;
	tw__plugins_finish(&plugins);
	return eviction;
}

int tw__identify(struct tw__identifier *id, const struct tw__request *q, char text[TW__DIGEST_TEXT],
                 struct tw_error *err)
{
	const struct {
		int (*add)(struct tw__known_input *, struct tw_error *);
		const char *text, *own;
	} given[] = {{add_platform, q->platform, NULL},
	             {add_workload, q->workload, q->own.graph ? "own graph" : NULL},
	             {add_policy, q->policy, q->own.policy ? "own policy" : NULL}};
	struct tw__digest d = tw__digest_start();
	const struct tw__known_input *k = NULL;
	int status = TW_OK;
	tw__digest_word(&d, tw__results_version());
	for (int i = 0; i < 3 && status == TW_OK; i++) {
		if (given[i].own) {
			add_own(&d, given[i].own, given[i].text);
			continue;
		}
		status = look_up(id, given[i].add, given[i].text, &k, err);
		if (status == TW_OK)
			tw__digest_bytes(&d, &k->digest, sizeof k->digest);
	}
	if (status == TW_OK && q->own.eviction) {
		add_own(&d, "own eviction", q->eviction);
	} else if (status == TW_OK) {
		const char *usual = q->own.policy ? usual_of_own(q) : k->eviction;
		const char *eviction = q->eviction ? q->eviction : usual ? usual : TW__DEFAULT_EVICTION;
		tw__digest_word(&d, eviction);
		status = look_up(id, add_eviction, eviction, &k, err);
		if (status == TW_OK && k->object)
			tw__digest_bytes(&d, &k->digest, sizeof k->digest);
	}
	if (status == TW_OK && q->distribution) {
		status = look_up(id, add_distribution, q->distribution, &k, err);
		if (status == TW_OK)
			tw__digest_bytes(&d, &k->digest, sizeof k->digest);
	}
	if (status == TW_OK) {
		const char *engine = q->engine ? q->engine : TW__DEFAULT_ENGINE;
		tw__digest_word(&d, engine);
		status = look_up(id, add_engine, engine, &k, err);
	}
	if (status < 0)
		return status;
	if (k->engine->caps & TW__ENGINE_COMPUTES)
		add_machine(&d);
	if (q->n_processes > 1)
		tw__digest_bytes(&d, &q->n_processes, sizeof q->n_processes);
	if (q->own.graph)
		tw__digest_bytes(&d, &q->own.graph_digest, sizeof q->own.graph_digest);
	tw__digest_word(&d, q->runtime ? q->runtime : tw__default_runtime(k->engine));
	add_given(&d, q);
	tw__digest_print(&d, text);
	return TW_OK;
}

/* --- single inputs ------------------------------------------------------------------------------------------------ */

const char *tw__input_name(enum tw__input input)
{
	static const char *const names[TW__N_INPUTS] = {"platform", "times", "workload"};
	return names[input];
}

int tw__identify_input(enum tw__input input, const struct tw__request *q, char text[TW__DIGEST_TEXT],
                       struct tw_error *err)
{
	const bool is_workload = input == TW__INPUT_WORKLOAD, is_machine = strcmp(q->platform, TW__MACHINE_NAME) == 0;
	struct tw__known_input k = {.text = (char *)(is_workload ? q->workload : q->platform),
	                            .digest = tw__digest_start()};
	int status = TW_OK;
	tw__digest_word(&k.digest, k.text);
	if (is_workload)
		status = add_workload(&k, err);
	else if (!is_machine && input == TW__INPUT_PLATFORM)
		status = add_platform_files(&k.digest, k.text, 0, 0, err);
	else if (!is_machine)
		status = add_platform_files(&k.digest, k.text, 1, TW__PLATFORM_FILES - 1, err);
	tw__digest_print(&k.digest, text);
	return status;
}
