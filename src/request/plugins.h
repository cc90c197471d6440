/* The plug-ins of a run: found by name, in the registry or in shared objects (process/shared_object.h). */
#ifndef TW__PLUGINS_H
#define TW__PLUGINS_H

#include <tilewright/eviction.h>
#include <tilewright/policy.h>

#include "engine/engine.h"
#include "request/domains.h"
#include "request/request.h"

/* The plug-ins of a run with their parsed arguments; {0}: none is found yet. */
struct tw__plugins {
	struct tw__domain_words words;               /* the request's policy, or its domains */
	struct tw__domain domains[TW__MOST_DOMAINS]; /* [words.n] */
	struct tw_args *policy_args[TW__MOST_DOMAINS];
	const struct tw_eviction *eviction;
	struct tw_args *eviction_args;
	const struct tw__engine_ops *engine;
	struct tw_args *engine_args;
	/* Copies of the program's own, with the members that its headers lack. */
	struct tw_policy own_policies[TW__MOST_DOMAINS];
	struct tw_eviction own_eviction;
};

/* Finds a policy by its name, in the registry or as a shared object. The next function finds an
 * eviction policy. */
int tw__policy_named(const struct tw_policy **, const char *name, struct tw_error *err);
int tw__eviction_named(const struct tw_eviction **, const char *name, struct tw_error *err);

/* Sets the policies of all domains, and their parsed arguments, from the request's specification, or from the program's
 * own policy. The domains have no workers yet. The plug-ins must then stay at their address. The caller frees the
 * arguments. */
int tw__find_policy(struct tw__plugins *, const struct tw__request *, struct tw_error *err);
/* The eviction policy of a run that gives none: the one that its policies name. Policies that name none take any.
 * TW_INVALID: they name different ones. */
int tw__default_eviction(const char **eviction, const struct tw__plugins *, struct tw_error *err);
/* Sets the eviction policy and its arguments; not specified: the policy's default. Call it after tw__find_policy. */
int tw__find_eviction(struct tw__plugins *, const struct tw__request *, struct tw_error *err);
int tw__find_engine(struct tw__plugins *, const char *text, struct tw_error *err);
/* Checks that the policy in a specification exists and takes the given parameters. The next two functions check an
 * eviction policy and an engine. */
int tw__policy_check(const char *text, struct tw_error *err);
int tw__eviction_check(const char *text, struct tw_error *err);
int tw__engine_check(const char *text, struct tw_error *err);
/* Returns the engine that the request names, or the default engine; NULL: the name is unknown. */
const struct tw__engine_ops *tw__engine_of(const struct tw__request *);
/* Whether the request's engine computes: on this machine, in real time. */
bool tw__computes(const struct tw__request *);
/* Whether the request's engine executes kernels, so that their times are those of this machine. */
bool tw__executes_kernels(const struct tw__request *);
/* Whether a plug-in of the run comes from a shared object. */
bool tw__is_foreign(const struct tw__request *);
/* Whether the run needs a process of its own: its engine requires that, or a plug-in comes from a shared object. */
bool tw__needs_process(const struct tw__request *);
/* Returns the name of an engine's default runtime model. `engine` NULL: the engine is unknown. */
const char *tw__default_runtime(const struct tw__engine_ops *);
/* Frees the arguments. */
void tw__plugins_finish(struct tw__plugins *);

/* All engines that --engine can name; the array ends with NULL. */
extern const struct tw__engine_ops *const tw__engines[];

#endif
