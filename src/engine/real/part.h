/* A part of a workload's graph that is enough to time its kernels: a few tasks of each, and the handles that these access. */
#ifndef TW__PART_H
#define TW__PART_H

#include "graph/graph.h"

/* Handles of the part's graph come in sets of `n_handles`, one set behind the other, so that several workers can run the same tasks at the same
 * time. The graph's tasks access the first set. Behind the last set are the rooms, which no task accesses. */
struct tw__part {
	struct tw_graph *graph; /* its kernels have the numbers that they have in the workload's graph */
	tw_data n_handles;
	int n_sets, n_rooms;
	tw_data *origin;  /* [handles of the graph] the workload's handle; TW_NONE: it has no content of its own */
	unsigned *mode;   /* [accesses of the graph] enum tw_mode, as engine.h's struct tw__placed has it */
	bool *is_written; /* [n_handles] a task changes it */
};

struct tw__part_setup {
	const struct tw_graph *graph;
	int n_sets;
	int least_tasks;       /* of each kernel, if there are so many; more ... */
	uint64_t enough_bytes; /* ... until a set has so many bytes, so that it does not stay in a cache as a whole */
	int n_rooms;
	uint64_t room_bytes;
};

/* The first tasks, in the order of submission. A kernel that combines accumulators gets one. TW_NOMEM. */
int tw__part_create(struct tw__part *, const struct tw__part_setup *, struct tw_error *err);
void tw__part_finish(struct tw__part *);

static inline tw_data tw__part_handle(const struct tw__part *p, int set, tw_data handle)
{
	return set * p->n_handles + handle;
}
static inline tw_data tw__part_room(const struct tw__part *p, int room) { return p->n_sets * p->n_handles + room; }

#endif
