/* roundrobin: each ready task goes to the next worker, in the order of worker numbers, that can run it, whatever the
 * worker's speed. OpenCL users write this static mapping by hand; it is the baseline of Augonnet 2011, section 8.5.2.
 * Queues are first in, first out. */
#include <math.h>

#include <tilewright/policy.h>

#include "policies/support/worker_queues.h"

struct roundrobin {
	struct tw_worker_queues queues; /* must be the first member */
	tw_worker next;
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct roundrobin *r = state;
	(void)err;
	tw_worker_queues_init(&r->queues, s);
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)released_by;
	struct roundrobin *r = state;
	while (isinf(tw_task_length(s, task, r->next)))
		r->next = (r->next + 1) % tw_n_workers(s);
	tw_worker_queues_give(&r->queues, s, task, 0, r->next);
	r->next = (r->next + 1) % tw_n_workers(s);
}

const struct tw_policy tw_policy_roundrobin = {
	.abi = TW_POLICY_ABI,
	.name = "roundrobin",
	.summary = "tasks go to the workers in turn, whatever their speed",
	.state_size = sizeof(struct roundrobin),
	.init = init,
	.push = push,
	.pop = tw_worker_queues_pop,
};
