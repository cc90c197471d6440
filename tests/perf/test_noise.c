/* Noise of times: the requested width and mean, positive, and a function of only seed, arch and task. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "perf/noise.h"

enum { DRAWS = 200000 };
static const uint64_t arch = 0x1234567;

static struct tw__noise noise_of(const char *text, uint64_t seed)
{
	struct tw__noise noise;
	struct tw_error err = {""};
	ck_assert_msg(tw__noise_parse(&noise, text, &err) == TW_OK, "%s", err.message);
	noise.seed = seed;
	return noise;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

struct moments {
	double mean, deviation, median, least, most;
};

static struct moments draw(struct tw__noise noise, double seconds, double stddev)
{
	static double x[DRAWS];
	double sum = 0, squares = 0;
	for (tw_task t = 0; t < DRAWS; t++)
		sum += x[t] = tw__noise_apply(&noise, seconds, stddev, arch, t);
	for (tw_task t = 0; t < DRAWS; t++)
		squares += pow(x[t] - sum / DRAWS, 2);
	qsort(x, DRAWS, sizeof *x, by_value);
	return (struct moments){sum / DRAWS, sqrt(squares / DRAWS), x[DRAWS / 2], x[0], x[DRAWS - 1]};
}

/* Means are within four standard errors. Deviations are within 3 %, which allows for that of the truncated normal
 * (0.9 %). */
START_TEST(mean_and_deviation_are_as_asked)
{
	static const struct {
		const char *text;
		double seconds, stddev;
		double deviation, median; /* expected, relative to the mean */
	} cases[] = {
		{"0.02", 3e-3, NAN, 0.02, 1},
		{"normal:0.3", 5, 0, 0.3, 1},
		{"lognormal:0.05", 1e-6, 0, 0.05, 0.99875},
		{"lognormal:1", 2, NAN, 1, 0.70711},
		{"measured", 4e-3, 1e-3, 0.25, 0.97014},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct moments m = draw(noise_of(cases[i].text, 7), cases[i].seconds, cases[i].stddev);
		double error = 4 * cases[i].deviation / sqrt(DRAWS);
		ck_assert_double_eq_tol(m.mean / cases[i].seconds, 1, error);
		ck_assert_double_eq_tol(m.deviation / cases[i].seconds, cases[i].deviation, 0.03 * cases[i].deviation);
		ck_assert_double_eq_tol(m.median / cases[i].seconds, cases[i].median, 2 * error);
		ck_assert_double_gt(m.least, 0);
	}
}
END_TEST

/* All samples are equally frequent, within four standard errors, and nothing else is drawn; the mean is theirs. */
START_TEST(empirical_draws_are_the_samples)
{
	static const double factors[] = {0.5, 0.75, 0.9, 1.1, 1.75};
	enum { N = sizeof factors / sizeof factors[0] };
	const struct tw__noise noise = noise_of("empirical", 3), other = noise_of("empirical", 4);
	int drawn[N] = {0}, same = 0;
	double sum = 0;
	for (tw_task t = 0; t < DRAWS; t++) {
		double x = tw__noise_draw(&noise, 2e-3, factors, N, arch, t);
		int k = 0;
		while (k < N && x != 2e-3 * factors[k])
			k++;
		ck_assert_int_lt(k, N);
		drawn[k]++;
		sum += x;
		ck_assert_double_eq(x, tw__noise_draw(&noise, 2e-3, factors, N, arch, t));
		same += x == tw__noise_draw(&other, 2e-3, factors, N, arch, t);
	}
	double p = 1. / N, error = 4 * sqrt(p * (1 - p) * DRAWS);
	for (int k = 0; k < N; k++)
		ck_assert_double_eq_tol(drawn[k], p * DRAWS, error);
	ck_assert_double_eq_tol(same, p * DRAWS, error);
	ck_assert_double_eq_tol(sum / DRAWS / 2e-3, 1, 0.005);
	ck_assert_double_nan(tw__noise_draw(&noise, NAN, factors, N, arch, 1));
	ck_assert_double_le(tw__noise_draw(&noise, 1e9, (double[]){2}, 1, arch, 1), 1e9);
	ck_assert_double_eq_tol(draw(noise, 4e-3, 1e-3).deviation, 1e-3, 3e-5); /* without samples: as `measured` */
}
END_TEST

START_TEST(the_widest_noise_is_above_0)
{
	ck_assert_double_gt(draw(noise_of("lognormal:3", 1), 1e-9, 0).least, 0);
	ck_assert_double_gt(draw(noise_of("measured", 1), 1e-9, 1).least, 0);
	ck_assert_double_gt(draw(noise_of("measured", 1), 1e-300, 1e300).least, 0);
	ck_assert_double_gt(draw((struct tw__noise){TW__NOISE_EXPONENT, 1, 1}, 1e-9, 0).least, 0);
	ck_assert_double_le(draw((struct tw__noise){TW__NOISE_EXPONENT, 1, 1}, 1e9, 0).most, 1e9);
}
END_TEST

START_TEST(what_has_no_deviation_or_no_time_stays)
{
	struct tw__noise measured = noise_of("measured", 1), normal = noise_of("0.1", 1),
			 none = noise_of("normal:0", 1);
	ck_assert_double_eq(tw__noise_apply(&measured, 2, 0, arch, 3), 2);
	ck_assert_double_eq(tw__noise_apply(&measured, 2, NAN, arch, 3), 2);
	ck_assert_double_eq(tw__noise_apply(&none, 2, 1, arch, 3), 2);
	ck_assert_double_nan(tw__noise_apply(&normal, NAN, NAN, arch, 3));
	ck_assert_double_eq(tw__noise_apply(&normal, 0, 0, arch, 3), 0);
}
END_TEST

/* The order of draws does not matter. Another seed, task or arch gives another draw, and neighbours are independent. */
START_TEST(draws_are_functions_of_seed_arch_and_task)
{
	enum { N = 1000 };
	static const char *const texts[] = {"0.1", "lognormal:0.1", "measured"};
	for (int k = 0; k < 3; k++) {
		struct tw__noise a = noise_of(texts[k], 1), b = noise_of(texts[k], 2);
		double x[N], seeds = 0, archs = 0, tasks = 0;
		for (tw_task t = N - 1; t >= 0; t--)
			x[t] = tw__noise_apply(&a, 1, 0.1, arch, t);
		for (tw_task t = 0; t < N; t++) {
			ck_assert_double_eq(x[t], tw__noise_apply(&a, 1, 0.1, arch, t));
			double other_seed = tw__noise_apply(&b, 1, 0.1, arch, t);
			double other_arch = tw__noise_apply(&a, 1, 0.1, arch + 1, t);
			ck_assert(x[t] != other_seed && x[t] != other_arch && (t == 0 || x[t] != x[t - 1]));
			seeds += (x[t] - 1) * (other_seed - 1) / 0.01 / N;
			archs += (x[t] - 1) * (other_arch - 1) / 0.01 / N;
			tasks += t ? (x[t] - 1) * (x[t - 1] - 1) / 0.01 / N : 0;
		}
		/* Correlations of independent numbers: below 4 standard errors. */
		ck_assert_double_lt(fabs(seeds), 4 / sqrt(N));
		ck_assert_double_lt(fabs(archs), 4 / sqrt(N));
		ck_assert_double_lt(fabs(tasks), 4 / sqrt(N));
	}
}
END_TEST

/* Augonnet 2011, section 3.5.4: the logarithm is multiplied by a number that is uniform in [1 - eta, 1 + eta]. */
START_TEST(wrong_beliefs_are_powers_of_microseconds)
{
	struct tw__noise error = {TW__NOISE_EXPONENT, 0.05, 3};
	double least = 2, most = 0, sum = 0;
	for (tw_task t = 0; t < DRAWS; t++) {
		double exponent = log(tw__noise_apply(&error, 0.01, 0, arch, t) * 1e6) / log(1e4);
		least = fmin(least, exponent);
		most = fmax(most, exponent);
		sum += exponent;
	}
	ck_assert(least >= 0.95 - 1e-12 && least < 0.9501);
	ck_assert(most <= 1.05 + 1e-12 && most > 1.0499);
	ck_assert_double_eq_tol(sum / DRAWS, 1, 4 * 0.05 / sqrt(3. * DRAWS));
	/* One microsecond to any power is one microsecond. */
	ck_assert_double_eq_tol(tw__noise_apply(&error, 1e-6, 0, arch, 1), 1e-6, 1e-18);
}
END_TEST

START_TEST(other_words_are_refused)
{
	static const char *const words[] = {"",         "x",        "-0.1",       "0.31",      "normal",
	                                    "normal:",  "normal:x", "lognormal",  "lognormal", "lognormal:3.1",
	                                    "nan",      "inf",      "measured:1", "0.1:2",     " 0.1",
	                                    "normal:1", "Measured", "0.1%"};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		struct tw__noise noise;
		struct tw_error err = {""};
		ck_assert_msg(tw__noise_parse(&noise, words[i], &err) == TW_INVALID, "%s", words[i]);
		ck_assert_ptr_nonnull(strstr(err.message, "expected a standard deviation"));
		ck_assert_ptr_nonnull(strstr(err.message, words[i]));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("noise");
	TCase *cases = tcase_create("noise");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, mean_and_deviation_are_as_asked);
	tcase_add_test(cases, empirical_draws_are_the_samples);
	tcase_add_test(cases, the_widest_noise_is_above_0);
	tcase_add_test(cases, what_has_no_deviation_or_no_time_stays);
	tcase_add_test(cases, draws_are_functions_of_seed_arch_and_task);
	tcase_add_test(cases, wrong_beliefs_are_powers_of_microseconds);
	tcase_add_test(cases, other_words_are_refused);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
