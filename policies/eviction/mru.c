/* mru: evicts the handle that tasks used most recently. When tasks loop over more data than the memory holds, the next
 * use of that handle is the latest of all. Handles that no task has used since their loading are evicted after all
 * others, the oldest first. Otherwise data loaded for a task would be evicted before the task runs. Handles that the
 * workload says will not be used again are evicted before all others.
 *
 * Each memory has one list of its handles, with the next victim at the front. A second list holds the handles that will
 * not be used again. */
#include <tilewright/data_list.h>

struct mru {
	struct tw_data_lists all, expendable;
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct mru *m = state;
	(void)err;
	tw_data_lists_init(&m->all, s);
	tw_data_lists_init(&m->expendable, s);
	return TW_OK;
}

static void evicted(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	struct mru *m = state;
	(void)s;
	tw_data_list_remove(&m->all, node, d);
	if (tw_data_list_has(&m->expendable, node, d))
		tw_data_list_remove(&m->expendable, node, d);
}

static void used(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	evicted(s, state, d, node);
	tw_data_list_push_front(&((struct mru *)state)->all, node, d);
}

static void expendable(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	struct mru *m = state;
	(void)s;
	if (!tw_data_list_has(&m->expendable, node, d))
		tw_data_list_push_back(&m->expendable, node, d);
}

static tw_data victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	struct mru *m = state;
	(void)s;
	tw_data d = tw_data_list_victim(&m->expendable, node, query);
	return d != TW_NONE ? d : tw_data_list_victim(&m->all, node, query);
}

const struct tw_eviction tw_eviction_mru = {
	.abi = TW_EVICTION_ABI,
	.name = "mru",
	.summary = "the most recently used data leave first",
	.state_size = sizeof(struct mru),
	.init = init,
	.loaded = tw_age_order_loaded,
	.used = used,
	.evicted = evicted,
	.expendable = expendable,
	.victim = victim,
};
