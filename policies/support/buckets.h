/* The buckets of Heteroprio. The papers are Bramas 2019, section "Heteroprio", and Agullo et al. 2016. The titles are
 * "Impact study of data locality on task-based applications through the Heteroprio scheduler" and "Task-based FMM for
 * heterogeneous architectures".
 *
 * A bucket holds the ready tasks of one operation: kernels of one name that run on the same archs. The user may want
 * one for each name and size instead. Each arch visits the buckets in its own order, so that its workers do first the
 * operations that they are good at. Each bucket has a fastest arch, and a slowdown factor for each other arch. Slower
 * archs may take from the bucket only while it holds enough tasks for the fastest arch. The queues of tasks are not
 * here: they belong to the policy. */
#ifndef TILEWRIGHT_BUCKETS_H
#define TILEWRIGHT_BUCKETS_H

#include <tilewright/params.h>
#include <tilewright/task_queue.h>

#include "policies/support/bucket_names.h"

struct tw_standing {
	int rank, bucket;
	double score;
};

struct tw_bucket {
	int name;        /* number of the bucket's name; equal names have equal numbers */
	int namesake;    /* an older bucket of the same name with other archs; TW_NONE: there is none */
	uint64_t archs;  /* bit a is set: arch a has workers that can run the tasks of the bucket */
	int32_t n_ready; /* number of ready tasks in the bucket now */
	int32_t n_seen;  /* number of tasks whose times are added up in `seconds` */
	/* the arch with the least sum in `seconds`, of those of type `best`; ties: the first arch; TW_NONE: there is
	 * none */
	tw_arch fastest;
	enum tw_unit best; /* the fastest type, as the user says; TW_N_UNITS: the user does not say */
	double speedup;    /* the speedup factor that the user gave; 0: it follows from the times */
	double *seconds;   /* [archs] sum of the times of the n_seen tasks on the arch */
};

struct tw_buckets {
	const struct tw_sched *s;
	int n, capacity, n_archs;
	struct tw_bucket *of;
	tw_worker *example;   /* [archs] one worker of each arch; TW_NONE: the arch has no worker */
	bool *is_accelerator; /* [archs] whether the arch is one of accelerators */
	int *n_workers;       /* [archs] number of workers of the arch */
	tw_arch *type_of;     /* [archs] type of processing unit: the first arch of that type (see tw_buckets_init) */
	int **order;          /* [archs][n_ordered] the buckets in the order in which the arch visits them */
	int *n_ordered;       /* [archs] number of buckets that the arch visits */
	struct tw_bucket_names names;
	int *bucket_of; /* [classes] bucket of the tasks of each class (tw_task_class); TW_NONE: no task so far */
	int *newest_of; /* [names] newest bucket of each name; TW_NONE: no bucket */
	struct tw_standing *standings;
	bool learns, at_least, newest;
	/* Orders and factors learnt during the run, if `learns`; operation i is bucket i. */
	struct tw_learned_order learned;
	double factor;
	unsigned sorted; /* increases whenever the orders of visits may have changed */
};

/* Parameters of a policy, which tw_buckets_init reads. TW_BUCKETS_PARAMS are for all policies with buckets,
 * TW_BUCKETS_RULES for those that do not learn. */
#define TW_BUCKETS_PARAMS                                                                                         \
	{"cpu", TW_PARAM_TEXT, "", 0, 0, NULL, "kernels that CPUs take first, in this order: potrf+trsm"},        \
		{"gpu", TW_PARAM_TEXT, "", 0, 0, NULL, "kernels that GPUs take first, in this order: gemm+syrk"}, \
	{                                                                                                         \
		"factor", TW_PARAM_REAL, "1", 0, 1e9, NULL,                                                       \
			"multiplier of the speedup factors; 0: slow workers are never held back"                  \
	}
#define TW_BUCKETS_RULES                                                                                             \
	{"sizes",                                                                                                    \
	 TW_PARAM_FLAG,                                                                                              \
	 "no",                                                                                                       \
	 0,                                                                                                          \
	 0,                                                                                                          \
	 NULL,                                                                                                       \
	 "yes: a bucket for each kernel and size, gemm@960 in lists; no: for each kernel"},                          \
		{"best_cpu",                                                                                         \
	         TW_PARAM_TEXT,                                                                                      \
	         "",                                                                                                 \
	         0,                                                                                                  \
	         0,                                                                                                  \
	         NULL,                                                                                               \
	         "kernels that CPUs are the fastest for: potrf+trsm; others: by kernel times"},                      \
		{"best_gpu", TW_PARAM_TEXT, "", 0, 0, NULL, "the same for GPUs: gemm+syrk"},                         \
		{"speedup",                                                                                          \
	         TW_PARAM_TEXT,                                                                                      \
	         "",                                                                                                 \
	         0,                                                                                                  \
	         0,                                                                                                  \
	         NULL,                                                                                               \
	         "speedup factors of buckets: potrf*1.1+gemm*3; others: from kernel times"},                         \
		{"newest", TW_PARAM_FLAG, "no", 0, 0, NULL, "yes: the newest task of a list first; no: the oldest"}, \
	{                                                                                                            \
		"at_least", TW_PARAM_FLAG, "no", 0, 0, NULL,                                                         \
			"slow workers take from a bucket: yes: of at least the limit; no: of more than the limit"    \
	}

/* Creates the buckets. With `learns`, orders and factors are learnt during the run, by the rules of StarPU 1.4
 * (learned_order.h). Otherwise they follow from the kernel times of all tasks of the graph. `policy`: the policy's
 * name, for error messages. TW_INVALID: the parameters name kernels that the graph does not have.
 *
 * Two archs are one type of processing unit if both are processors, or both are accelerators, with the same number of
 * cores. The sums of their times for all tasks of the graph must be within 10 % of each other. (Some platforms have
 * separate times for each of several equal GPUs.) Archs of one type are not compared with each other. */
int tw_buckets_init(struct tw_buckets *, const struct tw_sched *, const char *policy, bool learns,
                    struct tw_error *err);

/* Puts a ready task into its bucket, which is created if necessary. Returns the bucket. The caller adds the task to its
 * queue of that bucket. O(archs). */
int tw_buckets_push(struct tw_buckets *, tw_task);
/* Takes the next task of the bucket out of `list`, one of the policy's queues of that bucket; TW_NONE: the list is
 * empty. */
tw_task tw_buckets_pop(struct tw_buckets *, int bucket, struct tw_task_queue *list);
/* The functions started and done of a policy whose state begins with a struct tw_buckets. They update the learnt orders
 * and factors. */
void tw_buckets_started(struct tw_sched *, void *state, tw_task, tw_worker);
void tw_buckets_done(struct tw_sched *, void *state, tw_task, tw_worker);

/* Whether workers of an arch may take a task out of the bucket now (section "Speedup factors"). The arch must be one
 * that visits the bucket. Archs of the fastest type always may. Others may while the bucket holds more than N * S
 * tasks. N is the number of workers of the fastest type, and S the slowdown of the arch. */
bool tw_buckets_may_take(const struct tw_buckets *, int bucket, tw_arch);

/* Whether n_ready tasks are more than n_fastest * slowdown; with `at_least`, whether they are at least that many. */
bool tw_holds_enough(int32_t n_ready, int n_fastest, double slowdown, bool at_least);

/* --- buckets with one queue each ---------------------------------------------------------------------------------- */

/* For policies that keep the ready tasks of a bucket in one queue. */
struct tw_bucket_queues {
	struct tw_buckets buckets; /* must be the first member */
	struct tw_task_queue *of;  /* [n] queue of the ready tasks of each bucket */
	int n;
	struct tw_task_link *links;
};

/* Creates the buckets, as tw_buckets_init does with the same arguments. */
int tw_bucket_queues_init(struct tw_bucket_queues *, const struct tw_sched *, const char *policy, bool learns,
                          struct tw_error *err);

/* Adds a ready task to the queue of its bucket. */
void tw_bucket_queues_push(struct tw_bucket_queues *, tw_task);

/* Whether a worker of the arch would get a task from tw_bucket_queues_pop. */
bool tw_bucket_queues_offer(const struct tw_bucket_queues *, tw_arch);
/* Takes a task out of the first bucket from which the worker may take one now; TW_NONE: there is none. Buckets are in
 * the order in which the worker's arch visits them. The function pop of a policy whose state begins with the struct. */
tw_task tw_bucket_queues_pop(struct tw_sched *, void *state, tw_worker);

#endif
