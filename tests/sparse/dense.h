/* Small dense matrices and a simple elimination on them, as a reference for sparse algorithms. */
#ifndef TEST_DENSE_H
#define TEST_DENSE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/support/sparse.h"

enum { DENSE_MOST = 130 };

struct dense {
	int rows, columns;
	bool at[DENSE_MOST][DENSE_MOST];
};

static inline struct dense dense_of(const struct tw_pattern *p)
{
	struct dense d = {.rows = p->n_rows, .columns = p->n_columns};
	ck_assert(p->n_rows <= DENSE_MOST && p->n_columns <= DENSE_MOST);
	for (int c = 0; c < p->n_columns; c++)
		for (int64_t e = p->start[c]; e < p->start[c + 1]; e++) {
			ck_assert(p->row[e] >= 0 && p->row[e] < p->n_rows);
			ck_assert(e == p->start[c] || p->row[e - 1] < p->row[e]); /* ascending, without duplicates */
			d.at[p->row[e]][c] = true;
		}
	return d;
}

static inline struct tw_pattern dense_pattern(const struct dense *d)
{
	struct tw_pattern p = {.n_rows = d->rows, .n_columns = d->columns};
	p.start = calloc((size_t)d->columns + 1, sizeof *p.start);
	p.row = malloc((size_t)(d->rows * d->columns + 1) * sizeof *p.row);
	for (int c = 0; c < d->columns; c++) {
		p.start[c + 1] = p.start[c];
		for (int r = 0; r < d->rows; r++)
			if (d->at[r][c])
				p.row[p.start[c + 1]++] = r;
	}
	return p;
}

/* A pattern with `entries` entries at random places. */
static inline struct tw_pattern random_pattern(int rows, int columns, int entries, uint32_t seed)
{
	struct dense d = {.rows = rows, .columns = columns};
	for (int e = 0; e < entries; e++) {
		seed = seed * 1664525 + 1013904223;
		int r = (int)((seed >> 8) % (uint32_t)rows);
		seed = seed * 1664525 + 1013904223;
		d.at[r][(seed >> 8) % (uint32_t)columns] = true;
	}
	return dense_pattern(&d);
}

/* The lower triangle, with the diagonal, of the factor of the graph's matrix in that order. */
static inline struct dense dense_factor(const struct tw_pattern *graph, const int32_t *order)
{
	struct dense a = dense_of(graph), l = {.rows = a.rows, .columns = a.columns};
	for (int i = 0; i < a.rows; i++)
		for (int j = 0; j <= i; j++)
			l.at[i][j] = i == j || a.at[order[i]][order[j]];
	for (int k = 0; k < a.rows; k++)
		for (int j = k + 1; j < a.rows; j++)
			for (int i = j; i < a.rows && l.at[j][k]; i++)
				l.at[i][j] |= l.at[i][k];
	return l;
}

#endif
