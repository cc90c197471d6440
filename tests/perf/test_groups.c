/* Kernel times of groups of cores: measured, or derived from those of one core. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models_of.h"

static struct tw__platform *mirage_with(const char *cpu_groups, int gpus)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	struct tw__platform_choice choice = {.cpus = TW__ALL_WORKERS, .gpus = gpus, .cpu_groups = cpu_groups};
	ck_assert_msg(tw__platform_select(&p, mirage, &choice, &err) == TW_OK, "%s", err.message);
	return p;
}

static double seconds_of(const struct tw__times *times, int kernel, tw_arch arch)
{
	return times->mean[kernel * times->n_archs + arch];
}

enum { ON_4 = 0, ON_2 = 1, ON_1 = 2 }; /* archs of the groups 4+2+1, without GPUs */

START_TEST(a_groups_times_are_the_rows_with_its_cores)
{
	struct tw__models *models = models_of(HEADER "a,cpu,1,8,s,100,9,1,\na,cpu,2,8,s,70,7,1,\na,cpu,3,8,s,50,5,1,\n"
	                                             "b,cpu,4,8,s,30,3,1,\na,vax,4,8,s,1,0,1,\n");
	struct tw_graph *graph = graph_of(2, (const char *const[][3]){{"a", "8", "s"}, {"b", "8", "s"}});
	struct tw__platform *p = mirage_with("4+2+1", 0);
	struct tw__times times;
	struct tw_error err = {""};
	ck_assert_msg(tw__times_bind(&times, models, p, graph, &err) == TW_OK, "%s", err.message);
	ck_assert_double_nan(seconds_of(&times, 0, ON_4));
	ck_assert_double_eq(seconds_of(&times, 0, ON_2), 70e-6);
	ck_assert_double_eq(times.stddev[ON_2], 7e-6);
	ck_assert_double_eq(seconds_of(&times, 0, ON_1), 100e-6);
	ck_assert_double_eq(seconds_of(&times, 1, ON_4), 30e-6);
	ck_assert_double_nan(seconds_of(&times, 1, ON_2));
	ck_assert(times.measured && !times.flop_rate);
	tw__times_finish(&times);
	tw__platform_destroy(p);
	tw_graph_destroy(graph);
	tw__models_destroy(models);
}
END_TEST

/* Measured on 1, 4 and 10 cores: speeds of 1, 2 and 4 per 100 us. */
START_TEST(times_between_measured_groups_are_on_a_straight_speedup)
{
	struct tw__models *models =
		models_of(HEADER "a,cpu,10,8,s,25,5,1,\na,cpu,1,8,s,100,10,1,\na,cpu,4,8,s,50,10,1,\n"
	                         "a,cpu,2,8,d,1,0,1,\na,cpu,3,9,s,1,0,1,\na,vax,3,8,s,1,0,1,\n"
	                         "b,cpu,4,8,s,40,0,1,\nb,m2070-0,1,8,s,1,0,1,\n");
	struct tw_graph *graph = graph_of(2, (const char *const[][3]){{"x.a", "8", "s"}, {"b", "8", "s"}});
	struct tw__platform *p = mirage_with("7+2+1", 0), *q = mirage_with("4+2", 1);
	struct tw__times times;
	struct tw_error err = {""};
	tw_arch on_7 = 0, on_2 = 1, on_1 = 2;
	/* B runs on 4 cores and on GPUs. */
	ck_assert_int_eq(tw__times_bind(&times, models, p, graph, &err), TW_INVALID);
	tw_graph_destroy(graph);
	graph = graph_of(1, (const char *const[][3]){{"x.a", "8", "s"}});
	ck_assert_msg(tw__times_bind(&times, models, p, graph, &err) == TW_OK, "%s", err.message);
	ck_assert_double_eq_tol(seconds_of(&times, 0, on_7), 100e-6 / 3, 1e-15);
	/* A fifth of the time, on 4 and on 10 cores. */
	ck_assert_double_eq_tol(times.stddev[on_7], 0.2 * 100e-6 / 3, 1e-15);
	ck_assert_double_eq_tol(seconds_of(&times, 0, on_2), 75e-6, 1e-15);
	ck_assert_double_eq_tol(times.stddev[on_2], (0.1 + 0.1 / 3) * 75e-6, 1e-15);
	ck_assert_double_eq(seconds_of(&times, 0, on_1), 100e-6);
	ck_assert(times.measured && times.inferred && !times.flop_rate);
	tw__times_finish(&times);
	tw_graph_destroy(graph);

	/* Measured times are used as they are; b has no times below 4 cores. */
	graph = graph_of(2, (const char *const[][3]){{"a", "8", "s"}, {"b", "8", "s"}});
	tw_arch of_4 = 1, of_2 = 2;
	ck_assert_msg(tw__times_bind(&times, models, q, graph, &err) == TW_OK, "%s", err.message);
	ck_assert_double_eq(seconds_of(&times, 0, of_4), 50e-6);
	ck_assert_double_eq(seconds_of(&times, 1, of_4), 40e-6);
	ck_assert_double_nan(seconds_of(&times, 1, of_2));
	tw__times_finish(&times);
	tw_graph_destroy(graph);

	/* Interpolation has precedence over --extrapolate. */
	graph = graph_of(1, (const char *const[][3]){{"a", "8", "s"}});
	tw__models_extrapolate(models);
	ck_assert_msg(tw__times_bind(&times, models, p, graph, &err) == TW_OK, "%s", err.message);
	ck_assert_double_eq_tol(seconds_of(&times, 0, on_7), 100e-6 / 3, 1e-15);
	ck_assert(times.inferred && !times.flop_rate);
	tw__times_finish(&times);
	tw_graph_destroy(graph);
	tw__platform_destroy(p);
	tw__platform_destroy(q);
	tw__models_destroy(models);
}
END_TEST

/* "cpu" in a graph's restrictions and records includes groups of its cores. But recorded seconds are those of one
 * core. */
START_TEST(archs_are_named_whatever_their_cores)
{
	struct tw__models *models = models_of(HEADER "gemm,cpu,1,8,s,100,0,1,\ngemm,cpu,2,8,s,60,0,1,\n"
	                                             "gemm,m2070-0,1,8,s,10,0,1,\ngemm,cpu,4,8,s,40,0,1,\n");
	struct tw__platform *p = mirage_with("4+2+1", 1);
	for (int restricted = 0; restricted < 2; restricted++) {
		struct tw_graph *graph = recorded_graph("gemm", "cpu", restricted ? "accelerators" : "processors");
		struct tw__times times;
		struct tw_error err = {""};
		/* A group that the graph excludes is not an error of the rows. */
		ck_assert_msg(tw__times_bind(&times, models, p, graph, &err) == TW_OK, "%s", err.message);
		for (tw_arch a = 0; a < p->n_archs; a++) {
			static const double us[] = {[1] = 100, [2] = 60, [4] = 40};
			double want = p->archs[a].accelerator ? 10 : us[p->archs[a].cores];
			for (tw_task t = 0; t < 2; t++) {
				double got = tw__task_seconds(&times, graph, t, a);
				if (p->archs[a].accelerator != restricted)
					ck_assert_double_nan(got);
				else if (t == 0 && p->archs[a].cores == 1 && !restricted)
					ck_assert_double_eq(got, 7);
				else
					ck_assert_double_eq(got, want / 1e6);
			}
		}
		tw__times_finish(&times);
		tw_graph_destroy(graph);
	}
	tw__platform_destroy(p);
	tw__models_destroy(models);
}
END_TEST

static void expect_no_times(const char *text, bool extrapolate, const char *groups, int gpus, const char *message)
{
	struct tw__models *models = models_of(text);
	struct tw_graph *graph = graph_of(2, (const char *const[][3]){{"a", "8", "s"}, {"b", "9", "d"}});
	struct tw__platform *p = mirage_with(groups, gpus);
	struct tw__times times;
	struct tw_error err = {""};
	if (extrapolate)
		tw__models_extrapolate(models);
	ck_assert_int_eq(tw__times_bind(&times, models, p, graph, &err), TW_INVALID);
	ck_assert_contains(err.message, message);
	ck_assert_ptr_null(times.mean);
	tw__platform_destroy(p);
	tw_graph_destroy(graph);
	tw__models_destroy(models);
}

START_TEST(a_group_that_nothing_can_run_on_is_told)
{
	static const char on_gpu[] = HEADER "a,m2070-0,1,8,s,1,0,1,\nb,m2070-0,1,9,d,1,0,1,\nb,cpu,2,9,d,1,0,1,\n";
	expect_no_times(on_gpu, false, "2+3", 1,
	                "no kernel has a time on cpu with 3 cores, a group of platform 'mirage': expected rows "
	                "a,cpu,3,8,s or b,cpu,3,9,d; or --extrapolate");
	expect_no_times(on_gpu, true, "2+3", 1, "b,cpu,3,9,d; or those of one core to extrapolate from");
	/* Without a GPU, the kernel has no time at all. */
	expect_no_times(on_gpu, false, "2+3", 0,
	                "no time of kernel 'a', size 8, precision 's' on the workers of platform 'mirage' "
	                "(cpu with 2 cores, cpu with 3 cores): expected a row a,cpu,2,8,s");
	/* The listed sizes have times on these groups. */
	expect_no_times(HEADER "a,cpu,1,10,s,1,0,1,\na,cpu,2,20,s,1,0,1,\n", false, "2", 0, "that have times: 20 (s)");
}
END_TEST

/* Beaumont et al. 2016, Table I: speed-ups of 10, 5 and 2 cores over one. */
static const struct {
	const char *kernel;
	double on_10, on_5, on_2;
} table_1[] = {
	{"potrf", 5.55, 4.20, 1.88}, {"trsm", 6.75, 4.50, 1.95},  {"syrk", 6.90, 4.66, 1.93},
	{"gemm", 7.77, 4.49, 1.94},  {"geqrt", 1.65, 1.67, 1.33}, {"ormqr", 4.10, 3.30, 1.77},
	{"tsqrt", 0.73, 1.25, 1.16}, {"tsmqr", 6.94, 4.05, 1.91},
};

/* src/perf/flop_rate.c says how much the times of groups exceed the paper's. */
START_TEST(speedups_of_groups_are_near_the_papers)
{
	for (size_t i = 0; i < sizeof table_1 / sizeof table_1[0]; i++) {
		const char *kernel = table_1[i].kernel;
		bool tsqrt = strcmp(kernel, "tsqrt") == 0, gemm = strcmp(kernel, "gemm") == 0;
		double on_5 = table_1[i].on_5 / tw__group_speedup(NULL, kernel, 5) - 1;
		double on_2 = table_1[i].on_2 / tw__group_speedup(NULL, kernel, 2) - 1;
		ck_assert_double_eq_tol(tw__group_speedup(NULL, kernel, 10), table_1[i].on_10, 1e-12);
		ck_assert_double_eq(tw__group_speedup(NULL, kernel, 1), 1);
		ck_assert_double_ge(on_5, tsqrt ? 0.55 : 0.045);
		ck_assert_double_le(on_5, tsqrt ? 0.56 : gemm ? 0.075 : 0.27);
		ck_assert_double_ge(on_2, tsqrt ? 0.27 : 0.045);
		ck_assert_double_le(on_2, tsqrt ? 0.28 : gemm ? 0.05 : 0.16);
	}
	/* For this kernel, more cores are slower. */
	ck_assert_double_lt(tw__group_speedup(NULL, "tsqrt", 4), tw__group_speedup(NULL, "tsqrt", 2));
	ck_assert_double_eq(tw__group_speedup(NULL, "getrf", 7), tw__group_speedup(NULL, "potrf", 7));
	ck_assert_double_eq(tw__group_speedup(NULL, "unheard_of", 7), tw__group_speedup(NULL, "gemm", 7));
}
END_TEST

/* On a group: its row; otherwise one core's time and the speed-up; otherwise the flop-rate model's time of a core and
 * the speed-up. */
START_TEST(times_of_groups_follow_from_those_of_one_core)
{
	static const char *const kernels[][3] = {
		{"gemm", "100", "s"}, {"lu.trsm", "100", "s"}, {"tsqrt", "100", "s"}, {"on_gpu", "100", "s"}};
	struct tw__models *models =
		models_of(HEADER "gemm,cpu,1,100,s,1000,10,1,\ngemm,cpu,2,100,s,700,7,1,\ntrsm,cpu,1,100,s,600,6,1,\n"
	                         "trsm,m2070-0,1,100,s,60,6,1,\non_gpu,m2070-0,1,100,s,5,0,1,\n");
	struct tw_graph *graph = graph_of(4, kernels);
	struct tw__platform *p = mirage_with("4+2", 1);
	struct tw__times times;
	struct tw_error err = {""};
	tw_arch gpu = 0, on_4 = 1, on_2 = 2;
	tw__models_extrapolate(models);
	ck_assert_msg(tw__times_bind(&times, models, p, graph, &err) == TW_OK, "%s", err.message);
	ck_assert_double_eq(seconds_of(&times, 0, on_2), 700e-6);
	ck_assert_double_eq_tol(seconds_of(&times, 0, on_4), 1000e-6 / pow(4, log10(7.77)), 1e-15);
	ck_assert_double_eq_tol(times.stddev[on_4], 10e-6 / pow(4, log10(7.77)), 1e-15);
	ck_assert_double_nan(seconds_of(&times, 0, gpu));
	/* Rows of lu.trsm, or else of trsm; groups follow the same rule. */
	ck_assert_double_eq_tol(seconds_of(&times, 1, on_4), 600e-6 / pow(4, log10(6.75)), 1e-15);
	ck_assert_double_eq(seconds_of(&times, 1, gpu), 60e-6);
	/* 1 flop at 0.484 of 2 GFlop/s; four cores take longer. */
	ck_assert_double_eq_tol(seconds_of(&times, 2, on_4), 1 / 0.968e9 * pow(4, -log10(0.73)), 1e-18);
	ck_assert_double_gt(seconds_of(&times, 2, on_4), seconds_of(&times, 2, on_2));
	/* If one core cannot run it, no group can. */
	ck_assert_double_nan(seconds_of(&times, 3, on_4));
	ck_assert(times.measured && times.flop_rate);
	tw__times_finish(&times);

	/* Results say flop_rate even if all kernels were measured on one core. */
	struct tw__platform *group = mirage_with("4", 0);
	struct tw_graph *one = graph_of(1, kernels);
	ck_assert_msg(tw__times_bind(&times, models, group, one, &err) == TW_OK, "%s", err.message);
	ck_assert(!times.measured && times.flop_rate);
	tw__times_finish(&times);
	tw_graph_destroy(one);
	tw__platform_destroy(group);
	tw__platform_destroy(p);
	tw_graph_destroy(graph);
	tw__models_destroy(models);
}
END_TEST

/* The rows follow the rules stated in platforms/synthetic/kernels.csv. */
START_TEST(synthetic_times_are_flops_over_its_rates)
{
	static const struct {
		const char *kernel, *arch, *precision;
		int cores;
		double flops, gflop_rate;
	} cases[] = {
		{"gemm", "fast", "d", 1, 2, 40},          {"gemm", "fast", "s", 4, 2, 80 * 3.6},
		{"gemm", "gpu-b", "s", 1, 2, 1800},       {"syrk", "slow", "d", 2, 1, 14 * 1.9},
		{"trsm", "slow", "s", 4, 1, 28 * 3.3},    {"trsm_l", "gpu-a", "d", 1, 1, 350},
		{"trsm_u", "fast", "d", 2, 1, 35 * 1.85}, {"potrf", "slow", "d", 4, 1 / 3.0, 12 * 2.5},
		{"potrf", "gpu-b", "s", 1, 1 / 3.0, 90},  {"getrf", "gpu-a", "s", 1, 2 / 3.0, 80},
	};
	struct tw__platform *synthetic;
	struct tw__models *models;
	struct tw_error err = {""};
	char *path;
	ck_assert_msg(tw__platform_find(&synthetic, &path, "synthetic", &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__models_read(&models, path, NULL, &err) == TW_OK, "%s", err.message);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct tw__row *row = tw__models_find(models, cases[i].kernel, "960", cases[i].precision,
		                                            cases[i].arch, cases[i].cores);
		ck_assert_msg(row != NULL, "%s on %s", cases[i].kernel, cases[i].arch);
		double us = cases[i].flops * 960 * 960 * 960 / (cases[i].gflop_rate * 1e3);
		ck_assert_double_eq_tol(row->mean_us / us, 1, 1e-5);
		ck_assert_double_eq_tol(row->stddev_us / us, 0.02, 1e-5);
	}
	/* 7 kernels in 2 precisions on 4 archs, and groups of 2 and 4 of both kinds of cores for all except getrf. */
	ck_assert_int_eq(models->n_rows, 7 * 2 * 4 + 6 * 2 * 2 * 2);
	tw__models_destroy(models);
	tw__platform_destroy(synthetic);
	free(path);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("times of groups");
	TCase *cases = tcase_create("groups");
	tcase_add_checked_fixture(cases, read_mirage, destroy_mirage);
	tcase_add_test(cases, a_groups_times_are_the_rows_with_its_cores);
	tcase_add_test(cases, times_between_measured_groups_are_on_a_straight_speedup);
	tcase_add_test(cases, archs_are_named_whatever_their_cores);
	tcase_add_test(cases, a_group_that_nothing_can_run_on_is_told);
	tcase_add_test(cases, speedups_of_groups_are_near_the_papers);
	tcase_add_test(cases, times_of_groups_follow_from_those_of_one_core);
	tcase_add_test(cases, synthetic_times_are_flops_over_its_rates);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
