/* Ordered lists of data handles, one list per memory node, for eviction policies.
 *
 * Adding at either end and removing take amortised O(1). The search for a victim walks through contiguous memory. If
 * few handles may leave, it looks at those alone, because eviction policies search most often under memory pressure. A
 * handle is in a node's list at most once; adding it twice is a bug of the caller. */
#ifndef TILEWRIGHT_DATA_LIST_H
#define TILEWRIGHT_DATA_LIST_H

#include <tilewright/eviction.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_data_list {
	tw_data *slots; /* [3 n_data]: the list is slots[begin .. end - 1]; TW_NONE: a gap that a removal left */
	int32_t *place; /* [n_data]: the slot of each handle */
	int32_t begin, end, n_data;
	int32_t n; /* handles in the list */
};

struct tw_data_lists {
	tw_node n_nodes;
	struct tw_data_list *of; /* [n_nodes] */
};

/* TW_NOMEM: nothing is left allocated. */
int tw_data_lists_init(struct tw_data_lists *, const struct tw_sched *);
void tw_data_lists_finish(struct tw_data_lists *);

/* Closes the gaps and moves the list to the middle third of the slots. */
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
	if (list->end - list->begin > 2 * list->n + 64) /* more gaps than handles would make walks slow */
		tw_data_list_tidy(list);
}

static inline bool tw_data_list_has(const struct tw_data_lists *l, tw_node node, tw_data d)
{
	const struct tw_data_list *list = &l->of[node];
	return list->place[d] >= list->begin && list->place[d] < list->end && list->slots[list->place[d]] == d;
}

/* The first handle from the front, or from the back, that may leave; TW_NONE: none may. */
tw_data tw_data_list_victim(const struct tw_data_lists *, tw_node, const struct tw_victim_query *);
tw_data tw_data_list_victim_from_back(const struct tw_data_lists *, tw_node, const struct tw_victim_query *);

/* Members of struct tw_eviction for policies that keep the handles of each memory by age, the oldest first. The state
 * is, or begins with, a struct tw_data_lists. */
int tw_age_order_init(struct tw_sched *, void *state, struct tw_error *err);
void tw_age_order_finish(struct tw_sched *, void *state);

/* The handle becomes the youngest. Leave out `used` for an order by loads alone. */
void tw_age_order_loaded(struct tw_sched *, void *state, tw_data, tw_node);
void tw_age_order_used(struct tw_sched *, void *state, tw_data, tw_node);
/* The handle becomes the oldest. */
void tw_age_order_expendable(struct tw_sched *, void *state, tw_data, tw_node);
void tw_age_order_evicted(struct tw_sched *, void *state, tw_data, tw_node);

/* The oldest handle that may leave. */
tw_data tw_age_order_victim(struct tw_sched *, void *state, tw_node, const struct tw_victim_query *);

#ifdef __cplusplus
}
#endif
#endif
