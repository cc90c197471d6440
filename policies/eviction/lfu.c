/* lfu: evicts the handle that tasks have used the fewest times since it was loaded (Augonnet 2011, section 3.6.1, names
 * the policy). Ties: the handle used or loaded the longest ago. Loading counts as the first use, as in a cache;
 * otherwise prefetched handles would be evicted before their first use. Handles that the workload says will not be used
 * again count as never used.
 *
 * One list per memory holds its handles in the order of eviction, by ascending count of uses. When the count of a
 * handle changes, the handle moves behind the last handle with the new count: O(1). The search for a victim walks the
 * list, for at most as many steps as there are handles that may be evicted. Then it compares only those handles. */
#include <tilewright/eviction.h>

struct entry {
	tw_data ahead, behind; /* neighbours of the handle in the list of its memory; TW_NONE at the ends */
	int32_t count;
	bool fresh; /* no task has used the handle since it was loaded */
	/* Value of list.changes when the handle got its place in the list. Of handles with equal counts, the lower
	 * value is evicted first. */
	int64_t since;
};

struct list {
	struct entry *of_data; /* [data] one entry per handle; valid for the handles in the memory */
	/* [counts of uses] the last handle in the list with this count; TW_NONE: no handle has this count */
	tw_data *last_of_count;
	int32_t n_counts;
	tw_data first;
	int64_t changes;
};

struct lfu {
	struct list *of; /* [nodes] the list of handles in each memory */
};

/* Extends the table last_of_count at least to the index `count`. */
static void reach_count(const struct tw_sched *s, struct list *list, int32_t count)
{
	if (count < list->n_counts)
		return;
	list->last_of_count = tw_run_resize(s, list->last_of_count, 2 * (size_t)count, sizeof *list->last_of_count);
	while (list->n_counts < 2 * count)
		list->last_of_count[list->n_counts++] = TW_NONE;
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct lfu *l = state;
	size_t n_data = (size_t)tw_graph_n_data(tw_sched_graph(s));
	(void)err;
	l->of = tw_run_alloc(s, (size_t)tw_n_nodes(s), sizeof *l->of);
	for (tw_node n = 0; n < tw_n_nodes(s); n++) {
		l->of[n].of_data = tw_run_alloc(s, n_data, sizeof *l->of[n].of_data);
		l->of[n].first = TW_NONE;
		reach_count(s, &l->of[n], 1);
	}
	return TW_OK;
}

static void take_out(struct list *list, tw_data d)
{
	struct entry *e = &list->of_data[d];
	*(e->ahead != TW_NONE ? &list->of_data[e->ahead].behind : &list->first) = e->behind;
	if (e->behind != TW_NONE)
		list->of_data[e->behind].ahead = e->ahead;
	if (list->last_of_count[e->count] == d)
		list->last_of_count[e->count] =
			e->ahead != TW_NONE && list->of_data[e->ahead].count == e->count ? e->ahead : (tw_data)TW_NONE;
}

/* Inserts a handle with `count` uses into the list, behind all handles with that count. `ahead`: the last handle in the
 * list with fewer uses; TW_NONE: there is none. */
static void put(struct list *list, tw_data d, int32_t count, tw_data ahead)
{
	struct entry *e = &list->of_data[d];
	if (list->last_of_count[count] != TW_NONE)
		ahead = list->last_of_count[count];
	e->ahead = ahead;
	e->behind = ahead != TW_NONE ? list->of_data[ahead].behind : list->first;
	e->count = count;
	e->since = list->changes++;
	*(ahead != TW_NONE ? &list->of_data[ahead].behind : &list->first) = d;
	if (e->behind != TW_NONE)
		list->of_data[e->behind].ahead = d;
	list->last_of_count[count] = d;
}

static void loaded(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	struct list *list = &((struct lfu *)state)->of[node];
	(void)s;
	put(list, d, 1, list->last_of_count[0]);
	list->of_data[d].fresh = true;
}

static void evicted(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s;
	take_out(&((struct lfu *)state)->of[node], d);
}

static void used(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	struct list *list = &((struct lfu *)state)->of[node];
	struct entry *e = &list->of_data[d];
	int32_t count = e->count + (e->fresh ? 0 : 1);
	reach_count(s, list, count);
	take_out(list, d);
	/* `ahead`: the last handle with fewer uses than the new count. It is the last handle with the old count or, if
	 * none is left, the old neighbour ahead. */
	tw_data ahead = list->last_of_count[e->count] != TW_NONE ? list->last_of_count[e->count] : e->ahead;
	put(list, d, count, ahead);
	e->fresh = false;
}

static void expendable(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	struct list *list = &((struct lfu *)state)->of[node];
	(void)s;
	take_out(list, d);
	put(list, d, 0, TW_NONE);
	list->of_data[d].fresh = false;
}

static bool leaves_before(const struct list *list, tw_data a, tw_data b)
{
	const struct entry *x = &list->of_data[a], *y = &list->of_data[b];
	return x->count != y->count ? x->count < y->count : x->since < y->since;
}

static tw_data victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	const struct list *list = &((struct lfu *)state)->of[node];
	tw_data first = TW_NONE;
	(void)s;
	tw_data d = list->first;
	for (int32_t steps = 0; d != TW_NONE && (steps < query->n || !query->of_kind); steps++) {
		if (tw_may_evict(query, d))
			return d;
		d = list->of_data[d].behind;
	}
	if (d == TW_NONE)
		return TW_NONE;
	for (unsigned k = 0; query->kinds >> k; k++)
		for (int32_t i = 0; query->kinds >> k & 1 && i < query->of_kind[k].n; i++)
			if (first == TW_NONE || leaves_before(list, query->of_kind[k].data[i], first))
				first = query->of_kind[k].data[i];
	return first;
}

const struct tw_eviction tw_eviction_lfu = {
	.abi = TW_EVICTION_ABI,
	.name = "lfu",
	.summary = "the least frequently used data leave first",
	.state_size = sizeof(struct lfu),
	.init = init,
	.loaded = loaded,
	.used = used,
	.evicted = evicted,
	.expendable = expendable,
	.victim = victim,
};
