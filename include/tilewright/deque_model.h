/* The deque model: one queue a worker, and for each worker a prediction of when it will have worked off what it was
 * given. The common ground of dm, dmda, dmdar and dmdas (heft-tm and heft-tmdp of Augonnet 2011, sections 3.5 and 3.6; DMDA of
 * Gonthier et al. 2024, Algorithm 1), with the accounts of StarPU 1.4.
 *
 * A worker's account: `start`, from when on it is available as far as we know; `queued`, the predicted time of what it
 * has yet to start; `pipeline`, the predicted time of what it has taken and not ended.
 *   give   start = max(start, now); queued += wait + length, where `wait` is how long the task's data come after the worker would be free
 *   pop    wait moves from queued to pipeline;                start = now + pipeline
 *   start  wait leaves pipeline, length moves into it;        start = now + pipeline
 *   done   length leaves pipeline;                            start = max(start, now + pipeline) */
#ifndef TILEWRIGHT_DEQUE_MODEL_H
#define TILEWRIGHT_DEQUE_MODEL_H

#include <math.h>

#include <tilewright/params.h>
#include <tilewright/task_queue.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_deque {
	double start, queued, pipeline; /* seconds */
	struct tw_task_queue tasks;
};

/* Rows of a policy's table of parameters, which tw_deque_model_init reads: the first two for all, the others for those
 * that predict transfers. */
#define TW_DEQUE_MODEL_PARAMS                                                            \
	{"prefetch",                                                                     \
	 TW_PARAM_FLAG,                                                                  \
	 "yes",                                                                          \
	 0,                                                                              \
	 0,                                                                              \
	 NULL,                                                                           \
	 "ask for a task's data as soon as it is placed; no: when the worker takes it"}, \
	{                                                                                \
		"pinned", TW_PARAM_INT, "0", 0, 2147483647, NULL,                        \
			"so many tasks, the first, go where static puts them"            \
	}
#define TW_DEQUE_MODEL_WEIGHTS                                                                                \
	{"alpha", TW_PARAM_REAL, "1", 0, INFINITY, NULL, "weight of the predicted end in the cost"},          \
	{                                                                                                     \
		"beta", TW_PARAM_REAL, "1", 0, INFINITY, NULL, "weight of the predicted transfer in the cost" \
	}

struct tw_deque_model {
	int n_workers;
	bool transfers, sorted, prefetch;
	tw_task pinned; /* tasks before it go to their owner (owner.h) */
	double alpha, beta;
	struct tw_deque *deques;
	struct tw_task_link *links;
	double *wait;           /* [tasks] */
	double *end, *transfer; /* [workers], of the task being placed */
};

enum {
	TW_PREDICTS_TRANSFERS = 1,
	TW_SORTED_DEQUES = 2, /* by priority; else first in, first out, whatever priorities the tasks have */
};
int tw_deque_model_init(struct tw_deque_model *, struct tw_sched *, unsigned flags, struct tw_error *err);
void tw_deque_model_finish(struct tw_deque_model *);

/* The worker with the least cost, the lowest id among equals. Without transfers, the cost is the predicted end
 * max(start, now) + queued + length. With them, the data come first, end = max(that start, now + transfer) + length, and
 * cost = alpha (end - least end of all) + beta transfer. The tasks that are pinned: their owner. */
tw_worker tw_deque_model_choose(struct tw_deque_model *, struct tw_sched *, tw_task);

/* Puts the task that was just placed in the worker's queue, asks for its data there (unless prefetch=no), wakes the worker. */
void tw_deque_model_give(struct tw_deque_model *, struct tw_sched *, tw_task, tw_worker);

/* Takes a task out of the worker's queue: the oldest (of the highest priority, where deques are sorted), or, if `ready`, of
 * those that could be the oldest, all of the queue or of that priority, the one that needs the fewest bytes. TW_NONE: the
 * queue is empty. */
tw_task tw_deque_model_pop(struct tw_deque_model *, struct tw_sched *, tw_worker, bool ready);

void tw_deque_model_started(struct tw_deque_model *, struct tw_sched *, tw_task, tw_worker);
void tw_deque_model_done(struct tw_deque_model *, struct tw_sched *, tw_task, tw_worker);

#ifdef __cplusplus
}
#endif
#endif
