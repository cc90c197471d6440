/* Arrays that grow by half. */
#ifndef TW__HAS_ROOM_H
#define TW__HAS_ROOM_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool tw__has_room(void **array, size_t *capacity, size_t needed, size_t element)
{
	if (needed <= *capacity)
		return true;
	size_t wanted = *capacity + *capacity / 2 + 64;
	if (wanted < needed)
		wanted = needed;
	void *bigger = reallocarray(*array, wanted, element);
	if (!bigger)
		return false;
	*array = bigger;
	*capacity = wanted;
	return true;
}

/* Whether there is room for so many elements now. */
#define TW__HAS_ROOM(array, capacity, needed) tw__has_room((void **)&(array), &(capacity), (needed), sizeof *(array))

#endif
