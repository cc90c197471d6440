/* Decimals as integer multiples of a power of ten: exact, rounded once, or refused. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/base.h>

static const struct {
	const char *text;
	int decimals;
	int64_t value;
} good[] = {
	{"0", 9, 0},
	{"12.345", 9, INT64_C(12345000000)},
	{"12.", 9, INT64_C(12000000000)},
	{".5", 9, 500000000},
	{"000012.5", 1, 125},
	{"12000000.345", 3, INT64_C(12000000345)},
	{"12000.000345", 6, INT64_C(12000000345)},
	{"12", 0, 12},
	/* A double of seconds, milliseconds or microseconds cannot represent 2^53 + 1 ns. */
	{"9007199.254740993", 9, INT64_C(9007199254740993)},
	{"9007199254.740993", 6, INT64_C(9007199254740993)},
	{"9007199254740.993", 3, INT64_C(9007199254740993)},
	{"9223372036.854775806", 9, INT64_MAX - 1},
	{"9223372036.8547758064999999999999999999999", 9, INT64_MAX - 1},
	{"9223372036854775806", 0, INT64_MAX - 1},
	/* Rounding to nearest, halves up: only the digit after the last one decides. */
	{"0.0000000004", 9, 0},
	{"0.0000000005", 9, 1},
	{"0.00000000049999999999999999999999999999", 9, 0},
	{"0.9999999995", 9, 1000000000},
	{"0.0000000000000000000000000000000000000005", 9, 0},
	{"0000000000000000000000000000000000000000007", 0, 7},
	{"1250", -2, 13},
	{"49", -2, 0},
	{"50", -2, 1},
	{"99", -3, 0},
	{"0", 100, 0},
};

START_TEST(decimals_are_exact)
{
	int64_t value = -1;
	ck_assert_msg(tw_decimal(good[_i].text, strlen(good[_i].text), good[_i].decimals, &value), "%s", good[_i].text);
	ck_assert_msg(value == good[_i].value, "%s: %" PRId64, good[_i].text, value);
	value = -1;
	ck_assert(tw_decimal_scientific(good[_i].text, good[_i].decimals, &value));
	ck_assert(value == good[_i].value);
}
END_TEST

static const char *const bad[] = {"",
                                  ".",
                                  "-1",
                                  "-0",
                                  "+1",
                                  " 1",
                                  "1 ",
                                  "1.2.3",
                                  "..",
                                  "1,5",
                                  "nan",
                                  "NaN",
                                  "inf",
                                  "0x10",
                                  "1e",
                                  "1e+",
                                  "1e-",
                                  "e5",
                                  "1e5e5",
                                  "1e1.5",
                                  "1e 5",
                                  ".e1",
                                  "\xd9\xa3",
                                  "9223372036.854775807",
                                  "9223372036.8547758065",
                                  "9223372037",
                                  "18446744073.709551616",
                                  "99999999999999999999",
                                  "1111111111111111111111111111111111111111",
                                  "1e10",
                                  "1e999",
                                  "1e99999999999999999999"};

START_TEST(all_else_is_refused)
{
	int64_t value;
	ck_assert_msg(!tw_decimal(bad[_i], strlen(bad[_i]), 9, &value), "%s", bad[_i]);
	ck_assert_msg(!tw_decimal_scientific(bad[_i], 9, &value), "%s", bad[_i]);
}
END_TEST

START_TEST(exponents_move_the_point)
{
	static const struct {
		const char *text;
		int64_t value;
	} cases[] = {
		{"1e-05", 10000},
		{"1.25E+1", INT64_C(12500000000)},
		{"1e9", INT64_C(1000000000000000000)},
		{"9.223372036854775806e+9", INT64_MAX - 1},
		{"0.00000000000000000001e20", 1000000000},
		{"5e-10", 1},
		{"4e-10", 0},
		{"1e-99999999999999999999", 0},
		{"0e99999999999999999999", 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t value = -1;
		ck_assert_msg(tw_decimal_scientific(cases[i].text, 9, &value), "%s", cases[i].text);
		ck_assert_msg(value == cases[i].value, "%s: %" PRId64, cases[i].text, value);
		ck_assert(!tw_decimal(cases[i].text, strlen(cases[i].text), 9, &value));
	}
}
END_TEST

START_TEST(no_byte_behind_the_length_is_read)
{
	int64_t value;
	ck_assert(tw_decimal("12.5x", 4, 1, &value) && value == 125);
	ck_assert(tw_decimal("12.5", 2, 0, &value) && value == 12);
	ck_assert(!tw_decimal("1\0002", 3, 0, &value));
	ck_assert(!tw_decimal("12", 0, 0, &value));
}
END_TEST

/* Numbers in the format of the trace writers. */
START_TEST(what_is_printed_is_read_back)
{
	uint64_t seed = 1;
	for (int i = 0; i < 100000; i++) {
		char text[40];
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		int64_t ns = (int64_t)(seed >> (1 + i % 60)), value;
		if (ns > TW_DECIMAL_MAX)
			continue;
		snprintf(text, sizeof text, "%" PRId64 ".%09" PRId64, ns / 1000000000, ns % 1000000000);
		ck_assert(tw_decimal(text, strlen(text), 9, &value) && value == ns);
		snprintf(text, sizeof text, "%" PRId64 ".%03" PRId64, ns / 1000, ns % 1000);
		ck_assert(tw_decimal(text, strlen(text), 3, &value) && value == ns);
	}
}
END_TEST

#define N(array) (int)(sizeof(array) / sizeof((array)[0]))

int main(void)
{
	Suite *suite = suite_create("decimal");
	TCase *tests = tcase_create("decimal");
	tcase_add_loop_test(tests, decimals_are_exact, 0, N(good));
	tcase_add_loop_test(tests, all_else_is_refused, 0, N(bad));
	tcase_add_test(tests, exponents_move_the_point);
	tcase_add_test(tests, no_byte_behind_the_length_is_read);
	tcase_add_test(tests, what_is_printed_is_read_back);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
