#include <tilewright/data_list.h>

int tw_age_order_init(struct tw_sched *s, void *state, struct tw_error *err)
{
	int n_data = (int)tw_graph_n_data(tw_sched_graph(s));
	return tw_data_lists_init(state, s) == TW_OK
	               ? TW_OK
	               : tw_fail(err, TW_NOMEM, "out of memory for an eviction policy's lists of %d data handles",
	                         n_data);
}

void tw_age_order_finish(struct tw_sched *s, void *state)
{
	(void)s;
	tw_data_lists_finish(state);
}

void tw_age_order_loaded(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s;
	tw_data_list_push_back(state, node, d);
}

void tw_age_order_used(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s;
	tw_data_list_remove(state, node, d);
	tw_data_list_push_back(state, node, d);
}

void tw_age_order_expendable(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s;
	tw_data_list_remove(state, node, d);
	tw_data_list_push_front(state, node, d);
}

void tw_age_order_evicted(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s;
	tw_data_list_remove(state, node, d);
}

tw_data tw_age_order_victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	(void)s;
	return tw_data_list_victim(state, node, query);
}
