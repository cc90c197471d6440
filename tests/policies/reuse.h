/* A model of a memory, to compare eviction policies on thousands of cases. Tasks read handles of equal size in a
 * fixed order, and the memory holds `room` of them. The result is the number of loads. As in Gonthier, Marchal,
 * Thibault 2021, a handle leaves only when room is needed, and the inputs of the current task stay. */
#ifndef REUSE_H
#define REUSE_H

#include <tilewright/eviction.h>

enum { MAX_REUSE_DATA = 24, MAX_REUSE_TASKS = 80 };

struct reuse {
	int n_data, n_tasks, room;        /* room: number of handles that the memory holds */
	uint32_t inputs[MAX_REUSE_TASKS]; /* a bit for each handle; at most `room` of them */
};

struct reuse random_reuse(uint64_t seed, int max_data, int max_tasks, int max_room);

/* The first task from `task` on that uses the handle; TW_NEVER: there is none. */
int64_t reuse_next(const struct reuse *, int task, tw_data);

/* Loads with that eviction policy, which may use the scheduler. `*task` is the current task meanwhile. -1: the policy
 * chose a handle that must not leave. */
int reuse_loads(const struct reuse *, struct tw_sched *, const struct tw_eviction *, int *task);

/* The fewest loads, by exhaustive search; for at most 12 handles. */
int reuse_fewest_loads(const struct reuse *);

#endif
