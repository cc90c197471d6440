/* What the edges of a task graph stand for: data, or order alone. */
#include <stdlib.h>

#include "export/export.h"

static int no_memory(const struct tw_graph *g, struct tw_error *err)
{
	return tw_fail(err, TW_NOMEM, "out of memory for the edges of %d tasks", (int)g->n_tasks);
}

/* The predecessors of each task: those of t are task[start[t]] up to task[start[t + 1]]. */
struct predecessors {
	uint32_t *start;
	tw_task *task;
};

static bool predecessors_init(struct predecessors *p, const struct tw_graph *g)
{
	size_t n = (size_t)g->n_tasks;
	p->start = calloc(n + 2, sizeof *p->start);
	p->task = malloc((g->successor_start[g->n_tasks] + 1) * sizeof *p->task);
	if (!p->start || !p->task)
		return false;
	for (tw_task t = 0; t < g->n_tasks; t++)
		p->start[t + 2] = p->start[t + 1] + g->n_predecessors[t];
	/* start[t + 1] moves from the begin of t's predecessors to their end. */
	for (tw_task t = 0; t < g->n_tasks; t++)
		for (uint32_t s = g->successor_start[t]; s < g->successor_start[t + 1]; s++)
			p->task[p->start[g->successor[s] + 1]++] = t;
	return true;
}

static void predecessors_finish(struct predecessors *p)
{
	free(p->start);
	free(p->task);
}

/* Adds the data that flow to `t`, which then writes some itself; returns how many edges there are now. */
static size_t add_flows(struct tw__export_edge *edges, size_t n, const struct tw_graph *g, tw_task t, tw_task *writer)
{
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		tw_data d = tw__access_data(g->access[a]);
		if ((tw__access_mode(g->access[a]) & TW_R) && writer[d] != TW_NONE)
			edges[n++] = (struct tw__export_edge){writer[d], t, d};
	}
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		if (tw__access_mode(g->access[a]) & TW_W)
			writer[tw__access_data(g->access[a])] = t;
	return n;
}

static bool flows_from(const struct tw__export_edge *edges, size_t n, tw_task from)
{
	for (size_t i = 0; i < n; i++)
		if (edges[i].from == from)
			return true;
	return false;
}

int tw__export_edges(struct tw__export_edge **edges, size_t *n, const struct tw_graph *g, struct tw_error *err)
{
	struct predecessors p;
	bool enough = predecessors_init(&p, g);
	tw_task *writer = malloc(((size_t)g->n_data + 1) * sizeof *writer);
	size_t most = (size_t)g->access_start[g->n_tasks] + g->successor_start[g->n_tasks];
	*edges = malloc((most + 1) * sizeof **edges);
	*n = 0;
	enough = enough && writer && *edges;
	for (tw_data d = 0; enough && d < g->n_data; d++)
		writer[d] = TW_NONE;
	for (tw_task t = 0; enough && t < g->n_tasks; t++) {
		size_t first = *n, flows = add_flows(*edges, first, g, t, writer);
		*n = flows;
		for (uint32_t i = p.start[t]; i < p.start[t + 1]; i++)
			if (!flows_from(*edges + first, flows - first, p.task[i]))
				(*edges)[(*n)++] = (struct tw__export_edge){p.task[i], t, TW_NONE};
	}
	predecessors_finish(&p);
	free(writer);
	if (!enough) {
		free(*edges);
		*edges = NULL;
	}
	return enough ? TW_OK : no_memory(g, err);
}

/* A graph with the same accesses and nothing else: its dependencies are those that data imply. */
static struct tw_graph *graph_of_data(const struct tw_graph *g, struct tw_error *err)
{
	struct tw_graph *other = tw_graph_create();
	struct tw_access list[TW_MAX_ACCESSES];
	if (!other)
		return NULL;
	tw_kernel kernel = tw_graph_kernel(other, "any", "1", "s", 0);
	for (tw_data d = 0; d < g->n_data; d++)
		tw_graph_data(other, 1);
	for (tw_task t = 0; t < g->n_tasks; t++) {
		for (int i = 0; i < tw_graph_n_accesses(g, t); i++)
			list[i] = tw_graph_access(g, t, i);
		tw_graph_submit(other, kernel, 0, list, tw_graph_n_accesses(g, t));
	}
	if (tw_graph_finish(other, err) == TW_OK)
		return other;
	tw_graph_destroy(other);
	return NULL;
}

int tw__export_orders(struct tw__export_edge **edges, size_t *n, const struct tw_graph *g, struct tw_error *err)
{
	struct tw_graph *implied = graph_of_data(g, err);
	struct predecessors all = {0}, known = {0};
	bool enough = implied && predecessors_init(&all, g) && predecessors_init(&known, implied);
	*edges = enough ? malloc(((size_t)g->successor_start[g->n_tasks] + 1) * sizeof **edges) : NULL;
	*n = 0;
	for (tw_task t = 0; *edges && t < g->n_tasks; t++) {
		uint32_t k = known.start[t]; /* both lists ascend */
		for (uint32_t i = all.start[t]; i < all.start[t + 1]; i++) {
			while (k < known.start[t + 1] && known.task[k] < all.task[i])
				k++;
			if (k == known.start[t + 1] || known.task[k] != all.task[i])
				(*edges)[(*n)++] = (struct tw__export_edge){all.task[i], t, TW_NONE};
		}
	}
	predecessors_finish(&all);
	predecessors_finish(&known);
	tw_graph_destroy(implied);
	return *edges ? TW_OK : no_memory(g, err);
}
