/* fifo: the data that has been in the memory for the longest time leaves first, however often it was used. */
#include <tilewright/data_list.h>

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	return tw_data_lists_init(state, s) == TW_OK ? TW_OK : tw_fail(err, TW_NOMEM, "eviction 'fifo': out of memory");
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

const struct tw_eviction tw_eviction_fifo = {
	.name = "fifo",
	.summary = "the data that came first leaves first",
	.state_size = sizeof(struct tw_data_lists),
	.init = init,
	.finish = finish,
	.loaded = loaded,
	.evicted = evicted,
	.victim = victim,
};
