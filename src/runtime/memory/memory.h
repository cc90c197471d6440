/* Bounded memories: who may be in them, and who leaves. This header and copy.h are all that the others call, but for victim.h, which tidy.c needs, and capacities in run.h; nobody in this
 * folder calls transfers/ or what is above, but for tw_sched.write_home.
 *
 * A task that a worker has taken is admitted, which reserves room for all its data. Each request for one of these then
 * takes its room; copies leave for it, by the eviction policy's choice, or are written back first. */
#ifndef TW__MEMORY_H
#define TW__MEMORY_H

#include "runtime/state/state.h"

/* open.c */
int tw__memory_open(struct tw_sched *); /* of tw_sched.capacity; TW_NOMEM: close is due all the same */
void tw__memory_close(struct tw_sched *);
/* The size of the chunks that small data share; 0: the memory has none. */
uint64_t tw__memory_chunk_bytes(const struct tw_platform *, const struct tw__runtime_params *, tw_node);

/* reserve.c: false: the task has to wait, and is signalled when it may try again. */
bool tw__memory_admit(struct tw_sched *, struct hold *);
void tw__memory_leave(struct tw_sched *, struct hold *); /* the task is admitted no longer */

bool tw__memory_in_chunks(const struct tw_sched *, tw_data, tw_node); /* it shares a chunk there with others */

/* take.c */
enum room {
	ROOM_TAKEN,
	ROOM_WAIT, /* it is being made: try again when the memory has changed */
	ROOM_NONE  /* there is none, and none is made for this request */
};
/* Room for the request's data. *cost: the time that it takes, if the card itself is asked for memory. */
enum room tw__memory_take(struct tw_sched *, struct request *, tw__ns *cost);
void tw__memory_made_room(struct tw_sched *, struct request *); /* if room was being made for it: no longer */
void tw__memory_place(struct tw_sched *, tw_data, tw_node);     /* takes room that is known to be there */
/* The request that room is made for, or NULL; whether that waits for a victim's write-back. */
struct request *tw__memory_beneficiary_of(const struct tw_sched *, tw_node);
static inline struct request *tw__memory_beneficiary(const struct tw_sched *rt, tw_node n)
{
	return rt->n_making_room ? tw__memory_beneficiary_of(rt, n) : NULL;
}
bool tw__memory_has_victim(const struct tw_sched *, tw_node);
/* The victim has been written back: if its room is still wanted, it leaves, and the next may be written back. */
void tw__memory_written_back(struct tw_sched *, tw_node);
bool tw__memory_is_writing_back(struct tw_sched *, tw_node); /* a victim's copy is on its way */
/* A tenth of what the watchdog allows has been loaded there, and no task has ended. */
bool tw__memory_thrashes(const struct tw_sched *, tw_node);

/* drain.c */
/* Everything leaves, so that the task's set finds places; until it has them. */
void tw__memory_drain(struct tw_sched *, tw_node, struct hold *);
struct hold *tw__memory_drained_for(const struct tw_sched *, tw_node);
static inline struct hold *tw__memory_drains_for(const struct tw_sched *rt, tw_node n) /* NULL: it does not drain */
{
	return rt->n_draining ? tw__memory_drained_for(rt, n) : NULL;
}
void tw__memory_drained(struct tw_sched *, tw_node);
enum way_out { WAY_NONE, WAY_FREE, WAY_HOME }; /* of a copy: it may leave at once; after it has been written back */
enum way_out tw__memory_way_out(const struct tw_sched *, tw_data, tw_node);
bool tw__memory_is_empty(const struct tw_sched *, tw_node);
void tw__memory_drop_chunks(struct tw_sched *, tw_node); /* gives those without data back */
/* A copy of it from there has landed: lets go of it if that memory drains. */
void tw__memory_emptied_of(struct tw_sched *, tw_data, tw_node from);

/* tidy.c */
bool tw__memory_lacks_clean(const struct tw_sched *, tw_node); /* few copies are clean, and some others could be */
static inline bool tw__memory_is_untidy(const struct tw_sched *rt, tw_node n)
{
	return is_bounded(rt, n) && tw__memory_lacks_clean(rt, n);
}
/* The next to write home, which counts as clean from now on; TW_NONE: enough are clean, or no more may be. */
tw_data tw__memory_tidy_next(struct tw_sched *, tw_node);

/* leave.c */
void tw__memory_release(struct tw_sched *, tw_data, tw_node, enum tw__cause); /* gives the room back */

#endif
