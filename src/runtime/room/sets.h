/* Sets of handles that one memory must hold at the same time. Only this folder uses them. */
#ifndef TW__SETS_H
#define TW__SETS_H

#include "runtime/run.h"

/* Sizes, the greatest first. */
struct set {
	uint64_t bytes[TW_MAX_ACCESSES], sum; /* the sum saturates at UINT64_MAX */
	int n;
};

/* Of a task that runs on a worker of the memory; of a step that combines two accumulators. */
struct set tw__set_of_task(const struct tw__run_input *, tw_task, tw_node);
struct set tw__set_of_reduction(const struct tw__run_input *, int32_t phase);
/* *least: the smallest capacity that holds the set, if the memory is empty before. TW_NOMEM on failure. */
int tw__set_room(const struct set *, uint64_t chunk_bytes, uint64_t chunk_data_bytes, uint64_t *least);

/* One task of each sort. Tasks of one sort fit the same memories: they have one kernel, handles of the same sizes and
 * uses, and the same archs run them, as policies believe. Graphs have few sorts. */
struct unlike {
	tw_task *tasks; /* [n] the first of each sort, in the graph's order */
	size_t n, capacity;
	uint32_t *slots; /* [n_slots] a hash table of indices in `tasks`, plus 1; 0: free */
	size_t n_slots;
};

int tw__unlike_init(struct unlike *, const struct tw__run_input *); /* TW_NOMEM: finish is due all the same */
void tw__unlike_finish(struct unlike *);

#endif
