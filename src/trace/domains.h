/* The scheduling domains of a run, as its record needs them: for the validator, explanations and figures. */
#ifndef TW__TRACE_DOMAINS_H
#define TW__TRACE_DOMAINS_H

#include <stdio.h>

#include "graph/reduction.h"

enum { TW__MOST_DOMAINS = 16, TW__DOMAIN_NAME = 16 };

struct tw__run_domains {
	int n;                      /* 0: the run has no domains */
	const char *const *names;   /* [n] */
	const bool *const *workers; /* [n][workers] whether the domain has the worker */
	const uint8_t *of;          /* [tasks] the domain of each task of the graph; figures do not need it */
};

/* A set of domains: bit d stands for domain d. */
typedef uint32_t tw__domain_set;

/* Returns the domain of a task; 0 if there are no domains. A task that a reduction appends belongs to the domain of its
 * first contribution. */
static inline int tw__domain_of_task(const struct tw__run_domains *d, const struct tw_graph *g, tw_task t)
{
	if (d->n == 0)
		return 0;
	return d->of[t < tw__graph_own_tasks(g) ? t : g->phases[tw__graph_appended_for(g, t)].first];
}

/* Whether the worker is in the domain of the task. */
static inline bool tw__domain_allows(const struct tw__run_domains *d, const struct tw_graph *g, tw_task t, tw_worker w)
{
	return d->n == 0 || d->workers[tw__domain_of_task(d, g, t)][w];
}

/* Returns the domains of a worker; domain 0 if there are no domains. */
static inline tw__domain_set tw__domains_of_worker(const struct tw__run_domains *d, tw_worker w)
{
	tw__domain_set set = d->n == 0;
	for (int i = 0; i < d->n; i++)
		set |= (tw__domain_set)d->workers[i][w] << i;
	return set;
}

/* Writes the names of the domains in the set with '+' between; "none": the set is empty. Returns the text. */
enum { TW__DOMAINS_TEXT = TW__MOST_DOMAINS * TW__DOMAIN_NAME };
static inline const char *tw__domains_text(char text[TW__DOMAINS_TEXT], const struct tw__run_domains *d,
                                           tw__domain_set set)
{
	int n = 0;
	snprintf(text, TW__DOMAINS_TEXT, "none");
	for (int i = 0; i < d->n; i++)
		if (set >> i & 1)
			n += snprintf(text + n, TW__DOMAINS_TEXT - (size_t)n, "%s%s", n > 0 ? "+" : "", d->names[i]);
	return text;
}

#endif
