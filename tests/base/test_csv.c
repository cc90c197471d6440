#include "base/print.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <tilewright/csv.h>

enum { MOST = 5 };

static char *fields[MOST];

/* Returns the fields of one record with '|' between them, or "fault FIELD:LINE". */
static const char *cut(const char *text, bool loose)
{
	static char copy[100], shown[200];
	snprintf(copy, sizeof copy, "%s", text);
	struct tw_csv csv = {.at = copy, .line = 1, .loose = loose, .fields = fields, .most = MOST};
	int n = tw_csv_cut(&csv, copy);
	snprintf(shown, sizeof shown, "%d %d:%d", n, csv.n, csv.line);
	for (int i = 0; n > 0 && i < n; i++)
		snprintf(i ? shown + strlen(shown) : shown, 100, "%s%s", i ? "|" : "", fields[i]);
	return shown;
}

START_TEST(fields_are_cut_at_commas_outside_quotes)
{
	ck_assert_str_eq(cut("a,,\"b,\"\"c\"\"\",\"\",", false), "a||b,\"c\"||");
	ck_assert_str_eq(cut("", false), "");
	ck_assert_str_eq(cut(" a , b", false), " a | b");
	ck_assert_str_eq(cut("\"\"\"\"", false), "\"");
	ck_assert_str_eq(cut("1,2,3,4,5", false), "1|2|3|4|5");
}
END_TEST

START_TEST(loose_fields_lose_blanks_and_may_hold_quotes)
{
	ck_assert_str_eq(cut(" a b ,\t\" c \" , d\"e\",", true), "a b| c |d\"e\"|");
	ck_assert_str_eq(cut("   ", true), "");
	ck_assert_str_eq(cut("a\rb\r,\r\r", true), "a\rb\r|\r\r");
	ck_assert_str_eq(cut("\"a\" b", true), "-3 1:1");
	ck_assert_str_eq(cut("a,\"b", true), "-2 2:1");
}
END_TEST

START_TEST(faults_have_a_field_and_a_line)
{
	ck_assert_str_eq(cut("1,2,3,4,5,6", false), "-1 6:1");
	ck_assert_str_eq(cut("1,\"2\n\n", false), "-2 2:1");
	ck_assert_str_eq(cut("\"\n\n\",\"2\n\"x", false), "-3 2:4");
	ck_assert_str_eq(cut("a\"b\"", false), "-4 1:1");
	ck_assert_str_eq(cut("a,b\rc", false), "-5 2:1");
	ck_assert_str_eq(cut("a\r", false), "-5 1:1");
	for (int fault = TW_CSV_TOO_MANY; fault >= TW_CSV_STRAY_RETURN; fault--)
		ck_assert_uint_gt(strlen(tw_csv_why(fault)), 10);
}
END_TEST

START_TEST(records_end_with_their_lines)
{
	char text[] = "\xef\xbb\xbf"
		      "a,b\r\n\"1\n2\",\"\r\"\n\nend";
	struct tw_csv csv = {.at = tw_csv_text(text), .line = 1, .fields = fields, .most = MOST};
	ck_assert_int_eq(tw_csv_record(&csv), 2);
	ck_assert_str_eq(fields[0], "a");
	ck_assert_str_eq(fields[1], "b");
	ck_assert_int_eq(tw_csv_record(&csv), 2);
	ck_assert_int_eq(csv.first_line, 2);
	ck_assert_str_eq(fields[0], "1\n2");
	ck_assert_str_eq(fields[1], "\r");
	ck_assert_int_eq(tw_csv_record(&csv), 1);
	ck_assert_int_eq(csv.first_line, 4);
	ck_assert(!csv.unended);
	ck_assert_int_eq(tw_csv_record(&csv), 1);
	ck_assert(csv.unended);
	ck_assert_str_eq(fields[0], "end");
	ck_assert_int_eq(tw_csv_record(&csv), 0);
}
END_TEST

static FILE *open_bytes(const char *bytes, size_t n)
{
	FILE *f = tmpfile();
	fwrite(bytes, 1, n, f);
	rewind(f);
	return f;
}

START_TEST(lines_are_text_of_bounded_length)
{
	static char line[TW_CSV_LINE_BYTES + 1], longest[TW_CSV_LINE_BYTES + 1];
	memset(longest, 'x', sizeof longest);
	FILE *f = open_bytes("a\r\n\n\r", 5);
	ck_assert_int_eq(tw_csv_read_line(f, line), 1);
	ck_assert_str_eq(line, "a");
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(tw_csv_read_line(f, line), 1);
		ck_assert_str_eq(line, "");
	}
	ck_assert_int_eq(tw_csv_read_line(f, line), 0);
	fclose(f);
	f = open_bytes("a\0b\n", 4);
	ck_assert_int_eq(tw_csv_read_line(f, line), TW_CSV_ZERO_BYTE);
	fclose(f);
	f = open_bytes(longest, TW_CSV_LINE_BYTES);
	ck_assert_int_eq(tw_csv_read_line(f, line), 1);
	ck_assert_uint_eq(strlen(line), TW_CSV_LINE_BYTES);
	fclose(f);
	f = open_bytes(longest, TW_CSV_LINE_BYTES + 1);
	ck_assert_int_eq(tw_csv_read_line(f, line), TW_CSV_LONG_LINE);
	fclose(f);
	f = fopen("/tmp", "re");
	ck_assert_int_eq(tw_csv_read_line(f, line), TW_CSV_UNREADABLE);
	fclose(f);
}
END_TEST

static char *written(const char *text)
{
	char *bytes;
	size_t n;
	FILE *f = open_memstream(&bytes, &n);
	tw__csv_put(f, text);
	fclose(f);
	return bytes;
}

/* All texts of up to five of these characters. */
START_TEST(what_is_written_is_read_again)
{
	static const char characters[] = "a,\"\r\n #";
	for (int k = 1; k < 16807; k++) {
		char text[6] = "";
		int n = 0;
		for (int rest = k; rest; rest /= 7)
			text[n++] = characters[rest % 7];
		char *bytes = written(text);
		struct tw_csv csv = {.at = bytes, .line = 1, .fields = fields, .most = MOST};
		ck_assert_int_eq(tw_csv_record(&csv), 1);
		ck_assert_str_eq(fields[0], text);
		free(bytes);
	}
	char *plain = written("a b#c"), *quoted = written("a,b");
	ck_assert_str_eq(plain, "a b#c");
	ck_assert_str_eq(quoted, "\"a,b\"");
	free(plain);
	free(quoted);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("csv");
	TCase *cases = tcase_create("csv");
	tcase_add_test(cases, fields_are_cut_at_commas_outside_quotes);
	tcase_add_test(cases, loose_fields_lose_blanks_and_may_hold_quotes);
	tcase_add_test(cases, faults_have_a_field_and_a_line);
	tcase_add_test(cases, records_end_with_their_lines);
	tcase_add_test(cases, lines_are_text_of_bounded_length);
	tcase_add_test(cases, what_is_written_is_read_again);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
