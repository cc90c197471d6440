/* Random domains for the tasks of a world, and several graphs in one. */
#ifndef RANDOM_SCENE_H
#define RANDOM_SCENE_H

#include "graph/parts.h"
#include "world.h"

struct tw__random;

enum { RANDOM_TEXT = 4096, MOST_WORKERS = 64 };

/* Domains d0 to d3, as the settings of a run. */
struct random_domains {
	char policy[RANDOM_TEXT], assign[RANDOM_TEXT];
	bool has[4][MOST_WORKERS];
	int n;
	bool has_teams; /* whether a policy makes parallel tasks */
};

/* Makes one to four domains. If there are several, d0 has all workers. Each kernel goes to a domain that can run it. */
void random_domains(struct random_domains *, const struct world *, struct tw__random *);

/* Graphs in one, or a failed test. The caller destroys them all. */
struct tw_graph *joined_graphs(const struct tw_joined_graph *, int n);

/* Replaces the world's graph by up to three copies of it, which arrive at random dates. `domains`: names of domains,
 * one for each copy, which some copies get; NULL: none. */
void random_graphs(struct world *, struct tw__random *, int n, const char *const *domains);

#endif
