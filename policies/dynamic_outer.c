/* dynamic_outer: Dynamic Outer, a "dynamic scheduler based on processing task whose data are already loaded" (Gonthier,
 * Marchal, Thibault 2021, "Work in progress"). It extends the strategy for outer products of Beaumont and Marchal 2014,
 * Analysis of dynamic scheduling strategies for matrix multiplication on heterogeneous platforms. In that strategy, an
 * idle processor draws a row and a column that it lacks at random, and loads them. It then computes all tasks that they
 * make possible.
 *
 * "We adapted it to choose to load (resp. evict) data allowing to process the most task (resp. the least task)". A GPU
 * with no planned task loads the handle that, alone, makes the most ready tasks possible. It then plans all these
 * tasks. Eviction is left to the eviction policy luf, the default of this policy. Among the handles that no taken task
 * needs, luf evicts the handle that the fewest planned tasks need.
 *
 * Choices where the text is silent:
 * - A handle counts as loaded on a GPU once the GPU has planned a task that uses it. It counts so until it is evicted
 *   and no task that the GPU has taken needs it.
 * - If no handle alone makes a task possible, the GPU turns to the first submitted ready task. It loads all handles
 *   that this task lacks: a row and a column in an outer product. With choice=random the GPU always does so, for a
 *   ready task drawn at random, as in the outer product of 2014.
 * - Ties between handles: the lowest handle number. A GPU plans and takes tasks in the order of submission.
 * - Planned tasks that lose a handle become ready tasks again. A GPU that finds no ready task steals the last task of
 *   the longest plan.
 * - Without GPUs, all processors are one unit. Beside GPUs, processors take only tasks that no GPU can run. */
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>
#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

#include "policies/support/data_table.h"

struct outer {
	/* Table that tells which handles would make which tasks possible if a unit loaded them. A unit is a GPU, or all
	 * processors. */
	struct tw_data_table table;
	struct tw_task_queue *planned; /* [units] the tasks planned for each unit */
	struct tw_id_set *workers;     /* [units] the workers of each unit */
	struct tw_id_heap ready;       /* ready tasks that some unit can run; the first submitted one on top */
	struct tw_task_queue others;   /* ready tasks that no unit can run; processors beside GPUs take them */
	tw_task *list;                 /* scratch array with room for all tasks of the run */
	bool random;
};

static const struct tw_param params[] = {
	{"choice", TW_PARAM_CHOICE, "most", 0, 0, "most|random",
         "data to load: most: the handle that makes most tasks possible; random: those that a random task lacks"},
	{0},
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct outer *o = state;
	struct tw_task_link *links = tw_task_links_create(s);
	(void)err;
	o->random = strcmp(tw_args_text(tw_sched_args(s), "choice"), "random") == 0;
	tw_data_table_init(&o->table, s);
	tw_plan_show(&o->table.plan, s);
	o->table.by_count = true;
	o->list = tw_run_alloc(s, (size_t)tw_max_tasks(s), sizeof *o->list);
	o->planned = tw_run_alloc(s, (size_t)o->table.n_units, sizeof *o->planned);
	o->workers = tw_run_alloc(s, (size_t)o->table.n_units, sizeof *o->workers);
	tw_id_heap_init(&o->ready, tw_max_tasks(s));
	for (int k = 0; k < o->table.n_units; k++) {
		tw_task_queue_init(&o->planned[k], s, links);
		o->workers[k] = tw_run_id_set(s, tw_n_workers(s));
	}
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		if (o->table.unit_of_worker[w] != TW_NONE)
			tw_id_set_put(&o->workers[o->table.unit_of_worker[w]], w, true);
	tw_task_queue_init(&o->others, s, links);
	return TW_OK;
}

static void finish(struct tw_sched *s, void *state)
{
	(void)s;
	tw_id_heap_finish(&((struct outer *)state)->ready);
}

/* --- tasks become ready and planned ------------------------------------------------------------------------------- */

static void wake(struct tw_sched *s, const struct outer *o, int k) { tw_wake_set(s, &o->workers[k]); }

static bool can_run(const struct outer *o, int k, tw_task task)
{
	return tw_data_table_length(&o->table, task, k) >= 0;
}

static void plan(struct tw_sched *s, struct outer *o, tw_task task, int k)
{
	tw_id_heap_remove(&o->ready, task);
	tw_data_table_plan(&o->table, task, k);
	tw_task_queue_add(&o->planned[k], task, 0);
	wake(s, o, k);
}

static void unplan(struct outer *o, tw_task task)
{
	tw_task_queue_remove(&o->planned[tw_data_table_task(&o->table, task)->unit_of], task, 0);
	tw_data_table_unplan(&o->table, task);
	tw_id_heap_put(&o->ready, task, 0);
}

static int by_number(const void *a, const void *b)
{
	tw_task x = *(const tw_task *)a, y = *(const tw_task *)b;
	return (x > y) - (x < y);
}

/* Plans, on unit k, all ready tasks whose inputs the unit has; in the order of submission. */
static void plan_possible(struct tw_sched *s, struct outer *o, int k)
{
	const struct tw_task_queue *possible = &o->table.units[k].free;
	size_t n = 0;
	if (!possible->n_tasks)
		return;
	for (int l = 0; l < possible->n_levels; l++)
		for (tw_task t = possible->levels[l].oldest; t != TW_NONE; t = possible->links[t].behind)
			o->list[n++] = t;
	qsort(o->list, n, sizeof *o->list, by_number);
	for (size_t i = 0; i < n; i++)
		plan(s, o, o->list[i], k);
}

/* Plans a ready task on the unit that has all its inputs; among several such units, on the one with the fewest planned
 * tasks. If no unit has all inputs, wakes all units that can run the task. */
static void place(struct tw_sched *s, struct outer *o, tw_task task)
{
	int best = TW_NONE;
	for (int k = 0; k < o->table.n_units; k++)
		if (can_run(o, k, task) && tw_data_table_missing(&o->table, task, k) == 0 &&
		    (best == TW_NONE || o->planned[k].n_tasks < o->planned[best].n_tasks))
			best = k;
	if (best != TW_NONE) {
		plan(s, o, task, best);
		return;
	}
	for (int k = 0; k < o->table.n_units; k++)
		if (can_run(o, k, task))
			wake(s, o, k);
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct outer *o = state;
	int k = 0;
	(void)released_by;
	tw_data_table_add(&o->table, task);
	while (k < o->table.n_units && !can_run(o, k, task))
		k++;
	if (k < o->table.n_units) {
		tw_id_heap_put(&o->ready, task, 0);
		place(s, o, task);
	} else {
		tw_task_queue_add(&o->others, task, 0);
		tw_wake_first_idle(s, task);
	}
}

/* --- choosing the data to load next ------------------------------------------------------------------------------- */

/* Returns the first submitted ready task that unit k can run, or with choice=random a random one. TW_NONE: there is
 * none. */
static tw_task any_ready(struct tw_sched *s, const struct outer *o, int k)
{
	const struct tw_id_heap *h = &o->ready;
	tw_task best = tw_id_heap_top(h);
	if (o->random && h->n)
		best = h->items[(int32_t)(tw_random(s) * h->n)];
	if (best == TW_NONE || can_run(o, k, best)) {
		tw_looked_at(s, best != TW_NONE);
		return best;
	}
	tw_looked_at(s, h->n);
	best = TW_NONE;
	for (int32_t i = 0; i < h->n; i++)
		if (can_run(o, k, h->items[i]) && (best == TW_NONE || h->items[i] < best))
			best = h->items[i];
	return best;
}

/* Chooses what unit k loads next: plans a task on it whose data are then loaded, and all tasks that these data make
 * possible. */
static void choose(struct tw_sched *s, struct outer *o, int k)
{
	tw_data d = o->random ? (tw_data)TW_NONE : tw_data_table_best(&o->table, k, NULL);
	tw_task task = TW_NONE;
	if (d != TW_NONE)
		tw_data_table_set(&o->table, d, k, 0, &task, 1);
	else
		task = any_ready(s, o, k);
	if (task == TW_NONE)
		return;
	plan(s, o, task, k);
	plan_possible(s, o, k);
}

/* Takes the last task that the worker can run from the longest plan of all units, and plans it on unit k. */
static void steal(struct tw_sched *s, struct outer *o, int k, tw_worker worker)
{
	int longest = 0;
	for (int other = 1; other < o->table.n_units; other++)
		if (o->planned[other].n_tasks > o->planned[longest].n_tasks)
			longest = other;
	tw_task task = tw_task_queue_newest_for(&o->planned[longest], s, worker);
	if (task == TW_NONE || o->planned[longest].n_tasks < 2)
		return;
	unplan(o, task);
	plan(s, o, task, k);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct outer *o = state;
	int k = o->table.unit_of_worker[worker];
	tw_task task;
	if (k == TW_NONE) {
		task = tw_task_queue_oldest_for(&o->others, s, worker);
		if (task == TW_NONE)
			return task;
		tw_task_queue_remove(&o->others, task, 0);
		tw_data_table_drop(&o->table, task);
		tw_plan_take(&o->table.plan, s, task, tw_worker_node(s, worker));
		return task;
	}
	if (!o->planned[k].n_tasks)
		choose(s, o, k);
	if (!o->planned[k].n_tasks)
		steal(s, o, k, worker);
	task = tw_task_queue_oldest_for(&o->planned[k], s, worker);
	if (task != TW_NONE) {
		tw_task_queue_remove(&o->planned[k], task, 0);
		tw_data_table_take(&o->table, task);
	}
	return task;
}

/* --- data are loaded and evicted ---------------------------------------------------------------------------------- */

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct outer *o = state;
	tw_data_table_end(&o->table, task, worker);
	for (int k = 0; k < o->table.n_units; k++)
		plan_possible(s, o, k);
}

static void data_loaded(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	struct outer *o = state;
	int k = o->table.unit_of_node[node];
	if (k == TW_NONE)
		return;
	tw_data_table_set_present(&o->table, data, k, tw_data_valid(s, data, node));
	plan_possible(s, o, k);
}

static void data_evicted(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	struct outer *o = state;
	int k = o->table.unit_of_node[node];
	size_t n = 0;
	if (k == TW_NONE)
		return;
	tw_data_table_set_present(&o->table, data, k, false);
	/* A taken task needs the handle, so the runtime will load it again. */
	if (tw_plan_use(&o->table.plan, data, node).taken > 0)
		return;
	for (tw_task task; (task = tw_data_table_planned(&o->table, data, k)) != TW_NONE; n++) {
		unplan(o, task);
		o->list[n] = task;
	}
	qsort(o->list, n, sizeof *o->list, by_number);
	for (size_t i = 0; i < n; i++)
		place(s, o, o->list[i]);
}

static struct tw_planned_use planned_use(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	(void)s;
	return tw_plan_use(&((struct outer *)state)->table.plan, data, node);
}

const struct tw_policy tw_policy_dynamic_outer = {
	.abi = TW_POLICY_ABI,
	.name = "dynamic_outer",
	.summary = "loads the data that make the most tasks possible, and runs these tasks",
	.params = params,
	.state_size = sizeof(struct outer),
	.flags = TW_POP_ONLY_TAKES,
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
