/* Fits of laws to times: known parameters are found, within confidence intervals of the stated coverage; bad points
 * are refused. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf/noise.h"
#include "perf/regression.h"

enum { MOST = 40, SEEDS = 1000 };

struct law {
	enum tw__law law;
	double a, b, c;
};
static const struct law laws[] = {
	{TW__AFFINE, 0.003, 20, 0},        {TW__AFFINE, 2e-4, 900, 0},           {TW__POWER, 3.1e-6, 1.5, 0},
	{TW__POWER, 40, 0.31, 0},          {TW__POWER_OFFSET, 0.003, 1.4, 2000}, {TW__POWER_OFFSET, 2e-5, 1.5, 15000},
	{TW__POWER_OFFSET, 1, 0.9, 30000},
};
enum { N_CASES = sizeof laws / sizeof laws[0] };

static double time_of(const struct law *l, double s)
{
	return l->law == TW__AFFINE ? l->a * s + l->b : l->a * pow(s, l->b) + l->c;
}

/* Tiles with sides of 64, 128 ... in single precision; times with that relative noise. */
static void make_points(struct tw__point *points, int n, const struct law *l, double noise, uint64_t seed)
{
	struct tw__noise draws = {noise > 0 ? TW__NOISE_NORMAL : TW__NOISE_NONE, noise, seed};
	for (int i = 0; i < n; i++) {
		points[i].s = 4 * pow(64. * (i + 1), 2);
		points[i].t = tw__noise_apply(&draws, time_of(l, points[i].s), 0, 1, i);
	}
}

static struct tw__fit fit_of(enum tw__law law, const struct tw__point *points, int n)
{
	struct tw__fit fit;
	struct tw_error err = {""};
	ck_assert_msg(tw__fit(&fit, law, points, n, &err) == TW_OK, "%s", err.message);
	return fit;
}

static bool holds(const struct tw__parameter *p, double value) { return p->low <= value && value <= p->high; }

START_TEST(exact_times_give_exact_parameters)
{
	const struct law *l = &laws[_i];
	for (int n = l->law == TW__POWER_OFFSET ? 4 : 3; n <= MOST; n += 3) {
		struct tw__point points[MOST];
		make_points(points, n, l, 0, 1);
		struct tw__fit fit = fit_of(l->law, points, n);
		ck_assert_double_eq_tol(fit.a.value / l->a, 1, 1e-4);
		ck_assert_double_eq_tol(fit.b.value / l->b, 1, 1e-4);
		if (l->law == TW__POWER_OFFSET)
			ck_assert_double_eq_tol(fit.c.value / l->c, 1, 1e-4);
		ck_assert_double_eq_tol(fit.r2, 1, 1e-8);
		ck_assert_double_lt(fit.residual, 1e-6);
		/* Also times between and beyond the sizes. */
		for (double s = 1e4; s < 1e9; s *= 3)
			ck_assert_double_eq_tol(tw__fit_time(&fit, s) / time_of(l, s), 1, 1e-3);
	}
}
END_TEST

/* 95 % intervals contain the truth for 93 to 97 % of 1000 seeds (three standard errors are 2 %). This holds for few
 * sizes and many, little noise and much. The spread around the law is that of the noise. */
START_TEST(parameters_lie_in_their_intervals_as_often_as_these_say)
{
	const struct law *l = &laws[_i % N_CASES];
	int n = _i / N_CASES % 2 ? MOST : 8, inside[3] = {0}, fitted = 0;
	double noise = _i / N_CASES < 2 ? 0.02 : 0.1;
	double residuals = 0, widths = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct tw__point points[MOST];
		struct tw__fit fit;
		struct tw_error err = {""};
		make_points(points, n, l, noise, seed);
		if (tw__fit(&fit, l->law, points, n, &err) != TW_OK)
			continue;
		fitted++;
		inside[0] += holds(&fit.a, l->a);
		inside[1] += holds(&fit.b, l->b);
		inside[2] += holds(&fit.c, l->c);
		residuals += fit.residual * fit.residual;
		widths += (fit.b.high - fit.b.low) / fabs(l->b);
	}
	char what[200];
	snprintf(
		what, sizeof what,
		"%-7s a=%g b=%g c=%g, %2d sizes, noise %g: %d fitted; inside: %d %d %d; residual %.4f, width of b %.3f",
		tw__law_text(l->law), l->a, l->b, l->c, n, noise, fitted, inside[0], inside[1], inside[2],
		sqrt(residuals / fitted), widths / fitted);
	puts(what);
	ck_assert_msg(fitted >= 0.999 * SEEDS, "%s", what);
	for (int i = 0; i < (l->law == TW__POWER_OFFSET ? 3 : 2); i++)
		ck_assert_msg(inside[i] >= 0.93 * SEEDS && inside[i] <= 0.97 * SEEDS, "%s", what);
	ck_assert_msg(fabs(sqrt(residuals / fitted) - noise) < 0.05 * noise, "%s", what);
}
END_TEST

START_TEST(too_few_sizes_are_refused)
{
	static const struct {
		enum tw__law law;
		int n;
		const char *message;
	} cases[] = {
		{TW__AFFINE, 0, "a*s+b: 0 sizes, expected at least 3"},
		{TW__AFFINE, 1, "a*s+b: 1 size, expected at least 3"},
		{TW__AFFINE, 2, "a*s+b: 2 sizes, expected at least 3"},
		{TW__POWER, 2, "a*s^b: 2 sizes, expected at least 3"},
		{TW__POWER_OFFSET, 3, "a*s^b+c: 3 sizes, expected at least 4"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (int times = 1; times < 4; times++) { /* repeated sizes are not counted */
			struct tw__point points[MOST];
			struct tw__fit fit;
			struct tw_error err = {""};
			make_points(points, MOST, &laws[0], 0.01, 1);
			for (int k = 0; k < times * cases[i].n; k++)
				points[k].s = (k % cases[i].n + 1) * 1000;
			ck_assert_int_eq(tw__fit(&fit, cases[i].law, points, times * cases[i].n, &err), TW_INVALID);
			ck_assert_str_eq(err.message, cases[i].message);
		}
}
END_TEST

/* Many samples of few sizes are as good as many sizes, if there are enough sizes. */
START_TEST(a_size_may_come_more_than_once)
{
	for (int k = 0; k < N_CASES; k++) {
		struct tw__point points[MOST];
		struct tw__noise draws = {TW__NOISE_NORMAL, 0.01, 5};
		for (int i = 0; i < MOST; i++) {
			points[i].s = 4 * pow(100 << i % 5, 2);
			points[i].t = tw__noise_apply(&draws, time_of(&laws[k], points[i].s), 0, 1, i);
		}
		struct tw__fit fit = fit_of(laws[k].law, points, MOST);
		ck_assert_double_eq_tol(fit.residual, 0.01, 0.004);
		for (double s = 4e4; s < 1e7; s *= 2)
			ck_assert_double_eq_tol(tw__fit_time(&fit, s) / time_of(&laws[k], s), 1, 0.03);
	}
}
END_TEST

START_TEST(goodness_tells_which_law_it_was)
{
	for (int k = 0; k < N_CASES; k++) {
		struct tw__point points[MOST];
		make_points(points, MOST, &laws[k], 0.01, 9);
		struct tw__fit right = fit_of(laws[k].law, points, MOST);
		ck_assert(right.r2 > 0.98 && right.r2 <= 1);
		for (enum tw__law law = TW__AFFINE; law < TW__N_LAWS; law++) {
			struct tw__fit fit;
			struct tw_error err;
			/* The law with a constant part includes the others, at least nearly. */
			if (law != laws[k].law && law != TW__POWER_OFFSET &&
			    tw__fit(&fit, law, points, MOST, &err) == TW_OK)
				ck_assert(fit.residual > right.residual && fit.r2 < right.r2);
		}
	}
}
END_TEST

START_TEST(times_that_fall_are_refused)
{
	const struct tw__point points[] = {{1, 9}, {2, 7}, {3, 5}, {4, 4}},
			       level[] = {{1, 5}, {2, 5.1}, {3, 4.9}, {4, 5}};
	struct tw__fit fit;
	struct tw_error err = {""};
	ck_assert_int_eq(tw__fit(&fit, TW__AFFINE, points, 4, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "a*s+b: times fall as sizes grow (a = -1.59), expected times that grow");
	ck_assert_int_eq(tw__fit(&fit, TW__POWER, points, 4, &err), TW_INVALID);
	/* Times without a trend that rise by chance. */
	ck_assert_int_eq(tw__fit(&fit, TW__AFFINE, level, 4, &err), TW_OK);
}
END_TEST

START_TEST(a_constant_part_below_0_is_refused)
{
	static const struct law below = {TW__POWER_OFFSET, 1e-3, 1.2, -5};
	struct tw__point points[MOST];
	struct tw__fit fit;
	struct tw_error err = {""};
	make_points(points, MOST, &below, 0, 1);
	ck_assert_int_eq(tw__fit(&fit, TW__POWER_OFFSET, points, MOST, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "a*s^b+c: the best c is below 0 (-5), expected a constant part");
}
END_TEST

/* Equal times, very large and very small numbers, times without any law: the fit has finite numbers, or is refused. */
START_TEST(nothing_else_comes_out_than_numbers)
{
	enum { N = 6 };
	static const double odd[][2][N] = {
		{{1, 2, 3, 4, 5, 6}, {7, 7, 7, 7, 7, 7}},
		{{1, 2, 3, 4, 5, 6}, {1e300, 1e-300, 1e300, 1e-300, 1, 1}},
		{{1e-300, 1, 1e300, 1e308, 1e10, 5}, {1, 2, 3, 4, 5, 6}},
		{{1, 2, 3, 4, 5, 6}, {1e308, 1e308, 1e308, 1e308, 1e308, 1.1e308}},
		{{1, 2, 3, 4, 5, 6}, {5e-324, 5e-324, 5e-324, 5e-324, 5e-324, 1e-323}},
		{{1, 2, 3, 4, 5, 6}, {9, 1, 8, 2, 7, 3}},
		{{1, 1.0000000001, 1.0000000002, 1.0000000003, 1.0000000004, 1.0000000005}, {1, 2, 3, 4, 5, 6}},
		{{1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}},
	};
	for (size_t k = 0; k < sizeof odd / sizeof odd[0]; k++)
		for (enum tw__law law = TW__AFFINE; law < TW__N_LAWS; law++) {
			struct tw__point points[N];
			struct tw__fit fit;
			struct tw_error err = {""};
			for (int i = 0; i < N; i++)
				points[i] = (struct tw__point){odd[k][0][i], odd[k][1][i]};
			if (tw__fit(&fit, law, points, N, &err) != TW_OK) {
				ck_assert(strncmp(err.message, tw__law_text(law), strlen(tw__law_text(law))) == 0);
				continue;
			}
			ck_assert(isfinite(fit.a.value) && isfinite(fit.a.low) && isfinite(fit.a.high));
			ck_assert(isfinite(fit.b.value) && isfinite(fit.b.low) && isfinite(fit.b.high));
			ck_assert(isfinite(fit.c.value) && isfinite(fit.c.low) && isfinite(fit.c.high));
			ck_assert(fit.residual >= 0 && isfinite(fit.residual));
			ck_assert(k > 0 || isnan(fit.r2));
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("regression");
	TCase *cases = tcase_create("regression");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, exact_times_give_exact_parameters, 0, N_CASES);
	tcase_add_loop_test(cases, parameters_lie_in_their_intervals_as_often_as_these_say, 0, 4 * N_CASES);
	tcase_add_test(cases, too_few_sizes_are_refused);
	tcase_add_test(cases, a_size_may_come_more_than_once);
	tcase_add_test(cases, goodness_tells_which_law_it_was);
	tcase_add_test(cases, times_that_fall_are_refused);
	tcase_add_test(cases, a_constant_part_below_0_is_refused);
	tcase_add_test(cases, nothing_else_comes_out_than_numbers);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
