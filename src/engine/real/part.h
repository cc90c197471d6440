/* A part of a workload's graph that suffices to time the workload's kernels: a few tasks of each kernel, and the
 * handles that these tasks access. */
#ifndef TW__PART_H
#define TW__PART_H

#include "graph/graph.h"

/* The part's handles come in sets of `n_handles` handles each, one set after the other, so that several workers can run
 * the same tasks at the same time. The graph's tasks access the first set. Handles behind the last set are rooms: no
 * task accesses them, a bench copies them. */
struct tw__part {
	struct tw_graph *graph; /* graph of the part; its kernels have the same numbers as in the workload's graph */
	tw_data n_handles;
	int n_sets, n_rooms;
	tw_data *origin;  /* [handles of `graph`] the handle of the workload; TW_NONE: no initial content */
	unsigned *mode;   /* [accesses of `graph`] enum tw_mode, as in struct tw__placed of engine.h */
	bool *is_written; /* [n_handles] whether a task writes the handle */
};

struct tw__part_setup {
	const struct tw_graph *graph;
	int n_sets;
	int least_tasks;       /* least number of tasks of each kernel, if the workload has as many */
	uint64_t enough_bytes; /* further tasks are added until a set is this large, to exceed the caches */
	int n_rooms;
	uint64_t room_bytes;
};

/* Makes a part of the first tasks in the order of submission. A kernel that only combines accumulators gets one task.
 * Returns TW_OK or TW_NOMEM. */
int tw__part_create(struct tw__part *, const struct tw__part_setup *, struct tw_error *err);
void tw__part_finish(struct tw__part *);

static inline tw_data tw__part_handle(const struct tw__part *p, int set, tw_data handle)
{
	return set * p->n_handles + handle;
}
static inline tw_data tw__part_room(const struct tw__part *p, int room) { return p->n_sets * p->n_handles + room; }

#endif
