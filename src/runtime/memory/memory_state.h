/* The state of each memory. Only files of src/runtime/memory/ include this header. */
#ifndef TW__MEMORY_STATE_H
#define TW__MEMORY_STATE_H

#include "runtime/memory/room.h"
#include "runtime/state/copies.h"

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

/* How a bounded memory makes room. */
enum memory_mode {
	NORMAL,
	RECLAIMING, /* victims leave to make room for `beneficiary`; dirty victims are written back first */
	EMPTYING,   /* all copies that can leave do so before `beneficiary` gets room (TW_EVICTS_ALL) */
	DRAINING    /* all copies leave, so that all handles of the task `drained_for` find places: unjam.c */
};

struct memory {
	uint64_t capacity; /* usable bytes of the memory; UINT64_MAX: unbounded */
	struct tw__room room;
	uint64_t used;
	uint64_t reserved;   /* bytes that admitted tasks have reserved */
	uint64_t admissible; /* bytes that several tasks may reserve together: function admissible() in open.c */
	int n_admitted;
	bool backs; /* whether this is the backing memory of another memory */
	enum memory_mode mode;
	tw_data victim;              /* the handle whose copy is written back as a victim now, or TW_NONE */
	int n_more_victims;          /* number of further victims to write back before `beneficiary` uses the room */
	struct request *beneficiary; /* the request for which the memory makes room, or NULL */
	struct hold *drained_for;    /* the task for which the memory drains; NULL unless DRAINING */
	bool starved;                /* whether a request found no room: then the next change signals its thread */
	uint64_t changes; /* number of changes so far; a request that found no room retries only after a change */
	uint8_t *kind;    /* [data] enum kind of each copy; NULL in an unbounded memory */
	/* [data] 1: idle write-backs may choose the copy. It is allocated and not clean, its handle is valid on some
	 * node, and no assigned task writes the handle. */
	uint8_t *dirty;
	int32_t n_dirty;
	int32_t *place; /* [data] index of the copy in the list of its kind; unused for the kind STAYS */
	struct tw_data_of_kind of_kind[N_KINDS];
	int32_t capacity_of_kind[N_KINDS];
	int64_t loads_since_progress; /* number of allocations here while tw_sched.n_done was `progress` */
	tw_task progress;
	int n_data, n_clean; /* numbers of allocated copies, and of clean copies */
};

#endif
