/* The stand-in for CUDA: injected failures, the count of calls, the report of living objects. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_standin.h"

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

/* Leaves one stream, one event, two allocations, a range and a module alive. Counts 12 calls. */
static void leave_things(const char *count, int out)
{
	static char range[10];
	tw__cuda_stream stream;
	tw__cuda_event event;
	tw__cuda_module module;
	void *memory;
	setenv("STANDIN_COUNT", count, 1);
	setenv("STANDIN_LEAKS", "1", 1);
	setenv("STANDIN_BANDWIDTH", "1000", 1);
	dup2(out, STDERR_FILENO);
	int error = cudaSetDevice(0) + cuModuleLoadData(&module, "stand-in\n");
	error += cudaStreamCreateWithFlags(&stream, 0) + cudaEventCreateWithFlags(&event, 0) + cudaMalloc(&memory, 10) +
	         cudaMalloc(&memory, 100) + cudaHostRegister(range, 10, 0) +
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
	ck_assert_str_eq(counted, "12\n");
	ck_assert_str_eq(words, "standin: still alive at exit: allocations: 2\n"
	                        "standin: still alive at exit: registered ranges: 1\n"
	                        "standin: still alive at exit: streams: 1\n"
	                        "standin: still alive at exit: events: 1\n"
	                        "standin: still alive at exit: modules: 1\n");
}
END_TEST

void add_call_tests(TCase *cases)
{
	tcase_add_loop_test(cases, the_call_asked_for_fails, 0, 3);
	tcase_add_test(cases, calls_are_counted_and_things_left_are_told);
}
