#include "base/heap.h"

#include <stdlib.h>

#include <tilewright/base.h>

void tw__heap_init(struct tw__heap *h, bool (*before)(const struct tw__heap_item *, const struct tw__heap_item *))
{
	*h = (struct tw__heap){.before = before};
}

void tw__heap_finish(struct tw__heap *h)
{
	free(h->items);
	h->items = NULL;
	h->n = h->capacity = 0;
}

static void put(struct tw__heap *h, int32_t place, struct tw__heap_item *item)
{
	h->items[place] = item;
	item->place = place;
}

static void sift(struct tw__heap *h, int32_t place, struct tw__heap_item *item)
{
	while (place > 0) {
		int32_t parent = (place - 1) / 2;
		if (!h->before(item, h->items[parent]))
			break;
		put(h, place, h->items[parent]);
		place = parent;
	}
	for (;;) {
		int32_t child = 2 * place + 1;
		if (child >= h->n)
			break;
		if (child + 1 < h->n && h->before(h->items[child + 1], h->items[child]))
			child++;
		if (!h->before(h->items[child], item))
			break;
		put(h, place, h->items[child]);
		place = child;
	}
	put(h, place, item);
}

int tw__heap_push(struct tw__heap *h, struct tw__heap_item *item)
{
	if (h->n == h->capacity) {
		int32_t capacity = h->capacity ? 2 * h->capacity : 16;
		struct tw__heap_item **items = realloc(h->items, (size_t)capacity * sizeof *items);
		if (!items)
			return TW_NOMEM;
		h->items = items;
		h->capacity = capacity;
	}
	h->n++;
	sift(h, h->n - 1, item);
	return TW_OK;
}

void tw__heap_remove(struct tw__heap *h, struct tw__heap_item *item)
{
	int32_t place = item->place;
	struct tw__heap_item *last = h->items[--h->n];
	item->place = -1;
	if (last != item)
		sift(h, place, last);
}

void tw__heap_moved(struct tw__heap *h, struct tw__heap_item *item) { sift(h, item->place, item); }
