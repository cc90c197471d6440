/* Kernels of workload cholesky: A = L L^T on the lower triangle, by tiles. Handles: the tiles of the lower triangle, by
 * rows. Entries above the diagonal of the matrix are ignored. */
#include <math.h>

#include <tilewright/kernels.h>

#include "square.h"

/* --- codelets ----------------------------------------------------------------------------------------------------- */

static int potrf(const struct tw_call *call)
{
	const struct tw__square *s = call->shape;
	return s->precision->potrf(s->nb, call->operands[0].at, s->nb);
}

/* Computes A = A L^-T. */
static int trsm(const struct tw_call *call) { return tw__square_trsm(call, 'R', 'L', 'T', 'N'); }

/* Returns the column of an n x n lower triangle where the first `part` of `n_parts` equal areas end. */
static int triangle_columns(int n, int part, int n_parts)
{
	return n - (int)lround(n * sqrt(1 - (double)part / n_parts));
}

/* Computes C -= A A^T, only the lower triangle. A part of the task is a range of columns: a triangle, and the rectangle
 * below the triangle. */
static int syrk(const struct tw_call *call)
{
	const struct tw__square *s = call->shape;
	const struct tw__precision *p = s->precision;
	const void *a = call->operands[0].at;
	void *c = call->operands[1].at;
	int from = triangle_columns(s->nb, call->part, call->n_parts);
	int end = triangle_columns(s->nb, call->part + 1, call->n_parts), n = end - from, below = s->nb - end;
	int64_t corner = from + (int64_t)from * s->nb;
	if (n > 0)
		p->syrk(n, s->nb, -1, tw__element(p, a, from), s->nb, 1, tw__element(p, c, corner), s->nb);
	if (n > 0 && below > 0)
		p->gemm('N', 'T', below, n, s->nb, -1, tw__element(p, a, end), s->nb, tw__element(p, a, from), s->nb, 1,
		        tw__element(p, c, corner + n), s->nb);
	return 0;
}

/* Computes C -= A B^T. */
static int gemm(const struct tw_call *call) { return tw__square_gemm(call, 'T'); }

static const struct tw_codelet codelets[] = {
	{"potrf", potrf, NULL, false},
	{"trsm", trsm, NULL, true},
	{"syrk", syrk, NULL, true},
	{"gemm", gemm, NULL, true},
	{0},
};

/* --- content and check -------------------------------------------------------------------------------------------- */

static tw_data tile(int row, int column) { return row * (row + 1) / 2 + column; }

static void fill(const void *shape, uint64_t seed, tw_data d, void *at, uint64_t bytes)
{
	(void)bytes;
	const struct tw__square *s = shape;
	struct tw__matrix a = tw__square_original(s, seed, true);
	int row = (int)((sqrt(8.0 * d + 1) - 1) / 2);
	row += tile(row + 1, 0) <= d;
	row -= tile(row, 0) > d;
	s->precision->fill(&a, (int64_t)row * s->nb, (int64_t)(d - tile(row, 0)) * s->nb, s->nb, s->nb, at);
}

/* Computes y += L L^T x, for the factor L in the tiles `at`. */
static void add_product(const struct tw__square *s, void *const *at, const double *x, double *between, double *y)
{
	const struct tw__precision *p = s->precision;
	int64_t nb = s->nb;
	for (int j = 0; j < s->nt; j++)
		for (int i = j; i < s->nt; i++)
			p->transposed_times(between + j * nb, i == j ? TW__LOWER : TW__FULL, s->nb, s->nb,
			                    at[tile(i, j)], s->nb, x + i * nb);
	for (int i = 0; i < s->nt; i++)
		for (int j = 0; j <= i; j++)
			p->times(y + i * nb, i == j ? TW__LOWER : TW__FULL, s->nb, s->nb, at[tile(i, j)], s->nb,
			         between + j * nb);
}

static int check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	return tw__square_check("cholesky", "||A - L L^T|| / ||A||", shape, true, add_product, seed, at, residual, err);
}

const struct tw_kernels tw_kernels_cholesky = {
	.abi = TW_KERNELS_ABI,
	.workload = "cholesky",
	.codelets = codelets,
	.shape_bytes = sizeof(struct tw__square),
	.open = tw__square_open,
	.fill = fill,
	.check = check,
};
