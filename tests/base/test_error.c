/* Messages are one line, whatever their values contain. The log goes to the callback. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/base.h>

START_TEST(a_message_is_one_line)
{
	struct tw_error err;
	ck_assert_int_eq(tw_fail(&err, TW_FAILED, "%s: %d", "a\nb\r\tc\x7f\x1b[1m", 3), TW_FAILED);
	ck_assert_str_eq(err.message, "a b  c  [1m: 3");
}
END_TEST

START_TEST(a_lack_of_the_system_is_no_fault_of_input)
{
	ck_assert_int_eq(tw_status_of_errno(EMFILE), TW_SYSTEM);
	ck_assert_int_eq(tw_status_of_errno(ENOSPC), TW_SYSTEM);
	ck_assert_int_eq(tw_status_of_errno(ENOENT), TW_INVALID);
	ck_assert_int_eq(tw_status_of_errno(EACCES), TW_INVALID);
}
END_TEST

/* Letters of all languages stay. Invalid bytes and control characters, which terminals may obey, become blanks. */
START_TEST(a_message_is_text)
{
	static const char *const rows[][2] = {
		{"Gr\xc3\xb6\xc3\x9f"
	         "e \xe2\x82\xac \xf0\x9f\x98\x80",
	         "Gr\xc3\xb6\xc3\x9f"
	         "e \xe2\x82\xac \xf0\x9f\x98\x80"},
		{"a\xc2\x9b"
	         "31m",
	         "a  31m"},                                    /* a C1 control character */
		{"\xff|\xc3|\x80", " | | "},                   /* invalid, truncated, a continuation byte alone */
		{"\xc0\xaf|\xe0\x80\xaf", "  |   "},           /* overlong */
		{"\xed\xa0\x80|\xf4\x90\x80\x80", "   |    "}, /* a surrogate, above U+10FFFF */
		{"\xe2\x82", "  "},                            /* truncated */
	};
	struct tw_error err;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		tw_fail(&err, TW_FAILED, "%s", rows[i][0]);
		ck_assert_str_eq(err.message, rows[i][1]);
	}
}
END_TEST

START_TEST(a_message_may_quote_itself)
{
	struct tw_error err;
	tw_fail(&err, TW_INVALID, "nt=0: expected an integer");
	ck_assert_int_eq(tw_fail(&err, TW_INVALID, "workload 'x': %s", err.message), TW_INVALID);
	ck_assert_str_eq(err.message, "workload 'x': nt=0: expected an integer");
}
END_TEST

START_TEST(a_long_message_is_cut)
{
	struct tw_error err;
	char text[2000];
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	tw_fail(&err, TW_INVALID, "%s", text);
	ck_assert_uint_eq(strlen(err.message), sizeof err.message - 1);
	ck_assert_str_eq(err.message + sizeof err.message - 4, "...");
}
END_TEST

static void count(enum tw_log_level level, const char *message, void *context)
{
	ck_assert_int_eq(level, TW_LOG_INFO);
	ck_assert_str_eq(message, "7 things");
	++*(int *)context;
}

START_TEST(the_log_goes_to_one_callback)
{
	int n = 0;
	tw_log(TW_LOG_INFO, "%d things", 7);
	tw_set_log(count, &n);
	tw_log(TW_LOG_INFO, "%d%sthings", 7, "\n"); /* log messages are one line, too */
	tw_set_log(NULL, NULL);
	tw_log(TW_LOG_INFO, "%d things", 7);
	ck_assert_int_eq(n, 1);
}
END_TEST

START_TEST(the_version_has_three_numbers)
{
	int a, b, c, end = 0;
	ck_assert_int_eq(sscanf(tw_version(), "%d.%d.%d%n", &a, &b, &c, &end), 3);
	ck_assert_int_eq(tw_version()[end], '\0');
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("error");
	TCase *cases = tcase_create("error");
	tcase_add_test(cases, a_message_is_one_line);
	tcase_add_test(cases, a_message_is_text);
	tcase_add_test(cases, a_lack_of_the_system_is_no_fault_of_input);
	tcase_add_test(cases, a_message_may_quote_itself);
	tcase_add_test(cases, a_long_message_is_cut);
	tcase_add_test(cases, the_log_goes_to_one_callback);
	tcase_add_test(cases, the_version_has_three_numbers);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
