/* Rules about reductions: contributions to accumulators, and the tasks that combine these. */
#include "graph/reduction.h"
#include "trace/replay.h"

tw_data tw__replay_accessed(const struct tw__replay *r, tw__access access, tw_worker worker)
{
	tw_data d = tw__access_data(access);
	return access & TW_REDUX ? tw__graph_accumulator(r->graph, d, worker) : d;
}

/* An appended task adds one accumulator to another. The last appended task of a
 * reduction adds to the handle; then all contributions must have arrived there. */
int tw__replay_combine(struct tw__replay *r, tw_task t)
{
	const tw__access *access = &r->graph->access[r->graph->access_start[t]];
	int to = tw__access_mode(access[0]) & TW_W ? 0 : 1;
	tw_data into = tw__access_data(access[to]), from = tw__access_data(access[1 - to]);
	r->contributions[into] += r->contributions[from];
	r->contributions[from] = 0;
	if (into >= tw__graph_own_data(r->graph))
		return TW_OK;
	uint32_t arrived = r->contributions[into];
	const struct tw__phase *phase = &r->graph->phases[tw__graph_appended_for(r->graph, t)];
	r->contributions[into] = 0;
	if (arrived != phase->n_contributors)
		return tw__violation(r, TW__RULE_DEPENDENCIES,
		                     "the reduction of data %d ends with %u of %u contributions", (int)into,
		                     (unsigned)arrived, (unsigned)phase->n_contributors);
	tw__replay_reduced(r, into);
	return TW_OK;
}

void tw__replay_contributes(struct tw__replay *r, const struct tw__event *e)
{
	const struct tw_graph *g = r->graph;
	for (uint32_t i = g->access_start[e->task]; i < g->access_start[e->task + 1]; i++)
		if (g->access[i] & TW_REDUX)
			r->data[tw__replay_accessed(r, g->access[i], e->worker)].writer = e->task;
}
