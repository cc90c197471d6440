#include "explain/tally.h"

#include <stdlib.h>

#include <tilewright/containers.h>

void tw__tally_add(struct tw__tally *t, uint64_t key, int run, uint64_t bytes)
{
	if (!TW_HAS_ROOM(t->counts, t->capacity, t->n + 1)) {
		t->out_of_memory = true;
		return;
	}
	struct tw__count *c = &t->counts[t->n++];
	*c = (struct tw__count){.key = key};
	c->n[run] = 1;
	c->bytes[run] = bytes;
}

static int by_key(const void *x, const void *y)
{
	const struct tw__count *a = x, *b = y;
	return (a->key > b->key) - (a->key < b->key);
}

void tw__tally_fold(struct tw__tally *t)
{
	size_t n = 0;
	if (t->n > 0)
		qsort(t->counts, t->n, sizeof *t->counts, by_key);
	for (size_t i = 0; i < t->n; i++) {
		const struct tw__count *c = &t->counts[i];
		if (n == 0 || t->counts[n - 1].key != c->key) {
			t->counts[n++] = *c;
			continue;
		}
		for (int run = 0; run < 2; run++) {
			t->counts[n - 1].n[run] += c->n[run];
			t->counts[n - 1].bytes[run] += c->bytes[run];
		}
	}
	t->n = n;
}

void tw__tally_finish(struct tw__tally *t)
{
	free(t->counts);
	*t = (struct tw__tally){0};
}
