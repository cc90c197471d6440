/* The output of a command is never lost, also where no temporary file can be made when the results are there. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"

enum { ROUND = 3 }; /* states of the file before: there is none, an empty one, and one with longer content */

static const char path[] = "test_output.csv", content[] = "complete\n";

static void before(int state)
{
	unlink(path);
	if (state == 0)
		return;
	FILE *f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(state == 1 ? "" : "older and longer content\n", f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

/* Lets no descriptor behind `last` be opened. */
static void open_no_more_than(int last)
{
	struct rlimit limit;
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = (rlim_t)last + 1;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

START_TEST(results_are_in_the_file_that_is_there)
{
	struct output output;
	struct tw_error err;
	char text[80] = "";
	before(_i % ROUND);
	ck_assert_int_eq(output_open(&output, path, &err), TW_OK);
	if (_i / ROUND)
		open_no_more_than(fileno(output.file));
	output_begin(&output);
	ck_assert_int_ge(fputs(content, output.file), 0);
	ck_assert_int_eq(output_close(&output, &err), TW_OK);
	FILE *f = fopen(path, "r");
	ck_assert_msg(f != NULL, "the file is gone");
	ck_assert_uint_eq(fread(text, 1, sizeof text - 1, f), strlen(content));
	ck_assert_str_eq(text, content);
	fclose(f);
	unlink(path);
}
END_TEST

START_TEST(an_abandoned_file_is_as_it_was)
{
	struct output output;
	struct tw_error err;
	struct stat about;
	before(_i % ROUND);
	ck_assert_int_eq(output_open(&output, path, &err), TW_OK);
	if (_i / ROUND)
		output_begin(&output);
	output_abandon(&output);
	ck_assert_int_eq(stat(path, &about), _i % ROUND == 0 ? -1 : 0);
	ck_assert(_i % ROUND != 2 || about.st_size > (off_t)strlen(content));
	unlink(path);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("output");
	TCase *cases = tcase_create("output");
	tcase_add_loop_test(cases, results_are_in_the_file_that_is_there, 0, 2 * ROUND);
	tcase_add_loop_test(cases, an_abandoned_file_is_as_it_was, 0, 2 * ROUND);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
