#include <tilewright/data_list.h>

#include <string.h>

void tw_data_lists_init(struct tw_data_lists *l, const struct tw_sched *s)
{
	int32_t n_data = tw_graph_n_data(tw_sched_graph(s));
	l->of = (struct tw_data_list *)tw_run_alloc(s, (size_t)tw_n_nodes(s), sizeof *l->of);
	for (tw_node n = 0; n < tw_n_nodes(s); n++)
		l->of[n] = (struct tw_data_list){
			.slots = (tw_data *)tw_run_alloc(s, 3 * (size_t)n_data, sizeof *l->of->slots),
			.place = (int32_t *)tw_run_alloc(s, (size_t)n_data, sizeof *l->of->place),
			.begin = n_data,
			.end = n_data,
			.n_data = n_data,
			.first_dirty = n_data,
		};
}

void tw_data_list_tidy(struct tw_data_list *list)
{
	int32_t n = 0, end = list->n_data;
	for (int32_t i = list->begin; i < list->end; i++)
		if (list->slots[i] != TW_NONE)
			list->slots[list->begin + n++] = list->slots[i];
	memmove(list->slots + list->n_data, list->slots + list->begin, (size_t)n * sizeof *list->slots);
	for (list->begin = list->first_dirty = end; n > 0; n--, end++)
		list->place[list->slots[end]] = end;
	list->end = end;
}

int32_t tw_data_list_start(struct tw_data_list *list, const struct tw_victim_query *query)
{
	const struct tw_dirtied *dirtied = query->dirtied;
	if (!dirtied)
		return list->begin;
	if (dirtied->n - list->dirtied > TW_MOST_DIRTIED)
		list->first_dirty = list->begin;
	else
		for (; list->dirtied < dirtied->n; list->dirtied++) {
			int32_t place = list->place[dirtied->data[list->dirtied % TW_MOST_DIRTIED]];
			if (place >= list->begin && place < list->first_dirty)
				list->first_dirty = place;
		}
	list->dirtied = dirtied->n;
	while (list->first_dirty < list->end && !tw_may_evict(query, list->slots[list->first_dirty]))
		list->first_dirty++;
	return list->first_dirty;
}

/* Returns the victim that is first in the list; TW_NONE: there is none. Compares the places of all handles that may be
 * evicted, instead of walking the list. */
static tw_data first_of_kinds(const struct tw_data_list *list, const struct tw_victim_query *query)
{
	int32_t first = list->end;
	for (unsigned kinds = query->kinds, k = 0; kinds >> k; k++)
		for (int32_t i = 0; kinds >> k & 1 && i < query->of_kind[k].n; i++) {
			tw_data d = query->of_kind[k].data[i];
			int32_t place = list->place[d];
			if (place >= list->begin && place < first && list->slots[place] == d)
				first = place;
		}
	return first < list->end ? list->slots[first] : (tw_data)TW_NONE;
}

/* Returns the first victim from index `first` of the slots on; TW_NONE: there is none. */
static tw_data victim_from(const struct tw_data_list *list, int32_t first, const struct tw_victim_query *query)
{
	/* A local copy of the query, which the compiler can keep in registers during a long walk. */
	struct tw_victim_query may = *query;
	if (may.of_kind && may.n < (list->end - list->begin) / 4)
		return first_of_kinds(list, query);
	for (const tw_data *d = list->slots + first, *end = list->slots + list->end; d < end; d++)
		if (tw_may_evict(&may, *d))
			return *d;
	return TW_NONE;
}

tw_data tw_data_list_victim(const struct tw_data_lists *l, tw_node node, const struct tw_victim_query *query)
{
	struct tw_data_list *list = &l->of[node];
	return victim_from(list, tw_data_list_start(list, query), query);
}

/* --- the members of eviction policies that keep handles by age ---------------------------------------------------- */

int tw_age_order_init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)err;
	tw_data_lists_init(state, s);
	return TW_OK;
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
	const struct tw_data_lists *l = state;
	struct tw_data_list *list = &l->of[node];
	bool goes_on = query->behind && tw_data_list_has(l, node, *query->behind);
	return victim_from(list, goes_on ? list->place[*query->behind] + 1 : tw_data_list_start(list, query), query);
}
