/* Kernels of workload matmul3d: C = A B by tiles. Handles, in order: the tiles of A, of B and of C, each by columns. */

#include <tilewright/kernels.h>

#include "product.h"

static int open_shape(void *shape, const struct tw_args *args, struct tw_error *err)
{
	if (tw_args_flag(args, "independent"))
		return tw_fail(err, TW_INVALID,
		               "workload 'matmul3d': independent=yes: no real kernels: no task writes C: expected "
		               "independent=no");
	struct tw__multiply *s = shape;
	int status = tw__product_open(s, "matmul3d", tw_args_text(args, "output"), args, err),
	    kt = (int)tw_args_int(args, "kt");
	s->kt = kt ? kt : s->nt;
	s->k = s->nb;
	return status;
}

const struct tw_kernels tw_kernels_matmul3d = {
	.abi = TW_KERNELS_ABI,
	.workload = "matmul3d",
	.codelets = tw__product_codelets,
	.shape_bytes = sizeof(struct tw__multiply),
	.open = open_shape,
	.fill = tw__product_fill,
	.check = tw__product_check,
};
