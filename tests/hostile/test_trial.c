/* Trials of shared objects: a constructor that never returns. */
#include <check.h>
#include <stdlib.h>

#include "process/shared_object.h"

START_TEST(a_constructor_that_never_returns_is_given_up)
{
	struct tw_error err;
	setenv("CONSTRUCTOR", "loop", 1);
	ck_assert_int_eq(tw__shared_object_try(getenv("CONSTRUCTOR_SO"), 0.3, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "its constructors did not return within 0.3 s");
}
END_TEST

START_TEST(one_that_returns_is_loaded)
{
	struct tw_error err;
	unsetenv("CONSTRUCTOR");
	ck_assert_int_eq(tw__shared_object_try(getenv("CONSTRUCTOR_SO"), 30, &err), TW_OK);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trial");
	TCase *tcase = tcase_create("trial");
	tcase_add_test(tcase, a_constructor_that_never_returns_is_given_up);
	tcase_add_test(tcase, one_that_returns_is_loaded);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
