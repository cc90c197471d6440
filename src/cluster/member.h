/* The state of a cluster's run, for src/cluster/ alone. */
#ifndef TW__MEMBER_H
#define TW__MEMBER_H

#include "base/heap.h"
#include "base/memory.h"
#include "graph/ranks.h"
#include "runtime/run.h"

/* A kernel or transfer that the engine runs for a node, or the transfer of a message. */
struct tw__job {
	struct tw__member *member; /* NULL: a message */
	uint64_t token;            /* of the node's run */
	int32_t message;
	struct tw__job *next, *before; /* others of the member, or unused */
};

/* Both ends of a message. */
struct tw__delivery {
	struct tw__heap_item queued;       /* place among the sender's messages whose two ends are ready */
	struct tw__parcel *send, *receive; /* NULL: this end is not ready, so far */
	struct tw__parcel *ends[2];        /* announced ends that wait for it, sender and receiver */
	bool announced[2];
	bool has_begun, has_arrived; /* the transfer */
	int32_t priority;
	uint64_t since;     /* number of the message among all that became ready */
	size_t start_event; /* in the record */
	tw_node from, to;   /* memories of the transfer */
};

/* A node of the cluster. */
struct tw__member {
	struct tw__cluster *cluster;
	struct tw__rank rank;
	struct tw__platform *platform;
	struct tw_graph *graph; /* NULL: the node has no tasks, and no run */
	tw_worker *workers;
	tw_node *nodes;
	struct tw__times truth, belief;
	tw_task *numbers;   /* [tasks, with all that reductions may append] that noise draws for; NULL: no reductions */
	tw_task n_appended; /* by its reductions so far */
	struct tw__run_input in;
	struct tw__run_counters counters;
	struct tw_error err;
	struct tw__rt *rt;
	struct tw__heap_item due; /* in the heap of nodes, by date; not in it during its own turn */
	tw__ns date;              /* of its next turn */
	bool is_over;
	bool takes_early; /* messages whose receiver is not ready go to a temporary buffer (early_messages) */
	struct tw__completion *ended; /* for its next turn */
	int n_ended;
	size_t ended_capacity;
	struct tw__job *jobs;    /* that the engine runs for it */
	struct tw__heap to_send; /* its messages whose two ends are ready */
	int64_t n_sending;
};

struct tw__cluster {
	const struct tw__run_input *in;
	const struct tw__ranks *ranks;
	struct tw__engine *engine;
	struct tw__member *members; /* [n] */
	int n, n_over;
	struct tw__heap due;             /* of members, the first date on top */
	struct tw__delivery *deliveries; /* [messages] */
	uint64_t n_ready;
	int32_t n_made_room;       /* messages up to this one have had room made for them, since one began last */
	struct tw_graph *extended; /* by the reductions of all nodes; NULL: there are none */
	struct tw__job *unused;
	struct tw__arena memory; /* of jobs */
	int n_under_way;
	struct tw__run_counters *counters;
	tw__ns now;
	struct tw_error *err;
	int status;
};

/* Functions of cluster.c: */
/* Sets what the run of a node gets: its platform and graph (NULL: it has no tasks), and itself. */
void tw__member_init(struct tw__cluster *, struct tw__member *, int number);
void tw__member_finish(struct tw__member *);
/* Adds a node's counters to the cluster's. Nodes that end early are idle until the last one ends. */
void tw__count_member(struct tw__run_counters *all, const struct tw__run_counters *of);

/* Functions of turns.c: */
/* Returns the event of a message's transfer between these main memories, without kind and date. */
struct tw__event tw__event_of_message(const struct tw_graph *, int32_t message, tw_node from, tw_node to);
bool tw__cluster_turn(void *cluster, tw__ns now, const struct tw__completion *, int n, tw__ns *until);
/* Sets the date of the node's next turn, unless it has an earlier one. TW__NEVER: it has none. */
void tw__member_due(struct tw__member *, tw__ns date);
/* Of struct tw__rank: */
void tw__member_announces(const struct tw__rank *, int32_t message, struct tw__parcel *);
void tw__member_is_ready(const struct tw__rank *, int32_t message, struct tw__parcel *);
void tw__member_gives_up(const struct tw__rank *, int32_t message);

/* Functions of view.c: */
/* The engine of a node's run: numbers of workers and memories, and ends, are its own. `next`: whether the
 * cluster's engine tells its next end. */
extern const struct tw__engine_ops tw__member_engine, tw__member_engine_without_next;
struct tw__engine *tw__view_of(struct tw__member *);
struct tw__job *tw__job_begin(struct tw__cluster *, struct tw__member *);
void tw__job_end(struct tw__cluster *, struct tw__job *);
static inline uint64_t tw__job_token(const struct tw__job *job) { return (uint64_t)(uintptr_t)job; }

#endif
