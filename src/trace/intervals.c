#include "trace/intervals.h"

#include <assert.h>
#include <stdlib.h>

void tw__intervals_init(struct tw__intervals *t)
{
	*t = (struct tw__intervals){.root = -1, .unused = -1, .seed = 2463534242u};
}

void tw__intervals_finish(struct tw__intervals *t)
{
	free(t->pool);
	tw__intervals_init(t);
}

const struct tw__interval *tw__intervals_overlapping(const struct tw__intervals *t, uint64_t start, uint64_t length)
{
	/* Intervals are disjoint, so only the last interval that starts before start + length can overlap. */
	const struct tw__interval *candidate = NULL;
	for (int32_t i = t->root; i >= 0;) {
		const struct tw__interval *v = &t->pool[i];
		if (v->start < start || v->start - start < length) {
			candidate = v;
			i = v->right;
		} else {
			i = v->left;
		}
	}
	if (candidate && candidate->start < start && start - candidate->start >= candidate->length)
		return NULL;
	return candidate;
}

/* Splits the subtree `i` into intervals that start before `start` (*before), and the others (*rest). */
static void split(struct tw__interval *pool, int32_t i, uint64_t start, int32_t *before, int32_t *rest)
{
	while (i >= 0) {
		if (pool[i].start < start) {
			*before = i;
			before = &pool[i].right;
			i = *before;
		} else {
			*rest = i;
			rest = &pool[i].left;
			i = *rest;
		}
	}
	*before = *rest = -1;
}

void tw__intervals_add(struct tw__intervals *t, uint64_t start, uint64_t length, int32_t owner)
{
	int32_t fresh = t->unused;
	if (fresh >= 0) {
		t->unused = t->pool[fresh].right;
	} else {
		TW_RESERVE(t->pool, t->capacity, (size_t)t->n + 1);
		fresh = t->n++;
	}
	/* A pseudo-random priority by xorshift, so that runs are reproducible. */
	t->seed ^= t->seed << 13;
	t->seed ^= t->seed >> 17;
	t->seed ^= t->seed << 5;
	struct tw__interval *v = &t->pool[fresh];
	*v = (struct tw__interval){start, length, owner, t->seed, -1, -1};

	int32_t *link = &t->root;
	while (*link >= 0 && t->pool[*link].priority >= v->priority)
		link = start < t->pool[*link].start ? &t->pool[*link].left : &t->pool[*link].right;
	split(t->pool, *link, start, &v->left, &v->right);
	*link = fresh;
}

void tw__intervals_remove(struct tw__intervals *t, uint64_t start)
{
	int32_t *link = &t->root;
	while (*link >= 0 && t->pool[*link].start != start)
		link = start < t->pool[*link].start ? &t->pool[*link].left : &t->pool[*link].right;
	int32_t gone = *link;
	assert(gone >= 0);
	int32_t left = t->pool[gone].left, right = t->pool[gone].right;
	while (left >= 0 && right >= 0) {
		if (t->pool[left].priority >= t->pool[right].priority) {
			*link = left;
			link = &t->pool[left].right;
			left = *link;
		} else {
			*link = right;
			link = &t->pool[right].left;
			right = *link;
		}
	}
	*link = left >= 0 ? left : right;
	t->pool[gone].right = t->unused;
	t->unused = gone;
}
