/* The families of plug-ins: refused parameters, files that are no plug-ins, the origin of BLAS, errors of kernels. */
#include <check.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/module_paths.h"
#include "problem.h"

static const struct {
	const char *words, *message;
} refused[] = {
	{"qr:nt=2:nb=8:ib=0", "workload 'qr': ib=0: no real kernels: factors T are no handles: expected ib >= 1"},
	{"matmul2d:nt=2:nb=8",
         "workload 'matmul2d': output=no: no real kernels: C is not a data handle: expected output=yes"},
	{"matmul3d:nt=2:nb=8:independent=yes",
         "workload 'matmul3d': independent=yes: no real kernels: no task writes C: expected independent=no"},
	{"matmul3d:nt=2:nb=8:output=no",
         "workload 'matmul3d': output=no: no real kernels: C is not a data handle: expected output=yes"},
	{"reduction:n=2:bytes=12", "workload 'reduction': bytes=12: no real kernels: expected a multiple of 8"},
	{"reduction:n=10000:shots=1000000000000",
         "workload 'reduction': no real kernels: 1e+16 shots: expected at most 2^53, which a double counts"},
	{"layered:n=10",
         "workload 'layered' has no real kernels: expected one of cholesky, life, lu, matmul2d, matmul3d, qr, "
         "reduction, stencil"},
};

START_TEST(workloads_without_kernels_are_refused)
{
	struct tw_error err = {""};
	struct tw__family *family;
	struct tw_graph *graph;
	ck_assert_int_eq(problem_open(&family, &graph, refused[_i].words, &err), TW_INVALID);
	ck_assert_ptr_null(family);
	ck_assert_str_eq(err.message, refused[_i].message);
	tw_graph_destroy(graph);
}
END_TEST

START_TEST(a_missing_plug_in_is_told)
{
	struct tw_error err = {""};
	struct tw__family *family;
	struct tw_graph *graph;
	setenv("TILEWRIGHT_KERNELS", "/nowhere/kernels.so", 1);
	ck_assert_int_eq(problem_open(&family, &graph, "cholesky:nt=2:nb=8", &err), TW_FAILED);
	ck_assert_ptr_nonnull(strstr(err.message, "/nowhere/kernels.so: no plug-in with real kernels: "));
	ck_assert_ptr_nonnull(strstr(err.message, "No such file"));
	tw_graph_destroy(graph);
}
END_TEST

START_TEST(another_library_is_no_plug_in)
{
	struct tw_error err = {""};
	struct tw__family *family;
	struct tw_graph *graph;
	setenv("TILEWRIGHT_KERNELS", "libm.so.6", 1);
	ck_assert_int_eq(problem_open(&family, &graph, "cholesky:nt=2:nb=8", &err), TW_FAILED);
	ck_assert_str_eq(err.message, "libm.so.6: no kernels: expected a table tilewright_kernels");
	tw_graph_destroy(graph);
}
END_TEST

START_TEST(a_graph_of_another_workload_is_refused)
{
	struct tw_error err = {""};
	struct tw__family *family;
	struct tw_graph *graph = tw_graph_create();
	tw_kernel axpy = tw_graph_kernel(graph, "axpy", "8", "d", 1);
	tw_graph_submit(graph, axpy, 0, (struct tw_access[]){{tw_graph_data(graph, 64), TW_RW}}, 1);
	ck_assert_int_eq(tw_graph_finish(graph, &err), TW_OK);
	ck_assert_int_eq(problem_open_for(&family, graph, "cholesky:nt=2:nb=8:priority=none", &err), TW_INVALID);
	ck_assert_str_eq(err.message, "workload 'cholesky': kernel 'axpy' has no real kernel");
	tw__family_close(NULL);
	tw_graph_destroy(graph);
}
END_TEST

/* Symbols of libblas, which other libraries load, must not replace those of OpenBLAS. */
START_TEST(blas_comes_from_openblas)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	puts("skipped: sanitizers refuse RTLD_DEEPBIND");
#else
	struct problem p;
	Dl_info about;
	problem_init(&p, "cholesky:nt=2:nb=8");
	const char *own = getenv("TILEWRIGHT_KERNELS");
	void *library = dlopen(own ? own : TW__KERNELS_BUILT, RTLD_NOW | RTLD_NOLOAD);
	ck_assert_ptr_nonnull(library);
	const void *(*blas)(void) = NULL;
	*(void **)&blas = dlsym(library, "tilewright_kernels_blas");
	ck_assert(blas != NULL);
	ck_assert_int_ne(dladdr(blas(), &about), 0);
	ck_assert_msg(strstr(about.dli_fname, "libopenblas") != NULL, "dgemm_ is in %s", about.dli_fname);
	dlclose(library);
	problem_finish(&p);
#endif
}
END_TEST

/* Content depends on the seed only, and both precisions have the same numbers. */
START_TEST(content_follows_from_the_seed)
{
	struct problem p, q, wide;
	problem_init(&p, "lu:nt=2:nb=8");
	problem_init(&q, "lu:nt=2:nb=8");
	problem_init(&wide, "lu:nt=2:nb=8:precision=d");
	for (tw_data d = 0; d < 4; d++) {
		ck_assert_int_eq(memcmp(p.at[d], q.at[d], 8 * 8 * 4), 0);
		for (int i = 0; i < 64; i++)
			ck_assert(((float *)p.at[d])[i] == ((double *)wide.at[d])[i]);
	}
	q.seed++;
	problem_refill(&q);
	for (tw_data d = 0; d < 4; d++)
		ck_assert_int_ne(memcmp(p.at[d], q.at[d], 8 * 8 * 4), 0);
	problem_finish(&p);
	problem_finish(&q);
	problem_finish(&wide);
}
END_TEST

/* A task sets an empty accumulator, and adds to one with content. The sum is that of the tasks in sequence. */
START_TEST(accumulators_add_up)
{
	struct problem p;
	struct tw_operand operands[MOST_OPERANDS];
	double accumulators[2][8] = {{-1}, {-1}}, residual;
	problem_init(&p, "reduction:n=5:shots=1000:bytes=64");
	struct tw_call call = problem_call(&p, 0, operands);
	ck_assert_int_eq(problem_call_run(&p, &call), 0);
	for (tw_task t = 1; t <= 5; t++) {
		call = problem_call(&p, t, operands);
		operands[0].at = accumulators[t % 2];
		operands[0].mode = TW_REDUX | (t <= 2 ? TW_W : TW_RW);
		ck_assert_int_eq(problem_call_run(&p, &call), 0);
	}
	tw_kernel add = 2;
	ck_assert_str_eq(tw_graph_kernel_name(p.graph, add), "add");
	for (int i = 0; i < 2; i++) {
		struct tw_operand two[] = {{accumulators[i], 64, TW_R}, {p.at[0], 64, TW_RW}};
		call.operands = two;
		call.n_operands = 2;
		ck_assert_int_eq(p.family->codelets[add]->run(&call), 0);
	}
	ck_assert_int_eq(problem_check(&p, &residual), TW_OK);
	double pi = 4 * ((const double *)p.at[0])[7] / 5000;
	ck_assert(pi > 3 && pi < 3.3);
	problem_finish(&p);
}
END_TEST

/* --- a plug-in of the test, in TEST_PLUGIN ------------------------------------------------------------------------ */

/* Two tasks of test_plugin.c: one uses scratch, one fails. */
static struct tw_graph *small_graph(const char *kernel)
{
	struct tw_error err;
	struct tw_graph *graph = tw_graph_create();
	tw_kernel k = tw_graph_kernel(graph, kernel, "8", "d", 1);
	tw_data scratch = tw_graph_data(graph, 100), result = tw_graph_data(graph, 8);
	tw_graph_submit(graph, k, 0, (struct tw_access[]){{scratch, TW_SCRATCH}, {result, TW_W}}, 2);
	ck_assert_int_eq(tw_graph_finish(graph, &err), TW_OK);
	return graph;
}

static int run_small(const char *kernel, double *result, struct tw_error *err)
{
	struct tw__family *family;
	struct tw_graph *graph = small_graph(kernel);
	setenv("TILEWRIGHT_KERNELS", TEST_PLUGIN, 1);
	ck_assert_int_eq(problem_open_for(&family, graph, "cholesky:nt=1", err), TW_OK);
	ck_assert_uint_eq(family->workspace_bytes, 1000);
	int status = tw__serial_run(graph, family, 5, (void *[]){NULL, result}, NULL, NULL, err);
	tw__family_close(family);
	tw_graph_destroy(graph);
	return status;
}

START_TEST(scratch_has_room_while_a_task_runs)
{
	struct tw_error err = {""};
	double result = 0;
	ck_assert_int_eq(run_small("use_scratch", &result, &err), TW_OK);
	ck_assert_double_eq(result, 105); /* bytes of scratch, and the seed */
}
END_TEST

START_TEST(a_kernel_that_fails_is_told)
{
	struct tw_error err = {""};
	double result = 0;
	ck_assert_int_eq(run_small("fail", &result, &err), TW_FAILED);
	ck_assert_str_eq(err.message, "task 0: kernel 'fail' failed: 7");
}
END_TEST

START_TEST(kernels_for_another_interface_are_refused)
{
	struct tw_error err = {""};
	struct tw__family *family;
	struct tw_graph *graph = small_graph("fail");
	setenv("TILEWRIGHT_KERNELS", TEST_PLUGIN, 1);
	ck_assert_int_eq(problem_open_for(&family, graph, "lu:nt=1", &err), TW_FAILED);
	ck_assert_ptr_nonnull(strstr(err.message, "kernels for interface 99 of "));
	tw_graph_destroy(graph);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("family");
	TCase *cases = tcase_create("family");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, workloads_without_kernels_are_refused, 0, sizeof refused / sizeof *refused);
	tcase_add_test(cases, a_missing_plug_in_is_told);
	tcase_add_test(cases, another_library_is_no_plug_in);
	tcase_add_test(cases, a_graph_of_another_workload_is_refused);
	tcase_add_test(cases, blas_comes_from_openblas);
	tcase_add_test(cases, content_follows_from_the_seed);
	tcase_add_test(cases, accumulators_add_up);
	tcase_add_test(cases, scratch_has_room_while_a_task_runs);
	tcase_add_test(cases, a_kernel_that_fails_is_told);
	tcase_add_test(cases, kernels_for_another_interface_are_refused);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
