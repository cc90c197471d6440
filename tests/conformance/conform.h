/* The requirements on every policy, for any graph, node and memory sizes. A run completes, its schedule is valid, and
 * a second run gives the same bytes. */
#ifndef CONFORM_H
#define CONFORM_H

#include "world.h"

enum memory {
	AMPLE,   /* no memory is bounded */
	TIGHT,   /* bounded memories have a multiple of the least size: scene_open's `times_least` */
	TIGHTEST /* the least size: with one byte less the run would be refused */
};

/* A workload on some workers of a platform. The memories of accelerators are bounded. Without accelerators, main
 * memory is bounded if the platform has a disk, so that data come from the disk. */
struct scene {
	struct tw__scene *loaded; /* owns what `world` points at */
	struct world world;
	const char *runtime;
	char command[2048]; /* to run it by hand; lacks policy, eviction and seed */
};

/* Returns false, with the reason in `err`, if there is no such scene. The request belongs to the caller and must
 * outlive the scene. */
bool scene_open(struct scene *, const struct tw__request *, const char *runtime, enum memory, double times_least,
                struct tw_error *err);
void scene_close(struct scene *);

enum verdict {
	CONFORMS,
	UNDECIDED, /* conforms, but rounding decides an event of the native engine (enum twin in world.h) */
	COARSE,
	REFUSED,
	FAILS
};
/* Runs the scene twice. FAILS: stderr has the reason. REFUSED: policy and eviction refuse each other or the graph, and
 * `why` has the reason. The argument `command` tells how to run the scene by hand. The argument `bound_s` is a lower
 * bound of the makespan in seconds; it takes long, so the caller computes it once for all runs. */
enum verdict conforms(const struct world *, const struct setting *, const char *command, double bound_s,
                      struct tw_error *why);

#endif
