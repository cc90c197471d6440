/* Kernels of workload matmul2d: C = A B, with block rows of A and block columns of B. Handles, in order: the block rows
 * of A, the block columns of B, the blocks of C by columns. */

#include <tilewright/kernels.h>

#include "product.h"

static int open_shape(void *shape, const struct tw_args *args, struct tw_error *err)
{
	if (!tw_args_flag(args, "output"))
		return tw_fail(
			err, TW_INVALID,
			"workload 'matmul2d': output=no: no real kernels: C is not a data handle: expected output=yes");
	struct tw__multiply *s = shape;
	*s = (struct tw__multiply){
		.nt = (int)tw_args_int(args, "nt"),
		.kt = 1,
		.nb = (int)tw_args_int(args, "nb"),
		.k = (int)tw_args_int(args, "k"),
	};
	s->k = s->k ? s->k : 4 * s->nb;
	return tw__precision_open(&s->precision, args, err);
}

static const struct tw_codelet codelets[] = {
	{"gemm", tw__multiply, NULL, true},
	{0},
};

static struct tw__product product(const struct tw__multiply *s, uint64_t seed)
{
	int64_t n = (int64_t)s->nt * s->nb;
	return (struct tw__product){
		.workload = "matmul2d",
		.precision = s->precision,
		.a = tw__factor(seed, n, s->k, false),
		.b = tw__factor(seed, s->k, n, true),
		.rows_of_tile = s->nb,
		.tiles_in_column = s->nt,
	};
}

static void fill(const void *shape, uint64_t seed, tw_data d, void *at, uint64_t bytes)
{
	(void)bytes;
	const struct tw__multiply *s = shape;
	struct tw__product p = product(s, seed);
	if (d < s->nt)
		s->precision->fill(&p.a, (int64_t)d * s->nb, 0, s->nb, s->k, at);
	else if (d < 2 * s->nt)
		s->precision->fill(&p.b, 0, (int64_t)(d - s->nt) * s->nb, s->k, s->nb, at);
}

static int check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	const struct tw__multiply *s = shape;
	struct tw__product p = product(s, seed);
	p.c = at + (int64_t)2 * s->nt;
	return tw__product_check(&p, seed, residual, err);
}

const struct tw_kernels tw_kernels_matmul2d = {
	.abi = TW_KERNELS_ABI,
	.workload = "matmul2d",
	.codelets = codelets,
	.shape_bytes = sizeof(struct tw__multiply),
	.open = open_shape,
	.fill = fill,
	.check = check,
};
