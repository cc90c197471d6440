/* Heaps of things that have numbers. struct tw_id_heap: the greatest score is on top, of equals the lowest number; scores may
 * change. tw_ids_settle: any other order, in arrays of the caller's. Everything is O(log n) but looking at the top, which is O(1). */
#ifndef TILEWRIGHT_ID_HEAP_H
#define TILEWRIGHT_ID_HEAP_H

#include <stdlib.h>

#include <tilewright/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Moves the id from a free place of a binary heap of n ids to where the order wants it, by `store`. Both functions are inlined:
 * give them by name. */
static inline __attribute__((always_inline)) void
tw_ids_settle(const int32_t *items, int32_t n, int32_t place, int32_t id,
              bool (*before)(const void *context, int32_t a, int32_t b),
              void (*store)(void *context, int32_t place, int32_t id), void *context)
{
	for (int32_t above; place > 0 && before(context, id, items[above = (place - 1) / 2]); place = above)
		store(context, place, items[above]);
	for (int32_t below; (below = 2 * place + 1) < n; place = below) {
		if (below + 1 < n && before(context, items[below + 1], items[below]))
			below++;
		if (!before(context, items[below], id))
			break;
		store(context, place, items[below]);
	}
	store(context, place, id);
}

struct tw_id_heap {
	uint64_t *score;        /* [capacity], of those inside */
	int32_t *items, *place; /* place[id]: in items; TW_NONE: not inside */
	int32_t n;
};

static inline void tw_id_heap_finish(struct tw_id_heap *h)
{
	free(h->score);
	free(h->items);
	free(h->place);
	h->score = NULL;
	h->items = h->place = NULL;
}

/* For numbers below `capacity`; empty. TW_NOMEM: nothing is left allocated. */
static inline int tw_id_heap_init(struct tw_id_heap *h, int32_t capacity)
{
	size_t n = (size_t)capacity + 1;
	h->score = (uint64_t *)malloc(n * sizeof *h->score);
	h->items = (int32_t *)malloc(n * sizeof *h->items);
	h->place = (int32_t *)malloc(n * sizeof *h->place);
	h->n = 0;
	if (!h->score || !h->items || !h->place) {
		tw_id_heap_finish(h);
		return TW_NOMEM;
	}
	for (int32_t id = 0; id < capacity; id++)
		h->place[id] = TW_NONE;
	return TW_OK;
}

static inline int32_t tw_id_heap_top(const struct tw_id_heap *h) { return h->n ? h->items[0] : (int32_t)TW_NONE; }

static inline bool tw_id_heap_before(const void *heap, int32_t a, int32_t b)
{
	const struct tw_id_heap *h = (const struct tw_id_heap *)heap;
	return h->score[a] != h->score[b] ? h->score[a] > h->score[b] : a < b;
}

static inline void tw_id_heap_store(void *heap, int32_t place, int32_t id)
{
	struct tw_id_heap *h = (struct tw_id_heap *)heap;
	h->items[place] = id;
	h->place[id] = place;
}

/* Puts it in, or changes its score. */
static inline void tw_id_heap_put(struct tw_id_heap *h, int32_t id, uint64_t score)
{
	h->score[id] = score;
	int32_t place = h->place[id] != TW_NONE ? h->place[id] : h->n++;
	tw_ids_settle(h->items, h->n, place, id, tw_id_heap_before, tw_id_heap_store, h);
}

/* Takes it out; what is not inside stays outside. */
static inline void tw_id_heap_remove(struct tw_id_heap *h, int32_t id)
{
	int32_t place = h->place[id];
	if (place == TW_NONE)
		return;
	h->place[id] = TW_NONE;
	if (place < --h->n)
		tw_ids_settle(h->items, h->n, place, h->items[h->n], tw_id_heap_before, tw_id_heap_store, h);
}

#ifdef __cplusplus
}
#endif
#endif
