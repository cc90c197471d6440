/* Hierarchical Fair Packing (HFP of Gonthier, Marchal, Thibault 2021, "Our contribution"). Tasks that share data are
 * packed into packages whose data fit in a memory, and these packages into larger ones. So a handle is reused while it
 * is in the memory.
 *
 * Initially each task is a package. Each round considers the packages P_i with the fewest tasks that can still merge.
 * Each P_i merges with the package P_j with which it shares the most, if the data of both fit in the memory. In a round
 * each package merges once at most. Rounds go on until no package can merge. Then they go on without the memory limit,
 * until the requested number of packages is left.
 *
 * Package flipping: when two packages merge, "we look at the extremities of each package, to put one after another the
 * extremities sharing the most data". The extremities are the two sub-packages that a package was merged from. P_i is
 * reversed if its start is to meet P_j, and P_j is reversed if its end is to meet P_i.
 *
 * Choices where the paper is silent:
 * - The data that packages share are counted in bytes, not in handles.
 * - Below the memory limit, only packages that share data merge.
 * - Of an extremity only the part that fits in the memory counts, since its other data can no longer be in the memory.
 * - The number of a package is the number of its first submitted task. Pairs merge in the order of the numbers of P_i.
 *   Ties of P_j: the most tasks (if it shares data), then the lowest number.
 * - Ties of flipping: no reversal, then P_j reversed, then P_i reversed.
 *
 * The preference for the P_j with the most tasks is inferred from the measured loads of 2D products on a V100. With it
 * all sixteen sizes are within 10 %; by the number alone two sizes are not (docs/evidence/fidelity.md). */
#ifndef TILEWRIGHT_PACKING_H
#define TILEWRIGHT_PACKING_H

#include "policies/support/sharing.h"

struct tw_merge {
	tw_task i, j; /* the numbers of the packages that merged, P_i and P_j */
	int32_t round;
	bool limited; /* whether the memory limit still applied */
	bool i_reversed, j_reversed;
};

struct tw_packages {
	int32_t n;      /* number of packages; packages are in ascending order of their numbers */
	int32_t *first; /* [n + 1] the tasks of package p are tasks[first[p]] .. tasks[first[p + 1] - 1] */
	tw_task *tasks;
	/* [n_merges] the merges, in the order in which they were made; NULL if they are not to be listed */
	struct tw_merge *merges;
	int32_t n_merges;
	int64_t looks; /* number of steps that compared packages: one for each package that has a handle looked for */
};

struct tw_packing {
	uint64_t memory_bytes;
	int32_t packages; /* number of packages at which merging stops; above 0 */
	bool flip;
	bool lists_merges; /* whether the result has `merges` */
};

/* Packs n tasks, given in ascending order. The time goes into comparing a package with the packages that share its
 * handles. This happens when the package comes to have the fewest tasks, and again when its turn comes. (The paper
 * compares all pairs in each round.) Packages that were already compared or merged in the round are mostly skipped. A
 * merge costs O(handles of both packages), and copies their tasks. */
struct tw_packages tw_pack(const struct tw_sharing *, const tw_task *tasks, tw_task n, const struct tw_packing *);
void tw_packages_finish(struct tw_packages *);

#endif
