/* Files made to take long, or to print much, are refused or read at once. */
#include <check.h>
#include <stdio.h>

#include "platform/platform.h"
#include "temp.h"

#define START "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\">\n"
#define HOSTS                                                           \
	"<host id=\"RAM\" speed=\"1f\"/><host id=\"CPU\" speed=\"1f\">" \
	"<prop id=\"arch\" value=\"cpu\"/></host>"
#define END "</zone></platform>\n"

static int read_text(struct tw__platform **p, char *text, struct tw_error *err)
{
	struct temp file = temp_text(text);
	int status = tw__platform_read(p, file.path, "test", err);
	temp_remove(file);
	free(text);
	return status;
}

/* A file with `before`, so many letters, and `behind`. */
static char *with_letters(const char *before, int n, const char *behind)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	fputs(before, out);
	for (int i = 0; i < n; i++)
		putc('x', out);
	fputs(behind, out);
	fclose(out);
	return text;
}

static const char *const long_starts[] = {
	START "<host id=\"", START "<host id=\"a\" speed=\"1f\"><prop id=\"arch\" value=\"", START "<host ", START "<",
	START "<!--",
};
enum { N_STARTS = sizeof long_starts / sizeof long_starts[0] };

START_TEST(a_long_tag_or_comment_is_refused)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	ck_assert_int_eq(read_text(&p, with_letters(long_starts[_i], 3 << 20, "\"/>" END), &err), TW_INVALID);
	ck_assert_contains(err.message, ":3: a tag or comment of more than 1 MiB, expected shorter ones");
}
END_TEST

START_TEST(a_comment_may_be_a_mebibyte)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	ck_assert_msg(read_text(&p, with_letters(START "<!--", 1000000, "-->" HOSTS END), &err) == TW_OK, "%s",
	              err.message);
	tw__platform_destroy(p);
}
END_TEST

static int n_warnings;
static char last[512];

static void keep_warning(enum tw_log_level level, const char *message, void *context)
{
	(void)context;
	n_warnings += level == TW_LOG_WARNING;
	snprintf(last, sizeof last, "%s", message);
}

START_TEST(unknown_properties_are_not_all_named)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	fputs(START, out);
	for (int i = 0; i < 1000; i++)
		fprintf(out, "<prop id=\"own%d\" value=\"1\"/>", i);
	fputs(HOSTS END, out);
	fclose(out);
	struct tw__platform *p;
	struct tw_error err = {""};
	tw_set_log(keep_warning, NULL);
	ck_assert_msg(read_text(&p, text, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(n_warnings, 11);
	ck_assert_contains(last, ": 990 more unknown properties have no effect");
	tw__platform_destroy(p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("hostile platforms");
	TCase *cases = tcase_create("read");
	tcase_add_loop_test(cases, a_long_tag_or_comment_is_refused, 0, N_STARTS);
	tcase_add_test(cases, a_comment_may_be_a_mebibyte);
	tcase_add_test(cases, unknown_properties_are_not_all_named);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
