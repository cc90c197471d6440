#include "policies/support/list_plan.h"

#include <math.h>
#include <string.h>

#include "policies/support/list_planner.h"

/* --- placing all tasks -------------------------------------------------------------------------------------------- */

static void add_next(struct tw__list_planner *p, tw_task task)
{
	uint64_t date; /* the bits of the date: for doubles from 0 on, they have the same order as integers */
	memcpy(&date, &p->after[task], sizeof date);
	tw_id_heap_put(&p->next, p->place_of[task], p->rules->order == TW_LIST_AS_GIVEN ? 0 : UINT64_MAX - date);
}

static void release_successors(struct tw__list_planner *p, tw_task placed)
{
	int n;
	const tw_task *successors = tw_graph_successors(tw_sched_graph(p->s), placed, &n);
	for (int i = 0; i < n; i++) {
		p->after[successors[i]] = fmax(p->after[successors[i]], p->plan->end[placed]);
		if (--p->missing[successors[i]] == 0)
			add_next(p, successors[i]);
	}
}

static void place_on_any(struct tw__list_planner *p)
{
	for (tw_task at; (at = tw_id_heap_top(&p->next)) != TW_NONE;) {
		tw_id_heap_remove(&p->next, at);
		tw__list_place(p, p->order[at], p->after[p->order[at]], INFINITY);
		release_successors(p, p->order[at]);
	}
}

/* Returns the next date after `now` when a worker has ended all its tasks, or when the next task is ready; INFINITY:
 * there is none. */
static double next_end(const struct tw__list_planner *p, double now)
{
	tw_task at = tw_id_heap_top(&p->next);
	double next = at != TW_NONE ? p->after[p->order[at]] : INFINITY;
	for (int i = 0; i < p->n_runs; i++) {
		const struct tw_gap_node *workers = p->gaps[i].nodes + p->gaps[i].n_leaves;
		for (int w = 0; w < p->gaps[i].n; w++)
			if (workers[w].last > now && workers[w].last < next)
				next = workers[w].last;
	}
	return next;
}

static bool can_idle_run(const struct tw__list_planner *p, int sort, double now)
{
	for (int i = 0; i < p->n_runs; i++)
		if (tw__list_last_end(p, i) <= now && !isinf(tw_task_length(p->s, p->example[sort], p->runs[i].first)))
			return true;
	return false;
}

/* Takes the first task that is ready at the date `now` and that an idle worker can run; TW_NONE: there is none. */
static tw_task take_ready(struct tw__list_planner *p, double now)
{
	tw_task first = TW_NONE;
	for (tw_task at; (at = tw_id_heap_top(&p->next)) != TW_NONE && p->after[p->order[at]] <= now;) {
		tw_id_heap_remove(&p->next, at);
		if (!tw_task_is_mine(p->s, p->order[at])) {
			tw__list_place(p, p->order[at], p->after[p->order[at]], now);
			release_successors(p, p->order[at]);
			continue;
		}
		tw_id_heap_put(&p->ready[p->sort_of[p->order[at]]], at, 0);
	}
	for (int i = 0; i < p->n_sorts; i++) {
		tw_task at = tw_id_heap_top(&p->ready[i]);
		if (at != TW_NONE && (first == TW_NONE || at < first) && can_idle_run(p, i, now))
			first = at;
	}
	if (first != TW_NONE)
		tw_id_heap_remove(&p->ready[p->sort_of[p->order[first]]], first);
	return first;
}

static void place_on_idle(struct tw__list_planner *p)
{
	for (double now = 0; !isinf(now); now = next_end(p, now))
		for (tw_task at; (at = take_ready(p, now)) != TW_NONE;) {
			tw__list_place(p, p->order[at], fmax(now, p->after[p->order[at]]), now);
			release_successors(p, p->order[at]);
		}
}

/* --- set-up of the planner ---------------------------------------------------------------------------------------- */

static bool are_alike(const struct tw__list_planner *p, tw_task a, tw_task b)
{
	for (int i = 0; i < p->n_runs; i++)
		if (isinf(tw_task_length(p->s, a, p->runs[i].first)) !=
		    isinf(tw_task_length(p->s, b, p->runs[i].first)))
			return false;
	return true;
}

/* Divides the tasks into sorts, class by class. There are as many sorts as sets of archs. */
static void make_sorts(struct tw__list_planner *p)
{
	size_t classes = (size_t)tw_n_task_classes(p->s);
	int *sort_of = tw_run_alloc(p->s, classes, sizeof *sort_of); /* [classes] sort of the class's tasks, + 1 */
	p->sort_of = tw_run_alloc(p->s, (size_t)p->n_tasks, sizeof *p->sort_of);
	p->example = tw_run_alloc(p->s, classes, sizeof *p->example);
	p->ready = tw_run_alloc(p->s, classes, sizeof *p->ready);
	for (tw_task t = 0; t < p->n_tasks; t++) {
		int *sort = &sort_of[tw_task_class(p->s, t)];
		for (int i = 0; i < p->n_sorts && !*sort; i++)
			if (are_alike(p, t, p->example[i]))
				*sort = i + 1;
		if (!*sort) {
			tw_id_heap_init(&p->ready[p->n_sorts], p->n_tasks);
			p->example[p->n_sorts++] = t;
			*sort = p->n_sorts;
		}
		p->sort_of[t] = *sort - 1;
	}
}

/* Sets the initial state: all workers are idle, handles are in their initial memories, and tasks without predecessors
 * are next. `missing` is 0 for all tasks, at first and behind each plan. */
static void begin(struct tw__list_planner *p)
{
	const struct tw_graph *g = tw_sched_graph(p->s);
	int n;
	for (int i = 0; i < p->n_runs; i++)
		tw_gap_tree_clear(&p->gaps[i]);
	tw_planned_copies_init(&p->copies, p->s);
	for (tw_task at = 0; at < p->n_tasks; at++) {
		const tw_task *successors = tw_graph_successors(g, p->order[at], &n);
		p->place_of[p->order[at]] = at;
		for (int i = 0; i < n; i++)
			p->missing[successors[i]]++;
	}
	for (tw_task t = 0; t < p->n_tasks; t++) {
		const double arrival_s = tw_graph_arrival(g, t);
		p->after[t] = arrival_s > 0 ? round(arrival_s * 1e9) : 0;
		if (p->missing[t] == 0)
			add_next(p, t);
	}
}

struct tw__list_planner *tw_list_planner_open(const struct tw_sched *s, const struct tw_list_rules *rules)
{
	tw_task n_tasks = tw_graph_n_tasks(tw_sched_graph(s));
	size_t tasks = (size_t)n_tasks, nodes = (size_t)tw_n_nodes(s);
	struct tw__list_planner *p = tw_run_alloc(s, 1, sizeof *p);
	*p = (struct tw__list_planner){
		.s = s,
		.n_tasks = n_tasks,
		.rules = rules,
		.arrival = tw_run_alloc(s, nodes, sizeof *p->arrival),
		.gaps = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof *p->gaps),
		.place_of = tw_run_alloc(s, tasks, sizeof *p->place_of),
		.missing = tw_run_alloc(s, tasks, sizeof *p->missing),
		.after = tw_run_alloc(s, tasks, sizeof *p->after),
	};
	p->runs = tw_worker_runs(s, &p->n_runs);
	for (int i = 0; i < p->n_runs; i++)
		tw_gap_tree_init(&p->gaps[i], s, p->runs[i].n);
	if (rules->looks_ahead)
		p->trials = tw__list_trials_make(s);
	if (rules->order == TW_LIST_ON_IDLE)
		make_sorts(p);
	tw_id_heap_init(&p->next, n_tasks);
	return p;
}

struct tw_list_plan tw_list_plan_alloc(const struct tw_sched *s)
{
	size_t tasks = (size_t)tw_graph_n_tasks(tw_sched_graph(s));
	return (struct tw_list_plan){
		.worker = tw_run_alloc(s, tasks, sizeof(tw_worker)),
		.start = tw_run_alloc(s, tasks, sizeof(double)),
		.end = tw_run_alloc(s, tasks, sizeof(double)),
	};
}

double tw_list_planner_make(struct tw__list_planner *p, const tw_task *order, struct tw_list_plan *plan)
{
	double makespan = 0;
	p->order = order;
	p->plan = plan;
	begin(p);
	if (p->rules->order == TW_LIST_ON_IDLE)
		place_on_idle(p);
	else
		place_on_any(p);
	tw_planned_copies_finish(&p->copies);
	for (tw_task t = 0; t < p->n_tasks; t++) {
		plan->start[t] /= 1e9;
		plan->end[t] /= 1e9;
		if (tw_task_is_mine(p->s, t))
			makespan = fmax(makespan, plan->end[t]);
	}
	return makespan;
}

void tw_list_planner_close(struct tw__list_planner *p)
{
	tw_looked_at(p->s, p->looks);
	tw_id_heap_finish(&p->next);
	for (int i = 0; i < p->n_sorts; i++)
		tw_id_heap_finish(&p->ready[i]);
}

struct tw_list_plan tw_list_plan_make(const struct tw_sched *s, const tw_task *order, const struct tw_list_rules *rules)
{
	struct tw_list_plan plan = tw_list_plan_alloc(s);
	struct tw__list_planner *p = tw_list_planner_open(s, rules);
	tw_list_planner_make(p, order, &plan);
	tw_list_planner_close(p);
	return plan;
}
