#include "policies/support/list_plan.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <tilewright/containers.h>

#include "policies/support/gap_tree.h"
#include "policies/support/worker_runs.h"

/* Dates in the planner are whole nanoseconds, as in a run, so that sums do not depend on the order of their terms. They
 * are in doubles, which are exact up to 2^53. */
struct planner {
	const struct tw_sched *s;
	tw_task n_tasks;
	bool insertion, by_date;
	struct tw_list_plan *plan;
	double *available;  /* [data * nodes + node] date when the handle's copy is on the node; INFINITY: no copy */
	tw_node *holders;   /* [data * nodes + i] the memories that have a copy of the handle, the first copy first */
	tw_node *n_holders; /* [data] number of memories that have a copy of the handle */
	/* [nodes] date when the data of the task being placed can be on the node; below 0: not computed */
	double *arrival;
	struct tw_worker_run *runs;
	/* [runs] the idle gaps of the workers of each run: neighbours of one arch and memory */
	struct tw_gap_tree *gaps;
	int n_runs;
	int64_t looks; /* number of workers that tasks were tried on */
	/* Heaps hold the places of tasks in the given order, not the tasks. So ties go to the first task of the
	 * order. */
	const tw_task *order;   /* [places] the tasks in the given order */
	tw_task *place_of;      /* [tasks] place of each task in `order` */
	tw_task *missing;       /* [tasks] number of predecessors of the task that are not placed yet */
	double *after;          /* [tasks] greatest planned end of the predecessors placed so far */
	struct tw_id_heap next; /* tasks whose predecessors are all placed; the next to place on top */
	/* Used with TW_LIST_ON_IDLE: sorts of tasks. The tasks of one sort can run on the same archs. */
	int n_sorts;
	int *sort_of;             /* [tasks] sort of each task */
	tw_task *example;         /* [sorts] one task of each sort */
	struct tw_id_heap *ready; /* [sorts] ready tasks of each sort */
};

/* --- placing one task --------------------------------------------------------------------------------------------- */

/* Returns the time of the task on the worker, in nanoseconds; INFINITY: the worker cannot run it. */
static double length_ns(const struct planner *p, tw_task task, tw_worker w)
{
	double seconds = tw_task_length(p->s, task, w);
	return seconds > 0 ? fmax(1, round(seconds * 1e9)) : 0;
}

static double transfer_ns(const struct planner *p, tw_node from, tw_node to, tw_data d)
{
	double ns = tw_transfer_time(p->s, from, to, tw_data_bytes(p->s, d)) * 1e9;
	/* Rounds up as the run does, except where the excess is a rounding error. */
	return ceil(ns - 4e-3 - ns * 0x1p-52);
}

static double *available(const struct planner *p, tw_data d, tw_node node)
{
	return &p->available[(size_t)d * (size_t)tw_n_nodes(p->s) + (size_t)node];
}

static tw_node *holders(const struct planner *p, tw_data d)
{
	return &p->holders[(size_t)d * (size_t)tw_n_nodes(p->s)];
}

/* Notes that the node has the copy from `date` on, if not earlier. */
static void add_copy(const struct planner *p, tw_data d, tw_node node, double date)
{
	double *there = available(p, d, node);
	tw_node *of = holders(p, d), at = 0;
	if (*there <= date)
		return;
	if (isinf(*there))
		at = p->n_holders[d]++;
	else
		while (of[at] != node)
			at++;
	for (; at > 0 && *available(p, d, of[at - 1]) > date; at--)
		of[at] = of[at - 1];
	of[at] = node;
	*there = date;
}

/* Returns the date when the data that the task reads are in memory `node`. With `commit`, adds the copies. */
static double data_arrival(const struct planner *p, tw_task task, tw_node node, bool commit)
{
	double last = 0;
	for (int i = 0; i < tw_task_n_accesses(p->s, task); i++) {
		struct tw_access access = tw_task_access(p->s, task, i);
		if (!(access.mode & TW_R))
			continue;
		double date = *available(p, access.data, node);
		for (tw_node h = 0; h < p->n_holders[access.data]; h++) {
			tw_node from = holders(p, access.data)[h];
			double there = *available(p, access.data, from);
			if (there >= date)
				break; /* later copies cannot arrive earlier */
			date = fmin(date, there + transfer_ns(p, from, node, access.data));
		}
		if (isinf(date)) /* the handle has no copy yet: a task outside the plan writes it */
			continue;
		if (commit)
			add_copy(p, access.data, node, date);
		last = fmax(last, date);
	}
	return last;
}

/* Adds the copies that the task, just placed, fetches to its memory and writes there. */
static void commit_data(const struct planner *p, tw_task task, tw_node node)
{
	data_arrival(p, task, node, true);
	for (int i = 0; i < tw_task_n_accesses(p->s, task); i++) {
		struct tw_access access = tw_task_access(p->s, task, i);
		if (!(access.mode & TW_W))
			continue;
		for (tw_node h = 0; h < p->n_holders[access.data]; h++)
			*available(p, access.data, holders(p, access.data)[h]) = INFINITY;
		p->n_holders[access.data] = 0;
		add_copy(p, access.data, node, p->plan->end[task]);
	}
}

/* Returns the least date from which some worker of the run of workers stays idle. */
static double last_end(const struct planner *p, int run) { return p->gaps[run].nodes[1].last; }

/* Places a task where it ends first, not before the date `after`, among the workers that stay idle from `idle_at` or
 * earlier. One of these workers must be able to run the task. */
static void place(struct planner *p, tw_task task, double after, double idle_at)
{
	struct tw_list_plan *plan = p->plan;
	struct tw_gap_place best = {.end = INFINITY};
	int run = TW_NONE;
	for (tw_node n = 0; n < tw_n_nodes(p->s); n++)
		p->arrival[n] = -1;
	for (int i = 0; i < p->n_runs; i++) {
		double length = length_ns(p, task, p->runs[i].first);
		tw_node node = tw_worker_node(p->s, p->runs[i].first);
		if (isinf(length) || last_end(p, i) > idle_at)
			continue;
		p->looks += p->runs[i].n;
		if (p->arrival[node] < 0)
			p->arrival[node] = fmax(after, data_arrival(p, task, node, false));
		struct tw_gap_place here = {.end = best.end};
		if (tw_gap_tree_earliest(&p->gaps[i], p->arrival[node], length, p->insertion, idle_at, &here)) {
			best = here;
			run = i;
		}
	}
	assert(run != TW_NONE);
	plan->worker[task] = p->runs[run].first + best.worker;
	plan->start[task] = best.start;
	plan->end[task] = best.end;
	commit_data(p, task, tw_worker_node(p->s, plan->worker[task]));
	tw_gap_tree_fill(&p->gaps[run], &best);
}

/* --- placing all tasks -------------------------------------------------------------------------------------------- */

static void add_next(struct planner *p, tw_task task)
{
	uint64_t date; /* the bits of the date: for doubles from 0 on, they have the same order as integers */
	memcpy(&date, &p->after[task], sizeof date);
	tw_id_heap_put(&p->next, p->place_of[task], p->by_date ? UINT64_MAX - date : 0);
}

static void release_successors(struct planner *p, tw_task placed)
{
	int n;
	const tw_task *successors = tw_graph_successors(tw_sched_graph(p->s), placed, &n);
	for (int i = 0; i < n; i++) {
		p->after[successors[i]] = fmax(p->after[successors[i]], p->plan->end[placed]);
		if (--p->missing[successors[i]] == 0)
			add_next(p, successors[i]);
	}
}

static void place_on_any(struct planner *p)
{
	for (tw_task at; (at = tw_id_heap_top(&p->next)) != TW_NONE;) {
		tw_id_heap_remove(&p->next, at);
		place(p, p->order[at], p->after[p->order[at]], INFINITY);
		release_successors(p, p->order[at]);
	}
}

/* Returns the next date after `now` when a worker has ended all its tasks; INFINITY: there is none. */
static double next_end(const struct planner *p, double now)
{
	double next = INFINITY;
	for (int i = 0; i < p->n_runs; i++) {
		const struct tw_gap_node *workers = p->gaps[i].nodes + p->gaps[i].n_leaves;
		for (int w = 0; w < p->gaps[i].n; w++)
			if (workers[w].last > now && workers[w].last < next)
				next = workers[w].last;
	}
	return next;
}

static bool can_idle_run(const struct planner *p, int sort, double now)
{
	for (int i = 0; i < p->n_runs; i++)
		if (last_end(p, i) <= now && !isinf(tw_task_length(p->s, p->example[sort], p->runs[i].first)))
			return true;
	return false;
}

/* Takes the first task that is ready at the date `now` and that an idle worker can run; TW_NONE: there is none. */
static tw_task take_ready(struct planner *p, double now)
{
	tw_task first = TW_NONE;
	for (tw_task at; (at = tw_id_heap_top(&p->next)) != TW_NONE && p->after[p->order[at]] <= now;) {
		tw_id_heap_remove(&p->next, at);
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

static void place_on_idle(struct planner *p)
{
	for (double now = 0; !isinf(now); now = next_end(p, now))
		for (tw_task at; (at = take_ready(p, now)) != TW_NONE;) {
			place(p, p->order[at], fmax(now, p->after[p->order[at]]), now);
			release_successors(p, p->order[at]);
		}
}

/* --- set-up of the planner ---------------------------------------------------------------------------------------- */

static bool are_alike(const struct planner *p, tw_task a, tw_task b)
{
	for (int i = 0; i < p->n_runs; i++)
		if (isinf(tw_task_length(p->s, a, p->runs[i].first)) !=
		    isinf(tw_task_length(p->s, b, p->runs[i].first)))
			return false;
	return true;
}

/* Divides the tasks into sorts, class by class. There are as many sorts as sets of archs. */
static void make_sorts(struct planner *p)
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
 * are next. */
static void begin(struct planner *p)
{
	const struct tw_graph *g = tw_sched_graph(p->s);
	tw_node n_nodes = tw_n_nodes(p->s);
	int n;
	for (int i = 0; i < p->n_runs; i++)
		tw_gap_tree_init(&p->gaps[i], p->s, p->runs[i].n);
	for (tw_data d = 0; d < tw_graph_n_data(g); d++)
		for (tw_node node = 0; node < n_nodes; node++) {
			*available(p, d, node) = INFINITY;
			if (tw_data_valid(p->s, d, node))
				add_copy(p, d, node, 0);
		}
	for (tw_task at = 0; at < p->n_tasks; at++) {
		const tw_task *successors = tw_graph_successors(g, p->order[at], &n);
		p->place_of[p->order[at]] = at;
		for (int i = 0; i < n; i++)
			p->missing[successors[i]]++;
	}
	for (tw_task t = 0; t < p->n_tasks; t++)
		if (p->missing[t] == 0)
			add_next(p, t);
}

struct tw_list_plan tw_list_plan_make(const struct tw_sched *s, const tw_task *order, enum tw_list_order by,
                                      bool insertion)
{
	tw_task n_tasks = tw_graph_n_tasks(tw_sched_graph(s));
	size_t tasks = (size_t)n_tasks, nodes = (size_t)tw_n_nodes(s);
	size_t n_data = (size_t)tw_graph_n_data(tw_sched_graph(s));
	struct tw_list_plan plan = {
		.worker = tw_run_alloc(s, tasks, sizeof *plan.worker),
		.start = tw_run_alloc(s, tasks, sizeof *plan.start),
		.end = tw_run_alloc(s, tasks, sizeof *plan.end),
	};
	struct planner p = {
		.s = s,
		.n_tasks = n_tasks,
		.insertion = insertion,
		.by_date = by != TW_LIST_AS_GIVEN,
		.plan = &plan,
		.available = tw_run_alloc(s, n_data * nodes, sizeof *p.available),
		.holders = tw_run_alloc(s, n_data * nodes, sizeof *p.holders),
		.n_holders = tw_run_alloc(s, n_data, sizeof *p.n_holders),
		.arrival = tw_run_alloc(s, nodes, sizeof *p.arrival),
		.gaps = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof *p.gaps),
		.order = order,
		.place_of = tw_run_alloc(s, tasks, sizeof *p.place_of),
		.missing = tw_run_alloc(s, tasks, sizeof *p.missing),
		.after = tw_run_alloc(s, tasks, sizeof *p.after),
	};
	p.runs = tw_worker_runs(s, &p.n_runs);
	tw_id_heap_init(&p.next, n_tasks);
	begin(&p);
	if (by == TW_LIST_ON_IDLE) {
		make_sorts(&p);
		place_on_idle(&p);
	} else {
		place_on_any(&p);
	}
	tw_looked_at(s, p.looks);
	for (tw_task t = 0; t < n_tasks; t++) {
		plan.start[t] /= 1e9;
		plan.end[t] /= 1e9;
	}
	tw_id_heap_finish(&p.next);
	for (int i = 0; i < p.n_sorts; i++)
		tw_id_heap_finish(&p.ready[i]);
	return plan;
}
