/* heft: a static schedule, made before the run by HEFT (Topcuoglu, Hariri, Wu 2002). Beaumont, Cojean, Eyraud-Dubois,
 * Guermouche, Kumar 2016 (HiPC), section IV, compare HeteroPrio with it. Tasks are placed by decreasing upward rank,
 * each task on the worker where it ends first (policies/support/list_plan.h).
 *
 *     rank(t) = E(t) + max over successors s of (C(t, s) + rank(s))
 *
 * E(t) is the mean time over the workers that can run t; with rank=fastest it is the time on the fastest worker. C(t,
 * s) is the time to transfer the data that t writes and s reads: the mean over all ordered pairs of workers. With
 * rank=fastest it is 0. Ties: the task submitted first. These means and the insertion into idle gaps follow McSweeney,
 * Walton, Zounon 2020.
 *
 * Choices that the paper of 2016 leaves open:
 * - The paper's priority is the "distance to the exit node", without saying whose times count. The parameter rank
 *   chooses.
 * - The paper does not say whether tasks fill idle gaps. The parameter insertion chooses.
 * - The paper's HEFT is "greedy": "the highest priority ready task is allocated to the resource that is expected to
 *   complete it first". The candidates are all resources (order=ready) or only the idle ones (order=idle). Section I,
 *   "all ready tasks tend to be allocated to accelerators", fits order=ready. The results of section IV.C fit
 *   order=idle (docs/reference/heteroprio-types.md). Topcuoglu et al. place all tasks by rank, ready or not
 *   (order=rank).
 *
 * During the run, each worker runs its tasks in the planned order, but not at the planned dates. With a submission
 * window (runtime parameter window) or reductions, each worker runs its tasks in the order of submission instead. The
 * planned order could deadlock there: a worker could wait for a task that depends on a later task in the worker's own
 * list. If tasks depend on tasks of another policy, each worker runs the first ready task of its list, as two planned
 * orders could wait for each other. A task that a reduction appends runs on the worker that released it, or on the next
 * worker that can run it. */
#include <stdlib.h>
#include <string.h>

#include <tilewright/policy.h>

#include "policies/support/list_plan.h"
#include "policies/support/plan.h"
#include "policies/support/task_lists.h"
#include "policies/support/upward_rank.h"
#include "policies/support/worker_queues.h"

struct heft {
	tw_task n_tasks;            /* number of tasks of the graph, without those that reductions append */
	struct tw_task_lists lists; /* the planned tasks of each worker, one list per worker */
	struct tw_plan plan;
	struct tw_worker_queues appended;
};

static const struct tw_param params[] = {
	{"order", TW_PARAM_CHOICE, "rank", 0, 0, "rank|ready|idle",
         "rank: place tasks by rank; ready: by the date when they become ready; idle: by rank, on idle workers only"},
	TW_UPWARD_RANK_PARAM("mean"),
	{"insertion", TW_PARAM_FLAG, "yes", 0, 0, NULL,
         "tasks may fill idle gaps between tasks placed before; no effect with order=idle, which leaves no gaps"},
	{0},
};

static enum tw_list_order order_of(const struct tw_sched *s)
{
	const char *order = tw_args_text(tw_sched_args(s), "order");
	if (strcmp(order, "rank") == 0)
		return TW_LIST_AS_GIVEN;
	return strcmp(order, "ready") == 0 ? TW_LIST_AS_READY : TW_LIST_ON_IDLE;
}

/* Compares two tasks by planned start; ties: the lower task number goes first. All starts are 0 when workers follow the
 * order of submission. */
static int by_start(const void *a, const void *b, void *start)
{
	const double *of = start;
	tw_task x = *(const tw_task *)a, y = *(const tw_task *)b;
	return of[x] != of[y] ? (of[x] > of[y]) - (of[x] < of[y]) : (x > y) - (x < y);
}

/* Whether a task of this policy depends on a task of another one. */
static bool depends_on_others(const struct tw_sched *s, tw_task n_tasks)
{
	for (tw_task t = 0; t < n_tasks; t++) {
		int n = 0;
		const tw_task *successors =
			tw_task_is_mine(s, t) ? NULL : tw_graph_successors(tw_sched_graph(s), t, &n);
		for (int i = 0; i < n; i++)
			if (tw_task_is_mine(s, successors[i]))
				return true;
	}
	return false;
}

static void fill_lists(struct heft *h, const struct tw_sched *s, tw_task *order, const struct tw_list_plan *places)
{
	bool as_submitted = tw_submission_window(s) || tw_max_tasks(s) > h->n_tasks;
	for (tw_task t = 0; t < h->n_tasks && as_submitted; t++)
		places->start[t] = 0;
	bool relaxed = depends_on_others(s, h->n_tasks);
	qsort_r(order, (size_t)h->n_tasks, sizeof *order, by_start, places->start);
	tw_task_lists_init(&h->lists, s, tw_n_workers(s) + 1, h->n_tasks); /* the last: tasks of other domains */
	tw_task_lists_fill(&h->lists, order, places->worker);
	for (int i = 0; i < h->lists.n; i++)
		h->lists.lists[i].relaxed = relaxed;
	for (tw_task i = 0; i < h->n_tasks; i++)
		if (tw_task_is_mine(s, order[i]))
			tw_plan_append(&h->plan, s, order[i], tw_worker_node(s, places->worker[order[i]]));
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct heft *h = state;
	(void)err;
	tw_task *order = tw_upward_rank_order(s);
	h->n_tasks = tw_graph_n_tasks(tw_sched_graph(s));
	struct tw_list_plan places =
		tw_list_plan_make(s, order, order_of(s), tw_args_flag(tw_sched_args(s), "insertion"));
	tw_worker_queues_init(&h->appended, s);
	tw_plan_init_if_read(&h->plan, s);
	fill_lists(h, s, order, &places);
	tw_plan_show(&h->plan, s);
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct heft *h = state;
	if (task >= h->n_tasks) {
		tw_worker_queues_give_back(&h->appended, s, task, 0, released_by);
		return;
	}
	tw_task_lists_ready(&h->lists, task);
	tw_worker worker = h->lists.listed[task].list;
	tw_place(s, task, worker);
	tw_prefetch_task(s, task, tw_worker_node(s, worker));
	tw_wake(s, worker);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct heft *h = state;
	tw_task task = tw_worker_queues_pop(s, &h->appended, worker);
	if (task == TW_NONE) {
		task = tw_task_lists_first(&h->lists, s, worker, TW_NONE);
		if (task != TW_NONE)
			tw_task_lists_take(&h->lists, task);
	}
	if (task != TW_NONE)
		tw_plan_take(&h->plan, s, task, tw_worker_node(s, worker));
	return task;
}

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct heft *h = state;
	(void)worker;
	tw_plan_remove(&h->plan, s, task);
}

static struct tw_planned_use planned_use(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	struct heft *h = state;
	(void)s;
	return tw_plan_use(&h->plan, data, node);
}

const struct tw_policy tw_policy_heft = {
	.abi = TW_POLICY_ABI,
	.name = "heft",
	.summary = "static: tasks by decreasing upward rank, each placed where it ends first",
	.params = params,
	.state_size = sizeof(struct heft),
	.flags = TW_PLANS_ALL,
	.init = init,
	.push = push,
	.pop = pop,
	.done = done,
	.planned_use = planned_use,
};
