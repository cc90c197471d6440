/* Generators of simple shapes: chain, star, grid, independent. */
#include <check.h>

#include "generated.h"

enum { N = 23 };

/* All tasks are alike, and write handles of the given size; the last access of a task is the one that writes. */
static void expect_equal_tasks(const struct tw_graph *g, tw_data n_data, uint64_t bytes, double seconds)
{
	ck_assert_int_eq(tw_graph_n_tasks(g), N);
	ck_assert_int_eq(tw_graph_n_data(g), n_data);
	for (tw_data d = 0; d < n_data; d++)
		ck_assert_uint_eq(tw_graph_data_bytes(g, d), bytes);
	ck_assert_int_eq(tasks_of_kernel(g, "task"), N);
	for (tw_task t = 0; t < N; t++) {
		ck_assert_double_eq(g->seconds[t], seconds);
		ck_assert(tw_graph_access(g, t, tw_graph_n_accesses(g, t) - 1).mode & TW_W);
	}
	ck_assert_double_eq(tw_graph_flops(g), 0);
}

START_TEST(a_chain_updates_one_handle)
{
	struct tw_graph *g = generated("chain:n=%d", N);
	expect_equal_tasks(g, 1, 1 << 20, 1e-3);
	for (tw_task t = 0; t < N; t++)
		ck_assert_int_eq(tw_graph_access(g, t, 0).mode, TW_RW);
	ck_assert_int_eq(n_edges(g), N - 1);
	ck_assert_double_eq(path(g, NULL), N);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(a_chain_has_a_handle_for_each_task_if_asked)
{
	struct tw_graph *g = generated("chain:n=%d:handles=many:bytes=5:duration=2", N);
	expect_equal_tasks(g, N, 5, 2);
	for (tw_task t = 1; t < N; t++) {
		ck_assert_int_eq(tw_graph_n_accesses(g, t), 2);
		ck_assert_int_eq(tw_graph_access(g, t, 0).data, t - 1);
		ck_assert_int_eq(tw_graph_access(g, t, 1).data, t);
	}
	ck_assert_int_eq(n_edges(g), N - 1);
	ck_assert_double_eq(path(g, NULL), N);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(a_star_reads_the_first_result)
{
	struct tw_graph *g = generated("star:n=%d", N);
	expect_equal_tasks(g, N, 1 << 20, 1e-3);
	for (tw_task t = 1; t < N; t++) {
		ck_assert_int_eq(tw_graph_n_accesses(g, t), 2);
		ck_assert_int_eq(tw_graph_access(g, t, 0).data, 0);
		ck_assert(depends(g, t, 0));
	}
	ck_assert_int_eq(n_edges(g), N - 1);
	ck_assert_double_eq(path(g, NULL), 2);
	tw_graph_destroy(g);
}
END_TEST

/* With width 0, rows have 5 tasks, and the last one has 3. */
START_TEST(a_grid_depends_on_its_neighbours)
{
	int given = _i, width = given ? given : 5, edges = 0;
	struct tw_graph *g = generated("grid:n=%d:width=%d", N, given);
	expect_equal_tasks(g, N, 1 << 20, 1e-3);
	for (tw_task t = 0; t < N; t++) {
		bool above = t >= width, left = t % width > 0;
		ck_assert_int_eq(tw_graph_n_predecessors(g, t), above + left);
		ck_assert(!above || depends(g, t, t - width));
		ck_assert(!left || depends(g, t, t - 1));
		edges += above + left;
	}
	ck_assert_int_eq(n_edges(g), edges);
	int rows = (N + width - 1) / width, last = N - (rows - 1) * width, full = rows > 1 ? rows - 2 + width : 0;
	ck_assert_double_eq(path(g, NULL), full > rows - 1 + last ? full : rows - 1 + last);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(independent_tasks_share_nothing)
{
	struct tw_graph *g = generated("independent:n=%d", N);
	expect_equal_tasks(g, N, 1 << 20, 1e-3);
	for (tw_task t = 0; t < N; t++) {
		ck_assert_int_eq(tw_graph_n_accesses(g, t), 1);
		ck_assert_int_eq(tw_graph_access(g, t, 0).data, t);
	}
	ck_assert_int_eq(n_edges(g), 0);
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shapes");
	TCase *cases = tcase_create("shapes");
	tcase_add_test(cases, a_chain_updates_one_handle);
	tcase_add_test(cases, a_chain_has_a_handle_for_each_task_if_asked);
	tcase_add_test(cases, a_star_reads_the_first_result);
	tcase_add_loop_test(cases, a_grid_depends_on_its_neighbours, 0, N + 1);
	tcase_add_test(cases, independent_tasks_share_nothing);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
