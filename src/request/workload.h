/* Workloads: a specification such as "cholesky:nt=20" becomes a task graph. */
#ifndef TW__WORKLOAD_H
#define TW__WORKLOAD_H

#include <tilewright/workload.h>

#include "base/spec.h"
#include "perf/models.h"

/* The parsed specification of a workload. */
struct tw__workload_words {
	struct tw__spec spec;
	struct tw_param *params;
	struct tw_args *args;
};

/* Finds a workload by its name, in the registry or as a shared object. */
int tw__workload_of_name(const struct tw_workload **, const char *name, struct tw_error *err);
/* Generates the task graph of a workload, which may have several (graph_words.h); the caller destroys it. */
int tw__generate(struct tw_graph **, const char *workload, struct tw_error *err);
/* Parses the specification of a workload with one graph. An error: a parameter is invalid, or a required one is
 * missing. The caller calls tw__workload_words_finish, also after an error. */
int tw__workload_words_init(struct tw__workload_words *, const char *workload, struct tw_error *err);
void tw__workload_words_finish(struct tw__workload_words *);
/* Copies to `text` the value of a parameter of the workload's first graph, as it is given, or its default. Returns
 * false, and "" as the text, if it has none. Of an unknown workload, only given values are known. */
bool tw__workload_param(const char *workload, const char *param, char *text, size_t size);
/* Checks that each of a workload's graphs exists and has the given parameters. Required parameters may be
 * missing. */
int tw__workload_named(const char *text, struct tw_error *err);

/* Checks the text of --with (graph_words.h), with its workload. */
int tw__with_check(const char *text, struct tw_error *err);

/* Sets the priorities of tasks as the workload's parameter `priority` says, once for a graph. Priorities by bottom
 * levels need kernel times. */
void tw__prioritise(struct tw_graph *, const struct tw__times *, const struct tw__platform *);

/* Parameters that every workload takes, in addition to its own. */
extern const struct tw_param tw__workload_params[];

#endif
