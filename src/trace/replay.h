/* The state that the validator rebuilds from a record, event by event. It shares nothing with the runtime. */
#ifndef TW__REPLAY_H
#define TW__REPLAY_H

/* Out of memory is an ordinary error here; by default uthash ends the process. */
#ifndef HASH_NONFATAL_OOM
#define HASH_NONFATAL_OOM 1
#endif
#include <uthash.h>

#include "trace/intervals.h"
#include "trace/validate.h"

/* The state of one handle on one memory. The content of a handle has a version, which a writing task increments when
 * it starts. A copy is current if it has the current version. Versions are stored plus one, so that 0 means "none". */
struct tw__copy {
	uint32_t valid;         /* the version that the record claims it has */
	uint32_t arrived;       /* the version that a transfer brought, until a VALID event uses it */
	uint16_t pins;          /* running tasks and transfers that use it */
	uint16_t readers;       /* running tasks that read it */
	uint16_t incoming;      /* transfers to here that are under way */
	bool room;              /* only tracked for bounded memories */
	uint64_t offset, bytes; /* of the room */
};

struct tw__data_state {
	uint32_t version;    /* version of the current content, plus one */
	int32_t n_valid;     /* copies that are claimed to be valid */
	tw_task writer;      /* the task that writes it, from its start to its release; or TW_NONE */
	tw_node commit_node; /* the memory where the last write was committed, or TW_NONE */
	tw__ns commit_date;  /* VALID events of the write may still follow at that date */
};

enum tw__task_step { TW__NEW, TW__SUBMITTED, TW__IS_READY, TW__ASSIGNED, TW__RUNNING, TW__ENDED, TW__RELEASED };

struct tw__task_state {
	tw__ns start, took; /* took: the duration, once it has ended */
	uint32_t predecessors_left;
	int16_t worker;
	uint8_t step;
};

struct tw__moving {
	uint64_t id;
	struct tw__event start;
	uint32_t version; /* of the content that it carries */
	UT_hash_handle hh;
};

struct tw__replay {
	const struct tw__validation_input *in;
	const struct tw_graph *graph; /* with the tasks that reductions have appended */
	bool measured;                /* no model predicts the durations */
	bool rounds;                  /* durations of transfers have the rounding error of the engine's clock */
	/* [data] contributions of the current phase that were added to an accumulator, or to the handle itself. */
	uint32_t *contributions;
	struct tw__copy *copies;      /* [data * n_nodes + node] */
	struct tw__data_state *data;  /* [n_data] */
	struct tw__task_state *tasks; /* [n_tasks] */
	tw_task *running;             /* [n_workers]; TW_NONE */
	struct tw__intervals *rooms;  /* [n_nodes] */
	uint64_t *used;               /* [n_nodes] allocated bytes */
	struct tw__moving *moving;    /* by id */
	/* Handles whose copies changed at the current date; checked when the date is over. */
	tw_data *touched;
	size_t n_touched, touched_capacity;
	tw__ns date;         /* of the current event */
	tw__ns last_release; /* 0 before the first */

	/* The first violation. */
	enum tw__rule broken;
	struct tw_error *err;
};

static inline struct tw__copy *tw__copy_of(struct tw__replay *r, tw_data d, tw_node n)
{
	return &r->copies[(size_t)d * (size_t)r->in->platform->n_nodes + (size_t)n];
}

static inline bool tw__bounded(const struct tw__replay *r, tw_node n) { return r->in->capacity[n] != UINT64_MAX; }

/* The room that a handle needs there: scratch has a part for each worker. */
uint64_t tw__room_needed(const struct tw__replay *, tw_data, tw_node);

/* The handle that an access uses: an accumulator for TW_REDUX. */
tw_data tw__accessed(const struct tw__replay *, tw__access, tw_worker);

/* Records the violation; `format` is appended to the rule's name. Returns TW_FAILED. */
int tw__violation(struct tw__replay *, enum tw__rule, const char *format, ...) TW_PRINTF(3, 4);

/* Marks the copies of that handle for the checks at the end of the current date. */
int tw__touch(struct tw__replay *, tw_data);

/* For messages. */
const char *tw__task_kernel_name(const struct tw__replay *, tw_task);
const char *tw__worker_name(const struct tw__replay *, tw_worker);
const char *tw__node_name(const struct tw__replay *, tw_node);

/* rules_tasks.c: one event of a task; and the checks at the end of the run. */
int tw__replay_task(struct tw__replay *, const struct tw__event *);
int tw__replay_tasks_end(struct tw__replay *, tw__ns makespan);

/* rules_data.c: one event of a room or a copy; and the checks at the end of a date. */
int tw__replay_room(struct tw__replay *, const struct tw__event *);
int tw__replay_copy(struct tw__replay *, const struct tw__event *);
int tw__replay_settle(struct tw__replay *);

/* rules_transfers.c */
int tw__replay_transfer(struct tw__replay *, const struct tw__event *);
int tw__replay_transfers_end(struct tw__replay *);

#endif
