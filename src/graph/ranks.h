/* The graphs of a cluster's nodes (ranks) in one graph, as src/cluster/split.c makes them of a program's graph. The
 * tasks of a rank follow each other, and its handles do. Ranks have no handle in common, and no dependencies. Data go
 * from one to the other by messages: a task of the sender reads the sender's handle, and a task of the receiver writes
 * the receiver's. */
#ifndef TW__RANKS_H
#define TW__RANKS_H

#include "graph/graph.h"

struct tw__message {
	tw_task send, receive;
	int32_t from, to; /* ranks */
	int32_t version;  /* the program's writes of the handle that its content has */
};

struct tw__ranks {
	int n;
	tw_task *first;       /* [n + 1] the first task of each */
	tw_data *first_data;  /* [n + 1] */
	int32_t *first_phase; /* [n + 1] the first reduction */
	int32_t n_messages;
	struct tw__message *messages; /* in the order of the program */
	int32_t *message_of;          /* [tasks] the message that each task sends or receives; TW_NONE: none */
	/* [tasks], [data] the number in the program's graph; TW_NONE: it has none, as messages. Behind those of the
	 * program: tasks that combine what ranks contribute to reductions, and handles that have it. */
	tw_task *origin;
	tw_data *data_origin;
	/* [n_in_order] the tasks, but for those that send or receive, in the program's order. */
	tw_task *in_order;
	tw_task n_in_order;
};

void tw__ranks_destroy(struct tw__ranks *);

/* Return the rank of a task, and of a handle, of the graph with ranks or of the one that a run has extended. */
int tw__rank_of_task(const struct tw_graph *, tw_task);
int tw__rank_of_data(const struct tw_graph *, tw_data);

/* Returns the message that a task sends or receives; TW_NONE: none. */
static inline int32_t tw__message_of_task(const struct tw__ranks *r, tw_task t)
{
	return t < r->first[r->n] ? r->message_of[t] : TW_NONE;
}

/* Returns the number of a task in the program's graph; TW_NONE: it has none. Tasks that a run has appended, and those
 * that combine what ranks contribute, come behind those of the program. */
static inline tw_task tw__origin_of_task(const struct tw_graph *g, tw_task t)
{
	return g->ranks && t < g->ranks->first[g->ranks->n] ? g->ranks->origin[t] : t;
}

/* The transfer of a message has this number in records, among those of all nodes. The second function returns the
 * message; TW_NONE: it is no such transfer. */
static inline uint64_t tw__transfer_of_message(const struct tw__ranks *r, int32_t message)
{
	return (uint64_t)message * (uint64_t)(r->n + 1) + (uint64_t)r->n;
}
static inline int32_t tw__message_of_transfer(const struct tw__ranks *r, uint64_t transfer)
{
	const uint64_t n = (uint64_t)r->n + 1;
	return transfer % n == n - 1 && transfer / n < (uint64_t)r->n_messages ? (int32_t)(transfer / n) : TW_NONE;
}

/* Whether the task sends or receives a message. */
static inline bool tw__is_message(const struct tw_graph *g, tw_task t)
{
	return t < g->n_tasks && g->kernels[g->kernel[t]].is_message; /* a run may append tasks */
}

/* Returns a copy of one rank's graph, whose numbers begin at 0. It has all kernels of the whole, and no ranks. All its
 * handles are in the first main memory at the start. NULL: the rank has no tasks. */
struct tw_graph *tw__graph_of_rank(const struct tw_graph *, int rank);

#endif
