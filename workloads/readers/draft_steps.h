/* The steps from a draft to a graph, for draft_submit.c. */
#ifndef TW__DRAFT_STEPS_H
#define TW__DRAFT_STEPS_H

#include "readers/draft.h"

/* The neighbours of each job: those of job j are job[start[j]] up to, not including, job[start[j + 1]]. */
struct tw__neighbours {
	uint32_t *start;
	int32_t *job;
};

/* Predecessors, or else successors, in the order in which the draft got its edges. */
int tw__neighbours_init(struct tw__neighbours *, const struct tw__draft *, bool predecessors, struct tw_error *err);
void tw__neighbours_finish(struct tw__neighbours *);

/* All jobs, each behind its predecessors and, as far as these allow, by their `order`, then by their numbers. An error if
 * some wait for each other. malloc'ed. */
int tw__draft_order(int32_t **sequence, const struct tw__draft *, const struct tw__neighbours *predecessors,
                    struct tw_error *err);

/* The accesses of each job: those of job j are draft->accesses[place[i]], i from start[j] up to start[j + 1]. */
struct tw__draft_accesses {
	uint32_t *start, *place;
	int32_t *holder; /* [data] the last job listed that accesses it */
	uint32_t *held;  /* [data] where in that job's list */
};

int tw__draft_accesses_init(struct tw__draft_accesses *, const struct tw__draft *, struct tw_error *err);
void tw__draft_accesses_finish(struct tw__draft_accesses *);
/* Those of one job, as a graph takes them: each data once, at most TW_MAX_ACCESSES. malloc'ed. */
int tw__draft_accesses_list(struct tw__draft_accesses *, struct tw__draft *, int32_t job, struct tw_access **list,
                            int *n, struct tw_error *err);

/* Each hint becomes TW__LAST_WRITE in the access that it is about. */
int tw__draft_place_hints(struct tw__draft *, const struct tw__draft_accesses *, struct tw_error *err);

/* For a replay: the program's order becomes that of the recorded starts; the workers of a kind get numbers from 0. */
int tw__draft_order_as_recorded(struct tw__draft *, struct tw_error *err);

#endif
