/* The excerpt of a workload's graph that a calibration times. */
#include <check.h>
#include <stdlib.h>

#include "engine/real/bench_state.h"

/* A factorisation and twenty products of tiles of 1 KiB: product i reads tile i and updates tile 0. */
static struct tw_graph *products(void)
{
	struct tw_error err = {""};
	struct tw_graph *g = tw_graph_create();
	tw_data tiles[21];
	for (int i = 0; i < 21; i++)
		tiles[i] = tw_graph_data(g, 1024);
	tw_kernel factor = tw_graph_kernel(g, "factor", "8", "d", 1),
		  product = tw_graph_kernel(g, "product", "8", "d", 1);
	tw_graph_submit(g, factor, 0, &(struct tw_access){tiles[0], TW_RW}, 1);
	for (int i = 1; i < 21; i++)
		tw_graph_submit(g, product, 0, (struct tw_access[]){{tiles[i], TW_R}, {tiles[0], TW_RW}}, 2);
	ck_assert_msg(tw_graph_finish(g, &err) == TW_OK, "%s", err.message);
	return g;
}

static struct tw__excerpt excerpt_of(struct tw_graph *g, struct tw__excerpt_setup setup)
{
	struct tw_error err = {""};
	struct tw__excerpt p;
	setup.graph = g;
	ck_assert_msg(tw__excerpt_create(&p, &setup, &err) == TW_OK, "%s", err.message);
	return p;
}

static int tasks_of(const struct tw_graph *g, tw_kernel k)
{
	int n = 0;
	for (tw_task t = 0; t < g->n_tasks; t++)
		n += g->kernel[t] == k;
	return n;
}

START_TEST(a_few_tasks_of_each_kernel_if_they_have_enough_data)
{
	struct tw_graph *g = products();
	struct tw__excerpt p =
		excerpt_of(g, (struct tw__excerpt_setup){.n_sets = 1, .least_tasks = 4, .enough_bytes = 1});
	ck_assert_int_eq(tasks_of(p.graph, 0), 1);
	ck_assert_int_eq(tasks_of(p.graph, 1), 4);
	ck_assert_int_eq(p.n_handles, 5);
	tw__excerpt_finish(&p);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(more_tasks_until_there_are_enough_data)
{
	struct tw_graph *g = products();
	struct tw__excerpt p =
		excerpt_of(g, (struct tw__excerpt_setup){.n_sets = 1, .least_tasks = 4, .enough_bytes = 10 << 10});
	ck_assert_int_eq(p.n_handles, 10);
	ck_assert_int_eq(tasks_of(p.graph, 1), 9);
	tw__excerpt_finish(&p);
	p = excerpt_of(g, (struct tw__excerpt_setup){.n_sets = 1, .least_tasks = 4, .enough_bytes = 1 << 30});
	ck_assert_int_eq(tasks_of(p.graph, 1), 20);
	tw__excerpt_finish(&p);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(sets_have_the_same_content_and_rooms_have_none)
{
	struct tw_graph *g = products();
	const struct tw__excerpt_setup setup = {
		.n_sets = 3, .least_tasks = 2, .enough_bytes = 1, .n_rooms = 2, .room_bytes = 77};
	struct tw__excerpt p = excerpt_of(g, setup);
	ck_assert_int_eq(p.n_handles, 3);
	ck_assert_int_eq(p.graph->n_data, 3 * 3 + 2);
	for (int set = 0; set < 3; set++)
		for (tw_data h = 0; h < p.n_handles; h++) {
			tw_data d = tw__excerpt_handle(&p, set, h);
			ck_assert_int_eq(p.origin[d], h);
			ck_assert_uint_eq(p.graph->data_bytes[d], 1024);
		}
	for (int room = 0; room < 2; room++) {
		ck_assert_int_eq(p.origin[tw__excerpt_room(&p, room)], TW_NONE);
		ck_assert_uint_eq(p.graph->data_bytes[tw__excerpt_room(&p, room)], 77);
	}
	ck_assert(p.is_written[0] && !p.is_written[1] && !p.is_written[2]);
	tw__excerpt_finish(&p);
	tw_graph_destroy(g);
}
END_TEST

/* Accumulators are plain handles, because only one worker at a time uses a set of handles. The kernel that
 * combines two gets a task. */
START_TEST(reductions_are_combined)
{
	struct tw_error err = {""};
	struct tw_graph *g = tw_graph_create();
	tw_data sum = tw_graph_data(g, 8);
	tw_kernel add = tw_graph_kernel(g, "add", "1", "d", 1), combine = tw_graph_kernel(g, "combine", "1", "d", 1);
	tw_graph_reduction(g, sum, combine);
	for (int i = 0; i < 6; i++)
		tw_graph_submit(g, add, 0, &(struct tw_access){sum, TW_REDUX}, 1);
	ck_assert_msg(tw_graph_finish(g, &err) == TW_OK, "%s", err.message);
	struct tw__excerpt p =
		excerpt_of(g, (struct tw__excerpt_setup){.n_sets = 1, .least_tasks = 2, .enough_bytes = 1});
	ck_assert_int_eq(tasks_of(p.graph, add), 2);
	ck_assert_int_eq(tasks_of(p.graph, combine), 1);
	ck_assert_uint_eq(p.mode[0], TW_REDUX | TW_RW);
	ck_assert_int_eq(p.n_handles, 2);
	ck_assert_int_eq(p.origin[1], TW_NONE);
	tw__excerpt_finish(&p);
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("excerpt");
	TCase *tests = tcase_create("all");
	tcase_add_test(tests, a_few_tasks_of_each_kernel_if_they_have_enough_data);
	tcase_add_test(tests, more_tasks_until_there_are_enough_data);
	tcase_add_test(tests, sets_have_the_same_content_and_rooms_have_none);
	tcase_add_test(tests, reductions_are_combined);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
