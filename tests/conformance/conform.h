/* What every policy owes, whatever the graph, the node and the memories: it completes, its schedule is valid, and a second
 * run gives the same bytes. */
#ifndef CONFORM_H
#define CONFORM_H

#include "world.h"

enum memory {
	AMPLE,   /* none is bounded */
	TIGHT,   /* of what is bounded, a multiple of the least: scene_open's `times_least` */
	TIGHTEST /* with one byte less the run would be refused */
};

/* A workload on some workers of a platform; accelerators' memories are bounded, and where there are none, main memory, so
 * that data come from the disk of a platform that has one. */
struct scene {
	struct tw__scene *loaded; /* owns what `world` points at */
	struct world world;
	const char *runtime;
	char command[512]; /* to run it by hand, but for policy, eviction and seed */
};

/* False, with the reason in `err`: there is no such scene. The request belongs to the caller and outlives the scene. */
bool scene_open(struct scene *, const struct tw__request *, const char *runtime, enum memory, double times_least,
                struct tw_error *err);
void scene_close(struct scene *);

enum verdict { CONFORMS, REFUSED, FAILS };
/* Runs it twice. FAILS: a line on stderr says what failed; REFUSED: policy and eviction do not take each other or the
 * graph, as `why` says. `command` tells how to see it by hand; `bound_s` is a bound that was found once for all runs, as it takes long. */
enum verdict conforms(const struct world *, const struct setting *, const char *command, double bound_s,
                      struct tw_error *why);

#endif
