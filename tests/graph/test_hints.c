/* Hints about handles: they will not be used, or nobody needs them after their last tasks. */
#include <check.h>
#include <stdlib.h>

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

static void access(struct tw_graph *g, tw_data data, unsigned mode)
{
	tw_graph_submit(g, 0, 0, &(struct tw_access){data, (enum tw_mode)mode}, 1);
}

START_TEST(hints_mark_the_last_write_before_them)
{
	struct tw_graph *g = small();
	struct tw_error err = {""};
	tw_graph_will_not_be_used(g, 0); /* never written: nothing to mark */
	access(g, 0, TW_RW);
	access(g, 0, TW_W);
	access(g, 0, TW_R);
	access(g, 1, TW_R);
	tw_graph_will_not_be_used(g, 0);
	tw_graph_will_not_be_used(g, 1);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	static const enum tw_mode modes[] = {TW_RW, TW_W, TW_R, TW_R};
	for (int a = 0; a < 4; a++) {
		ck_assert_int_eq(!!(g->access[a] & TW__ACCESS_LAST_WRITE), a == 1);
		ck_assert_int_eq(tw_graph_access(g, a, 0).mode, modes[a]);
	}
	tw_graph_destroy(g);
}
END_TEST

START_TEST(hints_discard_plain_handles)
{
	static const enum tw__data_use uses[3][3] = {
		{TW__USE_PLAIN, TW__USE_PLAIN, TW__USE_DISCARDED},
		{TW__USE_DISCARDED, TW__USE_PLAIN, TW__USE_DISCARDED},
		{TW__USE_DISCARDED, TW__USE_DISCARDED, TW__USE_DISCARDED},
	};
	struct tw_graph *g = small();
	struct tw_error err = {""};
	tw_data third = tw_graph_data(g, 10);
	tw_graph_discard(g, third);
	access(g, 0, TW_W);
	access(g, 0, TW_R);
	access(g, 1, TW_R);
	access(g, 1, TW_RW);
	access(g, third, TW_W);
	tw__graph_set_discards(g, (enum tw__discards)_i);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	ck_assert(tw__graph_discards(g));
	for (tw_data d = 0; d < 3; d++)
		ck_assert_int_eq(tw__data_use(g, d), uses[_i][d]);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(scratch_is_not_discarded)
{
	struct tw_graph *g = small();
	struct tw_error err = {""};
	if (_i)
		tw_graph_discard(g, 1);
	access(g, 0, TW_W);
	access(g, 1, TW_SCRATCH);
	tw__graph_set_discards(g, TW__DISCARDS_ALL);
	ck_assert_int_eq(tw_graph_finish(g, &err), _i ? TW_INVALID : TW_OK);
	ck_assert_str_eq(err.message,
	                 _i ? "data 1 is discarded: expected no accesses to it with TW_SCRATCH or TW_REDUX" : "");
	ck_assert(_i || tw__data_use(g, 1) == TW__USE_SCRATCH);
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("graph: hints");
	TCase *cases = tcase_create("hints");
	tcase_add_test(cases, hints_mark_the_last_write_before_them);
	tcase_add_loop_test(cases, hints_discard_plain_handles, 0, 3);
	tcase_add_loop_test(cases, scratch_is_not_discarded, 0, 2);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
