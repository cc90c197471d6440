/* An intrusive indexed binary heap of pointers: each element keeps its place, so that it can be removed or
 * re-ordered anywhere in O(log n). The order must be total (break ties by a sequence number) to be deterministic. */
#ifndef TW__HEAP_H
#define TW__HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tw__heap_item {
	int32_t place; /* in the heap, from 0; -1: in none */
};

struct tw__heap {
	struct tw__heap_item **items;
	int32_t n, capacity;
	bool (*before)(const struct tw__heap_item *, const struct tw__heap_item *);
};

void tw__heap_init(struct tw__heap *, bool (*before)(const struct tw__heap_item *, const struct tw__heap_item *));
void tw__heap_finish(struct tw__heap *);
int tw__heap_push(struct tw__heap *, struct tw__heap_item *); /* 0 or TW_NOMEM */
void tw__heap_remove(struct tw__heap *, struct tw__heap_item *);
void tw__heap_moved(struct tw__heap *, struct tw__heap_item *); /* its key has changed */

static inline struct tw__heap_item *tw__heap_top(const struct tw__heap *h) { return h->n ? h->items[0] : NULL; }

#define TW__CONTAINER(pointer, type, member) ((type *)(void *)((char *)(uintptr_t)(pointer)-offsetof(type, member)))

#endif
