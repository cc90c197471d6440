/* patient: one queue, first come first served. A worker leaves a task to others if they run it much faster. */
#include <math.h>

#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

struct patient {
	struct tw_task_link *links;
	struct tw_task_queue ready;
};

static const struct tw_param params[] = {
	{"slower", TW_PARAM_REAL, "10", 1, 1000, NULL,
         "a worker leaves a task that the best worker runs more than this many times faster"},
	{0},
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct patient *p = state;
	(void)err;
	p->links = tw_task_links_create(s);
	tw_task_queue_init(&p->ready, s, p->links);
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct patient *p = state;
	(void)released_by;
	tw_task_queue_add(&p->ready, task, 0);
	tw_wake(s, TW_ALL);
}

static double least_length(struct tw_sched *s, tw_task task)
{
	double least = INFINITY;
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		least = fmin(least, tw_task_length(s, task, w));
	return least;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct patient *p = state;
	double slower = tw_args_real(tw_sched_args(s), "slower");
	for (tw_task t = tw_task_queue_oldest(&p->ready); t != TW_NONE; t = p->links[t].behind)
		if (tw_task_length(s, t, worker) <= slower * least_length(s, t)) {
			tw_task_queue_remove(&p->ready, t, 0);
			return t;
		}
	return TW_NONE;
}

const struct tw_policy tilewright_policy = {
	.abi = TW_POLICY_ABI,
	.name = "patient",
	.summary = "first come first served, each task on a worker that is not much slower than the best",
	.params = params,
	.state_size = sizeof(struct patient),
	.init = init,
	.push = push,
	.pop = pop,
};
