/* Descriptions of graphs whose measures are known, and transitive dependencies of graphs of several blocks. */
#include <check.h>
#include <stdlib.h>

#include "generated.h"
#include "describe/describe.h"

static struct tw__description described(const struct tw_graph *g)
{
	struct tw__description d;
	struct tw_error err = {""};
	ck_assert_msg(tw__describe(&d, g, false, &err) == TW_OK, "%s", err.message);
	return d;
}

static struct tw_graph *finished(struct tw_graph *g)
{
	struct tw_error err = {""};
	ck_assert_msg(tw_graph_finish(g, &err) == TW_OK, "%s", err.message);
	return g;
}

static void check_shape(const struct tw__description *d, size_t dependencies, int64_t transitive, tw_task depth,
                        tw_task width, tw_task antichain)
{
	ck_assert_uint_eq(d->n_dependencies, dependencies);
	ck_assert_int_eq(d->n_transitive, transitive);
	ck_assert_int_eq(d->depth, depth);
	ck_assert_int_eq(d->level_width, width);
	ck_assert_int_eq(d->antichain, antichain);
}

static void check_degrees(const struct tw__degrees *d, tw_task least, tw_task most, double mean)
{
	ck_assert_int_eq(d->least, least);
	ck_assert_int_eq(d->most, most);
	ck_assert_double_eq_tol(d->mean, mean, 1e-12);
}

/* A graph of `n` tasks of 2 flops. predecessor[i]: tasks that task i waits for, ended by TW_NONE. */
static struct tw_graph *of_edges(tw_task n, const tw_task (*predecessor)[4])
{
	struct tw_graph *g = tw_graph_create();
	tw_kernel k = tw_graph_kernel(g, "k", "1", "s", 2);
	for (tw_task t = 0; t < n; t++) {
		tw_graph_submit(g, k, 0, NULL, 0);
		for (const tw_task *on = predecessor[t]; *on != TW_NONE; on++)
			tw_graph_depend(g, *on);
	}
	return finished(g);
}

/* One handle that `n` tasks update one after the other. */
START_TEST(a_chain)
{
	const tw_task n = _i;
	struct tw_graph *g = tw_graph_create();
	tw_kernel k = tw_graph_kernel(g, "k", "1", "s", 3);
	tw_data handle = tw_graph_data(g, 10);
	tw_graph_data(g, 1000); /* no task accesses it */
	for (tw_task t = 0; t < n; t++)
		tw_graph_submit(g, k, 0, &(struct tw_access){handle, TW_RW}, 1);
	finished(g);
	struct tw__description d = described(g);
	check_shape(&d, (size_t)n - 1, 0, n, 1, 1);
	check_degrees(&d.in, 0, n == 1 ? 0 : 1, (n - 1.0) / n);
	check_degrees(&d.out, 0, n == 1 ? 0 : 1, (n - 1.0) / n);
	for (tw_task level = 0; level < n; level++)
		ck_assert_int_eq(d.level_tasks[level], 1);
	ck_assert_int_eq(d.n_components, 1);
	ck_assert_int_eq(d.largest_component, n);
	ck_assert_double_eq(d.critical_flops, 3.0 * n);
	ck_assert_double_eq(d.task_flops, 3.0 * n);
	ck_assert_double_eq(d.handle_bytes, 1010);
	ck_assert_double_eq(d.working_set_bytes, 10);
	ck_assert_double_eq(d.peak_live_bytes, 10);
	ck_assert_double_eq(d.access_bytes, 10.0 * n);
	ck_assert_double_eq(d.largest_task_bytes, 10);
	tw__description_finish(&d);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(a_fork_join)
{
	struct tw_graph *g = generated("forkjoin:stages=%d:width=8", _i);
	struct tw__description d = described(g);
	/* A stage is a task, 8 that read its result, and one that reads theirs. The next stage reads that. */
	check_shape(&d, (size_t)(_i * 17 - 1), 0, 3 * _i, 8, 8);
	check_degrees(&d.in, 0, 8, (_i * 17 - 1.0) / (_i * 10));
	ck_assert_int_eq(d.n_components, 1);
	for (int level = 0; level < 3 * _i; level++)
		ck_assert_int_eq(d.level_tasks[level], level % 3 == 1 ? 8 : 1);
	tw__description_finish(&d);
	tw_graph_destroy(g);
}
END_TEST

/* In units of nb^3/3 flops, potrf takes 1, trsm and syrk 3, gemm 6: a critical path of 9n - 10. */
START_TEST(cholesky)
{
	const int n = _i;
	struct tw_graph *g = generated("cholesky:nt=%d:nb=960", n);
	struct tw__description d = described(g);
	const double unit = 960.0 * 960 * 960 / 3, tile = 960.0 * 960 * 4;
	const int gemms = n * (n - 1) * (n - 2) / 6, trsms = n * (n - 1) / 2;
	tw_task sum = 0;
	ck_assert_int_eq(g->n_tasks, n * (n + 1) * (n + 2) / 6);
	/* Each access depends on the task that wrote the tile before. First accesses do not: one for each tile. */
	ck_assert_int_eq(n * (n - 1) * (n + 1) / 2, g->n_tasks + 2 * trsms + 2 * gemms - n * (n + 1) / 2);
	check_shape(&d, (size_t)(n * (n - 1) * (n + 1) / 2), 0, 3 * n - 2, n <= 2 ? 1 : trsms, n <= 2 ? 1 : trsms);
	for (int level = 0; level < d.depth; level++)
		sum += d.level_tasks[level];
	ck_assert_int_eq(sum, g->n_tasks);
	ck_assert_double_eq_tol(d.critical_flops, unit * (n == 1 ? 1 : 9 * n - 10), 1e-9 * d.critical_flops);
	ck_assert_double_eq_tol(d.task_flops, unit * n * n * n, 1e-9 * d.task_flops);
	ck_assert_double_eq(d.handle_bytes, tile * n * (n + 1) / 2);
	ck_assert_double_eq(d.working_set_bytes, d.handle_bytes);
	ck_assert_uint_eq(d.accesses[0], (uint64_t)(2 * trsms + 2 * gemms)); /* R */
	ck_assert_uint_eq(d.accesses[2], (uint64_t)g->n_tasks);              /* RW */
	ck_assert_double_eq(d.largest_task_bytes, tile * (n == 1 ? 1 : n == 2 ? 2 : 3));
	tw__description_finish(&d);
	tw_graph_destroy(g);
}
END_TEST

/* 0 -> 1 -> 2 -> 3 with 0 -> 2, 0 -> 3 and 1 -> 3; and 4 apart. Three of the six dependencies are implied. */
START_TEST(implied_dependencies_and_parts)
{
	static const tw_task predecessor[][4] = {
		{TW_NONE}, {0, TW_NONE}, {0, 1, TW_NONE}, {0, 1, 2, TW_NONE}, {TW_NONE}};
	struct tw_graph *g = of_edges(5, predecessor);
	struct tw__description d = described(g);
	check_shape(&d, 6, 3, 4, 2, 2);
	ck_assert_int_eq(d.n_components, 2);
	ck_assert_int_eq(d.largest_component, 4);
	check_degrees(&d.in, 0, 3, 6.0 / 5);
	check_degrees(&d.out, 0, 3, 6.0 / 5);
	ck_assert_int_eq(d.out.n_tasks[0], 2);
	ck_assert_int_eq(d.out.n_tasks[1], 1);
	ck_assert_int_eq(d.out.n_tasks[2], 1);
	ck_assert_int_eq(d.out.n_tasks[3], 1);
	ck_assert_double_eq(d.critical_flops, 8);
	tw__description_finish(&d);
	tw_graph_destroy(g);
}
END_TEST

/* 0 -> 1 -> {2, 3} and 4 -> {5, 6}. The largest level is {1, 5, 6}, the largest antichain {2, 3, 5, 6}. */
START_TEST(an_antichain_larger_than_each_level)
{
	static const tw_task predecessor[][4] = {{TW_NONE}, {0, TW_NONE}, {1, TW_NONE}, {1, TW_NONE},
	                                         {TW_NONE}, {4, TW_NONE}, {4, TW_NONE}};
	struct tw_graph *g = of_edges(7, predecessor);
	struct tw__description d = described(g);
	check_shape(&d, 5, 0, 3, 3, 4);
	tw__description_finish(&d);
	tw_graph_destroy(g);
}
END_TEST

/* The contributors do not wait for each other, and the reader waits for all of them. Combining tasks do not count. */
START_TEST(a_reduction)
{
	struct tw_graph *g = tw_graph_create();
	tw_kernel k = tw_graph_kernel(g, "k", "1", "d", 1), add = tw_graph_kernel(g, "add", "1", "d", 1);
	tw_data sum = tw_graph_data(g, 8), room = tw_graph_data(g, 100);
	tw_graph_reduction(g, sum, add);
	tw_graph_submit(g, k, 0, &(struct tw_access){sum, TW_W}, 1);
	for (int i = 0; i < 5; i++)
		tw_graph_submit(g, k, 0, (const struct tw_access[]){{sum, TW_REDUX}, {room, TW_SCRATCH}}, 2);
	tw_graph_submit(g, k, 0, &(struct tw_access){sum, TW_R}, 1);
	finished(g);
	struct tw__description d = described(g);
	check_shape(&d, 10, 0, 3, 5, 5);
	check_degrees(&d.in, 0, 5, 10.0 / 7);
	ck_assert_int_eq(d.kernel_tasks[add], 0);
	ck_assert_uint_eq(d.accesses[0], 1); /* R */
	ck_assert_uint_eq(d.accesses[1], 1); /* W */
	ck_assert_uint_eq(d.accesses[3], 5); /* scratch */
	ck_assert_uint_eq(d.accesses[4], 5); /* reductions */
	ck_assert_double_eq(d.working_set_bytes, 8);
	ck_assert_double_eq(d.handle_bytes, 108);
	ck_assert_double_eq(d.access_bytes, 7 * 8);
	ck_assert_double_eq(d.largest_task_bytes, 108);
	tw__description_finish(&d);
	tw_graph_destroy(g);
}
END_TEST

/* Transitive dependencies of graphs that span several blocks of transitive.c, by closing the whole relation. */
START_TEST(implied_dependencies_of_random_graphs)
{
	const tw_task n = 1300 + 100 * _i;
	bool *reaches = calloc((size_t)n * (size_t)n, sizeof *reaches); /* [to * n + from] */
	struct tw_graph *g = tw_graph_create();
	tw_kernel k = tw_graph_kernel(g, "k", "1", "s", 1);
	int64_t implied = 0;
	srand((unsigned)_i + 1);
	for (tw_task t = 0; t < n; t++) {
		tw_task on[3];
		int n_on = 0;
		bool *of = reaches + (size_t)t * (size_t)n;
		tw_graph_submit(g, k, 0, NULL, 0);
		for (int i = 0; t > 2 && i < 3; i++) {
			tw_task from = rand() % 3 ? t - 1 - rand() % 3 : rand() % t;
			bool again = false;
			for (int j = 0; j < n_on; j++)
				again |= on[j] == from;
			if (again)
				continue;
			on[n_on++] = from;
			tw_graph_depend(g, from);
			for (tw_task u = 0; u < n; u++)
				of[u] |= reaches[(size_t)from * (size_t)n + (size_t)u];
		}
		for (int j = 0; j < n_on; j++)
			implied += of[on[j]];
		for (int j = 0; j < n_on; j++)
			of[on[j]] = true;
	}
	struct tw__description d = described(finished(g));
	ck_assert_int_gt(implied, 100);
	ck_assert_int_eq(d.n_transitive, implied);
	tw__description_finish(&d);
	tw_graph_destroy(g);
	free(reaches);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("describe");
	TCase *cases = tcase_create("describe");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, a_chain, 1, 5);
	tcase_add_loop_test(cases, a_fork_join, 1, 4);
	tcase_add_loop_test(cases, cholesky, 1, 21);
	tcase_add_test(cases, implied_dependencies_and_parts);
	tcase_add_test(cases, an_antichain_larger_than_each_level);
	tcase_add_test(cases, a_reduction);
	tcase_add_loop_test(cases, implied_dependencies_of_random_graphs, 0, 4);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
