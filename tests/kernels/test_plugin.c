/* A plug-in for test_family.c: kernels that use scratch, and that fail; and a family of another interface. */
#include <string.h>

#include <tilewright/kernels.h>

static int open_shape(void *shape, const struct tw_args *args, struct tw_error *err)
{
	(void)shape, (void)args, (void)err;
	return TW_OK;
}

static void fill(const void *shape, uint64_t seed, tw_data d, void *at, uint64_t bytes)
{
	(void)shape, (void)seed, (void)d;
	memset(at, 0, bytes);
}

static int check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	(void)shape, (void)seed, (void)at, (void)err;
	*residual = 0;
	return TW_OK;
}

static int use_scratch(const struct tw_call *call)
{
	if ((uintptr_t)call->operands[0].at % 64 || call->operands[0].mode != TW_SCRATCH)
		return 1;
	memset(call->operands[0].at, 1, call->operands[0].bytes);
	*(double *)call->operands[1].at = (double)(call->operands[0].bytes + call->seed);
	return 0;
}

static int fail(const struct tw_call *call)
{
	(void)call;
	return 7;
}

static uint64_t workspace_bytes(const void *shape)
{
	(void)shape;
	return 1000;
}

static const struct tw_codelet codelets[] = {
	{"use_scratch", use_scratch, workspace_bytes, false},
	{"fail", fail, workspace_bytes, false},
	{0},
};

static const struct tw_kernels own = {
	.abi = TW_KERNELS_ABI,
	.workload = "cholesky",
	.codelets = codelets,
	.open = open_shape,
	.fill = fill,
	.check = check,
};
static const struct tw_kernels other = {.abi = TW_ABI(99, struct tw_kernels), .workload = "lu"};

extern const struct tw_kernels *const tilewright_kernels[];
const struct tw_kernels *const tilewright_kernels[] = {&own, &other, NULL};
