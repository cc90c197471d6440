/* An intrusive indexed binary heap of pointers. Each element knows its place in the heap, so that removing or moving it
 * takes O(log n). The order must be total (break ties by a sequence number), so that results are deterministic.
 *
 * The comparison is an argument of each function, so that the compiler inlines it. Pass the same function by name in
 * every call. A zeroed heap is empty. */
#ifndef TW__HEAP_H
#define TW__HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tilewright/containers.h>

struct tw__heap_item {
	int32_t place; /* index of the item in the heap's array; -1: the item is in no heap */
};

struct tw__heap {
	struct tw__heap_item **items;
	int32_t n, capacity;
};

typedef bool tw__heap_before(const struct tw__heap_item *, const struct tw__heap_item *);

#define TW__HEAP_INLINE static inline __attribute__((always_inline))

void tw__heap_finish(struct tw__heap *);
void tw__heap_grow(struct tw__heap *); /* doubles the heap's capacity */

struct tw__heap_settling {
	struct tw__heap *heap;
	struct tw__heap_item *item; /* the item that tw_heap_settle sifts: the place TW_NONE */
	tw__heap_before *before;
};

TW__HEAP_INLINE struct tw__heap_item *tw__heap_at(const struct tw__heap_settling *s, int32_t place)
{
	return place == TW_NONE ? s->item : s->heap->items[place];
}

TW__HEAP_INLINE bool tw__heap_at_before(const void *settling, int32_t a, int32_t b)
{
	const struct tw__heap_settling *s = settling;
	return s->before(tw__heap_at(s, a), tw__heap_at(s, b));
}

TW__HEAP_INLINE void tw__heap_move(void *settling, int32_t from, int32_t to)
{
	const struct tw__heap_settling *s = settling;
	struct tw__heap_item *item = tw__heap_at(s, from);
	s->heap->items[to] = item;
	item->place = to;
}

/* Sifts the item up or down from the free place `place` of the heap. */
TW__HEAP_INLINE void tw__heap_settle(struct tw__heap *h, int32_t place, struct tw__heap_item *item,
                                     tw__heap_before *before)
{
	struct tw__heap_settling settling = {h, item, before};
	tw_heap_settle(&settling, h->n, place, tw__heap_at_before, tw__heap_move);
}

/* Adds the item to the heap. */
TW__HEAP_INLINE void tw__heap_push(struct tw__heap *h, struct tw__heap_item *item, tw__heap_before *before)
{
	if (h->n == h->capacity)
		tw__heap_grow(h);
	h->n++;
	tw__heap_settle(h, h->n - 1, item, before);
}

TW__HEAP_INLINE void tw__heap_remove(struct tw__heap *h, struct tw__heap_item *item, tw__heap_before *before)
{
	int32_t place = item->place;
	struct tw__heap_item *last = h->items[--h->n];
	item->place = -1;
	if (last != item)
		tw__heap_settle(h, place, last, before);
}

/* Replaces an item of the heap by one that is in no heap, or by itself after its key has changed. */
TW__HEAP_INLINE void tw__heap_replace(struct tw__heap *h, struct tw__heap_item *old, struct tw__heap_item *item,
                                      tw__heap_before *before)
{
	int32_t place = old->place;
	old->place = -1;
	tw__heap_settle(h, place, item, before);
}

static inline struct tw__heap_item *tw__heap_top(const struct tw__heap *h) { return h->n ? h->items[0] : NULL; }

#define TW__CONTAINER(pointer, type, member) ((type *)(void *)((char *)(uintptr_t)(pointer)-offsetof(type, member)))

#endif
