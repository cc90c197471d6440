/* Reading results: for all contents of a file, the reader returns rows or an error with the line. Also statistics. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/points.h"

START_TEST(student_gives_the_interval)
{
	double values[] = {1, NAN, 2, 3, 4};
	struct tw__stats s = tw__stats_of(values, 5);
	ck_assert_int_eq(s.n, 4);
	ck_assert_double_eq_tol(s.mean, 2.5, 1e-12);
	ck_assert_double_eq_tol(s.sd, 1.2909944487358056, 1e-12);
	ck_assert_double_eq_tol(s.ci95, 3.182446305284263 * 1.2909944487358056 / 2, 1e-9);
	ck_assert_double_eq_tol(s.least, 1, 1e-15);
	ck_assert_double_eq_tol(s.most, 4, 1e-15);
	ck_assert(isnan(tw__stats_of(values, 1).ci95));
	ck_assert(isnan(tw__stats_of(values, 0).mean));
	double unsorted[] = {4, 1, 3, 2};
	ck_assert_double_eq_tol(tw__median_of(unsorted, 4), 2.5, 1e-15);
}
END_TEST

static const char whole[] = "platform,policy,workload,makespan_s,message\r\n"
			    "mirage,eager,\"a,\"\"b\"\"\nc\",1.5,\r\n"
			    "mirage,lws,w,2,\"two\nlines\"\n";

static int read_bytes(struct tw__rows *rows, const char *bytes, size_t n, struct tw_error *err)
{
	char path[] = "/tmp/tilewright-test-XXXXXX";
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
	close(fd);
	int status = tw__rows_read(rows, path, err);
	unlink(path);
	if (status == TW_OK)
		rows->path = "results.csv";
	else
		ck_assert_ptr_nonnull(strstr(err->message, path));
	return status;
}

START_TEST(quoted_fields_span_lines)
{
	struct tw__rows rows;
	struct tw_error err;
	ck_assert_int_eq(read_bytes(&rows, whole, sizeof whole - 1, &err), TW_OK);
	ck_assert_int_eq(rows.n_rows, 2);
	ck_assert_int_eq(rows.n_columns, 5);
	ck_assert_str_eq(tw__rows_text(&rows, 0, tw__rows_column(&rows, "workload")), "a,\"b\"\nc");
	ck_assert_int_eq(rows.lines[0], 2);
	ck_assert_int_eq(rows.lines[1], 4);
	double value;
	ck_assert_int_eq(tw__rows_number(&rows, 1, 3, &value, &err), TW_OK);
	ck_assert_double_eq_tol(value, 2, 1e-15);
	ck_assert_str_eq(tw__rows_text(&rows, 0, tw__rows_column(&rows, "gpus")), "");
	tw__rows_finish(&rows);
}
END_TEST

START_TEST(a_byte_order_mark_is_no_text)
{
	static const char text[] = "\xef\xbb\xbf"
				   "policy,seed\r\neager,1\r\n";
	struct tw__rows rows;
	struct tw_error err;
	ck_assert_int_eq(read_bytes(&rows, text, sizeof text - 1, &err), TW_OK);
	ck_assert_int_eq(tw__rows_column(&rows, "policy"), 0);
	ck_assert_str_eq(tw__rows_text(&rows, 0, 1), "1");
	tw__rows_finish(&rows);
}
END_TEST

START_TEST(damage_is_an_error_or_rows)
{
	struct tw__rows rows;
	struct tw_error err;
	int good = 0;
	for (size_t n = 0; n < sizeof whole; n++) /* truncated at each byte */
		if (read_bytes(&rows, whole, n, &err) == TW_OK) {
			good++;
			ck_assert_int_le(rows.n_rows, 2);
			tw__rows_finish(&rows);
		}
	ck_assert_int_gt(good, 30);
	for (size_t at = 0; at < sizeof whole - 1; at++) /* with each byte replaced */
		for (const char *with = "\",\n\r\x01\xffx"; *with; with++) {
			char bytes[sizeof whole];
			memcpy(bytes, whole, sizeof whole);
			bytes[at] = *with;
			if (read_bytes(&rows, bytes, sizeof whole - 1, &err) == TW_OK)
				tw__rows_finish(&rows);
		}
}
END_TEST

START_TEST(repetitions_are_one_point)
{
	static const char text[] = "policy,seed,gpus\neager,1,2\nlws,1,2\neager,2,2\neager,1,3\n";
	struct tw__rows rows;
	struct tw_error err;
	int columns[TW__MAX_POINT_COLUMNS], group[4];
	ck_assert_int_eq(read_bytes(&rows, text, sizeof text - 1, &err), TW_OK);
	int n = tw__point_columns_of(&rows, NULL, columns);
	ck_assert_int_eq(n, 2);
	ck_assert_int_eq(tw__rows_group(&rows, columns, n, group), 3);
	ck_assert_int_eq(group[0], 0);
	ck_assert_int_eq(group[1], 1);
	ck_assert_int_eq(group[2], 0);
	ck_assert_int_eq(group[3], 2);
	static const char *const gpus[] = {"gpus", NULL};
	ck_assert_int_eq(tw__rows_group(&rows, columns, tw__point_columns_of(&rows, gpus, columns), group), 2);
	tw__rows_finish(&rows);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("results");
	TCase *tests = tcase_create("results");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, student_gives_the_interval);
	tcase_add_test(tests, quoted_fields_span_lines);
	tcase_add_test(tests, a_byte_order_mark_is_no_text);
	tcase_add_test(tests, damage_is_an_error_or_rows);
	tcase_add_test(tests, repetitions_are_one_point);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
