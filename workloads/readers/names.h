/* Lists of names, which number the names from 0 in the order of their first use. */
#ifndef READERS_NAMES_H
#define READERS_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct tw__name_slot {
	int32_t number; /* number of the name; TW_NONE: the slot is free */
	uint32_t hash;
};

struct tw__name_list {
	int32_t n;
	char *text; /* the texts of all names, each ended by '\0' */
	size_t used, room;
	size_t *start; /* [n] where each name starts in `text` */
	size_t capacity;
	struct tw__name_slot *slot; /* [n_slots] hash table of the names */
	size_t n_slots;             /* size of the hash table, a power of two */
};

/* Frees a list. To begin an empty one, zero the struct. */
void tw__name_list_finish(struct tw__name_list *);

/* Finds a name, or adds it, and returns its number. More than 2^30 names count as out of memory. */
int32_t tw__name_list_add(struct tw__name_list *, const char *text, size_t length);
/* Returns the number of a name; TW_NONE: the name is not in the list. */
int32_t tw__name_list_find(const struct tw__name_list *, const char *text, size_t length);
const char *tw__name_list_text(const struct tw__name_list *, int32_t number);

#endif
