/* Finds the memory that a task is closest to, and the order in which workers visit task lists that are kept by memory.
 * The formulas are those of Bramas 2019, section "Introducing LAHeteroprio" ("Impact study of data locality on
 * task-based applications through the Heteroprio scheduler"). */
#ifndef TILEWRIGHT_LOCALITY_H
#define TILEWRIGHT_LOCALITY_H

#include <tilewright/containers.h>
#include <tilewright/sched.h>

/* Formulas that score a memory for a task, from the task's handles and the memories that have them. To host a handle
 * means to have a valid copy. */
enum tw_locality {
	TW_LS_SDH,  /* eq. 6: bytes of the task that the memory hosts */
	TW_LS_SDH2, /* eq. 7: bytes of the task that the memory hosts, squared for each handle that the task writes */
	/* eq. 8: bytes that the memory hosts; those that the task writes are multiplied by the number of such handles
	 * and by 1000 */
	TW_LS_SDHB,
	/* eq. 9, a cost: bytes of the task that the memory does not host; bytes that the task writes weigh up to twice
	 * as much */
	TW_LC_SMWB,
	TW_N_LOCALITIES
};

enum { TW_SDHB_THETA = 1000 };

/* A handle that a task accesses, except scratch. `hosts` is the set of memories with a valid copy. All sets of memories
 * in this file have the capacity n_nodes. */
struct tw_located {
	uint64_t bytes;
	bool written; /* whether the task writes or updates the handle */
	struct tw_id_set hosts;
};

/* Returns entries for the handles of any task, each with an empty set, in memory of the run. */
struct tw_located *tw_located_create(const struct tw_sched *, tw_node n_nodes);

/* Fills data[], which is from tw_located_create, with the handles of the task, except scratch. Returns their number.
 * O(accesses * words of a set). */
int tw_locate(const struct tw_sched *, tw_task, struct tw_located *data);

/* Returns the score of the memory for a task with the n handles data[]. A greater score is better; a cost is
 * negative. */
double tw_locality_score(enum tw_locality, const struct tw_located *data, int n, tw_node);

/* Fills best[TW_N_LOCALITIES]: for each formula, the set of those memories in `among` that have the best score. */
void tw_locality_best(const struct tw_located *data, int n, const struct tw_id_set *among, struct tw_id_set *best);

/* Sets *best to those memories in `among` that have the least predicted transfer time for the task. Fills
 * seconds[nodes] with these times. */
void tw_cheapest_nodes(const struct tw_sched *, tw_task, const struct tw_id_set *among, double *seconds,
                       struct tw_id_set *best);

/* Returns one of the best memories: `here` if it is one of them, else the one with the highest number. The set must not
 * be empty. */
tw_node tw_choose_node(const struct tw_id_set *best, tw_node here);

/* Returns the priority distance of two archs (eq. 11), from the order in which they visit n_buckets buckets. The arrays
 * i[bucket] and j[bucket] have the priorities of the buckets for each arch; 0: the arch does not visit the bucket. The
 * archs visit n_i and n_j buckets. The result is 1 for the same buckets in the same order. The more the orders differ,
 * the lower is the result: such archs count as close. */
double tw_priority_distance(const int *i, const int *j, int n_buckets, int n_i, int n_j);

/* Returns the distance between two memories (eq. 12): the mean of both distances. The first has the weight `alpha`, the
 * second the weight 1 - alpha. */
double tw_locality_distance(double priority_distance, double transfer_distance, double alpha);

/* A task list in the grid of buckets and memories. */
struct tw_grid_place {
	int priority; /* place, from 0, of the bucket in the order in which the workers visit buckets */
	tw_node node;
};

/* Fills order[] with the order in which workers of memory `own` visit the task lists of n_priorities buckets in n_nodes
 * memories (section "Memory node subgroups"). In their own memory and in the `group` closest ones, they visit `stride`
 * buckets at a time (the paper's l; at least 1). Then they visit the other memories bucket by bucket. distance[node] is
 * the distance of a memory from `own`. Ties: the memory with the higher number first, as in table 3. Only memories in
 * the set `among` count, which includes `own`. others[n_nodes] is scratch. Returns the number of places in order[]:
 * n_priorities * |among|. */
int tw_grid_order(struct tw_grid_place *order, tw_node own, int n_nodes, const struct tw_id_set *among,
                  const double *distance, int n_priorities, int group, int stride, tw_node *others);

#endif
