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

static int check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	return tw__product_check("matmul2d", shape, seed, at, residual, err);
}

const struct tw_kernels tw_kernels_matmul2d = {
	.abi = TW_KERNELS_ABI,
	.workload = "matmul2d",
	.codelets = tw__product_codelets,
	.shape_bytes = sizeof(struct tw__multiply),
	.open = open_shape,
	.fill = tw__product_fill,
	.check = check,
};
