#include <tilewright/data_list.h>

#include <stdlib.h>
#include <string.h>

void tw_data_lists_finish(struct tw_data_lists *l)
{
	for (tw_node n = 0; l->of && n < l->n_nodes; n++) {
		free(l->of[n].slots);
		free(l->of[n].place);
	}
	free(l->of);
	l->of = NULL;
}

int tw_data_lists_init(struct tw_data_lists *l, const struct tw_sched *s)
{
	size_t n_data = (size_t)tw_graph_n_data(tw_sched_graph(s)), nodes = (size_t)tw_n_nodes(s);
	l->n_nodes = tw_n_nodes(s);
	l->of = (struct tw_data_list *)calloc(nodes, sizeof *l->of);
	if (!l->of)
		return TW_NOMEM;
	for (size_t n = 0; n < nodes; n++) {
		struct tw_data_list *list = &l->of[n];
		list->n_data = (int32_t)n_data;
		list->begin = list->end = (int32_t)n_data;
		list->slots = (tw_data *)malloc((3 * n_data + 1) * sizeof *list->slots);
		list->place = (int32_t *)calloc(n_data + 1, sizeof *list->place);
		if (!list->slots || !list->place) {
			tw_data_lists_finish(l);
			return TW_NOMEM;
		}
	}
	return TW_OK;
}

void tw_data_list_tidy(struct tw_data_list *list)
{
	int32_t n = 0, end = list->n_data;
	for (int32_t i = list->begin; i < list->end; i++)
		if (list->slots[i] != TW_NONE)
			list->slots[list->begin + n++] = list->slots[i];
	memmove(list->slots + list->n_data, list->slots + list->begin, (size_t)n * sizeof *list->slots);
	for (list->begin = end; n > 0; n--, end++)
		list->place[list->slots[end]] = end;
	list->end = end;
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

tw_data tw_data_list_victim(const struct tw_data_lists *l, tw_node node, const struct tw_victim_query *query)
{
	const struct tw_data_list *list = &l->of[node];
	/* A local copy of the query, which the compiler can keep in registers during a long walk. */
	struct tw_victim_query may = *query;
	if (may.of_kind && may.n < (list->end - list->begin) / 4)
		return first_of_kinds(list, query);
	for (const tw_data *d = list->slots + list->begin, *end = list->slots + list->end; d < end; d++)
		if (tw_may_evict(&may, *d))
			return *d;
	return TW_NONE;
}

tw_data tw_data_list_victim_from_back(const struct tw_data_lists *l, tw_node node, const struct tw_victim_query *query)
{
	const struct tw_data_list *list = &l->of[node];
	tw_data last = TW_NONE;
	if (!query->of_kind || query->n >= (list->end - list->begin) / 4) {
		for (int32_t i = list->end - 1; i >= list->begin; i--)
			if (tw_may_evict(query, list->slots[i]))
				return list->slots[i];
		return TW_NONE;
	}
	for (unsigned k = 0; query->kinds >> k; k++)
		for (int32_t i = 0; query->kinds >> k & 1 && i < query->of_kind[k].n; i++) {
			tw_data d = query->of_kind[k].data[i];
			if (tw_data_list_has(l, node, d) && (last == TW_NONE || list->place[d] > list->place[last]))
				last = d;
		}
	return last;
}
