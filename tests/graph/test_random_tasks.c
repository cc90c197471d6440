/* Generators of random graphs: forkjoin and layered. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generated.h"

/* Invariants of all these graphs: task t writes handle t and no other, and reads what its predecessors wrote. */
static void expect_tasks_that_write_one_data(const struct tw_graph *g)
{
	ck_assert_int_eq(tw_graph_n_data(g), tw_graph_n_tasks(g));
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		int n = tw_graph_n_accesses(g, t);
		ck_assert_int_eq(n, tw_graph_n_predecessors(g, t) + 1);
		ck_assert_int_eq(tw_graph_access(g, t, n - 1).data, t);
		ck_assert_int_eq(tw_graph_access(g, t, n - 1).mode, TW_W);
		for (int i = 0; i < n - 1; i++) {
			ck_assert_int_eq(tw_graph_access(g, t, i).mode, TW_R);
			ck_assert(depends(g, t, tw_graph_access(g, t, i).data));
		}
		ck_assert_int_eq(tw_graph_priority(g, t), 0);
	}
	ck_assert_double_eq(tw_graph_flops(g), flops_of_kernels(g));
}

START_TEST(kinds_are_as_likely_and_have_their_flops_and_bytes)
{
	enum { N = 8000 };
	struct tw_graph *g = generated("layered:n=%d:kinds=4:flops=1e6:ccr=2:speed=1e9:bandwidth=1e6", N);
	int tasks[4] = {0};
	ck_assert_int_eq(tw_graph_n_kernels(g), 4);
	for (int k = 0; k < 4; k++) {
		char name[32], size[32];
		sprintf(name, "random%d", k + 1);
		sprintf(size, "%d000000", k + 1);
		ck_assert_str_eq(g->kernels[k].name, name);
		ck_assert_str_eq(g->kernels[k].size, size);
		ck_assert_str_eq(g->kernels[k].precision, "s");
		ck_assert_double_eq(g->kernels[k].flops, 1e6 * (k + 1));
	}
	for (tw_task t = 0; t < N; t++) {
		int kind = tw_graph_task_kernel(g, t);
		tasks[kind]++;
		/* kind + 1 ms to compute, twice as long to move */
		ck_assert_uint_eq(tw_graph_data_bytes(g, t), 2000 * (uint64_t)(kind + 1));
	}
	for (int k = 0; k < 4; k++)
		ck_assert(tasks[k] > 1800 && tasks[k] < 2200);
	tw_graph_destroy(g);

	g = generated("forkjoin:kinds=16:ccr=0:precision=d");
	ck_assert_str_eq(g->kernels[0].precision, "d");
	ck_assert_int_eq(tw_graph_n_kernels(g), 16);
	for (tw_data d = 0; d < tw_graph_n_data(g); d++)
		ck_assert_uint_eq(tw_graph_data_bytes(g, d), 1);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(a_seed_gives_one_graph)
{
	static const char *const words[] = {"forkjoin:regular=0.5", "layered:jump=3",
	                                    "layered:n=1000:fat=0.7:regular=0"};
	for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
		struct tw_graph *g = generated("%s", words[w]), *again = generated("%s:seed=1", words[w]);
		struct tw_graph *other = generated("%s:seed=2", words[w]);
		ck_assert(same_graphs(g, again));
		ck_assert(!same_graphs(g, other));
		tw_graph_destroy(g);
		tw_graph_destroy(again);
		tw_graph_destroy(other);
	}
}
END_TEST

/* --- forkjoin --------------------------------------------------------------------------------------------------- */

START_TEST(a_stage_forks_and_joins)
{
	enum { STAGES = 3 };
	int width = _i + 1;
	struct tw_graph *g = generated("forkjoin:stages=%d:width=%d", STAGES, width);
	ck_assert_int_eq(tw_graph_n_tasks(g), STAGES * (width + 2));
	ck_assert_int_eq(n_edges(g), STAGES * 2 * width + STAGES - 1);
	expect_tasks_that_write_one_data(g);
	for (int stage = 0; stage < STAGES; stage++) {
		tw_task fork = stage * (width + 2), join = fork + width + 1;
		ck_assert(stage == 0 || depends(g, fork, fork - 1));
		for (tw_task t = fork + 1; t < join; t++) {
			ck_assert(depends(g, t, fork));
			ck_assert(depends(g, join, t));
		}
	}
	ck_assert_double_eq(path(g, NULL), 3 * STAGES);
	tw_graph_destroy(g);
}
END_TEST

/* Numbers of tasks and levels of the join tree, by width of the stage. */
START_TEST(wide_joins_are_trees)
{
	static const struct {
		int width, tasks, levels;
	} cases[] = {{31, 1, 1}, {32, 3, 2}, {62, 3, 2}, {63, 4, 2}, {961, 32, 2}, {962, 35, 3}, {2000, 65 + 3 + 1, 3}};
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		struct tw_graph *g = generated("forkjoin:stages=2:width=%d", cases[c].width);
		int sinks = 0;
		ck_assert_int_eq(tw_graph_n_tasks(g), 2 * (1 + cases[c].width + cases[c].tasks));
		expect_tasks_that_write_one_data(g);
		for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
			int successors;
			tw_graph_successors(g, t, &successors);
			sinks += successors == 0;
			ck_assert_int_eq(tw_graph_n_predecessors(g, t) == 0, t == 0);
		}
		ck_assert_int_eq(sinks, 1);
		ck_assert_double_eq(path(g, NULL), 2 * (2 + cases[c].levels));
		tw_graph_destroy(g);
	}
}
END_TEST

/* With width=20 and regular=0.7, stages have 14 to 26 tasks: no width is rare, and the mean is 20. */
START_TEST(widths_are_drawn_as_regular_says)
{
	enum { STAGES = 2400 };
	struct tw_graph *g = generated("forkjoin:stages=%d:width=20:regular=0.7", STAGES);
	int seen[64] = {0}, sum = 0, stages = 0;
	expect_tasks_that_write_one_data(g);
	for (tw_task fork = 0; fork < tw_graph_n_tasks(g); stages++) {
		int width;
		tw_graph_successors(g, fork, &width);
		ck_assert_int_lt(width, 64);
		seen[width]++;
		sum += width;
		fork += width + 2;
	}
	ck_assert_int_eq(stages, STAGES);
	for (int width = 0; width < 64; width++)
		ck_assert(width < 14 || width > 25 ? seen[width] == 0 : seen[width] > 130 && seen[width] < 270);
	ck_assert(fabs((double)sum / STAGES - 19.5) < 0.2); /* widths are rounded down, so the mean is 19.5 */
	tw_graph_destroy(g);
}
END_TEST

/* --- layered ---------------------------------------------------------------------------------------------------- */

/* Returns the number of levels. A task's level is one more than the greatest level of its predecessors. */
static int find_levels(const struct tw_graph *g, int *level, int *sizes)
{
	int levels = 0;
	memset(level, 0, (size_t)tw_graph_n_tasks(g) * sizeof *level);
	memset(sizes, 0, (size_t)tw_graph_n_tasks(g) * sizeof *sizes);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		int n;
		const tw_task *successors = tw_graph_successors(g, t, &n);
		for (int i = 0; i < n; i++)
			if (level[successors[i]] <= level[t])
				level[successors[i]] = level[t] + 1;
		sizes[level[t]]++;
		if (level[t] >= levels)
			levels = level[t] + 1;
	}
	return levels;
}

START_TEST(levels_have_about_n_to_the_fat_tasks)
{
	enum { N = 1000 };
	static int level[N], sizes[N];
	static const struct {
		const char *options;
		int least, most;
	} cases[] = {
		{"fat=0", 1, 1},
		{"fat=0.5:regular=1", 31, 31},
		{"fat=0.5:regular=0.5", 15, 46},
		{"fat=0.5:regular=0", 1, 63},
		{"fat=0.6666666666666666:regular=1", 99, 100},
		{"fat=1:regular=1", N, N},
	};
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		struct tw_graph *g = generated("layered:n=%d:%s", N, cases[c].options);
		ck_assert_int_eq(tw_graph_n_tasks(g), N);
		expect_tasks_that_write_one_data(g);
		int levels = find_levels(g, level, sizes);
		for (int l = 0; l < levels; l++)
			ck_assert_msg((sizes[l] >= cases[c].least || l == levels - 1) && sizes[l] <= cases[c].most,
			              "%s: level %d has %d tasks", cases[c].options, l, sizes[l]);
		/* Tasks are submitted level by level. */
		for (tw_task t = 1; t < N; t++)
			ck_assert_int_ge(level[t], level[t - 1]);
		tw_graph_destroy(g);
	}
	/* A power that is a whole number must not be rounded down to the next smaller one. */
	struct tw_graph *g = generated("layered:n=125:fat=0.3333333333333333:regular=1");
	find_levels(g, level, sizes);
	ck_assert_int_eq(sizes[0], 5);
	tw_graph_destroy(g);
}
END_TEST

/* With 100 tasks a level: 1 to 100 x density predecessors, all numbers equally likely, all from the previous level. */
START_TEST(density_is_the_part_of_a_level_that_tasks_depend_on)
{
	enum { N = 10000, WIDTH = 100 };
	static const struct {
		const char *density;
		int most;
	} cases[] = {{"0", 1}, {"0.01", 1}, {"0.02", 2}, {"0.2", 20}};
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		struct tw_graph *g = generated("layered:n=%d:regular=1:density=%s", N, cases[c].density);
		int seen[WIDTH + 1] = {0}, from[WIDTH] = {0};
		for (tw_task t = WIDTH; t < N; t++) {
			seen[tw_graph_n_predecessors(g, t)]++;
			for (int i = 0; i < tw_graph_n_predecessors(g, t); i++) {
				tw_data read = tw_graph_access(g, t, i).data;
				ck_assert_int_eq(read / WIDTH, t / WIDTH - 1);
				from[read % WIDTH]++;
			}
		}
		double each = (double)(N - WIDTH) / cases[c].most, edges = (N - WIDTH) * (1 + cases[c].most) / 2.0;
		for (int n = 0; n <= WIDTH; n++)
			ck_assert(n < 1 || n > cases[c].most ? seen[n] == 0 : fabs(seen[n] - each) < 5 * sqrt(each));
		for (int i = 0; i < WIDTH; i++) /* all tasks of the level are equally likely */
			ck_assert(fabs(from[i] - edges / WIDTH) < 5 * sqrt(edges / WIDTH));
		tw_graph_destroy(g);
	}
}
END_TEST

START_TEST(no_task_has_more_than_31_predecessors)
{
	struct tw_graph *g = generated("layered:n=10000:density=1");
	int most = 0;
	expect_tasks_that_write_one_data(g);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		if (tw_graph_n_predecessors(g, t) > most)
			most = tw_graph_n_predecessors(g, t);
	ck_assert_int_eq(most, 31);
	tw_graph_destroy(g);
}
END_TEST

/* In levels of 5 tasks, a task that draws up to 5 predecessors from one level gets distinct ones. */
START_TEST(predecessors_differ)
{
	struct tw_graph *g = generated("layered:n=2500:fat=0.2059:regular=1:density=1");
	int seen[6] = {0};
	for (tw_task t = 5; t < 2500; t++)
		seen[tw_graph_n_predecessors(g, t)]++;
	for (int n = 1; n <= 5; n++)
		ck_assert(seen[n] > 400 && seen[n] < 600);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(dependencies_jump_over_levels)
{
	enum { N = 2500, WIDTH = 50, LEVELS = N / WIDTH, JUMP = 4 };
	struct tw_graph *g = generated("layered:n=%d:regular=1:density=0.1:jump=%d", N, JUMP);
	int seen[LEVELS] = {0}, total = 0;
	for (tw_task t = JUMP * WIDTH; t < N; t++)
		for (int i = 0; i < tw_graph_n_predecessors(g, t); i++, total++)
			seen[t / WIDTH - tw_graph_access(g, t, i).data / WIDTH]++;
	for (int back = 0; back < LEVELS; back++)
		ck_assert(back < 1 || back > JUMP ? seen[back] == 0 : fabs(seen[back] - total / 4.0) < 0.1 * total / 4);
	tw_graph_destroy(g);
}
END_TEST

/* A spec gives the same graph in every version. Listed is what each task reads. */
START_TEST(a_known_graph)
{
	static const char *const reads[] = {"",      "",      "",      "",      "1 3 2 0", "2 3 0", "0 1",
	                                    "0 3 2", "5 0 2", "1 7 6", "4 1 2", "10 5 4",  "7 9 4", "5"};
	struct tw_graph *g = generated("layered:n=14:fat=0.6:density=1:jump=2:seed=7");
	for (tw_task t = 0; t < 14; t++) {
		char text[100] = "";
		for (int i = 0; i < tw_graph_n_predecessors(g, t); i++)
			sprintf(text + strlen(text), i ? " %d" : "%d", (int)tw_graph_access(g, t, i).data);
		ck_assert_str_eq(text, reads[t]);
	}
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("random tasks");
	TCase *cases = tcase_create("random tasks");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, kinds_are_as_likely_and_have_their_flops_and_bytes);
	tcase_add_test(cases, a_seed_gives_one_graph);
	tcase_add_loop_test(cases, a_stage_forks_and_joins, 0, 31);
	tcase_add_test(cases, wide_joins_are_trees);
	tcase_add_test(cases, widths_are_drawn_as_regular_says);
	tcase_add_test(cases, levels_have_about_n_to_the_fat_tasks);
	tcase_add_test(cases, density_is_the_part_of_a_level_that_tasks_depend_on);
	tcase_add_test(cases, no_task_has_more_than_31_predecessors);
	tcase_add_test(cases, predecessors_differ);
	tcase_add_test(cases, dependencies_jump_over_levels);
	tcase_add_test(cases, a_known_graph);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
