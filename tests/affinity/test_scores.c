/* The scores, fast and slow resources, and merged queues of Beaumont et al. 2016. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/support/affinity.h"

static const double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};

/* Table IIa: rows T1 and T2, columns R1, R2, R3. */
static const double table_2[] = {100, 120, 200, 200, 60, 75};
static const struct tw_affinity example = {2, 3, table_2, ones, ones};

/* Table IIc, as printed: with one digit. */
START_TEST(het_index_is_that_of_table_2c)
{
	static const char *const printed[] = {"2.0", "1.4", "0.5", "0.3", "3.3", "2.1"};
	double scores[6];
	tw_het_index_scores(scores, &example);
	for (int i = 0; i < 6; i++) {
		char text[16];
		snprintf(text, sizeof text, "%.1f", scores[i]);
		ck_assert_str_eq(text, printed[i]);
	}
}
END_TEST

/* Table IIb, as fractions: one worker of each resource, as many tasks of one type as of the other. */
START_TEST(area_scores_are_those_of_table_2b)
{
	static const double printed[] = {0.6, 0.4, 0, 0, 0.2, 0.8}, many[] = {100, 100};
	struct tw_affinity a = example;
	double scores[6];
	struct tw_error err = {""};
	for (int pass = 0; pass < 2; pass++) {
		ck_assert_msg(tw_area_scores(scores, &a, &err) == TW_OK, "%s", err.message);
		for (int i = 0; i < 6; i++)
			ck_assert_double_eq_tol(scores[i], printed[i], 1e-9);
		a.tasks = many; /* fractions do not depend on the number of tasks */
	}
}
END_TEST

/* Section III.C: R1 prefers T1 and R3 T2 under both; R2 prefers T1 by Area and T2 by Het. Index. */
START_TEST(preferences_are_those_of_the_example)
{
	static const int preferred[2][3] = {{0, 0, 1}, {0, 1, 1}};
	double scores[6];
	struct tw_error err = {""};
	for (int system = 0; system < 2; system++) {
		if (system == 0)
			ck_assert_int_eq(tw_area_scores(scores, &example, &err), TW_OK);
		else
			tw_het_index_scores(scores, &example);
		for (int r = 0; r < 3; r++) {
			int order[2], group[2];
			ck_assert_int_eq(tw_affinity_order(order, group, scores, &example, r, 0, TW_SCALE_FREE), 2);
			ck_assert_int_eq(order[0], preferred[system][r]);
		}
	}
}
END_TEST

/* --- table I ---------------------------------------------------------------------------------------------------- */

enum { POTRF, TRSM, SYRK, GEMM };
enum { GEQRT, ORMQR, TSQRT, TSMQR };

/* One core's GFlop/s, and the speed-ups of a GPU and of 10, 5 and 2 cores; flops in units of nb^3. */
static const double table_1a[4][5] = {
	{27.78, 1.72, 5.55, 4.20, 1.88},
	{34.42, 8.72, 6.75, 4.50, 1.95},
	{31.52, 26.96, 6.90, 4.66, 1.93},
	{36.46, 28.80, 7.77, 4.49, 1.94},
};
static const double table_1b[4][5] = {
	{22.08, 1.91, 1.65, 1.67, 1.33},
	{33.78, 15.90, 4.10, 3.30, 1.77},
	{17.63, 1.87, 0.73, 1.25, 1.16},
	{32.93, 14.64, 6.94, 4.05, 1.91},
};
static const double flops_1a[] = {1. / 3, 1, 1, 2}, flops_1b[] = {4. / 3, 2, 2, 4};

/* The columns listed in `columns`. 0: one core, 1: GPU, 2: 10 cores, 3: 5 cores, 4: 2 cores. */
static struct tw_affinity of_table(double *seconds, const double table[4][5], const double *flops, const int *columns,
                                   int n)
{
	for (int t = 0; t < 4; t++)
		for (int r = 0; r < n; r++)
			seconds[t * n + r] = flops[t] * 960 * 960 * 960 / (table[t][0] * 1e9) /
			                     (columns[r] == 0 ? 1 : table[t][columns[r]]);
	return (struct tw_affinity){4, n, seconds, ones, ones};
}

/* "With GPUs and CPUs only, the heterogeneity index of GPUs is the acceleration factor, that of CPUs its inverse." */
START_TEST(het_index_of_two_resources_is_the_acceleration_factor)
{
	double seconds[8], scores[8];
	struct tw_affinity a = of_table(seconds, table_1a, flops_1a, (const int[]){0, 1}, 2);
	tw_het_index_scores(scores, &a);
	for (int t = 0; t < 4; t++) {
		ck_assert_double_eq_tol(scores[2 * t + 1], table_1a[t][1], 1e-9);
		ck_assert_double_eq_tol(scores[2 * t], 1 / table_1a[t][1], 1e-9);
	}
}
END_TEST

static void check_order(const struct tw_affinity *a, const double *scores, int resource, double within,
                        const int *order, const int *group)
{
	int got_order[8], got_group[8];
	ck_assert_int_eq(tw_affinity_order(got_order, got_group, scores, a, resource, within, TW_SCALE_FREE),
	                 a->n_types);
	for (int i = 0; i < a->n_types; i++) {
		ck_assert_int_eq(got_order[i], order[i]);
		ck_assert_int_eq(got_group[i], group[i]);
	}
}

/* Section III.A: for GPUs, "the first one regrouping DSYRK and DGEMM, the second one DTRSM, the last one DPOTRF"; for
 * CPUs, "4 ready queues, DPOTRF, DTRSM, DSYRK and DGEMM, in that order". QR is grouped in the same way; the paper has
 * no values for it. */
START_TEST(queues_are_merged_as_the_paper_says)
{
	double seconds[8], scores[8];
	struct tw_affinity a = of_table(seconds, table_1a, flops_1a, (const int[]){0, 1}, 2);
	tw_het_index_scores(scores, &a);
	check_order(&a, scores, 1, 0.25, (const int[]){GEMM, SYRK, TRSM, POTRF}, (const int[]){0, 0, 1, 2});
	check_order(&a, scores, 0, 0, (const int[]){POTRF, TRSM, SYRK, GEMM}, (const int[]){0, 1, 2, 3});
	a = of_table(seconds, table_1b, flops_1b, (const int[]){0, 1}, 2);
	tw_het_index_scores(scores, &a);
	check_order(&a, scores, 1, 0.25, (const int[]){ORMQR, TSMQR, GEQRT, TSQRT}, (const int[]){0, 0, 1, 1});
	check_order(&a, scores, 0, 0, (const int[]){TSQRT, GEQRT, TSMQR, ORMQR}, (const int[]){0, 1, 2, 3});
}
END_TEST

/* Scores 100, 80, 70, 56: the second is within 25 % of the first, the third only within 25 % of the second. Equal
 * scores are merged. */
START_TEST(merging_does_not_chain)
{
	static const double scores[] = {100, 80, 70, 56, 0, 0, 0}, seconds[] = {1, 1, 1, 1, 1, 1, INFINITY};
	static const struct tw_affinity a = {7, 1, seconds, ones, ones};
	static const int expected[] = {0, 0, 1, 1, 2, 2};
	int order[7], group[7];
	ck_assert_int_eq(tw_affinity_order(order, group, scores, &a, 0, 0.25, TW_SCALE_FREE), 6); /* one cannot run */
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(order[i], i);
		ck_assert_int_eq(group[i], expected[i]);
	}
}
END_TEST

/* Area scores are fractions of the whole: 0.5 and 0.3 differ by 20 points, and by 40 % of the greater one. */
START_TEST(merging_by_points)
{
	static const double scores[] = {0.5, 0.3, 0.26, 0.25, 0}, seconds[] = {1, 1, 1, 1, 1};
	static const struct tw_affinity a = {5, 1, seconds, ones, ones};
	static const int by_points[] = {0, 0, 0, 1, 2}, by_part[] = {0, 1, 1, 1, 2};
	int order[5], group[5];
	tw_affinity_order(order, group, scores, &a, 0, 0.25, TW_SCALE_PARTS);
	ck_assert_mem_eq(group, by_points, sizeof by_points);
	tw_affinity_order(order, group, scores, &a, 0, 0.25, TW_SCALE_FREE);
	ck_assert_mem_eq(group, by_part, sizeof by_part);
}
END_TEST

/* Cores and GPUs: the GPUs are fast. Beside groups of 10 and 5 cores, those are fast, too; single cores and pairs are
 * slow. */
START_TEST(fast_resources_are_those_below_the_mean)
{
	static const int two[] = {0, 1}, all[] = {0, 1, 2, 3, 4};
	static const bool two_fast[] = {false, true}, all_fast[] = {false, true, true, true, false};
	static const bool many_fast[] = {false, true, false, false, false};
	double seconds[20];
	bool fast[5];
	struct tw_affinity a = of_table(seconds, table_1a, flops_1a, two, 2);
	tw_fast_resources(fast, &a, true);
	ck_assert_mem_eq(fast, two_fast, sizeof two_fast);
	a = of_table(seconds, table_1a, flops_1a, all, 5);
	tw_fast_resources(fast, &a, true);
	ck_assert_mem_eq(fast, all_fast, sizeof all_fast);
	a = of_table(seconds, table_1b, flops_1b, two, 2);
	tw_fast_resources(fast, &a, true);
	ck_assert_mem_eq(fast, two_fast, sizeof two_fast);
	/* Each worker counts: beside many GPUs, not even 10 cores are fast. */
	a = of_table(seconds, table_1a, flops_1a, all, 5);
	a.workers = (const double[]){1, 100, 1, 1, 1};
	tw_fast_resources(fast, &a, true);
	ck_assert_mem_eq(fast, many_fast, sizeof many_fast);
	/* A resource that can run nothing is slow, and does not change the others. */
	static const double none[] = {8, INFINITY, 1, 8, INFINITY, 1};
	static const bool none_fast[] = {false, false, true};
	a = (struct tw_affinity){2, 3, none, ones, (const double[]){1, 100, 1}};
	tw_fast_resources(fast, &a, true);
	ck_assert_mem_eq(fast, none_fast, sizeof none_fast);
	/* Equal resources: none is below the mean. */
	static const double equal[] = {3, 3, 3, 7, 7, 7};
	a = (struct tw_affinity){2, 3, equal, ones, ones};
	tw_fast_resources(fast, &a, true);
	for (int r = 0; r < 3; r++)
		ck_assert(fast[r]);
}
END_TEST

/* Resources with times of 1, 6 and 10. With 1, 1 and 20 workers the mean over workers is 207 / 22 = 9.4, that over
 * resources 17 / 3 = 5.7. */
START_TEST(the_mean_is_over_workers_or_over_resources)
{
	static const double seconds[] = {1, 6, 10}, workers[] = {1, 1, 20};
	static const bool expected[2][3] = {{true, false, false}, {true, true, false}};
	const struct tw_affinity a = {1, 3, seconds, ones, workers};
	for (int by_worker = 0; by_worker < 2; by_worker++) {
		bool fast[3];
		tw_fast_resources(fast, &a, by_worker);
		ck_assert_mem_eq(fast, expected[by_worker], sizeof fast);
	}
}
END_TEST

/* A type that a resource cannot run counts neither in the index nor in the means. */
START_TEST(what_cannot_run_has_no_score)
{
	static const double seconds[] = {2, INFINITY, 8, 3, 3, 3};
	static const struct tw_affinity a = {2, 3, seconds, ones, ones};
	double scores[6];
	struct tw_error err = {""};
	tw_het_index_scores(scores, &a);
	ck_assert_double_eq(scores[0], 4);
	ck_assert_double_eq(scores[1], 0);
	ck_assert_double_eq(scores[2], 0.25);
	ck_assert_int_eq(tw_area_scores(scores, &a, &err), TW_OK);
	ck_assert_double_eq(scores[1], 0);
	ck_assert_double_eq_tol(scores[0] + scores[2], 1, 1e-9);
}
END_TEST

/* The area scores of two resources are ordered by acceleration factors: at most one type is shared. */
START_TEST(area_of_two_resources_follows_the_acceleration_factors)
{
	static const double tasks[] = {20, 190, 190, 1140}, workers[] = {20, 4};
	double seconds[8], scores[8];
	struct tw_error err = {""};
	struct tw_affinity a = of_table(seconds, table_1a, flops_1a, (const int[]){0, 1}, 2);
	a.tasks = tasks;
	a.workers = workers;
	ck_assert_msg(tw_area_scores(scores, &a, &err) == TW_OK, "%s", err.message);
	bool shared = false;
	for (int t = POTRF; t <= GEMM; t++) { /* by growing acceleration: first the CPUs' types, then the GPUs' */
		double cpu = scores[2 * t];
		ck_assert_double_eq_tol(cpu + scores[2 * t + 1], 1, 1e-9);
		ck_assert(shared ? cpu < 1e-9 : true);
		shared |= cpu < 1 - 1e-9;
	}
	/* The bound is from notes on this platform at nt=20. */
	double l = 0;
	for (int t = 0; t < 4; t++)
		l += scores[2 * t + 1] * tasks[t] * seconds[2 * t + 1] / workers[1];
	ck_assert_double_eq_tol(l, 486.71e-3, 0.01e-3);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("scores");
	TCase *cases = tcase_create("scores");
	tcase_add_test(cases, het_index_is_that_of_table_2c);
	tcase_add_test(cases, area_scores_are_those_of_table_2b);
	tcase_add_test(cases, preferences_are_those_of_the_example);
	tcase_add_test(cases, het_index_of_two_resources_is_the_acceleration_factor);
	tcase_add_test(cases, queues_are_merged_as_the_paper_says);
	tcase_add_test(cases, merging_does_not_chain);
	tcase_add_test(cases, merging_by_points);
	tcase_add_test(cases, fast_resources_are_those_below_the_mean);
	tcase_add_test(cases, the_mean_is_over_workers_or_over_resources);
	tcase_add_test(cases, what_cannot_run_has_no_score);
	tcase_add_test(cases, area_of_two_resources_follows_the_acceleration_factors);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
