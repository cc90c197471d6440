#include "readers/names.h"

#include <stdlib.h>
#include <string.h>

#include <tilewright/base.h>

enum { MAX_NAMES = 1 << 30 };

void tw__name_list_finish(struct tw__name_list *names)
{
	free(names->text);
	free(names->start);
	free(names->slot);
	*names = (struct tw__name_list){0};
}

/* Returns the FNV-1a hash of a text. */
static uint32_t hash_of(const char *text, size_t length)
{
	uint64_t h = 14695981039346656037u;
	for (size_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)text[i]) * 1099511628211u;
	return (uint32_t)(h ^ h >> 32);
}

const char *tw__name_list_text(const struct tw__name_list *names, int32_t number)
{
	return names->text + names->start[number];
}

/* Finds the slot of a name in the hash table, or the free slot for a new name. The table is never full. */
static struct tw__name_slot *find_slot(const struct tw__name_list *names, const char *text, size_t length,
                                       uint32_t hash)
{
	size_t i = hash & (names->n_slots - 1);
	for (; names->slot[i].number != TW_NONE; i = (i + 1) & (names->n_slots - 1)) {
		if (names->slot[i].hash != hash)
			continue;
		const char *other = tw__name_list_text(names, names->slot[i].number);
		if (!strncmp(other, text, length) && other[length] == '\0')
			break;
	}
	return &names->slot[i];
}

static void grow_slots(struct tw__name_list *names)
{
	size_t n = names->n_slots ? 2 * names->n_slots : 64;
	struct tw__name_slot *slot = tw_resize(NULL, n, sizeof *slot);
	for (size_t i = 0; i < n; i++)
		slot[i].number = TW_NONE;
	for (size_t i = 0; i < names->n_slots; i++) {
		size_t to = names->slot[i].hash & (n - 1);
		if (names->slot[i].number == TW_NONE)
			continue;
		while (slot[to].number != TW_NONE)
			to = (to + 1) & (n - 1);
		slot[to] = names->slot[i];
	}
	free(names->slot);
	names->slot = slot;
	names->n_slots = n;
}

int32_t tw__name_list_find(const struct tw__name_list *names, const char *text, size_t length)
{
	return names->n_slots ? find_slot(names, text, length, hash_of(text, length))->number : TW_NONE;
}

int32_t tw__name_list_add(struct tw__name_list *names, const char *text, size_t length)
{
	if (2 * ((size_t)names->n + 1) > names->n_slots)
		grow_slots(names);
	uint32_t hash = hash_of(text, length);
	struct tw__name_slot *slot = find_slot(names, text, length, hash);
	if (slot->number != TW_NONE)
		return slot->number;
	TW_RESERVE(names->text, names->room, names->used + length + 1);
	TW_RESERVE(names->start, names->capacity, names->n < MAX_NAMES ? (size_t)names->n + 1 : SIZE_MAX);
	names->start[names->n] = names->used;
	memcpy(names->text + names->used, text, length);
	names->text[names->used + length] = '\0';
	names->used += length + 1;
	*slot = (struct tw__name_slot){names->n, hash};
	return names->n++;
}
