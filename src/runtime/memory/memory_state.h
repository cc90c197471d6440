/* What is kept of each memory. Only this folder sees it. */
#ifndef TW__MEMORY_STATE_H
#define TW__MEMORY_STATE_H

#include "runtime/memory/room.h"
#include "runtime/state/copies.h"

/* Whether a copy may leave its memory: not while it is pinned or wished for. */
enum kind {
	STAYS,
	CLEAN,        /* another copy is valid */
	CLEAN_QUEUED, /* ... and a queued task has prefetched this one */
	LAST,         /* must be written back first */
	LAST_QUEUED,
	LEAVING, /* is being written back, or soon will be */
	LEAVING_QUEUED,
	N_KINDS
};

/* How a bounded memory makes room. */
enum memory_mode {
	NORMAL,
	RECLAIMING, /* for `beneficiary`: what only it has is written back, and then leaves */
	EMPTYING,   /* the same; the eviction policy lets go of all that can leave before room is used */
	DRAINING    /* everything leaves, so that the set of `drained_for` finds places: unjam.c */
};

struct memory {
	uint64_t capacity; /* UINT64_MAX: unbounded */
	struct tw__room room;
	uint64_t used;
	uint64_t reserved;   /* by admitted tasks */
	uint64_t admissible; /* the part of the capacity that is sure to hold any data that sum up to it */
	int n_admitted;
	bool backs; /* it is another memory's backing */
	enum memory_mode mode;
	tw_data victim;              /* under write-back, or TW_NONE */
	int n_more_victims;          /* are written back before the room is used */
	struct request *beneficiary; /* the request that the room is made for, or NULL */
	struct hold *drained_for;    /* NULL unless DRAINING */
	bool starved;                /* a request has found no room: its thread is told when that may change */
	uint64_t changes;            /* how often it may have: those refused need not try again before */
	uint8_t *kind;               /* [data] enum kind, of a bounded memory */
	uint8_t *dirty;              /* [data] 1: allocated, not clean, and no task is about to write the data */
	int32_t n_dirty;
	int32_t *place; /* [data] in the list of its kind, unless it stays */
	struct tw_data_of_kind of_kind[N_KINDS];
	int32_t capacity_of_kind[N_KINDS];
	int64_t loads_since_progress; /* loaded since so many tasks were done: */
	tw_task progress;
	int n_data, n_clean; /* allocated copies; the clean ones */
};

#endif
