/* compose: a window of ready tasks, which one policy puts in order, in front of another policy, which schedules them.
 * Augonnet 2011, section 3.9, composes policies in this way: a policy that reorders tasks, a window, and HEFT behind.
 *
 * A ready task goes to the policy `front`. While the policy `back` has fewer than `window` tasks that have not started,
 * it gets the next task of the front. Workers ask the back alone.
 *
 * The thesis has the concept only. Here, it is as follows.
 * - The front is asked in the name of a worker, as every policy is. The workers that can run most tasks of the graph
 *   come first; ties: the lowest worker number. So a front with one queue gives its first task, if some worker can run
 *   all tasks.
 * - A back such as heft gives its tasks in an order of its own. The next one of them may be in the front while the back
 *   is full. When all workers have asked in vain and no task is under way, the back gets one more task. */
#include <math.h>
#include <stdlib.h>

#include <tilewright/compose.h>
#include <tilewright/containers.h>

struct compose {
	struct tw_sched *front, *back;
	int64_t window;         /* 0: no limit */
	tw_worker *released_by; /* [tasks] as the push said */
	tw_worker *order;       /* [workers] in whose names the front is asked, in this order */
	struct tw_id_set
		vain;     /* the workers that have got no task since the back changed, while nothing is under way */
	int64_t n_beyond; /* number of tasks beyond the window */
};

static const struct tw_param params[] = {
	{"front", TW_PARAM_POLICY, "prio", 0, 0, NULL, "the policy that puts tasks in order"},
	{"window", TW_PARAM_INT, "32", 0, 1e9, NULL, "most tasks at the back that have not started; 0: no limit"},
	{"back", TW_PARAM_POLICY, "heft", 0, 0, NULL, "the policy that schedules the tasks of the window"},
	{0},
};

struct able {
	tw_task n_tasks; /* number of tasks that the worker can run */
	tw_worker worker;
};

static int by_tasks(const void *a, const void *b)
{
	const struct able *x = a, *y = b;
	return x->n_tasks != y->n_tasks ? (x->n_tasks < y->n_tasks) - (x->n_tasks > y->n_tasks)
	                                : (x->worker > y->worker) - (x->worker < y->worker);
}

static tw_worker *order_of(const struct tw_sched *s)
{
	const tw_worker n = tw_n_workers(s);
	tw_worker *order = tw_run_alloc(s, (size_t)n, sizeof *order);
	struct able *able = tw_alloc((size_t)n, sizeof *able);
	for (tw_worker w = 0; w < n; w++) {
		able[w].worker = w;
		for (tw_task t = 0; t < tw_graph_n_tasks(tw_sched_graph(s)); t++)
			able[w].n_tasks += !isinf(tw_task_length(s, t, w));
	}
	qsort(able, (size_t)n, sizeof *able, by_tasks);
	for (tw_worker w = 0; w < n; w++)
		order[w] = able[w].worker;
	free(able);
	return order;
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct compose *c = state;
	*c = (struct compose){
		.window = tw_args_int(tw_sched_args(s), "window"),
		.released_by = tw_run_alloc(s, (size_t)tw_max_tasks(s), sizeof *c->released_by),
		.order = order_of(s),
		.vain = tw_run_id_set(s, tw_n_workers(s)),
	};
	int status = tw_child_create(&c->front, s, &(struct tw_child){.param = "front", .is_queue = true}, err);
	return status < 0 ? status : tw_child_create(&c->back, s, &(struct tw_child){.param = "back"}, err);
}

/* Hands the front's next task to the back. Returns false if the front gives none. */
static bool move_one(struct compose *c, const struct tw_sched *s)
{
	tw_task task = TW_NONE;
	for (tw_worker i = 0; task == TW_NONE && i < tw_n_workers(s); i++)
		task = tw_child_pop(c->front, c->order[i]);
	if (task == TW_NONE)
		return false;
	tw_id_set_clear(&c->vain);
	tw_child_push(c->back, task, c->released_by[task]);
	return true;
}

/* Fills the window. Returns whether the back has got a task. */
static bool fill(struct compose *c, const struct tw_sched *s)
{
	bool any = false;
	while (tw_child_tasks(c->front).queued > 0) {
		struct tw_child_tasks back = tw_child_tasks(c->back);
		if ((c->window && back.queued + back.taken >= c->window) || !move_one(c, s))
			break;
		any = true;
	}
	return any;
}

/* Whether a worker has a task of the back. */
static bool is_under_way(const struct compose *c)
{
	struct tw_child_tasks back = tw_child_tasks(c->back);
	return back.taken + back.running > 0;
}

/* Wakes a worker that has not asked in vain. Returns false if there is none. */
static bool wake_next(const struct compose *c, struct tw_sched *s)
{
	tw_worker w = 0;
	while (w < tw_n_workers(s) && tw_id_set_has(&c->vain, w))
		w++;
	if (w == tw_n_workers(s))
		return false;
	tw_wake(s, w);
	return true;
}

/* The worker has got no task, though there are some. Hands one more to the back if no other worker gets one either,
 * and none is under way. */
static bool go_beyond(struct compose *c, struct tw_sched *s, tw_worker worker)
{
	if (is_under_way(c))
		return false;
	tw_id_set_put(&c->vain, worker, true);
	if (wake_next(c, s))
		return false;
	tw_id_set_clear(&c->vain);
	bool moved = move_one(c, s);
	c->n_beyond += moved;
	return moved;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct compose *c = state;
	c->released_by[task] = released_by;
	tw_child_push(c->front, task, released_by);
	fill(c, s);
	if (tw_child_tasks(c->front).queued > 0 && !is_under_way(c) && !wake_next(c, s))
		tw_wake(s, 0);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct compose *c = state;
	tw_task task = tw_child_pop(c->back, worker);
	if (task == TW_NONE && tw_child_tasks(c->front).queued > 0 && (fill(c, s) || go_beyond(c, s, worker)))
		task = tw_child_pop(c->back, worker);
	if (task != TW_NONE)
		tw_id_set_clear(&c->vain);
	return task;
}

static void started(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	(void)task, (void)worker;
	fill(state, s);
}

static void finish(struct tw_sched *s, void *state)
{
	const struct compose *c = state;
	if (c->n_beyond)
		tw_report(s, "beyond_window", (double)c->n_beyond);
}

const struct tw_policy tw_policy_compose = {
	.abi = TW_POLICY_ABI,
	.name = "compose",
	.summary = "a window, filled in the order of one policy, in front of another policy",
	.params = params,
	.state_size = sizeof(struct compose),
	.flags = TW_POP_ONLY_TAKES,
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
	.started = started,
};
