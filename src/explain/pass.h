/* The one pass over a record: past_items.c follows tasks, past_copies.c follows copies of handles and transfers. */
#ifndef TW__EXPLAIN_PASS_H
#define TW__EXPLAIN_PASS_H

#include "base/hash.h"
#include "base/memory.h"
#include "explain/past_items.h"

#define TW__NO_EVENT SIZE_MAX

/* A task on its way to its next run. */
struct tw__pass_task {
	tw__ns submit, ready, assign;
	int32_t run;            /* the last run, or TW_NONE */
	struct tw__held pushed; /* what makes it ready; the last one counts */
	struct tw__held slot;   /* the last end on its worker before the assignment */
};

/* A copy of a handle in a memory. */
struct tw__pass_spot {
	size_t valid_event;       /* when the copy became valid; TW__NO_EVENT: at the start */
	int32_t by_move;          /* the transfer that brought it; TW_NONE: a task wrote it */
	int32_t freed;            /* index of the eviction whose room it got; TW_NONE: none */
	tw__ns room_at;           /* when it got its room */
	struct tw__held admitted; /* a release at that date, if the memory was bounded and had free room */
	int32_t user;             /* the last run that used it; TW_NONE: none */
	uint32_t evicted_version; /* version of the content when it was evicted; 0: never */
	uint32_t n_again;         /* how often it was loaded again */
	tw_data evictor;          /* the handle that got its room at the last eviction; TW_NONE: unknown */
};

struct tw__pass_content {
	uint32_t version; /* grows with each write, from 1 */
	int32_t writer;   /* the last run that wrote the handle, or TW_NONE */
	size_t written;   /* the event of its release */
	int32_t home_by;  /* the last write-back for room, or TW_NONE */
};

/* A transfer under way. */
struct tw__pass_moving {
	uint64_t id;
	int32_t move;
	struct tw__pass_moving *next; /* in the list of those that have ended */
	UT_hash_handle hh;
};

/* A copy that left a memory to make room. */
struct tw__pass_eviction {
	tw_data victim;
	tw__ns date;
	struct tw__held held; /* what had to come before this one and those before it at the same date */
	int32_t before;       /* the eviction before it, if no handle has got its room yet; TW_NONE: none */
	bool got;             /* whether a handle has got the room */
};

struct tw__pass {
	struct tw__arena memory; /* of all arrays but `evictions` */
	const struct tw__explained_run *run;
	const struct tw__event *events;
	struct tw__past_items *items;
	struct tw__explanation *e;
	int n_nodes;
	struct tw__pass_task *tasks;
	struct tw__pass_spot *spots;       /* [data * n_nodes + node] */
	struct tw__pass_content *contents; /* [data] */
	struct tw__held *last_end;         /* [workers] the last run that ended */
	int32_t *last_start;               /* [workers] the last run that started; TW_NONE: none has */
	struct tw__held *last_use;         /* [nodes] the last release of a run that used the memory */
	struct tw__pass_eviction *evictions;
	size_t n_evictions, evictions_capacity;
	int32_t *fresh; /* [nodes] the last eviction whose room handles get now, or TW_NONE */
	struct tw__held last_released;
	struct tw__pass_moving *moving; /* transfers under way, in a hash table by id */
	struct tw__pass_moving *ended;  /* memory for others */
};

static inline struct tw__pass_spot *tw__pass_spot(const struct tw__pass *p, tw_data d, tw_node n)
{
	return &p->spots[(size_t)d * (size_t)p->n_nodes + (size_t)n];
}

/* past_copies.c. */
void tw__pass_copies_open(struct tw__pass *);
void tw__pass_copies_close(struct tw__pass *);
/* Takes event `i` of the record, which is about a copy or a transfer. */
void tw__pass_copies_take(struct tw__pass *, size_t i);
/* The event that the room of a copy had to wait for. */
struct tw__held tw__pass_room(const struct tw__pass *, const struct tw__pass_spot *);
/* Names the handles that were loaded again most often, in the explanation. */
void tw__pass_rank(struct tw__pass *);

#endif
