/* Numbers of predecessors. Runs do not need them, except for a count when they begin. So a graph has them only when
 * someone has asked. */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/door.h"
#include "graph/graph.h"

void tw__graph_count_predecessors(const struct tw_graph *g, uint32_t *n)
{
	for (const tw_task *s = g->successor, *end = s + g->successor_start[g->n_tasks]; s < end; s++)
		n[*s]++;
	for (uint32_t s = 0; g->n_phases && s < g->phase_successor_start[g->n_phases]; s++)
		n[g->phase_successor[s]]++;
}

/* Returns the numbers of predecessors of all tasks; NULL: out of memory. */
static const uint32_t *ask_predecessors(const struct tw_graph *g)
{
	uint32_t *known = atomic_load(&g->shared->n_predecessors);
	uint32_t *n = known ? NULL : calloc((size_t)g->n_tasks + 1, sizeof *n);
	if (!n)
		return known;
	tw__graph_count_predecessors(g, n);
	if (atomic_compare_exchange_strong(&g->shared->n_predecessors, &known, n))
		return n;
	free(n); /* another thread was faster */
	return known;
}

const uint32_t *tw__graph_predecessors(const struct tw_graph *g)
{
	const uint32_t *n = ask_predecessors(g);
	if (!n)
		tw__no_memory((size_t)g->n_tasks, sizeof *n);
	return n;
}

static int count_for(const struct tw_graph *g, tw_task t)
{
	int n = 0;
	for (uint32_t s = 0; s < g->successor_start[g->n_tasks]; s++)
		n += g->successor[s] == t;
	for (uint32_t s = 0; g->n_phases && s < g->phase_successor_start[g->n_phases]; s++)
		n += g->phase_successor[s] == t;
	return n;
}

/* Without memory for an array, counts for this task alone: programs ask where no door stands (base/memory.h). */
int tw__graph_n_predecessors(const struct tw_graph *g, tw_task t)
{
	const uint32_t *n = ask_predecessors(g);
	return n ? (int)n[t] : count_for(g, t);
}
