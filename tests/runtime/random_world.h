/* Random task graphs on random small nodes with memories that are hardly great enough. */
#ifndef RANDOM_WORLD_H
#define RANDOM_WORLD_H

#include "world.h"

enum shape {
	PEERS = 1,     /* the cards have routes to each other; else they exchange through main memory */
	DISK = 2,      /* main memory is bounded too */
	EQUAL = 4,     /* all data have one size */
	PICKY = 8,     /* some kernels only run on some workers */
	REDUCING = 16, /* with reductions and scratch data */
	N_SHAPES = 32
};

/* Runtime profiles and parameters of many kinds. */
enum { N_RANDOM_RUNTIMES = 10 };
extern const char *const random_runtimes[N_RANDOM_RUNTIMES];

/* Fits the runtime profile it is meant for; the same seed makes the same world. */
void random_world(struct world *, uint64_t seed, unsigned shape, const char *runtime);

#endif
