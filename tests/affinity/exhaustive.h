/* The shortest schedule there is of a small graph, where transfers take no time: by trying them all. */
#ifndef EXHAUSTIVE_H
#define EXHAUSTIVE_H

#include "world.h"

enum { MAX_SMALL_TASKS = 8 };

/* A platform of two kinds of GPU and two cores, without communication, and a random graph of 2 to 8 tasks, each of a
 * kernel of its own whose times differ from worker to worker. */
void small_world(struct world *, uint64_t seed);
/* The same with some of its workers. */
void small_world_of(struct world *, uint64_t seed, int cpus, int gpus);

/* In seconds. */
double shortest_makespan(const struct world *);

#endif
