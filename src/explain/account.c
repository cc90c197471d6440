/* The account of workers' time: its state, before and between events. */
#include <stdlib.h>
#include <string.h>

#include "explain/workers.h"
#include "graph/ranks.h"
#include "graph/reduction.h"

void tw__account_count(struct tw__account *a, tw_task t, int ready, int unsubmitted, int left)
{
	const bool is_known = a->graph->kernel[t] < a->run->times->n_kernels;
	const int domain = tw__domain_of_task(&a->run->domains, a->graph, t);
	const int rank = a->graph->ranks ? tw__rank_of_task(a->graph, t) : 0;
	for (int i = 0; i < a->n_groups; i++) {
		struct tw__account_group *group = &a->groups[i];
		if ((group->domains >> domain & 1) && group->rank == rank &&
		    (!is_known || tw__task_can_run(a->run->times, a->graph, t, group->arch))) {
			group->ready += ready;
			group->unsubmitted += unsubmitted;
			group->left += left;
		}
	}
}

void tw__account_begin_idle(struct tw__account *a, struct tw__account_worker *w)
{
	w->state = TW__WORKER_IDLE;
	w->since = a->date;
	memcpy(w->idle, w->group->idle, sizeof w->idle);
}

/* Lists the tasks of each worker in the order of their starts. */
static void list_starts(struct tw__account *a, const struct tw__past_items *items)
{
	size_t first = 0;
	for (size_t i = 0; i < items->n_runs; i++)
		a->workers[items->runs[i].worker].end_starts++;
	for (tw_worker w = 0; w < a->run->platform->n_workers; w++) {
		size_t n = a->workers[w].end_starts;
		a->workers[w].next_start = a->workers[w].end_starts = first;
		first += n;
	}
	for (size_t i = 0; i < items->n_runs; i++) {
		const struct tw__past_run *r = &items->runs[i];
		a->starts[a->workers[r->worker].end_starts++] = r->task;
		a->tasks[r->task].parallel |= i > 0 && r[-1].start_event == r->start_event;
	}
}

static void begin(struct tw__account *a, const struct tw__past_items *items)
{
	const struct tw_graph *g = a->graph;
	const struct tw__explained_run *run = a->run;
	const uint32_t *own = tw__graph_predecessors(run->graph), *all = tw__graph_predecessors(g);
	for (tw_task t = 0; t < tw__graph_own_tasks(g); t++) {
		a->tasks[t].predecessors = own[t];
		tw__account_count(a, t, 0, a->tasks[t].predecessors == 0, 1);
	}
	for (tw_task t = tw__graph_own_tasks(g); t < g->n_tasks; t++)
		a->tasks[t].predecessors = all[t];
	for (tw_data d = 0; d < tw__graph_own_data(g); d++)
		for (tw_node n = 0, first = tw__home_of(run->homes, d);
		     n < (tw__touch_decides(run->homes, d) ? run->homes.n : 1); n++)
			*tw__account_copy(a, d, first + n) = TW__COPY_VALID;
	for (tw_worker w = 0; w < run->platform->n_workers; w++) {
		a->workers[w].node = run->platform->workers[w].node;
		a->workers[w].task = TW_NONE;
		tw__account_begin_idle(a, &a->workers[w]);
	}
	list_starts(a, items);
}

static void allocate(struct tw__account *a, size_t n_starts)
{
	const struct tw__platform *p = a->run->platform;
	const struct tw_graph *g = a->graph;
	size_t data = (size_t)g->n_data, nodes = (size_t)p->n_nodes, workers = (size_t)p->n_workers;
	a->workers = tw__arena_alloc(&a->memory, workers, sizeof *a->workers);
	a->waiting = tw__arena_alloc(&a->memory, workers, sizeof *a->waiting);
	a->starts = tw__arena_alloc(&a->memory, n_starts, sizeof *a->starts);
	a->groups = tw__arena_alloc(&a->memory, workers, sizeof *a->groups);
	a->tasks = tw__arena_alloc(&a->memory, (size_t)g->n_tasks, sizeof *a->tasks);
	a->copies = tw__arena_alloc(&a->memory, data * nodes, sizeof *a->copies);
	a->moving = tw__arena_alloc(&a->memory, data, sizeof *a->moving);
	tw__teams_init(&a->teams, p->n_workers, tw__arena_alloc(&a->memory, workers, sizeof *a->teams.joined));
	a->nodes = tw__arena_alloc(&a->memory, nodes, sizeof *a->nodes);
}

void tw__account_close(struct tw__account *a)
{
	for (int i = 0; i < a->n_groups; i++)
		free(a->groups[i].turns);
	tw__arena_finish(&a->memory);
}

/* Returns the group of workers of the arch and node that are in these domains, from group `first` on. */
static struct tw__account_group *group_of(struct tw__account *a, int first, tw_arch arch, tw__domain_set domains,
                                          int rank)
{
	int i = first;
	while (i < a->n_groups && (a->groups[i].domains != domains || a->groups[i].rank != rank))
		i++;
	if (i == a->n_groups) {
		struct tw__kind_time *kind = &a->e->kinds[a->n_groups++];
		kind->arch = arch;
		kind->domains = domains;
		kind->rank = rank;
		a->groups[i].arch = arch;
		a->groups[i].domains = domains;
		a->groups[i].rank = rank;
		a->groups[i].kind = kind;
	}
	a->groups[i].kind->n_workers++;
	return &a->groups[i];
}

/* Puts workers into groups. Each group is a kind of workers of its own until the kinds are merged. */
static void list_groups(struct tw__account *a)
{
	const struct tw__platform *p = a->run->platform;
	a->e->kinds = tw_alloc((size_t)p->n_workers, sizeof *a->e->kinds);
	for (tw_arch arch = 0; arch < p->n_archs; arch++)
		for (tw_worker w = 0, first = a->n_groups; w < p->n_workers; w++)
			if (p->workers[w].arch == arch)
				a->workers[w].group = group_of(
					a, first, arch, tw__domains_of_worker(&a->run->domains, w), p->workers[w].rank);
	a->e->n_kinds = a->n_groups;
}

void tw__account_open(struct tw__account *a, struct tw__explanation *e, const struct tw__explained_run *run,
                      const struct tw__past_items *items)
{
	*a = (struct tw__account){.e = e, .run = run, .graph = items->graph, .n_nodes = run->platform->n_nodes};
	allocate(a, items->n_runs);
	list_groups(a);
	begin(a, items);
}

/* --- the times in which single workers computed nothing, with their causes: for pictures -------------------------- */

void tw__account_span(struct tw__account *a, tw_worker worker, enum tw__why why, tw__ns start, tw__ns end)
{
	struct tw__explanation *e = a->e;
	if (start >= end)
		return;
	TW_RESERVE(e->spans, e->spans_capacity, e->n_spans + 1);
	e->spans[e->n_spans++] = (struct tw__idle_span){worker, why, start, end};
}

void tw__account_note_idle(struct tw__account *a, struct tw__account_group *group, enum tw__why why)
{
	if (group->n_turns > 0 && group->turns[group->n_turns - 1].why == why)
		return;
	TW_RESERVE(group->turns, group->turns_capacity, group->n_turns + 1);
	group->turns[group->n_turns++] = (struct tw__idle_turn){why, a->date};
}

void tw__account_idle_spans(struct tw__account *a, const struct tw__account_worker *w)
{
	const struct tw__account_group *group = w->group;
	tw__ns patience = a->run->patience;
	size_t i = group->n_turns;
	while (i > 0 && group->turns[i - 1].date > w->since)
		i--;
	for (i = i > 0 ? i - 1 : 0; i < group->n_turns; i++) {
		tw__ns start = tw__latest(w->since, group->turns[i].date);
		tw__ns end = i + 1 < group->n_turns ? tw__earliest(group->turns[i + 1].date, a->date) : a->date;
		tw__ns ours =
			group->turns[i].why == TW__WHY_POLICY && end > start ? tw__earliest(patience, end - start) : 0;
		patience -= ours;
		tw__account_span(a, (tw_worker)(w - a->workers), TW__WHY_RUNTIME, start, start + ours);
		tw__account_span(a, (tw_worker)(w - a->workers), group->turns[i].why, start + ours, end);
	}
}
