/* Makes patterns of sparse matrices: grids, transposes, and the graphs for an elimination. */
#include <stdlib.h>

#include "workloads/support/sparse.h"

void tw_pattern_finish(struct tw_pattern *p)
{
	free(p->start);
	free(p->row);
	*p = (struct tw_pattern){0};
}

/* Makes a pattern of empty columns, with memory for `entries` entries. */
static void create(struct tw_pattern *p, int32_t n_rows, int32_t n_columns, int64_t entries)
{
	*p = (struct tw_pattern){.n_rows = n_rows, .n_columns = n_columns};
	p->start = tw_alloc((size_t)n_columns + 1, sizeof *p->start);
	p->row = tw_resize(NULL, (size_t)entries, sizeof *p->row);
}

int tw_pattern_grid(struct tw_pattern *p, int nx, int ny, int nz, bool box, struct tw_error *err)
{
	double points = (double)nx * ny * nz;
	if (nx < 1 || ny < 1 || nz < 1 || points > TW_MAX_UNKNOWNS)
		return tw_fail(err, TW_INVALID, "a grid of %d x %d x %d points: expected 1 to %d points", nx, ny, nz,
		               TW_MAX_UNKNOWNS);
	int32_t n = nx * ny * nz;
	create(p, n, n, (int64_t)n * (box ? 27 : 7));
	int64_t at = 0;
	for (int32_t c = 0; c < n; c++) {
		int x = c % nx, y = c / nx % ny, z = c / nx / ny;
		for (int dz = -(z > 0); dz <= (z < nz - 1); dz++)
			for (int dy = -(y > 0); dy <= (y < ny - 1); dy++)
				for (int dx = -(x > 0); dx <= (x < nx - 1); dx++)
					if (box || abs(dx) + abs(dy) + abs(dz) <= 1)
						p->row[at++] = c + dx + nx * (dy + ny * dz);
		p->start[c + 1] = at;
	}
	return TW_OK;
}

/* Transposes by a counting sort of the entries by rows. It takes the columns in order, so the entries of the result are
 * in order, too. */
void tw_pattern_transpose(struct tw_pattern *p, const struct tw_pattern *a)
{
	int64_t entries = a->start[a->n_columns];
	create(p, a->n_columns, a->n_rows, entries);
	for (int64_t e = 0; e < entries; e++)
		p->start[a->row[e]]++;
	int64_t sum = 0;
	for (int32_t c = 0; c <= p->n_columns; c++) {
		int64_t count = p->start[c];
		p->start[c] = sum;
		sum += count;
	}
	for (int32_t c = 0; c < a->n_columns; c++)
		for (int64_t e = a->start[c]; e < a->start[c + 1]; e++)
			p->row[p->start[a->row[e]]++] = c;
	/* Each start has moved to the end of its column, which is the start of the next column. */
	for (int32_t c = p->n_columns; c > 0; c--)
		p->start[c] = p->start[c - 1];
	p->start[0] = 0;
}

/* Writes the union of two ascending lists, without the number `self`, to `to`. Returns the length of the union. */
static int64_t merge(int32_t *to, const int32_t *a, const int32_t *a_end, const int32_t *b, const int32_t *b_end,
                     int32_t self)
{
	int64_t n = 0;
	while (a < a_end || b < b_end) {
		int32_t least = b == b_end || (a < a_end && *a < *b) ? *a : *b;
		if (a < a_end && *a == least)
			a++;
		if (b < b_end && *b == least)
			b++;
		if (least != self)
			to[n++] = least;
	}
	return n;
}

int tw_pattern_symmetrise(struct tw_pattern *p, const struct tw_pattern *a, struct tw_error *err)
{
	if (a->n_rows != a->n_columns)
		return tw_fail(err, TW_INVALID, "a matrix of %d rows and %d columns, expected a square one", a->n_rows,
		               a->n_columns);
	struct tw_pattern t;
	tw_pattern_transpose(&t, a);
	create(p, a->n_rows, a->n_columns, 2 * a->start[a->n_columns]);
	int64_t at = 0;
	for (int32_t c = 0; c < p->n_columns; c++) {
		at += merge(p->row + at, a->row + a->start[c], a->row + a->start[c + 1], t.row + t.start[c],
		            t.row + t.start[c + 1], c);
		p->start[c + 1] = at;
	}
	tw_pattern_finish(&t);
	return TW_OK;
}

/* Lists the neighbours of each column: two columns are neighbours if a row has entries in both. Fills p->start, and
 * p->row unless that is NULL. mark[i]: the last column that has i as a neighbour. */
static void neighbours(struct tw_pattern *p, const struct tw_pattern *a, const struct tw_pattern *rows, int32_t *mark)
{
	int64_t at = 0;
	for (int32_t c = 0; c < a->n_columns; c++)
		mark[c] = TW_NONE;
	for (int32_t c = 0; c < a->n_columns; c++) {
		mark[c] = c;
		for (int64_t e = a->start[c]; e < a->start[c + 1]; e++)
			for (int64_t i = rows->start[a->row[e]]; i < rows->start[a->row[e] + 1]; i++) {
				if (mark[rows->row[i]] == c)
					continue;
				mark[rows->row[i]] = c;
				if (p->row)
					p->row[at] = rows->row[i];
				at++;
			}
		p->start[c + 1] = at;
	}
}

/* Fails if A^T A takes too many steps: a row of r entries takes r^2. */
static int check_rows(const struct tw_pattern *rows, struct tw_error *err)
{
	const double most = 4.0 * TW_MAX_ENTRIES;
	double steps = 0;
	int32_t longest = 0;
	for (int32_t r = 0; r < rows->n_columns; r++) {
		double length = (double)(rows->start[r + 1] - rows->start[r]);
		steps += length * length;
		if (rows->start[r + 1] - rows->start[r] > rows->start[longest + 1] - rows->start[longest])
			longest = r;
	}
	if (steps <= most)
		return TW_OK;
	return tw_fail(err, TW_INVALID,
	               "A^T A takes %.3g products, expected at most %.3g; row %d of A has %lld entries", steps, most,
	               longest + 1, (long long)(rows->start[longest + 1] - rows->start[longest]));
}

int tw_pattern_gram(struct tw_pattern *p, const struct tw_pattern *a, struct tw_error *err)
{
	struct tw_pattern rows, graph = {.n_rows = a->n_columns, .n_columns = a->n_columns};
	tw_pattern_transpose(&rows, a);
	int status = check_rows(&rows, err);
	if (status == TW_OK) {
		int32_t *mark = tw_resize(NULL, (size_t)a->n_columns, sizeof *mark);
		graph.start = tw_alloc((size_t)a->n_columns + 1, sizeof *graph.start);
		neighbours(&graph, a, &rows, mark); /* counts */
		graph.row = tw_resize(NULL, (size_t)graph.start[a->n_columns], sizeof *graph.row);
		neighbours(&graph, a, &rows, mark); /* fills */
		tw_pattern_transpose(p, &graph);    /* sorts: a transpose is sorted, and a symmetric graph is its own */
		tw_pattern_finish(&graph);
		free(mark);
	}
	tw_pattern_finish(&rows);
	return status;
}
