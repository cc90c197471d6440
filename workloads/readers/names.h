/* Names, each with a number: from 0, in the order in which they came. */
#ifndef READERS_NAMES_H
#define READERS_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct tw__name_slot {
	int32_t number; /* TW_NONE: free */
	uint32_t hash;
};

struct tw__name_list {
	int32_t n;
	char *text; /* all of them, one behind the other, each with its '\0' */
	size_t used, room;
	size_t *start; /* [n], into text */
	size_t capacity;
	struct tw__name_slot *slot; /* hash table */
	size_t n_slots;             /* a power of two */
};

/* All zero is an empty one. */
void tw__name_list_finish(struct tw__name_list *);

/* The number of a name, found or added; TW_NONE: out of memory, or more than 2^30 of them. */
int32_t tw__name_list_add(struct tw__name_list *, const char *text, size_t length);
/* TW_NONE: not there. */
int32_t tw__name_list_find(const struct tw__name_list *, const char *text, size_t length);
const char *tw__name_list_text(const struct tw__name_list *, int32_t number);

#endif
