/* Reductions (Augonnet 2011, sections 2.4.2 and 2.4.3). Each worker adds its contributions to an accumulator of its
 * own. After the last contributing task, the runtime appends tasks to the graph that combine the accumulators with the
 * handle. Initialising an accumulator takes no time. */
#include "graph/reduction.h"

#include <stdlib.h>

#include "runtime/memory/memory.h"
#include "runtime/tasks.h"

void tw__reduce_open(struct tw__rt *rt)
{
	const struct tw_graph *own = rt->in->graph;
	rt->n_own_tasks = own->n_tasks;
	if (own->n_phases == 0)
		return;
	rt->extended = tw__graph_extend(own, rt->platform->n_workers);
	rt->graph = rt->extended;
	size_t appended = (size_t)(tw__graph_max_tasks(rt->graph) - own->n_tasks);
	rt->contributors_left = tw_alloc((size_t)own->n_phases, sizeof *rt->contributors_left);
	rt->contributions = tw_alloc((size_t)rt->graph->n_data, sizeof *rt->contributions);
	rt->appended = tw_alloc(appended, sizeof *rt->appended);
	for (int p = 0; p < own->n_phases; p++)
		rt->contributors_left[p] = own->phases[p].n_contributors;
}

void tw__reduce_close(struct tw__rt *rt)
{
	free(rt->contributors_left);
	free(rt->contributions);
	free(rt->appended);
	/* Readers of the record need the appended tasks, so it keeps the extended graph. A cluster's has its own. */
	if (rt->in->record && !rt->in->rank)
		rt->in->record->extended = rt->extended;
	else
		tw_graph_destroy(rt->extended);
}

tw__access tw__reduce_access(const struct tw__rt *rt, tw__access access, tw_worker worker)
{
	tw_data accumulator = tw__graph_accumulator(rt->graph, tw__access_data(access), worker);
	return (uint32_t)accumulator << TW__ACCESS_BITS | TW_REDUX | TW_W;
}

/* Appends the combining tasks of a reduction whose contributing tasks have all ended. */
static void append(struct tw__rt *rt, int32_t phase)
{
	tw_data data = rt->graph->phases[phase].data, used[rt->platform->n_workers];
	const uint32_t *n_predecessors = tw__graph_predecessors(rt->extended);
	int n = 0;
	for (tw_worker w = 0; w < rt->platform->n_workers; w++) {
		tw_data accumulator = tw__graph_accumulator(rt->graph, data, w);
		if (rt->contributions[accumulator])
			used[n++] = accumulator;
	}
	tw_task t = tw__graph_append_reduction(rt->extended, phase, used, n);
	if (rt->in->rank)
		rt->in->rank->append(rt->in->rank, rt->extended, t, used, n);
	for (; t < rt->graph->n_tasks; t++) {
		rt->remaining[t] = n_predecessors[t];
		if (rt->domain_of)
			rt->domain_of[t] = rt->domain_of[rt->graph->phases[phase].first];
		tw__rt_record(rt, (struct tw__event){.kind = TW__SUBMIT, .task = t});
		if (rt->remaining[t] > 0)
			continue;
		rt->remaining[t] = UNPUSHED;
		rt->appended[rt->first_appended + rt->n_appended++] = t;
	}
}

void tw__reduce_ended(struct tw__rt *rt, struct hold *hold)
{
	const struct tw_graph *g = rt->graph;
	if (hold->task >= rt->n_own_tasks) {
		tw_data to = tw__access_data(hold->access[0]), from = tw__access_data(hold->access[1]);
		if (to >= tw__graph_own_data(g))
			rt->contributions[to] += rt->contributions[from];
		rt->contributions[from] = 0;
		tw__memory_own(rt, from, TW_NONE, false);
		return;
	}
	for (int i = 0; i < hold->n_accesses; i++)
		if (hold->access[i] & TW_REDUX)
			rt->contributions[tw__access_data(hold->access[i])]++;
	for (uint32_t a = g->access_start[hold->task]; a < g->access_start[hold->task + 1]; a++) {
		if (!(g->access[a] & TW_REDUX))
			continue;
		int32_t phase = tw__graph_phase_of(g, a);
		if (--rt->contributors_left[phase] == 0)
			append(rt, phase);
	}
}
