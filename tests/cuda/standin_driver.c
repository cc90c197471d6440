/* The driver: names of GPUs, modules, launches. A module's image has no contents but its mark. All modules have the
 * functions of kernels/cells_cuda.h, compiled for cores. */
#include "standin.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kernels/cells_cuda.h"

#ifdef STANDIN_TEST_KERNELS
#include "test_kernels.h"
#define KERNELS(X) TW__CUDA_KERNELS(X) TEST_KERNELS(X)
#else
#define KERNELS(X) TW__CUDA_KERNELS(X)
#endif

static const char image_text[] = "stand-in\n";

/* --- kernels ------------------------------------------------------------------------------------------------------ */

struct kernel {
	const char *name;
	size_t argument_bytes;
	/* One GPU thread: its x, and every `every`-th row from the first. */
	void (*thread)(const void *argument, int64_t x, int64_t first, int64_t every);
};

#define THREAD(name, argument, body)                                                       \
	static void name##_thread(const void *at, int64_t x, int64_t first, int64_t every) \
	{                                                                                  \
		const argument *step = at;                                                 \
		for (int64_t row = first; x < step->nx && row < step->rows; row += every)  \
			body(step, row, x);                                                \
	}
KERNELS(THREAD)

#define ENTRY(name, argument, body) {#name, sizeof(argument), name##_thread},
static const struct kernel kernels[] = {KERNELS(ENTRY)};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };

struct CUfunc_st {
	const struct kernel *kernel;
};

struct CUmod_st {
	struct standin_thing thing;
	int device;
	struct CUfunc_st functions[N_KERNELS];
};

/* The kernel of a function, if it belongs to a living module of the device. The function is not dereferenced before. */
static const struct kernel *kernel_of(tw__cuda_function function, int device)
{
	const struct kernel *kernel = NULL;
	standin_lock();
	for (const struct CUmod_st *m = (void *)standin_first(STANDIN_MODULES); m; m = (void *)m->thing.next)
		for (int i = 0; i < N_KERNELS; i++)
			if (m->device == device && &m->functions[i] == function)
				kernel = function->kernel;
	standin_unlock();
	return kernel;
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

struct launch {
	struct standin_op op;
	const struct kernel *kernel;
	unsigned grid_x, grid_y, block_x;
	uint64_t times; /* the product of the grid's and block's other sizes, which kernels ignore */
	_Alignas(max_align_t) char argument[];
};

static void run_launch(struct standin_op *op)
{
	const struct launch *l = (const struct launch *)op;
	int64_t threads = (int64_t)l->grid_x * l->block_x;
	for (uint64_t time = 0; time < l->times; time++)
		for (unsigned y = 0; y < l->grid_y; y++)
			for (int64_t x = 0; x < threads; x++)
				l->kernel->thread(l->argument, x, y, l->grid_y);
}

/* The limits of all NVIDIA GPUs. */
static bool is_grid(unsigned x, unsigned y, unsigned z)
{
	enum { MOST = 65535 };
	return x && x <= INT_MAX && y && y <= MOST && z && z <= MOST;
}

static bool is_block(unsigned x, unsigned y, unsigned z)
{
	enum { MOST = 1024, MOST_Z = 64 };
	return x && x <= MOST && y && y <= MOST && z && z <= MOST_Z && x * y * z <= MOST;
}

int cuLaunchKernel(tw__cuda_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, tw__cuda_stream stream, void **arguments,
                   void **extra)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (!standin_has_context())
		return standin_refuse(STANDIN_NO_CONTEXT, __func__, "the thread has not called cudaSetDevice");
	int device = standin_device_of(__func__, stream);
	if (device < 0)
		return STANDIN_INVALID_HANDLE;
	if (device != standin_current_device())
		return standin_refuse(STANDIN_INVALID_HANDLE, __func__,
		                      "the stream is of GPU %d, the current one is GPU %d", device,
		                      standin_current_device());
	const struct kernel *kernel = kernel_of(function, device);
	if (!kernel)
		return standin_refuse(STANDIN_INVALID_HANDLE, __func__, "GPU %d has no function %p", device,
		                      (void *)function);
	if (!is_grid(grid_x, grid_y, grid_z) || !is_block(block_x, block_y, block_z))
		return standin_refuse(STANDIN_INVALID_VALUE, __func__, "%s: a grid of %u, %u, %u, blocks of %u, %u, %u",
		                      kernel->name, grid_x, grid_y, grid_z, block_x, block_y, block_z);
	if (shared_bytes || extra || !arguments || !arguments[0])
		return standin_refuse(STANDIN_INVALID_VALUE, __func__,
		                      "%s: %u bytes of shared memory, arguments at %p, extra at %p", kernel->name,
		                      shared_bytes, (void *)arguments, (void *)extra);
	struct launch *launch = malloc(sizeof *launch + kernel->argument_bytes);
	if (!launch)
		return STANDIN_NO_MEMORY;
	*launch = (struct launch){
		.op = {.run = run_launch, .least_s = standin_kernel_s(__func__), .kind = STANDIN_KERNEL},
		.kernel = kernel,
		.grid_x = grid_x,
		.grid_y = grid_y,
		.block_x = block_x,
		.times = (uint64_t)grid_z * block_y * block_z};
	memcpy(launch->argument, arguments[0], kernel->argument_bytes);
	standin_launch();
	if (!standin_enqueue(__func__, stream, &launch->op))
		return STANDIN_INVALID_HANDLE;
	standin_block(__func__);
	return 0;
}

/* --- modules ------------------------------------------------------------------------------------------------------ */

int cuModuleLoadData(tw__cuda_module *out, const void *image)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (!standin_has_context())
		return standin_refuse(STANDIN_NO_CONTEXT, __func__, "the thread has not called cudaSetDevice");
	if (!image)
		return standin_refuse(STANDIN_INVALID_VALUE, __func__, "there is no image");
	if (standin_settings()->image_error)
		return standin_settings()->image_error;
	if (strncmp(image, image_text, sizeof image_text - 1) != 0)
		return standin_refuse(STANDIN_INVALID_IMAGE, __func__, "the image does not begin with \"stand-in\"");
	struct CUmod_st *module = calloc(1, sizeof *module);
	if (!module)
		return STANDIN_NO_MEMORY;
	module->device = standin_current_device();
	for (int i = 0; i < N_KERNELS; i++)
		module->functions[i].kernel = &kernels[i];
	standin_lock();
	standin_add(STANDIN_MODULES, module);
	standin_unlock();
	*out = module;
	return 0;
}

/* Whether the module is alive and belongs to the current device; otherwise returns an error and prints a line on
 * stderr. */
static int check(const char *function, const struct CUmod_st *module)
{
	if (!standin_has_context())
		return standin_refuse(STANDIN_NO_CONTEXT, function, "the thread has not called cudaSetDevice");
	standin_lock();
	bool is_good = standin_is_alive(STANDIN_MODULES, module) && module->device == standin_current_device();
	standin_unlock();
	return is_good ? 0
	               : standin_refuse(STANDIN_INVALID_HANDLE, function, "GPU %d has no module %p",
	                                standin_current_device(), (const void *)module);
}

/* Launched kernels continue. */
int cuModuleUnload(tw__cuda_module module)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	int error = check(__func__, module);
	if (error)
		return error;
	standin_lock();
	bool was_alive = standin_remove(STANDIN_MODULES, module);
	standin_unlock();
	if (was_alive)
		free(module);
	return was_alive ? 0 : STANDIN_INVALID_HANDLE;
}

int cuModuleGetFunction(tw__cuda_function *function, tw__cuda_module module, const char *name)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	int error = check(__func__, module);
	if (error)
		return error;
	for (int i = 0; i < N_KERNELS; i++)
		if (name && strcmp(kernels[i].name, name) == 0) {
			*function = &module->functions[i];
			return 0;
		}
	return standin_refuse(STANDIN_NOT_FOUND, __func__, "there is no function '%s'", name ? name : "");
}

/* --- names -------------------------------------------------------------------------------------------------------- */

int cuDeviceGetName(char *name, int length, int device)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (device < 0 || device >= standin_settings()->n_gpus)
		return standin_refuse(STANDIN_INVALID_DEVICE, __func__, "there is no GPU %d", device);
	if (length < 1)
		return standin_refuse(STANDIN_INVALID_VALUE, __func__, "%d characters are too few", length);
	snprintf(name, (size_t)length, "%s", standin_settings()->gpus[device].name);
	return 0;
}
