/* The deque model: one queue a worker, and for each worker a prediction of when it will have worked off what it was
 * given. The common ground of dm, dmda, dmdap, dmdar, dmdas and energy (heft-tm and heft-tmdp of Augonnet 2011, sections 3.4.3 and
 * 3.6; DMDA of Gonthier et al. 2024, Algorithm 1), with the accounts of StarPU 1.4. Such a policy's state begins with a
 * struct tw_deque_model, and its functions are those below, but for what makes it different.
 *
 * A worker's account: `start`, from when on it is available as far as we know; `queued`, the predicted time of what it
 * has yet to start; `pipeline`, the predicted time of what it has taken and not ended.
 *   give   start = max(start, now); queued += wait + length, where `wait` is how long the task's data come after the worker would be free
 *   pop    wait moves from queued to pipeline;                start = now + pipeline
 *   start  wait leaves pipeline, length moves into it;        start = now + pipeline
 *   done   length leaves pipeline;                            start = max(start, now + pipeline)
 * Without feedback (the hook of section 3.4.4, which keeps wrong predictions from adding up) what was predicted stands:
 *   give   start = max(start, now) + wait + length */
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

/* Rows of a policy's table of parameters, which tw_deque_model_init reads: the first three for all, the others for those
 * that predict transfers. */
#define TW_DEQUE_MODEL_PARAMS                                                            \
	{"prefetch",                                                                     \
	 TW_PARAM_FLAG,                                                                  \
	 "yes",                                                                          \
	 0,                                                                              \
	 0,                                                                              \
	 NULL,                                                                           \
	 "ask for a task's data as soon as it is placed; no: when the worker takes it"}, \
		{"pinned",                                                               \
	         TW_PARAM_INT,                                                           \
	         "0",                                                                    \
	         0,                                                                      \
	         2147483647,                                                             \
	         NULL,                                                                   \
	         "so many tasks, the first, go where static puts them"},                 \
	{                                                                                \
		"feedback", TW_PARAM_FLAG, "yes", 0, 0, NULL,                            \
			"what tasks really took corrects when workers are available"     \
	}
#define TW_DEQUE_MODEL_WEIGHTS                                                                                \
	{"alpha", TW_PARAM_REAL, "1", 0, INFINITY, NULL, "weight of the predicted end in the cost"},          \
	{                                                                                                     \
		"beta", TW_PARAM_REAL, "1", 0, INFINITY, NULL, "weight of the predicted transfer in the cost" \
	}

/* Workers of one arch in one memory, and of one trait (tw_deque_model_init_kinds): a task and its data take as
 * long on each of them. In seconds. */
struct tw_deque_kind {
	tw_worker *workers; /* ascending */
	int n_workers;
	struct tw_availability available; /* by their places in `workers` */
	/* Of the task being placed: */
	double transfer, length;
	double least_end; /* of a worker of the kind */
};

struct tw_deque_model {
	int n_workers, n_kinds;
	unsigned flags;
	bool prefetch, feedback;
	tw_task pinned; /* tasks before it go to their owner (owner.h) */
	struct tw_worker_run *runs;
	int n_runs;
	double alpha, beta;
	struct tw_deque *deques;
	struct tw_deque_kind *kinds;
	int *kind_of, *place_of;  /* [workers]; the place in its kind's list */
	tw_worker *kinds_workers; /* where these lists stand */
	struct tw_task_link *links;
	struct tw_lacks lacks; /* with TW_MOST_READY */
	double *wait;          /* [tasks] */
	/* The cost of placing the task on a worker of the kind where the task ends at `end`. A later end must not
	 * cost less. */
	double (*cost)(const struct tw_deque_model *, const struct tw_deque_kind *, double end);
	double least_end; /* of the task being placed */
};

enum tw_deque_model_flags {
	TW_PREDICTS_TRANSFERS = 1,
	TW_SORTED_DEQUES = 2,  /* by priority; else first in, first out, whatever priorities the tasks have */
	TW_MOST_READY = 4,     /* of the tasks that could be the next, the one that needs the fewest bytes brought in */
	TW_TELLS_LAST_END = 8, /* tw_deque_model_last_end */
};

static inline struct tw_deque_kind *tw_deque_model_kind(const struct tw_deque_model *m, tw_worker w)
{
	return &m->kinds[m->kind_of[w]];
}

/* When the worker will have worked off what it was given. */
static inline double tw_deque_available(const struct tw_deque *d, double now)
{
	return (d->start > now ? d->start : now) + d->queued;
}

/* --- a policy's own functions: struct tw_policy -------------------------------------------------------------- */

/* Called by the policy's init, with what makes it different. */
int tw_deque_model_init(struct tw_sched *, void *state, unsigned flags, struct tw_error *err);
/* The same with trait[workers], which is read during the call: workers are of one kind only if their traits are
 * equal, too. NULL: arch and memory alone count. */
int tw_deque_model_init_kinds(struct tw_sched *, void *state, unsigned flags, const double *trait,
                              struct tw_error *err);
void tw_deque_model_finish(struct tw_sched *, void *state);
/* Gives the task to the worker that is chosen below. */
void tw_deque_model_push(struct tw_sched *, void *state, tw_task, tw_worker released_by);
/* Takes a task out of the worker's queue: the oldest (TW_SORTED_DEQUES: of the highest priority), or with TW_MOST_READY, of those
 * that could be the oldest, all of the queue or of that priority, the one that needs the fewest bytes. */
tw_task tw_deque_model_pop(struct tw_sched *, void *state, tw_worker);
void tw_deque_model_started(struct tw_sched *, void *state, tw_task, tw_worker);
void tw_deque_model_done(struct tw_sched *, void *state, tw_task, tw_worker);

/* --- for a push of one's own --------------------------------------------------------------------------------- */

/* Predicts, for each kind of workers, how long the task and its data take, and the least end; and the least end of
 * all. Without transfers, end = max(start, now) + queued + length; with them, the data come first: end = max(that
 * start, now + transfer) + length. */
void tw_deque_model_predict(struct tw_deque_model *, struct tw_sched *, tw_task);

/* The worker with the least cost; the lowest id among equals. By default the cost is alpha (end - least end) +
 * beta transfer (without transfers, the end). The owner of a task that is pinned. Of the task that was just
 * predicted. */
tw_worker tw_deque_model_choose(struct tw_deque_model *, struct tw_sched *, tw_task);

/* The date in seconds at which the last worker will have worked off what it was given, `now` at least. With
 * TW_TELLS_LAST_END alone. */
double tw_deque_model_last_end(struct tw_deque_model *, double now);

/* Puts the task that was just predicted in the worker's queue, asks for its data there (unless prefetch=no), wakes the worker. */
void tw_deque_model_give(struct tw_deque_model *, struct tw_sched *, tw_task, tw_worker);

#endif
