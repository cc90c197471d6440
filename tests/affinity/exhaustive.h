/* The shortest schedule of a small graph without transfer times, by exhaustive search. */
#ifndef EXHAUSTIVE_H
#define EXHAUSTIVE_H

#include "world.h"

enum { MAX_SMALL_TASKS = 8 };

/* A platform with two kinds of GPU and two cores, without transfer times. Its random graph has 2 to 8 tasks, each of
 * a kernel of its own, whose times differ between workers. */
void small_world(struct world *, uint64_t seed);
/* The same with a part of its workers. */
void small_world_of(struct world *, uint64_t seed, int cpus, int gpus);

/* In seconds. */
double shortest_makespan(const struct world *);

#endif
