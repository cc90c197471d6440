#include "graph/ranks.h"

#include <stdlib.h>

#include "graph/parts.h"

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

int tw__rank_of_task(const struct tw__ranks *r, tw_task t) { return last_begun(r->first, r->n, t); }
int tw__rank_of_data(const struct tw__ranks *r, tw_data d) { return last_begun(r->first_data, r->n, d); }

struct tw_graph *tw__graph_of_rank(const struct tw_graph *whole, int rank)
{
	const struct tw__ranks *r = whole->ranks;
	if (r->first[rank] == r->first[rank + 1])
		return NULL;
	struct tw_graph *g = tw__graph_range(whole, r->first[rank], r->first[rank + 1], r->first_data[rank],
	                                     r->first_data[rank + 1]);
	free(g->data_places[TW__HOME]);
	g->data_places[TW__HOME] = NULL;
	g->priorities = whole->priorities;
	g->priority_scope = whole->priority_scope;
	return g;
}
