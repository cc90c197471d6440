/* The reader of Matrix Market files: accepted files, and messages about others. */
#include <math.h>
#include <stdlib.h>

#include "../platform/temp.h"
#include "dense.h"

static int read_text(struct tw_pattern *p, const char *text, size_t n, struct tw_error *err)
{
	FILE *stream = fmemopen((void *)(uintptr_t)text, n, "r");
	ck_assert_ptr_nonnull(stream);
	int status = tw_pattern_read_stream(p, stream, "m.mtx", err);
	fclose(stream);
	return status;
}

/* `expected`: rows of '.' and 'x', with '/' between them. */
static const struct {
	const char *text, *expected;
} good[] = {
	{"%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 1.5\n2 1 -2e-3\n", "..x/x.."},
	{"%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 3\n2 1", "..x/x.."},
	{"%%matrixmarket MATRIX Coordinate Complex GENERAL\n2 2 1\n2 2 0 1e300\n", "../.x"},
	{"%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 1 7\n3 1 -7\n3 2 0\n", "x.x/..x/xx."},
	{"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n", ".x/x."},
	{"%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 3 4\n", "xx/x."},
	/* entries above the diagonal, and duplicates */
	{"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 3\n1 2\n2 1\n1 2\n", ".x/x."},
	/* comments, blank lines, blanks, carriage returns */
	{"%%MatrixMarket  matrix\tcoordinate pattern general \r\n%\n% 5 5 5\r\n\n\r"
         "\n 2  2\t2 \r\n  1 1\r\n%\n\n2\t2 \n\n%",
         "x./.x"},
	{"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 nan\n", "x"},
};

START_TEST(good_files_are_read)
{
	struct tw_pattern p;
	struct tw_error err = {""};
	ck_assert_msg(read_text(&p, good[_i].text, strlen(good[_i].text), &err) == TW_OK, "%s", err.message);
	struct dense d = dense_of(&p);
	const char *at = good[_i].expected;
	for (int i = 0; i < d.rows; i++, at++)
		for (int j = 0; j < d.columns; j++, at++)
			ck_assert_int_eq(*at, d.at[i][j] ? 'x' : '.');
	ck_assert_int_eq(at[-1], '\0');
	tw_pattern_finish(&p);
}
END_TEST

#define HEADER "%%MatrixMarket matrix coordinate real general\n"

static const struct {
	const char *text, *message;
} bad[] = {
	{"\n", "m.mtx:1: expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'"},
	{"1 1 1\n1 1 1\n", "m.mtx:1: expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'"},
	{"%%MatrixMarket matrix coordinate real\n",
         "m.mtx:1: expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'"},
	{"%%MatrixMarket matrix array real general\n1 1\n1\n",
         "m.mtx:1: a 'matrix' in format 'array', expected a matrix in coordinate format"},
	{"%%MatrixMarket vector coordinate real general\n",
         "m.mtx:1: a 'vector' in format 'coordinate', expected a matrix in coordinate format"},
	{"%%MatrixMarket matrix coordinate quaternion general\n",
         "m.mtx:1: entries of type 'quaternion', expected pattern, real, integer or complex"},
	{"%%MatrixMarket matrix coordinate real upper\n",
         "m.mtx:1: 'upper', expected general, symmetric, skew-symmetric or hermitian"},
	{HEADER, "m.mtx:2: expected rows and columns, 1 to 10000000, and entries, 1 to 268435456"},
	{HEADER "% 1 1 1\n", "m.mtx:3: expected rows and columns"},
	{HEADER "2 2\n", "m.mtx:2: expected rows and columns"},
	{HEADER "2 2 1 1\n", "m.mtx:2: expected rows and columns"},
	{HEADER "0 2 1\n", "m.mtx:2: expected rows and columns"},
	{HEADER "2 2 0\n", "m.mtx:2: expected rows and columns"},
	{HEADER "2 -2 1\n", "m.mtx:2: expected rows and columns"},
	{HEADER "10000001 2 1\n", "m.mtx:2: expected rows and columns"},
	{HEADER "2 2 268435457\n", "m.mtx:2: expected rows and columns"},
	{HEADER "2 2 99999999999999999999999999\n", "m.mtx:2: expected rows and columns"},
	{HEADER "2.0 2 1\n", "m.mtx:2: expected rows and columns"},
	{"%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n",
         "m.mtx:2: 2 rows and 3 columns, expected a square matrix for this symmetry"},
	{HEADER "2 2 1\n", "m.mtx:3: the file ends after 0 entries, expected 1"},
	{HEADER "2 2 200000000\n1 1 1\n", "m.mtx:4: the file ends after 1 entries, expected 200000000"},
	{HEADER "2 2 1\n1 1 1\n\n2 2 1\n", "m.mtx:5: another entry, expected the file's end after 1"},
	{HEADER "2 2 1\n3 1 1\n", "m.mtx:3: expected a row, 1 to 2, and a column, 1 to 2, then a number"},
	{HEADER "2 2 1\n1 3 1\n", "m.mtx:3: expected a row"},
	{HEADER "2 2 1\n0 1 1\n", "m.mtx:3: expected a row"},
	{HEADER "2 2 1\n1\n", "m.mtx:3: expected a row"},
	{HEADER "2 2 1\n1 1\n", "m.mtx:3: expected a row"},
	{HEADER "2 2 1\n1 1 x\n", "m.mtx:3: expected a row"},
	{HEADER "2 2 1\n1 1 1x\n", "m.mtx:3: expected a row"},
	{HEADER "2 2 1\n1 1 1 1\n", "m.mtx:3: expected a row"},
	{HEADER "2 2 1\n1x1 1\n", "m.mtx:3: expected a row"},
	{"%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1\n",
         "m.mtx:3: expected a row, 1 to 2, and a column, 1 to 2, then two numbers"},
	{"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n",
         "m.mtx:3: expected a row, 1 to 2, and a column, 1 to 2"},
	{"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.5\n", "m.mtx:3: expected a row"},
};

START_TEST(bad_files_are_told_where_they_are_bad)
{
	struct tw_pattern p;
	struct tw_error err = {""};
	ck_assert_int_eq(read_text(&p, bad[_i].text, strlen(bad[_i].text), &err), TW_INVALID);
	ck_assert_contains(err.message, bad[_i].message);
}
END_TEST

static void expect_refusal(const char *text, size_t n, const char *message)
{
	struct tw_pattern p;
	struct tw_error err = {""};
	ck_assert_int_eq(read_text(&p, text, n, &err), TW_INVALID);
	ck_assert_contains(err.message, message);
}

START_TEST(lines_have_an_end)
{
	/* a line "1 1 1000..." of 1024 characters, after a comment, which may be longer */
	char text[4000] = HEADER "%";
	size_t n = strlen(text);
	memset(text + n, ' ', 2000);
	n += 2000;
	n += (size_t)sprintf(text + n, "\n1 1 1\n1 1 1");
	memset(text + n, '0', 1019);
	struct tw_pattern p;
	struct tw_error err = {""};
	text[n + 1019] = '\n';
	ck_assert_msg(read_text(&p, text, n + 1020, &err) == TW_OK, "%s", err.message);
	tw_pattern_finish(&p);

	text[n + 1019] = '0';
	expect_refusal(text, n + 1020, "m.mtx:4: a line of more than 1024 characters, expected shorter ones");
	static const char zero[] = HEADER "1 1 1\n1 1 1\0\n";
	expect_refusal(zero, sizeof zero - 1, "m.mtx:3: a zero byte, expected text");
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
	struct tw_pattern p;
	struct tw_error err = {""};
	ck_assert_int_eq(tw_pattern_read(&p, "/nowhere/m.mtx", &err), TW_INVALID);
	ck_assert_contains(err.message, "/nowhere/m.mtx: cannot open it: No such file");
	ck_assert_int_eq(tw_pattern_read(&p, "/", &err), TW_INVALID);
	ck_assert_contains(err.message, "/: cannot read it: Is a directory");

	struct temp file = temp_text(good[0].text);
	ck_assert_int_eq(tw_pattern_read(&p, file.path, &err), TW_OK);
	ck_assert_int_eq(p.n_columns, 3);
	tw_pattern_finish(&p);
	temp_remove(file);
}
END_TEST

/* A file of 100,000 entries in shuffled order, with duplicates, gives the original matrix. */
START_TEST(a_long_file)
{
	enum { ROWS = 120, COLUMNS = 97, ENTRIES = 100000 };
	struct dense expected = {.rows = ROWS, .columns = COLUMNS};
	char *text;
	size_t n;
	FILE *stream = open_memstream(&text, &n);
	fprintf(stream, "%s%d %d %d\n", HEADER, ROWS, COLUMNS, ENTRIES);
	uint32_t seed = 3;
	for (int e = 0; e < ENTRIES; e++) {
		seed = seed * 1664525 + 1013904223;
		int place = (int)((seed >> 8) % (ROWS * COLUMNS / 2)) * 2;
		expected.at[place % ROWS][place / ROWS] = true;
		fprintf(stream, "%d %d %.17g\n", place % ROWS + 1, place / ROWS + 1, sin(e));
	}
	fclose(stream);
	struct tw_pattern p;
	struct tw_error err = {""};
	ck_assert_msg(read_text(&p, text, n, &err) == TW_OK, "%s", err.message);
	struct dense d = dense_of(&p);
	ck_assert_int_eq(memcmp(&d, &expected, sizeof d), 0);
	tw_pattern_finish(&p);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("matrix market");
	TCase *cases = tcase_create("matrix market");
	tcase_add_loop_test(cases, good_files_are_read, 0, (int)(sizeof good / sizeof good[0]));
	tcase_add_loop_test(cases, bad_files_are_told_where_they_are_bad, 0, (int)(sizeof bad / sizeof bad[0]));
	tcase_add_test(cases, lines_have_an_end);
	tcase_add_test(cases, files_that_cannot_be_read);
	tcase_add_test(cases, a_long_file);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
