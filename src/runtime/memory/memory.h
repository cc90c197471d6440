/* Bounded memories: reservation, rooms, eviction. Other folders call this header, copy.h, and the capacities in
 * run.h. This folder calls nothing above it, except through tw_sched.write_home.
 *
 * Before an assigned task asks for data, its memory admits it: room for its whole set is reserved. Then each request
 * takes its room. If room is short, the eviction policy chooses victims, and dirty ones are written back first. */
#ifndef TW__MEMORY_H
#define TW__MEMORY_H

#include "runtime/state/state.h"

/* open.c */
int tw__memory_open(struct tw_sched *); /* reads tw_sched.capacity; TW_NOMEM: close is due all the same */
void tw__memory_close(struct tw_sched *);
/* The size of the chunks that small handles share; 0: the memory has no chunks. */
uint64_t tw__memory_chunk_bytes(const struct tw_platform *, const struct tw__runtime_params *, tw_node);

/* reserve.c. False: the task must wait; its thread is signalled when it may retry. */
bool tw__memory_admit(struct tw_sched *, struct hold *);
void tw__memory_leave(struct tw_sched *, struct hold *); /* releases the reservation */

bool tw__memory_in_chunks(const struct tw_sched *, tw_data, tw_node); /* the copy shares a chunk with others */

/* take.c */
enum room {
	ROOM_TAKEN,
	ROOM_WAIT, /* room is being made: retry when the memory has changed */
	ROOM_NONE  /* there is no room, and no copy is evicted for this request */
};
/* Takes room for the request's copy. *cost: the time of allocations on the card. */
enum room tw__memory_take(struct tw_sched *, struct request *, tw__ns *cost);
void tw__memory_made_room(struct tw_sched *, struct request *); /* stops making room for it */
void tw__memory_place(struct tw_sched *, tw_data, tw_node);     /* takes room that is known to be free */
/* The request that the memory makes room for, or NULL. has_victim: a victim's write-back is pending. */
struct request *tw__memory_beneficiary_of(const struct tw_sched *, tw_node);
static inline struct request *tw__memory_beneficiary(const struct tw_sched *rt, tw_node n)
{
	return rt->n_making_room ? tw__memory_beneficiary_of(rt, n) : NULL;
}
bool tw__memory_has_victim(const struct tw_sched *, tw_node);
/* The victim was written back. If its room is still needed, it leaves, and the next write-back may begin. */
void tw__memory_written_back(struct tw_sched *, tw_node);
bool tw__memory_is_writing_back(struct tw_sched *, tw_node); /* it makes room, and only a link can delay that */
/* Loads since the last task's end exceed a tenth of reload_limit. */
bool tw__memory_thrashes(const struct tw_sched *, tw_node);

/* drain.c */
/* All copies leave until the task's set has places. */
void tw__memory_drain(struct tw_sched *, tw_node, struct hold *);
struct hold *tw__memory_drained_for(const struct tw_sched *, tw_node);
static inline struct hold *tw__memory_drains_for(const struct tw_sched *rt, tw_node n) /* NULL: it does not drain */
{
	return rt->n_draining ? tw__memory_drained_for(rt, n) : NULL;
}
void tw__memory_drained(struct tw_sched *, tw_node);
enum way_out { WAY_NONE, WAY_FREE, WAY_HOME }; /* a copy may leave: not now, at once, after a write-back */
enum way_out tw__memory_way_out(const struct tw_sched *, tw_data, tw_node);
bool tw__memory_is_empty(const struct tw_sched *, tw_node);
void tw__memory_drop_chunks(struct tw_sched *, tw_node); /* frees chunks without data */
/* The handle was copied from there: the copy leaves if that memory drains. */
void tw__memory_emptied_of(struct tw_sched *, tw_data, tw_node from);

/* tidy.c */
/* Few copies are clean, and dirty ones could be written back. */
static inline bool tw__memory_is_untidy(const struct tw_sched *rt, tw_node n)
{
	return tw_id_set_has(&rt->untidy, n);
}
/* Chooses the next handle to write back, and marks its copy clean. TW_NONE: enough copies are clean, or none can be. */
tw_data tw__memory_tidy_next(struct tw_sched *, tw_node);

/* leave.c */
void tw__memory_release(struct tw_sched *, tw_data, tw_node, enum tw__cause); /* the copy leaves, and frees its room */

#endif
