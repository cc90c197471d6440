/* The order in which a worker of a bench runs the part's tasks: random, but consistent with their dependencies. In the
 * order of submission, a kernel would find other data in the caches than in runs under a policy. */
#include <stdlib.h>

#include "base/random.h"
#include "engine/real/bench_state.h"

struct ordering {
	const struct tw_graph *graph;
	struct tw__random *random;
	tw_task *order, *ready;
	uint32_t *left; /* [tasks] number of predecessors that are not in `order` yet */
	int n, n_ready;
};

static void take_any(struct ordering *o)
{
	const struct tw_graph *g = o->graph;
	uint32_t i = tw__random_below(o->random, (uint32_t)o->n_ready);
	tw_task t = o->order[o->n++] = o->ready[i];
	o->ready[i] = o->ready[--o->n_ready];
	for (uint32_t s = g->successor_start[t]; s < g->successor_start[t + 1]; s++)
		if (--o->left[g->successor[s]] == 0)
			o->ready[o->n_ready++] = g->successor[s];
}

tw_task *tw__bench_order(const struct tw_graph *g, uint64_t seed)
{
	const size_t n = (size_t)g->n_tasks + 1;
	struct ordering o = {.graph = g,
	                     .random = tw__random_create(seed, TW__STREAM_ORDER),
	                     .order = calloc(n, sizeof *o.order),
	                     .ready = calloc(n, sizeof *o.ready),
	                     .left = calloc(n, sizeof *o.left)};
	bool has_room = o.random && o.order && o.ready && o.left;
	for (tw_task t = 0; has_room && t < g->n_tasks; t++)
		if ((o.left[t] = g->n_predecessors[t]) == 0)
			o.ready[o.n_ready++] = t;
	while (has_room && o.n_ready)
		take_any(&o);
	tw__random_destroy(o.random);
	free(o.ready);
	free(o.left);
	if (has_room)
		return o.order;
	free(o.order);
	return NULL;
}
