#include "qr.h"

#include <stdlib.h>

struct tw__matrix tw__qr_original(const struct tw__qr *s, uint64_t seed)
{
	return tw__matrix_shifted(seed, (int64_t)s->mt * s->nb, (int64_t)s->nt * s->nb, false);
}

/* The state of applying Q^T to a vector, in the order in which the tasks made Q. */
struct replay {
	const struct tw__qr *qr;
	void *const *at;
	tw_data next;     /* the next handle to read: factors T and copies, which come after the tiles */
	bool from_copies; /* whether to take reflectors from the copies of tiles */
	double *y;        /* [rows of A] the vector that Q^T is applied to */
	double *inner[2]; /* [ib] for each block of columns: V^T y, and T^T V^T y */
	double *opposite; /* [ib] minus inner[1]: -T^T V^T y */
};

/* Computes inner[1] = T^T inner[0], and `opposite`, for the block of T that starts at `column`. */
static void times_factor(const struct replay *r, const void *t, int column, int width)
{
	const struct tw__precision *p = r->qr->precision;
	for (int i = 0; i < width; i++)
		r->inner[1][i] = 0;
	p->transposed_times(r->inner[1], TW__UPPER, width, width, tw__element(p, t, (int64_t)column * r->qr->ib),
	                    r->qr->ib, r->inner[0]);
	for (int i = 0; i < width; i++)
		r->opposite[i] = -r->inner[1][i];
}

static int width_at(const struct tw__qr *qr, int column) { return qr->nb - column < qr->ib ? qr->nb - column : qr->ib; }

/* Applies the reflectors of geqrt, below the diagonal of tile `v`, to the rows of y from `top` on. */
static void triangularised(const struct replay *r, const void *v, const void *t, double *top)
{
	const struct tw__precision *p = r->qr->precision;
	int nb = r->qr->nb, width;
	for (int j = 0; j < nb; j += width) {
		const void *block = tw__element(p, v, (int64_t)j * nb + j);
		width = width_at(r->qr, j);
		for (int i = 0; i < width; i++)
			r->inner[0][i] = 0;
		p->transposed_times(r->inner[0], TW__UNIT_LOWER, nb - j, width, block, nb, top + j);
		times_factor(r, t, j, width);
		p->times(top + j, TW__UNIT_LOWER, nb - j, width, block, nb, r->opposite);
	}
}

/* Applies the reflectors of tsqrt or ttqrt to y: ones for the rows from `top` on, tile `v` for those from `low` on. For
 * ttqrt (`triangle`), only the entries on and above the diagonal of `v` count. */
static void eliminated(const struct replay *r, const void *v, const void *t, bool triangle, double *top, double *low)
{
	const struct tw__precision *p = r->qr->precision;
	int nb = r->qr->nb, width;
	for (int j = 0; j < nb; j += width) {
		const void *block = tw__element(p, v, (int64_t)j * nb), *corner = tw__element(p, block, j);
		int full = triangle ? j : nb; /* number of rows of the block that count as a whole */
		width = width_at(r->qr, j);
		for (int i = 0; i < width; i++)
			r->inner[0][i] = top[j + i];
		p->transposed_times(r->inner[0], TW__FULL, full, width, block, nb, low);
		if (triangle)
			p->transposed_times(r->inner[0], TW__UPPER, width, width, corner, nb, low + j);
		times_factor(r, t, j, width);
		for (int i = 0; i < width; i++)
			top[j + i] -= r->inner[1][i];
		p->times(low, TW__FULL, full, width, block, nb, r->opposite);
		if (triangle)
			p->times(low + j, TW__UPPER, width, width, corner, nb, r->opposite);
	}
}

static void replay_panel(struct replay *r, int k)
{
	const struct tw__qr *qr = r->qr;
	int64_t nb = qr->nb;
	for (int p = k; p < qr->mt; p += qr->height) {
		const void *t = r->at[r->next++], *v = r->at[p * qr->nt + k];
		if (qr->copies) {
			v = r->from_copies ? r->at[r->next] : v;
			r->next++;
		}
		triangularised(r, v, t, r->y + p * nb);
		for (int m = p + 1; m < p + qr->height && m < qr->mt; m++)
			eliminated(r, r->at[m * qr->nt + k], r->at[r->next++], false, r->y + p * nb, r->y + m * nb);
	}
	for (int apart = qr->height; apart < qr->mt - k; apart *= 2)
		for (int p = k; p + apart < qr->mt; p += 2 * apart)
			eliminated(r, r->at[(p + apart) * qr->nt + k], r->at[r->next++], true, r->y + p * nb,
			           r->y + (p + apart) * nb);
}

/* Computes y += R x, or y += R^T x if `transposed`. */
static void times_r(const struct tw__qr *s, void *const *at, bool transposed, const double *x, double *y)
{
	int64_t nb = s->nb;
	for (int i = 0; i < s->nt; i++)
		for (int j = i; j < s->nt; j++) {
			enum tw__region region = i == j ? TW__UPPER : TW__FULL;
			if (transposed)
				s->precision->transposed_times(y + j * nb, region, s->nb, s->nb, at[i * s->nt + j],
				                               s->nb, x + i * nb);
			else
				s->precision->times(y + i * nb, region, s->nb, s->nb, at[i * s->nt + j], s->nb,
				                    x + j * nb);
		}
}

enum { X, AX, GRAM, RX, RTRX, INNER, SECOND_INNER, OPPOSITE, N_VECTORS };

/* Returns the greater of the two residuals of qr.h for one vector x. */
static double residual_of(const struct tw__qr *s, const struct tw__matrix *a, double **v, void *const *at,
                          bool from_copies)
{
	double norm = tw__matrix_times(a, false, v[X], v[AX]), length = tw__norm(v[X], a->columns);
	tw__matrix_times(a, true, v[AX], v[GRAM]);
	times_r(s, at, false, v[X], v[RX]);
	times_r(s, at, true, v[RX], v[RTRX]);
	tw__subtract(v[GRAM], v[RTRX], a->columns);

	struct replay r = {
		.qr = s,
		.at = at,
		.next = s->mt * s->nt,
		.from_copies = from_copies,
		.y = v[AX],
		.inner = {v[INNER], v[SECOND_INNER]},
		.opposite = v[OPPOSITE],
	};
	for (int k = 0; k < s->nt; k++)
		replay_panel(&r, k);
	tw__subtract(v[AX], v[RX], a->rows);
	return tw__worse(tw__norm(v[AX], a->rows) / (norm * length),
	                 tw__norm(v[GRAM], a->columns) / (norm * norm * length));
}

/* Returns the greatest residual that rounding explains. Errors accumulate along the rows that a column of R sums
 * over. */
static double rounding(const struct tw__qr *s) { return 3 * s->precision->epsilon * (1 + sqrt((double)s->mt / s->nt)); }

int tw__qr_check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	const struct tw__qr *s = shape;
	const struct tw__matrix a = tw__qr_original(s, seed);
	*residual = 0;
	for (int i = 0; i < TW__VECTORS; i++) {
		double **v = tw__vectors(N_VECTORS, a.rows);
		tw__random_vector(v[X], a.columns, seed, i);
		*residual = tw__worse(*residual, residual_of(s, &a, v, at, i > 0));
		free(v);
	}
	return tw__verdict("qr", "||A - Q R|| / ||A||", *residual, rounding(s), err);
}
