/* static: owner computes. The policy deals all data handles out to owners, by handle number. Owners are the GPUs, or
 * the cores for tasks that cores run faster. A task runs on the owner of the first handle that it writes
 * (policies/support/owner.h). This is the hand-made placement that Augonnet 2011, section 7.5, compares dynamic
 * policies with. Each worker has a first-in, first-out queue. The policy prefetches the data of a task as soon as the
 * task is ready. */
#include <tilewright/policy.h>

#include "policies/support/owner.h"
#include "policies/support/worker_queues.h"

struct owners {
	struct tw_worker_queues queues; /* must be the first member */
	struct tw_worker_run *runs;
	int n_runs;
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct owners *o = state;
	(void)err;
	tw_worker_queues_init(&o->queues, s);
	o->runs = tw_arch_runs(s, &o->n_runs);
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct owners *o = state;
	(void)released_by;
	tw_worker w = tw_owner(s, o->runs, o->n_runs, task);
	tw_prefetch_task(s, task, tw_worker_node(s, w));
	tw_worker_queues_give(&o->queues, s, task, 0, w);
}

const struct tw_policy tw_policy_static = {
	.abi = TW_POLICY_ABI,
	.name = "static",
	.summary = "owner computes: each data handle has an owner; a task runs where its output belongs",
	.state_size = sizeof(struct owners),
	.init = init,
	.push = push,
	.pop = tw_worker_queues_pop,
};
