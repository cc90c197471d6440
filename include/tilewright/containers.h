/* Containers that policies, workloads and the library share: sets and heaps of identifiers. A set or a heap owns its
 * memory, from init to finish. Growing arrays: TW_RESERVE in base.h. */
#ifndef TILEWRIGHT_CONTAINERS_H
#define TILEWRIGHT_CONTAINERS_H

#include <stdlib.h>
#include <string.h>

#include <tilewright/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- sets of identifiers: one bit per identifier; finding the next one takes a step per 64 identifiers ------------ */

struct tw_id_set {
	uint64_t *words;
	int32_t n_words;
};

/* Makes an empty set for identifiers below `capacity`. */
static inline void tw_id_set_init(struct tw_id_set *set, int32_t capacity)
{
	set->n_words = capacity / 64 + 1;
	set->words = (uint64_t *)tw_alloc((size_t)set->n_words, sizeof *set->words);
}

static inline void tw_id_set_finish(struct tw_id_set *set)
{
	free(set->words);
	set->words = NULL;
	set->n_words = 0;
}

/* Adds the identifier to the set if `inside`, else removes it. */
static inline void tw_id_set_put(struct tw_id_set *set, int32_t id, bool inside)
{
	uint64_t bit = UINT64_C(1) << (uint32_t)id % 64;
	if (inside)
		set->words[(uint32_t)id / 64] |= bit;
	else
		set->words[(uint32_t)id / 64] &= ~bit;
}

static inline void tw_id_set_clear(struct tw_id_set *set)
{
	memset(set->words, 0, (size_t)set->n_words * sizeof *set->words);
}

static inline bool tw_id_set_has(const struct tw_id_set *set, int32_t id)
{
	return set->words[(uint32_t)id / 64] >> (uint32_t)id % 64 & 1;
}

/* Returns the lowest identifier >= `id` that is in the set, and also in `other` unless that is NULL. Both sets must
 * have the same capacity. TW_NONE: there is no such identifier. */
static inline int32_t tw_id_set_next(const struct tw_id_set *set, const struct tw_id_set *other, int32_t id)
{
	uint64_t mask = UINT64_MAX << (uint32_t)id % 64;
	for (int32_t word = id / 64; word < set->n_words; word++) {
		uint64_t bits = set->words[word] & mask & (other ? other->words[word] : UINT64_MAX);
		if (bits)
			return word * 64 + __builtin_ctzll(bits);
		mask = UINT64_MAX;
	}
	return TW_NONE;
}

/* Walks the set once around, from `first` up and then from 0 to first - 1. Returns the identifier after `id`; TW_NONE:
 * `id` was the last. Start with id = TW_NONE. `other` is as for tw_id_set_next. */
static inline int32_t tw_id_set_next_in_circle(const struct tw_id_set *set, const struct tw_id_set *other,
                                               int32_t first, int32_t id)
{
	int32_t next = TW_NONE;
	if (id == TW_NONE || id >= first)
		next = tw_id_set_next(set, other, id == TW_NONE ? first : id + 1);
	if (next != TW_NONE)
		return next;
	next = tw_id_set_next(set, other, id == TW_NONE || id >= first ? 0 : id + 1);
	return next < first ? next : (int32_t)TW_NONE;
}

/* --- heaps -------------------------------------------------------------------------------------------------------- */

/* Sifts an item up or down from the free place `place` of a heap of n items, in O(log n). All heaps of this project use
 * it. `before` and `move` name items by their places; TW_NONE names the item that is sifted. Pass both functions by
 * name, so that the compiler inlines them. */
static inline __attribute__((always_inline)) void tw_heap_settle(void *heap, int32_t n, int32_t place,
                                                                 bool (*before)(const void *heap, int32_t a, int32_t b),
                                                                 void (*move)(void *heap, int32_t from, int32_t to))
{
	if (place < 0)
		__builtin_unreachable(); /* tells the compiler that no place is TW_NONE */
	for (int32_t above; place > 0 && before(heap, TW_NONE, above = (place - 1) / 2); place = above)
		move(heap, above, place);
	for (int32_t below; (below = 2 * place + 1) < n; place = below) {
		if (below + 1 < n && before(heap, below + 1, below))
			below++;
		if (!before(heap, below, TW_NONE))
			break;
		move(heap, below, place);
	}
	move(heap, TW_NONE, place);
}

/* A heap of identifiers, each with a score that may change. The highest score is on top; ties: lowest identifier. */
struct tw_id_heap {
	uint64_t *score;        /* [capacity]; score[id] is valid while the identifier is in the heap */
	int32_t *items, *place; /* items[n]: the heap. place[id]: index in items; TW_NONE: not in the heap */
	int32_t n;
};

static inline void tw_id_heap_finish(struct tw_id_heap *h)
{
	free(h->score);
	free(h->items);
	free(h->place);
	h->score = NULL;
	h->items = h->place = NULL;
	h->n = 0;
}

/* Makes an empty heap for identifiers below `capacity`. */
static inline void tw_id_heap_init(struct tw_id_heap *h, int32_t capacity)
{
	size_t n = (size_t)capacity + 1;
	h->score = (uint64_t *)tw_resize(NULL, n, sizeof *h->score);
	h->items = (int32_t *)tw_resize(NULL, n, sizeof *h->items);
	h->place = (int32_t *)tw_resize(NULL, n, sizeof *h->place);
	h->n = 0;
	for (int32_t id = 0; id < capacity; id++)
		h->place[id] = TW_NONE;
}

static inline int32_t tw_id_heap_top(const struct tw_id_heap *h) { return h->n ? h->items[0] : (int32_t)TW_NONE; }

struct tw__id_heap_settling {
	struct tw_id_heap *heap;
	int32_t id; /* the identifier that tw_heap_settle sifts: the place TW_NONE */
};

static inline int32_t tw__id_heap_at(const struct tw__id_heap_settling *s, int32_t place)
{
	return place == TW_NONE ? s->id : s->heap->items[place];
}

static inline bool tw__id_heap_before(const void *settling, int32_t a, int32_t b)
{
	const struct tw__id_heap_settling *s = (const struct tw__id_heap_settling *)settling;
	int32_t x = tw__id_heap_at(s, a), y = tw__id_heap_at(s, b);
	return s->heap->score[x] != s->heap->score[y] ? s->heap->score[x] > s->heap->score[y] : x < y;
}

static inline void tw__id_heap_move(void *settling, int32_t from, int32_t to)
{
	struct tw__id_heap_settling *s = (struct tw__id_heap_settling *)settling;
	int32_t id = tw__id_heap_at(s, from);
	s->heap->items[to] = id;
	s->heap->place[id] = to;
}

static inline void tw__id_heap_settle(struct tw_id_heap *h, int32_t place, int32_t id)
{
	struct tw__id_heap_settling settling = {h, id};
	tw_heap_settle(&settling, h->n, place, tw__id_heap_before, tw__id_heap_move);
}

/* Adds the identifier to the heap, or changes its score. */
static inline void tw_id_heap_put(struct tw_id_heap *h, int32_t id, uint64_t score)
{
	h->score[id] = score;
	tw__id_heap_settle(h, h->place[id] != TW_NONE ? h->place[id] : h->n++, id);
}

/* Removes the identifier from the heap. Does nothing if it is not in the heap. */
static inline void tw_id_heap_remove(struct tw_id_heap *h, int32_t id)
{
	int32_t place = h->place[id];
	if (place == TW_NONE)
		return;
	h->place[id] = TW_NONE;
	if (place < --h->n)
		tw__id_heap_settle(h, place, h->items[h->n]);
}

#ifdef __cplusplus
}
#endif
#endif
