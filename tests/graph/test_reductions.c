/* Reductions and scratch handles: dependencies, refused accesses, and the tasks that a run appends. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "graph/ranks.h"
#include "graph/reduction.h"

enum { WORK, ADD };

static struct tw_graph *make(int n_data)
{
	struct tw_graph *g = tw_graph_create();
	for (int d = 0; d < n_data; d++)
		tw_graph_data(g, 1000);
	ck_assert_int_eq(tw_graph_kernel(g, "work", "1", "s", 1), WORK);
	ck_assert_int_eq(tw_graph_kernel(g, "add", "1", "s", 1), ADD);
	return g;
}

static tw_task submit(struct tw_graph *g, tw_data d, enum tw_mode mode)
{
	return tw_graph_submit(g, WORK, 0, (struct tw_access[]){{d, mode}}, 1);
}

static void finish(struct tw_graph *g)
{
	struct tw_error err = {""};
	ck_assert_msg(tw_graph_finish(g, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__graph_check(g, &err) == TW_OK, "%s", err.message);
}

static bool leads_to(const tw_task *successors, uint32_t n, tw_task t)
{
	for (uint32_t s = 0; s < n; s++)
		if (successors[s] == t)
			return true;
	return false;
}

static bool depends(const struct tw_graph *g, tw_task t, tw_task on)
{
	int n;
	const tw_task *successors = tw_graph_successors(g, on, &n);
	return leads_to(successors, (uint32_t)n, t);
}

static bool waits_for_phase(const struct tw_graph *g, tw_task t, int32_t phase)
{
	uint32_t first = g->phase_successor_start[phase];
	return leads_to(g->phase_successor + first, g->phase_successor_start[phase + 1] - first, t);
}

/* w r r | x x x | r r w | x x | w */
START_TEST(contributors_wait_for_what_was_before_and_what_follows_waits_for_all)
{
	static const enum tw_mode modes[] = {TW_W, TW_R, TW_R,  TW_REDUX, TW_REDUX, TW_REDUX,
	                                     TW_R, TW_R, TW_RW, TW_REDUX, TW_REDUX, TW_W};
	struct tw_graph *g = make(1);
	tw_graph_reduction(g, 0, ADD);
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
		submit(g, 0, modes[i]);
	finish(g);
	ck_assert_int_eq(g->n_phases, 2);
	ck_assert_uint_eq(g->phases[0].n_contributors, 3);
	ck_assert_uint_eq(g->phases[1].n_contributors, 2);
	for (tw_task x = 3; x <= 5; x++) {
		ck_assert_int_eq(tw_graph_n_predecessors(g, x), 2);
		ck_assert(depends(g, x, 1) && depends(g, x, 2));
	}
	for (tw_task r = 6; r <= 7; r++) {
		ck_assert_int_eq(tw_graph_n_predecessors(g, r), 1);
		ck_assert(waits_for_phase(g, r, 0));
	}
	ck_assert_int_eq(tw_graph_n_predecessors(g, 8), 2);
	ck_assert(depends(g, 8, 6) && depends(g, 8, 7));
	ck_assert(depends(g, 9, 8) && depends(g, 10, 8));
	ck_assert(waits_for_phase(g, 11, 1) && !waits_for_phase(g, 11, 0));
	/* w 1, r 1, x 1, r 1, w 1, x 1, w 1 */
	double levels[12], seconds[] = {1, 1};
	ck_assert_double_eq(tw_graph_bottom_levels(g, seconds, levels), 7);
	ck_assert_double_eq(levels[4], 5);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(scratch_implies_nothing)
{
	struct tw_graph *g = make(2);
	for (int i = 0; i < 4; i++)
		submit(g, 0, TW_SCRATCH);
	submit(g, 1, TW_RW);
	finish(g);
	for (tw_task t = 0; t < 5; t++)
		ck_assert_int_eq(tw_graph_n_predecessors(g, t), 0);
	ck_assert_int_eq(tw__data_use(g, 0), TW__USE_SCRATCH);
	ck_assert_int_eq(tw__data_use(g, 1), TW__USE_PLAIN);
	ck_assert_int_eq(tw_graph_access(g, 2, 0).mode, TW_SCRATCH);
	tw_graph_destroy(g);
}
END_TEST

static const struct {
	enum tw_mode modes[3];
	bool told; /* whether tw_graph_reduction was called */
	const char *part;
} refused[] = {
	{{TW_REDUX, 0, 0}, false, "data 0: expected a kernel that combines accumulators"},
	{{TW_SCRATCH, TW_R, 0}, true, "task 1, data 0: expected no other accesses to a scratch handle"},
	{{TW_W, TW_SCRATCH, 0}, true, "task 1, data 0: expected no other accesses to a scratch handle"},
	{{TW_SCRATCH, TW_REDUX, 0}, true, "expected no other accesses"},
	{{TW_R | TW_REDUX, 0, 0}, true, "expected a mode"},
	{{16, 0, 0}, true, "expected a mode"},
};

START_TEST(mixtures_are_refused)
{
	struct tw_graph *g = make(1);
	struct tw_error err = {""};
	if (refused[_i].told)
		tw_graph_reduction(g, 0, ADD);
	for (int t = 0; t < 3 && refused[_i].modes[t]; t++)
		submit(g, 0, refused[_i].modes[t]);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, refused[_i].part) != NULL, "%s", err.message);
	tw_graph_destroy(g);
}
END_TEST

/* Each accumulator is combined once, after it was filled. The last task combines the result into the handle, and has
 * the phase's successors. */
START_TEST(a_tree_of_pairs)
{
	int workers = _i;
	bool critical = workers % 2;
	struct tw_graph *own = make(2);
	tw_graph_reduction(own, 1, ADD);
	for (int i = 0; i < 20; i++)
		submit(own, 1, TW_REDUX);
	if (critical)
		tw_graph_mark_critical(own, 3);
	tw_task reader = submit(own, 1, TW_R);
	finish(own);
	struct tw_graph *g = tw__graph_extend(own, workers);
	ck_assert_ptr_nonnull(g);
	ck_assert_int_eq(tw__graph_own_data(g), 2);
	ck_assert_int_eq(tw_graph_n_data(g), 2 + workers);
	ck_assert_int_eq(tw__graph_max_tasks(g), 21 + workers);
	ck_assert(tw_graph_is_critical(g, 3) == critical && !tw_graph_is_critical(g, 4));
	tw_data accumulators[40];
	int *content = calloc((size_t)tw_graph_n_data(g), sizeof *content), rounds = 0;
	double levels[64] = {0};
	for (int w = 0; w < workers; w++) {
		tw_data of;
		tw_worker worker;
		accumulators[w] = tw__graph_accumulator(g, 1, w);
		ck_assert(tw__graph_is_accumulator(g, accumulators[w], &of, &worker) && of == 1 && worker == w);
		content[accumulators[w]] = 1;
	}
	tw_task first = tw__graph_append_reduction(g, 0, accumulators, workers);
	ck_assert_int_eq(first, 21);
	ck_assert_int_eq(tw_graph_n_tasks(g), 21 + workers);
	for (tw_task t = first; t < tw_graph_n_tasks(g); t++) {
		struct tw_access from = tw_graph_access(g, t, 0), to = tw_graph_access(g, t, 1);
		bool last = t == tw_graph_n_tasks(g) - 1;
		int n;
		const tw_task *next = tw_graph_successors(g, t, &n);
		ck_assert(from.mode == TW_R && to.mode == TW_RW);
		ck_assert_int_gt(content[from.data], 0);
		content[to.data] += content[from.data];
		content[from.data] = 0;
		ck_assert_int_eq(tw__graph_appended_for(g, t), 0);
		ck_assert_int_eq(tw_graph_task_kernel(g, t), ADD);
		ck_assert(tw_graph_is_critical(g, t) == critical);
		ck_assert_int_eq(n, 1);
		ck_assert(last ? next[0] == reader : next[0] > t && next[0] < tw_graph_n_tasks(g));
		levels[t - first] += 1;
		if (!last && levels[t - first] > levels[next[0] - first])
			levels[next[0] - first] = levels[t - first];
		rounds = (int)levels[t - first];
	}
	ck_assert_int_eq(content[1], workers);
	int expected = 1; /* one more for the last task, which combines into the handle */
	for (int n = workers; n > 1; n = (n + 1) / 2)
		expected++;
	ck_assert_int_eq(rounds, expected);
	free(content);
	tw_graph_destroy(g);
	tw_graph_destroy(own);
}
END_TEST

/* Workers 1 and 3 are of rank 1, which has handle 1; handle 2 is of rank 2, with one worker. */
START_TEST(a_handle_has_accumulators_for_the_workers_of_its_rank)
{
	static const int rank_of[] = {0, 1, 2, 1, 0};
	static const struct {
		tw_data of;
		tw_worker worker;
	} expected[] = {{0, 0}, {0, 4}, {1, 1}, {1, 3}, {2, 2}};
	enum { N = sizeof expected / sizeof *expected };
	tw_data first_data[] = {0, 1, 2, 3};
	struct tw__ranks ranks = {.n = 3, .first_data = first_data};
	struct tw_graph *own = make(3);
	for (tw_data d = 0; d < 3; d++) {
		tw_graph_reduction(own, d, ADD);
		for (int i = 0; i < 3; i++)
			submit(own, d, TW_REDUX);
	}
	finish(own);
	own->ranks = &ranks;
	struct tw_graph *g = tw__graph_extend_ranks(own, 5, rank_of);
	ck_assert_int_eq(tw_graph_n_data(g), 3 + N);
	ck_assert_int_eq(tw__graph_max_tasks(g), 9 + N);
	for (int i = 0; i < N; i++) {
		tw_data of;
		tw_worker worker;
		ck_assert_int_eq(tw__graph_accumulator(g, expected[i].of, expected[i].worker), 3 + i);
		ck_assert(tw__graph_is_accumulator(g, 3 + i, &of, &worker));
		ck_assert_int_eq(of, expected[i].of);
		ck_assert_int_eq(worker, expected[i].worker);
		ck_assert_int_eq(tw__rank_of_data(g, 3 + i), of);
	}
	tw_graph_destroy(g);
	own->ranks = NULL;
	tw_graph_destroy(own);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reductions");
	TCase *cases = tcase_create("reductions");
	tcase_add_test(cases, contributors_wait_for_what_was_before_and_what_follows_waits_for_all);
	tcase_add_test(cases, scratch_implies_nothing);
	tcase_add_loop_test(cases, mixtures_are_refused, 0, sizeof refused / sizeof refused[0]);
	tcase_add_loop_test(cases, a_tree_of_pairs, 1, 18);
	tcase_add_test(cases, a_handle_has_accumulators_for_the_workers_of_its_rank);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
