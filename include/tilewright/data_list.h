/* Ordered lists of data, one per memory node, for eviction policies that keep data in an order. Adding at either end and
 * removing are O(1) amortised; looking for a victim walks through contiguous memory or, where few data may leave, looks for
 * the first of those, since that is what such policies do most under pressure. A data is in each node's list at most once;
 * asking for more than that is a bug of the caller. */
#ifndef TILEWRIGHT_DATA_LIST_H
#define TILEWRIGHT_DATA_LIST_H

#include <stdlib.h>
#include <string.h>

#include <tilewright/eviction.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_data_list {
	tw_data *slots; /* [3 n_data]: the list is slots[begin .. end - 1]; TW_NONE where a data was removed */
	int32_t *place; /* [n_data]: a data's slot */
	int32_t begin, end, n_data;
	int32_t n; /* data in the list */
};

struct tw_data_lists {
	tw_node n_nodes;
	struct tw_data_list *of; /* [n_nodes] */
};

static inline void tw_data_lists_finish(struct tw_data_lists *l)
{
	for (tw_node n = 0; l->of && n < l->n_nodes; n++) {
		free(l->of[n].slots);
		free(l->of[n].place);
	}
	free(l->of);
	l->of = NULL;
}

/* TW_NOMEM: nothing is left allocated. */
static inline int tw_data_lists_init(struct tw_data_lists *l, const struct tw_sched *s)
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

/* Closes the gaps and moves what is left to the middle third. */
static inline void tw_data_list_tidy(struct tw_data_list *list)
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

static inline void tw_data_list_push_front(struct tw_data_lists *l, tw_node node, tw_data d)
{
	struct tw_data_list *list = &l->of[node];
	if (list->begin == 0)
		tw_data_list_tidy(list);
	list->slots[--list->begin] = d;
	list->place[d] = list->begin;
	list->n++;
}

static inline void tw_data_list_push_back(struct tw_data_lists *l, tw_node node, tw_data d)
{
	struct tw_data_list *list = &l->of[node];
	if (list->end == 3 * list->n_data)
		tw_data_list_tidy(list);
	list->place[d] = list->end;
	list->slots[list->end++] = d;
	list->n++;
}

static inline void tw_data_list_remove(struct tw_data_lists *l, tw_node node, tw_data d)
{
	struct tw_data_list *list = &l->of[node];
	list->slots[list->place[d]] = TW_NONE;
	list->n--;
	if (list->end - list->begin > 2 * list->n + 64) /* more gaps than data: walks would be slow */
		tw_data_list_tidy(list);
}

static inline bool tw_data_list_has(const struct tw_data_lists *l, tw_node node, tw_data d)
{
	const struct tw_data_list *list = &l->of[node];
	return list->place[d] >= list->begin && list->place[d] < list->end && list->slots[list->place[d]] == d;
}

/* The same as tw_data_list_victim, by asking for the place of each data that may leave. */
static inline tw_data tw_data_list_first(const struct tw_data_list *list, const struct tw_victim_query *query)
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

/* The first data, from the front, that may leave; TW_NONE: none may. */
static inline tw_data tw_data_list_victim(const struct tw_data_lists *l, tw_node node,
                                          const struct tw_victim_query *query)
{
	const struct tw_data_list *list = &l->of[node];
	struct tw_victim_query may = *query; /* in registers, for a walk that is long under pressure */
	if (may.of_kind && may.n < (list->end - list->begin) / 4)
		return tw_data_list_first(list, query);
	for (const tw_data *d = list->slots + list->begin, *end = list->slots + list->end; d < end; d++)
		if (tw_may_evict(&may, *d))
			return *d;
	return TW_NONE;
}

/* The last one, from the front, that may leave; TW_NONE: none may. */
static inline tw_data tw_data_list_victim_from_back(const struct tw_data_lists *l, tw_node node,
                                                    const struct tw_victim_query *query)
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

#ifdef __cplusplus
}
#endif
#endif
