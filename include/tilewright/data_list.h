/* Ordered lists of data, one per memory node, for eviction policies that keep data in an order. Adding at either end and
 * removing are O(1) amortised; looking for a victim walks through contiguous memory or, where few data may leave, looks for
 * the first of those, since that is what such policies do most under pressure. A data is in each node's list at most once;
 * asking for more than that is a bug of the caller. */
#ifndef TILEWRIGHT_DATA_LIST_H
#define TILEWRIGHT_DATA_LIST_H

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

/* TW_NOMEM: nothing is left allocated. */
int tw_data_lists_init(struct tw_data_lists *, const struct tw_sched *);
void tw_data_lists_finish(struct tw_data_lists *);

/* Closes the gaps and moves what is left to the middle third. */
void tw_data_list_tidy(struct tw_data_list *);

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

/* The first data, from the front, that may leave; the last one. TW_NONE: none may. */
tw_data tw_data_list_victim(const struct tw_data_lists *, tw_node, const struct tw_victim_query *);
tw_data tw_data_list_victim_from_back(const struct tw_data_lists *, tw_node, const struct tw_victim_query *);

/* Data by age, the oldest first: what eviction policies that look at each memory's data from the oldest on do at each event.
 * Members of struct tw_eviction, which explains the arguments; the state is, or begins with, a struct tw_data_lists. */
int tw_age_order_init(struct tw_sched *, void *state, struct tw_error *err);
void tw_age_order_finish(struct tw_sched *, void *state);

void tw_age_order_loaded(struct tw_sched *, void *state, tw_data, tw_node); /* the youngest */
void tw_age_order_used(struct tw_sched *, void *state, tw_data,
                       tw_node); /* the youngest again; left out: as if unused */
void tw_age_order_expendable(struct tw_sched *, void *state, tw_data, tw_node); /* the oldest */
void tw_age_order_evicted(struct tw_sched *, void *state, tw_data, tw_node);

/* The oldest that may leave. */
tw_data tw_age_order_victim(struct tw_sched *, void *state, tw_node, const struct tw_victim_query *);

#ifdef __cplusplus
}
#endif
#endif
