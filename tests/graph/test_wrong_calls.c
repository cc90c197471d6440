/* Wrong calls of the public functions of graphs: an error that the graph keeps, or a neutral value. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "graph/graph.h"

/* Two handles, a kernel, and a task that writes the first handle. */
static struct tw_graph *small(void)
{
	struct tw_graph *g = tw_graph_create();
	tw_graph_data_many(g, 2, (const uint64_t[]){1000, 2000});
	tw_graph_kernel(g, "work", "10", "s", 3);
	tw_graph_submit(g, 0, 5, &(struct tw_access){0, TW_RW}, 1);
	return g;
}

/* --- builder functions -------------------------------------------------------------------------------------------- */

static void kernel_without_name(struct tw_graph *g) { tw_graph_kernel(g, NULL, "1", "s", 1); }
static void kernel_without_size(struct tw_graph *g) { tw_graph_kernel(g, "a", NULL, "s", 1); }
static void kernel_without_precision(struct tw_graph *g)
{
	tw_graph_recorded_kernel(g, "a", "1", NULL, 1, "processors");
}
static void kernel_of_nan(struct tw_graph *g) { tw_graph_kernel(g, "a", "1", "s", NAN); }
static void kernel_of_negative(struct tw_graph *g) { tw_graph_recorded_kernel(g, "a", "1", "s", -1, NULL); }
static void kernel_of_infinity(struct tw_graph *g) { tw_graph_kernel(g, "a", "1", "s", HUGE_VAL); }
static void kernel_recorded_on_no_text(struct tw_graph *g) { tw_graph_recorded_kernel(g, "a", "1", "s", 1, "\n"); }
static void restrict_unknown(struct tw_graph *g) { tw_graph_restrict(g, 1, "cpu"); }
static void restrict_none(struct tw_graph *g) { tw_graph_restrict(g, TW_NONE, NULL); }
static void restrict_to_no_text(struct tw_graph *g) { tw_graph_restrict(g, 0, "\x1b"); }
static void recorded_on_unknown(struct tw_graph *g) { tw_graph_recorded_on(g, 7, "processors"); }
static void no_bytes(struct tw_graph *g) { tw_graph_data(g, 0); }
static void reduction_of_unknown(struct tw_graph *g) { tw_graph_reduction(g, 2, 0); }
static void reduction_of_none(struct tw_graph *g) { tw_graph_reduction(g, TW_NONE, 0); }
static void reduction_by_unknown(struct tw_graph *g) { tw_graph_reduction(g, 0, 1); }
static void reduction_by_none(struct tw_graph *g) { tw_graph_reduction(g, 0, TW_NONE); }
static void submit_without_array(struct tw_graph *g) { tw_graph_submit(g, 0, 0, NULL, 1); }
static void submit_too_many(struct tw_graph *g) { tw_graph_submit(g, 0, 0, NULL, INT32_MAX); }
static void submit_fewer_than_none(struct tw_graph *g) { tw_graph_submit(g, 0, 0, NULL, INT32_MIN); }
static void seconds_of_none(struct tw_graph *g) { tw_graph_set_seconds(g, TW_NONE, 1); }
static void seconds_nan(struct tw_graph *g) { tw_graph_set_seconds(g, 0, NAN); }
static void seconds_negative(struct tw_graph *g) { tw_graph_set_seconds(g, 0, -1); }
static void seconds_on_null(struct tw_graph *g) { tw_graph_set_seconds_on(g, NULL, 1); }
static void seconds_zero(struct tw_graph *g) { tw_graph_set_seconds(g, 0, 0); }
static void seconds_infinite(struct tw_graph *g) { tw_graph_set_seconds(g, 0, HUGE_VAL); }
static void seconds_too_long(struct tw_graph *g) { tw_graph_set_seconds(g, 0, 1.001 * TW_MAX_SECONDS); }
static void seconds_of_later(struct tw_graph *g) { tw_graph_set_seconds(g, 1, 1); }
static void seconds_on_two(struct tw_graph *g) { tw_graph_set_seconds_on(g, "cpu+gpu", 1); }
static void seconds_on_twice(struct tw_graph *g)
{
	for (int i = 0; i < 3; i++)
		tw_graph_set_seconds_on(g, i % 2 ? "b" : "a", 1);
}
static void seconds_on_zero(struct tw_graph *g) { tw_graph_set_seconds_on(g, "a", 0); }
static void place_without_worker(struct tw_graph *g)
{
	tw_graph_set_recorded_place(g, 0, (struct tw_recorded_place){false, -1, 0});
}
static void place_without_order(struct tw_graph *g)
{
	tw_graph_set_recorded_place(g, 0, (struct tw_recorded_place){false, 0, -1});
}
static void seconds_on_nan(struct tw_graph *g) { tw_graph_set_seconds_on(g, "cpu", NAN); }
static void place_of_unknown(struct tw_graph *g) { tw_graph_set_recorded_place(g, 1, (struct tw_recorded_place){0}); }
static void critical_unknown(struct tw_graph *g) { tw_graph_mark_critical(g, 1); }
static void critical_none(struct tw_graph *g) { tw_graph_mark_critical(g, TW_NONE); }
static void priority_of_unknown(struct tw_graph *g) { tw_graph_set_priority(g, 1, 0); }
static void priority_of_none(struct tw_graph *g) { tw_graph_set_priority(g, INT32_MIN, 0); }
static void depend_on_itself(struct tw_graph *g) { tw_graph_depend(g, 0); }
static void depend_on_later(struct tw_graph *g) { tw_graph_depend(g, INT32_MAX); }
static void unused_unknown(struct tw_graph *g) { tw_graph_will_not_be_used(g, 2); }
static void unused_none(struct tw_graph *g) { tw_graph_will_not_be_used(g, TW_NONE); }
static void discard_unknown(struct tw_graph *g) { tw_graph_discard(g, 2); }
static void discard_none(struct tw_graph *g) { tw_graph_discard(g, TW_NONE); }
static void home_of_unknown(struct tw_graph *g) { tw_graph_set_home(g, 2, 0); }
static void home_of_none(struct tw_graph *g) { tw_graph_set_home(g, TW_NONE, 0); }
static void home_nowhere(struct tw_graph *g) { tw_graph_set_home(g, 0, TW_NONE); }
static void end_of_unknown(struct tw_graph *g) { tw_graph_set_end(g, 2, 0); }
static void end_nowhere(struct tw_graph *g) { tw_graph_set_end(g, 0, TW_NONE); }
static void home_too_great(struct tw_graph *g) { tw_graph_set_home(g, 0, TW_MAX_MEMORIES); }
static void flops_nan(struct tw_graph *g) { tw_graph_set_flops(g, NAN); }
static void flops_negative(struct tw_graph *g) { tw_graph_set_flops(g, -1); }
static void flops_infinite(struct tw_graph *g) { tw_graph_set_flops(g, HUGE_VAL); }
static void scope_unknown(struct tw_graph *g) { tw_graph_set_priority_scope(g, (enum tw_priority_scope)3); }
static void scope_none(struct tw_graph *g) { tw_graph_set_priority_scope(g, (enum tw_priority_scope)TW_NONE); }

static const struct {
	void (*call)(struct tw_graph *);
	const char *expected;
} wrong[] = {
	{kernel_without_name, "kernel 1: NULL, expected texts"},
	{kernel_without_size, "kernel 1: NULL, expected texts"},
	{kernel_without_precision, "kernel 1: NULL, expected texts"},
	{kernel_of_nan, "kernel 'a' of nan flops: expected 0 or more"},
	{kernel_of_negative, "kernel 'a' of -1 flops: expected 0 or more"},
	{kernel_of_infinity, "kernel 'a' of inf flops: expected 0 or more"},
	{kernel_recorded_on_no_text, "archs ' ': expected text"},
	{restrict_unknown, "archs of kernel 1: expected a known kernel"},
	{restrict_none, "archs of kernel -1: expected a known kernel"},
	{restrict_to_no_text, "archs ' ': expected text"},
	{recorded_on_unknown, "archs of kernel 7: expected a known kernel"},
	{no_bytes, "data 2: 0 bytes, expected at least 1 byte"},
	{reduction_of_unknown, "reduction of data 2 by kernel 0: expected a known handle and a known kernel"},
	{reduction_of_none, "reduction of data -1"},
	{reduction_by_unknown, "reduction of data 0 by kernel 1"},
	{reduction_by_none, "reduction of data 0 by kernel -1"},
	{submit_without_array, "task 1: expected an array of 0 to 2 accesses, at most one to each handle"},
	{submit_too_many, "task 1: expected an array of 0 to 2 accesses, at most one to each handle"},
	{submit_fewer_than_none, "task 1: expected an array of 0 to 2 accesses, at most one to each handle"},
	{seconds_of_none, "seconds of task -1, expected one submitted before"},
	{seconds_nan, "task 0 takes nan s, expected a time above 0"},
	{seconds_negative, "task 0 takes -1 s, expected a time above 0"},
	{seconds_of_later, "seconds of task 1, expected one submitted before"},
	{seconds_zero, "task 0 takes 0 s, expected a time above 0"},
	{seconds_infinite, "task 0 takes inf s, expected a time above 0"},
	{seconds_too_long, "task 0 takes 1.001e+09 s, expected a time above 0, at most 1e+09"},
	{seconds_on_two, "seconds on 'cpu+gpu': expected the name of an arch"},
	{seconds_on_twice, "task 0 has seconds on 'a' twice"},
	{seconds_on_zero, "task 0 takes 0 s, expected a time above 0"},
	{place_without_worker, "recorded on worker -1, there number 0, expected 0 or more"},
	{place_without_order, "recorded on worker 0, there number -1, expected 0 or more"},
	{seconds_on_null, "seconds on '(NULL)': expected the name of an arch"},
	{seconds_on_nan, "task 0 takes nan s, expected a time above 0"},
	{place_of_unknown, "recorded place of task 1, expected one submitted before"},
	{critical_unknown, "a mark on task 1, expected one submitted before"},
	{critical_none, "a mark on task -1"},
	{priority_of_unknown, "priority of task 1, expected one submitted before"},
	{priority_of_none, "priority of task -2147483648"},
	{depend_on_itself, "task 0 depends on task 0, expected one submitted before"},
	{depend_on_later, "task 0 depends on task 2147483647"},
	{unused_unknown, "data 2 will not be used: expected a known handle"},
	{unused_none, "data -1 will not be used"},
	{discard_unknown, "data 2 is discarded: expected a known handle"},
	{discard_none, "data -1 is discarded"},
	{home_of_unknown, "data 2 starts in memory 0: expected a known handle and a memory from 0 to 1023"},
	{home_of_none, "data -1 starts in memory 0"},
	{home_nowhere, "data 0 starts in memory -1"},
	{home_too_great, "data 0 starts in memory 1024"},
	{end_of_unknown, "data 2 ends in memory 0: expected a known handle and a memory from 0 to 1023"},
	{end_nowhere, "data 0 ends in memory -1"},
	{flops_nan, "nan flops of the graph: expected 0 or more"},
	{flops_negative, "-1 flops of the graph"},
	{flops_infinite, "inf flops of the graph"},
	{scope_unknown, "priority scope 3: expected one of enum tw_priority_scope"},
	{scope_none, "priority scope -1"},
};

START_TEST(wrong_calls_are_errors)
{
	struct tw_graph *g = small();
	struct tw_error err = {""};
	wrong[_i].call(g);
	kernel_without_name(g); /* a later error changes nothing */
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, wrong[_i].expected), "%s", err.message);
	tw_graph_destroy(g);
}
END_TEST

/* A finished graph stays as it is, but no longer passes as finished. */
START_TEST(wrong_calls_of_finished_graphs_are_errors)
{
	struct tw_graph *g = small();
	struct tw_error err = {""};
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	wrong[_i].call(g);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, "was changed after its end"), "%s", err.message);
	ck_assert_int_eq(tw_graph_n_tasks(g), 1);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(without_a_graph_nothing_happens)
{
	struct tw_error err = {""};
	wrong[_i].call(NULL);
	ck_assert_int_eq(tw_graph_finish(NULL, &err), TW_NOMEM);
}
END_TEST

START_TEST(a_dependency_needs_a_task)
{
	struct tw_graph *g = tw_graph_create();
	struct tw_error err = {""};
	tw_graph_depend(g, 0);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, "a dependency on task 0 before the first task"), "%s", err.message);
	tw_graph_destroy(g);
}
END_TEST

static void right_submit(struct tw_graph *g) { tw_graph_submit(g, 0, 0, NULL, 0); }
static void right_kernel(struct tw_graph *g) { tw_graph_kernel(g, "work", "10", "s", 3); }
static void right_data(struct tw_graph *g) { tw_graph_data(g, 1); }
static void right_many(struct tw_graph *g) { tw_graph_data_many(g, 0, NULL); }
static void right_restrict(struct tw_graph *g) { tw_graph_restrict(g, 0, "cpu"); }
static void right_recorded_on(struct tw_graph *g) { tw_graph_recorded_on(g, 0, "cpu"); }
static void right_reduction(struct tw_graph *g) { tw_graph_reduction(g, 0, 0); }
static void right_seconds(struct tw_graph *g) { tw_graph_set_seconds(g, 0, 1); }
static void right_seconds_on(struct tw_graph *g) { tw_graph_set_seconds_on(g, "cpu", 1); }
static void right_place(struct tw_graph *g) { tw_graph_set_recorded_place(g, 0, (struct tw_recorded_place){0}); }
static void right_mark(struct tw_graph *g) { tw_graph_mark_critical(g, 0); }
static void right_hint(struct tw_graph *g) { tw_graph_will_not_be_used(g, 0); }
static void right_discard(struct tw_graph *g) { tw_graph_discard(g, 0); }
static void right_home(struct tw_graph *g) { tw_graph_set_home(g, 0, 0); }
static void right_end(struct tw_graph *g) { tw_graph_set_end(g, 0, 0); }
static void right_flops(struct tw_graph *g) { tw_graph_set_flops(g, 7); }
static void right_scope(struct tw_graph *g) { tw_graph_set_priority_scope(g, TW_PRIORITY_FOR_ALL); }
static void right_priority(struct tw_graph *g) { tw_graph_set_priority(g, 0, 8); }

static const struct {
	void (*call)(struct tw_graph *);
	int status; /* of tw_graph_finish after the call */
} late[] = {
	{right_submit, TW_INVALID},    {right_kernel, TW_INVALID},   {right_data, TW_INVALID},
	{right_many, TW_INVALID},      {right_restrict, TW_INVALID}, {right_recorded_on, TW_INVALID},
	{right_reduction, TW_INVALID}, {right_seconds, TW_INVALID},  {right_seconds_on, TW_INVALID},
	{right_place, TW_INVALID},     {right_mark, TW_INVALID},     {right_hint, TW_INVALID},
	{right_discard, TW_INVALID},   {right_home, TW_INVALID},     {right_end, TW_INVALID},
	{right_flops, TW_OK},          {right_scope, TW_OK},         {right_priority, TW_OK},
};

START_TEST(finished_graphs_do_not_grow)
{
	struct tw_graph *g = small();
	struct tw_error err = {""};
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	late[_i].call(g);
	ck_assert_int_eq(tw_graph_n_tasks(g), 1);
	ck_assert_int_eq(tw_graph_n_data(g), 2);
	ck_assert_int_eq(tw_graph_finish(g, &err), late[_i].status);
	tw_graph_destroy(g);
}
END_TEST

/* --- getters ------------------------------------------------------------------------------------------------------ */

static void expect_neutral(const struct tw_graph *g, int32_t unknown)
{
	int n = 7;
	ck_assert_str_eq(tw_graph_kernel_name(g, unknown), "");
	ck_assert_str_eq(tw_graph_kernel_size(g, unknown), "");
	ck_assert_double_eq(tw_graph_kernel_flops(g, unknown), 0);
	ck_assert_int_eq(tw_graph_task_kernel(g, unknown), TW_NONE);
	ck_assert_int_eq(tw_graph_priority(g, unknown), 0);
	ck_assert(!tw_graph_is_critical(g, unknown));
	ck_assert_int_eq(tw_graph_n_accesses(g, unknown), 0);
	ck_assert_int_eq(tw_graph_access(g, unknown, 0).data, TW_NONE);
	ck_assert_int_eq(tw_graph_access(g, 0, unknown).data, TW_NONE);
	ck_assert_uint_eq(tw_graph_data_bytes(g, unknown), 0);
	ck_assert_int_eq(tw_graph_n_predecessors(g, unknown), 0);
	ck_assert_ptr_null(tw_graph_successors(g, unknown, &n));
	ck_assert_int_eq(n, 0);
	ck_assert_ptr_null(tw_graph_recorded_place(g, unknown));
}

START_TEST(getters_have_neutral_values)
{
	static const int32_t unknown[] = {2, TW_NONE, INT32_MAX, INT32_MIN};
	struct tw_graph *g = small(), *empty = tw_graph_create();
	struct tw_error err = {""};
	double level;
	int n = 7;
	tw_graph_set_recorded_place(g, 0, (struct tw_recorded_place){false, 3, 4});
	expect_neutral(g, unknown[_i]);
	expect_neutral(empty, unknown[_i]);
	expect_neutral(empty, 0);
	ck_assert_ptr_null(tw_graph_successors(g, 0, &n));
	ck_assert_int_eq(n, 0);
	ck_assert_ptr_null(tw_graph_recorded_place(g, 0));
	ck_assert_double_nan(tw_graph_bottom_levels(g, (const double[]){1}, &level));
	ck_assert_int_eq(tw_graph_n_accesses(g, 0), 1);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	expect_neutral(g, unknown[_i]);
	ck_assert_int_eq(tw_graph_recorded_place(g, 0)->worker, 3);
	ck_assert_str_eq(tw_mode_name((enum tw_mode)unknown[_i]), unknown[_i] == 2 ? "W" : "?");
	ck_assert_str_eq(tw_priority_scope_name((enum tw_priority_scope)unknown[_i]), unknown[_i] == 2 ? "all" : "?");
	tw_graph_destroy(g);
	tw_graph_destroy(empty);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("wrong calls");
	TCase *cases = tcase_create("wrong calls");
	const int n = sizeof wrong / sizeof wrong[0];
	tcase_add_loop_test(cases, wrong_calls_are_errors, 0, n);
	tcase_add_loop_test(cases, wrong_calls_of_finished_graphs_are_errors, 0, n);
	tcase_add_loop_test(cases, without_a_graph_nothing_happens, 0, n);
	tcase_add_test(cases, a_dependency_needs_a_task);
	tcase_add_loop_test(cases, finished_graphs_do_not_grow, 0, (int)(sizeof late / sizeof late[0]));
	tcase_add_loop_test(cases, getters_have_neutral_values, 0, 4);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
