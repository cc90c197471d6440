/* Arrays that grow by half: a help for all that reads or builds something whose size it does not know beforehand. */
#ifndef TILEWRIGHT_ARRAY_H
#define TILEWRIGHT_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether `array` has room for so many elements now; false: out of memory, and nothing has changed. The array is malloc'ed, or
 * NULL with a `capacity` (a size_t, in elements) of 0. */
#define TW_HAS_ROOM(array, capacity, needed) tw_has_room((void **)&(array), &(capacity), (needed), sizeof *(array))

static inline bool tw_has_room(void **array, size_t *capacity, size_t needed, size_t element_bytes)
{
	if (needed <= *capacity)
		return true;
	size_t wanted = *capacity + *capacity / 2 + 64;
	if (wanted < needed)
		wanted = needed;
	void *bigger = wanted <= SIZE_MAX / element_bytes ? realloc(*array, wanted * element_bytes) : NULL;
	if (!bigger)
		return false;
	*array = bigger;
	*capacity = wanted;
	return true;
}

#ifdef __cplusplus
}
#endif
#endif
