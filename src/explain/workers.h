/* How the time of workers is accounted for: workers.c follows the events of a run, account.c has the state. */
#ifndef TW__EXPLAIN_WORKERS_H
#define TW__EXPLAIN_WORKERS_H

#include "base/memory.h"
#include "explain/past_items.h"
#include "trace/teams.h"

/* TW__WORKER_JOINED: the worker waits for others to start a parallel task, whose taker is another. */
enum tw__worker_state {
	TW__WORKER_IDLE,
	TW__WORKER_WAITS,
	TW__WORKER_JOINED,
	TW__WORKER_COMPUTES,
	TW__WORKER_RELEASES
};

struct tw__account_worker {
	enum tw__worker_state state;
	struct tw__account_group *group;
	tw_node node;
	tw_task task;      /* that it has taken and not yet started; TW_NONE: none */
	size_t next_start; /* index in `starts` of its next kernel */
	size_t end_starts;
	tw__ns since;           /* start of its present state */
	enum tw__why why;       /* TW__WORKER_WAITS: what for */
	tw__ns idle[TW__N_WHY]; /* TW__WORKER_IDLE: the group's sums at `since` */
};

/* Since `date`, an idle worker of the group idles for that reason. */
struct tw__idle_turn {
	enum tw__why why;
	tw__ns date;
};

/* Workers of one arch and node that are in the same domains, and the tasks that policies could give them. */
struct tw__account_group {
	tw_arch arch;
	tw__domain_set domains;
	int rank; /* node of a cluster; 0 without one */
	struct tw__kind_time *kind;
	int32_t messages;                 /* under way to the node */
	int64_t ready, unsubmitted, left; /* tasks that can run there: pushed; could be submitted; not taken yet */
	tw__ns idle[TW__N_WHY];           /* time so far, by why an idle worker of this group idles */
	struct tw__idle_turn *turns;      /* only if spans are wanted */
	size_t n_turns, turns_capacity;
};

struct tw__account {
	struct tw__arena memory;
	struct tw__explanation *e;
	const struct tw__explained_run *run;
	const struct tw_graph *graph;
	int n_groups, n_nodes;
	struct tw__account_worker *workers;
	tw_task *starts; /* the tasks of each worker in the order of their starts, one worker after the other */
	struct tw__account_group *groups; /* [n_groups] in the order of their archs */
	struct {
		uint32_t predecessors; /* not released */
		uint8_t step;          /* 0 not submitted, 1 submitted, 2 taken */
		bool parallel;
		tw_worker taker; /* the worker that has taken it last */
	} * tasks;
	struct tw__teams teams;
	uint8_t *copies; /* [data * n_nodes + node] TW__COPY_VALID, TW__COPY_ROOM, TW__COPY_COMING, TW__COPY_EVICTED */
	int32_t *moving; /* [data] transfers under way of the handle */
	struct {
		int32_t busy;   /* transfers under way into the memory, or out of it; of main memory: 0 */
		int32_t homing; /* write-backs under way out of the memory, to make room */
		uint64_t used;  /* allocated bytes */
		bool evicts;    /* handles have been evicted from the memory */
	} * nodes;
	tw_worker *waiting;
	int n_waiting;
	tw__ns date;
	bool copies_changed;
};

enum { TW__COPY_VALID = 1, TW__COPY_ROOM = 2, TW__COPY_COMING = 4, TW__COPY_EVICTED = 8 };

static inline uint8_t *tw__account_copy(const struct tw__account *a, tw_data d, tw_node n)
{
	return &a->copies[(size_t)d * (size_t)a->n_nodes + (size_t)n];
}

/* account.c. */
void tw__account_open(struct tw__account *, struct tw__explanation *, const struct tw__explained_run *,
                      const struct tw__past_items *);
void tw__account_close(struct tw__account *);

/* Adds to the numbers of tasks of each group that can run the task. */
void tw__account_count(struct tw__account *, tw_task, int ready, int unsubmitted, int left);
/* The worker has no task from now on. */
void tw__account_begin_idle(struct tw__account *, struct tw__account_worker *);
/* Adds a span of the worker. The next two functions note that idle workers of a group idle for that reason
 * from now on, and add the spans of a worker that has idled until now. */
void tw__account_span(struct tw__account *, tw_worker, enum tw__why, tw__ns start, tw__ns end);
void tw__account_note_idle(struct tw__account *, struct tw__account_group *, enum tw__why);
void tw__account_idle_spans(struct tw__account *, const struct tw__account_worker *);

#endif
