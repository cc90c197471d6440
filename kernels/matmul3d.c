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

static int check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	return tw__product_check("matmul3d", shape, seed, at, residual, err);
}

const struct tw_kernels tw_kernels_matmul3d = {
	.abi = TW_KERNELS_ABI,
	.workload = "matmul3d",
	.codelets = tw__product_codelets,
	.shape_bytes = sizeof(struct tw__multiply),
	.open = open_shape,
	.fill = tw__product_fill,
	.check = check,
};
