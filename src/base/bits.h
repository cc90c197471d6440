/* Bit sets of small numbers, such as memory nodes or workers, in an array of words. */
#ifndef TW__BITS_H
#define TW__BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the number of 64-bit words that a set of numbers below n needs. */
static inline size_t tw__bit_words(int n) { return ((size_t)n + 63) / 64; }

static inline bool tw__bit(const uint64_t *set, int i) { return set[(unsigned)i / 64] >> (unsigned)i % 64 & 1; }

static inline void tw__bit_put(uint64_t *set, int i, bool on)
{
	uint64_t bit = (uint64_t)1 << (unsigned)i % 64, *word = &set[(unsigned)i / 64];
	*word = on ? *word | bit : *word & ~bit;
}

/* Returns the lowest number >= `from` in the set, or -1 if there is none; `from` >= 0. Callers may change the set
 * between calls. */
static inline int tw__bit_next(const uint64_t *set, size_t words, int from)
{
	size_t word = (size_t)from / 64;
	if (word >= words)
		return -1;
	uint64_t bits = set[word] & ~(uint64_t)0 << (unsigned)from % 64;
	while (!bits) {
		if (++word == words)
			return -1;
		bits = set[word];
	}
	return (int)(64 * word) + __builtin_ctzll(bits);
}

#endif
