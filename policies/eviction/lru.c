/* lru: the data that was used or brought in the longest ago leaves first; what the workload says will not be used again
 * before all others. One list per memory, the next victim in front. */
#include <tilewright/data_list.h>

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	return tw_data_lists_init(state, s) == TW_OK ? TW_OK : tw_fail(err, TW_NOMEM, "eviction 'lru': out of memory");
}

static void finish(struct tw_sched *s, void *state)
{
	(void)s;
	tw_data_lists_finish(state);
}

static void loaded(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s;
	tw_data_list_push_back(state, node, d);
}

static void evicted(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s;
	tw_data_list_remove(state, node, d);
}

static void used(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s;
	tw_data_list_remove(state, node, d);
	tw_data_list_push_back(state, node, d);
}

static void expendable(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s;
	tw_data_list_remove(state, node, d);
	tw_data_list_push_front(state, node, d);
}

static tw_data victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	(void)s;
	return tw_data_list_victim(state, node, query);
}

const struct tw_eviction tw_eviction_lru = {
	.name = "lru",
	.summary = "the least recently used data leaves first",
	.state_size = sizeof(struct tw_data_lists),
	.init = init,
	.finish = finish,
	.loaded = loaded,
	.used = used,
	.evicted = evicted,
	.expendable = expendable,
	.victim = victim,
};
