/* A heap of things that have numbers: the greatest score is on top, of equals the lowest number. Scores may change.
 * Everything is O(log n) but looking at the top, which is O(1). */
#ifndef TILEWRIGHT_ID_HEAP_H
#define TILEWRIGHT_ID_HEAP_H

#include <stdlib.h>

#include <tilewright/base.h>

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

static inline bool tw_id_heap_before(const struct tw_id_heap *h, int32_t a, int32_t b)
{
	return h->score[a] != h->score[b] ? h->score[a] > h->score[b] : a < b;
}

/* To where it belongs, from a place where something is missing. */
static inline void tw_id_heap_settle(struct tw_id_heap *h, int32_t id, int32_t place)
{
	int32_t child;
	for (; place > 0 && tw_id_heap_before(h, id, h->items[(place - 1) / 2]); place = (place - 1) / 2) {
		h->items[place] = h->items[(place - 1) / 2];
		h->place[h->items[place]] = place;
	}
	while ((child = 2 * place + 1) < h->n) {
		if (child + 1 < h->n && tw_id_heap_before(h, h->items[child + 1], h->items[child]))
			child++;
		if (!tw_id_heap_before(h, h->items[child], id))
			break;
		h->items[place] = h->items[child];
		h->place[h->items[place]] = place;
		place = child;
	}
	h->items[place] = id;
	h->place[id] = place;
}

/* Puts it in, or changes its score. */
static inline void tw_id_heap_put(struct tw_id_heap *h, int32_t id, uint64_t score)
{
	h->score[id] = score;
	tw_id_heap_settle(h, id, h->place[id] != TW_NONE ? h->place[id] : h->n++);
}

/* Takes it out; what is not inside stays outside. */
static inline void tw_id_heap_remove(struct tw_id_heap *h, int32_t id)
{
	int32_t place = h->place[id];
	if (place == TW_NONE)
		return;
	h->place[id] = TW_NONE;
	if (place < --h->n)
		tw_id_heap_settle(h, h->items[h->n], place);
}

#endif
