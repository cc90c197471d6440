/* The deque model: one queue per worker, and for each worker the predicted date when it will have ended its queue.
 * The policies dm, dmda, dmdap, dmdar, dmdas and energy share it. The model is heft-tm and heft-tmdp of Augonnet
 * 2011, sections 3.4.3 and 3.6, and DMDA of Gonthier et al. 2024, Algorithm 1. It predicts availability as StarPU 1.4
 * does. The state of such a policy begins with a struct tw_deque_model. Its members are the functions below, except
 * where the policy differs.
 *
 * Predictions for a worker, and for a task:
 * - start: the date from which the worker is available, without its queue.
 * - queued: the predicted time of the tasks in its queue, and of tasks taken and not started.
 * - pipeline: the predicted time of the tasks taken and not ended.
 * - wait: the time that the worker idles before the task because its data are not there yet.
 *
 * Each event of a task changes them:
 *     give   start = max(start, now);              queued += wait + length
 *     pop    wait moves from queued to pipeline;   start = now + pipeline
 *     start  wait leaves pipeline, length moves
 *            from queued to pipeline;              start = now + pipeline
 *     done   length leaves pipeline;               start = max(start, now + pipeline)
 *
 * With feedback=no, the predictions are never corrected:
 *     give   start = max(start, now) + wait + length
 *
 * Section 3.4.4 introduces the feedback, so that wrong predictions do not add up. */
#ifndef TILEWRIGHT_DEQUE_MODEL_H
#define TILEWRIGHT_DEQUE_MODEL_H

#include <math.h>

#include <tilewright/params.h>
#include <tilewright/task_queue.h>

#include "policies/support/availability.h"
#include "policies/support/lacks.h"
#include "policies/support/worker_runs.h"

struct tw_deque {
	double start, queued, pipeline; /* seconds */
	struct tw_task_queue tasks;
};

/* Parameters that tw_deque_model_init reads: TW_DEQUE_MODEL_PARAMS for all policies, TW_DEQUE_MODEL_WEIGHTS for those
 * that predict transfers. */
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
#define TW_DEQUE_MODEL_WEIGHTS                                                                                \
	{"alpha", TW_PARAM_REAL, "1", 0, INFINITY, NULL, "weight of the predicted end in the cost"},          \
	{                                                                                                     \
		"beta", TW_PARAM_REAL, "1", 0, INFINITY, NULL, "weight of the predicted transfer in the cost" \
	}

/* Workers of one arch, one memory, and one trait (tw_deque_model_init_kinds). A task, and its transfers, take the
 * same time on each of them. Times are in seconds. */
struct tw_deque_kind {
	tw_worker *workers; /* ascending */
	int n_workers;
	struct tw_availability available; /* indexed as `workers` */
	/* For the task being placed: */
	double transfer, length;
	double least_end; /* the least predicted end on a worker of this kind */
};

struct tw_deque_model {
	int n_workers, n_kinds;
	unsigned flags;
	bool prefetch, feedback;
	tw_task pinned; /* tasks with a lower number go to their owner (owner.h) */
	struct tw_worker_run *runs;
	int n_runs;
	double alpha, beta;
	struct tw_deque *deques;
	struct tw_deque_kind *kinds;
	int *kind_of, *place_of;  /* [workers] kind; index in the workers of its kind */
	tw_worker *kinds_workers; /* storage of the lists of workers */
	struct tw_task_link *links;
	struct tw_lacks lacks; /* used with TW_MOST_READY */
	double *wait;          /* [tasks] */
	/* The cost of placing the task on a worker of the kind, where it ends at `end`. Must not decrease as `end`
	 * increases. */
	double (*cost)(const struct tw_deque_model *, const struct tw_deque_kind *, double end);
	double least_end; /* over all workers, for the task being placed */
};

enum tw_deque_model_flags {
	TW_PREDICTS_TRANSFERS = 1,
	TW_SORTED_DEQUES = 2,  /* queues are sorted by priority; otherwise first in, first out */
	TW_MOST_READY = 4,     /* a worker takes the task that needs the fewest bytes transferred */
	TW_TELLS_LAST_END = 8, /* tw_deque_model_last_end may be called */
};

static inline struct tw_deque_kind *tw_deque_model_kind(const struct tw_deque_model *m, tw_worker w)
{
	return &m->kinds[m->kind_of[w]];
}

/* The predicted date when the worker will have ended its queue. */
static inline double tw_deque_available(const struct tw_deque *d, double now)
{
	return (d->start > now ? d->start : now) + d->queued;
}

/* --- members of struct tw_policy --------------------------------------------------------------------------------- */

/* For the policy's init; `flags`: enum tw_deque_model_flags. */
int tw_deque_model_init(struct tw_sched *, void *state, unsigned flags, struct tw_error *err);
/* The same with trait[workers], which is read during the call only. Workers of one kind must have equal traits. NULL:
 * only arch and memory count. */
int tw_deque_model_init_kinds(struct tw_sched *, void *state, unsigned flags, const double *trait,
                              struct tw_error *err);
void tw_deque_model_finish(struct tw_sched *, void *state);
/* Gives the task to the worker that tw_deque_model_choose selects. */
void tw_deque_model_push(struct tw_sched *, void *state, tw_task, tw_worker released_by);
/* Takes a task out of the worker's queue: the oldest, or with TW_SORTED_DEQUES the oldest of the highest priority.
 * With TW_MOST_READY, takes the task that needs the fewest bytes among the whole queue, or among the tasks of the
 * highest priority. */
tw_task tw_deque_model_pop(struct tw_sched *, void *state, tw_worker);
void tw_deque_model_started(struct tw_sched *, void *state, tw_task, tw_worker);
void tw_deque_model_done(struct tw_sched *, void *state, tw_task, tw_worker);

/* --- for policies with their own push ---------------------------------------------------------------------------- */

/* Predicts the transfer, the length and the least end of the task for each kind of workers, and the least end of all.
 * Without transfers: end = max(start, now) + queued + length. With transfers: end = max(max(start, now) + queued, now
 * + transfer) + length. */
void tw_deque_model_predict(struct tw_deque_model *, struct tw_sched *, tw_task);

/* The worker with the least cost for the task just predicted; ties: the lowest number. The default cost is alpha (end
 * - least end) + beta transfer; without predicted transfers it is the end. A pinned task goes to its owner. */
tw_worker tw_deque_model_choose(struct tw_deque_model *, struct tw_sched *, tw_task);

/* The predicted date, in seconds, when the last worker will have ended its queue; at least `now`. Only with
 * TW_TELLS_LAST_END. */
double tw_deque_model_last_end(struct tw_deque_model *, double now);

/* Puts the task just predicted into the worker's queue, prefetches its data (unless prefetch=no), and wakes the
 * worker. */
void tw_deque_model_give(struct tw_deque_model *, struct tw_sched *, tw_task, tw_worker);

#endif
