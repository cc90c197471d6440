/* The door to bounded memories and copies. Other folders call these functions; they read state/copies.h and
 * tw_sched.pressure. This folder calls nothing above it, except through tw_sched.write_home.
 *
 * Before an assigned task requests its data, its memory admits it: room for all handles of the task is reserved. Then
 * each request acquires its room. If room is short, the eviction policy chooses victims, and dirty victims are written
 * back first. At its end, the request is released. */
#ifndef TW__RUNTIME_MEMORY_H
#define TW__RUNTIME_MEMORY_H

#include "runtime/state/copies.h"
#include "runtime/state/threads.h"

/* Reads tw_sched.capacity. */
void tw__memory_open(struct tw__rt *);
void tw__memory_close(struct tw__rt *);

/* --- tasks (admit.c) ---------------------------------------------------------------------------------------------- */

/* Reserves room for all handles of the task. If the memory drains for the task, does so once the memory is empty, and
 * gives all handles their places. False: the task must wait; its thread is signalled when it may retry. */
bool tw__memory_admit(struct tw__rt *, struct hold *);
void tw__memory_leave(struct tw__rt *, struct hold *); /* releases the task's reservation */
/* Drains the memory: all copies leave, until all handles of the task have places. NULL: the task has requested them
 * all, and the memory goes on as before. */
void tw__memory_drain(struct tw__rt *, tw_node, struct hold *);

/* --- requests (acquire.c) ----------------------------------------------------------------------------------------- */

/* Makes the request the copy's request. In state REQUEST_APART, the request is only counted. */
void tw__memory_expect(struct tw__rt *, struct request *);

enum acquired {
	ACQUIRED,      /* the copy has room; source and destination are pinned until the request is released */
	ACQUIRED_ROOM, /* the copy has room, and the request's source is not valid or is the copy itself */
	ACQUIRE_LATER, /* no room now: the request retries when the memory has changed */
	ACQUIRE_NEVER  /* the request is to be dropped, because others need the room more */
};
/* Takes room for the request's copy, and evicts copies if need be. *cost: ns of the allocations on the card; unchanged
 * if there are none. */
enum acquired tw__memory_acquire(struct tw__rt *, struct request *, tw__ns *cost);
/* Ends the request: the copy has no request any more. If a transfer has landed, the copy becomes valid and all pins are
 * given back. If the request has written back a victim, the victim leaves. */
void tw__memory_release(struct tw__rt *, struct request *);
/* Whether the request needs no free room: its copy has room, or the request is dropped because the memory drains. It
 * might keep the task for which the memory drains from going on. */
static inline bool tw__memory_needs_no_room(const struct tw__rt *rt, const struct request *r)
{
	return is_allocated(rt, r->data, r->to) || (drained_for(rt, r->to) && is_dispensable(r));
}
/* Whether the memory makes room, and nothing but the link can delay the write-back of the victim. */
bool tw__memory_is_writing_back(const struct tw__rt *, tw_node);
/* Notes that the kernel of an accelerator has ended or was cancelled: evictions may have waited for it. */
void tw__memory_kernel_over(struct tw__rt *, tw_node);

/* --- copies (own.c) ----------------------------------------------------------------------------------------------- */

/* Reasons why a copy stays in its memory. */
enum pin {
	PIN_USED,    /* a task or a transfer uses the copy: it is never evicted */
	PIN_QUEUED,  /* a queued task has prefetched the copy: prefetches do not evict it */
	PIN_WRITTEN, /* an assigned task writes the handle: a last valid copy is not evicted; the node means nothing */
};
void tw__memory_pin(struct tw__rt *, tw_data, tw_node, enum pin);
void tw__memory_unpin(struct tw__rt *, tw_data, tw_node, enum pin);
/* Makes the copy on the node the only valid one. has_content=false: a kernel that gives the copy its content still
 * runs, and the copy only counts as written. TW_NONE: the content is discarded, so copies that no transfer uses
 * leave. */
void tw__memory_own(struct tw__rt *, tw_data, tw_node, bool has_content);

/* --- idle write-backs (victim.c) ---------------------------------------------------------------------------------- */

void tw__memory_tidy(struct tw__rt *, tw_node); /* requests idle write-backs if few copies in the memory are clean */
/* Notes that no later task writes the handle: it is written back when the link is idle, and is evicted first. */
void tw__memory_expendable(struct tw__rt *, tw_data, tw_node);

#endif
