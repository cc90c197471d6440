/* The state that the validator rebuilds from a record, event by event. It shares nothing with the runtime's. */
#ifndef TW__REPLAY_H
#define TW__REPLAY_H

/* Running out of memory is an error like others, not the end of the process. */
#ifndef HASH_NONFATAL_OOM
#define HASH_NONFATAL_OOM 1
#endif
#include <uthash.h>

#include "trace/intervals.h"
#include "trace/validate.h"

/* One data on one memory. The content of a data has a version, which a task that writes it raises when it starts; a
 * copy is right when it holds the current one. Versions are kept plus one, so that 0 says "none". */
struct tw__copy {
	uint32_t valid;         /* version that it holds, as the record claims */
	uint32_t arrived;       /* version that a transfer has brought here, until a VALID event makes use of it */
	uint16_t pins;          /* running tasks and transfers that use the room */
	uint16_t readers;       /* running tasks that read it */
	uint16_t incoming;      /* transfers under way to here */
	bool room;              /* only kept for bounded memories */
	uint64_t offset, bytes; /* of the room */
};

struct tw__data_state {
	uint32_t version;    /* current content, plus one */
	int32_t n_valid;     /* copies that claim to be valid */
	tw_task writer;      /* writes it now, from its start to its release; or TW_NONE */
	tw_node commit_node; /* where the last write was committed, or TW_NONE */
	tw__ns commit_date;  /* VALID events of the write may still come at that date */
};

enum tw__task_step { TW__NEW, TW__SUBMITTED, TW__IS_READY, TW__ASSIGNED, TW__RUNNING, TW__ENDED, TW__RELEASED };

struct tw__task_state {
	tw__ns start, took; /* took: once it has ended */
	uint32_t predecessors_left;
	int16_t worker;
	uint8_t step;
};

struct tw__moving {
	uint64_t id;
	struct tw__event start;
	uint32_t version; /* of what it carries */
	UT_hash_handle hh;
};

struct tw__replay {
	const struct tw__validation_input *in;
	const struct tw_graph *graph; /* with the tasks that reductions have appended */
	bool measured;                /* durations follow from no model */
	bool rounds;                  /* those of transfers are off by the rounding of the engine's clock */
	uint32_t *contributions;      /* [data] to an accumulator, or to the data itself, in the phase under way */
	struct tw__copy *copies;      /* [data * n_nodes + node] */
	struct tw__data_state *data;  /* [n_data] */
	struct tw__task_state *tasks; /* [n_tasks] */
	tw_task *running;             /* [n_workers]; TW_NONE */
	struct tw__intervals *rooms;  /* [n_nodes] */
	uint64_t *used;               /* [n_nodes] bytes */
	struct tw__moving *moving;    /* by id */
	tw_data *touched;             /* data whose copies changed at the current date: judged when the date is over */
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

/* The room that a data needs there: scratch has one for each worker. */
uint64_t tw__room_needed(const struct tw__replay *, tw_data, tw_node);

/* What an access is to: an accumulator for TW_REDUX. */
tw_data tw__accessed(const struct tw__replay *, tw__access, tw_worker);

/* Takes note of the violation; `format` follows the rule's name. Returns TW_FAILED. */
int tw__violation(struct tw__replay *, enum tw__rule, const char *format, ...) TW_PRINTF(3, 4);

/* Has the copies of that data judged once the current date is over. */
int tw__touch(struct tw__replay *, tw_data);

/* For messages. */
const char *tw__task_kernel_name(const struct tw__replay *, tw_task);
const char *tw__worker_name(const struct tw__replay *, tw_worker);
const char *tw__node_name(const struct tw__replay *, tw_node);

/* rules_tasks.c: one event of a task's life; and what must hold at the end. */
int tw__replay_task(struct tw__replay *, const struct tw__event *);
int tw__replay_tasks_end(struct tw__replay *, tw__ns makespan);

/* rules_data.c: one event of a room or a copy; what must hold when a date is over. */
int tw__replay_room(struct tw__replay *, const struct tw__event *);
int tw__replay_copy(struct tw__replay *, const struct tw__event *);
int tw__replay_settle(struct tw__replay *);

/* rules_transfers.c */
int tw__replay_transfer(struct tw__replay *, const struct tw__event *);
int tw__replay_transfers_end(struct tw__replay *);

#endif
