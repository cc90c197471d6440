/* static: owner computes. Each data belongs to one of the GPUs, or cores where these are faster, and tasks run where the data that they write
 * belong; the hand-made placement that Augonnet 2011, section 7.5, measures dynamic policies against. First in, first
 * out, with the data of ready tasks prefetched. */
#include <tilewright/owner.h>
#include <tilewright/policy.h>
#include <tilewright/worker_queues.h>

static int init(struct tw_sched *s, void *state, struct tw_error *err) { return tw_worker_queues_init(state, s, err); }

static void finish(struct tw_sched *s, void *state)
{
	(void)s;
	tw_worker_queues_finish(state);
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)released_by;
	tw_worker w = tw_owner(s, task);
	tw_prefetch_task(s, task, tw_worker_node(s, w));
	tw_worker_queues_give(state, s, task, 0, w);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	(void)s;
	return tw_worker_queues_take(state, worker);
}

const struct tw_policy tw_policy_static = {
	.abi = TW_POLICY_ABI,
	.name = "static",
	.summary = "owner computes: data belong to workers, tasks run where they write",
	.state_size = sizeof(struct tw_worker_queues),
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
};
