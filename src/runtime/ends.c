/* The end of a run: handles get to the memories where the graph says that they must be (tw_graph_set_end). Each such
 * memory has a thread of its own, which fetches them all at once, as for a task that reads them. Cards come first: what
 * goes to them may pass main memories, which must not be full by then. */
#include <stdlib.h>

#include "graph/reduction.h"
#include "runtime/state/wakeups.h"
#include "runtime/tasks.h"

static int n_at(const struct tw__rt *rt, tw_node n)
{
	int count = 0;
	for (tw_data d = 0; d < tw__graph_own_data(rt->graph); d++)
		count += tw__graph_place(rt->graph, TW__END_PLACE, d) == n;
	return count;
}

void tw__ends_open(struct tw__rt *rt)
{
	for (tw_node n = 0; rt->graph->data_places[TW__END_PLACE] && n < rt->n_nodes; n++) {
		const int count = n_at(rt, n);
		if (!count)
			continue;
		struct driver *d = &rt->drivers[rt->n_drivers++];
		d->worker = TW_NONE;
		d->node = n;
		d->hold = tw_alloc(1, sizeof *d->hold);
		*d->hold = (struct hold){.driver = d, .state = HOLD_FETCHING, .n_accesses = count};
		tw__access *access = d->hold->access = tw_alloc((size_t)count, sizeof *access);
		for (tw_data h = 0; h < tw__graph_own_data(rt->graph); h++)
			if (tw__graph_place(rt->graph, TW__END_PLACE, h) == n)
				*access++ = (tw__access)h << TW__ACCESS_BITS | TW_R;
	}
}

void tw__ends_close(struct tw__rt *rt)
{
	for (int i = 0; i < rt->n_drivers; i++) {
		struct driver *d = &rt->drivers[i];
		if (d->worker != TW_NONE || !d->hold)
			continue;
		free(d->hold->access);
		free(d->hold);
	}
}

bool tw__ends_begin(struct tw__rt *rt)
{
	while (!rt->n_ends && rt->ends < ENDS_OF_MAINS) {
		rt->ends++;
		for (int i = rt->platform->n_workers; i < rt->n_drivers; i++) {
			struct driver *d = &rt->drivers[i];
			if (!d->hold || (d->node < rt->n_mains) != (rt->ends == ENDS_OF_MAINS))
				continue;
			rt->n_ends++;
			d->fetching = d->hold;
			tw__rt_signal(d);
		}
	}
	return rt->n_ends;
}

void tw__ends_are_at(struct driver *d)
{
	d->fetching = NULL;
	d->rt->n_ends--;
	d->rt->last_release = d->rt->now;
}
