/* lws: a queue a worker; what a worker releases goes into its own; who has none steals (LWS of Gonthier et al. 2024,
 * section 4.3, with the details of StarPU's: own tasks by highest priority, the oldest first, stolen ones the newest
 * first; victims in a circle, only those whose last demand for a task was met). Without a topology, every worker is
 * every other's neighbour. */
#include <math.h>
#include <stdlib.h>

#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

struct deque {
	struct tw_task_queue tasks;
	bool busy; /* its last pop gave a task */
};

struct lws {
	struct deque *deques;
	struct tw_task_link *links;
	tw_worker next_victim, next_submitted;
};

static void finish(struct tw_sched *s, void *state)
{
	struct lws *l = state;
	for (tw_worker w = 0; l->deques && w < tw_n_workers(s); w++)
		tw_task_queue_finish(&l->deques[w].tasks);
	free(l->deques);
	free(l->links);
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct lws *l = state;
	tw_worker n = tw_n_workers(s);
	*l = (struct lws){calloc((size_t)n, sizeof *l->deques), tw_task_links_create(s), 0, 1 % n};
	if (!l->deques || !l->links) {
		finish(s, state);
		return tw_fail(err, TW_NOMEM, "policy 'lws': out of memory");
	}
	for (tw_worker w = 0; w < n; w++)
		tw_task_queue_init(&l->deques[w].tasks, l->links);
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct lws *l = state;
	tw_worker n = tw_n_workers(s), w = released_by;
	if (w == TW_NONE) {
		w = l->next_submitted;
		l->next_submitted = (w + 1) % n;
	}
	while (isinf(tw_task_length(s, task, w))) /* the next that can run it */
		w = (w + 1) % n;
	if (tw_task_queue_add(&l->deques[w].tasks, task, tw_task_priority(s, task)))
		tw_abort_run(s, "out of memory for the queue of a worker");
	tw_wake(s, TW_ALL);
}

static tw_task take(struct tw_sched *s, struct deque *d, tw_task task)
{
	if (task != TW_NONE)
		tw_task_queue_remove(&d->tasks, task, tw_task_priority(s, task));
	return task;
}

static tw_task steal(struct tw_sched *s, struct lws *l, tw_worker thief)
{
	tw_worker n = tw_n_workers(s);
	for (tw_worker i = 0; i < n; i++) {
		tw_worker victim = (l->next_victim + i) % n;
		struct deque *d = &l->deques[victim];
		tw_task task = d->busy ? take(s, d, tw_task_queue_newest_for(&d->tasks, s, thief)) : (tw_task)TW_NONE;
		if (task != TW_NONE) {
			l->next_victim = (victim + 1) % n;
			return task;
		}
	}
	return TW_NONE;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct lws *l = state;
	struct deque *own = &l->deques[worker];
	own->busy = false;
	tw_task task = take(s, own, tw_task_queue_oldest(&own->tasks));
	if (task == TW_NONE)
		task = steal(s, l, worker);
	own->busy = task != TW_NONE;
	return task;
}

const struct tw_policy tw_policy_lws = {
	.abi = TW_POLICY_ABI,
	.name = "lws",
	.summary = "work stealing: a queue a worker, own tasks first",
	.state_size = sizeof(struct lws),
	.flags = TW_SORTS_BY_PRIORITY,
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
};
