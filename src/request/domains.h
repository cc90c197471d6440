/* Several policies of one run, as users write them in place of one. Scheduling domains have a name, workers and a
 * policy each: "cpus=cpu:lws+gpus=gpu:dmdas". Nodes of a cluster may have other policies than the first:
 * "lws+1-3=dmdas". */
#ifndef TW__REQUEST_DOMAINS_H
#define TW__REQUEST_DOMAINS_H

#include "perf/models.h"
#include "platform/platform.h"
#include "runtime/run.h"

struct tw__domain_word {
	char name[TW__DOMAIN_NAME]; /* "": the run has no domains */
	char *workers, *policy;     /* malloc'ed; workers NULL: all */
	char *nodes;                /* malloc'ed; NULL: those that no other word names, or the run has domains */
};

struct tw__domain_words {
	struct tw__domain_word of[TW__MOST_DOMAINS];
	int n;
};

/* Whether a specification has domains, or policies of nodes, and is not a policy alone. */
bool tw__has_several_policies(const char *);
/* Splits a specification. One that is a policy alone gives one word. The words are to be finished in any case. */
int tw__domain_words_init(struct tw__domain_words *, const char *text, struct tw_error *err);
void tw__domain_words_finish(struct tw__domain_words *);
/* Sets *policy_of: for each node of a cluster, the number of its word; NULL: all have the first. NODES are numbers
 * from 0, ranges, names of nodes, and names of their platforms, with '/' between: 2, 1-3, node1, mirage. The caller
 * frees it. TW_INVALID: there is no such node, or a node has two policies. */
int tw__node_policies_bind(uint8_t **policy_of, const struct tw__domain_words *, const struct tw__platform *,
                           struct tw_error *err);
/* Checks the text of --domain: one domain. */
int tw__domain_check(const char *text, struct tw_error *err);

/* Checks the text of --assign, as far as it does not depend on the run. */
int tw__assign_check(const char *text, struct tw_error *err);

/* The objects that the domains of a run depend on. `belief`: the kernel times that policies see. */
struct tw__domain_scene {
	const struct tw__platform *platform;
	const struct tw_graph *graph;
	const struct tw__times *belief;
};

/* Sets the workers of each domain, and *domain_of: the domain of each task. A run without domains has neither. WORKERS
 * are kinds and names with '/' between: all, cpu, gpu, cpu2, gpu0-1, an arch, a worker's name. `assign`:
 * "KERNEL=NAME,..."; NULL: all tasks belong to the first domain. TW_INVALID: a name is unknown, or no worker of its
 * domain can run a task. tw__domains_unbind is due in any case. */
int tw__domains_bind(struct tw__domain *domains, uint8_t **domain_of, const struct tw__domain_words *,
                     const char *assign, const struct tw__domain_scene *, struct tw_error *err);
void tw__domains_unbind(struct tw__domain *domains, uint8_t **domain_of, const struct tw__domain_words *);

#endif
