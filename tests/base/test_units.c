/* Numbers with units: a parser takes the whole text or refuses it. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"

static struct tw_error err;

/* All number parsers refuse these. */
static const char *const rubbish[] = {
	"",         " ",        "-",        "+",      ".",
	"e5",       "nan",      "inf",      "-inf",   "NaN",
	"infinity", "0x10",     "1e400",    "-1e400", "1 ",
	" 1",       "1x",       "--1",      "+-1",    "1,5",
	"1e",       "\xff\xfe", "\xd9\xa3", "1\n",    "99999999999999999999999999999999999999e999",
};

START_TEST(rubbish_is_refused)
{
	int64_t integer;
	double real;
	uint64_t bytes;
	bool flag;
	const char *text = rubbish[_i];
	ck_assert_int_eq(tw__parse_int(&integer, text, &err), TW_INVALID);
	ck_assert_int_eq(strncmp(err.message, "expected ", 9), 0);
	ck_assert_int_eq(tw__parse_real(&real, text, &err), TW_INVALID);
	ck_assert_int_eq(strncmp(err.message, "expected ", 9), 0);
	ck_assert_int_eq(tw__parse_bytes(&bytes, text, &err), TW_INVALID);
	ck_assert_int_eq(strncmp(err.message, "expected ", 9), 0);
	ck_assert_int_eq(tw__parse_seconds(&real, text, &err), TW_INVALID);
	ck_assert_int_eq(strncmp(err.message, "expected ", 9), 0);
	ck_assert_int_eq(tw__parse_bandwidth(&real, text, &err), TW_INVALID);
	ck_assert_int_eq(strncmp(err.message, "expected ", 9), 0);
	ck_assert_int_eq(tw__parse_flag(&flag, text, &err), TW_INVALID);
	ck_assert_int_eq(strncmp(err.message, "expected ", 9), 0);
}
END_TEST

START_TEST(integers_are_of_64_bits)
{
	int64_t value;
	ck_assert_int_eq(tw__parse_int(&value, "-9223372036854775808", &err), TW_OK);
	ck_assert(value == INT64_MIN);
	ck_assert_int_eq(tw__parse_int(&value, "9223372036854775807", &err), TW_OK);
	ck_assert(value == INT64_MAX);
	ck_assert_int_eq(tw__parse_int(&value, "9223372036854775808", &err), TW_INVALID);
	ck_assert_int_eq(tw__parse_int(&value, "-9223372036854775809", &err), TW_INVALID);
	ck_assert_int_eq(tw__parse_int(&value, "1.0", &err), TW_INVALID);
	ck_assert_int_eq(tw__parse_int(&value, "+007", &err), TW_OK);
	ck_assert_int_eq(value, 7);
}
END_TEST

static const struct {
	const char *text;
	uint64_t bytes;
} sizes[] = {
	{"0", 0},
	{"1024", 1024},
	{"7B", 7},
	{"500MiB", 500u << 20},
	{"500MB", 500000000},
	{"4GB", 4000000000},
	{"4GiB", UINT64_C(4) << 30},
	{"1KB", 1000},
	{"1kB", 1000},
	{"1KiB", 1024},
	{"2TiB", UINT64_C(2) << 40},
	{"1.5GiB", UINT64_C(3) << 29},
	{".5KiB", 512},
	{"1e6", 1000000},
	{"9223372036854775807", INT64_MAX},
	{"0.1MB", 100000},
	{"7EiB", UINT64_C(7) << 60},
	{"4g", 4000000000},
	{"4G", 4000000000},
	{"4gb", 4000000000},
	{"4 GB", 4000000000},
	{"500mib", 500u << 20},
	{"500Mi", 500u << 20},
	{"1M", 1000000},
};

START_TEST(sizes_are_exact)
{
	uint64_t bytes;
	ck_assert_int_eq(tw__parse_bytes(&bytes, sizes[_i].text, &err), TW_OK);
	ck_assert_uint_eq(bytes, sizes[_i].bytes);
}
END_TEST

static const char *const bad_sizes[] = {
	"-1",
	"-0",
	"-5MiB",
	"8EiB",
	"9223372036854775808",
	"18446744073709551616",
	"1Mb",
	"1MiBs",
	"1iB",
	"1  MB",
	"10us",
	"1e30B",
	"1 ",
	"1MBB",
	"1x",
	"1GiBi",
};

START_TEST(other_sizes_are_refused)
{
	uint64_t bytes;
	ck_assert_int_eq(tw__parse_bytes(&bytes, bad_sizes[_i], &err), TW_INVALID);
}
END_TEST

static const struct {
	uint64_t bytes;
	const char *size, *amount;
} shown[] = {
	{0, "0 B", "0 B"},
	{999, "999 B", "999 B"},
	{1000, "1 KB", "1.000 KB"},
	{1024, "1 KiB", "1.024 KB"},
	{2000000000, "2 GB", "2.000 GB"},
	{500000000, "500 MB", "500.0 MB"},
	{500u << 20, "500 MiB", "524.3 MB"},
	{UINT64_C(3) << 29, "1.5 GiB", "1.611 GB"},
	{2500000000, "2.5 GB", "2.500 GB"},
	{UINT64_C(1200) << 20, "1200 MiB", "1.258 GB"},
	{1000u << 20, "1000 MiB", "1.049 GB"},
	{UINT64_C(8) << 30, "8 GiB", "8.590 GB"},
	{811008000, "811.0 MB", "811.0 MB"},
	{5559091200, "5.559 GB", "5.559 GB"},
	{999949999, "999.9 MB", "999.9 MB"},
	{999999999, "1.000 GB", "1.000 GB"},
	{INT64_MAX, "9.223 EB", "9.223 EB"},
};

START_TEST(sizes_are_shown_as_they_were_given)
{
	char text[32];
	uint64_t again;
	ck_assert_str_eq(tw__size_text(text, sizeof text, shown[_i].bytes), shown[_i].size);
	/* A round size can be given as it is shown. */
	ck_assert_int_eq(tw__parse_bytes(&again, text, &err), TW_OK);
	if (strcmp(shown[_i].size, shown[_i].amount) != 0)
		ck_assert_uint_eq(again, shown[_i].bytes);
	ck_assert_str_eq(tw__amount_text(text, sizeof text, (double)shown[_i].bytes), shown[_i].amount);
}
END_TEST

START_TEST(axes_have_the_unit_of_most_sizes)
{
	static const struct {
		double sizes[4];
		const char *unit;
	} axes[] = {
		{{1e9, 2e9, 4e9, NAN}, "GB"},
		{{500e6, 1e9, 2e9, NAN}, "MB"},
		{{0x1p30, 0x1p31, 0x1p33, 4e9}, "GiB"},
		{{100 * 0x1p20, 200 * 0x1p20, 1e9, NAN}, "MiB"},
		{{100 * 0x1p20, 5.0731e9, NAN, NAN}, "MiB"},
		{{500 * 0x1p20, 1e9, 2e9, 4e9}, "GB"},
		{{NAN, NAN, NAN, NAN}, "MB"},
	};
	for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
		ck_assert_str_eq(tw__size_unit(axes[i].sizes, 4).name, axes[i].unit);
}
END_TEST

START_TEST(axes_of_used_bytes_have_the_kind_of_unit_of_most_sizes)
{
	static const double decimal[] = {500e6, 0, NAN, 1e9, 0x1p30}, binary[] = {100 * 0x1p20, 0, 5072899276};
	static const struct {
		double most;
		const char *decimal, *binary;
	} axes[] = {{0x1p32, "GB", "GiB"}, {2e9, "GB", "MiB"}, {2e6, "MB", "KiB"}, {2e3, "KB", "B"}, {0, "B", "B"}};
	ck_assert(!tw__are_sizes_binary(decimal, 5));
	ck_assert(tw__are_sizes_binary(binary, 3));
	ck_assert(!tw__are_sizes_binary(NULL, 0));
	for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
		ck_assert_str_eq(tw__used_unit(axes[i].most, false).name, axes[i].decimal);
		ck_assert_str_eq(tw__used_unit(axes[i].most, true).name, axes[i].binary);
	}
}
END_TEST

START_TEST(times_are_the_nearest_doubles)
{
	static const struct {
		const char *text;
		double seconds;
	} times[] = {
		{"10us", 10e-6}, {"1us", 1e-6},   {"175us", 175e-6}, {"1.5ms", 1.5e-3},    {"2", 2},
		{"2s", 2},       {"20ns", 20e-9}, {"0", 0},          {"0.000010s", 10e-6},
	};
	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
		double seconds;
		ck_assert_int_eq(tw__parse_seconds(&seconds, times[i].text, &err), TW_OK);
		ck_assert_msg(seconds == times[i].seconds, "%s: %.17g", times[i].text, seconds);
	}
	double seconds;
	static const char *const bad[] = {"-1us", "1 us", "1m", "1h", "1MiB", "us"};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ck_assert_int_eq(tw__parse_seconds(&seconds, bad[i], &err), TW_INVALID);
}
END_TEST

START_TEST(rates_are_of_bytes_bits_or_operations)
{
	static const struct {
		const char *text;
		double rate;
	} rates[] = {
		{"6GBps", 6e9}, {"6GiBps", 6 * 0x1p30}, {"8Gbps", 1e9},
		{"100", 100},   {"100Bps", 100},        {"2Gf", 2e9},
		{"1f", 1},      {"1kBps", 1000},        {"6010679672.232608Bps", 6010679672.232608},
	};
	for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
		double rate;
		ck_assert_int_eq(tw__parse_bandwidth(&rate, rates[i].text, &err), TW_OK);
		ck_assert_msg(rate == rates[i].rate, "%s: %.17g", rates[i].text, rate);
	}
	double rate;
	static const char *const bad[] = {"-6GBps", "6G", "6GB", "1e300GBps0", "1e308GBps", "6GBps;6GBps"};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ck_assert_int_eq(tw__parse_bandwidth(&rate, bad[i], &err), TW_INVALID);
}
END_TEST

START_TEST(flags_have_four_words_each)
{
	static const char *const yes[] = {"yes", "true", "on", "1"}, *const no[] = {"no", "false", "off", "0"};
	for (int i = 0; i < 4; i++) {
		bool flag = false;
		ck_assert_int_eq(tw__parse_flag(&flag, yes[i], &err), TW_OK);
		ck_assert(flag);
		ck_assert_int_eq(tw__parse_flag(&flag, no[i], &err), TW_OK);
		ck_assert(!flag);
	}
}
END_TEST

#define N(array) (int)(sizeof(array) / sizeof((array)[0]))

START_TEST(sizes_are_printed_in_the_unit_of_another)
{
	static const struct {
		uint64_t bytes, like;
		const char *text;
	} cases[] = {
		{117964800, 100000000, "118MB"},
		{117964800, 500 * 1048576, "113MiB"},
		{118000000, 100000000, "118MB"},
		{118000001, 100000000, "119MB"},
		{33554432, 10000000, "33.6MB"},
		{33554432, 1048576, "32MiB"},
		{1, 1073741824, "0.01GiB"},
		{1500000000, 16000000000, "1.50GB"},
		{999999999, 1000000000, "1GB"},
		{99950001, 1000000, "100MB"},
		{9999, 7, "9999B"},
		{12345, 7, "12.4KB"},
		{12345, 0, "12.4KB"},
		{33554432, 33554431, "33.6MB"},
		{33554432, 1, "33.6MB"},
		{33554432, 1000, "33.6MB"},
		{33554432, 1024, "32MiB"},
		{33554433, 1024, "32.1MiB"},
		{33554432, 10240, "32MiB"},
		{0, 1000, "0KB"},
		{1000000, 1048576000, "0.96MiB"},
		{UINT64_MAX, 1000000000000000000, "18.5EB"},
		{INT64_MAX, 1, "9224PB"},
	};
	char text[40];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		tw__print_bytes_like(text, sizeof text, cases[i].bytes, cases[i].like);
		ck_assert_str_eq(text, cases[i].text);
	}
}
END_TEST

START_TEST(sizes_that_look_alike_are_in_bytes)
{
	static const struct {
		uint64_t bytes, other;
		const char *text;
	} cases[] = {
		{33554432, 1000000, "32 MiB"},
		{33554432, 33554431, "33554432 bytes"},
		{33554431, 33554432, "33554431 bytes"},
		{33554432, 33554432, "32 MiB"},
		{8000000, 8000001, "8000000 bytes"},
		{11059200, 10000000, "11.06 MB"},
		{500, 501, "500 B"},
		{UINT64_MAX, UINT64_MAX - 1, "18446744073709551615 bytes"},
	};
	char text[32];
	for (int i = 0; i < N(cases); i++)
		ck_assert_str_eq(tw__size_beside(text, sizeof text, cases[i].bytes, cases[i].other), cases[i].text);
}
END_TEST

/* The text is never less than the size, and at most a unit or 1 % more. */
START_TEST(a_printed_size_suffices)
{
	static const uint64_t units[] = {1, 1000, 1024, 1000000, 1048576, 1000000000, 1073741824, UINT64_C(1) << 40};
	uint64_t bytes = 12345;
	for (int i = 0; i < 20000; i++) {
		char text[40];
		uint64_t unit = units[i % (int)(sizeof units / sizeof *units)], parsed;
		bytes = bytes * 6364136223846793005u + 1442695040888963407u;
		uint64_t size = bytes >> (16 + i % 45);
		tw__print_bytes_like(text, sizeof text, size, unit);
		ck_assert_int_eq(tw__parse_bytes(&parsed, text, &err), TW_OK);
		ck_assert_msg(parsed >= size && parsed - size <= (unit > size / 100 ? unit : size / 100), "%llu as %s",
		              (unsigned long long)size, text);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("units");
	TCase *cases = tcase_create("units");
	tcase_add_loop_test(cases, rubbish_is_refused, 0, N(rubbish));
	tcase_add_test(cases, sizes_are_printed_in_the_unit_of_another);
	tcase_add_test(cases, a_printed_size_suffices);
	tcase_add_test(cases, sizes_that_look_alike_are_in_bytes);
	tcase_add_test(cases, integers_are_of_64_bits);
	tcase_add_loop_test(cases, sizes_are_exact, 0, N(sizes));
	tcase_add_loop_test(cases, sizes_are_shown_as_they_were_given, 0, N(shown));
	tcase_add_test(cases, axes_have_the_unit_of_most_sizes);
	tcase_add_test(cases, axes_of_used_bytes_have_the_kind_of_unit_of_most_sizes);
	tcase_add_loop_test(cases, other_sizes_are_refused, 0, N(bad_sizes));
	tcase_add_test(cases, times_are_the_nearest_doubles);
	tcase_add_test(cases, rates_are_of_bytes_bits_or_operations);
	tcase_add_test(cases, flags_have_four_words_each);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
