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

void tw__intervals_add(struct tw__intervals *t, uint64_t start, uint64_t length, int32_t owner)
{
	struct tw__interval *added = tw_alloc(1, sizeof *added);
	*added = (struct tw__interval){start, length, owner};
	if (!tsearch(added, &t->tree, in_order))
		tw__no_memory(1, sizeof *added);
}

void tw__intervals_remove(struct tw__intervals *t, uint64_t start)
{
	const struct tw__interval wanted = {.start = start, .length = 1};
	struct tw__interval *gone = *(struct tw__interval **)tfind(&wanted, &t->tree, in_order);
	tdelete(gone, &t->tree, in_order);
	free(gone);
}

void tw__intervals_finish(struct tw__intervals *t)
{
	tdestroy(t->tree, free);
	t->tree = NULL;
}
