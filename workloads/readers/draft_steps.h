/* The steps from a draft to a graph. draft_submit.c calls them. */
#ifndef TW__DRAFT_STEPS_H
#define TW__DRAFT_STEPS_H

#include "readers/draft.h"

/* The predecessors or successors of all jobs. Those of job j are job[start[j]] .. job[start[j + 1] - 1]. */
struct tw__neighbours {
	uint32_t *start;
	int32_t *job;
};

/* Collects the predecessors of all jobs, or else their successors, in the order of the draft's edges. */
struct tw__neighbours tw__neighbours_of(const struct tw__draft *, bool predecessors);
void tw__neighbours_finish(struct tw__neighbours *);

/* Returns all jobs in a topological order; ties: by their `order`, then by their indices. The caller frees the list. A
 * cycle is an error. */
int32_t *tw__draft_order(struct tw__draft *, const struct tw__neighbours *predecessors);

/* The accesses of a draft by job: those of job j are draft->accesses[place[i]] for start[j] <= i < start[j + 1]. */
struct tw__draft_accesses {
	uint32_t *start, *place;
	int32_t *holder; /* [n_data] the last listed job that accesses the handle */
	uint32_t *held;  /* [n_data] index of the handle in that job's list */
	struct tw_access *list;
	size_t list_capacity;
};

void tw__draft_accesses_init(struct tw__draft_accesses *, const struct tw__draft *);
void tw__draft_accesses_finish(struct tw__draft_accesses *);

/* Applies each hint: sets TW__LAST_WRITE on the last write of the group's handles before the hint. */
void tw__draft_place_hints(struct tw__draft *, const struct tw__draft_accesses *);

/* For a replay: replaces the order of the program by that of the recorded starts, and renumbers the
 * workers of each kind from 0. */
void tw__draft_order_as_recorded(struct tw__draft *);

#endif
