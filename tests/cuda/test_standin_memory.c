/* The stand-in for CUDA: memory, pinned ranges, copies. */
#include <stdlib.h>
#include <string.h>

#include "test_standin.h"

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

START_TEST(each_gpu_has_memory_of_its_own)
{
	static const size_t bytes[] = {1000, 2000, 2000};
	void *at[3], *other;
	size_t left, total;
	setenv("STANDIN_GPUS", "3", 1);
	setenv("STANDIN_MEMORY", "1000,2e3", 1);
	for (int i = 0; i < 3; i++) {
		good(cudaSetDevice(i));
		good(cudaMalloc(&at[i], bytes[i] - 100));
		ck_assert_int_eq(cudaMalloc(&other, 101), 2);
	}
	good(cudaFree(at[1])); /* belongs to another GPU than the current one */
	for (int i = 0; i < 3; i++) {
		good(cudaSetDevice(i));
		good(cudaMemGetInfo(&left, &total));
		ck_assert_uint_eq(left, i == 1 ? 2000 : 100);
		ck_assert_uint_eq(total, bytes[i]);
	}
	good(cudaFree(at[0]));
	good(cudaFree(at[2]));
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
	/* Errors are not sticky. */
	good(cudaMemcpyAsync(end - 100, host, 100, TW__CUDA_TO_DEVICE, stream));
	good(cudaStreamSynchronize(stream));
	close_lab(&lab);
	ck_assert_int_eq(cudaStreamSynchronize(stream), 400);
}
END_TEST

void add_memory_tests(TCase *cases)
{
	tcase_add_test(cases, memory_has_a_limit);
	tcase_add_test(cases, each_gpu_has_memory_of_its_own);
	tcase_add_test(cases, ranges_are_registered_once);
	tcase_add_test(cases, copies_go_both_ways_and_between_gpus);
	tcase_add_test(cases, wrong_addresses_are_refused);
}
