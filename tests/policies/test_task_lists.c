/* Task lists in fixed orders, compared with a plain search, under random changes. */
#include <check.h>
#include <stdlib.h>

#include "base/random.h"
#include "memory_alone.h"
#include "policies/support/task_lists.h"

enum { N_TASKS = 300, N_LISTS = 5 };
enum state { WAITS, READY, TAKEN };

static tw_task expected(const struct tw_task_lists *l, const enum state *state, const tw_task *order, int list)
{
	for (int i = 0; i < N_TASKS; i++) {
		if (l->listed[order[i]].list != list || state[order[i]] == TAKEN)
			continue;
		if (state[order[i]] == READY)
			return order[i];
		if (!l->lists[list].relaxed)
			return TW_NONE;
	}
	return TW_NONE;
}

START_TEST(lists_give_the_first_that_is_ready)
{
	struct tw__random *r = tw__random_create((uint64_t)_i, TW__STREAM_ORDER);
	struct tw_task_lists l;
	tw_task order[N_TASKS];
	int32_t of[N_TASKS];
	enum state state[N_TASKS] = {WAITS};
	for (tw_task t = 0; t < N_TASKS; t++) {
		tw_task other = (tw_task)tw__random_below(r, (uint32_t)t + 1);
		order[t] = order[other];
		order[other] = t;
		of[t] = (int32_t)tw__random_below(r, N_LISTS - 1); /* the last list stays empty */
	}
	tw_task_lists_init(&l, memory_alone(), N_LISTS, N_TASKS);
	tw_task_lists_fill(&l, order, of);
	l.lists[1].relaxed = l.lists[3].relaxed = true;
	for (int n_taken = 0; n_taken < N_TASKS;) {
		tw_task t = (tw_task)tw__random_below(r, N_TASKS);
		int list = (int)tw__random_below(r, N_LISTS);
		if (state[t] == WAITS && tw__random_below(r, 8) == 0) {
			tw_task_lists_ready(&l, t);
			state[t] = READY;
		}
		tw_task first = tw_task_lists_first(&l, NULL, list, TW_NONE);
		ck_assert_int_eq(first, expected(&l, state, order, list));
		if (first != TW_NONE && tw__random_below(r, 2)) {
			tw_task_lists_take(&l, first);
			state[first] = TAKEN;
			n_taken++;
		}
	}
	tw__random_destroy(r);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("task_lists");
	TCase *cases = tcase_create("task_lists");
	tcase_add_loop_test(cases, lists_give_the_first_that_is_ready, 0, 20);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
