#include "trace/intervals.h"

#include <search.h>
#include <stdlib.h>

#include "base/door.h"

/* The order of disjoint intervals. Intervals that share a byte are equal, so a search finds them. */
static int in_order(const void *a, const void *b)
{
	const struct tw__interval *x = a, *y = b;
	if (x->start < y->start)
		return y->start - x->start < x->length ? 0 : -1;
	return x->start - y->start < y->length ? 0 : 1;
}

const struct tw__interval *tw__intervals_overlapping(const struct tw__intervals *t, uint64_t start, uint64_t length)
{
	struct tw__interval wanted = {.start = start, .length = length};
	const struct tw__interval *const *found, *last = NULL;
	while (wanted.length > 0 && (found = tfind(&wanted, &t->tree, in_order))) {
		last = *found;
		uint64_t behind = last->start + last->length;
		wanted = (struct tw__interval){.start = behind,
		                               .length = behind < start + length ? start + length - behind : 0};
	}
	return last;
}

const struct tw__interval *tw__intervals_add(struct tw__intervals *t, uint64_t start, uint64_t length, int32_t owner)
{
	struct tw__interval *added = tw_alloc(1, sizeof *added);
	*added = (struct tw__interval){start, length, owner};
	struct tw__interval **found = tsearch(added, &t->tree, in_order);
	if (!found)
		tw__no_memory(1, sizeof *added);
	if (*found == added)
		return added;
	free(added);
	return NULL;
}

void tw__intervals_remove(struct tw__intervals *t, const struct tw__interval *gone)
{
	tdelete(gone, &t->tree, in_order);
	free((struct tw__interval *)(uintptr_t)gone);
}

void tw__intervals_finish(struct tw__intervals *t)
{
	tdestroy(t->tree, free);
	t->tree = NULL;
}
