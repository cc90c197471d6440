/* The one pass over a record: past_items.c follows tasks, past_copies.c follows copies of handles and transfers. */
#ifndef TW__EXPLAIN_PASS_H
#define TW__EXPLAIN_PASS_H

#include "base/hash.h"
#include "base/memory.h"
#include "graph/ranks.h"
#include "explain/past_items.h"
#include "trace/teams.h"

#define TW__NO_EVENT SIZE_MAX

/* A task on its way to its next run. */
struct tw__pass_task {
	tw__ns submit, ready, assign;
	tw__ns joined;       /* of a parallel task: when the last worker joined it; -1: it is none */
	int32_t run;         /* the last run, or TW_NONE */
	int32_t pushed;      /* the run that makes it ready; the last one counts */
	bool pushed_by_move; /* `pushed` is the transfer of a message */
	int32_t slot;        /* the last run that had ended on its worker at the assignment */
};

/* A copy of a handle in a memory. */
struct tw__pass_spot {
	size_t valid_event;       /* when the copy became valid; TW__NO_EVENT: at the start */
	tw__ns valid_at;          /* the date of that event */
	tw__ns room_at;           /* when it got its room */
	size_t admitted_event;    /* the release of the run `admitted` */
	int32_t admitted;         /* released at that date, if the memory was bounded and had free room */
	int32_t by_move;          /* the transfer that brought it; TW_NONE: a task wrote it */
	int32_t freed;            /* index of the eviction whose room it got; TW_NONE: none */
	int32_t user;             /* the last run that used it; TW_NONE: none */
	uint32_t evicted_version; /* version of the content when it was evicted; 0: never */
	uint32_t n_again;         /* how often it was loaded again */
	tw_data evictor;          /* the handle that got its room at the last eviction; TW_NONE: unknown */
};

struct tw__pass_content {
	uint32_t version; /* grows with each write, from 1 */
	int32_t writer;   /* the last run that wrote the handle, or TW_NONE */
	int32_t home_by;  /* the last write-back for room, or TW_NONE */
};

/* A transfer under way. */
struct tw__pass_moving {
	uint64_t id;
	int32_t move;
	struct tw__pass_moving *next; /* in the list of those that have ended */
	UT_hash_handle hh;
};

/* The last release of a run that used a memory. */
struct tw__pass_use {
	int32_t run; /* TW_NONE: none */
	size_t event;
	tw__ns date;
};

/* The last eviction in a memory, whose room handles get now. */
struct tw__pass_fresh {
	int32_t eviction; /* TW_NONE: none */
	bool got;         /* whether a handle has got its room */
	tw__ns date;
};

struct tw__pass {
	struct tw__arena memory; /* of all arrays */
	const struct tw__explained_run *run;
	struct tw__past_items *items;
	struct tw__explanation *e;
	int n_nodes;
	struct tw__pass_task *tasks;
	struct tw__pass_spot *spots;       /* [data * n_nodes + node] */
	struct tw__pass_content *contents; /* [data] */
	int32_t *last_end;                 /* [workers] the last run that ended; TW_NONE: none has */
	int32_t *last_start;               /* [workers] the last run that started; TW_NONE: none has */
	struct tw__pass_use *last_use;     /* [nodes] */
	struct tw__pass_fresh *fresh;      /* [nodes] */
	struct tw__teams teams;
	int32_t *move_of;               /* [messages] of a cluster: the transfer of each; TW_NONE: none */
	int32_t last_released;          /* the last run that was released, or TW_NONE */
	struct tw__pass_moving *moving; /* transfers under way, in a hash table by id */
	struct tw__pass_moving *ended;  /* memory for others */
};

static inline struct tw__pass_spot *tw__pass_spot(const struct tw__pass *p, tw_data d, tw_node n)
{
	return &p->spots[(size_t)d * (size_t)p->n_nodes + (size_t)n];
}

/* Returns the number of the message that a task sends or receives. */
static inline int32_t tw__pass_message(const struct tw__pass *p, tw_task t)
{
	return tw__message_of_task(p->items->graph->ranks, t);
}

/* past_copies.c. */
void tw__pass_copies_open(struct tw__pass *);
void tw__pass_copies_close(struct tw__pass *);
/* Takes an event that is about a copy or a transfer, the i-th of the record. */
void tw__pass_copies_take(struct tw__pass *, const struct tw__event *, size_t i);
/* Takes an event of a task that sends or receives a message: its transfer makes others ready. */
void tw__pass_message_take(struct tw__pass *, const struct tw__event *);
/* The eviction that the room of a copy had to wait for; TW_NONE: none. */
int32_t tw__pass_room(const struct tw__pass *, const struct tw__pass_spot *);
/* Names the handles that were loaded again most often, in the explanation. */
void tw__pass_rank(struct tw__pass *);

#endif
