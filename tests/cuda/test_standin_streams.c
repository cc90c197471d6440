/* The stand-in for CUDA: streams, events and durations. */
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "test_standin.h"

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
	/* After another record, an event is not reached until the new record is. */
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
	enum { COPIES = 500 };
	int numbers[COPIES], back[COPIES];
	open_lab(&lab, true);
	for (int i = 0; i < COPIES; i++) {
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

void add_stream_tests(TCase *cases)
{
	tcase_add_test(cases, copies_return_at_once_and_take_their_time);
	tcase_add_test(cases, a_stream_keeps_order);
	tcase_add_test(cases, threads_use_gpus_of_their_own);
	tcase_add_test(cases, kernels_take_their_time);
}
