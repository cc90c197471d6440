/* Lists of data, one per memory node, for policies that keep data in an order: every operation but the walk is O(1).
 * A data is in each node's list at most once; asking for more than that is a bug of the caller. */
#ifndef TILEWRIGHT_DATA_LIST_H
#define TILEWRIGHT_DATA_LIST_H

#include <stdlib.h>

#include <tilewright/sched.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_data_lists {
	tw_data n_data;
	struct tw_data_link { tw_data before, behind; } *links; /* [node * (n_data + 1) + data]; entry n_data: the list's head */
};

static inline int tw_data_lists_init(struct tw_data_lists *l, const struct tw_sched *s)
{
	l->n_data = tw_graph_n_data(tw_sched_graph(s));
	size_t stride = (size_t)l->n_data + 1, nodes = (size_t)tw_n_nodes(s);
	l->links = (struct tw_data_link *)malloc(nodes * stride * sizeof *l->links);
	if (!l->links)
		return TW_NOMEM;
	for (size_t n = 0; n < nodes; n++)
		l->links[n * stride + stride - 1].before = l->links[n * stride + stride - 1].behind = l->n_data;
	return TW_OK;
}

static inline void tw_data_lists_finish(struct tw_data_lists *l)
{
	free(l->links);
	l->links = NULL;
}

static inline struct tw_data_link *tw_data_list_of(const struct tw_data_lists *l, tw_node node)
{
	return l->links + (size_t)node * ((size_t)l->n_data + 1);
}

static inline void tw_data_list_put(struct tw_data_lists *l, tw_node node, tw_data d, tw_data behind)
{
	struct tw_data_link *links = tw_data_list_of(l, node);
	links[d].before = behind;
	links[d].behind = links[behind].behind;
	links[links[d].behind].before = d;
	links[behind].behind = d;
}

static inline void tw_data_list_push_front(struct tw_data_lists *l, tw_node node, tw_data d)
{
	tw_data_list_put(l, node, d, l->n_data);
}

static inline void tw_data_list_push_back(struct tw_data_lists *l, tw_node node, tw_data d)
{
	tw_data_list_put(l, node, d, tw_data_list_of(l, node)[l->n_data].before);
}

static inline void tw_data_list_remove(struct tw_data_lists *l, tw_node node, tw_data d)
{
	struct tw_data_link *links = tw_data_list_of(l, node);
	links[links[d].before].behind = links[d].behind;
	links[links[d].behind].before = links[d].before;
}

/* for (tw_data d = tw_data_list_first(l, node); d != TW_NONE; d = tw_data_list_next(l, node, d)) */
static inline tw_data tw_data_list_next(const struct tw_data_lists *l, tw_node node, tw_data d)
{
	tw_data next = tw_data_list_of(l, node)[d].behind;
	return next == l->n_data ? (tw_data)TW_NONE : next;
}

static inline tw_data tw_data_list_first(const struct tw_data_lists *l, tw_node node)
{
	return tw_data_list_next(l, node, l->n_data);
}

#ifdef __cplusplus
}
#endif
#endif
