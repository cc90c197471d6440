#include "base/heap.h"

#include <stdlib.h>

#include <tilewright/base.h>

void tw__heap_finish(struct tw__heap *h)
{
	free(h->items);
	*h = (struct tw__heap){0};
}

void tw__heap_grow(struct tw__heap *h)
{
	h->capacity = h->capacity ? 2 * h->capacity : 16;
	h->items = tw_resize(h->items, (size_t)h->capacity, sizeof *h->items);
}
