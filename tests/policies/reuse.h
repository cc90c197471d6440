/* Tasks that read data of one size in a fixed order, through a memory that holds so many: how often is one loaded? A model to
 * compare eviction policies in by the thousand. As in Gonthier, Marchal, Thibault 2021, a data leaves only when room is
 * needed, and the inputs of the task at hand stay. */
#ifndef REUSE_H
#define REUSE_H

#include <tilewright/eviction.h>

enum { MAX_REUSE_DATA = 24, MAX_REUSE_TASKS = 80 };

struct reuse {
	int n_data, n_tasks, room;        /* data that the memory holds at a time */
	uint32_t inputs[MAX_REUSE_TASKS]; /* a bit for each data; at most `room` of them */
};

struct reuse random_reuse(uint64_t seed, int max_data, int max_tasks, int max_room);

/* The first task from `task` on that uses the data; TW_NEVER: none. */
int64_t reuse_next(const struct reuse *, int task, tw_data);

/* With that eviction policy; a scheduler is there for its plug-in to ask. `*task` is the task at hand meanwhile. -1: it named
 * what must not leave. */
int reuse_loads(const struct reuse *, struct tw_sched *, const struct tw_eviction *, int *task);

/* The fewest, by trying everything: for at most 12 data. */
int reuse_fewest_loads(const struct reuse *);

#endif
