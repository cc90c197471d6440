/* The values of options that choose a part of a platform: groups of cores, and bounds on memories. */
#ifndef TW__CHOICE_H
#define TW__CHOICE_H

#include "platform/platform.h"

/* Parses a list of groups of cores such as "10+5+5", from option --cpu-groups, into the numbers of cores of its groups,
 * each from 1 to TW__MAX_WORKERS. *n: the number of groups. The caller frees *cores.
 *
 * Each group is one worker, whose kernels run on all cores of the group at once. Beaumont et al. 2016, section IV-B,
 * divide 20 cores into groups, from "10+10" to twenty of one core. Augonnet 2011, section 4.2.2, describes such
 * parallel tasks. */
int tw__groups_parse(int **cores, int *n, const char *text, struct tw_error *err);

/* Parses the value of --gpu-workers, "N" or "N:slowdown=F": the number of workers of each card, and the time of a
 * kernel relative to the one on a card alone. Without F it is N: the workers have equal parts of the card's rate. NULL:
 * 1 and 1.
 *
 * Bramas 2019, section "Performance study: Configuration", has 3 to 18 such workers, by STARPU_NWORKER_PER_CUDA. */
enum { TW__MOST_GPU_WORKERS = 64 };
int tw__gpu_workers_parse(int *n, double *slowdown, const char *text, struct tw_error *err);

enum { TW__MOST_BOUNDS = 16 };
struct tw__bounds {
	int n;
	struct tw__bound {
		char node[64]; /* the memory's name */
		uint64_t bytes;
	} of[TW__MOST_BOUNDS];
};

/* Parses bounds on memories, "NODE=SIZE[,...]", from option --mem; `\,` is a comma of a name. NULL: no bounds. */
int tw__bounds_parse(struct tw__bounds *, const char *text, struct tw_error *err);

/* Returns the memory of this name; otherwise the one whose name differs only in upper and lower case; TW_NONE: there is
 * none. */
tw_node tw__memory_named(const struct tw__platform *, const char *name);

/* Returns how many of the first `gpus` accelerators need a CPU core that drives them. */
int tw__count_driven(const struct tw__platform *all, int gpus);

/* As tw__platform_select, for a single node. `bounds`: those of `choice`, which itself is not asked for them. */
int tw__node_select(struct tw__platform **, const struct tw__platform *, const struct tw__platform_choice *,
                    const struct tw__bounds *, struct tw_error *err);

#endif
