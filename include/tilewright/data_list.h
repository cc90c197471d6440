/* Ordered lists of data handles, one list per memory node, for eviction policies.
 *
 * Adding at either end and removing take amortised O(1). The search for a victim walks through contiguous memory. If
 * few handles may leave, the search looks at those alone, because eviction policies search most often under memory
 * pressure. A handle is in a node's list at most once; adding it twice is a bug of the caller. */
#ifndef TILEWRIGHT_DATA_LIST_H
#define TILEWRIGHT_DATA_LIST_H

#include <tilewright/eviction.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_data_list {
	tw_data *slots; /* [3 n_data]: the list is slots[begin .. end - 1]. TW_NONE: a gap that a removal left */
	int32_t *place; /* [n_data]: index in `slots` of each handle in the list; other handles have any index */
	int32_t begin, end, n_data;
	int32_t n; /* number of handles in the list, without gaps */
	/* No slot before this index had a dirty copy when so many copies had become dirty (struct tw_dirtied). */
	int32_t first_dirty;
	uint64_t dirtied;
};

struct tw_data_lists {
	struct tw_data_list *of; /* [nodes]: the list of each memory node */
};

/* Makes an empty list for each memory node, in memory of the run (tw_run_alloc). */
void tw_data_lists_init(struct tw_data_lists *, const struct tw_sched *);

/* Closes the list's gaps and moves the list to the middle third of the slots. */
void tw_data_list_tidy(struct tw_data_list *);

static inline void tw_data_list_push_front(struct tw_data_lists *l, tw_node node, tw_data d)
{
	struct tw_data_list *list = &l->of[node];
	if (list->begin == 0)
		tw_data_list_tidy(list);
	list->slots[--list->begin] = d;
	list->place[d] = list->first_dirty = list->begin;
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
	while (list->begin < list->end && list->slots[list->begin] == TW_NONE)
		list->begin++;
	if (list->end - list->begin > 2 * list->n + 64) /* more gaps than handles would make walks slow */
		tw_data_list_tidy(list);
}

static inline bool tw_data_list_has(const struct tw_data_lists *l, tw_node node, tw_data d)
{
	const struct tw_data_list *list = &l->of[node];
	return list->place[d] >= list->begin && list->place[d] < list->end && list->slots[list->place[d]] == d;
}

/* Returns the index from which a search for a victim begins: earlier slots have none. For idle write-backs, notes which
 * slots need not be searched again. */
int32_t tw_data_list_start(struct tw_data_list *, const struct tw_victim_query *);

/* Returns the first handle from the front for which tw_may_evict is true. TW_NONE: there is none. */
tw_data tw_data_list_victim(const struct tw_data_lists *, tw_node, const struct tw_victim_query *);

/* Members of struct tw_eviction for eviction policies that keep the handles of each memory by age, the oldest first.
 * The policy's state is, or begins with, a struct tw_data_lists. */
int tw_age_order_init(struct tw_sched *, void *state, struct tw_error *err);
/* loaded, used: the handle becomes the youngest on the node. Without the member `used`, loads alone give the order. */
void tw_age_order_loaded(struct tw_sched *, void *state, tw_data, tw_node);
void tw_age_order_used(struct tw_sched *, void *state, tw_data, tw_node);
/* expendable: the handle becomes the oldest on the node. evicted: the handle leaves the node's list. */
void tw_age_order_expendable(struct tw_sched *, void *state, tw_data, tw_node);
void tw_age_order_evicted(struct tw_sched *, void *state, tw_data, tw_node);

/* Returns the oldest handle on the node for which tw_may_evict is true; TW_NONE: there is none. */
tw_data tw_age_order_victim(struct tw_sched *, void *state, tw_node, const struct tw_victim_query *);

/* The members for eviction policies that break ties by the last use, as lru does. */
#define TW_BY_LAST_USE                                                                                        \
	.state_size = sizeof(struct tw_data_lists), .init = tw_age_order_init, .loaded = tw_age_order_loaded, \
	.used = tw_age_order_used, .evicted = tw_age_order_evicted, .expendable = tw_age_order_expendable

#ifdef __cplusplus
}
#endif
#endif
