/* Bounded memories: reservation, places of copies, eviction. Other folders call this header, copy.h, and the capacities
 * in run.h. This folder calls nothing above it, except through tw_sched.write_home.
 *
 * Before an assigned task requests its data, its memory admits it: room for all handles of the task is reserved. Then
 * each request takes its room. If room is short, the eviction policy chooses victims, and dirty ones are written back
 * first. */
#ifndef TW__MEMORY_H
#define TW__MEMORY_H

#include "runtime/state/state.h"

/* Functions of open.c: */
/* Reads tw_sched.capacity. Returns TW_OK or TW_NOMEM; tw__memory_close is due in both cases. */
int tw__memory_open(struct tw_sched *);
void tw__memory_close(struct tw_sched *);
/* Returns the bytes of each chunk that small handles share; 0: the memory has no chunks. */
uint64_t tw__memory_chunk_bytes(const struct tw_platform *, const struct tw__runtime_params *, tw_node);

/* In reserve.c: reserves room for all handles of the task. False: the task must wait; its thread is signalled when it
 * may retry. */
bool tw__memory_admit(struct tw_sched *, struct hold *);
void tw__memory_leave(struct tw_sched *, struct hold *); /* releases the task's reservation */

/* Whether the copy shares a chunk with other copies. */
bool tw__memory_in_chunks(const struct tw_sched *, tw_data, tw_node);

/* Functions of take.c: */
enum room {
	ROOM_TAKEN,
	ROOM_WAIT, /* room is being made: the request retries when the memory has changed */
	ROOM_NONE  /* there is no room, and no copy can be evicted for this request */
};
/* Takes room for the request's copy. *cost: ns of the allocations on the card; unchanged if there are none. */
enum room tw__memory_take(struct tw_sched *, struct request *, tw__ns *cost);
void tw__memory_made_room(struct tw_sched *, struct request *); /* stops making room for the request */
/* takes free room for the copy; if there is none, the run fails */
void tw__memory_place(struct tw_sched *, tw_data, tw_node);
/* tw__memory_beneficiary: returns the request that the memory makes room for, or NULL. tw__memory_has_victim: whether a
 * victim of the memory is being written back. */
struct request *tw__memory_beneficiary_of(const struct tw_sched *, tw_node);
static inline struct request *tw__memory_beneficiary(const struct tw_sched *rt, tw_node n)
{
	return rt->n_making_room ? tw__memory_beneficiary_of(rt, n) : NULL;
}
bool tw__memory_has_victim(const struct tw_sched *, tw_node);
/* Notes that the victim was written back. If its room is still needed, the victim leaves, and the next write-back may
 * begin. */
void tw__memory_written_back(struct tw_sched *, tw_node);
/* Whether the memory makes room, and nothing but the link can delay the write-back of the victim. */
bool tw__memory_is_writing_back(struct tw_sched *, tw_node);
/* Whether the memory has taken in more copies since the last end of a task than a tenth of reload_limit. */
bool tw__memory_thrashes(const struct tw_sched *, tw_node);

/* Functions of drain.c: */
/* Drains the memory: all copies leave, until all handles of the task have places. */
void tw__memory_drain(struct tw_sched *, tw_node, struct hold *);
struct hold *tw__memory_drained_for(const struct tw_sched *, tw_node);
/* Returns the task for which the memory drains; NULL: it does not drain. */
static inline struct hold *tw__memory_drains_for(const struct tw_sched *rt, tw_node n)
{
	return rt->n_draining ? tw__memory_drained_for(rt, n) : NULL;
}
void tw__memory_drained(struct tw_sched *, tw_node);
/* How a copy may leave its memory: not now (WAY_NONE), at once (WAY_FREE), or after a write-back (WAY_HOME). */
enum way_out { WAY_NONE, WAY_FREE, WAY_HOME };
enum way_out tw__memory_way_out(const struct tw_sched *, tw_data, tw_node);
bool tw__memory_is_empty(const struct tw_sched *, tw_node);
void tw__memory_drop_chunks(struct tw_sched *, tw_node); /* gives chunks without handles back to the card */
/* Notes that the handle was copied from the memory `from`. If that memory drains, its copy leaves. */
void tw__memory_emptied_of(struct tw_sched *, tw_data, tw_node from);

/* Functions of tidy.c: */
/* Whether so few copies in the memory are clean (clean_low) that idle write-backs should begin, and a dirty copy
 * exists. */
static inline bool tw__memory_is_untidy(const struct tw_sched *rt, tw_node n) { return tw_id_set_has(&rt->untidy, n); }
/* Returns the next handle for an idle write-back, and marks its copy clean. TW_NONE: enough copies are clean, or no
 * dirty copy can be chosen. */
tw_data tw__memory_tidy_next(struct tw_sched *, tw_node);

/* Functions of leave.c: */
/* Removes the copy from the memory, and frees its room. */
void tw__memory_release(struct tw_sched *, tw_data, tw_node, enum tw__cause);

#endif
