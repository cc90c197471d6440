/* Which memory a task is closest to, and in which order workers visit lists of tasks kept by memory: the formulas of Bramas
 * 2019 (Impact study of data locality on task-based applications through the Heteroprio scheduler), section "Introducing
 * LAHeteroprio". A help for policies. */
#ifndef TILEWRIGHT_LOCALITY_H
#define TILEWRIGHT_LOCALITY_H

#include <tilewright/sched.h>

/* Data locality affinity formulas that look at a task's data and where they are. */
enum tw_locality {
	TW_LS_SDH,  /* eq. 6: bytes that the memory hosts */
	TW_LS_SDH2, /* eq. 7: the same, with the square of those of each data that is written */
	TW_LS_SDHB, /* eq. 8: those written times their number times 1000 */
	TW_LC_SMWB, /* eq. 9: a cost: bytes it does not host, those written weighing up to twice as much */
	TW_N_LOCALITIES
};

enum { TW_SDHB_THETA = 1000 };

/* A task's data; scratch is left out. Sets of memories are bits: 1 << node, so a run has at most 64 of them. */
struct tw_located {
	uint64_t bytes;
	bool written; /* or updated */
	uint64_t hosts;
};

/* Fills `data` (TW_MAX_ACCESSES are enough) and returns how many there are. O(accesses * memories). */
int tw_locate(const struct tw_sched *, tw_task, struct tw_located *data);

/* The more the better: a cost is negative. */
double tw_locality_score(enum tw_locality, const struct tw_located *data, int n, tw_node);

/* Those of the memories `among` that score best: several if they are equal. */
uint64_t tw_locality_best(enum tw_locality, const struct tw_located *data, int n, uint64_t among);

/* Eq. 11. `i` and `j` hold the priorities of the same n_buckets, 0 of a bucket that is not visited; n_i and n_j are how many
 * are. 1: both visit the same buckets in the same order; the more they differ, the closer they are. */
double tw_priority_distance(const int *i, const int *j, int n_buckets, int n_i, int n_j);

/* Eq. 12. */
double tw_locality_distance(double priority_distance, double transfer_distance, double alpha);

/* A list of the grid. */
struct tw_grid_place {
	int priority; /* from 0: the how maniest bucket of those that the workers visit */
	tw_node node;
};

/* "Memory node subgroups": the order in which workers of `own` visit the lists of their n_priorities buckets in all n_nodes
 * memories. Of their own and of the `group` closest memories they take `stride` buckets at a time (paper: l; at least 1), then
 * bucket after bucket of the others. distance[node] is that from `own`; of two at one distance the one with the higher number
 * is visited first, as in table 3. Only the memories in `among` count, `own` is one of them. Returns the number of places: n_priorities *
 * |among|. */
int tw_grid_order(struct tw_grid_place *order, tw_node own, int n_nodes, uint64_t among, const double *distance,
                  int n_priorities, int group, int stride);

#endif
