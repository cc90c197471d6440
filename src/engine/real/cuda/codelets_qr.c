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
	const void *t;        /* the block's part of the factor T */
	int t_rows;
	char *work, *other;
};

static const struct tw__blas_options unit_lower = {TW__CUBLAS_LEFT, TW__CUBLAS_LOWER, TW__CUBLAS_N, TW__CUBLAS_UNIT};
static const struct tw__blas_options upper = {TW__CUBLAS_LEFT, TW__CUBLAS_UPPER, TW__CUBLAS_N, TW__CUBLAS_NON_UNIT};

static struct tw__blas_options transposed(struct tw__blas_options t)
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
static bool times_factor(const struct inner *b)
{
	return tw__gpu_trmm(&b->blas, transposed(upper), b->ib, b->n, b->t, b->t_rows, b->work, b->ib, b->work, b->ib);
}

/* Computes C = C - V W, for the rows where V is a triangle. */
static bool subtract_triangle(const struct inner *b, struct tw__blas_options how, const void *v, void *c)
{
	return tw__gpu_trmm(&b->blas, how, b->ib, b->n, v, b->nb, b->work, b->ib, b->other, b->ib) &&
	       tw__gpu_add(&b->blas, b->ib, b->n, 1, c, b->nb, -1, b->other, b->ib, c, b->nb);
}

/* add_full computes W = W + V^T C, and subtract_full C = C - V W, for the rows where V is full. */
static bool add_full(const struct inner *b, int rows, const void *v, const void *c)
{
	return rows == 0 || tw__gpu_gemm(&b->blas, TW__CUBLAS_T, TW__CUBLAS_N, b->ib, b->n, rows, 1, v, b->nb, c, b->nb,
	                                 1, b->work, b->ib);
}

static bool subtract_full(const struct inner *b, int rows, const void *v, void *c)
{
	return rows == 0 || tw__gpu_gemm(&b->blas, TW__CUBLAS_N, TW__CUBLAS_N, rows, b->n, b->ib, -1, v, b->nb, b->work,
	                                 b->ib, 1, c, b->nb);
}

/* Updates tiles block by block. The last operand is the factor T. */
static bool each_block(const struct tw__cuda_call *call,
                       bool (*update)(const struct inner *, const struct tw_operand *operands))
{
	const struct tw__qr *s = call->shape;
	const void *t = call->operands[call->n_operands - 1].at;
	const uint64_t half = (uint64_t)s->ib * (uint64_t)s->nb * (uint64_t)s->precision->bytes;
	bool good = true;
	for (int first = 0; good && first < s->nb; first += s->ib) {
		const struct inner block = {
			.blas = {call->device, s->precision},
			.n = s->nb,
			.nb = s->nb,
			.ib = s->nb - first < s->ib ? s->nb - first : s->ib,
			.first = first,
			.t = tw__element(s->precision, t, (int64_t)first * s->ib),
			.t_rows = s->ib,
			.work = call->work,
			.other = (char *)call->work + half,
		};
		good = update(&block, call->operands);
	}
	return good;
}

/* Operands: the reflectors V, below the diagonal of a tile; the tile to update. */
static bool ormqr_block(const struct inner *b, const struct tw_operand *operands)
{
	const void *v = operands[0].at, *triangle = at(b, v, b->first, b->first);
	void *c = operands[1].at;
	const int below = b->first + b->ib, rows = b->nb - below;
	return tw__gpu_trmm(&b->blas, transposed(unit_lower), b->ib, b->n, triangle, b->nb, at(b, c, b->first, 0),
	                    b->nb, b->work, b->ib) &&
	       add_full(b, rows, at(b, v, below, b->first), at(b, c, below, 0)) && times_factor(b) &&
	       subtract_full(b, rows, at(b, v, below, b->first), at(b, c, below, 0)) &&
	       subtract_triangle(b, unit_lower, triangle, at(b, c, b->first, 0));
}

/* Operands: the reflectors V, a full tile; the upper tile, whose rows meet the ones of V; the lower tile. */
static bool tsmqr_block(const struct inner *b, const struct tw_operand *operands)
{
	const void *full = at(b, operands[0].at, 0, b->first);
	void *ones = at(b, operands[1].at, b->first, 0), *lower_tile = operands[2].at;
	return tw__gpu_add(&b->blas, b->ib, b->n, 1, ones, b->nb, 0, ones, b->nb, b->work, b->ib) &&
	       add_full(b, b->nb, full, lower_tile) && times_factor(b) &&
	       tw__gpu_add(&b->blas, b->ib, b->n, 1, ones, b->nb, -1, b->work, b->ib, ones, b->nb) &&
	       subtract_full(b, b->nb, full, lower_tile);
}

/* Operands as for tsmqr, but the reflectors V are on and above the diagonal. Above a block's triangle they are full. */
static bool ttmqr_block(const struct inner *b, const struct tw_operand *operands)
{
	const void *v = operands[0].at, *triangle = at(b, v, b->first, b->first), *full = at(b, v, 0, b->first);
	void *ones = at(b, operands[1].at, b->first, 0), *lower_tile = operands[2].at;
	void *rows = at(b, lower_tile, b->first, 0);
	return tw__gpu_trmm(&b->blas, transposed(upper), b->ib, b->n, triangle, b->nb, rows, b->nb, b->work, b->ib) &&
	       tw__gpu_add(&b->blas, b->ib, b->n, 1, ones, b->nb, 1, b->work, b->ib, b->work, b->ib) &&
	       add_full(b, b->first, full, lower_tile) && times_factor(b) &&
	       tw__gpu_add(&b->blas, b->ib, b->n, 1, ones, b->nb, -1, b->work, b->ib, ones, b->nb) &&
	       subtract_full(b, b->first, full, lower_tile) && subtract_triangle(b, upper, triangle, rows);
}

static bool ormqr(const struct tw__cuda_call *call) { return each_block(call, ormqr_block); }
static bool tsmqr(const struct tw__cuda_call *call) { return each_block(call, tsmqr_block); }
static bool ttmqr(const struct tw__cuda_call *call) { return each_block(call, ttmqr_block); }

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
