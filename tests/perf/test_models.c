/* Kernel times read from kernels.csv, and bound to a graph and a platform. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models_of.h"

static tw_arch arch_of(const char *name)
{
	for (tw_arch a = 0; a < mirage->n_archs; a++)
		if (strcmp(mirage->archs[a].name, name) == 0)
			return a;
	ck_abort_msg("no arch %s", name);
	return TW_NONE;
}

static const char one_row[] = HEADER "gemm,cpu,1,8,s,100,0,1,\ngemm,m2070-0,1,8,s,10,0,1,\n";

START_TEST(recorded_seconds_and_archs_that_may_run_a_kernel)
{
	static const struct {
		const char *recorded_on, *archs;
		double cpu[2], gpu[2]; /* of the two tasks */
	} cases[] = {
		{"cpu", NULL, {7, 100e-6}, {10e-6, 10e-6}},
		{"accelerators", NULL, {100e-6, 100e-6}, {7, 10e-6}},
		{"processors+m2070-0", NULL, {7, 100e-6}, {7, 10e-6}},
		{NULL, "m2070-0", {NAN, NAN}, {10e-6, 10e-6}},
		{"cpu", "accelerators", {NAN, NAN}, {10e-6, 10e-6}},
		{"cp+vax", "cpu+vax", {100e-6, 100e-6}, {NAN, NAN}},
	};
	struct tw__models *models = models_of(one_row);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tw_graph *graph = recorded_graph("gemm", cases[i].recorded_on, cases[i].archs);
		struct tw__times times;
		struct tw_error err = {""};
		ck_assert_msg(tw__times_bind(&times, models, mirage, graph, &err) == TW_OK, "%s", err.message);
		for (tw_task t = 0; t < 2; t++) {
			double cpu = tw__task_seconds(&times, graph, t, arch_of("cpu"));
			double gpu = tw__task_seconds(&times, graph, t, arch_of("m2070-0"));
			ck_assert_msg(cpu == cases[i].cpu[t] || (isnan(cpu) && isnan(cases[i].cpu[t])), "case %zu: %g",
			              i, cpu);
			ck_assert_msg(gpu == cases[i].gpu[t] || (isnan(gpu) && isnan(cases[i].gpu[t])), "case %zu: %g",
			              i, gpu);
		}
		tw__times_finish(&times);
		tw_graph_destroy(graph);
	}
	tw__models_destroy(models);
}
END_TEST

/* gemm: 2 * 100^3 flops in 1 ms on the CPU, 2 * 100 * 400 * 100 in 1 ms on the GPU: 2 and 8 GFlop/s. */
START_TEST(flops_over_a_part_of_the_rate_of_gemm)
{
	static const struct {
		const char *kernel;
		double processor, accelerator; /* fractions of gemm's rate */
	} cases[] = {{"gemm", 1, 1}, {"qr.tsmqr", 0.903, 0.459}, {"geqrt", 0.606, 0.0402}, {"unheard_of", 0.5, 0.2}};
	struct tw__models *models =
		models_of(HEADER "gemm,cpu,1,100,s,1000,0,1,\ngemm,cpu,1,10,s,1000,0,1,\ngemm,cpu,6,100,s,1,0,1,\n"
	                         "x.gemm,m2070-0,1,100x400+400x100,s,1000,0,1,\ngemm,m2070-0,1,7x8+9x7,s,1e-3,0,1,\n"
	                         "trsm,cpu,1,20,s,5,0,1,\n");
	tw__models_extrapolate(models);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tw_graph *graph = tw_graph_create();
		struct tw__times times;
		struct tw_error err = {""};
		tw_graph_submit(graph, tw_graph_kernel(graph, cases[i].kernel, "33", "s", 4e6), 0, NULL, 0);
		tw_graph_submit(graph, tw_graph_kernel(graph, "trsm", "20", "s", 4e6), 0, NULL, 0);
		ck_assert_msg(tw_graph_finish(graph, &err) == TW_OK, "%s", err.message);
		ck_assert_msg(tw__times_bind(&times, models, mirage, graph, &err) == TW_OK, "%s", err.message);
		tw_arch cpu = arch_of("cpu"), gpu = arch_of("m2070-0");
		ck_assert_double_eq_tol(tw__task_seconds(&times, graph, 0, cpu), 2e-3 / cases[i].processor, 1e-9);
		ck_assert_double_eq_tol(tw__task_seconds(&times, graph, 0, gpu), 0.5e-3 / cases[i].accelerator, 1e-9);
		/* Measured times stay, and the kernel cannot run on archs without a time. */
		ck_assert_double_eq(tw__task_seconds(&times, graph, 1, cpu), 5e-6);
		ck_assert_double_nan(tw__task_seconds(&times, graph, 1, gpu));
		ck_assert(times.measured && times.flop_rate && !times.has_recorded);
		tw__times_finish(&times);
		tw_graph_destroy(graph);
	}
	tw__models_destroy(models);
}
END_TEST

/* The kernels of a stencil on bytes, in blocks of 256 cells a side: the flop rates give the times that mirage has
 * measured. The short kernels' times on its GPUs differ by half. */
START_TEST(operations_on_bytes_have_the_rate_that_a_stencil_reaches)
{
	static const struct {
		const char *name, *size;
		double flops;
	} kernels[] = {
		{"cl_update", "258x258x258+258x258x258+258x258x1+258x258x1+258x258x1+258x258x1", 11. * 256 * 256 * 256},
		{"save_cl_top", "258x258x258+258x258x258+258x258x1+258x258x1", 2. * 258 * 258},
		{"save_cl_bottom", "258x258x258+258x258x258+258x258x1+258x258x1", 2. * 258 * 258},
	};
	struct tw__models *models;
	struct tw__times times;
	struct tw_error err = {""};
	ck_assert_msg(tw__models_read(&models, mirage_kernels, NULL, &err) == TW_OK, "%s", err.message);
	tw__models_extrapolate(models);
	struct tw_graph *graph = tw_graph_create();
	for (int k = 0; k < 3; k++)
		for (int measured = 0; measured < 2; measured++)
			tw_graph_submit(graph,
			                tw_graph_kernel(graph, kernels[k].name, measured ? kernels[k].size : "other",
			                                "b", kernels[k].flops),
			                0, NULL, 0);
	ck_assert_msg(tw_graph_finish(graph, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__times_bind(&times, models, mirage, graph, &err) == TW_OK, "%s", err.message);
	ck_assert(times.measured && times.flop_rate);
	for (tw_task t = 0; t < 6; t += 2)
		for (tw_arch a = 0; a < mirage->n_archs; a++)
			ck_assert_double_eq_tol(tw__task_seconds(&times, graph, t, a) /
			                                tw__task_seconds(&times, graph, t + 1, a),
			                        1, t ? 0.25 : 0.01);
	tw__times_finish(&times);
	tw_graph_destroy(graph);
	tw__models_destroy(models);
}
END_TEST

START_TEST(a_task_without_any_time_is_told)
{
	struct tw__models *models = models_of(one_row);
	struct tw_graph *graph = recorded_graph("unheard_of", "processors", NULL);
	struct tw__times times;
	struct tw_error err = {""};
	ck_assert_int_eq(tw__times_bind(&times, models, mirage, graph, &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, "task 1 (unheard_of) has neither recorded seconds") != NULL, "%s",
	              err.message);
	tw_graph_destroy(graph);
	tw__models_destroy(models);
}
END_TEST

START_TEST(an_applications_own_times_come_first)
{
	struct tw__models *models = models_of(HEADER "gemm,cpu,1,8,s,100,0,1,\ngemm,m2070-0,1,8,s,10,0,1,\n"
	                                             "lu.gemm,cpu,1,8,s,300,0,1,\ngemm,cpu,1,16,s,700,0,1,\n");
	struct tw_graph *graph = graph_of(
		3, (const char *const[][3]){{"lu.gemm", "8", "s"}, {"lu.gemm", "16", "s"}, {"qr.gemm", "8", "s"}});
	struct tw__times times;
	struct tw_error err = {""};
	ck_assert_msg(tw__times_bind(&times, models, mirage, graph, &err) == TW_OK, "%s", err.message);
	tw_arch cpu = arch_of("cpu"), gpu = arch_of("m2070-0");
	ck_assert_double_eq(tw__task_seconds(&times, graph, 0, cpu), 300e-6);
	/* Never half its own and half the general rows. */
	ck_assert_double_nan(tw__task_seconds(&times, graph, 0, gpu));
	ck_assert_double_eq(tw__task_seconds(&times, graph, 1, cpu), 700e-6);
	ck_assert_double_eq(tw__task_seconds(&times, graph, 2, gpu), 10e-6);
	tw__times_finish(&times);
	tw_graph_destroy(graph);
	tw__models_destroy(models);
}
END_TEST

START_TEST(mirage_has_the_measured_times)
{
	static const char *const kernels[][3] = {
		{"potrf", "960", "s"}, {"trsm", "960", "s"}, {"syrk", "960", "s"},  {"gemm", "960", "s"},
		{"gemm", "640", "s"},  {"gemm", "320", "s"}, {"potrf", "320", "s"}, {"trsm", "640", "s"},
	};
	/* Sums in us and numbers of samples as measured: the CPU, then the first GPU. */
	static const struct {
		double sum[2], n[2];
	} measured[] = {
		{{2.111165e6, 1.556354e5}, {112, 29}},
		{{5.687586e7, 3.650767e6}, {1246, 571}},
		{{2.889724e8 / 2, 3.683329e7 / 2}, {3292, 13129}},
		{{2.889724e8, 3.683329e7}, {3292, 13129}},
		{{4.762124e7, 5.687714e6}, {1799, 6359}},
		{{1.532463e7, 1.633334e6}, {4697, 8121}},
		{{7.930143e4, 5.809372e4}, {86, 29}},
		{{8.232874e6, 6.895839e5}, {581, 265}},
	};
	enum { N = sizeof kernels / sizeof kernels[0] };
	struct tw__models *models;
	struct tw__times times;
	struct tw_error err = {""};
	struct tw_graph *graph = graph_of(N, kernels);
	ck_assert_msg(tw__models_read(&models, mirage_kernels, NULL, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__times_bind(&times, models, mirage, graph, &err) == TW_OK, "%s", err.message);
	tw_arch cpu = arch_of("cpu"), gpu = arch_of("m2070-0");
	ck_assert_int_eq(times.n_kernels, N);
	ck_assert_int_eq(times.n_archs, 2);
	for (int k = 0; k < N; k++) {
		const double *sum = measured[k].sum, *n = measured[k].n;
		double on_cpu = sum[0] / n[0] * 1e-6, on_gpu = sum[1] / n[1] * 1e-6;
		ck_assert_double_eq_tol(tw__task_seconds(&times, graph, k, cpu) / on_cpu, 1, 1e-8);
		ck_assert_double_eq_tol(tw__task_seconds(&times, graph, k, gpu) / on_gpu, 1, 1e-8);
	}
	/* The stated values, rounded; and a deviation. */
	ck_assert_double_eq_tol(tw__task_seconds(&times, graph, 3, cpu), 87780.2e-6, 0.05e-6);
	ck_assert_double_eq_tol(times.stddev[3 * 2 + cpu], 959.8441e-6, 1e-6);
	tw__times_finish(&times);
	ck_assert_ptr_null(times.mean);
	tw__models_destroy(models);
	tw_graph_destroy(graph);
}
END_TEST

START_TEST(rows_are_matched_exactly)
{
	static const char *const kernels[][3] = {{"a", "10", "s"}, {"a", "10x20+20x10", "d"}};
	struct tw__models *models = models_of("# times, made up\n\n" HEADER "a,cpu,1,10,s,2.5,0.5,4,\n"
	                                      "a,cpu,6,10,s,1,0,4,a group\r\n"
	                                      "a,cpu,1,10,d,9,0,4,\"quoted, with \"\"quotes\"\"\"\n"
	                                      "   \n"
	                                      "a,m2070-0,1,20,s,9,0,4,\n"
	                                      "a,vax,1,10,s,9,0,4,an arch that this platform does not have\n"
	                                      "\"a\",m2070-0,1,10x20+20x10,d,1e6,0,0,\"\"");
	struct tw_graph *graph = graph_of(2, kernels);
	struct tw__times times;
	struct tw_error err = {""};
	ck_assert_msg(tw__times_bind(&times, models, mirage, graph, &err) == TW_OK, "%s", err.message);
	tw_arch cpu = arch_of("cpu"), gpu = arch_of("m2070-0");
	ck_assert_double_eq(tw__task_seconds(&times, graph, 0, cpu), 2.5e-6);
	ck_assert_double_eq(times.stddev[0 * 2 + cpu], 0.5e-6);
	ck_assert(isnan(tw__task_seconds(&times, graph, 0, gpu)));
	ck_assert(isnan(tw__task_seconds(&times, graph, 1, cpu)));
	ck_assert_double_eq(tw__task_seconds(&times, graph, 1, gpu), 1);
	tw__times_finish(&times);
	tw__models_destroy(models);
	tw_graph_destroy(graph);
}
END_TEST

static void expect_missing(const struct tw__platform *p, const char *text, const char *message)
{
	static const char *const kernels[][3] = {{"a", "10", "s"}};
	struct tw__models *models = models_of(text);
	struct tw_graph *graph = graph_of(1, kernels);
	struct tw__times times;
	struct tw_error err = {""};
	ck_assert_int_eq(tw__times_bind(&times, models, p, graph, &err), TW_INVALID);
	ck_assert_contains(err.message, message);
	ck_assert_contains(err.message,
	                   "no time of kernel 'a', size 10, precision 's' on the workers of platform 'mirage'");
	ck_assert_ptr_null(times.mean);
	tw__models_destroy(models);
	tw_graph_destroy(graph);
}

START_TEST(a_missing_time_lists_the_sizes_there_are)
{
	expect_missing(mirage, HEADER "b,cpu,1,10,s,1,0,1,\n", ": expected a row a,m2070-0,1,10,s");
	expect_missing(mirage,
	               HEADER
	               "a,cpu,1,320,s,1,0,1,\na,m2070-0,1,320,s,1,0,1,\na,cpu,1,10,d,1,0,1,\na,vax,1,7,s,1,0,1,\n"
	               "a,cpu,6,8,s,1,0,1,\n",
	               "that have times: 320 (s), 10 (d)");
}
END_TEST

START_TEST(a_time_on_an_arch_without_worker_is_none)
{
	struct tw__platform *cpus;
	struct tw_error err = {""};
	struct tw__platform_choice choice = {.cpus = 2, .gpus = 0};
	ck_assert_msg(tw__platform_select(&cpus, mirage, &choice, &err) == TW_OK, "%s", err.message);
	expect_missing(cpus, HEADER "a,m2070-0,1,10,s,1,0,1,\n", ": expected a row a,cpu,1,10,s");
	tw__platform_destroy(cpus);

	/* The platform has the arch, but no worker of it. */
	for (int w = 0; w < mirage->n_workers; w++)
		mirage->workers[w].arch = arch_of("cpu");
	expect_missing(mirage, HEADER "a,m2070-0,1,10,s,1,0,1,\n", ": expected a row a,cpu,1,10,s");
}
END_TEST

static const struct {
	const char *text;
	int line;
	const char *message;
} malformed[] = {
	{"", 1, "no header, expected kernel,arch"},
	{"# only\n# comments\n", 3, "no header"},
	{"kernel,arch\n", 1, "'kernel,arch': expected the header kernel,arch,cores"},
	{"a,cpu,1,10,s,1,0,1,\n", 1, "expected the header"},
	{HEADER "a,cpu,1,10,s,1,0,1\n", 2, "8 fields, expected the 9 of the header"},
	{HEADER "\n#\na,cpu,1,10,s,1,0,1,,\n", 4, "too many fields, expected the 9"},
	{HEADER "a,cpu,1,10,s,1,0,1,\"note\n", 2, "a quote that does not end"},
	{HEADER "a,cpu,1,10,s,1,0,1,\"note\"s\n", 2, "text behind a closing quote"},
	{HEADER "a,cpu,1,10,s,1,0,1,no\"te\"\n", 2, "a quote inside a field"},
	{HEADER ",cpu,1,10,s,1,0,1,\n", 2, "kernel of 0 bytes, expected 1 to 255"},
	{HEADER "a,,1,10,s,1,0,1,\n", 2, "arch of 0 bytes"},
	{HEADER "a,cpu,1,,s,1,0,1,\n", 2, "size of 0 bytes"},
	{HEADER "a,cpu,1,10,,1,0,1,\n", 2, "precision of 0 bytes"},
	{HEADER "a,cpu,0,10,s,1,0,1,\n", 2, "cores '0': expected a whole number from 1"},
	{HEADER "a,cpu,1.5,10,s,1,0,1,\n", 2, "cores '1.5': expected"},
	{HEADER "a,cpu,,10,s,1,0,1,\n", 2, "cores '': expected"},
	{HEADER "a,cpu,99999999999,10,s,1,0,1,\n", 2, "cores '99999999999': expected"},
	{HEADER "a\xff,cpu,1,10,s,1,0,1,\n", 2, "kernel 'a ': expected text in UTF-8, without control characters"},
	{HEADER "a,c\tpu,1,10,s,1,0,1,\n", 2, "arch 'c pu': expected text"},
	{HEADER "a,cpu,1,10,s,0,0,1,\n", 2, "mean_us '0': expected a number above 0"},
	{HEADER "a,cpu,1,10,s,-1,0,1,\n", 2, "mean_us '-1': expected"},
	{HEADER "a,cpu,1,10,s,nan,0,1,\n", 2, "mean_us 'nan': expected"},
	{HEADER "a,cpu,1,10,s,inf,0,1,\n", 2, "mean_us 'inf': expected"},
	{HEADER "a,cpu,1,10,s,1e999,0,1,\n", 2, "mean_us '1e999': expected"},
	{HEADER "a,cpu,1,10,s,0x10,0,1,\n", 2, "mean_us '0x10': expected"},
	{HEADER "a,cpu,1,10,s,1us,0,1,\n", 2, "mean_us '1us': expected"},
	{HEADER "a,cpu,1,10,s,1,-1,1,\n", 2, "stddev_us '-1': expected a number from 0, at most 1e+15"},
	{HEADER "a,cpu,1,10,s,1e16,1,1,\n", 2, "mean_us '1e16': expected a number above 0, at most 1e+15"},
	{HEADER "a,cpu,1,10,s,1,,1,\n", 2, "stddev_us '': expected"},
	{HEADER "a,cpu,1,10,s,1,0,-1,\n", 2, "samples '-1': expected a whole number from 0"},
	{HEADER "a,cpu,1,10,s,1,0,few,\n", 2, "samples 'few': expected"},
	{HEADER "a,cpu,1,10,s,1,0,1,\n#\na,cpu,1,10,s,2,0,1,again\n", 4,
         "a of size 10, precision s on cpu with 1 cores is on line 2 already, expected one row"},
	{HEADER "a,cpu,1,10,s,1,0,1,x\ry\n", 2, "a carriage return inside a line"},
	{HEADER "a,cpu,1,10,s,1,0,1,\na,m2007-0,1,10,s,1,0,1,\n", 3,
         "unknown arch 'm2007-0' (did you mean 'm2070-0'?): expected one that platform 'mirage' has: cpu, m2070-0"},
	{HEADER "a,,1,10,s,1,0,1,\n", 2, "arch of 0 bytes"},
};

static void expect_error(struct temp file, int line, const char *part)
{
	struct tw__models *models;
	struct tw_error err = {""};
	ck_assert_int_eq(tw__models_read(&models, file.path, mirage, &err), TW_INVALID);
	temp_remove(file);
	ck_assert_ptr_null(models);
	char where[96];
	snprintf(where, sizeof where, "%s:%d: ", file.path, line);
	ck_assert_msg(strncmp(err.message, where, strlen(where)) == 0, "expected line %d in '%s'", line, err.message);
	ck_assert_contains(err.message, part);
	ck_assert_contains(err.message, "expected");
}

START_TEST(a_malformed_file_is_refused_with_its_line)
{
	expect_error(temp_text(malformed[_i].text), malformed[_i].line, malformed[_i].message);
}
END_TEST

START_TEST(binary_and_endless_lines_are_refused)
{
	static const char zero[] = HEADER "a,c\0pu,1,10,s,1,0,1,\n";
	expect_error(temp_bytes(zero, sizeof zero - 1), 2, "a zero byte, expected text");

	char *text = malloc(100001);
	memset(text, 'x', 100000);
	text[100000] = '\0';
	expect_error(temp_text(text), 1, "a line of more than 65536 bytes");
	free(text);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_named)
{
	struct tw__models *models;
	struct tw_error err = {""};
	ck_assert_int_eq(tw__models_read(&models, "/nowhere/kernels.csv", NULL, &err), TW_INVALID);
	ck_assert_contains(err.message, "/nowhere/kernels.csv: No such file");
	ck_assert_int_eq(tw__models_read(&models, "/tmp", NULL, &err), TW_INVALID);
	ck_assert_contains(err.message, "/tmp: Is a directory");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("models");
	TCase *cases = tcase_create("models");
	tcase_add_checked_fixture(cases, read_mirage, destroy_mirage);
	tcase_add_test(cases, mirage_has_the_measured_times);
	tcase_add_test(cases, an_applications_own_times_come_first);
	tcase_add_test(cases, recorded_seconds_and_archs_that_may_run_a_kernel);
	tcase_add_test(cases, flops_over_a_part_of_the_rate_of_gemm);
	tcase_add_test(cases, operations_on_bytes_have_the_rate_that_a_stencil_reaches);
	tcase_add_test(cases, a_task_without_any_time_is_told);
	tcase_add_test(cases, rows_are_matched_exactly);
	tcase_add_test(cases, a_missing_time_lists_the_sizes_there_are);
	tcase_add_test(cases, a_time_on_an_arch_without_worker_is_none);
	tcase_add_loop_test(cases, a_malformed_file_is_refused_with_its_line, 0,
	                    sizeof malformed / sizeof malformed[0]);
	tcase_add_test(cases, binary_and_endless_lines_are_refused);
	tcase_add_test(cases, a_file_that_cannot_be_read_is_named);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
