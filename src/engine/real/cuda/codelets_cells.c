/* Kernels for GPUs of the workloads stencil and life: the project's own CUDA kernels, as listed in
 * kernels/cells_cuda.h. */
#include "engine/real/cuda/codelets.h"
#include "stencil.h"

enum { MOST_THREADS = 256, MOST_ROWS = 65535 }; /* limits: threads of a block; rows of a grid */

/* Launches a CUDA kernel with one thread per x. Each thread computes one row, or several if there are more rows than a
 * grid can have. */
static bool launch(struct tw__device *d, enum tw__image_kernel kernel, int64_t nx, int64_t rows, void *argument)
{
	unsigned threads = 32;
	while (threads < MOST_THREADS && threads < nx)
		threads *= 2;
	if (nx == 0 || rows == 0)
		return true;
	return TW__CUDA_DRIVER(d, cuLaunchKernel, d->image_kernels[kernel], (unsigned)((nx + threads - 1) / threads),
	                       (unsigned)(rows < MOST_ROWS ? rows : MOST_ROWS), 1, threads, 1, 1, 0,
	                       d->streams[TW__LANE_KERNELS].cuda, &argument, NULL);
}

/* --- stencil ------------------------------------------------------------------------------------------------------ */

/* Copies `halo` planes of a block's interior, from plane `z` on, to the border of the next block, for both layers. */
static bool save(const struct tw__cuda_call *call, int64_t z)
{
	const struct tw__stencil *s = call->shape;
	const struct tw_operand *o = call->operands;
	int64_t plane = s->plane * s->cells->bytes, from = (s->halo + z) * plane;
	uint64_t bytes = (uint64_t)(s->halo * plane);
	return tw__cuda_copy_inside(call->device, o[2].at, (const char *)o[0].at + from, bytes) &&
	       tw__cuda_copy_inside(call->device, o[3].at, (const char *)o[1].at + from, bytes);
}

static bool save_top(const struct tw__cuda_call *call)
{
	const struct tw__stencil *s = call->shape;
	return save(call, s->depth - s->halo);
}

static bool save_bottom(const struct tw__cuda_call *call) { return save(call, 0); }

/* Launches one CUDA kernel for each time step. The stream runs them in order. */
static bool update(const struct tw__cuda_call *call)
{
	const struct tw__stencil *s = call->shape;
	enum tw__image_kernel kernel = s->cells->bytes == sizeof(float)    ? TW__IMAGE_tw__stencil_single
	                               : s->cells->bytes == sizeof(double) ? TW__IMAGE_tw__stencil_double
	                                                                   : TW__IMAGE_tw__stencil_bytes;
	char *at[6];
	bool good = true;
	for (int i = 0; i < 6; i++)
		at[i] = call->operands[i].at;
	for (int64_t i = 1; i <= s->halo && good; i++) {
		struct tw__stencil_step step = tw__stencil_step(s, i, at);
		good = launch(call->device, kernel, step.nx, step.rows, &step);
	}
	return good;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

static bool life_update(const struct tw__cuda_call *call)
{
	struct tw__stencil_step step = tw__life_step(call->shape, call->operands);
	return launch(call->device, TW__IMAGE_tw__stencil_bytes, step.nx, step.rows, &step);
}

const struct tw__cuda_codelet tw__cuda_cells[] = {
	{"stencil", "save_cl_top", save_top},
	{"stencil", "save_cl_bottom", save_bottom},
	{"stencil", "cl_update", update, .needs_image = true},
	{"life", "life_update", life_update, .needs_image = true},
	{0},
};
