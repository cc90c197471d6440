/* Heteroprio's buckets. The papers are Bramas 2019 (Impact study of data locality on task-based applications through
 * the Heteroprio scheduler), section "Heteroprio", and Agullo et al. 2016 (Task-based FMM for heterogeneous
 * architectures).
 *
 * A bucket holds the ready tasks of one operation: kernels of one name that run on the same archs. Each arch visits
 * the buckets in its own order, so that workers do first the operations that they are good at. Each bucket has a
 * fastest arch and a slowdown factor for the others. Slower archs may take from the bucket only while it holds enough
 * tasks for the fast one. The lists of tasks belong to the policy. */
#ifndef TILEWRIGHT_BUCKETS_H
#define TILEWRIGHT_BUCKETS_H

#include <math.h>

#include <tilewright/params.h>
#include <tilewright/task_queue.h>

#include "policies/support/learned_order.h"

struct tw_standing {
	int rank, bucket;
	double score;
};

struct tw_bucket {
	int name;        /* number of its kernels' name: equal names have equal numbers */
	int namesake;    /* an older bucket of that name with other archs; TW_NONE: there is none */
	uint64_t archs;  /* bit a: arch a has workers, and they can run its tasks */
	int32_t n_ready; /* tasks in it now */
	int32_t n_seen;  /* number of tasks summed in `seconds` */
	tw_arch fastest; /* by those sums; ties: the first arch */
	double *seconds; /* [archs] sum of task times */
};

struct tw_buckets {
	int n, capacity, n_archs, n_kernels;
	struct tw_bucket *of;
	tw_worker *example;   /* [archs] a worker of that arch; TW_NONE: no worker */
	bool *is_accelerator; /* [archs] */
	int *n_workers;       /* [archs] */
	tw_arch *type_of;     /* [archs] first arch of its type: see tw_buckets_init */
	int **order;          /* [archs][n_ordered] buckets in the order of visits */
	int *n_ordered;       /* [archs] */
	int *name_of;         /* [kernels] */
	int *last_of;         /* [kernels] bucket of its last task; TW_NONE: no task yet */
	int *newest_of;       /* [kernels, by name] newest bucket of that name */
	struct tw_standing *standings;
	/* [kernels, by name] place in the user's order: for processors, for accelerators; INT_MAX: not in it */
	int *rank[2];
	bool learns, at_least, newest;
	struct tw_learned_order learned; /* with `learns`; its operations are the buckets */
	double factor;
	unsigned sorted; /* increases whenever orders may have changed */
};

/* Parameters that tw_buckets_init reads: TW_BUCKETS_PARAMS always, TW_BUCKETS_RULES if the policy does not learn. */
#define TW_BUCKETS_PARAMS                                                                                         \
	{"cpu", TW_PARAM_TEXT, "", 0, 0, NULL, "kernels that CPUs take first, in this order: potrf+trsm"},        \
		{"gpu", TW_PARAM_TEXT, "", 0, 0, NULL, "kernels that GPUs take first, in this order: gemm+syrk"}, \
	{                                                                                                         \
		"factor", TW_PARAM_REAL, "1", 0, INFINITY, NULL,                                                  \
			"multiplier of the speedup factors; 0: slow workers are never held back"                  \
	}
#define TW_BUCKETS_RULES                                                                                          \
	{"newest", TW_PARAM_FLAG, "no", 0, 0, NULL, "yes: the newest task of a list first; no: the oldest"},      \
	{                                                                                                         \
		"at_least", TW_PARAM_FLAG, "no", 0, 0, NULL,                                                      \
			"slow workers take from a bucket: yes: of at least the limit; no: of more than the limit" \
	}

/* Two archs are one type of processing unit if both are processors or both accelerators, with the same number of
 * cores. Their times for all tasks of the graph together must be within 10 % of each other. (Some platforms have
 * separate times for each of several equal GPUs.) Archs of one type are not compared with each other.
 * With `learns`, orders and factors are learnt during the run, by the rules of StarPU 1.4 (learned_order.h).
 * Otherwise they follow from the kernel times of all tasks of the graph.
 * TW_INVALID: the parameters name kernels that the graph does not have. The caller finishes the buckets in any case,
 * also after an error. */
int tw_buckets_init(struct tw_buckets *, const struct tw_sched *, const char *policy, bool learns,
                    struct tw_error *err);
void tw_buckets_finish(struct tw_buckets *);

/* Returns the bucket of a ready task, which now counts as in it; makes a new one if necessary. TW_NONE: out of
 * memory. O(archs). */
int tw_buckets_push(struct tw_buckets *, const struct tw_sched *, tw_task);
/* Takes the next task out of a list of the bucket; TW_NONE: the list is empty. */
tw_task tw_buckets_pop(struct tw_buckets *, int bucket, struct tw_task_queue *list);
/* A worker begins a task, and has ended a task; updates what is learnt. */
void tw_buckets_begin(struct tw_buckets *, const struct tw_sched *, tw_worker);
void tw_buckets_end(struct tw_buckets *, const struct tw_sched *, tw_task, tw_worker);

/* The mean time of the bucket's tasks on this arch, divided by that on the fastest arch. */
double tw_buckets_slowdown(const struct tw_buckets *, int bucket, tw_arch);

/* Whether workers of an arch that visits the bucket may take a task out of it now ("Speedup factors"). The fastest
 * type always may. Others may while the bucket holds more than N * S tasks: N is the number of workers of the fastest
 * type, and S the slowdown of the others. */
bool tw_buckets_may_take(const struct tw_buckets *, int bucket, tw_arch);

/* The comparison with N * S. */
bool tw_holds_enough(int32_t n_ready, int n_fastest, double slowdown, bool at_least);

#endif
