/* Platforms are found by name and by path. */
#include <check.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "platform/platform.h"
#include "temp.h"

#define TINY                                                                    \
	"<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"            \
	"<prop id=\"summary\" value=\"tiny\"/><host id=\"CPU0\" speed=\"1f\"/>" \
	"<host id=\"RAM\" speed=\"1f\"/></zone></platform>"

static char folder[64], inner[80], file[96];

static void make_folder(void)
{
	strcpy(folder, "/tmp/tilewright-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(inner, sizeof inner, "%s/0-tiny", folder);
	snprintf(file, sizeof file, "%s/platform.xml", inner);
	ck_assert_int_eq(mkdir(inner, 0700), 0);
	FILE *out = fopen(file, "w");
	fputs(TINY, out);
	fclose(out);

	/* The folders of the tree come after those named here. */
	char list[256];
	const char *given = getenv("TILEWRIGHT_PLATFORMS");
	snprintf(list, sizeof list, ":/nowhere/at/all:%s:%s", folder, given ? given : "");
	setenv("TILEWRIGHT_PLATFORMS", list, 1);
}

static void remove_folder(void)
{
	unlink(file);
	rmdir(inner);
	rmdir(folder);
}

static void expect_found(const char *name, const char *kernels_end)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	char *kernels;
	ck_assert_msg(tw__platform_find(&p, &kernels, name, &err) == TW_OK, "%s", err.message);
	ck_assert_str_eq(p->name, name);
	ck_assert_str_eq(p->summary, "tiny");
	ck_assert_contains(kernels, kernels_end);
	free(kernels);
	tw__platform_destroy(p);
}

START_TEST(names_and_paths_are_found)
{
	expect_found("0-tiny", "/0-tiny/kernels.csv");
	expect_found(inner, "/0-tiny/kernels.csv");
	expect_found(file, "/0-tiny/kernels.csv");
	ck_assert_int_eq(chdir(inner), 0);
	expect_found("platform.xml", "./kernels.csv");
	expect_found("./", "/kernels.csv");
}
END_TEST

START_TEST(names_are_sorted_and_told_once)
{
	char **names = tw__platform_names();
	bool has_mirage = false;
	ck_assert_str_eq(names[0], "0-tiny");
	for (int i = 0; names[i]; i++) {
		has_mirage |= strcmp(names[i], "mirage") == 0;
		ck_assert(i == 0 || strcmp(names[i - 1], names[i]) < 0);
	}
	ck_assert(has_mirage);
	for (int i = 0; names[i]; i++)
		free(names[i]);
	free(names);
}
END_TEST

START_TEST(the_first_folder_of_the_list_wins)
{
	char mine[96];
	snprintf(mine, sizeof mine, "%s/mirage", folder);
	ck_assert_int_eq(rename(inner, mine), 0);
	expect_found("mirage", folder);
	ck_assert_int_eq(rename(mine, inner), 0);
}
END_TEST

START_TEST(an_unknown_name_lists_the_known_ones)
{
	static const char *const names[] = {"mirrage", "", "..", ".", "aaa-tin"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct tw__platform *p;
		struct tw_error err = {""};
		char *kernels;
		ck_assert_int_eq(tw__platform_find(&p, &kernels, names[i], &err), TW_INVALID);
		ck_assert_ptr_null(p);
		ck_assert_ptr_null(kernels);
		ck_assert_contains(err.message, "unknown platform '");
		ck_assert_contains(err.message, "expected a path with a '/' or one of: machine, 0-tiny, ");
		ck_assert_contains(err.message, "mirage");
	}
}
END_TEST

START_TEST(a_path_that_is_not_there_is_named)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	char *kernels;
	ck_assert_int_eq(tw__platform_find(&p, &kernels, "no/such", &err), TW_INVALID);
	ck_assert_contains(err.message, "no/such: No such file");
	ck_assert_int_eq(tw__platform_find(&p, &kernels, "none.xml", &err), TW_INVALID);
	ck_assert_contains(err.message, "none.xml: No such file");
	ck_assert_int_eq(tw__platform_find(&p, &kernels, "/tmp", &err), TW_INVALID);
	ck_assert_contains(err.message, "/tmp/platform.xml: No such file");
	ck_assert_ptr_null(kernels);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform find");
	TCase *cases = tcase_create("find");
	tcase_add_checked_fixture(cases, make_folder, remove_folder);
	tcase_add_test(cases, names_and_paths_are_found);
	tcase_add_test(cases, names_are_sorted_and_told_once);
	tcase_add_test(cases, the_first_folder_of_the_list_wins);
	tcase_add_test(cases, an_unknown_name_lists_the_known_ones);
	tcase_add_test(cases, a_path_that_is_not_there_is_named);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
