/* Counts things by a key, for each of two runs. */
#ifndef TW__EXPLAIN_TALLY_H
#define TW__EXPLAIN_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tw__count {
	uint64_t key;
	int64_t n[2];
	uint64_t bytes[2];
};

/* Starts as all zeros. */
struct tw__tally {
	struct tw__count *counts;
	size_t n, capacity;
	bool out_of_memory; /* whether something was not counted; stays true */
};

/* Counts one thing of `run`, which is 0 or 1. */
void tw__tally_add(struct tw__tally *, uint64_t key, int run, uint64_t bytes);
/* Makes one count of all counts with one key, and sorts them by key. */
void tw__tally_fold(struct tw__tally *);
void tw__tally_finish(struct tw__tally *);

#endif
