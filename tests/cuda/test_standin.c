/* Tests of the stand-in for CUDA (standin.h), on which the tests of the device code rely. This file has the shared
 * functions. */
#include "test_standin.h"

void good(int error) { ck_assert_int_eq(error, 0); }

void open_lab(struct lab *lab, bool is_double)
{
	*lab = (struct lab){.is_double = is_double};
	good(cudaStreamCreateWithFlags(&lab->stream, TW__CUDA_STREAM_NON_BLOCKING));
	good(cublasCreate_v2(&lab->blas));
	good(cublasSetStream_v2(lab->blas, lab->stream));
	good(cusolverDnCreate(&lab->solver));
	good(cusolverDnSetStream(lab->solver, lab->stream));
	for (int i = 0; i < 3; i++)
		good(cudaMalloc((void **)&lab->device[i], ROOM * ROOM * sizeof(double)));
	good(cudaMalloc((void **)&lab->info, sizeof(int)));
}

void close_lab(struct lab *lab)
{
	good(cusolverDnDestroy(lab->solver));
	good(cublasDestroy_v2(lab->blas));
	good(cudaStreamDestroy(lab->stream));
	for (int i = 0; i < 3; i++)
		good(cudaFree(lab->device[i]));
	good(cudaFree(lab->info));
}

void put(const struct lab *lab, int matrix, const double *numbers, int n)
{
	float floats[ROOM * ROOM];
	for (int i = 0; i < n; i++)
		floats[i] = (float)numbers[i];
	good(cudaMemcpyAsync(lab->device[matrix], lab->is_double ? (const void *)numbers : floats,
	                     (size_t)n * (lab->is_double ? sizeof(double) : sizeof(float)), TW__CUDA_TO_DEVICE,
	                     lab->stream));
	good(cudaStreamSynchronize(lab->stream));
}

void get(const struct lab *lab, int matrix, double *numbers, int n)
{
	float floats[ROOM * ROOM];
	good(cudaMemcpyAsync(lab->is_double ? (void *)numbers : floats, lab->device[matrix],
	                     (size_t)n * (lab->is_double ? sizeof(double) : sizeof(float)), TW__CUDA_TO_HOST,
	                     lab->stream));
	good(cudaStreamSynchronize(lab->stream));
	for (int i = 0; i < n && !lab->is_double; i++)
		numbers[i] = (double)floats[i];
}

void fill(double *numbers, int n, unsigned seed)
{
	for (int i = 0; i < n; i++) {
		seed = seed * 1664525 + 1013904223;
		numbers[i] = (double)(seed >> 8) / (1 << 24) - 0.5;
	}
}

void near(const struct lab *lab, double is, double expected)
{
	ck_assert_double_eq_tol(is, expected, lab->is_double ? 1e-12 : 1e-4);
}

double element(const double *a, int trans, int i, int j) { return trans ? a[j + i * LD] : a[i + j * LD]; }

int main(void)
{
	Suite *suite = suite_create("standin");
	TCase *cases = tcase_create("standin");
	tcase_set_timeout(cases, 60);
	add_device_tests(cases);
	add_memory_tests(cases);
	add_stream_tests(cases);
	add_driver_tests(cases);
	add_blas_tests(cases);
	add_triangle_tests(cases);
	add_call_tests(cases);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
