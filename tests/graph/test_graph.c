/* Refused input, queries of a graph, and bottom levels. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

static struct tw_graph *small(void)
{
	struct tw_graph *g = tw_graph_create();
	ck_assert_ptr_nonnull(g);
	ck_assert_int_eq(tw_graph_data(g, 1000), 0);
	ck_assert_int_eq(tw_graph_data(g, 2000), 1);
	ck_assert_int_eq(tw_graph_kernel(g, "work", "10", "s", 3), 0);
	return g;
}

/* --- errors ----------------------------------------------------------------------------------------------------- */

static void bad_data(struct tw_graph *g) { tw_graph_data(g, 0); }
static void unknown_kernel(struct tw_graph *g) { tw_graph_submit(g, 1, 0, NULL, 0); }
static void negative_kernel(struct tw_graph *g) { tw_graph_submit(g, TW_NONE, 0, NULL, 0); }

static void access(struct tw_graph *g, tw_data data, unsigned mode)
{
	tw_graph_submit(g, 0, 0, &(struct tw_access){data, (enum tw_mode)mode}, 1);
}

static void unknown_data(struct tw_graph *g) { access(g, 2, TW_R); }
static void negative_data(struct tw_graph *g) { access(g, TW_NONE, TW_R); }
static void no_mode(struct tw_graph *g) { access(g, 0, 0); }
static void bad_mode(struct tw_graph *g) { access(g, 0, 4 | TW_R); }
static void negative_number(struct tw_graph *g) { tw_graph_submit(g, 0, 0, NULL, -1); }

static void twice(struct tw_graph *g)
{
	tw_graph_submit(g, 0, 0, (struct tw_access[]){{0, TW_R}, {1, TW_R}, {0, TW_W}}, 3);
}

static void too_many(struct tw_graph *g)
{
	tw_graph_submit(g, 0, 0, (struct tw_access[8]){{0, TW_R}}, tw_graph_n_data(g) + 1);
}

static void (*const mistakes[])(struct tw_graph *) = {bad_data,      unknown_kernel, negative_kernel, unknown_data,
                                                      negative_data, no_mode,        bad_mode,        negative_number,
                                                      twice,         too_many};

START_TEST(the_first_error_is_kept)
{
	struct tw_graph *g = small();
	struct tw_error err = {""};
	ck_assert_int_eq(tw_graph_submit(g, 0, 0, (struct tw_access[]){{0, TW_RW}}, 1), 0);
	mistakes[_i](g);
	/* After an error, all further calls fail. */
	ck_assert_int_eq(tw_graph_submit(g, 0, 0, (struct tw_access[]){{0, TW_R}}, 1), TW_NONE);
	ck_assert_int_eq(tw_graph_data(g, 10), TW_NONE);
	ck_assert_int_eq(tw_graph_kernel(g, "work", "10", "s", 3), TW_NONE);
	tw_graph_will_not_be_used(g, 0);
	ck_assert_int_eq(tw_graph_n_tasks(g), 1);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "expected"));
	ck_assert_ptr_nonnull(strstr(err.message, mistakes[_i] == bad_data ? "data 2" : "task 1"));
	/* The error stays. */
	struct tw_error again = {""};
	unknown_kernel(g);
	ck_assert_int_eq(tw_graph_finish(g, &again), TW_INVALID);
	ck_assert_str_eq(err.message, again.message);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(an_empty_graph_is_refused)
{
	struct tw_graph *g = small();
	struct tw_error err = {""};
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "empty"));
	tw_graph_destroy(g);
	tw_graph_destroy(NULL);
}
END_TEST

START_TEST(the_last_use_frees_the_graph)
{
	struct tw_graph *g = small();
	struct tw_error err = {""};
	access(g, 0, TW_R);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	tw__graph_share(g);
	tw__graph_share(g);
	tw_graph_destroy(g);
	tw_graph_destroy(g);
	ck_assert_uint_eq(tw_graph_data_bytes(g, 1), 2000);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(unfinished_graphs_can_be_destroyed)
{
	struct tw_graph *g = small();
	access(g, 0, TW_R);
	access(g, 0, TW_RW);
	tw_graph_destroy(g);
	tw_graph_destroy(tw_graph_create());
}
END_TEST

/* --- reading ---------------------------------------------------------------------------------------------------- */

START_TEST(kernels_are_found_again)
{
	struct tw_graph *g = small();
	ck_assert_int_eq(tw_graph_kernel(g, "work", "10", "s", 3), 0);
	ck_assert_int_eq(tw_graph_kernel(g, "work", "20", "s", 3), 1);
	ck_assert_int_eq(tw_graph_kernel(g, "work", "10", "d", 3), 2);
	ck_assert_int_eq(tw_graph_kernel(g, "other", "10", "s", 3), 3);
	ck_assert_int_eq(tw_graph_kernel(g, "work", "20", "s", 5), 1);
	ck_assert_int_eq(tw_graph_n_kernels(g), 4);
	ck_assert_str_eq(tw_graph_kernel_name(g, 3), "other");
	ck_assert_str_eq(tw_graph_kernel_size(g, 1), "20");
	tw_graph_destroy(g);
}
END_TEST

/* Kernels of one name, size and precision that were recorded on other archs are different kernels. Without archs the
 * first one is found. */
/* Files may have the maximum of kernels: a linear search for each would exceed the test's timeout. */
START_TEST(many_kernels_are_found_again)
{
	struct tw_graph *g = tw_graph_create();
	struct tw_error err = {""};
	char name[16], size[16];
	for (int round = 0; round < 3; round++)
		for (int k = 0; k <= UINT16_MAX; k++) {
			snprintf(name, sizeof name, "work%d", k / 256);
			snprintf(size, sizeof size, "%d", k % 256);
			ck_assert_int_eq(tw_graph_kernel(g, name, size, "s", 1), k);
		}
	ck_assert_int_eq(tw_graph_kernel(g, "one more", "1", "s", 1), TW_NONE);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "kernel 'one more': expected at most 65536 kernels");
	tw_graph_destroy(g);
}
END_TEST

START_TEST(names_of_kernels_are_text)
{
	static const char *const names[][3] = {
		{"a\nb", "1", "s"}, {"a", "1\x1b[1m", "s"}, {"a", "1", "\xff"}, {"a\xc2\x9b", "1", "s"}};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct tw_graph *g = tw_graph_create();
		struct tw_error err = {""};
		ck_assert_int_eq(tw_graph_kernel(g,
		                                 "Gr\xc3\xb6\xc3\x9f"
		                                 "e",
		                                 "1", "s", 1),
		                 0);
		ck_assert_int_eq(tw_graph_kernel(g, names[i][0], names[i][1], names[i][2], 1), TW_NONE);
		ck_assert_int_eq(tw_graph_finish(g, &err), TW_INVALID);
		ck_assert_msg(strstr(err.message, "expected text, without control characters"), "%s", err.message);
		tw_graph_destroy(g);
	}
}
END_TEST

/* Different (name, size, precision) do not collide when their texts are joined. */
START_TEST(names_of_kernels_end_where_they_end)
{
	struct tw_graph *g = tw_graph_create();
	ck_assert_int_eq(tw_graph_kernel(g, "a", "bc", "d", 1), 0);
	ck_assert_int_eq(tw_graph_kernel(g, "ab", "c", "d", 1), 1);
	ck_assert_int_eq(tw_graph_kernel(g, "a", "b", "cd", 1), 2);
	ck_assert_int_eq(tw_graph_kernel(g, "", "abc", "d", 1), 3);
	ck_assert_int_eq(tw_graph_kernel(g, "ab", "c", "d", 1), 1);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(kernels_are_told_apart_by_where_they_were_recorded)
{
	struct tw_graph *g = small();
	ck_assert_int_eq(tw_graph_recorded_kernel(g, "work", "10", "s", 3, "processors"), 1);
	ck_assert_int_eq(tw_graph_recorded_kernel(g, "work", "10", "s", 3, "accelerators"), 2);
	ck_assert_int_eq(tw_graph_recorded_kernel(g, "work", "10", "s", 3, "processors"), 1);
	ck_assert_int_eq(tw_graph_kernel(g, "work", "10", "s", 3), 0);
	tw_graph_recorded_on(g, 0, "processors");
	ck_assert_int_eq(tw_graph_recorded_kernel(g, "work", "10", "s", 3, "processors"), 0);
	ck_assert_int_eq(tw_graph_n_kernels(g), 3);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(recorded_places_are_kept)
{
	struct tw_graph *g = small();
	struct tw_error err = {""};
	for (int t = 0; t < 3; t++)
		tw_graph_submit(g, 0, 0, NULL, 0);
	tw_graph_set_recorded_place(g, 1, (struct tw_recorded_place){true, 2, 7});
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	ck_assert_ptr_null(tw_graph_recorded_place(g, 0));
	ck_assert_ptr_null(tw_graph_recorded_place(g, 2));
	const struct tw_recorded_place *place = tw_graph_recorded_place(g, 1);
	ck_assert(place->accelerator && place->worker == 2 && place->order == 7);
	tw_graph_destroy(g);
	g = small();
	tw_graph_submit(g, 0, 0, NULL, 0);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	ck_assert_ptr_null(tw_graph_recorded_place(g, 0));
	tw_graph_destroy(g);
}
END_TEST

START_TEST(what_was_given_is_read_back)
{
	struct tw_graph *g = small();
	struct tw_error err = {""};
	tw_graph_kernel(g, "other", "10", "s", 3);
	tw_graph_submit(g, 1, -7, (struct tw_access[]){{1, TW_RW}}, 1);
	tw_graph_mark_critical(g, 0);
	tw_graph_set_flops(g, 1e9);
	tw_graph_set_priority_scope(g, TW_PRIORITY_FOR_ALL);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	ck_assert_int_eq(tw_graph_n_tasks(g), 1);
	ck_assert_int_eq(tw_graph_n_data(g), 2);
	ck_assert_uint_eq(tw_graph_data_bytes(g, 1), 2000);
	ck_assert_int_eq(tw_graph_task_kernel(g, 0), 1);
	ck_assert_int_eq(tw_graph_priority(g, 0), -7);
	ck_assert(tw_graph_is_critical(g, 0));
	tw_graph_set_priority(g, 0, INT32_MAX);
	ck_assert_int_eq(tw_graph_priority(g, 0), INT32_MAX);
	ck_assert(!tw_graph_is_critical(g, 0));
	ck_assert_double_eq(tw_graph_flops(g), 1e9);
	ck_assert_int_eq(tw_graph_submit(g, 0, 0, NULL, 0), TW_NONE); /* the graph is finished */
	ck_assert_int_eq(tw_graph_n_tasks(g), 1);
	tw_graph_destroy(g);
}
END_TEST

/* --- levels ----------------------------------------------------------------------------------------------------- */

/* a(2) -> b(3) -> d(1), a -> c(10) -> d; e(12) has no edges. */
START_TEST(an_order_that_no_data_implies)
{
	struct tw_error err = {""};
	struct tw_graph *g = tw_graph_create();
	tw_kernel kernel = tw_graph_kernel(g, "k", "1", "s", 1);
	struct tw_access access = {tw_graph_data(g, 1), TW_RW};
	tw_task a = tw_graph_submit(g, kernel, 0, &access, 1), b = tw_graph_submit(g, kernel, 0, NULL, 0);
	tw_task c = tw_graph_submit(g, kernel, 0, &access, 1);
	tw_graph_depend(g, b);
	tw_graph_depend(g, a); /* duplicates an edge that the data imply */
	tw_graph_depend(g, b);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	ck_assert_int_eq(tw_graph_n_predecessors(g, c), 2);
	int n;
	ck_assert_int_eq(tw_graph_successors(g, b, &n)[0], c);
	ck_assert_int_eq(n, 1);
	ck_assert_int_eq(tw__graph_check(g, &err), TW_OK);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(bottom_levels_of_a_small_graph)
{
	static const double seconds[] = {2, 3, 10, 1, 12}, expected[] = {13, 4, 11, 1, 12};
	struct tw_graph *g = tw_graph_create();
	struct tw_error err = {""};
	double levels[5];
	for (int d = 0; d < 4; d++)
		tw_graph_data(g, 1);
	for (int k = 0; k < 5; k++)
		tw_graph_kernel(g, (const char *[]){"a", "b", "c", "d", "e"}[k], "1", "s", 1);
	tw_graph_submit(g, 0, 0, (struct tw_access[]){{0, TW_RW}}, 1);
	tw_graph_submit(g, 1, 0, (struct tw_access[]){{0, TW_R}, {1, TW_RW}}, 2);
	tw_graph_submit(g, 2, 0, (struct tw_access[]){{0, TW_R}, {2, TW_RW}}, 2);
	tw_graph_submit(g, 3, 0, (struct tw_access[]){{1, TW_R}, {2, TW_R}, {3, TW_W}}, 3);
	tw_graph_submit(g, 4, 0, NULL, 0);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	ck_assert_double_eq(tw_graph_bottom_levels(g, seconds, levels), 13);
	for (int t = 0; t < 5; t++)
		ck_assert_double_eq(levels[t], expected[t]);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(broken_graphs_are_recognised)
{
	struct tw_graph *g = small();
	struct tw_error err = {""};
	access(g, 0, TW_RW);
	access(g, 0, TW_RW);
	access(g, 0, TW_RW);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	ck_assert_int_eq(tw__graph_check(g, &err), TW_OK);
	tw_task *s = &g->successor[g->successor_start[1]];
	static const tw_task wrong[] = {0, 1, 3, -1};
	for (int i = 0; i < 4; i++) {
		*s = wrong[i];
		ck_assert_int_eq(tw__graph_check(g, &err), TW_FAILED);
	}
	*s = 2;
	ck_assert_int_eq(tw__graph_check(g, &err), TW_OK);
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("graph");
	TCase *cases = tcase_create("graph");
	tcase_add_loop_test(cases, the_first_error_is_kept, 0, (int)(sizeof mistakes / sizeof mistakes[0]));
	tcase_add_test(cases, an_empty_graph_is_refused);
	tcase_add_test(cases, the_last_use_frees_the_graph);
	tcase_add_test(cases, unfinished_graphs_can_be_destroyed);
	tcase_add_test(cases, kernels_are_found_again);
	tcase_add_test(cases, many_kernels_are_found_again);
	tcase_add_test(cases, names_of_kernels_are_text);
	tcase_add_test(cases, names_of_kernels_end_where_they_end);
	tcase_add_test(cases, kernels_are_told_apart_by_where_they_were_recorded);
	tcase_add_test(cases, recorded_places_are_kept);
	tcase_add_test(cases, what_was_given_is_read_back);
	tcase_add_test(cases, an_order_that_no_data_implies);
	tcase_add_test(cases, bottom_levels_of_a_small_graph);
	tcase_add_test(cases, broken_graphs_are_recognised);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
