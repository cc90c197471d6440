#include "base/nearest.h"

#include <stdlib.h>

#include <check.h>

static const char *const names[] = {"dmda", "dmdas", "eager", "heteroprio", "lws", NULL};

static const char *name_at(const void *context, int i) { return ((const char *const *)context)[i]; }

static const char *hint(const char *name)
{
	static char text[TW__NEAREST_BYTES];
	return tw__nearest_hint(text, name, name_at, names);
}

START_TEST(exchanged_neighbours_are_one_change)
{
	ck_assert_str_eq(hint("dmads"), " (did you mean 'dmdas'?)");
	ck_assert_str_eq(hint("eagre"), " (did you mean 'eager'?)");
	ck_assert_str_eq(hint("wls"), " (did you mean 'lws'?)");
}
END_TEST

START_TEST(the_nearest_name_is_suggested)
{
	ck_assert_str_eq(hint("dmdaa"), " (did you mean 'dmda'?)");
	ck_assert_str_eq(hint("dmdass"), " (did you mean 'dmdas'?)");
	ck_assert_str_eq(hint("heteropro"), " (did you mean 'heteroprio'?)");
}
END_TEST

START_TEST(other_names_are_not_suggested)
{
	ck_assert_str_eq(hint("eag"), " (did you mean 'eager'?)");
	ck_assert_str_eq(hint("ea"), "");
	ck_assert_str_eq(hint("xyz"), "");
	ck_assert_str_eq(hint(""), "");
	ck_assert_str_eq(hint("a-name-of-more-than-thirty-one-letters"), "");
}
END_TEST

START_TEST(names_that_do_not_fit_are_left_out)
{
	char text[60];
	ck_assert_str_eq(tw__list_names(text, sizeof text, name_at, names), "dmda, dmdas, eager, heteroprio, lws");
	ck_assert_str_eq(tw__list_names(text, 20, name_at, names), "dmda, dmdas, ...");
	ck_assert_str_eq(tw__list_names(text, 8, name_at, names), "...");
	ck_assert_str_eq(tw__list_names(text, sizeof text, name_at, names + 5), "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("nearest");
	TCase *tests = tcase_create("nearest");
	tcase_add_test(tests, exchanged_neighbours_are_one_change);
	tcase_add_test(tests, the_nearest_name_is_suggested);
	tcase_add_test(tests, other_names_are_not_suggested);
	tcase_add_test(tests, names_that_do_not_fit_are_left_out);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
