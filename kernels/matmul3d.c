/* Kernels of workload matmul3d: C = A B by tiles. Handles, in order: the tiles of A, of B and of C, each by columns. */

#include <tilewright/kernels.h>

#include "product.h"

static int open_shape(void *shape, const struct tw_args *args, struct tw_error *err)
{
	if (tw_args_flag(args, "independent"))
		return tw_fail(err, TW_INVALID,
		               "workload 'matmul3d': independent=yes: no real kernels: no task writes C: expected "
		               "independent=no");
	if (!tw_args_flag(args, "output"))
		return tw_fail(
			err, TW_INVALID,
			"workload 'matmul3d': output=no: no real kernels: C is not a data handle: expected output=yes");
	struct tw__multiply *s = shape;
	*s = (struct tw__multiply){
		.nt = (int)tw_args_int(args, "nt"),
		.kt = (int)tw_args_int(args, "kt"),
		.nb = (int)tw_args_int(args, "nb"),
	};
	s->kt = s->kt ? s->kt : s->nt;
	s->k = s->nb;
	return tw__precision_open(&s->precision, args, err);
}

static const struct tw_codelet codelets[] = {
	{"gemm", tw__multiply, NULL, true},
	{0},
};

static struct tw__product product(const struct tw__multiply *s, uint64_t seed)
{
	int64_t n = (int64_t)s->nt * s->nb, k = (int64_t)s->kt * s->nb;
	return (struct tw__product){
		.workload = "matmul3d",
		.precision = s->precision,
		.a = tw__factor(seed, n, k, false),
		.b = tw__factor(seed, k, n, true),
		.rows_of_tile = s->nb,
		.tiles_in_column = s->nt,
	};
}

static void fill(const void *shape, uint64_t seed, tw_data d, void *at, uint64_t bytes)
{
	(void)bytes;
	const struct tw__multiply *s = shape;
	struct tw__product p = product(s, seed);
	int64_t tiles = (int64_t)s->nt * s->kt;
	if (d < tiles)
		s->precision->fill(&p.a, (int64_t)(d % s->nt) * s->nb, (int64_t)(d / s->nt) * s->nb, s->nb, s->nb, at);
	else if (d < 2 * tiles)
		s->precision->fill(&p.b, (d - tiles) % s->kt * s->nb, (d - tiles) / s->kt * s->nb, s->nb, s->nb, at);
}

static int check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	const struct tw__multiply *s = shape;
	struct tw__product p = product(s, seed);
	p.c = at + (int64_t)2 * s->nt * s->kt;
	return tw__product_check(&p, seed, residual, err);
}

const struct tw_kernels tw_kernels_matmul3d = {
	.abi = TW_KERNELS_ABI,
	.workload = "matmul3d",
	.codelets = codelets,
	.shape_bytes = sizeof(struct tw__multiply),
	.open = open_shape,
	.fill = fill,
	.check = check,
};
