/* Classes of sizes, and the kernel table that uses them. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "workloads/support/kernel_table.h"

START_TEST(classes_are_near_and_few)
{
	for (int classes = 4; classes <= 64; classes *= 2) {
		struct tw_kernel_table t;
		int n = 0, last = -1;
		double bias = 0;
		tw_kernel_table_init(&t, classes, 1001);
		for (int d = 0; d < 65536; d++) {
			int c = tw_size_class(&t, d);
			if (d == 1001) {
				ck_assert_int_eq(c, 1001);
				continue;
			}
			if (d <= 2 * classes)
				ck_assert_int_eq(c, d);
			ck_assert_double_le(abs(c - d), d / (2.0 * classes));
			ck_assert_int_ge(c, last);
			n += c != last;
			last = c;
			bias += c - d;
		}
		/* 2 * classes single sizes, then `classes` for each power of two */
		ck_assert_int_le(n, (int)(2 * classes + classes * (16 - log2(2 * classes)) + 1));
		ck_assert_double_le(fabs(bias), 65536 / 16); /* rounding up and down balance */
		tw_kernel_table_finish(&t);
	}
}
END_TEST

START_TEST(the_greatest_sizes)
{
	struct tw_kernel_table t;
	tw_kernel_table_init(&t, 4, 0);
	ck_assert_int_eq(tw_size_class(&t, 1 << 30), 1 << 30);
	ck_assert_int_eq(tw_size_class(&t, INT32_MAX), INT32_MAX);
	tw_kernel_table_finish(&t);
}
END_TEST

START_TEST(slots_are_found_again)
{
	struct tw_kernel_table t;
	tw_kernel_table_init(&t, 4096, 0);
	enum { SIDE = 17 };
	for (int round = 0; round < 2; round++)
		for (int kind = 0; kind < 3; kind++)
			for (int m = 0; m < SIDE; m++)
				for (int k = 0; k < SIDE; k++)
					for (int n = 0; n < SIDE; n++) {
						struct tw_kernel_slot *slot = tw_kernel_table_find(&t, kind, m, k, n);
						int number = ((kind * SIDE + m) * SIDE + k) * SIDE + n;
						ck_assert_int_eq(slot->kernel, round ? number : TW_NONE);
						ck_assert(slot->m == m && slot->k == k && slot->n == n);
						slot->kernel = number;
					}
	ck_assert_uint_eq(HASH_COUNT(t.slots), 3 * SIDE * SIDE * SIDE);
	tw_kernel_table_finish(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("kernel table");
	TCase *cases = tcase_create("kernel table");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, classes_are_near_and_few);
	tcase_add_test(cases, the_greatest_sizes);
	tcase_add_test(cases, slots_are_found_again);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
