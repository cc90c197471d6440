/* Merging for a figure of few columns (plot/visible.h) keeps busy times, extremes and integrals. */
#include <check.h>
#include <stdlib.h>

#include "plot/visible.h"

#define S (tw__ns)1000000000 /* in nanoseconds */

/* Merging keeps how long each worker was busy, and leaves few boxes. */
START_TEST(merging_keeps_busy_time)
{
	struct tw__schedule s = {0};
	double busy = 0, merged = 0;
	s.n_kernels = 3;
	uint32_t seed = 1;
	for (int w = 0; w < 3; w++) {
		tw__ns date = 0;
		for (int i = 0; i < 50000; i++) {
			seed = seed * 1664525u + 1013904223u;
			tw__ns gap = S * (seed >> 8 & 255) / 256, length = S * (seed >> 16 & 255) / 256;
			/* Now and then a long task or a long pause. */
			length *= i % 500 == 0 ? 300 : 1;
			gap *= i % 700 == 0 ? 300 : 1;
			tw__schedule_add_box(&s, w, (int)(seed >> 24) % 3, i, date + gap, date + gap + length);
			date += gap + length;
			s.end = date > s.end ? date : s.end;
			busy += (double)length;
		}
	}
	tw__visible_boxes(&s, TW__COLUMNS);
	ck_assert_uint_lt(s.n_boxes, 3 * 2 * TW__COLUMNS);
	for (size_t i = 0; i < s.n_boxes; i++) {
		const struct tw__box *b = &s.boxes[i];
		ck_assert(b->share > 0 && b->share <= 1 && b->start < b->end);
		if (i > 0 && b[-1].worker == b->worker)
			ck_assert(b[-1].end <= b->start);
		merged += (double)(b->end - b->start) * b->share;
	}
	ck_assert_double_eq_tol(merged, busy, busy * 1e-9);
	tw__schedule_finish(&s);
}
END_TEST

START_TEST(merging_keeps_extremes_of_memory)
{
	struct tw__schedule s = {0};
	s.end = 99999 * S;
	tw__samples_init(&s.used, 2);
	for (int i = 0; i < 100000; i++)
		tw__series_add(&s.used.of[i % 2], i * S, i == 5001 ? 1000 : i == 7000 ? 1 : 500);
	tw__visible_samples(&s, &s.used, TW__COLUMNS);
	ck_assert_uint_lt(tw__samples_count(&s.used), 3 * 2 * (TW__COLUMNS + 1));
	bool most = false, least = false;
	for (int c = 0; c < 2; c++)
		for (size_t i = 0; i < s.used.of[c].n; i++) {
			const struct tw__sample *v = &s.used.of[c].list[i];
			most |= v->date == 5001 * S && c == 1 && v->value == 1000;
			least |= v->date == 7000 * S && c == 0 && v->value == 1;
			if (i > 0)
				ck_assert(v[-1].date <= v->date);
		}
	ck_assert(most && least);
	tw__schedule_finish(&s);
}
END_TEST

/* The bytes that a link carried in all stay the same. */
START_TEST(means_keep_the_integral)
{
	struct tw__schedule s = {0};
	s.end = 4999 * S;
	double sum[2] = {0}, means[2] = {0};
	tw__samples_init(&s.use, 2);
	for (int i = 0; i < 10000; i++) {
		double value = i * 7919 % 13 < 6 ? 0 : i * 7919 % 13;
		tw__series_add(&s.use.of[i % 2], i / 2 * S, value);
		sum[i % 2] += value * (i / 2 < 4999 ? 1 : 0);
	}
	tw__visible_means(&s, &s.use, 37);
	ck_assert_uint_le(tw__samples_count(&s.use), 2 * 37);
	for (int c = 0; c < 2; c++) {
		const struct tw__series *use = &s.use.of[c];
		for (size_t i = 0; i < use->n; i++) {
			tw__ns until = i + 1 < use->n ? use->list[i + 1].date : s.end;
			means[c] += use->list[i].value * tw__seconds(until - use->list[i].date);
		}
		ck_assert_double_eq_tol(means[c], sum[c], 1e-6 * sum[c]);
	}
	tw__schedule_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("visible");
	TCase *tests = tcase_create("visible");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, merging_keeps_busy_time);
	tcase_add_test(tests, merging_keeps_extremes_of_memory);
	tcase_add_test(tests, means_keep_the_integral);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
