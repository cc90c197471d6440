/* Offsets of copies in a bounded memory: first fit at the lowest offset. As in StarPU on cards, small handles share
 * chunks. This file knows neither time nor policy. */
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
	uint64_t greatest;      /* an upper bound of its free parts; the search skips chunks with too little */
};

struct tw__room {
	uint64_t capacity, chunk_bytes, chunk_data_bytes;
	struct tw__space space;
	struct tw__chunk *chunks; /* in the order of search */
	size_t n_chunks, chunks_capacity;
	uint64_t (*chunk_found)(uint64_t given, uint64_t grown); /* model.h; or NULL */
	uint64_t high_water;                                     /* direct allocations have reached this offset */
};

enum { TW__ROOM_GRAIN = 4096 }; /* sizes in chunks are multiples of this */

int tw__room_init(struct tw__room *, uint64_t capacity, uint64_t chunk_bytes, uint64_t chunk_data_bytes);
void tw__room_finish(struct tw__room *);
/* 0, TW_FAILED (no place), TW_NOMEM. *allocations: the number of allocations on the card. */
int tw__room_take(struct tw__room *, uint64_t bytes, uint64_t *offset, int *allocations);
int tw__room_give(struct tw__room *, uint64_t offset, uint64_t bytes);
/* Rescan all chunks at the next allocation. */
void tw__room_look_again(struct tw__room *);
/* Returns empty chunks to the card; whether there were any. */
bool tw__room_drop_empty_chunks(struct tw__room *);
/* Whether a handle of that size shares a chunk; larger ones have their own allocation. */
bool tw__room_in_chunks(const struct tw__room *, uint64_t bytes);
/* The bytes that a handle of that size takes. */
uint64_t tw__room_rounded(const struct tw__room *, uint64_t bytes);

#endif
