/* The place where a task ends first, compared with a search over all workers' gaps. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory_alone.h"
#include "policies/support/gap_tree.h"

enum { WORKERS = 37, TASKS = 1500 };

static void expect_same_gaps(const struct tw_gaps *a, const struct tw_gaps *b)
{
	ck_assert_uint_eq(a->n, b->n);
	ck_assert(a->longest == b->longest);
	for (size_t g = 0; g < a->n; g++)
		ck_assert(a->of[g].from == b->of[g].from && a->of[g].to == b->of[g].to);
}

/* Fills some places for trial, and takes them back: the tree is as before. */
static void expect_trials_to_leave_no_trace(struct tw_gap_tree *t)
{
	enum { TRIALS = 6 };
	struct tw_gap_trial trials[TRIALS];
	struct tw_gaps *before = malloc((size_t)t->n * sizeof *before);
	size_t n_nodes = 2 * (size_t)t->n_leaves;
	struct tw_gap_node *nodes = malloc(n_nodes * sizeof *nodes);
	ck_assert(before && nodes);
	memcpy(nodes, t->nodes, n_nodes * sizeof *nodes);
	for (int w = 0; w < t->n; w++) {
		before[w] = t->gaps[w];
		before[w].of = malloc(before[w].n * sizeof *before[w].of);
		memcpy(before[w].of, t->gaps[w].of, before[w].n * sizeof *before[w].of);
	}
	for (int i = 0; i < TRIALS; i++) {
		struct tw_gap_place place = {.end = INFINITY};
		ck_assert(tw_gap_tree_earliest(t, rand() % 200, rand() % 9, true, INFINITY, &place));
		trials[i] = tw_gap_tree_try(t, &place);
	}
	for (int i = TRIALS - 1; i >= 0; i--)
		tw_gap_tree_take_back(t, &trials[i]);
	for (int w = 0; w < t->n; w++) {
		expect_same_gaps(&t->gaps[w], &before[w]);
		free(before[w].of);
	}
	for (size_t i = 1; i < n_nodes; i++)
		ck_assert(t->nodes[i].last == nodes[i].last && t->nodes[i].closed == nodes[i].closed &&
		          t->nodes[i].longest == nodes[i].longest);
	free(before);
	free(nodes);
}

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
		if (task % 16 == 0)
			expect_trials_to_leave_no_trace(&t);
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
