/* Sorted lists of items, each with a number: the least number first. New items mostly have great numbers, so the search
 * for the place of an item begins at the end of the list. A zeroed item is in no list. */
#ifndef TW__SORTED_H
#define TW__SORTED_H

#include <math.h>
#include <stddef.h>

/* An item, or the list itself, which is the item before the first and after the last one. */
struct tw__sorted {
	double at;
	struct tw__sorted *before, *next; /* NULL: the item is in no list */
};

static inline void tw__sorted_init(struct tw__sorted *list)
{
	*list = (struct tw__sorted){.at = -INFINITY, .before = list, .next = list};
}

static inline void tw__sorted_take(struct tw__sorted *item)
{
	if (!item->next)
		return;
	item->before->next = item->next;
	item->next->before = item->before;
	item->next = NULL;
}

/* Moves the item to the place of `at`; INFINITY: takes it out of the list. */
static inline void tw__sorted_put(struct tw__sorted *list, struct tw__sorted *item, double at)
{
	tw__sorted_take(item);
	if (at == INFINITY)
		return;
	struct tw__sorted *before = list->before;
	while (before->at > at)
		before = before->before;
	item->at = at;
	item->before = before;
	item->next = before->next;
	before->next->before = item;
	before->next = item;
}

/* Returns the least number in the list; INFINITY: the list is empty. */
static inline double tw__sorted_first(const struct tw__sorted *list)
{
	return list->next != list ? list->next->at : INFINITY;
}

#endif
