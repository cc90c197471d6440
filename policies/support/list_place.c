/* The place of one task in a plan (list_plan.h). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "policies/support/list_planner.h"

/* Returns the time of the task on the worker, in nanoseconds; INFINITY: the worker cannot run it. */
static double length_ns(const struct tw__list_planner *p, tw_task task, tw_worker w)
{
	double seconds = tw_task_length(p->s, task, w);
	return seconds > 0 ? fmax(1, round(seconds * 1e9)) : 0;
}

double tw__list_last_end(const struct tw__list_planner *p, int run) { return p->gaps[run].nodes[1].last; }

/* A task of another domain: which workers run it is not known here. It takes its least time from `after` on, keeps no
 * worker busy, and its data are then in main memory. */
static void place_elsewhere(struct tw__list_planner *p, tw_task task, double after)
{
	double length = INFINITY;
	for (int i = 0; i < p->n_runs; i++)
		length = fmin(length, length_ns(p, task, p->runs[i].first));
	p->plan->worker[task] = tw_n_workers(p->s);
	p->plan->start[task] = after;
	p->plan->end[task] = after + (isinf(length) ? 0 : length);
	tw_planned_copies_arrivals(&p->copies, task, p->arrival);
	tw_planned_copies_add(&p->copies, task, TW_RAM, p->plan->end[task]);
}

/* A place for a task on a run of workers. Lesser values are better. */
struct choice {
	int run;
	struct tw_gap_place place;
	double value;
};

/* Finds the place on the run of workers where the task ends first, before `limit`. Returns false if there is none. */
static bool find_place(const struct tw__list_planner *p, tw_task task, int run, double ready, double length,
                       double idle_at, double limit, struct tw_gap_place *place)
{
	const tw_worker only = p->rules->only ? p->rules->only[task] : (tw_worker)TW_NONE, first = p->runs[run].first;
	*place = (struct tw_gap_place){.end = limit};
	if (only == TW_NONE)
		return tw_gap_tree_earliest(&p->gaps[run], ready, length, p->rules->insertion, idle_at, place);
	return only >= first && only < first + p->runs[run].n &&
	       tw_gap_tree_earliest_on(&p->gaps[run], only - first, ready, length, p->rules->insertion, place);
}

/* Notes that the task would end at `date`; 0: takes that back. */
static void set_trial_end(struct tw__list_planner *p, tw_task task, double date)
{
	int n;
	const tw_task *successors = tw_graph_successors(tw_sched_graph(p->s), task, &n);
	double *after = p->trials->after;
	for (int i = 0; i < n; i++)
		after[successors[i]] = date > 0 ? fmax(after[successors[i]], date) : 0;
}

static void try_place(struct tw__list_planner *p, tw_task task, int run, const struct tw_gap_place *place)
{
	struct tw__list_trials *t = p->trials;
	t->gaps[t->n] = tw_gap_tree_try(&p->gaps[run], place);
	t->runs[t->n] = run;
	t->ends[t->n++] = (struct tw_planned_end){task, p->runs[run].node, place->end};
	t->end_of[task] = t->n;
	set_trial_end(p, task, place->end);
}

static void take_all_back(struct tw__list_planner *p)
{
	struct tw__list_trials *t = p->trials;
	for (; t->n; t->n--) {
		tw_gap_tree_take_back(&p->gaps[t->runs[t->n - 1]], &t->gaps[t->n - 1]);
		set_trial_end(p, t->ends[t->n - 1].task, 0);
		t->end_of[t->ends[t->n - 1].task] = 0;
	}
}

/* Sets trials->arrival for a successor. */
static void find_arrivals(struct tw__list_planner *p, tw_task task)
{
	struct tw__list_trials *t = p->trials;
	const tw_task *writer = &t->writers.of[t->writers.first[task]];
	for (int i = 0; i < tw_task_n_accesses(p->s, task); i++)
		t->version[i] = writer[i] == TW_NONE || t->placed[writer[i]] ? TW_PLANNED_NOW
		                : t->end_of[writer[i]]                       ? t->end_of[writer[i]] - 1
		                                                             : TW_PLANNED_OPEN;
	tw_planned_copies_arrivals_behind(&p->copies, task, t->version, t->ends, t->arrival);
}

/* Places a successor for trial where it ends first. Returns its end; 0: no worker of this domain can run it. */
static double try_successor(struct tw__list_planner *p, tw_task task)
{
	struct tw_gap_place best = {.end = INFINITY}, here;
	double after = fmax(p->after[task], p->trials->after[task]);
	int best_run = TW_NONE;
	find_arrivals(p, task);
	p->looks += tw_n_workers(p->s);
	for (int i = 0; i < p->n_runs; i++) {
		double length = length_ns(p, task, p->runs[i].first), arrival = p->trials->arrival[p->runs[i].node];
		if (isinf(length) || !find_place(p, task, i, fmax(arrival, after), length, INFINITY, best.end, &here))
			continue;
		best = here;
		best_run = i;
	}
	if (best_run == TW_NONE)
		return 0;
	try_place(p, task, best_run, &best);
	return best.end;
}

/* Returns when the last successor of the task would end, if the task had that place; without successors: its own
 * end. */
static double last_successor_end(struct tw__list_planner *p, tw_task task, int run, const struct tw_gap_place *place)
{
	int n;
	tw_graph_successors(tw_sched_graph(p->s), task, &n);
	double last = place->end;
	try_place(p, task, run, place);
	for (int i = 0; i < n; i++)
		if (tw_task_is_mine(p->s, p->trials->successors[i]))
			last = fmax(last, try_successor(p, p->trials->successors[i]));
	take_all_back(p);
	return last;
}

static int by_place(const void *a, const void *b, void *place_of)
{
	const tw_task *of = place_of, x = of[*(const tw_task *)a], y = of[*(const tw_task *)b];
	return (x > y) - (x < y);
}

/* Sorts the successors of the task at hand into the planner's order. */
static void sort_successors(struct tw__list_planner *p, tw_task task)
{
	int n;
	const tw_task *successors = tw_graph_successors(tw_sched_graph(p->s), task, &n);
	for (int i = 0; i < n; i++)
		p->trials->successors[i] = successors[i];
	qsort_r(p->trials->successors, (size_t)n, sizeof *successors, by_place, p->place_of);
}

/* Looks for a better place on the run of workers than the best one so far. */
static void look_at(struct tw__list_planner *p, tw_task task, int run, double after, double length, double idle_at,
                    struct choice *best)
{
	const struct tw_list_rules *rules = p->rules;
	double arrival = p->arrival[p->runs[run].node], ready = arrival > after ? arrival : after;
	double beyond = rules->beyond ? rules->beyond[(size_t)task * (size_t)p->n_runs + (size_t)run] : 0;
	struct choice here = {.run = run};
	p->looks += p->runs[run].n;
	double limit = rules->looks_ahead ? INFINITY : best->value - beyond;
	if (!find_place(p, task, run, ready, length, idle_at, limit, &here.place))
		return;
	here.value = rules->looks_ahead ? last_successor_end(p, task, run, &here.place) : here.place.end + beyond;
	if (here.value < best->value ||
	    (rules->looks_ahead && here.value == best->value && here.place.end < best->place.end))
		*best = here;
}

void tw__list_place(struct tw__list_planner *p, tw_task task, double after, double idle_at)
{
	if (!tw_task_is_mine(p->s, task)) {
		place_elsewhere(p, task, after);
		return;
	}
	struct tw_list_plan *plan = p->plan;
	struct choice best = {.run = TW_NONE, .value = INFINITY};
	double length = INFINITY;
	tw_planned_copies_arrivals(&p->copies, task, p->arrival);
	if (p->trials)
		sort_successors(p, task);
	for (int i = 0; i < p->n_runs; i++) {
		if (i == 0 || p->runs[i].arch != p->runs[i - 1].arch)
			length = length_ns(p, task, p->runs[i].first);
		if (!isinf(length) && tw__list_last_end(p, i) <= idle_at)
			look_at(p, task, i, after, length, idle_at, &best);
	}
	assert(best.run != TW_NONE);
	plan->worker[task] = p->runs[best.run].first + best.place.worker;
	plan->start[task] = best.place.start;
	plan->end[task] = best.place.end;
	if (p->trials) {
		p->trials->placed[task] = true;
		tw_planned_copies_arrivals(&p->copies, task, p->arrival); /* the last ones were of a successor */
	}
	tw_planned_copies_add(&p->copies, task, p->runs[best.run].node, best.place.end);
	tw_gap_tree_fill(&p->gaps[best.run], &best.place);
}

struct tw__list_trials *tw__list_trials_make(const struct tw_sched *s)
{
	int successors = 0, accesses = 0, n;
	const tw_task n_tasks = tw_graph_n_tasks(tw_sched_graph(s));
	for (tw_task t = 0; t < n_tasks; t++) {
		tw_graph_successors(tw_sched_graph(s), t, &n);
		successors = n > successors ? n : successors;
		accesses = tw_task_n_accesses(s, t) > accesses ? tw_task_n_accesses(s, t) : accesses;
	}
	size_t n_trials = (size_t)successors + 1;
	struct tw__list_trials *t = tw_run_alloc(s, 1, sizeof *t);
	*t = (struct tw__list_trials){
		.arrival = tw_run_alloc(s, (size_t)tw_n_nodes(s), sizeof *t->arrival),
		.after = tw_run_alloc(s, (size_t)n_tasks, sizeof *t->after),
		.successors = tw_run_alloc(s, n_trials, sizeof *t->successors),
		.ends = tw_run_alloc(s, n_trials, sizeof *t->ends),
		.gaps = tw_run_alloc(s, n_trials, sizeof *t->gaps),
		.runs = tw_run_alloc(s, n_trials, sizeof *t->runs),
		.writers = tw_writers_find(s),
		.placed = tw_run_alloc(s, (size_t)n_tasks, sizeof *t->placed),
		.end_of = tw_run_alloc(s, (size_t)n_tasks, sizeof *t->end_of),
		.version = tw_run_alloc(s, (size_t)accesses, sizeof *t->version),
	};
	return t;
}
