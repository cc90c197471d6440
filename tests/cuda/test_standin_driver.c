/* The stand-in for CUDA: modules and launches. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "test_kernels.h"
#include "test_standin.h"

static const char image[] = "stand-in\n";

/* A module with its kernel, and a stream. */
struct site {
	tw__cuda_module module;
	tw__cuda_function visit;
	tw__cuda_stream stream;
};

struct shape {
	unsigned grid[3], block[3], shared_bytes;
};

static void open_site(struct site *site, int device)
{
	good(cudaSetDevice(device));
	good(cuModuleLoadData(&site->module, image));
	good(cuModuleGetFunction(&site->visit, site->module, "visit"));
	good(cudaStreamCreateWithFlags(&site->stream, 0));
}

static void close_site(struct site *site, int device)
{
	good(cudaSetDevice(device));
	good(cudaStreamDestroy(site->stream));
	good(cuModuleUnload(site->module));
}

static int launch(tw__cuda_function function, const struct shape *s, tw__cuda_stream stream, void *argument)
{
	void *arguments[] = {argument};
	return cuLaunchKernel(function, s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1], s->block[2],
	                      s->shared_bytes, stream, arguments, NULL);
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* A field of 7 rows of 10 cells; launches of several shapes visit all cells `times` times. */
enum { ROWS = 7, NX = 10, CELLS = ROWS * NX };

static const struct {
	struct shape shape;
	int times;
} launches[] = {
	{{{1, 1, 1}, {10, 1, 1}}, 1},      {{{10, 7, 1}, {1, 1, 1}}, 1},   {{{4, 3, 1}, {3, 1, 1}}, 1},
	{{{100, 65535, 1}, {1, 1, 1}}, 1}, {{{1, 2, 1}, {1024, 1, 1}}, 1}, {{{2, 2, 3}, {8, 4, 2}}, 24},
};
enum { N_LAUNCHES = sizeof launches / sizeof *launches };

START_TEST(launches_visit_every_cell)
{
	struct site site;
	int of[CELLS + 1];
	struct visits visits = {ROWS, NX, NULL};
	open_site(&site, 0);
	good(cudaMalloc((void **)&visits.of, sizeof of));
	good(cudaMemsetAsync(visits.of, 0, sizeof of, site.stream));
	good(launch(site.visit, &launches[_i].shape, site.stream, &visits));
	good(cudaMemcpyAsync(of, visits.of, sizeof of, TW__CUDA_TO_HOST, site.stream));
	good(cudaStreamSynchronize(site.stream));
	for (int i = 0; i < CELLS; i++)
		ck_assert_int_eq(of[i], launches[_i].times);
	ck_assert_int_eq(of[CELLS], 0);
	good(cudaFree(visits.of));
	close_site(&site, 0);
}
END_TEST

/* After the launch returns, possibly long before the kernel runs, its argument may change. The module need not
 * outlive the launch. */
START_TEST(the_argument_is_copied)
{
	struct site site;
	static const struct shape shape = {{1, 1, 1}, {NX, 1, 1}};
	char room[1000] = {0};
	int of[CELLS], *field;
	struct visits visits = {ROWS, NX, NULL};
	setenv("STANDIN_BANDWIDTH", "1e4", 1);
	setenv("STANDIN_KERNEL_US", "50000", 1);
	open_site(&site, 0);
	double before = standin_now();
	good(cudaMalloc((void **)&field, sizeof room));
	good(cudaMemcpyAsync(field, room, sizeof room, TW__CUDA_TO_DEVICE, site.stream));
	visits.of = field;
	good(launch(site.visit, &shape, site.stream, &visits));
	memset(&visits, 0xff, sizeof visits);
	good(cuModuleUnload(site.module));
	ck_assert_double_lt(standin_now() - before, 0.1);
	good(cudaMemcpyAsync(of, field, sizeof of, TW__CUDA_TO_HOST, site.stream));
	good(cudaStreamSynchronize(site.stream));
	ck_assert_double_ge(standin_now() - before, 0.15);
	for (int i = 0; i < CELLS; i++)
		ck_assert_int_eq(of[i], 1);
	good(cudaFree(field));
	good(cudaStreamDestroy(site.stream));
}
END_TEST

START_TEST(wrong_shapes_are_refused)
{
	struct site site;
	struct visits visits = {0, 0, NULL};
	void *arguments[] = {&visits}, *none[] = {NULL};
	static const struct shape wrong[] = {
		{{0, 1, 1}, {1, 1, 1}},
		{{1, 0, 1}, {1, 1, 1}},
		{{1, 1, 0}, {1, 1, 1}},
		{{1, 1, 1}, {0, 1, 1}},
		{{1, 1, 1}, {1, 0, 1}},
		{{1, 1, 1}, {1, 1, 0}},
		{{1, 65536, 1}, {1, 1, 1}},
		{{1, 1, 65536}, {1, 1, 1}},
		{{1, 1, 1}, {1025, 1, 1}},
		{{1, 1, 1}, {256, 5, 1}},
		{{1, 1, 1}, {1, 1, 65}},
		{{1, 1, 1}, {UINT_MAX, 3, 1}},
		{{1u + INT_MAX, 1, 1}, {1, 1, 1}},
		{{1, 1, 1}, {1, 1, 1}, 1},
	};
	static const struct shape greatest = {{1, 65535, 1}, {256, 4, 1}};
	open_site(&site, 0);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ck_assert_int_eq(launch(site.visit, &wrong[i], site.stream, &visits), 1);
	ck_assert_int_eq(cuLaunchKernel(site.visit, 1, 1, 1, 1, 1, 1, 0, site.stream, NULL, NULL), 1);
	ck_assert_int_eq(cuLaunchKernel(site.visit, 1, 1, 1, 1, 1, 1, 0, site.stream, none, NULL), 1);
	ck_assert_int_eq(cuLaunchKernel(site.visit, 1, 1, 1, 1, 1, 1, 0, site.stream, arguments, arguments), 1);
	good(launch(site.visit, &greatest, site.stream, &visits)); /* of no cells */
	good(cudaStreamSynchronize(site.stream));
	close_site(&site, 0);
}
END_TEST

START_TEST(functions_are_of_one_gpu)
{
	struct site sites[2];
	struct visits visits = {0, 0, NULL};
	static const struct shape shape = {{1, 1, 1}, {1, 1, 1}};
	setenv("STANDIN_GPUS", "2", 1);
	open_site(&sites[0], 0);
	open_site(&sites[1], 1);
	good(launch(sites[1].visit, &shape, sites[1].stream, &visits));
	ck_assert_int_eq(launch(sites[0].visit, &shape, sites[1].stream, &visits), 400);
	ck_assert_int_eq(launch(sites[1].visit, &shape, NULL, &visits), 400);
	ck_assert_int_eq(launch(NULL, &shape, sites[1].stream, &visits), 400);
	/* The stream belongs to another GPU than the current one. */
	ck_assert_int_eq(launch(sites[0].visit, &shape, sites[0].stream, &visits), 400);
	ck_assert_int_eq(cuModuleGetFunction(&sites[0].visit, sites[0].module, "visit"), 400);
	ck_assert_int_eq(cuModuleUnload(sites[0].module), 400);
	close_site(&sites[0], 0);
	ck_assert_int_eq(launch(sites[0].visit, &shape, sites[0].stream, &visits), 400);
	good(cudaSetDevice(1));
	good(cuModuleUnload(sites[1].module));
	ck_assert_int_eq(launch(sites[1].visit, &shape, sites[1].stream, &visits), 400);
	ck_assert_int_eq(cuModuleUnload(sites[1].module), 400);
	good(cudaStreamDestroy(sites[1].stream));
}
END_TEST

/* --- modules ------------------------------------------------------------------------------------------------------ */

START_TEST(modules_have_the_kernels)
{
	static const char *const names[] = {"tw__stencil_single", "tw__stencil_double", "tw__stencil_bytes"};
	tw__cuda_module module;
	tw__cuda_function functions[3], none = NULL;
	good(cudaSetDevice(0));
	good(cuModuleLoadData(&module, "stand-in\nand more"));
	for (int i = 0; i < 3; i++) {
		good(cuModuleGetFunction(&functions[i], module, names[i]));
		ck_assert(i == 0 || functions[i] != functions[i - 1]);
	}
	ck_assert_int_eq(cuModuleGetFunction(&none, module, "tw__stencil"), 500);
	ck_assert_int_eq(cuModuleGetFunction(&none, NULL, "tw__stencil_bytes"), 400);
	ck_assert_ptr_null(none);
	good(cuModuleUnload(module));
}
END_TEST

START_TEST(wrong_images_are_refused)
{
	tw__cuda_module module = NULL;
	if (_i)
		setenv("STANDIN_IMAGE_ERROR", "209", 1);
	good(cudaSetDevice(0));
	ck_assert_int_eq(cuModuleLoadData(&module, "stand-in"), _i ? 209 : 200);
	ck_assert_int_eq(cuModuleLoadData(&module, ""), _i ? 209 : 200);
	ck_assert_int_eq(cuModuleLoadData(&module, image), _i ? 209 : 0);
	ck_assert(!module == !!_i);
	if (module)
		good(cuModuleUnload(module));
}
END_TEST

/* Each thread must choose a GPU. */
static void *use_without_a_gpu(void *arg)
{
	struct site *site = arg, other;
	struct visits visits = {0, 0, NULL};
	static const struct shape shape = {{1, 1, 1}, {1, 1, 1}};
	ck_assert_int_eq(cuModuleLoadData(&other.module, image), 201);
	ck_assert_int_eq(cuModuleGetFunction(&other.visit, site->module, "visit"), 201);
	ck_assert_int_eq(launch(site->visit, &shape, site->stream, &visits), 201);
	ck_assert_int_eq(cuModuleUnload(site->module), 201);
	good(cudaSetDevice(0));
	good(launch(site->visit, &shape, site->stream, &visits));
	return NULL;
}

START_TEST(the_driver_wants_a_gpu_of_the_thread)
{
	struct site site;
	pthread_t thread;
	open_site(&site, 0);
	good(pthread_create(&thread, NULL, use_without_a_gpu, &site));
	good(pthread_join(thread, NULL));
	close_site(&site, 0);
}
END_TEST

START_TEST(calls_of_the_driver_fail_on_demand)
{
	tw__cuda_module module = NULL;
	tw__cuda_function function;
	const char *text;
	setenv("STANDIN_FAIL_AT", "2", 1);
	good(cudaSetDevice(0));
	good(cuGetErrorString(999, &text)); /* not counted */
	ck_assert_str_eq(text, "unknown error");
	ck_assert_int_eq(cuModuleLoadData(&module, image), 999);
	ck_assert_ptr_null(module);
	good(cuModuleLoadData(&module, image));
	good(cuModuleGetFunction(&function, module, "tw__stencil_bytes"));
	good(cuModuleUnload(module));
	good(cuGetErrorString(209, &text));
	ck_assert_str_eq(text, "no kernel image is available for execution on the device");
	ck_assert_int_eq(cuGetErrorString(12345, &text), 1);
	ck_assert_ptr_null(text);
}
END_TEST

void add_driver_tests(TCase *cases)
{
	tcase_add_loop_test(cases, launches_visit_every_cell, 0, N_LAUNCHES);
	tcase_add_test(cases, the_argument_is_copied);
	tcase_add_test(cases, wrong_shapes_are_refused);
	tcase_add_test(cases, functions_are_of_one_gpu);
	tcase_add_test(cases, modules_have_the_kernels);
	tcase_add_loop_test(cases, wrong_images_are_refused, 0, 2);
	tcase_add_test(cases, the_driver_wants_a_gpu_of_the_thread);
	tcase_add_test(cases, calls_of_the_driver_fail_on_demand);
}
