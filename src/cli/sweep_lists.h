/* The list options of `tilewright sweep`. Each combination of their values is a point. */
#ifndef TW__SWEEP_LISTS_H
#define TW__SWEEP_LISTS_H

#include "cli/words.h"
#include "sweep/sweep.h"

enum { SWEEP_MAX_POINTS = 10000000 };

struct sweep_lists {
	struct words platforms, workloads, communications, cpu_groups, runtimes, noises, policies, evictions;
	struct words expanded; /* the workloads, expanded by --nt and --nb */
	struct ints nt, nb, cpus, gpus;
	struct sizes gpu_mem;
	struct reals belief_errors;
	struct seeds seeds;
	int repeat;
};

/* Whether the option with this letter takes a list. */
bool sweep_lists_has(int option);
int sweep_lists_take(struct sweep_lists *, int option, const char *text, struct tw_error *err);
/* Checks that the lists fit together, and expands workloads by --nt and --nb. */
int sweep_lists_check(struct sweep_lists *, struct tw_error *err);
/* Sets the lists of `sweep`, which then points into these lists. */
void sweep_lists_fill(struct tw__sweep *, const struct sweep_lists *);
void sweep_lists_finish(struct sweep_lists *);

#endif
