/* The deque model: one queue of tasks per worker, and for each worker the predicted date when it will have ended its
 * queue. The policies dm, dmda, dmdap, dmdar, dmdas and energy share it. The model is heft-tm and heft-tmdp of Augonnet
 * 2011, sections 3.4.3 and 3.6, and DMDA of Gonthier et al. 2024, Algorithm 1. It predicts the availability of workers
 * as StarPU 1.4 does. The state of such a policy begins with a struct tw_deque_model. The members of its struct
 * tw_policy are the functions below, except where the policy differs.
 *
 * Predictions for a worker, and for a task:
 * - start: the date from which the worker is available, not counting its queue.
 * - queued: the predicted time of the tasks in the worker's queue, and of tasks that the worker has taken and not
 *   started.
 * - pipeline: the predicted time of the tasks that the worker has taken and not ended.
 * - length: the predicted time of the task on the worker.
 * - wait: the predicted time that the worker idles before the task because the task's data have not arrived.
 *
 * Each event of a task changes them:
 *     give   start = max(start, now);              queued += wait + length
 *     pop    wait moves from queued to pipeline;   start = now + pipeline
 *     start  wait leaves pipeline, length moves
 *            from queued to pipeline;              start = now + pipeline
 *     done   length leaves pipeline;               start = max(start, now + pipeline)
 *
 * With feedback=no, events of running tasks never correct the predictions:
 *     give   start = max(start, now) + wait + length
 *
 * If another domain has the worker, too, each of its tasks there keeps the worker busy for its length:
 *     placed others = max(others, now) + length;   start counts as max(start, others)
 *
 * Section 3.4.4 of the thesis introduces the feedback, so that wrong predictions do not add up. */
#ifndef TILEWRIGHT_DEQUE_MODEL_H
#define TILEWRIGHT_DEQUE_MODEL_H

#include <tilewright/params.h>
#include <tilewright/task_queue.h>

#include "policies/support/availability.h"
#include "policies/support/lacks.h"
#include "policies/support/worker_runs.h"

struct tw_deque {
	/* In seconds: date from which the worker is available without its queue; time of its queued tasks; time of its
	 * tasks taken and not ended. */
	double start, queued, pipeline;
	double others; /* date until which tasks of other domains are predicted to keep the worker busy */
	struct tw_task_queue tasks;
};

/* Parameters of a policy, which tw_deque_model_init reads: TW_DEQUE_MODEL_PARAMS are for all policies with this model,
 * TW_DEQUE_MODEL_WEIGHTS for those that predict transfers. */
#define TW_DEQUE_MODEL_PARAMS                                                                \
	{"prefetch",                                                                         \
	 TW_PARAM_FLAG,                                                                      \
	 "yes",                                                                              \
	 0,                                                                                  \
	 0,                                                                                  \
	 NULL,                                                                               \
	 "request a task's data when it is placed; no: when the worker takes it"},           \
		{"pinned",                                                                   \
	         TW_PARAM_INT,                                                               \
	         "0",                                                                        \
	         0,                                                                          \
	         2147483647,                                                                 \
	         NULL,                                                                       \
	         "the first tasks, as many as this, go to the workers that static chooses"}, \
	{                                                                                    \
		"feedback", TW_PARAM_FLAG, "yes", 0, 0, NULL,                                \
			"measured times of tasks correct the availability of workers"        \
	}
#define TW_DEQUE_MODEL_WEIGHTS                                                                           \
	{"alpha", TW_PARAM_REAL, "1", 0, 1e9, NULL, "weight of the predicted end in the cost"},          \
	{                                                                                                \
		"beta", TW_PARAM_REAL, "1", 0, 1e9, NULL, "weight of the predicted transfer in the cost" \
	}

/* Members of the struct tw_policy of a policy whose state is a struct tw_deque_model. */
#define TW_DEQUE_MODEL_MEMBERS                                                                          \
	.abi = TW_POLICY_ABI, .state_size = sizeof(struct tw_deque_model), .push = tw_deque_model_push, \
	.pop = tw_deque_model_pop, .started = tw_deque_model_started, .done = tw_deque_model_done,      \
	.placed = tw_deque_model_placed

/* A kind of workers: those of one arch and one memory, with equal traits (tw_deque_model_init). A task and its
 * transfers take the same time on each worker of a kind. Times are in seconds. */
struct tw_deque_kind {
	tw_worker *workers; /* [n_workers] the workers of the kind, in ascending order */
	int n_workers;
	tw_node node;
	struct tw_availability available; /* when each worker of the kind is available; member i is workers[i] */
	/* For the task that is being placed: predicted time of its transfers to this kind, and of its execution
	 * there. */
	double transfer, length;
	/* For the task that is being placed: its least predicted end and its least cost on a worker of this kind. The
	 * cost is INFINITY if they cannot run it. */
	double least_end, cost;
};

struct tw_deque_model {
	int n_workers, n_kinds;
	unsigned flags;
	bool prefetch, feedback;
	tw_task pinned; /* tasks with a number below this go to their owner (owner.h), not to the cheapest worker */
	struct tw_worker_run *runs;
	int n_runs;
	double alpha, beta;
	/* [nodes] for the task that is being placed: predicted time of its transfers. All are 0 without
	 * TW_PREDICTS_TRANSFERS. */
	double *transfer;
	struct tw_deque *deques;
	struct tw_deque_kind *kinds;
	int *kind_of, *place_of; /* [workers] kind of each worker; index of each worker in the list of its kind */
	struct tw_lacks lacks;   /* bytes that queued tasks lack; used with TW_MOST_READY */
	/* [tasks] predicted seconds that the worker idles before the task, until the task's data have arrived */
	double *wait;
	/* Returns the cost of placing the task on a worker of the kind where it ends at the date `end`. The cost must
	 * not decrease when `end` increases. */
	double (*cost)(const struct tw_deque_model *, const struct tw_deque_kind *, double end);
	double least_end; /* for the task that is being placed: the least predicted end on any worker */
};

enum tw_deque_model_flags {
	TW_PREDICTS_TRANSFERS = 1,
	TW_SORTED_DEQUES = 2, /* queues are sorted by priority; without this flag: first in, first out */
	/* A worker takes the queued task that needs the fewest bytes transferred to its memory. */
	TW_MOST_READY = 4,
	TW_TELLS_LAST_END = 8, /* the policy may call tw_deque_model_last_end */
};

static inline struct tw_deque_kind *tw_deque_model_kind(const struct tw_deque_model *m, tw_worker w)
{
	return &m->kinds[m->kind_of[w]];
}

/* Returns the predicted date when the worker will have ended its queue. */
static inline double tw_deque_available(const struct tw_deque *d, double now)
{
	double from = d->start > d->others ? d->start : d->others;
	return (from > now ? from : now) + d->queued;
}

/* --- functions for the members of struct tw_policy ---------------------------------------------------------------- */

/* Initialises the model in the init of a policy. `flags`: enum tw_deque_model_flags. `trait`: the workers of one kind
 * also have equal trait[worker]; NULL: all workers of one arch and memory are one kind. Returns TW_OK. */
int tw_deque_model_init(const struct tw_sched *, void *state, unsigned flags, const double *trait);
/* Gives the ready task to the worker that tw_deque_model_choose selects. */
void tw_deque_model_push(struct tw_sched *, void *state, tw_task, tw_worker released_by);
/* Takes a task out of the worker's queue: the oldest or, with TW_SORTED_DEQUES, the oldest of the highest priority.
 * With TW_MOST_READY, takes the task that needs the fewest bytes transferred. Candidates are then all queued tasks or,
 * with TW_SORTED_DEQUES, those of the highest priority. */
tw_task tw_deque_model_pop(struct tw_sched *, void *state, tw_worker);
void tw_deque_model_started(struct tw_sched *, void *state, tw_task, tw_worker);
void tw_deque_model_done(struct tw_sched *, void *state, tw_task, tw_worker);
void tw_deque_model_placed(struct tw_sched *, void *state, tw_task, tw_worker);

/* --- functions for policies with their own push ------------------------------------------------------------------- */

/* Predicts the transfer time, the execution time and the least end of the task for each kind of workers. Also predicts
 * the least end on any worker. Without transfers: end = max(start, now) + queued + length. With transfers: end =
 * max(max(start, now) + queued, now + transfer) + length. */
void tw_deque_model_predict(struct tw_deque_model *, struct tw_sched *, tw_task);

/* Returns the cost of the task just predicted, on a worker of the kind where it would end at the date `end`. A cost
 * that overflows, or that is not a number, is the greatest number: the worker is dear, but can run the task. */
double tw_deque_model_cost(const struct tw_deque_model *, const struct tw_deque_kind *, double end);

/* Returns the worker with the least cost for the task just predicted; ties: the lowest number. The default cost is
 * alpha (end - least end) + beta transfer; without predicted transfers it is the end. A task with a number below
 * `pinned` goes to its owner. */
tw_worker tw_deque_model_choose(struct tw_deque_model *, struct tw_sched *, tw_task);

/* Returns the predicted date, in seconds, when the last of all workers will have ended its queue; at least `now`. Only
 * allowed with the flag TW_TELLS_LAST_END. */
double tw_deque_model_last_end(struct tw_deque_model *, double now);

/* Puts the task just predicted into the queue of the worker, prefetches the task's data (unless prefetch=no), and wakes
 * the worker. */
void tw_deque_model_give(struct tw_deque_model *, struct tw_sched *, tw_task, tw_worker);

#endif
