/* Speedup factors, Bramas 2019, section "Heteroprio". */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "policies/support/buckets.h"

/* "A CPU worker can take a task from bucket i if there are more than N_GPU x S_i available tasks in it." */
START_TEST(slow_workers_take_when_there_are_more)
{
	ck_assert(!tw_holds_enough(5, 3, 2, false));
	ck_assert(!tw_holds_enough(6, 3, 2, false));
	ck_assert(tw_holds_enough(7, 3, 2, false));
	ck_assert(!tw_holds_enough(1000000, 3, INFINITY, false));
}
END_TEST

/* "If there are three GPU workers and a GPU is two times faster, then a CPU worker takes a task only if there are six
 * or more tasks available": this contradicts "more than". */
START_TEST(or_at_least_as_many)
{
	ck_assert(!tw_holds_enough(5, 3, 2, true));
	ck_assert(tw_holds_enough(6, 3, 2, true));
	ck_assert(tw_holds_enough(7, 3, 2, true));
}
END_TEST

/* "Speedup = {1, 1.1, 1.4, 3}" with three GPUs. */
START_TEST(factors_need_not_be_whole)
{
	ck_assert(!tw_holds_enough(3, 3, 1.1, false));
	ck_assert(tw_holds_enough(4, 3, 1.1, false));
	ck_assert(!tw_holds_enough(4, 3, 1.4, false));
	ck_assert(tw_holds_enough(5, 3, 1.4, false));
	ck_assert(!tw_holds_enough(9, 3, 3, false));
	ck_assert(tw_holds_enough(10, 3, 3, false));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("buckets");
	TCase *cases = tcase_create("buckets");
	tcase_add_test(cases, slow_workers_take_when_there_are_more);
	tcase_add_test(cases, or_at_least_as_many);
	tcase_add_test(cases, factors_need_not_be_whole);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
