/* The memory that a task is closest to, and the order in which workers visit task lists kept by memory. The formulas
 * are those of Bramas 2019 (Impact study of data locality on task-based applications through the Heteroprio
 * scheduler), section "Introducing LAHeteroprio". */
#ifndef TILEWRIGHT_LOCALITY_H
#define TILEWRIGHT_LOCALITY_H

#include <tilewright/containers.h>
#include <tilewright/sched.h>

/* Data locality affinity formulas that use a task's data and their memories. */
enum tw_locality {
	TW_LS_SDH,  /* eq. 6: bytes that the memory hosts */
	TW_LS_SDH2, /* eq. 7: the same, but squared for each handle that is written */
	TW_LS_SDHB, /* eq. 8: the same, but written bytes multiplied by the number of written handles and by 1000 */
	TW_LC_SMWB, /* eq. 9: a cost: bytes that the memory does not host; written bytes weigh up to twice as much */
	TW_N_LOCALITIES
};

enum { TW_SDHB_THETA = 1000 };

/* A handle of a task, except scratch. All sets of memories here have the capacity n_nodes. */
struct tw_located {
	uint64_t bytes;
	bool written; /* or updated */
	struct tw_id_set hosts;
};

/* Entries for the handles of any task, each with an empty set. NULL: out of memory. */
struct tw_located *tw_located_create(tw_node n_nodes);
void tw_located_destroy(struct tw_located *data);

/* Fills `data`, which is from tw_located_create. Returns the number of filled entries. */
int tw_locate(const struct tw_sched *, tw_task, struct tw_located *data);

/* The greater the better; a cost is negative. */
double tw_locality_score(enum tw_locality, const struct tw_located *data, int n, tw_node);

/* Fills best[TW_N_LOCALITIES]: for each formula, the memories in `among` with the best score. */
void tw_locality_best(const struct tw_located *data, int n, const struct tw_id_set *among, struct tw_id_set *best);

/* Fills `best` with the memories in `among` that have the least predicted time of transfers for the task. */
void tw_cheapest_nodes(const struct tw_sched *, tw_task, const struct tw_id_set *among, struct tw_id_set *best);

/* `here` if it is in the set, else the highest number. The set is not empty. */
tw_node tw_choose_node(const struct tw_id_set *best, tw_node here);

/* Eq. 11, for the priorities `i` and `j` of the same n_buckets; 0 for a bucket that is not visited. The numbers of
 * visited buckets are n_i and n_j. The result is 1 for the same buckets in the same order. The more they differ, the
 * lower the result, so the closer they are. */
double tw_priority_distance(const int *i, const int *j, int n_buckets, int n_i, int n_j);

/* Eq. 12. */
double tw_locality_distance(double priority_distance, double transfer_distance, double alpha);

/* A list of the grid of buckets and memories. */
struct tw_grid_place {
	int priority; /* from 0: index in the order of buckets that the workers visit */
	tw_node node;
};

/* "Memory node subgroups": the order in which workers of `own` visit the lists of n_priorities buckets in n_nodes
 * memories. In their own memory and in the `group` closest ones they visit `stride` buckets at a time (the paper's l;
 * at least 1). Then they visit the other memories bucket by bucket. distance[node] is the distance from `own`; ties:
 * the memory with the higher number first, as in table 3. Only memories in `among` count, which includes `own`.
 * others[n_nodes] is scratch. Returns the number of places: n_priorities * |among|. */
int tw_grid_order(struct tw_grid_place *order, tw_node own, int n_nodes, const struct tw_id_set *among,
                  const double *distance, int n_priorities, int group, int stride, tw_node *others);

#endif
