/* A set of things that have numbers: a bit each. Looking for the next one costs 1/64 for each number passed. */
#ifndef TILEWRIGHT_ID_SET_H
#define TILEWRIGHT_ID_SET_H

#include <stdlib.h>
#include <string.h>

#include <tilewright/base.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_id_set {
	uint64_t *words;
	int32_t n_words;
};

/* For numbers below `capacity`; empty. TW_NOMEM: nothing is left allocated. */
static inline int tw_id_set_init(struct tw_id_set *set, int32_t capacity)
{
	set->n_words = capacity / 64 + 1;
	set->words = (uint64_t *)calloc((size_t)set->n_words, sizeof *set->words);
	return set->words ? TW_OK : TW_NOMEM;
}

static inline void tw_id_set_finish(struct tw_id_set *set)
{
	free(set->words);
	set->words = NULL;
	set->n_words = 0;
}

/* Puts the number in, or takes it out. */
static inline void tw_id_set_put(struct tw_id_set *set, int32_t id, bool inside)
{
	uint64_t bit = UINT64_C(1) << id % 64;
	if (inside)
		set->words[id / 64] |= bit;
	else
		set->words[id / 64] &= ~bit;
}

static inline void tw_id_set_clear(struct tw_id_set *set)
{
	memset(set->words, 0, (size_t)set->n_words * sizeof *set->words);
}

static inline bool tw_id_set_has(const struct tw_id_set *set, int32_t id) { return set->words[id / 64] >> id % 64 & 1; }

/* The least number from `id` on that is in the set and, unless it is NULL, in the other one of the same capacity; TW_NONE: there is
 * none. */
static inline int32_t tw_id_set_next(const struct tw_id_set *set, const struct tw_id_set *other, int32_t id)
{
	uint64_t mask = UINT64_MAX << id % 64;
	for (int32_t word = id / 64; word < set->n_words; word++) {
		uint64_t bits = set->words[word] & mask & (other ? other->words[word] : UINT64_MAX);
		if (bits)
			return word * 64 + __builtin_ctzll(bits);
		mask = UINT64_MAX;
	}
	return TW_NONE;
}

/* The number behind `id` in the circle that begins at `first`, whose first number is the one from there on; TW_NONE: that was the last.
 * Begin with id = TW_NONE. */
static inline int32_t tw_id_set_next_in_circle(const struct tw_id_set *set, const struct tw_id_set *other,
                                               int32_t first, int32_t id)
{
	int32_t next = TW_NONE;
	if (id == TW_NONE || id >= first)
		next = tw_id_set_next(set, other, id == TW_NONE ? first : id + 1);
	if (next != TW_NONE)
		return next;
	next = tw_id_set_next(set, other, id == TW_NONE || id >= first ? 0 : id + 1);
	return next < first ? next : (int32_t)TW_NONE;
}

#ifdef __cplusplus
}
#endif
#endif
