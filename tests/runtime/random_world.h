/* Random task graphs on random small nodes, with memories that are barely large enough. */
#ifndef RANDOM_WORLD_H
#define RANDOM_WORLD_H

#include "world.h"

enum shape {
	PEERS = 1,     /* the cards have peer routes; else transfers between cards go through main memory */
	DISK = 2,      /* main memory is bounded, too */
	EQUAL = 4,     /* all handles have the same size */
	PICKY = 8,     /* some kernels run only on some workers */
	REDUCING = 16, /* the graph has reductions and scratch data */
	N_SHAPES = 32,
	RECORDED = 32, /* some tasks have seconds of their own on some archs */
	N_SHAPES_RECORDED = 64,
	MAINS = 64,      /* two to four main memories, each with cores; not with DISK */
	WIDE = 128,      /* up to four cores can run a task together */
	DIVIDED = 256,   /* some handles are divided, and parts of them, too; not with DISK */
	RECURSIVE = 512, /* some tasks are recursive; only with DIVIDED */
	STREAMS = 1024   /* three workers share each card */
};

/* Specifications of runtime models with various parameters. */
enum { N_RANDOM_RUNTIMES = 10 };
extern const char *const random_runtimes[N_RANDOM_RUNTIMES];

/* Makes a world whose tasks fit under the runtime model. The same seed gives the same world. */
void random_world(struct world *, uint64_t seed, unsigned shape, const char *runtime);

/* Set by a test: handles of some seeds have places on cards at the start or the end. Not for several graphs in one,
 * whose handles need not fit there together. */
extern bool random_places;

struct tw__random;

/* Any policy but replay, which needs records. */
const char *random_policy(struct tw__random *);

/* The number of runs, or of the first one, that the environment gives: COUNT, FIRST. */
int random_number(const char *name, int fallback);

#endif
