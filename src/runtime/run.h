/* Runs a graph on a platform under a policy, on an engine. This header is for callers of the runtime. */
#ifndef TW__RUN_H
#define TW__RUN_H

#include <tilewright/compose.h>
#include <tilewright/eviction.h>

#include "engine/engine.h"
#include "graph/parts.h"
#include "perf/learned.h"
#include "perf/models.h"
#include "runtime/params.h"
#include "runtime/pulse.h"
#include "trace/domains.h"
#include "trace/record.h"

/* A scheduling domain (thesis, section 3.8): a policy, and the workers that run its tasks. */
struct tw__domain {
	const char *name; /* up to TW__DOMAIN_NAME - 1 characters; only read if the run has domains */
	const struct tw_policy *policy;
	const struct tw_args *args;
	bool *workers; /* [workers] whether the domain has each; NULL: it has all */
	void *context; /* for the policy: see tw_sched_context */
};

static inline bool tw__domain_has(const struct tw__domain *domain, tw_worker w)
{
	return !domain->workers || domain->workers[w];
}

struct tw__rt;     /* a run, from opening to closing */
struct tw__parcel; /* one end of a message, in a run */

/* The cluster, as far as the run of one of its nodes (rank) knows it. */
struct tw__rank {
	int number, n; /* of all n ranks */
	/* [tasks] the message that each task sends or receives; TW_NONE: none. Appended tasks do none. */
	const int32_t *message_of;
	tw_task n_tasks; /* without appended tasks */
	/* The node's numbers in the record of the whole cluster. */
	tw_task first_task;
	tw_data first_data;
	const tw_worker *workers; /* [workers] */
	const tw_node *nodes;     /* [nodes] */
	/* The whole graph, to which the reductions of all nodes append tasks, and the numbers there of those that this
	 * node's have appended. NULL: there are no reductions. */
	struct tw_graph *extended;
	tw_task *appended, most_appended; /* [most_appended] */
	/* Called when a reduction appends tasks, from `first` on, that combine n accumulators. */
	void (*append)(const struct tw__rank *, const struct tw_graph *, tw_task first, const tw_data *accumulators,
	               int n);
	/* If the nodes are processes, the engine sends and receives (engine/transport.h); else NULL. The functions
	 * below are for nodes of one process. */
	struct tw__processes *processes;
	/* Whether a node's main memory has a bound, or buffers of received handles are pinned. */
	bool announces;
	/* Called then when the task of this end of a message is ready. The answer is tw__message_go, once both ends are
	 * ready so far. NULL: this end does not wait for it. */
	void (*announce)(const struct tw__rank *, int32_t message, struct tw__parcel *);
	/* Called when this end has its handle in main memory. */
	void (*ready)(const struct tw__rank *, int32_t message, struct tw__parcel *);
	/* Called when this end has given its place up, and waits for it anew. */
	void (*give_up)(const struct tw__rank *, int32_t message);
};

struct tw__run_input {
	const struct tw__platform *platform; /* the workers and memories of this run, with limits of memories */
	const struct tw_graph *graph;
	/* kernel times that the engine uses, and that policies believe; may be equal */
	const struct tw__times *truth, *belief;
	const struct tw__domain *domains; /* [n_domains] at least one */
	int n_domains;
	const uint8_t *domain_of; /* [tasks] the domain of each task; NULL: the run has no domains, but one policy */
	/* [nodes of the cluster] the policy of each, among `domains`, which are none then; NULL: all have the first */
	const uint8_t *policy_of;
	const struct tw_eviction *eviction;
	const struct tw_args *eviction_args;
	const struct tw__runtime_params *params;
	const struct tw__engine_ops *engine;
	const void *engine_config; /* configuration for the engine, or NULL */
	uint64_t seed;
	bool fits;                   /* whether the caller has checked that every task fits the memories */
	struct tw__record *record;   /* receives the events of the run; NULL: events are not recorded */
	struct tw__learned *learned; /* learns kernel times during the run, for `belief`; NULL: nothing is learnt */
	double decision_cost;        /* factor of the cost of looks before the run, which delays it; 0: no delay */
	const int *cancel;           /* not 0, atomically: the run ends as soon as it can; NULL: it goes to its end */
	bool owns_process;           /* whether this process is the run's own, so that all its memory may be advised */
	bool own_frames; /* a plug-in is the program's: no jump may leave its frames, which may be Python's */
	const struct tw__rank *rank; /* NULL: the run is of no cluster */
	struct tw__pulse *pulse;     /* where the run tells how far it is, in shared memory; NULL: nobody looks */
};

/* The figure's name, behind those of the domain, if the run has several, and of children (tilewright/compose.h). */
enum { TW__FIGURE_NAME = 32 + TW__DOMAIN_NAME + TW_MOST_LEVELS * TW_CHILD_NAME };
struct tw__figure {
	char name[TW__FIGURE_NAME];
	double value;
};

/* The number of figures that the runtime itself reports: joules, predictions, prediction_error, looks, decision_looks,
 * decision_ns. TW__MOST_FIGURES: the number of figures that all policies of a run may report. */
enum { TW__OWN_FIGURES = 6, TW__MOST_FIGURES = 32 };

/* Dates of one graph of several: its arrival, the start of its first kernel, and the end of its last task. */
struct tw__graph_dates {
	tw__ns arrival, start, end;
	/* The run's caller fills these. */
	tw__ns alone;  /* makespan of a run without the other graphs; TW__NEVER: unknown */
	char name[96]; /* cut off */
};

struct tw__run_counters {
	tw__ns makespan;            /* ns from the first submission to the end of the last task */
	int64_t tasks, gpu_tasks;   /* numbers of tasks that ran, and of those that ran on accelerators */
	int64_t transfers;          /* number of transfers; each hop of a route counts */
	uint64_t transferred_bytes; /* bytes of all hops, write-backs included */
	/* bytes from main memory to accelerators, back, and between accelerators */
	uint64_t h2d_bytes, d2h_bytes, p2p_bytes;
	int64_t loads; /* number of transfers into memories that have a backing memory */
	/* messages between nodes of a cluster, and their bytes; not among the transfers above */
	int64_t messages;
	uint64_t network_bytes;
	int64_t evictions;  /* number of copies that left a memory to make room */
	int64_t writebacks; /* number of transfers from a memory to its backing memory */
	/* ns in kernels, as sums over all workers and over accelerators */
	tw__ns busy, gpu_busy;
	/* energy of all workers, busy and idle, until the makespan; NAN: the platform does not give their power */
	double joules;
	/* numbers of candidates that the plug-ins have looked at (tw_looked_at), and of those before the run; 0 if
	 * looks cost nothing */
	int64_t looks, decision_looks;
	int n_graphs; /* number of graphs, if there are several; else 0 */
	struct tw__graph_dates graphs[TW__MOST_PARTS];
	struct tw__engine_report engine;
	struct tw__predictions predictions; /* errors of believed kernel times; only if the input has `learned` */
	bool hangs;    /* whether a thread of the run never returned; then the caller must not free input and record */
	int n_figures; /* number of figures: first those that the policy reported (tw_report), then the runtime's */
	struct tw__figure figures[TW__MOST_FIGURES + TW__OWN_FIGURES];
};

/* tw__run_capacities: fills capacity[n_nodes] with the usable bytes of each memory under these parameters; UINT64_MAX:
 * unbounded. tw__run_home: returns the memory where all handles start, or the first of several. */
void tw__run_capacities(const struct tw__platform *, const struct tw__runtime_params *, uint64_t *capacity);
tw_node tw__run_home(const struct tw__platform *, const uint64_t *capacity);
/* Returns where handles start. The result uses the arrays of the graph and `capacity`. */
struct tw__homes tw__run_homes(const struct tw__platform *, const struct tw_graph *, const struct tw__runtime_params *,
                               const uint64_t *capacity);
/* Returns the bytes of each chunk that small handles share; 0: the memory has no chunks. */
uint64_t tw__run_chunk_bytes(const struct tw__platform *, const struct tw__runtime_params *, tw_node);

/* Checks what tw__run checks before it starts: does every task fit the memories, and are there those where handles
 * start? Reads only platform, graph, belief, domains, params and fits. */
int tw__run_check_fit(const struct tw__run_input *, const uint64_t *capacity, struct tw_error *err);
/* The smallest capacity of each bounded memory with which all tasks fit that may run on its workers; 0 without workers,
 * and for unbounded ones. `least` has n_nodes entries. */
void tw__run_least_capacities(const struct tw__run_input *, const uint64_t *capacity, uint64_t *least);

/* Runs the graph, and fills the counters. TW_INVALID: the graph cannot run on this platform, for example because a task
 * never fits (the message has the sizes). TW_FAILED: the run got stuck. */
int tw__run(const struct tw__run_input *, struct tw__run_counters *, struct tw_error *err);

/* The run of a cluster's node, step by step. The caller drives the engine, whose turns it divides among runs. */
/* Opens the run, and calls the init functions of plug-ins. Also after a failure, tw__run_close has to follow. */
int tw__run_open(struct tw__rt **, const struct tw__run_input *, struct tw__run_counters *, struct tw_error *err);
void tw__run_attach(struct tw__rt *, struct tw__engine *);
/* A turn of struct tw__rt: see tw__turn in engine/engine.h. */
bool tw__run_turn(void *rt, tw__ns now, const struct tw__completion *, int n, tw__ns *until);
/* Both tasks of a message are ready: this end may take its place in memory. `to_any`: a receive may do so on a card,
 * with the parameter gpudirect. A turn of the run must follow. */
void tw__message_go(struct tw__rt *, struct tw__parcel *, bool to_any);
tw_node tw__message_memory(const struct tw__parcel *); /* the memory of this end */
/* All ends that have their place, and whose transfers have not begun, give it up, but for one. Returns whether there
 * were any. */
bool tw__messages_give_up(struct tw__rt *, const struct tw__parcel *but);
/* Returns the priority of this end's task, as its policy sees it. */
int32_t tw__message_priority(const struct tw__parcel *);
/* The transfer of the message begins: its ends keep their places. False: this end's copy has left, and it waits anew. A
 * turn of the run must follow then. */
bool tw__message_starts(struct tw__parcel *);
/* The transfer of a message has ended. A turn of the run must follow at this date. */
void tw__message_ended(struct tw__rt *, struct tw__parcel *, tw__ns start, tw__ns end);
/* Nothing is under way on any node: lets the run drop what is in the way of others. False: there is nothing. */
bool tw__run_unjam(struct tw__rt *);
/* Whether tasks of the run wait for anything but messages; fails it with the reason. */
bool tw__run_is_stuck(struct tw__rt *);
int tw__run_status(const struct tw__rt *);
tw__ns tw__run_now(const struct tw__rt *);
/* Fails the run, because another one has failed. */
void tw__run_give_up(struct tw__rt *);
/* Calls the finish functions of plug-ins, and frees the run. `status`: its own so far. Returns its last status. */
int tw__run_close(struct tw__rt *, int status);

#endif
