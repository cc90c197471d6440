/* Heteroprio's buckets: a help for policies after Bramas 2019 (Impact study of data locality on task-based applications
 * through the Heteroprio scheduler), section "Heteroprio", and Agullo et al. 2016 (Task-based FMM for heterogeneous architectures).
 *
 * A bucket holds the ready tasks of one operation: of kernels of one name that run on the same archs. Each arch visits
 * the buckets in an order of its own, so that workers do first what they are good at. Of each bucket the fastest arch is
 * known, and by which factor the others are slower; those may only take from it while it holds enough for the fast ones.
 * The lists of tasks are the policy's. */
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
	int name;        /* of its kernels: equal names have equal numbers */
	int namesake;    /* an older bucket of that name, for other archs; TW_NONE: there is none */
	uint64_t archs;  /* bit a: there are workers of arch a, and they can run its tasks */
	int32_t n_ready; /* tasks in it now */
	int32_t n_seen;  /* tasks that its times are sums over */
	tw_arch fastest; /* by those times; the first among equals */
	double *seconds; /* [archs] */
};

struct tw_buckets {
	int n, capacity, n_archs, n_kernels;
	struct tw_bucket *of;
	tw_worker *example;   /* [archs] a worker of that arch; TW_NONE: none takes part */
	bool *is_accelerator; /* [archs] */
	int *n_workers;       /* [archs] */
	tw_arch *type_of;     /* [archs] the first arch of its type: see tw_buckets_init */
	int **order;          /* [archs][n_ordered] the buckets that the arch visits, the first one first */
	int *n_ordered;       /* [archs] */
	int *name_of;         /* [kernels] */
	int *last_of;         /* [kernels] the bucket its last task went into; TW_NONE: it had none */
	int *newest_of;       /* [kernels, by name] bucket of that name */
	struct tw_standing *standings;
	int *rank[2]; /* [kernels, by name] place in the user's order for processors, for accelerators; INT_MAX: none */
	bool learns, at_least, newest;
	struct tw_learned_order learned; /* its operations are the buckets; if it `learns` */
	double factor;
	unsigned sorted; /* goes up whenever orders may have changed */
};

/* Rows of a policy's table of parameters, which tw_buckets_init reads: all alike; and where it does not learn. */
#define TW_BUCKETS_PARAMS                                                                                         \
	{"cpu", TW_PARAM_TEXT, "", 0, 0, NULL, "kernels that CPUs take first, in this order: potrf+trsm"},        \
		{"gpu", TW_PARAM_TEXT, "", 0, 0, NULL, "kernels that GPUs take first, in this order: gemm+syrk"}, \
	{                                                                                                         \
		"factor", TW_PARAM_REAL, "1", 0, INFINITY, NULL,                                                  \
			"by which speedup factors are multiplied; 0: slow workers are never held back"            \
	}
#define TW_BUCKETS_RULES                                                                                         \
	{"newest", TW_PARAM_FLAG, "no", 0, 0, NULL, "of the tasks in a list, the newest first; no: the oldest"}, \
	{                                                                                                        \
		"at_least", TW_PARAM_FLAG, "no", 0, 0, NULL,                                                     \
			"slow workers take from as many tasks as the limit; no: from more alone"                 \
	}

/* Archs are one type of processing unit if they are of one kind (processors or accelerators), with as many cores, and take, for
 * all tasks of the graph together, as long within a tenth: some platforms have times for each of several equal GPUs. Types are
 * compared with each other, not with themselves.
 * `learns`: orders and factors are learnt while the run goes on, by the rules of StarPU 1.4 (learned_order.h); else they follow
 * from the kernel times of all tasks of the graph.
 * TW_INVALID: the parameters name kernels that the graph does not have. The caller finishes the buckets in any case, also after an error. */
int tw_buckets_init(struct tw_buckets *, const struct tw_sched *, const char *policy, bool learns,
                    struct tw_error *err);
void tw_buckets_finish(struct tw_buckets *);

/* The bucket of a task that has become ready, which now counts as in it; found or made. TW_NONE: out of memory. O(archs). */
int tw_buckets_push(struct tw_buckets *, const struct tw_sched *, tw_task);
/* Takes the next task out of a list of that bucket; TW_NONE: the list is empty. */
tw_task tw_buckets_pop(struct tw_buckets *, int bucket, struct tw_task_queue *list);
/* A worker begins to run a task, and has ended it: if it learns, it learns from that. */
void tw_buckets_begin(struct tw_buckets *, const struct tw_sched *, tw_worker);
void tw_buckets_end(struct tw_buckets *, const struct tw_sched *, tw_task, tw_worker);

/* How many times as long as on the fastest arch a task of the bucket takes on this one, on average. */
double tw_buckets_slowdown(const struct tw_buckets *, int bucket, tw_arch);

/* Whether workers of that arch, which visits the bucket, may take a task out of it now ("Speedup factors"): those of the fastest
 * type always, others while it holds more than N * S tasks, where N is the number of workers of the fastest type and S
 * how many times slower the others are. */
bool tw_buckets_may_take(const struct tw_buckets *, int bucket, tw_arch);

/* The rule itself. */
bool tw_holds_enough(int32_t n_ready, int n_fastest, double slowdown, bool at_least);

#endif
