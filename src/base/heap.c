#include "base/heap.h"

#include <stdlib.h>

#include <tilewright/base.h>

void tw__heap_finish(struct tw__heap *h)
{
	free(h->items);
	*h = (struct tw__heap){0};
}

int tw__heap_grow(struct tw__heap *h)
{
	int32_t capacity = h->capacity ? 2 * h->capacity : 16;
	struct tw__heap_item **items = realloc(h->items, (size_t)capacity * sizeof *items);
	if (!items)
		return TW_NOMEM;
	h->items = items;
	h->capacity = capacity;
	return TW_OK;
}
