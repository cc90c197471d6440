/* Hierarchical Fair Packing (HFP of Gonthier, Marchal, Thibault 2021, "Our contribution"): tasks that share data are grouped
 * into packages whose data fit in a memory, and these into greater ones, so that a data is reused while it is there. A help
 * for policies.
 *
 * At first each task is a package. A round: among the packages P_i with the fewest tasks that can merge, couples (P_i, P_j) that
 * share the most, such that the data of both fit in the memory, merge, each package once. Rounds go on until nothing can
 * merge, then without limit, until as many packages are left as were asked for.
 *
 * Package flipping: where two meet, "we look at the extremities of each package", that is at the sub-packages it was last
 * merged of, "to put one after another the extremities sharing the most data": P_i is reversed if its start is to meet
 * P_j, P_j if its end is to meet P_i.
 *
 * Where the paper is silent: sharing is counted in bytes; below the limit, only packages that share something merge; of an
 * extremity counts what fits in the memory, since nothing else of it can still be there. Ties: couples by
 * the number of P_i, then the tasks of P_j, the most first (if they share something), then its number, numbers being those of
 * the first submitted of their tasks; of the four ways to meet, no reversal first, then P_j, then P_i. That the greater P_j goes
 * first is inferred from the loads of 2D products measured on a V100: so all sixteen sizes are within 10 %, by the number alone
 * two are not (docs/evidence/fidelity.md). */
#ifndef TILEWRIGHT_PACKING_H
#define TILEWRIGHT_PACKING_H

#include "policies/support/sharing.h"

struct tw_merge {
	tw_task i, j; /* the packages, by the first submitted of their tasks */
	int32_t round;
	bool limited; /* the memory's size was a limit still */
	bool i_reversed, j_reversed;
};

struct tw_packages {
	int32_t n;      /* by the first submitted of their tasks */
	int32_t *first; /* [n + 1] the tasks of package p: tasks[first[p]] .. tasks[first[p + 1] - 1] */
	tw_task *tasks;
	struct tw_merge *merges; /* what was done, in order */
	int32_t n_merges;
};

struct tw_packing {
	uint64_t memory_bytes;
	int32_t packages; /* to stop at; above 0 */
	bool flip;
};

/* Packs n tasks, given in ascending order. When a package comes to have the fewest tasks, and again when its turn
 * has come, the packages of each of its data are looked at: it is these looks that take the time, where the paper
 * compares all pairs in each round. Those that have looked, or have merged in the round, are mostly spared. A merge goes
 * through the data of both, and copies their tasks. TW_NOMEM: nothing is left allocated. */
int tw_pack(struct tw_packages *, const struct tw_sharing *, const tw_task *tasks, tw_task n,
            const struct tw_packing *);
void tw_packages_finish(struct tw_packages *);

#endif
