/* The state of each memory. Only this folder sees it. */
#ifndef TW__MEMORY_STATE_H
#define TW__MEMORY_STATE_H

#include "runtime/memory/room.h"
#include "runtime/state/copies.h"

/* Whether a copy may be evicted. Pinned and requested copies stay. */
enum kind {
	STAYS,
	CLEAN,        /* another copy is valid, or this one is not */
	CLEAN_QUEUED, /* ... and a queued task has prefetched this one */
	LAST,         /* must be written back first */
	LAST_QUEUED,
	LEAVING, /* its write-back is requested, and not yet issued */
	LEAVING_QUEUED,
	N_KINDS
};

/* How a bounded memory makes room. */
enum memory_mode {
	NORMAL,
	RECLAIMING, /* for `beneficiary`: victims leave, dirty ones after a write-back */
	EMPTYING,   /* the same, but all copies that can leave do so before room is used (evict_all) */
	DRAINING    /* all copies leave, so that the set of `drained_for` finds places: unjam.c */
};

struct memory {
	uint64_t capacity; /* UINT64_MAX: unbounded */
	struct tw__room room;
	uint64_t used;
	uint64_t reserved;   /* by admitted tasks */
	uint64_t admissible; /* handles of one size that sum up to so much find places */
	int n_admitted;
	bool backs; /* it is another memory's backing */
	enum memory_mode mode;
	tw_data victim;              /* under write-back, or TW_NONE */
	int n_more_victims;          /* further write-backs before the room is used */
	struct request *beneficiary; /* the request that the room is made for, or NULL */
	struct hold *drained_for;    /* NULL unless DRAINING */
	bool starved;                /* a request found no room: changes signal its thread */
	uint64_t changes;            /* counts them; a refused request retries only after one */
	uint8_t *kind;               /* [data] enum kind, of a bounded memory */
	uint8_t *dirty; /* [data] 1: allocated, not clean, valid somewhere, and no assigned task writes it */
	int32_t n_dirty;
	int32_t *place; /* [data] index in the list of its kind, unless it stays */
	struct tw_data_of_kind of_kind[N_KINDS];
	int32_t capacity_of_kind[N_KINDS];
	int64_t loads_since_progress; /* allocations since `progress` tasks were done */
	tw_task progress;
	int n_data, n_clean; /* allocated copies; the clean ones */
};

#endif
