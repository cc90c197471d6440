#include "runtime/room/room.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/base.h>

static void space_init(struct tw__space *s, uint64_t bytes)
{
	*s = (struct tw__space){.free = tw_alloc(4, sizeof *s->free), .capacity_n = 4, .free_bytes = bytes};
	if (bytes)
		s->free[s->n++] = (struct tw__extent){0, bytes};
}

static bool space_take(struct tw__space *s, uint64_t bytes, uint64_t *offset)
{
	if (s->free_bytes < bytes)
		return false;
	for (size_t i = 0; i < s->n; i++) {
		struct tw__extent *e = &s->free[i];
		if (e->bytes < bytes)
			continue;
		*offset = e->offset;
		e->offset += bytes;
		e->bytes -= bytes;
		if (e->bytes == 0)
			memmove(e, e + 1, (--s->n - i) * sizeof *e);
		s->free_bytes -= bytes;
		return true;
	}
	return false;
}

/* Frees a part. *grown: bytes of the free part after merging with free neighbours; 0: no neighbour was free. */
static void space_give(struct tw__space *s, uint64_t offset, uint64_t bytes, uint64_t *grown)
{
	size_t low = 0, high = s->n; /* binary search for the first free part behind the offset */
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (s->free[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	bool before = low > 0 && s->free[low - 1].offset + s->free[low - 1].bytes == offset;
	bool behind = low < s->n && offset + bytes == s->free[low].offset;
	s->free_bytes += bytes;
	*grown = (before || behind) * bytes + (before ? s->free[low - 1].bytes : 0) + (behind ? s->free[low].bytes : 0);
	if (before && behind) {
		s->free[low - 1].bytes += bytes + s->free[low].bytes;
		memmove(&s->free[low], &s->free[low + 1], (--s->n - low) * sizeof *s->free);
	} else if (before) {
		s->free[low - 1].bytes += bytes;
	} else if (behind) {
		s->free[low].offset = offset;
		s->free[low].bytes += bytes;
	} else {
		TW_RESERVE(s->free, s->capacity_n, s->n + 1);
		memmove(&s->free[low + 1], &s->free[low], (s->n++ - low) * sizeof *s->free);
		s->free[low] = (struct tw__extent){offset, bytes};
	}
}

void tw__room_init(struct tw__room *r, uint64_t capacity, uint64_t chunk_bytes, uint64_t chunk_data_bytes)
{
	*r = (struct tw__room){.capacity = capacity, .chunk_bytes = chunk_bytes, .chunk_data_bytes = chunk_data_bytes};
	space_init(&r->space, capacity);
}

void tw__room_finish(struct tw__room *r)
{
	for (size_t c = 0; c < r->n_chunks; c++)
		free(r->chunks[c].space.free);
	free(r->chunks);
	free(r->space.free);
	*r = (struct tw__room){0};
}

static uint64_t round_up(uint64_t bytes) { return (bytes + TW__ROOM_GRAIN - 1) / TW__ROOM_GRAIN * TW__ROOM_GRAIN; }

bool tw__room_in_chunks(const struct tw__room *r, uint64_t bytes)
{
	return bytes <= r->chunk_data_bytes && round_up(bytes) <= r->chunk_bytes;
}

uint64_t tw__room_rounded(const struct tw__room *r, uint64_t bytes)
{
	return tw__room_in_chunks(r, bytes) ? round_up(bytes) : bytes;
}

static void to_front(struct tw__room *r, size_t c)
{
	struct tw__chunk chunk = r->chunks[c];
	memmove(r->chunks + 1, r->chunks, c * sizeof chunk);
	r->chunks[0] = chunk;
}

static bool add_chunk(struct tw__room *r)
{
	TW_RESERVE(r->chunks, r->chunks_capacity, r->n_chunks + 1);
	struct tw__chunk *chunk = &r->chunks[r->n_chunks];
	chunk->greatest = r->chunk_bytes;
	if (!space_take(&r->space, r->chunk_bytes, &chunk->offset))
		return false;
	space_init(&chunk->space, r->chunk_bytes);
	to_front(r, r->n_chunks++);
	return true;
}

/* Gives empty chunks back to the card, as room for handles that are too large for chunks. */
bool tw__room_drop_empty_chunks(struct tw__room *r)
{
	size_t kept = 0;
	uint64_t grown;
	for (size_t c = 0; c < r->n_chunks; c++) {
		struct tw__chunk chunk = r->chunks[c];
		if (chunk.space.free_bytes < r->chunk_bytes) {
			r->chunks[kept++] = chunk;
			continue;
		}
		space_give(&r->space, chunk.offset, r->chunk_bytes, &grown);
		free(chunk.space.free);
	}
	bool dropped = kept < r->n_chunks;
	r->n_chunks = kept;
	return dropped;
}

/* Takes room in a chunk, and searches as StarPU does. The chunk in which room was freed last comes first; in a chunk,
 * the lowest offset is taken. */
static bool take_of_chunk(struct tw__room *r, uint64_t rounded, uint64_t *offset)
{
	for (size_t c = 0; c < r->n_chunks; c++) {
		struct tw__chunk *chunk = &r->chunks[c];
		uint64_t found = 0, greatest = 0, place;
		if (chunk->greatest < rounded)
			continue;
		for (size_t i = 0; i < chunk->space.n && found < rounded; i++) {
			found = chunk->space.free[i].bytes;
			greatest = found > greatest ? found : greatest;
		}
		if (!space_take(&chunk->space, rounded, &place)) {
			chunk->greatest = greatest;
			continue;
		}
		*offset = chunk->offset + place;
		if (found >= 2 * rounded)
			to_front(r, c);
		return true;
	}
	return false;
}

int tw__room_take(struct tw__room *r, uint64_t bytes, uint64_t *offset, int *allocations)
{
	*allocations = 0;
	if (!tw__room_in_chunks(r, bytes)) {
		if (!space_take(&r->space, bytes, offset) &&
		    !(tw__room_drop_empty_chunks(r) && space_take(&r->space, bytes, offset)))
			return TW_FAILED;
		/* Below high_water, the runtime reuses cached allocations, which costs nothing. */
		if (*offset + bytes > r->high_water) {
			r->high_water = *offset + bytes;
			*allocations = 1;
		}
		return TW_OK;
	}
	uint64_t rounded = tw__room_rounded(r, bytes);
	if (take_of_chunk(r, rounded, offset))
		return TW_OK;
	if (!add_chunk(r))
		return TW_FAILED;
	*allocations = 1;
	bool taken = take_of_chunk(r, rounded, offset);
	assert(taken);
	(void)taken;
	return TW_OK;
}

void tw__room_look_again(struct tw__room *r)
{
	for (size_t c = 0; c < r->n_chunks; c++)
		r->chunks[c].greatest = r->chunk_bytes;
}

void tw__room_give(struct tw__room *r, uint64_t offset, uint64_t bytes)
{
	uint64_t grown;
	if (!tw__room_in_chunks(r, bytes)) {
		space_give(&r->space, offset, bytes, &grown);
		return;
	}
	for (size_t c = 0; c < r->n_chunks; c++) {
		struct tw__chunk *chunk = &r->chunks[c];
		if (offset < chunk->offset || offset - chunk->offset >= r->chunk_bytes)
			continue;
		uint64_t rounded = tw__room_rounded(r, bytes);
		space_give(&chunk->space, offset - chunk->offset, rounded, &grown);
		bool empty = chunk->space.free_bytes == r->chunk_bytes;
		uint64_t found = empty ? r->chunk_bytes : grown || r->overlooks ? grown : rounded;
		chunk->greatest = found > chunk->greatest ? found : chunk->greatest;
		if (!empty)
			to_front(r, c);
		return;
	}
	assert(!"room was never taken there");
}
