/* Dates in whole nanoseconds: conversions from seconds, and sums that saturate. */
#include <check.h>
#include <stdlib.h>

#include "base/date.h"

START_TEST(durations_are_rounded_once)
{
	static const struct {
		double seconds;
		tw__ns ns;
	} cases[] = {
		{0, 0},
		{-1, 0},
		{1e-300, 1},
		{4e-10, 1},
		{1e-9, 1},
		{1.4e-9, 1},
		{1.6e-9, 2},
		{0.000000345, 345},
		{1.0 / 3, 333333333},
		{18849.6875e-6, 18849688},
		{1e9, 1000000000000000000},
		{9.3e9, TW__LAST},
		{1e300, TW__LAST},
		{INFINITY, TW__NEVER},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ck_assert_int_eq(tw__ns_of(cases[i].seconds), cases[i].ns);
}
END_TEST

START_TEST(seconds_and_back)
{
	for (tw__ns ns = 0; ns < (tw__ns)1 << 53; ns = ns * 3 + 1)
		ck_assert_int_eq(tw__ns_of(tw__seconds(ns)), ns);
	ck_assert_double_infinite(tw__seconds(TW__NEVER));
}
END_TEST

/* A whole number of nanoseconds is unchanged despite the rounding of a clock of doubles. Other dates are rounded up. */
START_TEST(ends_are_rounded_up_but_for_rounding)
{
	for (tw__ns ns = 1; ns < (tw__ns)1 << 44; ns = ns * 2 + 1) {
		double seconds = tw__seconds(ns);
		ck_assert_int_eq(tw__ns_after(seconds), ns);
		ck_assert_int_eq(tw__ns_after(nextafter(seconds, INFINITY)), ns);
		ck_assert_int_eq(tw__ns_after(nextafter(seconds, 0)), ns);
		if (seconds < 1e3) {
			ck_assert_int_eq(tw__ns_after(seconds + 0.01e-9), ns + 1);
			ck_assert_int_eq(tw__ns_after(seconds - 0.99e-9), ns);
		}
	}
	ck_assert_int_eq(tw__ns_after(0), 0);
	ck_assert_int_eq(tw__ns_after(-1e-12), 0);
	ck_assert_int_eq(tw__ns_after(1e10), TW__LAST);
	ck_assert_int_eq(tw__ns_after(INFINITY), TW__NEVER);
}
END_TEST

START_TEST(sums_stop_at_the_last_date)
{
	ck_assert_int_eq(tw__later(5, 7), 12);
	ck_assert_int_eq(tw__later(TW__LAST, 0), TW__LAST);
	ck_assert_int_eq(tw__later(TW__LAST - 3, 3), TW__LAST);
	ck_assert_int_eq(tw__later(TW__LAST - 3, 4), TW__LAST);
	ck_assert_int_eq(tw__later(TW__LAST, TW__LAST), TW__LAST);
	ck_assert_int_eq(tw__times_ns(3, 4), 12);
	ck_assert_int_eq(tw__times_ns(3, 0), 0);
	ck_assert_int_eq(tw__times_ns(TW__LAST / 2, 3), TW__LAST);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("date");
	TCase *tests = tcase_create("date");
	tcase_add_test(tests, durations_are_rounded_once);
	tcase_add_test(tests, seconds_and_back);
	tcase_add_test(tests, ends_are_rounded_up_but_for_rounding);
	tcase_add_test(tests, sums_stop_at_the_last_date);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
