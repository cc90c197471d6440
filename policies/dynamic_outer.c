/* dynamic_outer: Dynamic Outer, a "dynamic scheduler based on processing task whose data are already loaded", after Gonthier, Marchal,
 * Thibault 2021, "Work in progress"; the strategy for outer products is that of Beaumont and Marchal 2014, Analysis of
 * dynamic scheduling strategies for matrix multiplication on heterogeneous platforms: a processor that has nothing to do gets a row and a
 * column that it does not have, at random, and then computes all that they make possible.
 *
 * "We adapted it to choose to load (resp. evict) data allowing to process the most task (resp. the least task)": a GPU that has
 * nothing planned loads the data which, alone, makes the most ready tasks possible, and plans them all. Evicting is the business of
 * eviction luf, which this policy brings: of the data that no task taken needs, the one that the fewest planned tasks do;
 * and whatever the loaded data make possible is planned.
 *
 * Where the text is silent:
 * - A data is loaded once a GPU has chosen it, until it is evicted and no task taken or planned there needs it.
 * - If no data makes a task possible alone, all that the first submitted ready task lacks is loaded (in an outer product: a row and a
 *   column). choice=random: always so, with a ready task that is drawn, as in the outer product of 2014.
 * - Of data that make as many tasks possible, the first by number. Tasks are planned, and taken, in the order of submission.
 * - Planned tasks that lose a data are ready tasks again. Who finds no ready task takes the last from the longest plan.
 * - Without GPUs, all processors are one. Beside GPUs they take only what no GPU can run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/id_heap.h>
#include <tilewright/plan.h>
#include <tilewright/policy.h>
#include <tilewright/sharing.h>
#include <tilewright/task_queue.h>
#include <tilewright/worker_queues.h>

struct unit { /* the workers of a memory */
	tw_node node;
	bool *loaded;             /* [data] */
	int32_t *missing;         /* [tasks] inputs not loaded, if it is ready; CANNOT: no worker can run it */
	struct tw_id_heap making; /* data not loaded: how many ready tasks they, alone, make possible; not those of 0 */
	struct tw_task_queue planned;
};

enum { CANNOT = INT32_MAX };
enum { NOT_READY = -3, READY = -2, GONE = -1 }; /* else the unit that has planned it */

struct outer {
	struct tw_sharing inputs;
	int n;
	struct unit *units;
	tw_task n_tasks;
	int *of_task;            /* [tasks] */
	struct tw_id_heap ready; /* the first submitted on top */
	bool random;
	struct tw_task_link *links;
	struct tw_task_queue processors; /* what no unit can run */
	struct tw_worker_queues appended;
	struct tw_plan plan;
};

static const struct tw_param params[] = {
	{"choice", TW_PARAM_CHOICE, "most", 0, 0, "most|random",
         "of data to load: what makes the most tasks possible; what a random task lacks"},
	{0},
};

/* --- begin and end ---------------------------------------------------------------------------------------------- */

static void finish(struct tw_sched *s, void *state)
{
	struct outer *o = state;
	(void)s;
	for (int k = 0; k < o->n; k++) {
		free(o->units[k].loaded);
		free(o->units[k].missing);
		tw_id_heap_finish(&o->units[k].making);
		tw_task_queue_finish(&o->units[k].planned);
	}
	free(o->units);
	free(o->of_task);
	free(o->links);
	tw_id_heap_finish(&o->ready);
	tw_task_queue_finish(&o->processors);
	tw_worker_queues_finish(&o->appended);
	tw_sharing_finish(&o->inputs);
	tw_plan_finish(&o->plan);
}

static int init_unit(struct outer *o, const struct tw_sched *s, tw_node node)
{
	struct unit *u = &o->units[o->n++];
	u->node = node;
	u->loaded = calloc((size_t)o->inputs.n_data + 1, sizeof *u->loaded);
	u->missing = malloc(((size_t)o->n_tasks + 1) * sizeof *u->missing);
	tw_task_queue_init(&u->planned, o->links);
	if (!u->loaded || !u->missing || tw_id_heap_init(&u->making, o->inputs.n_data))
		return TW_NOMEM;
	for (tw_data d = 0; d < o->inputs.n_data; d++)
		u->loaded[d] = tw_data_valid(s, d, node);
	for (tw_task t = 0; t < o->n_tasks; t++) {
		u->missing[t] = CANNOT;
		for (tw_worker w = 0; w < tw_n_workers(s); w++)
			if (tw_worker_node(s, w) == node && !isinf(tw_task_length(s, t, w)))
				u->missing[t] = 0;
	}
	return TW_OK;
}

static int unit_of(const struct outer *o, tw_node node)
{
	int k = 0;
	while (k < o->n && o->units[k].node != node)
		k++;
	return k < o->n ? k : TW_NONE;
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct outer *o = state;
	const struct tw_graph *g = tw_sched_graph(s);
	o->n_tasks = tw_graph_n_tasks(g);
	o->random = strcmp(tw_args_text(tw_sched_args(s), "choice"), "random") == 0;
	o->units = calloc((size_t)tw_n_nodes(s), sizeof *o->units);
	o->of_task = malloc(((size_t)o->n_tasks + 1) * sizeof *o->of_task);
	o->links = tw_task_links_create(s);
	bool complete = o->units && o->of_task && o->links && !tw_sharing_init(&o->inputs, g, TW_R) &&
	                !tw_id_heap_init(&o->ready, o->n_tasks) && !tw_worker_queues_init(&o->appended, s, err) &&
	                !tw_plan_init(&o->plan, s);
	tw_task_queue_init(&o->processors, o->links);
	for (tw_task t = 0; complete && t < o->n_tasks; t++)
		o->of_task[t] = NOT_READY;
	for (tw_worker w = 0; complete && w < tw_n_workers(s); w++)
		if (tw_worker_is_accelerator(s, w) == tw_worker_is_accelerator(s, 0) && /* they come first */
		    unit_of(o, tw_worker_node(s, w)) == TW_NONE)
			complete = init_unit(o, s, tw_worker_node(s, w)) == TW_OK;
	if (complete)
		return TW_OK;
	finish(s, state);
	return tw_fail(err, TW_NOMEM, "policy 'dynamic_outer': out of memory");
}

/* --- ready, planned, gone --------------------------------------------------------------------------------------- */

static void wake(struct tw_sched *s, const struct unit *u)
{
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		if (tw_worker_node(s, w) == u->node)
			tw_wake(s, w);
}

static bool is_possible_with_one(const struct outer *o, const struct unit *u, tw_task t)
{
	return o->of_task[t] == READY && u->missing[t] == 1;
}

/* A ready task lacks one data, whose credit changes by it. */
static void credit(struct outer *o, struct unit *u, tw_task t, int change)
{
	size_t i = o->inputs.first_data[t];
	while (u->loaded[o->inputs.data[i]])
		i++;
	tw_data d = o->inputs.data[i];
	uint64_t now = (u->making.place[d] == TW_NONE ? 0 : u->making.score[d]) + (uint64_t)(int64_t)change;
	if (now)
		tw_id_heap_put(&u->making, d, now);
	else
		tw_id_heap_remove(&u->making, d);
}

static void no_longer_ready(struct outer *o, tw_task t)
{
	for (int k = 0; k < o->n; k++)
		if (is_possible_with_one(o, &o->units[k], t))
			credit(o, &o->units[k], t, -1);
	tw_id_heap_remove(&o->ready, t);
}

static void plan(struct outer *o, struct tw_sched *s, tw_task t, int k)
{
	struct unit *u = &o->units[k];
	o->of_task[t] = k;
	if (tw_task_queue_add(&u->planned, t, 0) || tw_plan_append(&o->plan, s, t, u->node))
		tw_abort_run(s, "out of memory for planned tasks");
	wake(s, u);
}

/* A task that is ready, again or for the first time: planned where it lacks nothing, by the unit with the fewest tasks. */
static void make_ready(struct outer *o, struct tw_sched *s, tw_task t)
{
	int best = TW_NONE;
	for (int k = 0; k < o->n; k++) {
		struct unit *u = &o->units[k];
		if (u->missing[t] == CANNOT)
			continue;
		u->missing[t] = 0;
		for (size_t i = o->inputs.first_data[t]; i < o->inputs.first_data[t + 1]; i++)
			u->missing[t] += !u->loaded[o->inputs.data[i]];
		if (u->missing[t] == 0 && (best == TW_NONE || u->planned.n_tasks < o->units[best].planned.n_tasks))
			best = k;
	}
	if (best != TW_NONE) {
		plan(o, s, t, best);
		return;
	}
	o->of_task[t] = READY;
	tw_id_heap_put(&o->ready, t, 0);
	for (int k = 0; k < o->n; k++) {
		if (is_possible_with_one(o, &o->units[k], t))
			credit(o, &o->units[k], t, 1);
		if (o->units[k].missing[t] != CANNOT)
			wake(s, &o->units[k]);
	}
}

/* --- data come and go ------------------------------------------------------------------------------------------- */

static void enter(struct outer *o, struct tw_sched *s, int k, tw_data d)
{
	struct unit *u = &o->units[k];
	if (d >= o->inputs.n_data || u->loaded[d])
		return;
	u->loaded[d] = true;
	tw_id_heap_remove(&u->making, d);
	for (size_t i = o->inputs.first_task[d]; i < o->inputs.first_task[d + 1]; i++) {
		tw_task t = o->inputs.tasks[i];
		if (o->of_task[t] != READY || u->missing[t] == CANNOT)
			continue;
		if (--u->missing[t] == 1)
			credit(o, u, t, 1);
		if (u->missing[t] == 0) {
			no_longer_ready(o, t);
			plan(o, s, t, k);
		}
	}
}

static void leave(struct outer *o, struct tw_sched *s, int k, tw_data d);

/* Data that were chosen for a task which is not planned there any more, and have not come, are loaded for nobody. */
static void forget_inputs(struct outer *o, struct tw_sched *s, int k, tw_task t)
{
	for (size_t i = o->inputs.first_data[t]; i < o->inputs.first_data[t + 1]; i++) {
		tw_data d = o->inputs.data[i];
		struct tw_planned_use use = tw_plan_use(&o->plan, d, o->units[k].node);
		if (use.taken + use.planned == 0 && !tw_data_allocated(s, d, o->units[k].node))
			leave(o, s, k, d);
	}
}

static void unplan(struct outer *o, struct tw_sched *s, tw_task t)
{
	int k = o->of_task[t];
	o->of_task[t] = NOT_READY;
	tw_task_queue_remove(&o->units[k].planned, t, 0);
	tw_plan_remove(&o->plan, s, t);
	forget_inputs(o, s, k, t);
}

static void leave(struct outer *o, struct tw_sched *s, int k, tw_data d)
{
	struct unit *u = &o->units[k];
	if (d >= o->inputs.n_data || !u->loaded[d])
		return;
	for (size_t i = o->inputs.first_task[d]; i < o->inputs.first_task[d + 1]; i++) {
		tw_task t = o->inputs.tasks[i];
		if (o->of_task[t] != READY || u->missing[t] == CANNOT)
			continue;
		if (u->missing[t]++ == 1)
			credit(o, u, t, -1);
	}
	u->loaded[d] = false;
	for (size_t i = o->inputs.first_task[d]; i < o->inputs.first_task[d + 1]; i++)
		if (o->of_task[o->inputs.tasks[i]] == k) {
			unplan(o, s, o->inputs.tasks[i]);
			make_ready(o, s, o->inputs.tasks[i]);
		}
}

/* --- what the runtime calls ------------------------------------------------------------------------------------- */

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct outer *o = state;
	if (task >= o->n_tasks) {
		tw_worker_queues_give_back(&o->appended, s, task, 0, released_by);
		return;
	}
	for (int k = 0; k < o->n; k++)
		if (o->units[k].missing[task] != CANNOT) {
			make_ready(o, s, task);
			return;
		}
	if (tw_task_queue_add(&o->processors, task, 0))
		tw_abort_run(s, "out of memory for ready tasks");
	tw_wake_first_idle(s, task);
}

/* The first submitted ready task that the unit can run, or one at random; TW_NONE: there is none. */
static tw_task any_ready(const struct outer *o, struct tw_sched *s, const struct unit *u)
{
	const struct tw_id_heap *h = &o->ready;
	tw_task best = TW_NONE;
	if (o->random && h->n)
		best = h->items[(int32_t)(tw_random(s) * h->n)];
	else
		best = tw_id_heap_top(h);
	if (best == TW_NONE || u->missing[best] != CANNOT)
		return best;
	best = TW_NONE;
	for (int32_t i = 0; i < h->n; i++)
		if (u->missing[h->items[i]] != CANNOT && (best == TW_NONE || h->items[i] < best))
			best = h->items[i];
	return best;
}

/* Chooses data to load, and plans the tasks that they make possible. */
static void choose(struct outer *o, struct tw_sched *s, int k)
{
	struct unit *u = &o->units[k];
	tw_data d = o->random ? (tw_data)TW_NONE : tw_id_heap_top(&u->making);
	if (d != TW_NONE) {
		enter(o, s, k, d);
		return;
	}
	tw_task t = any_ready(o, s, u);
	for (size_t i = t == TW_NONE ? 0 : o->inputs.first_data[t]; t != TW_NONE && i < o->inputs.first_data[t + 1];
	     i++)
		enter(o, s, k, o->inputs.data[i]);
}

static tw_task take_from_longest(struct outer *o, struct tw_sched *s, tw_worker worker, int thief)
{
	int longest = TW_NONE;
	for (int k = 0; k < o->n; k++)
		if (k != thief && o->units[k].planned.n_tasks > 1 &&
		    (longest == TW_NONE || o->units[k].planned.n_tasks > o->units[longest].planned.n_tasks))
			longest = k;
	tw_task t =
		longest == TW_NONE ? (tw_task)TW_NONE : tw_task_queue_newest_for(&o->units[longest].planned, s, worker);
	if (t != TW_NONE)
		unplan(o, s, t);
	return t;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct outer *o = state;
	int k = unit_of(o, tw_worker_node(s, worker));
	tw_task t = tw_worker_queues_take(&o->appended, worker);
	if (t == TW_NONE && k == TW_NONE) {
		t = tw_task_queue_oldest_for(&o->processors, s, worker);
		if (t != TW_NONE)
			tw_task_queue_remove(&o->processors, t, 0);
	} else if (t == TW_NONE) {
		struct unit *u = &o->units[k];
		if (!u->planned.n_tasks)
			choose(o, s, k);
		t = tw_task_queue_oldest_for(&u->planned, s, worker);
		if (t != TW_NONE)
			tw_task_queue_remove(&u->planned, t, 0);
		else if (!u->planned.n_tasks)
			t = take_from_longest(o, s, worker, k);
	}
	if (t == TW_NONE)
		return t;
	if (t < o->n_tasks)
		o->of_task[t] = GONE;
	tw_plan_take(&o->plan, s, t, tw_worker_node(s, worker));
	return t;
}

/* What a task has written is here now, and nowhere else. */
static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct outer *o = state;
	tw_plan_done(&o->plan, s, task);
	for (int i = 0; i < tw_task_n_accesses(s, task); i++) {
		struct tw_access access = tw_task_access(s, task, i);
		for (int k = 0; k < o->n && (access.mode & TW_W); k++)
			if (o->units[k].node == tw_worker_node(s, worker))
				enter(o, s, k, access.data);
			else
				leave(o, s, k, access.data);
	}
}

static void data_loaded(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	int k = unit_of(state, node);
	if (k != TW_NONE)
		enter(state, s, k, data);
}

static void data_evicted(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	int k = unit_of(state, node);
	if (k != TW_NONE)
		leave(state, s, k, data);
}

static struct tw_planned_use planned_use(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	(void)s;
	return tw_plan_use(&((struct outer *)state)->plan, data, node);
}

const struct tw_policy tw_policy_dynamic_outer = {
	.abi = TW_POLICY_ABI,
	.name = "dynamic_outer",
	.summary = "loads the data that makes most tasks possible, and runs those",
	.params = params,
	.state_size = sizeof(struct outer),
	.eviction = "luf",
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
	.done = done,
	.data_loaded = data_loaded,
	.data_evicted = data_evicted,
	.planned_use = planned_use,
};
