/* The place where a task ends first, compared with a search over all workers' gaps. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "memory_alone.h"
#include "policies/support/gap_tree.h"

enum { WORKERS = 37, TASKS = 1500 };

static struct tw_gap_place look_at_all(const struct tw_gap_tree *t, double ready, double length, bool insertion,
                                       double idle_at)
{
	struct tw_gap_place best = {.worker = TW_NONE, .end = INFINITY};
	for (int w = 0; w < t->n; w++) {
		size_t gap;
		double start = tw_gaps_earliest(&t->gaps[w], ready, length, insertion, &gap);
		if (t->gaps[w].of[t->gaps[w].n - 1].from <= idle_at && start + length < best.end)
			best = (struct tw_gap_place){w, gap, start, start + length};
	}
	return best;
}

START_TEST(a_task_goes_where_it_ends_first)
{
	const int sizes[] = {1, 3, 8, WORKERS};
	struct tw_gap_tree t;
	tw_gap_tree_init(&t, memory_alone(), sizes[_i]);
	srand(1);
	for (int task = 0; task < TASKS; task++) {
		double ready = task / (sizes[_i] + 1) + rand() % 60, length = rand() % 9;
		double idle_at = rand() % 5 ? INFINITY : ready;
		bool insertion = rand() % 8;
		struct tw_gap_place expected = look_at_all(&t, ready, length, insertion, idle_at);
		struct tw_gap_place found = {.end = INFINITY};
		bool any = tw_gap_tree_earliest(&t, ready, length, insertion, idle_at, &found);
		ck_assert_int_eq(found.worker, expected.worker);
		if (!any)
			continue;
		ck_assert(found.gap == expected.gap && found.start == expected.start && found.end == expected.end);
		struct tw_gap_place before = {.end = found.end};
		ck_assert(!tw_gap_tree_earliest(&t, ready, length, insertion, idle_at, &before));
		tw_gap_tree_fill(&t, &found);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gap_tree");
	TCase *tests = tcase_create("all");
	tcase_add_loop_test(tests, a_task_goes_where_it_ends_first, 0, 4);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
