/* Where handles are at the start and at the end of a run.
 *
 * The rule HOME, with homes=first_touch. A handle is valid in several main memories until its first touch. Then it is
 * in the main memory of the worker, or of the prefetch, alone. A record has no prefetches but their transfers, so the
 * rule does not know for which memory a prefetch was. */
#include "trace/replay.h"

static tw_node home_for(const struct tw__replay *r, tw_node n)
{
	return tw__touched_home(r->in->homes, r->in->platform->nodes[n].main);
}

void tw__replay_assigned(struct tw__replay *r, const struct tw__event *e)
{
	const struct tw_graph *g = r->graph;
	if (!r->in->homes.first_touch)
		return;
	for (uint32_t a = g->access_start[e->task]; a < g->access_start[e->task + 1]; a++) {
		const tw_data d = tw__access_data(g->access[a]);
		if ((g->access[a] & TW_REDUX) || r->data[d].touch != TW__UNTOUCHED)
			continue;
		r->data[d].touch = TW__TOUCHED_BY_TASK;
		r->data[d].toucher = e->node;
		tw__touch(r, d);
	}
}

void tw__replay_prefetched(struct tw__replay *r, const struct tw__event *e)
{
	if (r->data[e->data].touch == TW__UNTOUCHED)
		r->data[e->data].touch = TW__TOUCHED_BY_PREFETCH;
}

int tw__replay_home(struct tw__replay *r, tw_data d)
{
	struct tw__data_state *data = &r->data[d];
	const tw_node *home;
	if (data->touch <= TW__UNTOUCHED)
		return TW_OK;
	if (data->n_valid != 1)
		return tw__violation(r, TW__RULE_HOME, "data %d is valid in %d memories after its first touch", (int)d,
		                     (int)data->n_valid);
	tw__memories_of(r, d, &home);
	while (!tw__copy_of(r, d, *home)->valid)
		home++;
	if (data->touch == TW__TOUCHED_BY_TASK && *home != home_for(r, data->toucher))
		return tw__violation(r, TW__RULE_HOME, "data %d is in %s, but was first touched in %s", (int)d,
		                     tw__node_name(r, *home), tw__node_name(r, data->toucher));
	data->touch = TW__AT_HOME;
	return TW_OK;
}

/* The rule END: handles are valid where they must be. The rule DISCARD: discarded handles are valid nowhere, unless a
 * transfer has landed whose end no thread has noticed. */
int tw__replay_places_end(struct tw__replay *r)
{
	for (tw_data d = 0; d < r->in->graph->n_data; d++) {
		const tw_node must = tw__graph_place(r->in->graph, TW__END_PLACE, d);
		const tw_node *memories;
		const int n = tw__memories_of(r, d, &memories);
		int valid = 0, arrived = 0;
		if (must != TW_NONE && !tw__copy_of(r, d, must)->valid)
			return tw__violation(r, TW__RULE_END, "data %d is not valid in %s, where it must be at the end",
			                     (int)d, tw__node_name(r, must));
		if (!r->data[d].is_dead)
			continue;
		while (valid < n && !tw__copy_of(r, d, memories[valid])->valid)
			valid++;
		while (arrived < n && !tw__copy_of(r, d, memories[arrived])->arrived)
			arrived++;
		if (valid < n && arrived == n)
			return tw__violation(r, TW__RULE_DISCARD, "data %d is valid in %s after its last task", (int)d,
			                     tw__node_name(r, memories[valid]));
	}
	return TW_OK;
}
