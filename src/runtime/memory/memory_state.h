/* The state of each memory, and the functions that the files of src/runtime/memory/ share. Only they include this
 * header. */
#ifndef TW__MEMORY_STATE_H
#define TW__MEMORY_STATE_H

#include "runtime/memory/memory.h"
#include "runtime/room/room.h"

/* Whether a copy may be evicted: its kind. Pinned and requested copies have the kind STAYS. */
enum kind {
	STAYS,
	CLEAN,        /* can be dropped at once: another copy is valid, or this copy is invalid */
	CLEAN_QUEUED, /* as CLEAN, and a queued task has prefetched the copy */
	LAST,         /* the only valid copy: it must be written back first */
	LAST_QUEUED,
	LEAVING, /* the only valid copy; its write-back is requested, and not yet issued */
	LEAVING_QUEUED,
	N_KINDS
};

/* A bounded memory makes room for one request at a time, its beneficiary (struct pressure in state.h). Victims leave;
 * dirty victims are written back first. */
struct memory {
	struct tw__room room;
	uint64_t reserved;   /* bytes that admitted tasks have reserved */
	uint64_t admissible; /* bytes that several tasks may reserve together: function admissible() in open.c */
	int n_admitted;
	bool backs;         /* whether this is the backing memory of another memory */
	bool emptying;      /* all copies that can leave do so before the beneficiary gets room (TW_EVICTS_ALL) */
	int n_more_victims; /* number of further victims to write back before the beneficiary uses the room */
	bool starved;       /* whether a request found no room: then the next change signals its thread */
	uint64_t changes;   /* number of changes so far; a request that found no room retries only after a change */
	uint8_t *kind;      /* [data] enum kind of each copy; NULL in an unbounded memory */
	/* [data] 1: idle write-backs may choose the copy. It is allocated and not clean, its handle is valid on some
	 * node, and no assigned task writes the handle. */
	uint8_t *dirty;
	int32_t n_dirty;
	struct tw_dirtied dirtied;
	struct tw_data_of_kind of_kind[N_KINDS];
	int32_t capacity_of_kind[N_KINDS];
	int64_t loads_since_progress; /* number of allocations here while tw_sched.n_done was `progress` */
	tw_task progress;
	int n_data, n_clean; /* numbers of allocated copies, and of clean copies */
};

/* Returns the state of a copy, to be changed. If there has been no such copy so far, there is one now. */
static inline struct replicate *tw__copy_of(struct tw__rt *rt, tw_data d, tw_node n)
{
	uint32_t *number = &rt->copy_numbers[n][d];
	if (!*number)
		*number = ++rt->n_replicates;
	return &rt->replicates[*number];
}

/* Removes the copy from the list of its kind, which is not STAYS. */
static inline void tw__copy_leave_kind(struct tw__rt *rt, tw_node n, const struct replicate *copy, uint8_t kind)
{
	struct tw_data_of_kind *list = &rt->memory[n].of_kind[kind];
	tw_data last = list->data[--list->n];
	list->data[copy->place] = last;
	replicate_of(rt, last, n)->place = copy->place;
}

/* Notes that the copy was just pinned or requested. Inlined, as each access of a task pins its copy. */
static inline void tw__copy_keep(struct tw__rt *rt, tw_data d, tw_node n, const struct replicate *copy)
{
	struct memory *m = &rt->memory[n];
	if (!is_bounded(rt, n) || m->kind[d] == STAYS)
		return;
	tw__copy_leave_kind(rt, n, copy, m->kind[d]);
	m->kind[d] = STAYS;
}

/* Functions of copy.c: */
void tw__memory_changed(struct tw__rt *, tw_node);        /* notes that the memory may have room now */
void tw__copy_changed(struct tw__rt *, tw_data, tw_node); /* updates whether the copy may be evicted */
void tw__copy_written(struct tw__rt *, tw_data); /* notes that the handle has its first writer, or none any more */
/* Notes that room for the copy was allocated, or was freed. */
void tw__copy_settle(struct tw__rt *, tw_data, tw_node, bool allocated);
void tw__copy_clean(struct tw__rt *, tw_data, tw_node, bool clean); /* makes the copy count as clean or as dirty */
/* Sets the pending request of the copy; NULL: the request has ended. */
void tw__copy_request(struct tw__rt *, tw_data, tw_node, struct request *);
/* Notes that a thread has begun to issue the copy's request. */
void tw__copy_loading(struct tw__rt *, tw_data, tw_node);
/* Adds `requests` (1 or -1) to the number of requests for the copy in state REQUEST_APART. */
void tw__copy_apart(struct tw__rt *, tw_data, tw_node, int requests);
void tw__copy_validate(struct tw__rt *, tw_data, tw_node);
void tw__copy_invalidate(struct tw__rt *, tw_data, tw_node);

/* In own.c: removes the copy from its memory. `gives_room`: whether its room becomes free; if not, the next copy takes
 * its place. */
void tw__copy_leave(struct tw__rt *, tw_data, tw_node, enum tw__cause, bool gives_room);

/* Functions of victim.c: */
/* Returns the kinds of copies (enum kind) that may be evicted, one bit each. `clean`: only copies that need no
 * write-back. `protect`: no copies that queued tasks have prefetched. */
unsigned tw__victim_kinds(bool clean, bool protect);
/* Returns the victim that the eviction policy chooses among copies of these kinds; TW_NONE: none. `more`: a second call
 * with more kinds may follow. */
tw_data tw__victim(struct tw__rt *, tw_node, unsigned kinds, bool more);

/* In acquire.c: takes free room for the copy. If there is none, the run fails. `at_start`: tells nobody. */
void tw__memory_place(struct tw__rt *, tw_data, tw_node, bool at_start);
/* In admit.c: does so for several handles in a memory that is empty, the largest first. */
void tw__memory_place_all(struct tw__rt *, const tw__access *, int n_accesses, tw_node, bool at_start);

static inline bool is_of(const struct memory *m, tw_data d, unsigned kinds) { return kinds >> m->kind[d] & 1; }

#endif
