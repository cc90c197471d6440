/* Finds the fronts of a multifrontal factorisation and the columns of each (symbolic factorisation by fronts). */
#include <stdlib.h>
#include <string.h>

#include "workloads/support/elimination.h"

void tw_assembly_tree_finish(struct tw_assembly_tree *t)
{
	free(t->order);
	free(t->first);
	free(t->start);
	free(t->column);
	free(t->parent);
	free(t->child_start);
	free(t->child);
	*t = (struct tw_assembly_tree){0};
}

static int allocate(struct tw_assembly_tree *t, const struct tw__groups *g, int32_t n_columns, struct tw_error *err)
{
	int64_t sum = 0;
	for (int32_t f = 0; f < g->n; f++)
		sum += g->columns[f];
	*t = (struct tw_assembly_tree){.n_columns = n_columns, .n_fronts = g->n};
	if (sum > TW_MAX_ENTRIES)
		return tw_fail(
			err, TW_INVALID,
			"%d fronts have %lld columns in total: expected at most %d; try a better order or fewer fronts",
			g->n, (long long)sum, TW_MAX_ENTRIES);
	size_t n = (size_t)g->n;
	t->order = tw_resize(NULL, (size_t)n_columns, sizeof *t->order);
	t->first = tw_resize(NULL, n + 1, sizeof *t->first);
	t->start = tw_resize(NULL, n + 1, sizeof *t->start);
	t->column = tw_resize(NULL, (size_t)sum, sizeof *t->column);
	t->parent = tw_resize(NULL, n, sizeof *t->parent);
	t->child_start = tw_alloc(n + 2, sizeof *t->child_start);
	t->child = tw_resize(NULL, n, sizeof *t->child);
	return TW_OK;
}

/* Copies the groups of columns to the tree. Makes the final order of columns, and its inverse `place`. */
static void copy_groups(struct tw_assembly_tree *t, const struct tw__groups *g, const struct tw__elimination *e,
                        int32_t *place)
{
	for (int32_t k = 0; k < t->n_columns; k++) {
		t->order[k] = e->order[g->member[k]];
		place[t->order[k]] = k;
	}
	t->start[0] = 0;
	for (int32_t f = 0; f < t->n_fronts; f++) {
		t->first[f] = g->start[f];
		t->start[f + 1] = t->start[f] + g->columns[f];
		t->parent[f] = g->parent[f];
	}
	t->first[t->n_fronts] = t->n_columns;
}

static void list_children(struct tw_assembly_tree *t)
{
	int32_t *next = t->child_start + 1;
	for (int32_t f = 0; f < t->n_fronts; f++)
		if (t->parent[f] != TW_NONE)
			next[t->parent[f] + 1]++;
	for (int32_t f = 0; f < t->n_fronts; f++)
		next[f + 1] += next[f];
	for (int32_t f = 0; f < t->n_fronts; f++)
		if (t->parent[f] != TW_NONE)
			t->child[next[t->parent[f]]++] = f;
}

/* Lists the columns of each front: its pivots, their neighbours in the graph, and the columns of its children's
 * contribution blocks. mark[k]: the last front that has column k. */
static void list_columns(struct tw_assembly_tree *t, const struct tw_pattern *graph, const int32_t *place,
                         int32_t *mark)
{
	for (int32_t k = 0; k < t->n_columns; k++)
		mark[k] = TW_NONE;
	for (int32_t f = 0; f < t->n_fronts; f++) {
		int32_t *to = t->column + t->start[f], end = t->first[f + 1];
		for (int32_t k = t->first[f]; k < end; k++) {
			*to++ = k;
			mark[k] = f;
		}
		for (int32_t k = t->first[f]; k < end; k++)
			for (int64_t e = graph->start[t->order[k]]; e < graph->start[t->order[k] + 1]; e++) {
				int32_t column = place[graph->row[e]];
				if (column >= end && mark[column] != f) {
					mark[column] = f;
					*to++ = column;
				}
			}
		for (int32_t c = t->child_start[f]; c < t->child_start[f + 1]; c++) {
			int32_t child = t->child[c];
			for (int64_t at = t->start[child] + tw_front_pivots(t, child); at < t->start[child + 1]; at++)
				if (mark[t->column[at]] != f) {
					mark[t->column[at]] = f;
					*to++ = t->column[at];
				}
		}
	}
}

/* Sorts the columns of all fronts in linear time, by transposing the lists twice: a transpose is sorted. */
static void sort_columns(struct tw_assembly_tree *t)
{
	struct tw_pattern lists = {t->n_columns, t->n_fronts, t->start, t->column}, across, sorted;
	tw_pattern_transpose(&across, &lists);
	tw_pattern_transpose(&sorted, &across);
	tw_pattern_finish(&across);
	free(t->column);
	t->column = sorted.row;
	free(sorted.start);
}

int tw_assembly_tree_init(struct tw_assembly_tree *t, const struct tw_pattern *graph, const int32_t *order,
                          struct tw_amalgamation limits, struct tw_error *err)
{
	struct tw__elimination e;
	struct tw__groups g;
	tw__elimination_init(&e, graph, order);
	tw__groups_init(&g, &e, limits);
	int status = allocate(t, &g, e.n, err);
	if (status == TW_OK) {
		int32_t *place = tw_resize(NULL, (size_t)e.n * 2, sizeof *place);
		copy_groups(t, &g, &e, place);
		list_children(t);
		list_columns(t, graph, place, place + e.n);
		sort_columns(t);
		free(place);
	}
	tw__groups_finish(&g);
	tw__elimination_finish(&e);
	return status;
}

/* The columns of child and parent both ascend, so each binary search begins at the previous place. */
void tw_front_places(const struct tw_assembly_tree *t, int32_t front, int32_t *place)
{
	int32_t parent = t->parent[front], low = 0, n = tw_front_columns(t, parent);
	const int32_t *columns = t->column + t->start[parent];
	for (int64_t at = t->start[front] + tw_front_pivots(t, front); at < t->start[front + 1]; at++) {
		int32_t high = n;
		while (low < high) {
			int32_t middle = low + (high - low) / 2;
			if (columns[middle] < t->column[at])
				low = middle + 1;
			else
				high = middle;
		}
		*place++ = low;
	}
}
