/* Capacities of memories, and the memories where handles start. */
#include <string.h>

#include "graph/reduction.h"
#include "runtime/run.h"

void tw__run_capacities(const struct tw__platform *p, const struct tw__runtime_params *params, uint64_t *capacity)
{
	for (int n = 0; n < p->n_nodes; n++) {
		const struct tw__node *node = &p->nodes[n];
		if (node->limit_bytes)
			capacity[n] = node->limit_bytes;
		else if (node->memory_bytes)
			capacity[n] = (uint64_t)(params->memory_fraction * (double)node->memory_bytes);
		else
			capacity[n] = UINT64_MAX;
	}
}

/* Only memories of accelerators have chunks. */
uint64_t tw__run_chunk_bytes(const struct tw__platform *p, const struct tw__runtime_params *params, tw_node n)
{
	return tw__is_card(p, n) ? params->chunk_bytes : 0;
}

tw_node tw__run_home(const struct tw__platform *p, const uint64_t *capacity)
{
	tw_node home = TW_RAM;
	while (capacity[home] != UINT64_MAX && p->nodes[home].backing != TW_NONE)
		home = p->nodes[home].backing;
	return home;
}

struct tw__homes tw__run_homes(const struct tw__platform *p, const struct tw_graph *g,
                               const struct tw__runtime_params *params, const uint64_t *capacity)
{
	struct tw__homes homes = {.first = tw__run_home(p, capacity),
	                          .n = 1,
	                          .said = g->data_places[TW__HOME],
	                          .n_said = g->data_places[TW__HOME] ? tw__graph_own_data(g) : 0,
	                          .capacity = capacity,
	                          .nodes = p->nodes,
	                          .n_mains = tw__n_mains(p)};
	if (homes.first == TW_RAM && strcmp(params->homes, "first") != 0)
		while (homes.n < homes.n_mains && capacity[homes.n] == UINT64_MAX)
			homes.n++;
	homes.first_touch = homes.n > 1 && !strcmp(params->homes, "first_touch");
	return homes;
}
