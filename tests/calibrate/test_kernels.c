/* The calibration finds given times of kernels despite disturbances. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "calibrate/calibrate.h"
#include "standin.h"

static const char cores[] = "<host id=\"CPU\" speed=\"1Gf\" core=\"4\"><prop id=\"arch\" value=\"cpu\"/></host>\n"
			    "<host id=\"RAM\" speed=\"1f\"/>\n";
static const char *const names[] = {"a", "b", "c"};
static const double truth_s[] = {1e-3, 25e-6, 80e-3};
enum { N = 3 };

static bool hear(void *context, int entry, const struct tw__execution *e)
{
	(void)entry, (void)e;
	++*(int *)context;
	return true;
}

static struct tw__calibration collect(struct standin *s, double limit_s, int *n_told)
{
	struct tw__calibration c = {0};
	struct tw_error err = {""};
	int entry[N];
	struct tw__source source = standin_source(s);
	s->platform = standin_platform(cores);
	s->n_kernels = N;
	for (int k = 0; k < N; k++) {
		s->truth_s[k] = truth_s[k];
		entry[k] = tw__calibration_entry(&c, "test", names[k], "cpu", 1, "1", "d");
		ck_assert_int_eq(entry[k], k);
	}
	const struct tw__collect collect = {.calibration = &c,
	                                    .source = &source,
	                                    .platform = s->platform,
	                                    .n_kernels = N,
	                                    .entry = entry,
	                                    .limit_s = limit_s,
	                                    .tell = hear,
	                                    .context = n_told};
	*n_told = 0;
	ck_assert_msg(tw__collect(&collect, &err) == TW_OK, "%s", err.message);
	for (int k = 0; k < N; k++)
		free(tw__calibrated_estimate(&c.kernels[k]));
	tw__platform_destroy((struct tw__platform *)s->platform);
	return c;
}

static void expect_truth(struct standin s)
{
	for (s.seed = 1; s.seed <= 20; s.seed++) {
		struct standin one = s;
		int n_told;
		size_t n = 0, outliers = 0, interrupted = 0;
		struct tw__calibration c = collect(&one, 1e6, &n_told);
		for (int k = 0; k < N; k++) {
			const struct tw__estimate *e = &c.kernels[k].estimate;
			ck_assert_msg(fabs(e->mean_s / truth_s[k] - 1) < 0.01, "seed %d: %s: %g s instead of %g s",
			              (int)s.seed, names[k], e->mean_s, truth_s[k]);
			/* The calibration ends when the intervals of all estimates are narrow;
			 * some executions come later. */
			ck_assert_double_lt(e->interval, 0.0125);
			n += c.kernels[k].n;
			outliers += e->n[TW__OUTLIER];
			interrupted += e->n[TW__INTERRUPTED];
		}
		ck_assert_uint_eq(n, (size_t)n_told);
		/* Not counted are executions that ran when the calibration ended, and those within a slow start. */
		ck_assert_uint_le(outliers, (size_t)one.n_outliers);
		ck_assert_uint_le(interrupted, (size_t)one.n_interrupted);
		if (one.n_outliers > 20)
			ck_assert_uint_ge(outliers + 20, (size_t)one.n_outliers);
		if (one.n_interrupted > 20)
			ck_assert_uint_ge(interrupted + 20, (size_t)one.n_interrupted);
		tw__calibration_finish(&c);
	}
}

START_TEST(constant) { expect_truth((struct standin){0}); }
END_TEST

START_TEST(noisy) { expect_truth((struct standin){.deviation = 0.05}); }
END_TEST

START_TEST(slow_start) { expect_truth((struct standin){.slow_executions = 8}); }
END_TEST

START_TEST(outliers) { expect_truth((struct standin){.deviation = 0.02, .outliers = 0.01}); }
END_TEST

START_TEST(interrupted) { expect_truth((struct standin){.deviation = 0.02, .interruptions = 0.1}); }
END_TEST

START_TEST(all_at_once)
{
	expect_truth((struct standin){.deviation = 0.05, .slow_executions = 8, .outliers = 0.01, .interruptions = 0.1});
}
END_TEST

START_TEST(no_time)
{
	struct standin s = {0};
	int n_told;
	struct tw__calibration c = collect(&s, 0, &n_told);
	for (int k = 0; k < N; k++) {
		ck_assert_uint_ge(c.kernels[k].n, 1);
		ck_assert_double_eq_tol(c.kernels[k].estimate.mean_s, truth_s[k], 1e-3 * truth_s[k]);
		ck_assert(tw__estimate_is_wide(&c.kernels[k].estimate));
	}
	tw__calibration_finish(&c);
}
END_TEST

/* --- single estimates --------------------------------------------------------------------------------------------- */

static struct tw__estimate estimate(const struct tw__execution *e, size_t n)
{
	struct tw__estimate result;
	enum tw__verdict verdicts[100];
	double room[100];
	tw__estimate(&result, e, n, verdicts, room);
	ck_assert(!isnan(result.mean_s) && !isnan(result.stddev_s) && !isnan(result.interval));
	return result;
}

START_TEST(one_execution)
{
	const struct tw__execution e = {.seconds = 2};
	struct tw__estimate got = estimate(&e, 1);
	ck_assert_double_eq(got.mean_s, 2);
	ck_assert(isinf(got.interval) && got.n[TW__COUNTS] == 1);
}
END_TEST

START_TEST(all_interrupted)
{
	struct tw__execution e[10];
	for (int i = 0; i < 10; i++)
		e[i] = (struct tw__execution){.seconds = 1 + i, .interrupted = true};
	ck_assert_uint_eq(estimate(e, 10).n[TW__COUNTS], 7);
}
END_TEST

/* Each worker warms up. Executions that an earlier calibration has kept stay. */
START_TEST(starts)
{
	struct tw__execution e[40];
	for (int i = 0; i < 40; i++)
		e[i] = (struct tw__execution){.seconds = 1, .worker = i % 2};
	e[0].seconds = e[1].seconds = e[2].seconds = 9;
	struct tw__estimate got = estimate(e, 40);
	ck_assert_uint_eq(got.n[TW__SLOW_START], 6);
	ck_assert_double_eq(got.mean_s, 1);
	for (int i = 0; i < 40; i++)
		e[i].is_warm = true;
	ck_assert_uint_eq(estimate(e, 40).n[TW__COUNTS], 40);
}
END_TEST

START_TEST(lone_outlier)
{
	struct tw__execution e[50];
	for (int i = 0; i < 50; i++)
		e[i] = (struct tw__execution){.seconds = i == 30 ? 1.6 : i == 31 ? 1.4 : 1};
	struct tw__estimate got = estimate(e, 50);
	ck_assert_uint_eq(got.n[TW__OUTLIER], 1);
	ck_assert_double_eq(got.worst_s, 1.6);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("calibrate kernels");
	TCase *recovered = tcase_create("recovered"), *single = tcase_create("single");
	tcase_set_timeout(recovered, 120);
	tcase_add_test(recovered, constant);
	tcase_add_test(recovered, noisy);
	tcase_add_test(recovered, slow_start);
	tcase_add_test(recovered, outliers);
	tcase_add_test(recovered, interrupted);
	tcase_add_test(recovered, all_at_once);
	tcase_add_test(recovered, no_time);
	tcase_add_test(single, one_execution);
	tcase_add_test(single, all_interrupted);
	tcase_add_test(single, starts);
	tcase_add_test(single, lone_outlier);
	suite_add_tcase(suite, recovered);
	suite_add_tcase(suite, single);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
