#include "graph/ranks.h"

#include <stdlib.h>

#include "graph/parts.h"
#include "graph/reduction.h"

/* Returns the last rank that begins at or before the number. Ranks without tasks or handles begin where the next one
 * does. */
static int last_begun(const int32_t *first, int n, int32_t number)
{
	int low = 0, high = n - 1;
	while (low < high) {
		const int middle = (low + high + 1) / 2;
		if (first[middle] <= number)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

int tw__rank_of_task(const struct tw_graph *g, tw_task t)
{
	if (t >= g->ranks->first[g->ranks->n])
		t = g->phases[tw__graph_appended_for(g, t)].first;
	return last_begun(g->ranks->first, g->ranks->n, t);
}

int tw__rank_of_data(const struct tw_graph *g, tw_data d)
{
	tw_worker worker;
	tw__graph_is_accumulator(g, d, &d, &worker);
	return last_begun(g->ranks->first_data, g->ranks->n, d);
}

struct tw_graph *tw__graph_of_rank(const struct tw_graph *whole, int rank)
{
	const struct tw__ranks *r = whole->ranks;
	if (r->first[rank] == r->first[rank + 1])
		return NULL;
	struct tw_graph *g = tw__graph_range(whole, r->first + rank, r->first_data + rank, r->first_phase + rank);
	free(g->data_places[TW__HOME]);
	g->data_places[TW__HOME] = NULL;
	g->priorities = whole->priorities;
	g->priority_scope = whole->priority_scope;
	return g;
}
