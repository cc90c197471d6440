/* luf: least used in the future, the rule of policies/eviction/darts.c as the first DARTS had it (after Gonthier, Marchal,
 * Thibault 2022, Memory-aware scheduling of tasks sharing data on multiple GPUs with dynamic runtime systems), with any policy
 * that plans ahead. Like most eviction policies it prefers what need not be written back first: for independent tasks that only
 * read what they share, as there, that is no difference. */
#include <tilewright/least_used.h>

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	return tw_data_lists_init(state, s) == TW_OK ? TW_OK : tw_fail(err, TW_NOMEM, "eviction 'luf': out of memory");
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
	struct tw_planned_use use;
	return tw_least_used(s, &((struct tw_data_lists *)state)->of[node], node, query, &use);
}

const struct tw_eviction tw_eviction_luf = {
	.name = "luf",
	.summary = "as darts, but what need not be written back leaves first; for policies that plan ahead",
	.state_size = sizeof(struct tw_data_lists),
	.flags = TW_NEEDS_PLAN,
	.init = init,
	.finish = finish,
	.loaded = loaded,
	.used = used,
	.evicted = evicted,
	.expendable = expendable,
	.victim = victim,
};
