/* clock: second chance (Corbato 1968). The handles of a memory are in a circle, in the order of their loads. The next
 * victim stays for another round if a task has used it since the hand last passed it. */
#include <tilewright/data_list.h>

struct clock {
	struct tw_data_lists circles; /* one for each memory; the hand is at the front */
	bool *used;                   /* [nodes * data]: used since the hand passed */
	size_t n_data;
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct clock *c = state;
	c->n_data = (size_t)tw_graph_n_data(tw_sched_graph(s));
	(void)err;
	c->used = tw_run_alloc(s, (size_t)tw_n_nodes(s) * c->n_data, sizeof *c->used);
	tw_data_lists_init(&c->circles, s);
	return TW_OK;
}

static bool *used_on(struct clock *c, tw_data d, tw_node n) { return &c->used[(size_t)n * c->n_data + (size_t)d]; }

static void loaded(struct tw_sched *s, void *state, tw_data d, tw_node n)
{
	struct clock *c = state;
	(void)s;
	*used_on(c, d, n) = false;
	tw_data_list_push_back(&c->circles, n, d);
}

static void used(struct tw_sched *s, void *state, tw_data d, tw_node n)
{
	(void)s;
	*used_on(state, d, n) = true;
}

static void evicted(struct tw_sched *s, void *state, tw_data d, tw_node n)
{
	struct clock *c = state;
	(void)s;
	tw_data_list_remove(&c->circles, n, d);
}

/* The loop ends, because the hand clears `used` of each handle that it passes. */
static tw_data victim(struct tw_sched *s, void *state, tw_node n, const struct tw_victim_query *query)
{
	struct clock *c = state;
	(void)s;
	for (;;) {
		tw_data d = tw_data_list_victim(&c->circles, n, query);
		if (d == TW_NONE || !*used_on(c, d, n))
			return d;
		*used_on(c, d, n) = false;
		tw_data_list_remove(&c->circles, n, d);
		tw_data_list_push_back(&c->circles, n, d);
	}
}

const struct tw_eviction tilewright_eviction = {
	.abi = TW_EVICTION_ABI,
	.name = "clock",
	.summary = "first in, first out, but data used since its last chance gets another one",
	.state_size = sizeof(struct clock),
	.init = init,
	.loaded = loaded,
	.used = used,
	.evicted = evicted,
	.victim = victim,
};
