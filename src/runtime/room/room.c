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
	for (size_t c = 0; c < r->n_slots; c++)
		free(r->chunks[c].space.free);
	free(r->chunks);
	free(r->greatest);
	free(r->slot_at);
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

/* --- the order of chunks ------------------------------------------------------------------------------------------ */

static uint64_t greatest_of(const struct tw__room *r, size_t slot) { return r->greatest[r->slots_capacity + slot]; }

static void set_greatest(struct tw__room *r, size_t slot, uint64_t bytes)
{
	uint64_t *greatest = r->greatest;
	size_t i = r->slots_capacity + slot;
	greatest[i] = bytes;
	for (; i > 1; i /= 2) {
		uint64_t now = greatest[i] > greatest[i ^ 1] ? greatest[i] : greatest[i ^ 1];
		if (greatest[i / 2] == now)
			break;
		greatest[i / 2] = now;
	}
}

/* Closes the gaps, and makes room for as many slots as there are chunks. */
static void make_slots(struct tw__room *r)
{
	size_t n = 0, before = r->slots_capacity, capacity = before > 32 ? before : 32;
	while (capacity < 2 * r->n_chunks)
		capacity *= 2;
	uint64_t *greatest = tw_alloc(2 * capacity, sizeof *greatest);
	for (size_t slot = 0; slot < r->n_slots; slot++)
		if (r->chunks[slot].space.free) {
			r->slot_at[r->chunks[slot].offset / r->chunk_bytes] = (uint32_t)n;
			greatest[capacity + n] = r->greatest[before + slot];
			r->chunks[n++] = r->chunks[slot];
		}
	for (size_t i = capacity - 1; i > 0; i--)
		greatest[i] = greatest[2 * i] > greatest[2 * i + 1] ? greatest[2 * i] : greatest[2 * i + 1];
	free(r->greatest);
	r->greatest = greatest;
	r->chunks = tw_resize(r->chunks, capacity, sizeof *r->chunks);
	r->n_slots = n;
	r->slots_capacity = capacity;
}

/* Makes the chunk the first one that allocations search. */
static void put_first(struct tw__room *r, struct tw__chunk chunk, uint64_t greatest)
{
	if (r->n_slots == r->slots_capacity)
		make_slots(r);
	r->slot_at[chunk.offset / r->chunk_bytes] = (uint32_t)r->n_slots;
	r->chunks[r->n_slots] = chunk;
	set_greatest(r, r->n_slots++, greatest);
}

static void take_out(struct tw__room *r, size_t slot)
{
	r->chunks[slot] = (struct tw__chunk){0};
	set_greatest(r, slot, 0);
}

static void to_front(struct tw__room *r, size_t slot)
{
	struct tw__chunk chunk = r->chunks[slot];
	uint64_t greatest = greatest_of(r, slot);
	if (slot + 1 == r->n_slots)
		return;
	take_out(r, slot);
	put_first(r, chunk, greatest);
}

/* Sets *slot to the first chunk, in the order of the search, whose bound is not below `bytes`. */
static bool find_chunk(const struct tw__room *r, uint64_t bytes, size_t *slot)
{
	size_t i = 1;
	if (r->n_chunks == 0 || r->greatest[1] < bytes)
		return false;
	while (i < r->slots_capacity)
		i = 2 * i + (r->greatest[2 * i + 1] >= bytes);
	*slot = i - r->slots_capacity;
	return true;
}

/* Returns the slot of the chunk that has the offset. It begins at most one chunk before. */
static size_t slot_of(const struct tw__room *r, uint64_t offset)
{
	size_t at = offset / r->chunk_bytes;
	size_t slot = at < r->n_slot_at ? r->slot_at[at] : r->n_slots;
	bool here = slot < r->n_slots && r->chunks[slot].space.free && offset - r->chunks[slot].offset < r->chunk_bytes;
	return here ? slot : r->slot_at[at - 1];
}

static bool add_chunk(struct tw__room *r)
{
	struct tw__chunk chunk;
	if (!space_take(&r->space, r->chunk_bytes, &chunk.offset))
		return false;
	space_init(&chunk.space, r->chunk_bytes);
	size_t at = chunk.offset / r->chunk_bytes, before = r->n_slot_at;
	TW_RESERVE(r->slot_at, r->n_slot_at, at + 1);
	memset(r->slot_at + before, 0, (r->n_slot_at - before) * sizeof *r->slot_at);
	r->n_chunks++;
	put_first(r, chunk, r->chunk_bytes);
	return true;
}

/* Gives empty chunks back to the card, as room for handles that are too large for chunks. */
bool tw__room_drop_empty_chunks(struct tw__room *r)
{
	size_t before = r->n_chunks;
	uint64_t grown;
	for (size_t slot = 0; slot < r->n_slots; slot++) {
		struct tw__chunk chunk = r->chunks[slot];
		if (!chunk.space.free || chunk.space.free_bytes < r->chunk_bytes)
			continue;
		space_give(&r->space, chunk.offset, r->chunk_bytes, &grown);
		free(chunk.space.free);
		take_out(r, slot);
		r->n_chunks--;
	}
	return r->n_chunks < before;
}

/* --- taking and giving -------------------------------------------------------------------------------------------- */

/* Takes room in a chunk, and searches as StarPU does. The chunk in which room was freed last comes first; in a chunk,
 * the lowest offset is taken. */
static bool take_of_chunk(struct tw__room *r, uint64_t rounded, uint64_t *offset)
{
	for (size_t slot; find_chunk(r, rounded, &slot);) {
		struct tw__chunk *chunk = &r->chunks[slot];
		uint64_t found = 0, greatest = 0, place;
		for (size_t i = 0; i < chunk->space.n && found < rounded; i++) {
			found = chunk->space.free[i].bytes;
			greatest = found > greatest ? found : greatest;
		}
		if (!space_take(&chunk->space, rounded, &place)) {
			set_greatest(r, slot, greatest);
			continue;
		}
		*offset = chunk->offset + place;
		if (found >= 2 * rounded)
			to_front(r, slot);
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
	for (size_t slot = 0; slot < r->n_slots; slot++)
		if (r->chunks[slot].space.free)
			set_greatest(r, slot, r->chunk_bytes);
}

void tw__room_give(struct tw__room *r, uint64_t offset, uint64_t bytes)
{
	uint64_t grown;
	if (!tw__room_in_chunks(r, bytes)) {
		space_give(&r->space, offset, bytes, &grown);
		return;
	}
	size_t slot = slot_of(r, offset);
	struct tw__chunk *chunk = &r->chunks[slot];
	uint64_t rounded = tw__room_rounded(r, bytes);
	assert(chunk->space.free && offset - chunk->offset < r->chunk_bytes);
	space_give(&chunk->space, offset - chunk->offset, rounded, &grown);
	bool empty = chunk->space.free_bytes == r->chunk_bytes;
	uint64_t found = empty ? r->chunk_bytes : grown || r->overlooks ? grown : rounded;
	if (found > greatest_of(r, slot))
		set_greatest(r, slot, found);
	if (!empty)
		to_front(r, slot);
}
