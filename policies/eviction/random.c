/* random: evicts a handle drawn at random; all handles that may be evicted are equally likely. Handles that the
 * workload says will not be used again are evicted first. The choice is O(1) if the runtime lists the handles that may
 * be evicted. Otherwise the policy draws among all handles of the memory until it draws one that may be evicted. */
#include <tilewright/data_list.h>

enum { MAX_DRAWS = 64 };

struct random {
	struct resident {
		tw_data *data; /* [n_data] the first n entries are the handles in the memory, in no order */
		int32_t *place, n;
	} * of; /* [nodes] the handles in each memory */
	struct tw_data_lists expendable;
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct random *r = state;
	size_t n_data = (size_t)tw_graph_n_data(tw_sched_graph(s));
	(void)err;
	tw_data_lists_init(&r->expendable, s);
	r->of = tw_run_alloc(s, (size_t)tw_n_nodes(s), sizeof *r->of);
	for (tw_node n = 0; n < tw_n_nodes(s); n++) {
		r->of[n].data = tw_run_alloc(s, n_data, sizeof *r->of[n].data);
		r->of[n].place = tw_run_alloc(s, n_data, sizeof *r->of[n].place);
	}
	return TW_OK;
}

static void loaded(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	struct resident *all = &((struct random *)state)->of[node];
	(void)s;
	all->place[d] = all->n;
	all->data[all->n++] = d;
}

/* A task has used the handle after all: removes it from the handles that will not be used again. */
static void used(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	struct random *r = state;
	(void)s;
	if (tw_data_list_has(&r->expendable, node, d))
		tw_data_list_remove(&r->expendable, node, d);
}

static void evicted(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	struct resident *all = &((struct random *)state)->of[node];
	tw_data last = all->data[--all->n];
	all->data[all->place[d]] = last;
	all->place[last] = all->place[d];
	used(s, state, d, node);
}

static void expendable(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	struct random *r = state;
	(void)s;
	if (!tw_data_list_has(&r->expendable, node, d))
		tw_data_list_push_back(&r->expendable, node, d);
}

static int32_t draw(struct tw_sched *s, int32_t n) { return (int32_t)(tw_random_victim(s) * n); }

/* Returns the i-th handle, from 0, of all handles that the runtime lists as possible victims. */
static tw_data nth(const struct tw_victim_query *query, int32_t i)
{
	for (unsigned k = 0; query->kinds >> k; k++) {
		if (!(query->kinds >> k & 1))
			continue;
		if (i < query->of_kind[k].n)
			return query->of_kind[k].data[i];
		i -= query->of_kind[k].n;
	}
	return TW_NONE;
}

static tw_data victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	struct random *r = state;
	const struct resident *all = &r->of[node];
	tw_data d = tw_data_list_victim(&r->expendable, node, query);
	if (d != TW_NONE)
		return d;
	if (query->of_kind)
		return query->n ? nth(query, draw(s, query->n)) : TW_NONE;
	for (int i = 0; i < MAX_DRAWS && all->n; i++) {
		d = all->data[draw(s, all->n)];
		if (tw_may_evict(query, d))
			return d;
	}
	int32_t n = 0, chosen; /* few handles may be evicted: counts them and draws one of them */
	for (int32_t i = 0; i < all->n; i++)
		n += tw_may_evict(query, all->data[i]);
	chosen = draw(s, n);
	for (int32_t i = 0; i < all->n && n; i++)
		if (tw_may_evict(query, all->data[i]) && chosen-- == 0)
			return all->data[i];
	return TW_NONE;
}

const struct tw_eviction tw_eviction_random = {
	.abi = TW_EVICTION_ABI,
	.name = "random",
	.summary = "a random victim; all data that may leave are equally likely",
	.state_size = sizeof(struct random),
	.init = init,
	.loaded = loaded,
	.used = used,
	.evicted = evicted,
	.expendable = expendable,
	.victim = victim,
};
