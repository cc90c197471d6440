/* evict_all: once a data finds no room, all that no task uses leaves, however little room is needed: memory reclaiming as
 * Augonnet 2011, section 2.3.4, describes it ("evicting all unused data"), who calls it a rare event. What must be written
 * back is, one data after the other, before the room is taken. The thesis' cache of allocations is chunks here. */
#include <tilewright/data_list.h>

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	return tw_data_lists_init(state, s) == TW_OK ? TW_OK
	                                             : tw_fail(err, TW_NOMEM, "eviction 'evict_all': out of memory");
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

static tw_data victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	(void)s;
	return tw_data_list_victim(state, node, query);
}

const struct tw_eviction tw_eviction_evict_all = {
	.name = "evict_all",
	.summary = "all that no task uses leaves at once, as in Augonnet 2011",
	.flags = TW_EVICTS_ALL,
	.state_size = sizeof(struct tw_data_lists),
	.init = init,
	.finish = finish,
	.loaded = loaded,
	.evicted = evicted,
	.victim = victim,
};
