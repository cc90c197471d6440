/* The edges of a task graph: flow of data between tasks, or only an order. */
#include "graph/edges.h"

#include <stdlib.h>

#include "base/door.h"

/* Several lists of numbers in one array: list i has item[start[i]] up to, without, item[start[i + 1]]. */
struct lists {
	uint32_t *start;
	int32_t *item;
};

static void lists_init(struct lists *l, size_t n, size_t n_items)
{
	l->start = tw_alloc(n + 2, sizeof *l->start);
	l->item = tw_resize(NULL, n_items, sizeof *l->item);
}

static void lists_finish(struct lists *l)
{
	free(l->start);
	free(l->item);
}

/* Inverts a relation. Its n_from lists are given by `start` and `to`, as in struct lists. Each of the `n` lists i of
 * the result has every j whose list has i. */
static void invert(struct lists *l, size_t n, const uint32_t *start, const int32_t *to, int32_t n_from)
{
	size_t n_items = n_from ? start[n_from] : 0;
	lists_init(l, n, n_items);
	for (size_t i = 0; i < n_items; i++)
		l->start[to[i] + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		l->start[i] += l->start[i - 1];
	/* start[i + 1] moves from the beginning of list i to its end */
	for (int32_t j = 0; j < n_from; j++)
		for (uint32_t i = start[j]; i < start[j + 1]; i++)
			l->item[l->start[to[i] + 1]++] = j;
}

/* Makes a list of the contributing tasks for each reduction. */
static void list_contributors(struct lists *l, const struct tw_graph *g)
{
	lists_init(l, (size_t)g->n_phases, g->n_contributions);
	for (int p = 0; p < g->n_phases; p++)
		l->start[p + 2] = l->start[p + 1] + g->phases[p].n_contributors;
	uint32_t next = 0; /* index of the next contribution; contributions are sorted by access */
	for (tw_task t = 0; t < g->n_tasks; t++)
		for (; next < g->n_contributions && g->contributions[next].access < g->access_start[t + 1]; next++)
			l->item[l->start[g->contributions[next].phase + 1]++] = t;
}

/* --- finding all edges -------------------------------------------------------------------------------------------- */

struct edges {
	const struct tw_graph *g;
	struct lists predecessors; /* for each task: the tasks that it waits for */
	struct lists phases;       /* for each task: the reductions that it waits for */
	struct lists contributors; /* for each reduction: the tasks that contribute */
	/* [data] the task that wrote the handle last; TW_NONE: no task, or a reduction */
	tw_task *writer;
	tw_task *mark; /* [tasks] for each task, the last task to which it has an edge */
	struct tw__edge *list;
	size_t n, capacity;
};

static void add_edge(struct edges *e, tw_task from, tw_task to, tw_data data)
{
	TW_RESERVE(e->list, e->capacity, e->n + 1);
	e->list[e->n++] = (struct tw__edge){from, to, data};
	e->mark[from] = to;
}

static bool reads(const struct tw_graph *g, tw_task t, tw_data d)
{
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		if (tw__access_data(g->access[a]) == d)
			return g->access[a] & TW_R;
	return false;
}

/* Adds all edges to one task. They come from the writers of its inputs, from the contributors of the reductions that it
 * reads, and from its other predecessors. */
static void add_edges(struct edges *e, tw_task t)
{
	const struct tw_graph *g = e->g;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		tw_data d = tw__access_data(g->access[a]);
		if ((g->access[a] & TW_R) && e->writer[d] != TW_NONE &&
		    tw_graph_around(g, e->writer[d]) == tw_graph_around(g, t))
			add_edge(e, e->writer[d], t, d);
	}
	for (uint32_t i = e->phases.start[t]; i < e->phases.start[t + 1]; i++) {
		int32_t p = e->phases.item[i];
		tw_data d = reads(g, t, g->phases[p].data) ? g->phases[p].data : TW_NONE;
		for (uint32_t c = e->contributors.start[p]; c < e->contributors.start[p + 1]; c++)
			add_edge(e, e->contributors.item[c], t, d);
	}
	for (uint32_t i = e->predecessors.start[t]; i < e->predecessors.start[t + 1]; i++)
		if (e->mark[e->predecessors.item[i]] != t)
			add_edge(e, e->predecessors.item[i], t, TW_NONE);
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		if (g->access[a] & (TW_W | TW_REDUX))
			e->writer[tw__access_data(g->access[a])] = g->access[a] & TW_W ? t : TW_NONE;
}

/* Adds one edge to task t from each task that t waits for. */
static void add_dependencies(struct edges *e, tw_task t)
{
	for (uint32_t i = e->predecessors.start[t]; i < e->predecessors.start[t + 1]; i++)
		add_edge(e, e->predecessors.item[i], t, TW_NONE);
	for (uint32_t i = e->phases.start[t]; i < e->phases.start[t + 1]; i++) {
		int32_t p = e->phases.item[i];
		for (uint32_t c = e->contributors.start[p]; c < e->contributors.start[p + 1]; c++)
			if (e->mark[e->contributors.item[c]] != t)
				add_edge(e, e->contributors.item[c], t, TW_NONE);
	}
}

static struct tw__edge *find_edges(size_t *n, const struct tw_graph *g, void (*add)(struct edges *, tw_task))
{
	struct edges e = {.g = g};
	size_t tasks = (size_t)g->n_tasks, data = (size_t)g->n_data;
	invert(&e.predecessors, tasks, g->successor_start, g->successor, g->n_tasks);
	invert(&e.phases, tasks, g->phase_successor_start, g->phase_successor, g->n_phases);
	list_contributors(&e.contributors, g);
	e.writer = tw_alloc(data, sizeof *e.writer);
	e.mark = tw_alloc(tasks, sizeof *e.mark);
	for (size_t d = 0; d < data; d++)
		e.writer[d] = TW_NONE;
	for (size_t t = 0; t < tasks; t++)
		e.mark[t] = TW_NONE;
	for (tw_task t = 0; t < g->n_tasks; t++)
		add(&e, t);
	lists_finish(&e.predecessors);
	lists_finish(&e.phases);
	lists_finish(&e.contributors);
	free(e.writer);
	free(e.mark);
	*n = e.n;
	return e.list;
}

struct tw__edge *tw__graph_edges(size_t *n, const struct tw_graph *g) { return find_edges(n, g, add_edges); }

struct tw__edge *tw__graph_dependencies(size_t *n, const struct tw_graph *g)
{
	return find_edges(n, g, add_dependencies);
}

/* --- dependencies that do not follow from accesses ---------------------------------------------------------------- */

/* Returns a graph with the same tasks and accesses, but without explicit dependencies. So it has only the dependencies
 * that follow from accesses. */
static struct tw_graph *graph_of_data(const struct tw_graph *g, struct tw_error *err)
{
	struct tw_graph *other = tw_graph_create();
	if (!other)
		tw__no_memory(1, sizeof *other);
	struct tw_access *list = tw_alloc((size_t)tw_graph_most_accesses(g), sizeof *list);
	tw_kernel kernel = tw_graph_kernel(other, "any", "1", "s", 0);
	for (tw_data d = 0; d < g->n_data; d++)
		tw_graph_data(other, 1);
	for (int p = 0; p < g->n_phases; p++)
		tw_graph_reduction(other, g->phases[p].data, kernel);
	for (tw_task t = 0; t < g->n_tasks; t++) {
		for (int i = 0; i < tw_graph_n_accesses(g, t); i++)
			list[i] = tw_graph_access(g, t, i);
		tw_graph_submit(other, kernel, 0, list, tw_graph_n_accesses(g, t));
	}
	free(list);
	if (tw_graph_finish(other, err) == TW_OK)
		return other;
	tw_graph_destroy(other);
	return NULL;
}

int tw__graph_orders(struct tw__edge **edges, size_t *n, const struct tw_graph *g, struct tw_error *err)
{
	struct tw_graph *implied = graph_of_data(g, err);
	struct lists all, known;
	size_t tasks = (size_t)g->n_tasks;
	*n = 0;
	*edges = NULL;
	if (!implied)
		return TW_NOMEM;
	invert(&all, tasks, g->successor_start, g->successor, g->n_tasks);
	invert(&known, tasks, implied->successor_start, implied->successor, g->n_tasks);
	*edges = tw_alloc((size_t)g->successor_start[g->n_tasks], sizeof **edges);
	for (tw_task t = 0; t < g->n_tasks; t++) {
		uint32_t k = known.start[t]; /* index in known.item; both lists are in ascending order */
		for (uint32_t i = all.start[t]; i < all.start[t + 1]; i++) {
			while (k < known.start[t + 1] && known.item[k] < all.item[i])
				k++;
			if (k == known.start[t + 1] || known.item[k] != all.item[i])
				(*edges)[(*n)++] = (struct tw__edge){all.item[i], t, TW_NONE};
		}
	}
	lists_finish(&all);
	lists_finish(&known);
	tw_graph_destroy(implied);
	return TW_OK;
}
