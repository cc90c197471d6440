/* The account of workers' time: its state, before and between events. */
#include <stdlib.h>
#include <string.h>

#include "explain/workers.h"
#include "graph/reduction.h"

void tw__account_count(struct tw__account *a, tw_task t, int ready, int unsubmitted, int left)
{
	bool is_known = a->graph->kernel[t] < a->run->times->n_kernels;
	for (int i = 0; i < a->n_archs; i++)
		if (!is_known || tw__task_can_run(a->run->times, a->graph, t, i)) {
			a->archs[i].ready += ready;
			a->archs[i].unsubmitted += unsubmitted;
			a->archs[i].left += left;
		}
}

void tw__account_begin_idle(struct tw__account *a, struct tw__account_worker *w)
{
	w->state = TW__WORKER_IDLE;
	w->since = a->date;
	memcpy(w->idle, a->archs[w->arch].idle, sizeof w->idle);
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
	for (size_t i = 0; i < items->n_runs; i++)
		a->starts[a->workers[items->runs[i].worker].end_starts++] = items->runs[i].task;
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
		*tw__account_copy(a, d, run->home) = TW__COPY_VALID;
	for (tw_worker w = 0; w < run->platform->n_workers; w++) {
		a->workers[w].arch = run->platform->workers[w].arch;
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
	size_t data = (size_t)g->n_data, nodes = (size_t)p->n_nodes, archs = (size_t)a->n_archs;
	a->workers = tw__arena_alloc(&a->memory, (size_t)p->n_workers, sizeof *a->workers);
	a->waiting = tw__arena_alloc(&a->memory, (size_t)p->n_workers, sizeof *a->waiting);
	a->starts = tw__arena_alloc(&a->memory, n_starts, sizeof *a->starts);
	a->archs = tw__arena_alloc(&a->memory, archs, sizeof *a->archs);
	a->kind_of = tw__arena_alloc(&a->memory, archs, sizeof *a->kind_of);
	a->tasks = tw__arena_alloc(&a->memory, (size_t)g->n_tasks, sizeof *a->tasks);
	a->copies = tw__arena_alloc(&a->memory, data * nodes, sizeof *a->copies);
	a->moving = tw__arena_alloc(&a->memory, data, sizeof *a->moving);
	a->nodes = tw__arena_alloc(&a->memory, nodes, sizeof *a->nodes);
}

void tw__account_close(struct tw__account *a)
{
	for (int i = 0; i < a->n_archs; i++)
		free(a->archs[i].turns);
	tw__arena_finish(&a->memory);
}

static void list_kinds(struct tw__account *a)
{
	struct tw__explanation *e = a->e;
	const struct tw__platform *p = a->run->platform;
	e->kinds = tw_alloc((size_t)a->n_archs + 1, sizeof *e->kinds); /* archs without workers use the last one */
	for (tw_arch i = 0; i < a->n_archs; i++) {
		struct tw__kind_time *kind = &e->kinds[e->n_kinds];
		kind->arch = i;
		for (tw_worker w = 0; w < p->n_workers; w++)
			kind->n_workers += p->workers[w].arch == i;
		a->kind_of[i] = kind;
		e->n_kinds += kind->n_workers > 0;
	}
}

void tw__account_open(struct tw__account *a, struct tw__explanation *e, const struct tw__explained_run *run,
                      const struct tw__past_items *items)
{
	*a = (struct tw__account){.e = e,
	                          .run = run,
	                          .graph = items->graph,
	                          .n_archs = run->platform->n_archs,
	                          .n_nodes = run->platform->n_nodes};
	allocate(a, items->n_runs);
	list_kinds(a);
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

void tw__account_note_idle(struct tw__account *a, struct tw__account_arch *arch, enum tw__why why)
{
	if (arch->n_turns > 0 && arch->turns[arch->n_turns - 1].why == why)
		return;
	TW_RESERVE(arch->turns, arch->turns_capacity, arch->n_turns + 1);
	arch->turns[arch->n_turns++] = (struct tw__idle_turn){why, a->date};
}

void tw__account_idle_spans(struct tw__account *a, const struct tw__account_worker *w)
{
	const struct tw__account_arch *arch = &a->archs[w->arch];
	tw__ns patience = a->run->patience;
	size_t i = arch->n_turns;
	while (i > 0 && arch->turns[i - 1].date > w->since)
		i--;
	for (i = i > 0 ? i - 1 : 0; i < arch->n_turns; i++) {
		tw__ns start = tw__latest(w->since, arch->turns[i].date);
		tw__ns end = i + 1 < arch->n_turns ? tw__earliest(arch->turns[i + 1].date, a->date) : a->date;
		tw__ns ours =
			arch->turns[i].why == TW__WHY_POLICY && end > start ? tw__earliest(patience, end - start) : 0;
		patience -= ours;
		tw__account_span(a, (tw_worker)(w - a->workers), TW__WHY_RUNTIME, start, start + ours);
		tw__account_span(a, (tw_worker)(w - a->workers), arch->turns[i].why, start + ours, end);
	}
}
