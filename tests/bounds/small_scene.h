/* Small random scheduling problems, and all their schedules, for the tests of optima. The rules of schedules are those
 * of docs/reference/optimum.md, read from the accesses of tasks. */
#ifndef SMALL_SCENE_H
#define SMALL_SCENE_H

#include "random_world.h"

enum { MOST_TASKS = 12, MOST_ACCESSES = 3, MOST_DATA = 8, MOST_WORKERS = 4, MOST_MEMORIES = 4 };

static const uint64_t ms = 1000 * 1000;

struct task {
	int n_accesses;
	struct tw_access accesses[MOST_ACCESSES];
	tw__ns length[MOST_WORKERS]; /* on each worker; TW__NEVER: it cannot run there */
};

struct scene {
	struct world world;
	bool off; /* without transfers */
	int n_tasks, n_workers;
	struct task tasks[MOST_TASKS];
	int memory[MOST_WORKERS]; /* 0: main memory; 1 + GPU */
	uint64_t bytes[MOST_DATA];
};

/* A schedule that grows: places and ends of the tasks in `done`. */
struct grown {
	const struct scene *s;
	unsigned done;
	int worker[MOST_TASKS];
	tw__ns start[MOST_TASKS], end[MOST_TASKS], free_at[MOST_WORKERS], best;
};

/* The platform's file: six cores and three GPUs. G0 and G1 are equal, and joined by a link of their own. */
extern const char small_node[];

/* Makes a random scene. Odd seeds: without transfers. `coarse`: all times are few whole milliseconds. */
void scene_init(struct scene *, uint64_t seed, int least_tasks, int most_tasks, bool coarse);
/* Makes the graph of the scene's tasks and handles. */
void make_graph(struct scene *);

/* Returns when task t can start in that memory, by the accesses of the tasks submitted before it; TW__NEVER: one of
 * them is not done. */
tw__ns ready_at(const struct grown *, int t, int memory);
/* Appends each task that can be next to each worker's list, and starts it as early as it can. Each order of tasks on
 * each worker comes up, so a worker also waits for a task while it could run others. Sets `best`. */
void append(struct grown *, tw__ns makespan);
/* Starts task t on each worker at each millisecond, whether it could start earlier or not. Sets `best`. */
void place(struct grown *, int t, tw__ns makespan);

#endif
