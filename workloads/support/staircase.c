/* Finds the rows of the fronts of a multifrontal QR factorisation (Matstoms 1994; Amestoy, Duff and Puglisi 1996).
 *
 * A row of A belongs to the front that eliminates its leftmost column. A front is factorised completely, so its
 * contribution block is upper trapezoidal. The rows of a front, its own and its children's, are sorted by their
 * leftmost columns. Then the entries lie above a staircase: the height of column j is the number of rows that begin at
 * column j or before. */
#include <stdlib.h>

#include "workloads/support/sparse.h"

void tw_staircase_finish(struct tw_staircase *s)
{
	free(s->height);
	*s = (struct tw_staircase){0};
}

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
static int count_rows(struct tw_staircase *s, const struct tw_assembly_tree *t, const struct tw_pattern *a,
                      const int32_t *front, const int32_t *place, struct tw_error *err)
{
	int32_t *leftmost = malloc(((size_t)a->n_rows + 1) * sizeof *leftmost);
	if (!leftmost)
		return tw_fail(err, TW_NOMEM, "out of memory for %d rows", a->n_rows);
	for (int32_t r = 0; r < a->n_rows; r++)
		leftmost[r] = INT32_MAX;
	for (int32_t c = 0; c < a->n_columns; c++)
		for (int64_t e = a->start[c]; e < a->start[c + 1]; e++)
			if (place[c] < leftmost[a->row[e]])
				leftmost[a->row[e]] = place[c];
	for (int32_t r = 0; r < a->n_rows; r++)
		if (leftmost[r] != INT32_MAX) {
			int32_t f = front[leftmost[r]];
			s->height[t->start[f] + leftmost[r] - t->first[f]]++;
		}
	free(leftmost);
	return TW_OK;
}

/* Turns counts of rows that begin at a column into heights, front by front, and adds the rows of contribution blocks to
 * the parents. Row i of a factorised front begins at column i. If too few rows begin early, column j still has a height
 * of j + 1, or of all rows. The earlier columns have eliminated that many rows. */
static void climb(struct tw_staircase *s, const struct tw_assembly_tree *t, int32_t *place)
{
	for (int32_t f = 0; f < t->n_fronts; f++) {
		int32_t *height = s->height + t->start[f], n = tw_front_columns(t, f), pivots = tw_front_pivots(t, f);
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
			s->height[t->start[t->parent[f]] + place[i - pivots]]++;
	}
}

int tw_staircase_init(struct tw_staircase *s, const struct tw_assembly_tree *t, const struct tw_pattern *a,
                      struct tw_error *err)
{
	int32_t *front = malloc(((size_t)t->n_columns * 2 + 1) * sizeof *front), *place = front + t->n_columns;
	s->height = calloc((size_t)t->start[t->n_fronts] + 1, sizeof *s->height);
	int status = front && s->height
	                     ? TW_OK
	                     : tw_fail(err, TW_NOMEM, "out of memory for the rows of %d fronts", t->n_fronts);
	if (status == TW_OK) {
		locate(t, front, place);
		status = count_rows(s, t, a, front, place, err);
	}
	if (status == TW_OK)
		climb(s, t, place);
	free(front);
	if (status < 0)
		tw_staircase_finish(s);
	return status;
}
