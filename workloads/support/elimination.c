/* Elimination trees (Liu 1990) and the sizes of the factor's columns (Gilbert, Ng and Peyton 1994),
 * without computing the factor. */
#include "workloads/support/elimination.h"

#include <stdlib.h>

void tw__elimination_finish(struct tw__elimination *e)
{
	free(e->order);
	free(e->place);
	free(e->parent);
	free(e->count);
	*e = (struct tw__elimination){0};
}

/* Computes a postorder of a tree that keeps the order of siblings: post[k] is the k-th node. The parent of a root is
 * TW_NONE. `work`: 3 * n elements. */
static void postorder(int32_t n, const int32_t *parent, int32_t *post, int32_t *work)
{
	int32_t *child = work, *sibling = work + n, *stack = work + 2 * (size_t)n, depth = 0, visited = 0;
	for (int32_t v = 0; v < n; v++)
		child[v] = TW_NONE;
	for (int32_t v = n - 1; v >= 0; v--)
		if (parent[v] != TW_NONE) {
			sibling[v] = child[parent[v]];
			child[parent[v]] = v;
		}
	for (int32_t root = 0; root < n; root++) {
		if (parent[root] != TW_NONE)
			continue;
		stack[depth++] = root;
		while (depth > 0) {
			int32_t v = stack[depth - 1], next = child[v];
			if (next == TW_NONE) {
				post[visited++] = v;
				depth--;
			} else { /* go down to the next child: each is visited once */
				child[v] = sibling[next];
				stack[depth++] = next;
			}
		}
	}
}

/* Sets parent[k] to the first row below the diagonal in column k of the factor. `ancestor`: workspace that shortens
 * paths (path compression). */
static void link_columns(const struct tw_pattern *graph, const int32_t *order, const int32_t *place, int32_t *parent,
                         int32_t *ancestor)
{
	for (int32_t k = 0; k < graph->n_columns; k++) {
		parent[k] = ancestor[k] = TW_NONE;
		for (int64_t e = graph->start[order[k]]; e < graph->start[order[k] + 1]; e++) {
			int32_t i = place[graph->row[e]];
			while (i < k) {
				int32_t above = ancestor[i];
				ancestor[i] = k;
				if (above == TW_NONE)
					parent[i] = k;
				i = above == TW_NONE ? k : above;
			}
		}
	}
}

/* Returns the root of v's set. Halves paths. */
static int32_t find(int32_t *set, int32_t v)
{
	while (set[v] != v) {
		set[v] = set[set[v]];
		v = set[v];
	}
	return v;
}

/* Counts the entries of each column of the factor. Row i of the factor consists of the nodes on paths of the tree, from
 * the row's entries in the matrix up to node i. In postorder, the path from an entry in column k adds the nodes below
 * the node where it meets the path from the previous entry. So the count of a column is a sum over its subtree: +1
 * where a path begins, -1 where one meets another or ends. `work`: 2 * n elements. */
static void count_entries(const struct tw__elimination *e, const struct tw_pattern *graph, int32_t *work)
{
	int32_t n = e->n, *count = e->count;
	int32_t *before = work; /* [n] for each row, the column of its previous entry */
	/* Disjoint sets: each processed column is in the set of its nearest ancestor that is not processed. */
	int32_t *set = work + n;
	for (int32_t k = 0; k < n; k++) {
		count[k] = 1; /* each path begins on the diagonal */
		before[k] = TW_NONE;
		set[k] = k;
	}
	for (int32_t k = 0; k < n; k++)
		if (e->parent[k] != TW_NONE)
			count[e->parent[k]] = 0; /* if a column has children, its path begins below it */
	for (int32_t k = 0; k < n; k++) {
		if (e->parent[k] != TW_NONE)
			count[e->parent[k]]--; /* the paths of row k end at k */
		for (int64_t at = graph->start[e->order[k]]; at < graph->start[e->order[k] + 1]; at++) {
			int32_t i = e->place[graph->row[at]];
			if (i < k)
				continue; /* the entry is above the diagonal */
			count[k]++;
			if (before[i] != TW_NONE)
				count[find(set, before[i])]--;
			before[i] = k;
		}
		if (e->parent[k] != TW_NONE)
			set[k] = e->parent[k];
	}
	for (int32_t k = 0; k < n; k++)
		if (e->parent[k] != TW_NONE)
			count[e->parent[k]] += count[k];
}

void tw__elimination_init(struct tw__elimination *e, const struct tw_pattern *graph, const int32_t *order)
{
	int32_t n = graph->n_columns;
	*e = (struct tw__elimination){.n = n,
	                              .order = tw_resize(NULL, (size_t)n, sizeof *e->order),
	                              .place = tw_resize(NULL, (size_t)n, sizeof *e->place),
	                              .parent = tw_resize(NULL, (size_t)n, sizeof *e->parent),
	                              .count = tw_resize(NULL, (size_t)n, sizeof *e->count)};
	int32_t *work = tw_resize(NULL, (size_t)n * 4, sizeof *work);
	int32_t *parent = e->count, *post = work + 3 * (size_t)n; /* parent: numbers in the given order */
	for (int32_t k = 0; k < n; k++)
		e->place[order[k]] = k;
	link_columns(graph, order, e->place, parent, work);
	postorder(n, parent, post, work);
	int32_t *rank = work; /* [n] place in the postorder of the k-th column of the given order */
	for (int32_t k = 0; k < n; k++)
		rank[post[k]] = k;
	for (int32_t k = 0; k < n; k++) {
		int32_t up = parent[post[k]];
		e->order[k] = order[post[k]];
		e->place[e->order[k]] = k;
		e->parent[k] = up == TW_NONE ? TW_NONE : rank[up];
	}
	count_entries(e, graph, work);
	free(work);
}
