#include "runtime/state/uses.h"

#include <stdlib.h>

#include "base/door.h"
#include "graph/reduction.h"
#include "runtime/state/domain.h"

/* The accesses of tasks that have not ended, as a list for each handle, in the order of submission. */
struct uses {
	uint32_t *first;          /* [data] 1 + the number of the access; 0: none */
	uint32_t *before, *after; /* [accesses] neighbours in the list, as `first` */
	tw_task *task;            /* [accesses] */
	int16_t *popped_for;      /* [tasks] the node whose worker has popped the task; TW_NONE: none has */
	int32_t *n_waiting;       /* [data] accesses by tasks that no worker has popped */
	int32_t *n_taken;         /* [data * nodes + node] accesses by tasks that a worker of the node has popped */
};

/* Whether workers of a bounded memory have a policy without children that plans nothing. */
static bool is_without_plan(const struct tw__rt *rt, const struct tw_sched *s)
{
	if (s->policy->planned_use || s->is_queue || s->children)
		return false;
	for (tw_worker w = 0; w < s->n_workers; w++)
		if (is_bounded(rt, s->worker[w].node))
			return true;
	return false;
}

static bool are_needed(const struct tw__rt *rt)
{
	bool needed = false;
	for (int i = 0; i < rt->in->n_domains; i++)
		needed |= is_without_plan(rt, &rt->views[i]);
	for (const struct tw__child *c = rt->newest_child; c; c = c->older)
		needed |= is_without_plan(rt, &c->view);
	return needed && (rt->in->eviction->flags & TW_NEEDS_PLAN);
}

void tw__uses_open(struct tw__rt *rt)
{
	if (!are_needed(rt))
		return;
	const struct tw_graph *g = rt->in->graph;
	const size_t n_data = (size_t)rt->graph->n_data, n = g->access_start[g->n_tasks];
	struct uses *u = rt->uses = tw_alloc(1, sizeof *u);
	u->first = tw_alloc(n_data, sizeof *u->first);
	u->before = tw_alloc(n, sizeof *u->before);
	u->after = tw_alloc(n, sizeof *u->after);
	u->task = tw_resize(NULL, n, sizeof *u->task);
	u->popped_for = tw_resize(NULL, (size_t)g->n_tasks, sizeof *u->popped_for);
	u->n_waiting = tw_alloc(n_data, sizeof *u->n_waiting);
	u->n_taken = tw_alloc(n_data * (size_t)rt->n_nodes, sizeof *u->n_taken);
	for (tw_task t = g->n_tasks; t-- > 0;) {
		u->popped_for[t] = TW_NONE;
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
			uint32_t *first = &u->first[tw__access_data(g->access[a])];
			u->task[a] = t;
			u->after[a] = *first;
			if (*first)
				u->before[*first - 1] = a + 1;
			*first = a + 1;
			u->n_waiting[tw__access_data(g->access[a])]++;
		}
	}
}

void tw__uses_close(struct tw__rt *rt)
{
	struct uses *u = rt->uses;
	if (!u)
		return;
	free(u->first);
	free(u->before);
	free(u->after);
	free(u->task);
	free(u->popped_for);
	free(u->n_waiting);
	free(u->n_taken);
	free(u);
}

/* Counts the accesses of a task that was just popped (+1), or is popped no more (-1). */
static void count(struct tw__rt *rt, tw_task t, tw_node n, int taken)
{
	const struct tw_graph *g = rt->graph;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		tw_data d = tw__access_data(g->access[a]);
		rt->uses->n_waiting[d] -= taken;
		rt->uses->n_taken[(size_t)d * (size_t)rt->n_nodes + (size_t)n] += taken;
	}
}

void tw__uses_change_take(struct tw__rt *rt, tw_task t, tw_node n)
{
	if (t >= rt->n_own_tasks)
		return;
	rt->uses->popped_for[t] = (int16_t)n;
	count(rt, t, n, 1);
}

void tw__uses_change_give_back(struct tw__rt *rt, tw_task t)
{
	if (t >= rt->n_own_tasks)
		return;
	count(rt, t, rt->uses->popped_for[t], -1);
	rt->uses->popped_for[t] = TW_NONE;
}

/* Takes the accesses of a task out of the lists. */
static void leave(struct tw__rt *rt, tw_task t)
{
	struct uses *u = rt->uses;
	const struct tw_graph *g = rt->graph;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		tw_data d = tw__access_data(g->access[a]);
		*(u->before[a] ? &u->after[u->before[a] - 1] : &u->first[d]) = u->after[a];
		if (u->after[a])
			u->before[u->after[a] - 1] = u->before[a];
	}
}

void tw__uses_change_end(struct tw__rt *rt, tw_task t)
{
	struct uses *u = rt->uses;
	const struct tw_graph *g = rt->graph;
	if (t >= rt->n_own_tasks)
		return;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		u->n_taken[(size_t)tw__access_data(g->access[a]) * (size_t)rt->n_nodes + (size_t)u->popped_for[t]]--;
	leave(rt, t);
}

void tw__uses_change_skip(struct tw__rt *rt, tw_task t)
{
	const struct tw_graph *g = rt->graph;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		rt->uses->n_waiting[tw__access_data(g->access[a])]--;
	leave(rt, t);
}

struct tw_planned_use tw__uses_of(const struct tw__rt *rt, tw_data d, tw_node n)
{
	const struct uses *u = rt->uses;
	if (d >= tw__graph_own_data(rt->graph))
		d = tw_accumulated(rt->root, d);
	struct tw_planned_use use = {.next = TW_NEVER,
	                             .taken = u->n_taken[(size_t)d * (size_t)rt->n_nodes + (size_t)n],
	                             .planned = u->n_waiting[d]};
	uint32_t a = u->first[d];
	while (a && u->popped_for[u->task[a - 1]] != TW_NONE && u->popped_for[u->task[a - 1]] != n)
		a = u->after[a - 1];
	if (a)
		use.next = u->task[a - 1];
	return use;
}
