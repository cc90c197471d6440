/* Finds the rows of the fronts of a multifrontal QR factorisation (Matstoms 1994; Amestoy, Duff and Puglisi 1996).
 *
 * A row of A belongs to the front that eliminates its leftmost column. A front is factorised completely, so its
 * contribution block is upper trapezoidal. The rows of a front, its own and its children's, are sorted by their
 * leftmost columns. Then the entries lie above a staircase: the height of column j is the number of rows that begin at
 * column j or before. */
#include <stdlib.h>

#include "workloads/support/sparse.h"

/* Sets front[k] to the front that eliminates the k-th column, and place[c] to the place of the matrix' column c in the
 * order. */
static void locate(const struct tw_assembly_tree *t, int32_t *front, int32_t *place)
{
	for (int32_t f = 0; f < t->n_fronts; f++)
		for (int32_t k = t->first[f]; k < t->first[f + 1]; k++)
			front[k] = f;
	for (int32_t k = 0; k < t->n_columns; k++)
		place[t->order[k]] = k;
}

/* Counts the rows of the matrix that begin at each column of each front. */
static void count_rows(int32_t *height, const struct tw_assembly_tree *t, const struct tw_pattern *a,
                       const int32_t *front, const int32_t *place)
{
	int32_t *leftmost = tw_resize(NULL, (size_t)a->n_rows, sizeof *leftmost);
	for (int32_t r = 0; r < a->n_rows; r++)
		leftmost[r] = INT32_MAX;
	for (int32_t c = 0; c < a->n_columns; c++)
		for (int64_t e = a->start[c]; e < a->start[c + 1]; e++)
			if (place[c] < leftmost[a->row[e]])
				leftmost[a->row[e]] = place[c];
	for (int32_t r = 0; r < a->n_rows; r++)
		if (leftmost[r] != INT32_MAX) {
			int32_t f = front[leftmost[r]];
			height[t->start[f] + leftmost[r] - t->first[f]]++;
		}
	free(leftmost);
}

/* Turns counts of rows that begin at a column into heights, front by front, and adds the rows of contribution blocks to
 * the parents. Row i of a factorised front begins at column i. If too few rows begin early, column j still has a height
 * of j + 1, or of all rows. The earlier columns have eliminated that many rows. */
static void climb(int32_t *heights, const struct tw_assembly_tree *t, int32_t *place)
{
	for (int32_t f = 0; f < t->n_fronts; f++) {
		int32_t *height = heights + t->start[f], n = tw_front_columns(t, f), pivots = tw_front_pivots(t, f);
		for (int32_t j = 1; j < n; j++)
			height[j] += height[j - 1];
		int32_t rows = height[n - 1];
		for (int32_t j = 0; j < n; j++)
			if (height[j] <= j)
				height[j] = j < rows ? j + 1 : rows;
		if (t->parent[f] == TW_NONE)
			continue;
		tw_front_places(t, f, place);
		for (int32_t i = pivots; i < rows && i < n; i++)
			heights[t->start[t->parent[f]] + place[i - pivots]]++;
	}
}

int32_t *tw_front_heights(const struct tw_assembly_tree *t, const struct tw_pattern *a)
{
	int32_t *front = tw_resize(NULL, (size_t)t->n_columns * 2, sizeof *front), *place = front + t->n_columns;
	int32_t *heights = tw_alloc((size_t)t->start[t->n_fronts], sizeof *heights);
	locate(t, front, place);
	count_rows(heights, t, a, front, place);
	climb(heights, t, place);
	free(front);
	return heights;
}
