/* Bounded memories: who may be in them, and who leaves. This header and copy.h are all that the others call, but for victim.h, which tidy.c needs, and capacities in run.h; nobody in this
 * folder calls transfers/ or what is above, but for tw_sched.write_home.
 *
 * A task that a worker has taken is admitted, which reserves room for all its data. Each request for one of these then
 * takes its room; copies leave for it, by the eviction policy's choice, or are written back first. */
#ifndef TW__MEMORY_H
#define TW__MEMORY_H

#include "runtime/state/state.h"

/* open.c */
int tw__memory_init(struct tw_sched *, const uint64_t *capacity); /* TW_NOMEM: finish is due all the same */
void tw__memory_finish(struct tw_sched *);
/* The size of the chunks that small data share; 0: the memory has none. */
uint64_t tw__memory_chunk_bytes(const struct tw_platform *, const struct tw__runtime_params *, tw_node);

/* reserve.c: false: the task has to wait, and is signalled when it may try again. */
bool tw__memory_admit(struct tw_sched *, struct hold *);
void tw__memory_leave(struct tw_sched *, struct hold *); /* the task is admitted no longer */

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
/* The victim has been written back: if its room is still wanted, it leaves, and the next may be written back. */
void tw__memory_written_back(struct tw_sched *, tw_node);
bool tw__memory_is_writing_back(struct tw_sched *, tw_node); /* a victim's copy is on its way */
/* Everything leaves, so that the task's set finds places; until it has them. */
void tw__memory_drain(struct tw_sched *, tw_node, struct hold *);
void tw__memory_drained(struct tw_sched *, tw_node);
/* A tenth of what the watchdog allows has been loaded there, and no task has ended. */
bool tw__memory_thrashes(const struct tw_sched *, tw_node);

/* leave.c */
void tw__memory_release(struct tw_sched *, tw_data, tw_node, enum tw__cause); /* gives the room back */
/* A copy of it from there has landed: lets go of it if that memory is emptied (unjam.c). */
void tw__memory_emptied_of(struct tw_sched *, tw_data, tw_node from);

#endif
