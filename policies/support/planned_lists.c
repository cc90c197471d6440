#include "policies/support/planned_lists.h"

#include <stdlib.h>

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

static void fill_lists(struct tw_planned_lists *p, const struct tw_sched *s, tw_task *order,
                       const struct tw_list_plan *places)
{
	bool as_submitted = tw_submission_window(s) || tw_max_tasks(s) > p->n_tasks;
	for (tw_task t = 0; t < p->n_tasks && as_submitted; t++)
		places->start[t] = 0;
	bool relaxed = depends_on_others(s, p->n_tasks);
	qsort_r(order, (size_t)p->n_tasks, sizeof *order, by_start, places->start);
	tw_task_lists_init(&p->lists, s, tw_n_workers(s) + 1, p->n_tasks); /* the last: tasks of other domains */
	tw_task_lists_fill(&p->lists, order, places->worker);
	for (int i = 0; i < p->lists.n; i++)
		p->lists.lists[i].relaxed = relaxed;
	for (tw_task i = 0; i < p->n_tasks; i++)
		if (tw_task_is_mine(s, order[i]))
			tw_plan_append(&p->plan, s, order[i], tw_worker_node(s, places->worker[order[i]]));
}

void tw_planned_lists_follow(struct tw_planned_lists *p, struct tw_sched *s, tw_task *order,
                             const struct tw_list_plan *places)
{
	p->n_tasks = tw_graph_n_tasks(tw_sched_graph(s));
	tw_worker_queues_init(&p->appended, s);
	tw_plan_init_if_read(&p->plan, s);
	fill_lists(p, s, order, places);
	tw_plan_show(&p->plan, s);
}

void tw_planned_lists_make(struct tw_planned_lists *p, struct tw_sched *s, tw_task *order,
                           const struct tw_list_rules *rules)
{
	struct tw_list_plan places = tw_list_plan_make(s, order, rules);
	tw_planned_lists_follow(p, s, order, &places);
}

void tw_planned_lists_push(struct tw_sched *s, void *lists, tw_task task, tw_worker released_by)
{
	struct tw_planned_lists *p = lists;
	if (task >= p->n_tasks) {
		tw_worker_queues_give_back(&p->appended, s, task, 0, released_by);
		return;
	}
	tw_task_lists_ready(&p->lists, task);
	tw_worker worker = p->lists.listed[task].list;
	tw_place(s, task, worker);
	tw_prefetch_task(s, task, tw_worker_node(s, worker));
	tw_wake(s, worker);
}

tw_task tw_planned_lists_pop(struct tw_sched *s, void *lists, tw_worker worker)
{
	struct tw_planned_lists *p = lists;
	tw_task task = tw_worker_queues_pop(s, &p->appended, worker);
	if (task == TW_NONE) {
		task = tw_task_lists_first(&p->lists, s, worker, TW_NONE);
		if (task != TW_NONE)
			tw_task_lists_take(&p->lists, task);
	}
	if (task != TW_NONE)
		tw_plan_take(&p->plan, s, task, tw_worker_node(s, worker));
	return task;
}

void tw_planned_lists_done(struct tw_sched *s, void *lists, tw_task task, tw_worker worker)
{
	struct tw_planned_lists *p = lists;
	(void)worker;
	tw_plan_remove(&p->plan, s, task);
}

struct tw_planned_use tw_planned_lists_use(struct tw_sched *s, void *lists, tw_data data, tw_node node)
{
	struct tw_planned_lists *p = lists;
	(void)s;
	return tw_plan_use(&p->plan, data, node);
}
