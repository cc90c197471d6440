/* Places of copies in a bounded memory: first fit at the lowest offset. As in StarPU on GPUs, small handles share
 * chunks. These functions know neither dates nor policies. Offsets and sizes are bytes. */
#ifndef TW__ROOM_H
#define TW__ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tw__extent {
	uint64_t offset, bytes;
};

/* The free parts of a range of bytes [0, capacity), sorted by offset; neighbours are merged. */
struct tw__space {
	struct tw__extent *free;
	size_t n, capacity_n;
	uint64_t free_bytes;
};

struct tw__chunk {
	uint64_t offset;
	struct tw__space
		space; /* the chunk's free parts; offsets count from the chunk's start. NULL: there is no chunk */
};

struct tw__room {
	uint64_t capacity, chunk_bytes, chunk_data_bytes;
	struct tw__space space;
	/* [n_slots] all chunks, and gaps between them. Allocations search from the last to the first. A chunk that is
	 * to be searched first moves behind the others. */
	struct tw__chunk *chunks;
	size_t n_slots, slots_capacity, n_chunks; /* slots_capacity: a power of two */
	/* Tree of maxima: greatest[slots_capacity + slot] is an upper bound of the size of the chunk's free parts, and
	 * element i the greater of elements 2i and 2i + 1. A search skips chunks where the bound is too small. */
	uint64_t *greatest;
	uint32_t *slot_at; /* [n_slot_at] slot of the chunk that begins in bytes i * chunk_bytes .. of the memory */
	size_t n_slot_at;
	bool overlooks;      /* a freed part of a chunk is found only if it merges with a free neighbour */
	uint64_t high_water; /* the highest end of an allocation outside chunks so far */
};

enum { TW__ROOM_GRAIN = 4096 }; /* in chunks, sizes of handles are rounded up to multiples of this many bytes */

void tw__room_init(struct tw__room *, uint64_t capacity, uint64_t chunk_bytes, uint64_t chunk_data_bytes);
void tw__room_finish(struct tw__room *);
/* Finds a place for a handle: *offset. Returns TW_OK or TW_FAILED (there is no place). *allocations: number
 * of allocations that the card makes for this. */
int tw__room_take(struct tw__room *, uint64_t bytes, uint64_t *offset, int *allocations);
void tw__room_give(struct tw__room *, uint64_t offset, uint64_t bytes);
/* Makes the next allocation search all chunks, even those where earlier searches found too little. */
void tw__room_look_again(struct tw__room *);
/* Gives empty chunks back to the card. Returns whether there were any. */
bool tw__room_drop_empty_chunks(struct tw__room *);
/* Whether a handle of this size shares a chunk. Larger handles have an allocation of their own. */
bool tw__room_in_chunks(const struct tw__room *, uint64_t bytes);
/* Returns the bytes of room that a handle of this size takes. */
uint64_t tw__room_rounded(const struct tw__room *, uint64_t bytes);

#endif
