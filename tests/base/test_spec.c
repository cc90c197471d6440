/* Specifications, and the arguments that plug-ins get from them. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "base/spec.h"

static struct tw_error err;

static const struct tw_param params[] = {
	{"path", TW_PARAM_TEXT, "none", 0, 0, NULL, "a file"},
	{"nt", TW_PARAM_INT, NULL, 1, 100, NULL, "tiles per side"},
	{"free", TW_PARAM_INT, "-5", 0, 0, NULL, "no limits"},
	{"many", TW_PARAM_INT, "1", 1, -1, NULL, "no upper limit"},
	{"ratio", TW_PARAM_REAL, "0.5", 0, 1, NULL, "a part"},
	{"room", TW_PARAM_BYTES, "1KiB", 1, 1e6, NULL, "bytes"},
	{"cost", TW_PARAM_TIME, "10us", 0, 1, NULL, "seconds"},
	{"eager", TW_PARAM_FLAG, "no", 0, 0, NULL, "or not"},
	{"order", TW_PARAM_CHOICE, "up", 0, 0, "up|down", "which way"},
	{0},
};

/* Parses a text; NULL if it is refused. */
static struct tw_args *parse(const char *text)
{
	struct tw__spec spec;
	struct tw_args *args = NULL;
	strcpy(err.message, "");
	if (tw__spec_parse(&spec, text, &err) < 0)
		return NULL;
	int status = tw__args_create(&args, "thing 'x'", params, &spec, &err);
	ck_assert_int_eq(status, args ? TW_OK : TW_INVALID);
	tw__spec_finish(&spec);
	return args;
}

START_TEST(parts_are_cut_at_colons)
{
	struct tw__spec spec;
	ck_assert_int_eq(tw__spec_parse(&spec, "file:/a\\:b=c:key=v=\\:w:other=", &err), TW_OK);
	ck_assert_str_eq(spec.name, "file");
	ck_assert_int_eq(spec.n, 3);
	ck_assert_ptr_null(spec.items[0].key); /* "/a:b" is not a key */
	ck_assert_str_eq(spec.items[0].value, "/a:b=c");
	ck_assert_str_eq(spec.items[1].key, "key");
	ck_assert_str_eq(spec.items[1].value, "v=:w");
	ck_assert_str_eq(spec.items[2].key, "other");
	ck_assert_str_eq(spec.items[2].value, "");
	tw__spec_finish(&spec);
	tw__spec_finish(&spec);
}
END_TEST

START_TEST(a_backslash_before_anything_else_is_itself)
{
	struct tw__spec spec;
	ck_assert_int_eq(tw__spec_parse(&spec, "a\\b:k=\\\\:l=\\", &err), TW_OK);
	ck_assert_str_eq(spec.name, "a\\b");
	ck_assert_int_eq(spec.n, 1); /* "\\" and then "\:" */
	ck_assert_str_eq(spec.items[0].value, "\\:l=\\");
	tw__spec_finish(&spec);
}
END_TEST

static const char *const bad_specs[] = {"", ":", ":k=v", "a:", "a::", "a:k=v:", "a:k=v:bare", "a:bare:bare", "a:=v:=w"};

START_TEST(other_texts_are_refused)
{
	struct tw__spec spec;
	ck_assert_int_eq(tw__spec_parse(&spec, bad_specs[_i], &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "expected"));
	ck_assert_ptr_null(spec.name);
}
END_TEST

START_TEST(values_have_their_types_and_defaults)
{
	struct tw_args *args = parse("x:nt=20:ratio=1:room=500KB:cost=2ms:eager=yes:order=down");
	ck_assert_ptr_nonnull(args);
	ck_assert_int_eq(tw_args_int(args, "nt"), 20);
	ck_assert_int_eq(tw_args_int(args, "free"), -5);
	ck_assert_int_eq(tw_args_int(args, "many"), 1);
	ck_assert(tw_args_real(args, "ratio") == 1);
	ck_assert_uint_eq(tw_args_bytes(args, "room"), 500000);
	ck_assert(tw_args_seconds(args, "cost") == 2e-3);
	ck_assert(tw_args_flag(args, "eager"));
	ck_assert_str_eq(tw_args_text(args, "order"), "down");
	ck_assert_str_eq(tw_args_text(args, "path"), "none");
	ck_assert(tw_args_given(args, "nt"));
	ck_assert(!tw_args_given(args, "path"));
	tw__args_destroy(args);

	args = parse("x:/some\\:where:nt=1");
	ck_assert_ptr_nonnull(args);
	ck_assert_str_eq(tw_args_text(args, "path"), "/some:where");
	tw__args_destroy(args);
	tw__args_destroy(NULL);
}
END_TEST

static const struct {
	const char *text, *message;
} refusals[] = {
	{"x", "thing 'x': parameter 'nt' is missing: expected nt=VALUE (tiles per side)"},
	{"x:nt=0", "thing 'x': nt=0: expected an integer from 1 to 100"},
	{"x:nt=101", "thing 'x': nt=101: expected an integer from 1 to 100"},
	{"x:nt=abc", "thing 'x': nt=abc: expected an integer from 1 to 100"},
	{"x:nt=", "thing 'x': nt=: expected an integer from 1 to 100"},
	{"x:nt=1:free=z", "thing 'x': free=z: expected an integer"},
	{"x:nt=1:many=0", "thing 'x': many=0: expected an integer >= 1"},
	{"x:nt=1:nt=1", "thing 'x': parameter 'nt' is given twice: expected it once"},
	{"x:here:nt=1:path=there", "thing 'x': parameter 'path' is given twice: expected it once"},
	{"x:nt=1:NT=1",
         "thing 'x': unknown parameter 'NT': expected one of path, nt, free, many, ratio, room, cost, eager, order"},
	{"x:nt=1:ratio=1.01", "thing 'x': ratio=1.01: expected a number from 0 to 1"},
	{"x:nt=1:ratio=nan", "thing 'x': ratio=nan: expected a number from 0 to 1"},
	{"x:nt=1:room=2MB", "thing 'x': room=2MB: expected a size from 1 to 1000000 bytes"},
	{"x:nt=1:cost=2s", "thing 'x': cost=2s: expected a time from 0 to 1 s"},
	{"x:nt=1:eager=maybe", "thing 'x': eager=maybe: expected yes or no"},
	{"x:nt=1:order=u", "thing 'x': order=u: expected one of up|down"},
	{"x:nt=1:order=up|down", "thing 'x': order=up|down: expected one of up|down"},
	{"x:nt=1:order=", "thing 'x': order=: expected one of up|down"},
	{"x:nt=1\n2", "thing 'x': nt=1 2: expected an integer from 1 to 100"},
};

START_TEST(what_is_wrong_is_said)
{
	ck_assert_ptr_null(parse(refusals[_i].text));
	ck_assert_str_eq(err.message, refusals[_i].message);
}
END_TEST

START_TEST(a_plug_in_without_parameters_takes_none)
{
	struct tw__spec spec;
	struct tw_args *args;
	ck_assert_int_eq(tw__spec_parse(&spec, "y", &err), TW_OK);
	ck_assert_int_eq(tw__args_create(&args, "thing 'y'", NULL, &spec, &err), TW_OK);
	tw__args_destroy(args);
	tw__spec_finish(&spec);
	ck_assert_int_eq(tw__spec_parse(&spec, "y:a=1", &err), TW_OK);
	ck_assert_int_eq(tw__args_create(&args, "thing 'y'", NULL, &spec, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "thing 'y': unknown parameter 'a': it takes none");
	ck_assert_ptr_null(args);
	tw__spec_finish(&spec);
}
END_TEST

START_TEST(a_wrong_default_is_an_error_too)
{
	static const struct tw_param wrong[] = {{"n", TW_PARAM_INT, "0", 1, 2, NULL, NULL}, {0}};
	struct tw__spec spec;
	struct tw_args *args;
	static const char *const texts[] = {"y", "y:n=1"};
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(tw__spec_parse(&spec, texts[i], &err), TW_OK);
		ck_assert_int_eq(tw__args_create(&args, "thing 'y'", wrong, &spec, &err), TW_INVALID);
		ck_assert_str_eq(err.message, "thing 'y': default n=0: expected an integer from 1 to 2");
		tw__spec_finish(&spec);
	}
}
END_TEST

#define N(array) (int)(sizeof(array) / sizeof((array)[0]))

static int n_said;

static void expect_missing(enum tw_log_level level, const char *message, void *context)
{
	ck_assert(level == TW_LOG_ERROR);
	ck_assert_str_eq(message, context);
	n_said++;
}

START_TEST(a_parameter_that_the_table_lacks_is_named)
{
	static const struct tw_param table[] = {{"merge", TW_PARAM_REAL, "0.25", 0, 1, NULL, ""}, {0}};
	static char lacks[] = "a plug-in reads the parameter 'rank', which its table lacks: expected it there";
	static char other[] = "a plug-in reads the parameter 'merge', which its table has with another type: expected "
			      "the type that is read";
	struct tw__spec spec;
	struct tw_args *args;
	ck_assert_int_eq(tw__spec_parse(&spec, "own", &err), TW_OK);
	ck_assert_int_eq(tw__args_create(&args, "policy", table, &spec, &err), TW_OK);
	tw_set_log(expect_missing, _i ? other : lacks);
	if (_i)
		ck_assert_str_eq(tw_args_text(args, "merge"), "");
	else
		ck_assert(tw_args_int(args, "rank") == 0);
	ck_assert_int_eq(n_said, 1);

	/* In the library's work, the call is kept for the work's error. */
	struct tw__door door;
	if (TW__MEMORY_RUNS_OUT(&door))
		ck_abort();
	tw__wrong_calls_forget();
	ck_assert_ptr_null(tw__wrong_calls_first());
	tw_args_flag(args, "rank");
	tw_args_flag(args, "of");
	ck_assert_int_eq(n_said, 1);
	ck_assert_str_eq(tw__wrong_calls_first(), lacks);
	tw__door_close(&door);
	tw__args_destroy(args);
	tw__spec_finish(&spec);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("spec");
	TCase *cases = tcase_create("spec");
	tcase_add_test(cases, parts_are_cut_at_colons);
	tcase_add_test(cases, a_backslash_before_anything_else_is_itself);
	tcase_add_loop_test(cases, other_texts_are_refused, 0, N(bad_specs));
	tcase_add_test(cases, values_have_their_types_and_defaults);
	tcase_add_loop_test(cases, what_is_wrong_is_said, 0, N(refusals));
	tcase_add_test(cases, a_plug_in_without_parameters_takes_none);
	tcase_add_test(cases, a_wrong_default_is_an_error_too);
	tcase_add_loop_test(cases, a_parameter_that_the_table_lacks_is_named, 0, 2);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
