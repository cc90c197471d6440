/* Lists of names, which number the names from 0 in the order of their first use. */
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
	char *text; /* all names, each ended by '\0' */
	size_t used, room;
	size_t *start; /* [n], into text */
	size_t capacity;
	struct tw__name_slot *slot; /* hash table */
	size_t n_slots;             /* a power of two */
};

/* A zeroed list is empty. */
void tw__name_list_finish(struct tw__name_list *);

/* Finds or adds a name and returns its number; TW_NONE: out of memory, or more than 2^30 names. */
int32_t tw__name_list_add(struct tw__name_list *, const char *text, size_t length);
/* The number of a name; TW_NONE: it is not in the list. */
int32_t tw__name_list_find(const struct tw__name_list *, const char *text, size_t length);
const char *tw__name_list_text(const struct tw__name_list *, int32_t number);

#endif
