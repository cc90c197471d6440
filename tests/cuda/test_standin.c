/* The stand-in for CUDA (standin.h): what the tests of the device code rely on. */
#include "standin.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 64 };

/* One GPU, and what a test needs of it. */
struct lab {
	tw__cuda_stream stream;
	tw__cublas blas;
	tw__cusolver solver;
	char *device[3];
	int *info;
	bool is_double;
};

static void good(int error) { ck_assert_int_eq(error, 0); }

static void open_lab(struct lab *lab, bool is_double)
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

static void close_lab(struct lab *lab)
{
	good(cusolverDnDestroy(lab->solver));
	good(cublasDestroy_v2(lab->blas));
	good(cudaStreamDestroy(lab->stream));
	for (int i = 0; i < 3; i++)
		good(cudaFree(lab->device[i]));
	good(cudaFree(lab->info));
}

/* n numbers, of the precision of the lab. */
static void put(const struct lab *lab, int matrix, const double *numbers, int n)
{
	float floats[ROOM * ROOM];
	for (int i = 0; i < n; i++)
		floats[i] = (float)numbers[i];
	good(cudaMemcpyAsync(lab->device[matrix], lab->is_double ? (const void *)numbers : floats,
	                     (size_t)n * (lab->is_double ? sizeof(double) : sizeof(float)), TW__CUDA_TO_DEVICE,
	                     lab->stream));
	good(cudaStreamSynchronize(lab->stream));
}

static void get(const struct lab *lab, int matrix, double *numbers, int n)
{
	float floats[ROOM * ROOM];
	good(cudaMemcpyAsync(lab->is_double ? (void *)numbers : floats, lab->device[matrix],
	                     (size_t)n * (lab->is_double ? sizeof(double) : sizeof(float)), TW__CUDA_TO_HOST,
	                     lab->stream));
	good(cudaStreamSynchronize(lab->stream));
	for (int i = 0; i < n && !lab->is_double; i++)
		numbers[i] = (double)floats[i];
}

static void fill(double *numbers, int n, unsigned seed)
{
	for (int i = 0; i < n; i++) {
		seed = seed * 1664525 + 1013904223;
		numbers[i] = (double)(seed >> 8) / (1 << 24) - 0.5;
	}
}

static void near(const struct lab *lab, double is, double expected)
{
	ck_assert_double_eq_tol(is, expected, lab->is_double ? 1e-12 : 1e-4);
}

/* --- devices and memory ------------------------------------------------------------------------------------------- */

START_TEST(devices_are_as_the_environment_says)
{
	int n, value, can;
	char id[16];
	setenv("STANDIN_GPUS", "2", 1);
	setenv("STANDIN_CAPABILITY", "7.5", 1);
	good(cudaGetDeviceCount(&n));
	ck_assert_int_eq(n, 2);
	good(cudaDeviceGetAttribute(&value, TW__CUDA_ATTRIBUTE_MAJOR, 1));
	ck_assert_int_eq(value, 7);
	good(cudaDeviceGetAttribute(&value, TW__CUDA_ATTRIBUTE_MINOR, 1));
	ck_assert_int_eq(value, 5);
	good(cudaDeviceGetPCIBusId(id, sizeof id, 1));
	ck_assert_str_eq(id, "0000:01:00.0");
	good(cudaDriverGetVersion(&value));
	ck_assert_int_eq(value, 13000);
	good(cudaDeviceCanAccessPeer(&can, 0, 1));
	ck_assert_int_eq(can, 1);
	good(cudaDeviceEnablePeerAccess(1, 0));
	ck_assert_int_eq(cudaDeviceEnablePeerAccess(1, 0), TW__CUDA_PEER_ALREADY_ENABLED);
	ck_assert_int_eq(cudaSetDevice(2), 101);
	ck_assert_str_eq(cudaGetErrorString(101), "invalid device ordinal");
}
END_TEST

START_TEST(without_a_gpu_there_is_an_error)
{
	int n = 7;
	setenv("STANDIN_GPUS", "0", 1);
	ck_assert_int_eq(cudaGetDeviceCount(&n), 100);
	ck_assert_int_eq(n, 0);
}
END_TEST

START_TEST(peers_can_be_without_access)
{
	int can = 1;
	setenv("STANDIN_GPUS", "2", 1);
	setenv("STANDIN_PEERS", "no", 1);
	good(cudaDeviceCanAccessPeer(&can, 0, 1));
	ck_assert_int_eq(can, 0);
	ck_assert_int_eq(cudaDeviceEnablePeerAccess(1, 0), 217);
}
END_TEST

START_TEST(memory_has_a_limit)
{
	void *at, *other;
	size_t left, total;
	setenv("STANDIN_MEMORY", "1000", 1);
	good(cudaMalloc(&at, 600));
	ck_assert_int_eq(cudaMalloc(&other, 401), 2);
	good(cudaMemGetInfo(&left, &total));
	ck_assert_uint_eq(left, 400);
	ck_assert_uint_eq(total, 1000);
	good(cudaMalloc(&other, 400));
	good(cudaFree(at));
	good(cudaFree(other));
	good(cudaFree(NULL));
	ck_assert_int_eq(cudaFree(at), 1);
	good(cudaMemGetInfo(&left, &total));
	ck_assert_uint_eq(left, 1000);
}
END_TEST

START_TEST(ranges_are_registered_once)
{
	static char room[100];
	good(cudaHostRegister(room, 50, TW__CUDA_HOST_REGISTER_PORTABLE));
	ck_assert_int_eq(cudaHostRegister(room + 49, 10, 0), 712);
	good(cudaHostRegister(room + 50, 10, 0));
	ck_assert_int_eq(cudaHostUnregister(room + 1), 713);
	good(cudaHostUnregister(room));
	good(cudaHostUnregister(room + 50));
	ck_assert_int_eq(cudaHostUnregister(room), 713);
}
END_TEST

/* --- copies ------------------------------------------------------------------------------------------------------- */

START_TEST(copies_go_both_ways_and_between_gpus)
{
	tw__cuda_stream stream;
	char *near_at, *far_at, there[100], back[100];
	setenv("STANDIN_GPUS", "2", 1);
	good(cudaSetDevice(1));
	good(cudaMalloc((void **)&far_at, 100));
	good(cudaSetDevice(0));
	good(cudaMalloc((void **)&near_at, 200));
	good(cudaStreamCreateWithFlags(&stream, 0));
	for (int i = 0; i < 100; i++)
		there[i] = (char)i;
	good(cudaMemcpyAsync(near_at, there, 100, TW__CUDA_TO_DEVICE, stream));
	good(cudaMemcpyAsync(near_at + 100, near_at, 100, TW__CUDA_ON_DEVICE, stream));
	good(cudaMemcpyPeerAsync(far_at, 1, near_at + 100, 0, 100, stream));
	good(cudaMemsetAsync(near_at, 0, 200, stream));
	good(cudaMemcpyPeerAsync(near_at, 0, far_at, 1, 100, stream));
	good(cudaMemsetAsync(near_at + 7, 77, 2, stream));
	good(cudaMemcpyAsync(back, near_at, 100, TW__CUDA_TO_HOST, stream));
	good(cudaStreamSynchronize(stream));
	there[7] = there[8] = 77;
	ck_assert_mem_eq(there, back, 100);
	good(cudaStreamDestroy(stream));
	good(cudaFree(near_at));
	good(cudaFree(far_at));
}
END_TEST

START_TEST(wrong_addresses_are_refused)
{
	tw__cuda_stream stream;
	char *far_at, host[200];
	struct lab lab;
	double one = 1;
	size_t room = ROOM * ROOM * sizeof(double);
	setenv("STANDIN_GPUS", "2", 1);
	good(cudaSetDevice(1));
	good(cudaMalloc((void **)&far_at, 100));
	good(cudaSetDevice(0));
	open_lab(&lab, true);
	stream = lab.stream;
	char *at = lab.device[0], *end = at + room;
	memset(host, 0, sizeof host);
	ck_assert_int_eq(cudaMemcpyAsync(end - 99, host, 100, TW__CUDA_TO_DEVICE, stream), 1);
	ck_assert_int_eq(cudaMemcpyAsync(at - 1, host, 100, TW__CUDA_TO_DEVICE, stream), 1);
	ck_assert_int_eq(cudaMemcpyAsync(far_at, host, 100, TW__CUDA_TO_DEVICE, stream), 1);
	ck_assert_int_eq(cudaMemcpyAsync(host, host + 100, 100, TW__CUDA_TO_DEVICE, stream), 1);
	ck_assert_int_eq(cudaMemcpyAsync(at, at + 100, 100, TW__CUDA_TO_DEVICE, stream), 1);
	ck_assert_int_eq(cudaMemcpyAsync(at, at + 100, 100, TW__CUDA_TO_HOST, stream), 1);
	ck_assert_int_eq(cudaMemcpyAsync(at, host, 100, 4, stream), 21);
	ck_assert_int_eq(cudaMemcpyAsync(at, host, 100, TW__CUDA_TO_DEVICE, NULL), 400);
	ck_assert_int_eq(cudaMemcpyPeerAsync(far_at, 0, at, 1, 100, stream), 1);
	ck_assert_int_eq(cudaMemsetAsync(host, 0, 100, stream), 1);
	ck_assert_int_eq(cudaHostRegister(at, 100, 0), 1);
	ck_assert_int_ne(cublasDsyrk_v2(lab.blas, 0, 0, ROOM, ROOM, &one, (double *)(void *)at, ROOM, &one,
	                                (double *)(void *)(lab.device[1] + 8), ROOM),
	                 0);
	ck_assert_int_ne(
		cublasDsyrk_v2(lab.blas, 0, 0, 4, 4, &one, (double *)(void *)host, 4, &one, (double *)(void *)at, 4),
		0);
	good(cudaSetDevice(1));
	ck_assert_int_ne(cublasDsyrk_v2(lab.blas, 0, 0, 4, 4, &one, (double *)(void *)at, 4, &one,
	                                (double *)(void *)lab.device[1], 4),
	                 0);
	good(cudaFree(far_at));
	ck_assert_int_eq(cudaMemcpyPeerAsync(far_at, 1, at, 0, 100, stream), 1);
	good(cudaSetDevice(0));
	/* An error does not stay. */
	good(cudaMemcpyAsync(end - 100, host, 100, TW__CUDA_TO_DEVICE, stream));
	good(cudaStreamSynchronize(stream));
	close_lab(&lab);
	ck_assert_int_eq(cudaStreamSynchronize(stream), 400);
}
END_TEST

/* --- streams and events ------------------------------------------------------------------------------------------- */

START_TEST(copies_return_at_once_and_take_their_time)
{
	struct lab lab;
	tw__cuda_event start, end;
	static char host[20000];
	float ms;
	setenv("STANDIN_BANDWIDTH", "1e5", 1);
	open_lab(&lab, true);
	good(cudaEventCreateWithFlags(&start, 0));
	good(cudaEventCreateWithFlags(&end, 0));
	good(cudaEventQuery(end)); /* never recorded */
	ck_assert_int_eq(cudaEventElapsedTime(&ms, start, end), 400);
	double before = standin_now();
	good(cudaEventRecord(start, lab.stream));
	good(cudaMemcpyAsync(lab.device[0], host, 20000, TW__CUDA_TO_DEVICE, lab.stream));
	good(cudaEventRecord(end, lab.stream));
	ck_assert_double_lt(standin_now() - before, 0.15);
	ck_assert_int_eq(cudaEventQuery(end), TW__CUDA_NOT_READY);
	ck_assert_int_eq(cudaEventElapsedTime(&ms, start, end), 600);
	while (cudaEventQuery(end) == TW__CUDA_NOT_READY)
		usleep(1000);
	ck_assert_double_ge(standin_now() - before, 0.2);
	good(cudaEventElapsedTime(&ms, start, end));
	ck_assert_float_ge(ms, 200);
	/* Recorded again, an event is not reached until it is reached again. */
	good(cudaMemcpyAsync(lab.device[0], host, 10000, TW__CUDA_TO_DEVICE, lab.stream));
	good(cudaEventRecord(end, lab.stream));
	ck_assert_int_eq(cudaEventQuery(end), TW__CUDA_NOT_READY);
	good(cudaEventRecord(start, lab.stream));
	/* Events and streams may be destroyed before they are reached. */
	good(cudaEventDestroy(end));
	ck_assert_int_eq(cudaEventQuery(end), 400);
	close_lab(&lab);
	good(cudaEventQuery(start));
	good(cudaEventDestroy(start));
}
END_TEST

START_TEST(a_stream_keeps_order)
{
	struct lab lab;
	enum { N = 500 };
	int numbers[N], back[N];
	open_lab(&lab, true);
	for (int i = 0; i < N; i++) {
		numbers[i] = i;
		good(cudaMemcpyAsync(lab.device[0], &numbers[i], sizeof(int), TW__CUDA_TO_DEVICE, lab.stream));
		good(cudaMemcpyAsync(lab.device[1], lab.device[0], sizeof(int), TW__CUDA_ON_DEVICE, lab.stream));
		good(cudaMemcpyAsync(&back[i], lab.device[1], sizeof(int), TW__CUDA_TO_HOST, lab.stream));
	}
	good(cudaStreamSynchronize(lab.stream));
	ck_assert_mem_eq(numbers, back, sizeof back);
	close_lab(&lab);
}
END_TEST

static void *use_a_gpu(void *arg)
{
	struct lab lab;
	tw__cuda_event event;
	double one = 1, numbers[16], back[16];
	good(cudaSetDevice((int)(intptr_t)arg));
	open_lab(&lab, true);
	good(cudaEventCreateWithFlags(&event, 0));
	for (int i = 0; i < 100; i++) {
		for (int j = 0; j < 16; j++)
			numbers[j] = i + j;
		good(cudaMemcpyAsync(lab.device[0], numbers, sizeof numbers, TW__CUDA_TO_DEVICE, lab.stream));
		good(cudaMemsetAsync(lab.device[1], 0, sizeof numbers, lab.stream));
		good(cublasDsyrk_v2(lab.blas, 0, 0, 4, 4, &one, (double *)(void *)lab.device[0], 4, &one,
		                    (double *)(void *)lab.device[1], 4));
		good(cudaMemcpyAsync(back, lab.device[1], sizeof back, TW__CUDA_TO_HOST, lab.stream));
		good(cudaEventRecord(event, lab.stream));
		while (cudaEventQuery(event) == TW__CUDA_NOT_READY)
			sched_yield();
		near(&lab, back[0], pow(i, 2) + pow(i + 4, 2) + pow(i + 8, 2) + pow(i + 12, 2));
	}
	good(cudaEventDestroy(event));
	close_lab(&lab);
	return NULL;
}

START_TEST(threads_use_gpus_of_their_own)
{
	pthread_t threads[4];
	setenv("STANDIN_GPUS", "2", 1);
	for (int i = 0; i < 4; i++)
		good(pthread_create(&threads[i], NULL, use_a_gpu, (void *)(intptr_t)(i % 2)));
	for (int i = 0; i < 4; i++)
		good(pthread_join(threads[i], NULL));
}
END_TEST

START_TEST(kernels_take_their_time)
{
	struct lab lab;
	double zeros[16] = {0}, one = 1, before;
	setenv("STANDIN_KERNEL_US", "50000", 1);
	open_lab(&lab, true);
	put(&lab, 0, zeros, 16);
	put(&lab, 1, zeros, 16);
	before = standin_now();
	good(cublasDsyrk_v2(lab.blas, 0, 0, 4, 4, &one, (double *)(void *)lab.device[0], 4, &one,
	                    (double *)(void *)lab.device[1], 4));
	good(cudaStreamSynchronize(lab.stream));
	ck_assert_double_ge(standin_now() - before, 0.05);
	close_lab(&lab);
}
END_TEST

/* --- arithmetic --------------------------------------------------------------------------------------------------- */

/* m, n, k and the leading dimensions differ, so that none is taken for another. */
enum { M = 7, N = 5, K = 6, LD = 9, ALL = LD * 8 };

static double at(const double *a, int trans, int i, int j) { return trans ? a[j + i * LD] : a[i + j * LD]; }

START_TEST(gemm_is_gemm)
{
	struct lab lab;
	double a[ALL], b[ALL], c[ALL], is[ALL], alpha = -1.5, beta = 0.5;
	float falpha = (float)alpha, fbeta = (float)beta;
	open_lab(&lab, _i & 1);
	int ta = _i >> 1 & 1, tb = _i >> 2 & 1;
	fill(a, ALL, 1), fill(b, ALL, 2), fill(c, ALL, 3);
	put(&lab, 0, a, ALL), put(&lab, 1, b, ALL), put(&lab, 2, c, ALL);
	void *da = lab.device[0], *db = lab.device[1], *dc = lab.device[2];
	good(lab.is_double ? cublasDgemm_v2(lab.blas, ta, tb, M, N, K, &alpha, da, LD, db, LD, &beta, dc, LD)
	                   : cublasSgemm_v2(lab.blas, ta, tb, M, N, K, &falpha, da, LD, db, LD, &fbeta, dc, LD));
	get(&lab, 2, is, ALL);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < M; i++) {
			double sum = 0;
			for (int k = 0; k < K; k++)
				sum += at(a, ta, i, k) * at(b, tb, k, j);
			c[i + j * LD] = alpha * sum + beta * c[i + j * LD];
		}
	for (int i = 0; i < ALL; i++)
		near(&lab, is[i], c[i]);
	close_lab(&lab);
}
END_TEST

START_TEST(syrk_is_syrk)
{
	struct lab lab;
	double a[ALL], c[ALL], is[ALL], alpha = -1, beta = 2;
	float falpha = (float)alpha, fbeta = (float)beta;
	open_lab(&lab, _i & 1);
	int upper = _i >> 1 & 1, t = _i >> 2 & 1;
	fill(a, ALL, 1), fill(c, ALL, 3);
	put(&lab, 0, a, ALL), put(&lab, 2, c, ALL);
	void *da = lab.device[0], *dc = lab.device[2];
	good(lab.is_double ? cublasDsyrk_v2(lab.blas, upper, t, N, K, &alpha, da, LD, &beta, dc, LD)
	                   : cublasSsyrk_v2(lab.blas, upper, t, N, K, &falpha, da, LD, &fbeta, dc, LD));
	get(&lab, 2, is, ALL);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++) {
			double sum = 0;
			for (int k = 0; k < K; k++)
				sum += at(a, t, i, k) * at(a, t, j, k);
			if (upper ? i <= j : i >= j)
				c[i + j * LD] = alpha * sum + beta * c[i + j * LD];
		}
	for (int i = 0; i < ALL; i++)
		near(&lab, is[i], c[i]);
	close_lab(&lab);
}
END_TEST

/* The element of op(A) of a triangular A. */
static double triangular(const double *a, int upper, int trans, int unit, int i, int j)
{
	if (i == j && unit)
		return 1;
	bool in = trans ? (upper ? j <= i : j >= i) : (upper ? i <= j : i >= j);
	return in ? at(a, trans, i, j) : 0;
}

START_TEST(trsm_solves)
{
	struct lab lab;
	double a[ALL], b[ALL], x[ALL], alpha = 2;
	float falpha = (float)alpha;
	open_lab(&lab, _i & 1);
	int right = _i >> 1 & 1, upper = _i >> 2 & 1, t = _i >> 3 & 1, unit = _i >> 4 & 1;
	fill(a, ALL, 1), fill(b, ALL, 3);
	for (int i = 0; i < 8; i++)
		a[i + i * LD] = unit ? NAN : 3;
	put(&lab, 0, a, ALL), put(&lab, 2, b, ALL);
	void *da = lab.device[0], *db = lab.device[2];
	good(lab.is_double ? cublasDtrsm_v2(lab.blas, right, upper, t, unit, M, N, &alpha, da, LD, db, LD)
	                   : cublasStrsm_v2(lab.blas, right, upper, t, unit, M, N, &falpha, da, LD, db, LD));
	get(&lab, 2, x, ALL);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < M; i++) {
			double sum = 0;
			for (int k = 0; k < (right ? N : M); k++)
				sum += right ? x[i + k * LD] * triangular(a, upper, t, unit, k, j)
				             : triangular(a, upper, t, unit, i, k) * x[k + j * LD];
			near(&lab, sum, alpha * b[i + j * LD]);
		}
	close_lab(&lab);
}
END_TEST

static int info_of(const struct lab *lab)
{
	int info = -1;
	good(cudaMemcpyAsync(&info, lab->info, sizeof info, TW__CUDA_TO_HOST, lab->stream));
	good(cudaStreamSynchronize(lab->stream));
	return info;
}

static int potrf(const struct lab *lab, int upper, int elements)
{
	void *a = lab->device[0], *work = lab->device[1];
	return lab->is_double ? cusolverDnDpotrf(lab->solver, upper, N, a, LD, work, elements, lab->info)
	                      : cusolverDnSpotrf(lab->solver, upper, N, a, LD, work, elements, lab->info);
}

START_TEST(potrf_factors)
{
	struct lab lab;
	double a[ALL], l[ALL];
	int elements;
	open_lab(&lab, _i & 1);
	int upper = _i >> 1 & 1;
	fill(a, ALL, 1);
	for (int j = 0; j < N; j++)
		for (int i = 0; i <= j; i++)
			a[j + i * LD] = a[i + j * LD] += i == j ? 5 : 0;
	put(&lab, 0, a, ALL);
	good(lab.is_double ? cusolverDnDpotrf_bufferSize(lab.solver, upper, N, NULL, LD, &elements)
	                   : cusolverDnSpotrf_bufferSize(lab.solver, upper, N, NULL, LD, &elements));
	ck_assert_int_eq(elements, N * N);
	ck_assert_int_eq(potrf(&lab, upper, elements - 1), 3);
	ck_assert_int_eq(potrf(&lab, upper, ROOM * ROOM * 2 + 1), 3);
	good(potrf(&lab, upper, elements));
	ck_assert_int_eq(info_of(&lab), 0);
	get(&lab, 0, l, ALL);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++) {
			double sum = 0;
			for (int k = 0; k < N; k++)
				sum += triangular(l, upper, upper, 0, i, k) * triangular(l, upper, upper, 0, j, k);
			near(&lab, sum, a[i + j * LD]);
			if (upper ? i > j : i < j)
				near(&lab, l[i + j * LD], a[i + j * LD]);
		}
	a[2 + 2 * LD] = -1;
	put(&lab, 0, a, ALL);
	good(potrf(&lab, upper, elements));
	ck_assert_int_eq(info_of(&lab), 3);
	close_lab(&lab);
}
END_TEST

static int getrf(const struct lab *lab, int *pivots)
{
	void *a = lab->device[0], *work = lab->device[1];
	return lab->is_double ? cusolverDnDgetrf(lab->solver, M, N, a, LD, work, pivots, lab->info)
	                      : cusolverDnSgetrf(lab->solver, M, N, a, LD, work, pivots, lab->info);
}

START_TEST(getrf_factors_without_pivots)
{
	struct lab lab;
	double a[ALL], lu[ALL];
	int elements;
	open_lab(&lab, _i & 1);
	fill(a, ALL, 1);
	for (int i = 0; i < N; i++)
		a[i + i * LD] += 5;
	put(&lab, 0, a, ALL);
	good(lab.is_double ? cusolverDnDgetrf_bufferSize(lab.solver, M, N, NULL, LD, &elements)
	                   : cusolverDnSgetrf_bufferSize(lab.solver, M, N, NULL, LD, &elements));
	ck_assert_int_eq(elements, N);
	ck_assert_int_eq(getrf(&lab, lab.info), 9);
	good(getrf(&lab, NULL));
	ck_assert_int_eq(info_of(&lab), 0);
	get(&lab, 0, lu, ALL);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < M; i++) {
			double sum = 0;
			for (int k = 0; k < N; k++)
				sum += triangular(lu, 0, 0, 1, i, k) * triangular(lu, 1, 0, 0, k, j);
			near(&lab, sum, a[i + j * LD]);
		}
	/* The second pivot is 0. */
	a[1 + 1 * LD] = a[1 + 0 * LD] = 0;
	put(&lab, 0, a, ALL);
	good(getrf(&lab, NULL));
	ck_assert_int_eq(info_of(&lab), 2);
	close_lab(&lab);
}
END_TEST

/* --- failures on demand, the count, the report ---------------------------------------------------------------------- */

START_TEST(the_call_asked_for_fails)
{
	tw__cuda_stream stream;
	tw__cublas blas = NULL;
	tw__cusolver solver = NULL;
	int value;
	static const char *const words[] = {"2", "3", "4"};
	setenv("STANDIN_FAIL_AT", words[_i], 1);
	good(cudaStreamCreateWithFlags(&stream, 0));
	ck_assert_int_eq(cublasCreate_v2(&blas), _i == 0 ? 14 : 0);
	ck_assert(!blas == (_i == 0));
	ck_assert_int_eq(cusolverDnCreate(&solver), _i == 1 ? 7 : 0);
	ck_assert(!solver == (_i == 1));
	ck_assert_int_eq(cudaStreamDestroy(stream), _i == 2 ? 999 : 0);
	ck_assert_int_eq(cudaStreamDestroy(stream), _i == 2 ? 0 : 400);
	good(cudaDriverGetVersion(&value));
	if (blas)
		good(cublasDestroy_v2(blas));
	if (solver)
		good(cusolverDnDestroy(solver));
}
END_TEST

/* Leaves one stream, one event, two allocations and a range behind. Counts 10 calls. */
static void leave_things(const char *count, int out)
{
	static char range[10];
	tw__cuda_stream stream;
	tw__cuda_event event;
	void *memory;
	setenv("STANDIN_COUNT", count, 1);
	setenv("STANDIN_LEAKS", "1", 1);
	setenv("STANDIN_BANDWIDTH", "1000", 1);
	dup2(out, STDERR_FILENO);
	int error = cudaStreamCreateWithFlags(&stream, 0) + cudaEventCreateWithFlags(&event, 0) +
	            cudaMalloc(&memory, 10) + cudaMalloc(&memory, 100) + cudaHostRegister(range, 10, 0) +
	            cudaMemcpyAsync(memory, range, 10, TW__CUDA_TO_DEVICE, stream) + cudaEventRecord(event, stream);
	error += cudaEventQuery(event) - 600; /* not counted */
	error += cudaStreamSynchronize(stream) + cudaEventQuery(event);
	cudaGetErrorString(0); /* not counted */
	error += cudaStreamSynchronize(stream);
	exit(error != 0);
}

START_TEST(calls_are_counted_and_things_left_are_told)
{
	char path[] = "/tmp/test_standin_XXXXXX", words[1000] = "", *counted = words + 500;
	int pipes[2], status, file = mkstemp(path);
	ck_assert_int_ge(file, 0);
	good(pipe(pipes));
	pid_t child = fork();
	if (child == 0)
		leave_things(path, pipes[1]);
	close(pipes[1]);
	size_t n = 0;
	for (ssize_t more; (more = read(pipes[0], words + n, 499 - n)) > 0;)
		n += (size_t)more;
	close(pipes[0]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert_int_gt(read(file, counted, 499), 0);
	close(file);
	unlink(path);
	ck_assert_str_eq(counted, "10\n");
	ck_assert_str_eq(words, "standin: still alive at exit: allocations: 2\n"
	                        "standin: still alive at exit: registered ranges: 1\n"
	                        "standin: still alive at exit: streams: 1\n"
	                        "standin: still alive at exit: events: 1\n");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("standin");
	TCase *cases = tcase_create("standin");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, devices_are_as_the_environment_says);
	tcase_add_test(cases, without_a_gpu_there_is_an_error);
	tcase_add_test(cases, peers_can_be_without_access);
	tcase_add_test(cases, memory_has_a_limit);
	tcase_add_test(cases, ranges_are_registered_once);
	tcase_add_test(cases, copies_go_both_ways_and_between_gpus);
	tcase_add_test(cases, wrong_addresses_are_refused);
	tcase_add_test(cases, copies_return_at_once_and_take_their_time);
	tcase_add_test(cases, a_stream_keeps_order);
	tcase_add_test(cases, threads_use_gpus_of_their_own);
	tcase_add_test(cases, kernels_take_their_time);
	tcase_add_loop_test(cases, gemm_is_gemm, 0, 8);
	tcase_add_loop_test(cases, syrk_is_syrk, 0, 8);
	tcase_add_loop_test(cases, trsm_solves, 0, 32);
	tcase_add_loop_test(cases, potrf_factors, 0, 4);
	tcase_add_loop_test(cases, getrf_factors_without_pivots, 0, 2);
	tcase_add_loop_test(cases, the_call_asked_for_fails, 0, 3);
	tcase_add_test(cases, calls_are_counted_and_things_left_are_told);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
