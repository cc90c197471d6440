/* Several graphs in one: each is a part, whose tasks come to a run at a date. Parts have no common handles, and no
 * dependencies. */
#ifndef TW__PARTS_H
#define TW__PARTS_H

#include "base/date.h"
#include "graph/graph.h"

enum { TW__MOST_PARTS = TW_MOST_JOINED };

struct tw__graph_part {
	tw_task first;       /* the part's tasks end where those of the next part begin */
	tw_data first_data;  /* its handles do as well */
	int32_t first_phase; /* its reductions, too */
	tw__ns arrival;      /* no task is submitted earlier */
	char *domain;        /* name of the scheduling domain of all its tasks; NULL: other options choose domains */
	char *name;          /* not NULL; others may have it, too */
	int n_kernels;
	tw_kernel *kernels; /* [n_kernels] numbers of its kernels, in its own order */
	double flops;       /* 0: unknown */
	enum tw__priorities priorities;
	enum tw_priority_scope priority_scope;
};

/* Makes a graph as tw_graph_join_into does. The caller has a door (base/door.h). */
int tw__graph_join(struct tw_graph **, const struct tw_joined_graph *, int n, struct tw_error *err);
/* Returns a copy of one part as a graph of its own. `all_kernels`: it has those of the whole graph, so that kernel
 * times of this one serve it; otherwise it is the graph that was joined. */
struct tw_graph *tw__graph_part(const struct tw_graph *, int part, bool all_kernels);

/* Returns a copy of the tasks, handles and reductions from the first up to, without, the second number, with all
 * kernels. No other task may access the handles. */
struct tw_graph *tw__graph_range(const struct tw_graph *, const tw_task tasks[2], const tw_data data[2],
                                 const int32_t phases[2]);

/* Returns the number of parts; 1 for other graphs, whose tasks come at date 0. */
static inline int tw__graph_n_parts(const struct tw_graph *g) { return g->n_parts ? g->n_parts : 1; }
/* Returns the task behind the last one of a part, without tasks that reductions append. */
tw_task tw__graph_part_end(const struct tw_graph *, int part);

/* Returns the number of the task's part. A task that a reduction appends belongs to that of the contributors. */
__attribute__((cold, noinline)) int tw__graph_part_of_many(const struct tw_graph *, tw_task);
static inline int tw__graph_part_of(const struct tw_graph *g, tw_task t)
{
	return g->n_parts ? tw__graph_part_of_many(g, t) : 0;
}

static inline enum tw_priority_scope tw__graph_priority_scope(const struct tw_graph *g, tw_task t)
{
	return g->n_parts ? g->parts[tw__graph_part_of_many(g, t)].priority_scope : g->priority_scope;
}

/* Returns the date at which the task comes. */
static inline tw__ns tw__graph_arrival(const struct tw_graph *g, tw_task t)
{
	return g->n_parts ? g->parts[tw__graph_part_of_many(g, t)].arrival : 0;
}

#endif
