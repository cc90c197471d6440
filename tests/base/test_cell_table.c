/* Tables of cells: the same rows as text and as JSON. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "base/cell_table.h"

static const struct cell_column columns[] = {
	{.key = "name", .title = "who"},
	{.key = "bytes", .title = "MB", .unit = UNIT_MEGABYTES},
	{.key = "seconds", .title = "time", .unit = UNIT_DURATION},
	{.title = "in text"},
	{.key = "in_json"},
	{.key = "list", .title = ""},
	{0},
};

static void add_rows(struct cell_table *t)
{
	struct cell_list list = {.most = 2};
	for (int i = 0; i < 4; i++)
		tw__list_add(&list, "%d", i);
	tw__cells_add(t, cell_text("é\n"), cell_integer(1500000), cell_real(0.0125), cell_format("%d of %d", 1, 2),
	              cell_flag(true), tw__list_cell(&list));
	tw__cells_add(t, cell_text("longer"), cell_real(NAN), cell_real(2), cell_text(""), cell_integer(3),
	              tw__list_cell(&list));
}

START_TEST(text_has_titles_and_units_and_columns_as_wide_as_needed)
{
	struct cell_table t = {.columns = columns, .indent = "> "};
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);
	add_rows(&t);
	ck_assert_int_eq(t.n, 2);
	tw__cells_print(&t, f);
	fclose(f);
	ck_assert_str_eq(text, "> who      MB     time  in text  \n"
	                       "> é       1.5  12.5 ms  1 of 2   0, 1 and 2 more\n"
	                       "> longer    -      2 s           \n");
	ck_assert_int_eq(t.n, 0); /* it can be filled again */
	free(text);
}
END_TEST

START_TEST(json_has_the_values_under_their_keys)
{
	struct cell_table t = {.columns = columns, .is_json = true};
	add_rows(&t);
	json_t *rows = tw__cells_array(&t);
	char *text = json_dumps(rows, JSON_COMPACT);
	ck_assert_str_eq(text,
	                 "[{\"name\":\"é\\n\",\"bytes\":1500000,\"seconds\":0.012500000000000001,\"in_json\":true,"
	                 "\"list\":\"0, 1 and 2 more\"},"
	                 "{\"name\":\"longer\",\"bytes\":null,\"seconds\":2.0,\"in_json\":3,\"list\":\"\"}]");
	free(text);
	json_decref(rows);
}
END_TEST

START_TEST(a_printed_table_is_empty)
{
	struct cell_table t = {.columns = columns, .is_json = true};
	add_rows(&t);
	json_decref(tw__cells_array(&t));
	ck_assert_int_eq(t.n, 0);
	json_t *rows = tw__cells_array(&t);
	ck_assert_uint_eq(json_array_size(rows), 0);
	json_decref(rows);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cell_table");
	TCase *cases = tcase_create("tables");
	tcase_add_test(cases, text_has_titles_and_units_and_columns_as_wide_as_needed);
	tcase_add_test(cases, json_has_the_values_under_their_keys);
	tcase_add_test(cases, a_printed_table_is_empty);
	suite_add_tcase(s, cases);
	SRunner *runner = srunner_create(s);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
