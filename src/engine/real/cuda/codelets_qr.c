/* Kernels for GPUs of the workload qr: those that update tiles. The kernels of the panel (geqrt, tsqrt, ttqrt) run
 * on cores, because they are chains of small steps. In Augonnet 2011, table 7.3, a GPU speeds them up by 3, and the
 * updates by 28.
 *
 * The updates are LAPACK's gemqrt and tpmqrt, for Q^T from the left, in blocks of ib columns. For Q_j = I - V_j T_j
 * V_j^T:
 *     W = V_j^T C,  W = T_j^T W,  C = C - V_j W
 * where V_j has a triangle and, below or above the triangle, a full part. */
#include "engine/real/cuda/codelets.h"
#include "qr.h"

/* One block of ib columns of the reflectors V. `work` has W = V^T C before the multiplication by T. `other` is a buffer
 * of the same size. */
struct inner {
	struct tw__gpu_blas blas;
	int n, nb, ib, first; /* numbers of columns: of C, of a tile, of the block; index of the block's first column */
	const char *v, *t;
	char *work, *other;
};

static const struct tw__triangle unit_lower = {TW__CUBLAS_LEFT, TW__CUBLAS_LOWER, TW__CUBLAS_N, TW__CUBLAS_UNIT};
static const struct tw__triangle upper = {TW__CUBLAS_LEFT, TW__CUBLAS_UPPER, TW__CUBLAS_N, TW__CUBLAS_NON_UNIT};

static struct tw__triangle transposed(struct tw__triangle t)
{
	t.trans = TW__CUBLAS_T;
	return t;
}

/* Returns the address of element (row, column) of a tile. */
static void *at(const struct inner *b, const void *tile, int row, int column)
{
	return tw__element(b->blas.precision, tile, row + (int64_t)column * b->nb);
}

/* Computes W = T^T W. */
static bool times_factor(const struct inner *b, int ld)
{
	const void *t = tw__element(b->blas.precision, b->t, (int64_t)b->first * ld);
	return tw__gpu_trmm(&b->blas, transposed(upper), b->ib, b->n, t, ld, b->work, b->ib, b->work, b->ib);
}

/* Computes C = C - V W, for the rows where V is a triangle. */
static bool subtract_triangle(const struct inner *b, struct tw__triangle how, const void *v, void *c)
{
	return tw__gpu_trmm(&b->blas, how, b->ib, b->n, v, b->nb, b->work, b->ib, b->other, b->ib) &&
	       tw__gpu_add(&b->blas, b->ib, b->n, 1, c, b->nb, -1, b->other, b->ib, c, b->nb);
}

/* add_full computes W = kept W + V^T C, and subtract_full C = C - V W, for the rows where V is full. */
static bool add_full(const struct inner *b, int rows, const void *v, const void *c, double kept)
{
	return rows == 0 || tw__gpu_gemm(&b->blas, TW__CUBLAS_T, TW__CUBLAS_N, b->ib, b->n, rows, 1, v, b->nb, c, b->nb,
	                                 kept, b->work, b->ib);
}

static bool subtract_full(const struct inner *b, int rows, const void *v, void *c)
{
	return rows == 0 || tw__gpu_gemm(&b->blas, TW__CUBLAS_N, TW__CUBLAS_N, rows, b->n, b->ib, -1, v, b->nb, b->work,
	                                 b->ib, 1, c, b->nb);
}

/* Moves to the first block, or to the block after `b`. Returns false if there is none. */
static bool next_block(struct inner *b, const struct tw__cuda_call *call, const void *v, const void *t)
{
	const struct tw__qr *s = call->shape;
	int first = b->nb ? b->first + b->ib : 0, left = s->nb - first;
	uint64_t half = (uint64_t)s->ib * (uint64_t)s->nb * (uint64_t)s->precision->bytes;
	*b = (struct inner){
		{call->device, s->precision}, s->nb, s->nb, left < s->ib ? left : s->ib, first, v, t, call->work,
		(char *)call->work + half};
	return left > 0;
}

/* Operands: the reflectors V, below the diagonal of a tile; the tile to update; the factor T. */
static bool ormqr(const struct tw__cuda_call *call)
{
	const struct tw__qr *s = call->shape;
	const void *v = call->operands[0].at;
	void *c = call->operands[1].at;
	bool good = true;
	for (struct inner b = {.nb = 0}; good && next_block(&b, call, v, call->operands[2].at);) {
		const void *triangle = at(&b, v, b.first, b.first);
		int below = b.first + b.ib, rows = b.nb - below;
		good = tw__gpu_trmm(&b.blas, transposed(unit_lower), b.ib, b.n, triangle, b.nb, at(&b, c, b.first, 0),
		                    b.nb, b.work, b.ib) &&
		       add_full(&b, rows, at(&b, v, below, b.first), at(&b, c, below, 0), 1) &&
		       times_factor(&b, s->ib) &&
		       subtract_full(&b, rows, at(&b, v, below, b.first), at(&b, c, below, 0)) &&
		       subtract_triangle(&b, unit_lower, triangle, at(&b, c, b.first, 0));
	}
	return good;
}

/* Operands: the reflectors V, a full tile; the upper tile, whose rows meet the ones of V; the lower tile; factor T. */
static bool tsmqr(const struct tw__cuda_call *call)
{
	const struct tw__qr *s = call->shape;
	const void *v = call->operands[0].at;
	void *upper_tile = call->operands[1].at, *lower_tile = call->operands[2].at;
	bool good = true;
	for (struct inner b = {.nb = 0}; good && next_block(&b, call, v, call->operands[3].at);) {
		void *ones = at(&b, upper_tile, b.first, 0);
		const void *full = at(&b, v, 0, b.first);
		good = tw__gpu_add(&b.blas, b.ib, b.n, 1, ones, b.nb, 0, ones, b.nb, b.work, b.ib) &&
		       add_full(&b, b.nb, full, lower_tile, 1) && times_factor(&b, s->ib) &&
		       tw__gpu_add(&b.blas, b.ib, b.n, 1, ones, b.nb, -1, b.work, b.ib, ones, b.nb) &&
		       subtract_full(&b, b.nb, full, lower_tile);
	}
	return good;
}

/* Operands as for tsmqr, but the reflectors V are on and above the diagonal. Above a block's triangle they are full. */
static bool ttmqr(const struct tw__cuda_call *call)
{
	const struct tw__qr *s = call->shape;
	const void *v = call->operands[0].at;
	void *upper_tile = call->operands[1].at, *lower_tile = call->operands[2].at;
	bool good = true;
	for (struct inner b = {.nb = 0}; good && next_block(&b, call, v, call->operands[3].at);) {
		void *ones = at(&b, upper_tile, b.first, 0), *rows = at(&b, lower_tile, b.first, 0);
		const void *triangle = at(&b, v, b.first, b.first), *full = at(&b, v, 0, b.first);
		good = tw__gpu_trmm(&b.blas, transposed(upper), b.ib, b.n, triangle, b.nb, rows, b.nb, b.work, b.ib) &&
		       tw__gpu_add(&b.blas, b.ib, b.n, 1, ones, b.nb, 1, b.work, b.ib, b.work, b.ib) &&
		       add_full(&b, b.first, full, lower_tile, 1) && times_factor(&b, s->ib) &&
		       tw__gpu_add(&b.blas, b.ib, b.n, 1, ones, b.nb, -1, b.work, b.ib, ones, b.nb) &&
		       subtract_full(&b, b.first, full, lower_tile) && subtract_triangle(&b, upper, triangle, rows);
	}
	return good;
}

static bool lacpy(const struct tw__cuda_call *call)
{
	return tw__cuda_copy_inside(call->device, call->operands[1].at, call->operands[0].at, call->operands[1].bytes);
}

static bool work_bytes(struct tw__device *d, const void *shape, uint64_t *bytes)
{
	const struct tw__qr *s = shape;
	(void)d;
	*bytes = 2 * (uint64_t)s->ib * (uint64_t)s->nb * (uint64_t)s->precision->bytes;
	return true;
}

const struct tw__cuda_codelet tw__cuda_qr[] = {
	{"qr", "ormqr", ormqr, work_bytes},
	{"qr", "tsmqr", tsmqr, work_bytes},
	{"qr", "ttmqr", ttmqr, work_bytes},
	{"qr", "lacpy", lacpy},
	{0},
};
