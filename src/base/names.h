/* Lists of names: arrays of strings that end with NULL. */
#ifndef TW__NAMES_H
#define TW__NAMES_H

#include <stdbool.h>
#include <string.h>

/* Whether the name is in the list. NULL is an empty list. */
static inline bool tw__is_named(const char *name, const char *const *list)
{
	for (; list && *list; list++)
		if (!strcmp(name, *list))
			return true;
	return false;
}

#endif
