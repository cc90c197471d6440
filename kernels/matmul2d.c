/* Kernels of workload matmul2d: C = A B, with block rows of A and block columns of B. Handles, in order: the block rows
 * of A, the block columns of B, the blocks of C by columns. */

#include <tilewright/kernels.h>

#include "product.h"

static int open_shape(void *shape, const struct tw_args *args, struct tw_error *err)
{
	struct tw__multiply *s = shape;
	int status = tw__product_open(s, "matmul2d", tw_args_flag(args, "output") ? "yes" : "no", args, err),
	    k = (int)tw_args_int(args, "k");
	s->kt = 1;
	s->k = k ? k : 4 * s->nb;
	return status;
}

const struct tw_kernels tw_kernels_matmul2d = {
	.abi = TW_KERNELS_ABI,
	.workload = "matmul2d",
	.codelets = tw__product_codelets,
	.shape_bytes = sizeof(struct tw__multiply),
	.open = open_shape,
	.fill = tw__product_fill,
	.check = tw__product_check,
};
