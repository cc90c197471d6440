/* The state of a run that the validator rebuilds from a record, event by event. It shares no code with the runtime. */
#ifndef TW__REPLAY_H
#define TW__REPLAY_H

#include "base/hash.h"
#include "base/memory.h"
#include "trace/intervals.h"
#include "trace/teams.h"
#include "trace/validate.h"

/* The state of the copy of a handle on a memory. The content of a handle has a version, which a writing task increments
 * when it starts. A copy is current if it has the current version. Versions are stored plus one, so that 0 means
 * "none". */
struct tw__copy {
	uint32_t valid;    /* version of the valid copy, according to the record; 0: the copy is invalid */
	uint32_t arrived;  /* version that a transfer brought; 0 again after the event TW__VALID */
	uint16_t pins;     /* number of running tasks and transfers that use the copy */
	uint16_t readers;  /* number of running tasks that read the copy */
	uint16_t incoming; /* number of transfers to the copy that are under way */
	const struct tw__interval *room; /* place and size of the copy's room, in bytes; NULL: it has none */
};

struct tw__data_state {
	uint32_t version;    /* version of the handle's current content, plus one */
	int32_t n_valid;     /* number of copies that are valid according to the record */
	uint32_t uses_left;  /* accesses of the graph's own tasks that are not released yet */
	bool is_dead;        /* whether the handle is discarded, and its last task is released */
	tw_task writer;      /* the task that writes the handle, from the task's start to its release; or TW_NONE */
	tw_node commit_node; /* the memory where the last write was committed, or TW_NONE */
	tw__ns commit_date;  /* date of that commit; events TW__VALID of the write may still follow at this date */
	/* With homes=first_touch: the first touch is to come; a task was assigned to a worker of `toucher`; or
	 * a prefetch has touched the handle. Afterwards, and for other handles: TW__AT_HOME. */
	enum tw__touch { TW__AT_HOME, TW__UNTOUCHED, TW__TOUCHED_BY_TASK, TW__TOUCHED_BY_PREFETCH } touch;
	tw_node toucher;
	int16_t rank;  /* the node of a cluster that has the handle */
	size_t copies; /* the first of its copies in tw__replay.copies: one for each memory of that node */
};

enum tw__task_step { TW__NEW, TW__SUBMITTED, TW__IS_READY, TW__ASSIGNED, TW__RUNNING, TW__ENDED, TW__RELEASED };

struct tw__task_state {
	tw__ns start, took; /* date of the kernel's start, and after its end the kernel's duration */
	uint32_t predecessors_left;
	bool released_early; /* whether all predecessors were released before the task's submission */
	size_t releasers;    /* begin of the workers that release its predecessors, in tw__replay.releasers */
	int16_t worker, node;
	uint8_t step;
};

/* The two events of a transfer. */
struct tw__ends {
	const struct tw__event *start, *end;
};

/* A transfer under way. */
struct tw__moving {
	uint64_t id;
	size_t number;           /* index in tw__replay.transfers */
	uint32_t version;        /* version of the content that the transfer carries */
	struct tw__moving *next; /* in the list of those that have ended */
	UT_hash_handle hh;
};

struct tw__replay {
	struct tw__arena memory; /* of the arrays, but `touched` and `transfers` */
	const struct tw__validation_input *in;
	const struct tw_graph *graph; /* the graph with the tasks that reductions have appended */
	bool measured;                /* whether durations were measured, so that no model predicts them */
	bool rounds;                  /* whether durations of transfers have the rounding error of the engine's clock */
	/* [data] contributions of the current reduction that an accumulator has, or that were added to the handle. */
	uint32_t *contributions;
	struct tw__copy *copies;      /* of all handles */
	struct tw__data_state *data;  /* [n_data] state of each handle */
	uint8_t *usable;              /* [lineages] enum tw__usable of each divided handle */
	struct tw__task_state *tasks; /* [n_tasks] state of each task */
	int16_t *releasers;           /* for each task, the workers that release its predecessors, from the last on */
	/* The memories by node of a cluster: those of rank r are memories[first_memory[r]] to first_memory[r + 1]. */
	tw_node *memories;             /* [n_nodes] */
	int *first_memory;             /* [n_ranks + 1] */
	int *place;                    /* [n_nodes] the number of each memory among those of its rank */
	struct tw__teams teams;        /* further workers of parallel tasks */
	tw_task *running;              /* [n_workers] task whose kernel runs on each worker, or TW_NONE */
	struct tw__intervals *rooms;   /* [n_nodes] allocated ranges of each bounded memory */
	uint64_t *used;                /* [n_nodes] allocated bytes in each memory */
	struct tw__messages *messages; /* of a cluster (rules_messages.c); NULL: the graph has no ranks */
	struct tw__moving *moving;     /* transfers under way, in a hash table by id */
	struct tw__moving *ended;      /* memory for others */
	struct tw__ends *transfers;    /* [n_transfers] in the order of their starts */
	size_t n_transfers, transfers_capacity;
	/* Handles whose copies changed at the current date; they are checked when the date is over. */
	tw_data *touched;
	size_t n_touched, touched_capacity;
	tw__ns date;         /* the date of the current event */
	tw__ns last_release; /* date of the last TW__RELEASE; 0 before the first */
	tw__ns last_act;     /* date of the last event that is not of a transfer */

	/* The rule that the record breaks first, and its message. */
	enum tw__rule broken;
	struct tw_error *err;
};

/* Creates the state at the start of a run: no task has been submitted, and handles are valid at home. */
void tw__replay_init(struct tw__replay *, const struct tw__validation_input *, const struct tw__record *,
                     struct tw_error *err);
void tw__replay_finish(struct tw__replay *);

/* The memory must be one of the node that has the handle. */
static inline struct tw__copy *tw__copy_of(struct tw__replay *r, tw_data d, tw_node n)
{
	return &r->copies[r->data[d].copies + (size_t)r->place[n]];
}

/* The memories of the node that has the handle; returns their number. */
static inline int tw__memories_of(const struct tw__replay *r, tw_data d, const tw_node **memories)
{
	const int *first = &r->first_memory[r->data[d].rank];
	*memories = r->memories + first[0];
	return first[1] - first[0];
}

static inline bool tw__bounded(const struct tw__replay *r, tw_node n) { return r->in->capacity[n] != UINT64_MAX; }

/* Stores a violation of the rule; its message is the rule's name, `format` and the date. Returns TW_FAILED. */
int tw__violation(struct tw__replay *, enum tw__rule, const char *format, ...) TW_PRINTF(3, 4);

/* Marks the copies of the handle for the checks at the end of the current date. */
void tw__touch(struct tw__replay *, tw_data);

static inline const char *tw__node_name(const struct tw__replay *r, tw_node n)
{
	return r->in->platform->nodes[n].name;
}

/* In rules_tasks.c: checks one event of a task; makes the checks at the end of the run. */
int tw__replay_task(struct tw__replay *, const struct tw__event *);
int tw__replay_tasks_end(struct tw__replay *, tw__ns makespan);

/* In rules_reductions.c: */
/* Returns the handle that an access uses: for TW_REDUX, the worker's accumulator. */
tw_data tw__replay_accessed(const struct tw__replay *, tw__access, tw_worker);
/* The rule DEPENDENCIES, for an appended task that is released. */
int tw__replay_combine(struct tw__replay *, tw_task);
/* Notes the task of the event as writer of its accumulators. From the kernel's end until the task's release, their
 * copies may become valid. */
void tw__replay_contributes(struct tw__replay *, const struct tw__event *end);

/* In rules_teams.c: checks that a worker joins a task; notes the start and the end of a task on those that have. */
int tw__replay_join(struct tw__replay *, const struct tw__event *);
int tw__replay_team_starts(struct tw__replay *, const struct tw__event *start);
void tw__replay_team_ends(struct tw__replay *, const struct tw__event *end);
/* Returns the arch of all workers that run the task of the event together; TW_NONE: so many run none. */
tw_arch tw__replay_arch(const struct tw__replay *, const struct tw__event *);

/* In rules_data.c: checks one event about room or a copy; makes the checks at the end of a date. */
int tw__replay_room(struct tw__replay *, const struct tw__event *);
int tw__replay_copy(struct tw__replay *, const struct tw__event *);
int tw__replay_settle(struct tw__replay *);

/* In rules_filters.c: checks that the handles of a task that starts are usable; checks that a handle is divided or
 * joined. */
int tw__replay_usable(struct tw__replay *, const struct tw__event *start);
int tw__replay_filter(struct tw__replay *, const struct tw__event *);

/* In rules_recursive.c: */
/* Notes that the task of the event is done. */
void tw__replay_successors(struct tw__replay *, const struct tw__event *release);
/* Whether the event ends a task that was split. Checks that it does. */
bool tw__replay_splits(const struct tw__replay *, const struct tw__event *);
int tw__replay_split_ends(struct tw__replay *, const struct tw__event *);
/* Checks an event of a recursive task, or of one inside another. */
int tw__replay_recursive(struct tw__replay *, const struct tw__event *);
/* Whether the task is inside one that was not split, so that it does not run. */
bool tw__replay_skips(const struct tw__replay *, tw_task);

/* In rules_messages.c, for runs on a cluster: */
void tw__replay_messages_init(struct tw__replay *);
/* Checks that all that the event names belongs to one node. `fields`: of the event (event_fields.h). */
int tw__replay_rank(struct tw__replay *, const struct tw__event *, const char *fields);
/* Checks an event of a task that sends or receives a message. */
int tw__replay_message(struct tw__replay *, const struct tw__event *);
/* Whether the event is of the transfer of a message; checks it. */
bool tw__replay_receives(const struct tw__replay *, tw_data); /* whether an assigned task will receive the handle */
bool tw__replay_is_sent(const struct tw__replay *, const struct tw__event *);
int tw__replay_sent(struct tw__replay *, const struct tw__event *);
/* Checks the versions that a task reads when it starts, and notes those that it writes when it is released. */
int tw__replay_versions(struct tw__replay *, const struct tw__event *);
/* A node's reduction of the handle has ended. */
void tw__replay_reduced(struct tw__replay *, tw_data);

/* In rules_places.c: notes first touches by tasks and by prefetches; makes the checks at the end of a date. */
void tw__replay_assigned(struct tw__replay *, const struct tw__event *);
void tw__replay_prefetched(struct tw__replay *, const struct tw__event *);
int tw__replay_home(struct tw__replay *, tw_data);
/* Checks where handles are at the end of the run. */
int tw__replay_places_end(struct tw__replay *);

/* In rules_transfers.c: note the start and the end of a transfer, and check that these belong together. `version`: of
 * the content that it carries. */
int tw__replay_moves(struct tw__replay *, const struct tw__event *, uint32_t version);
int tw__replay_moved(struct tw__replay *, const struct tw__event *);
/* Checks one event of a transfer; makes the checks at the end of the run. */
int tw__replay_transfer(struct tw__replay *, const struct tw__event *);
int tw__replay_transfers_end(struct tw__replay *);
/* In rules_links.c: checks what links carried in a measured run. */
int tw__replay_links(struct tw__replay *);
/* Checks the ends of all transfers together, once each transfer has kept the other rules. */
int tw__replay_flows(struct tw__replay *, const struct tw__record *);

#endif
