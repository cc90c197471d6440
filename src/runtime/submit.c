/* The threads that submit tasks: one for each graph of the run. */
#include <stdlib.h>

#include "runtime/recursive.h"
#include "runtime/state/threads.h"
#include "runtime/tasks.h"

/* Finds the thread that goes on next. Of several at one date, it is the one of the first graph. */
static void find_next(struct tw__rt *rt)
{
	rt->next_submitter = rt->submitters;
	for (int i = 1; i < rt->n_submitters; i++)
		if (rt->submitters[i].date < rt->next_submitter->date)
			rt->next_submitter = &rt->submitters[i];
}

void tw__submit_open(struct tw__rt *rt)
{
	const struct tw_graph *g = rt->graph;
	rt->n_submitters = tw__graph_n_parts(g);
	rt->submitters = tw_alloc((size_t)rt->n_submitters, sizeof *rt->submitters);
	for (int i = 0; i < rt->n_submitters; i++) {
		tw_task first = g->n_parts ? g->parts[i].first : 0;
		rt->submitters[i] = (struct submitter){.first = first,
		                                       .end = tw__graph_part_end(g, i),
		                                       .next = first,
		                                       .pushing = TW_NONE,
		                                       .date = TW__NEVER,
		                                       .first_start = TW__NEVER};
	}
	find_next(rt);
}

void tw__submit_begin(struct tw__rt *rt, tw__ns begin)
{
	for (int i = 0; i < rt->n_submitters; i++)
		rt->submitters[i].date = tw__latest(begin, tw__graph_arrival(rt->graph, rt->submitters[i].first));
	find_next(rt);
}

void tw__submit_close(struct tw__rt *rt) { free(rt->submitters); }

void tw__submit_count(struct tw__rt *rt)
{
	for (int i = 0; rt->graph->n_parts && i < rt->n_submitters; i++) {
		const struct submitter *s = &rt->submitters[i];
		rt->counters->graphs[rt->counters->n_graphs++] =
			(struct tw__graph_dates){rt->graph->parts[i].arrival, s->first_start, s->last_end, TW__NEVER};
	}
}

/* Returns the number of hints "will not be used again" that are submitted after the task: one for each handle whose
 * last writer it is. */
static int hints_behind(const struct tw__rt *rt, tw_task t)
{
	const struct tw_graph *g = rt->graph;
	int hints = 0;
	if (!rt->params->idle_write_back)
		return 0;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		hints += !!(g->access[a] & TW__ACCESS_LAST_WRITE);
	return hints;
}

static bool is_window_full(const struct tw__rt *rt, const struct submitter *s)
{
	return rt->params->window && s->next - s->first - s->n_done >= rt->params->window;
}

/* Takes one step, and returns its cost in ns. Negative: the submission window is full, or all tasks are submitted. */
static tw__ns step(struct tw__rt *rt, struct submitter *s)
{
	if (s->pushing != TW_NONE) {
		tw__task_push(rt, s->pushing, TW_NONE);
		s->pushing = TW_NONE;
		return tw__rt_looks(rt);
	}
	if (s->submitting) {
		tw_task t = s->last = s->next;
		s->next = tw__recursive_next(rt, t);
		s->submitting = false;
		tw__rt_record(rt, (struct tw__event){.kind = TW__SUBMIT, .task = t});
		if (--rt->remaining[t] > 0)
			return 0;
		rt->remaining[t] = UNPUSHED;
		s->pushing = t;
		return rt->cost.push;
	}
	if (s->next == s->end || is_window_full(rt, s))
		return -1;
	s->submitting = true;
	return (1 + (s->next > s->first ? hints_behind(rt, s->last) : 0)) * rt->cost.submit;
}

void tw__submit(struct tw__rt *rt)
{
	struct submitter *s = rt->next_submitter;
	tw__ns cost = 0;
	while (cost == 0 && rt->status == TW_OK)
		cost = step(rt, s);
	s->date = cost >= 0 ? tw__later(rt->now, cost) : TW__NEVER;
	if (rt->n_submitters > 1)
		find_next(rt);
}

void tw__submit_ended(struct tw__rt *rt, const struct hold *hold)
{
	struct submitter *s = submitter_of(rt, hold->task);
	s->first_start = tw__earliest(s->first_start, hold->start);
	s->last_end = rt->now;
	tw__submit_done(rt, hold->task, 1);
}

void tw__submit_done(struct tw__rt *rt, tw_task t, tw_task n)
{
	struct submitter *s = submitter_of(rt, t);
	s->n_done += n;
	if (rt->params->window && s->date == TW__NEVER && s->next < s->end) {
		s->date = rt->now;
		find_next(rt);
	}
}
