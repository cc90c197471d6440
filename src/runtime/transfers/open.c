/* Creates the state of transfers at the start of a run, and frees it at the end. */
#include <stdlib.h>

#include "graph/reduction.h"
#include "runtime/transfers/channel.h"
#include "runtime/transfers/transfers.h"

int tw__transfers_open(struct tw_sched *rt)
{
	size_t n = (size_t)rt->n_nodes, tasks = (size_t)tw__graph_max_tasks(rt->graph);
	rt->write_home = tw__write_home;
	rt->channels = calloc(n * n, sizeof *rt->channels);
	rt->issued = calloc(n, sizeof *rt->issued);
	rt->prefetched = malloc(tasks * sizeof *rt->prefetched);
	if (!rt->channels || !rt->issued || !rt->prefetched || tw__queues_open(rt))
		return TW_NOMEM;
	for (size_t t = 0; t < tasks; t++)
		rt->prefetched[t] = (struct prefetched){.node = TW_NONE};
	return TW_OK;
}

void tw__transfers_close(struct tw_sched *rt)
{
	for (struct channel *c = rt->used_channels; c; c = c->next_used)
		for (int class = 0; class < N_CLASSES; class ++)
			tw__heap_finish(&c->queue[class]);
	while (rt->all_requests) {
		struct request *r = rt->all_requests;
		rt->all_requests = r->next_of_all;
		free(r);
	}
	while (rt->all_waiters) {
		struct waiter *w = rt->all_waiters;
		rt->all_waiters = w->next_of_all;
		free(w);
	}
	free(rt->channels);
	free(rt->youngest);
	free(rt->issued);
	free(rt->prefetched);
}
