/* Where data lie in a bounded memory: first fit at the lowest offset, in the whole memory or, as StarPU does on cards,
 * small data in chunks that are cut up. No time, no policy: only places. */
#ifndef TW__ROOM_H
#define TW__ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tw__extent {
	uint64_t offset, bytes;
};

/* The free parts of [0, capacity), sorted by offset, never adjacent. */
struct tw__space {
	struct tw__extent *free;
	size_t n, capacity_n;
	uint64_t free_bytes;
};

struct tw__chunk {
	uint64_t offset;
	struct tw__space space; /* offsets from the chunk's own start */
	uint64_t greatest; /* none of its free parts is known to be greater; chunks with too little are passed over */
};

struct tw__room {
	uint64_t capacity, chunk_bytes, chunk_data_bytes;
	struct tw__space space;
	struct tw__chunk *chunks; /* in the order of search */
	size_t n_chunks, chunks_capacity;
	uint64_t (*chunk_found)(uint64_t given, uint64_t grown); /* model.h; or NULL */
	uint64_t high_water;                                     /* direct allocations have reached this offset */
};

enum { TW__ROOM_GRAIN = 4096 }; /* data in chunks take multiples of this */

int tw__room_init(struct tw__room *, uint64_t capacity, uint64_t chunk_bytes, uint64_t chunk_data_bytes);
void tw__room_finish(struct tw__room *);
/* 0, TW_FAILED (no place), TW_NOMEM. *allocations: how many times the card itself was asked for memory. */
int tw__room_take(struct tw__room *, uint64_t bytes, uint64_t *offset, int *allocations);
int tw__room_give(struct tw__room *, uint64_t offset, uint64_t bytes);
/* Overlooks nothing the next time. */
void tw__room_look_again(struct tw__room *);
/* Gives chunks without any data back to the card; whether there were any. */
bool tw__room_drop_empty_chunks(struct tw__room *);
/* Whether a data of that size shares a chunk; greater ones have an allocation of their own. */
bool tw__room_in_chunks(const struct tw__room *, uint64_t bytes);
/* What a data of that size takes. */
uint64_t tw__room_rounded(const struct tw__room *, uint64_t bytes);

#endif
