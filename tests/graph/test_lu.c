/* The generator of tile LU: numbers of tasks and kernels, their order, priorities, critical path. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/load.h"

enum { GETRF, TRSM_L, TRSM_U, GEMM };
static const char *const names[] = {"getrf", "trsm_l", "trsm_u", "lu.gemm"};

static struct tw_graph *lu(int nt, const char *options)
{
	char text[64];
	struct tw_graph *g = NULL;
	struct tw_error err = {""};
	snprintf(text, sizeof text, "lu:nt=%d%s", nt, options);
	ck_assert_msg(tw__generate(&g, text, &err) == TW_OK, "%s", err.message);
	return g;
}

static int kernel_of(const struct tw_graph *g, tw_task t)
{
	for (int k = GETRF; k <= GEMM; k++)
		if (!strcmp(tw_graph_kernel_name(g, tw_graph_task_kernel(g, t)), names[k]))
			return k;
	ck_abort_msg("task %d has another kernel", (int)t);
	return -1;
}

START_TEST(tasks_kernels_and_flops)
{
	int nt = _i, counts[4] = {0};
	struct tw_graph *g = lu(nt, ":nb=960");
	struct tw_error err;
	double n = nt * 960.0, flops = 0;
	ck_assert_int_eq(tw_graph_n_tasks(g), nt * (nt + 1) * (2 * nt + 1) / 6);
	ck_assert_int_eq(tw_graph_n_data(g), nt * nt);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		counts[kernel_of(g, t)]++;
		flops += g->kernels[tw_graph_task_kernel(g, t)].flops;
	}
	ck_assert_int_eq(counts[GETRF], nt);
	ck_assert_int_eq(counts[TRSM_L], nt * (nt - 1) / 2);
	ck_assert_int_eq(counts[TRSM_U], nt * (nt - 1) / 2);
	ck_assert_int_eq(counts[GEMM], (nt - 1) * nt * (2 * nt - 1) / 6);
	ck_assert_double_eq_tol(tw_graph_flops(g), 2 * n * n * n / 3, 1e-6 * n);
	ck_assert_double_eq_tol(flops, tw_graph_flops(g), 1e-12 * flops);
	ck_assert_int_eq(g->priority_scope, TW_PRIORITY_FOR_LOOKING);
	ck_assert_int_eq(tw__graph_check(g, &err), TW_OK);
	tw_graph_destroy(g);
}
END_TEST

static double levels_of(const struct tw_graph *g, const double weights[4], double *levels)
{
	double seconds[4];
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		seconds[tw_graph_task_kernel(g, t)] = weights[kernel_of(g, t)];
	return tw_graph_bottom_levels(g, seconds, levels);
}

/* Units of nb^3/3 flops: getrf 2, trsm 3, gemm 6. */
START_TEST(the_critical_path_is_11nt_minus_9)
{
	int nt = _i;
	struct tw_graph *g = lu(nt, "");
	double *levels = calloc((size_t)tw_graph_n_tasks(g), sizeof *levels);
	ck_assert_double_eq(levels_of(g, (double[]){2, 3, 3, 6}, levels), 11 * nt - 9);
	ck_assert_double_eq(levels[tw_graph_n_tasks(g) - 1], 2);
	free(levels);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(priorities_are_distances_to_the_end)
{
	struct tw_graph *g = lu(_i, "");
	double *levels = calloc((size_t)tw_graph_n_tasks(g), sizeof *levels);
	levels_of(g, (double[]){1, 1, 1, 1}, levels);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		ck_assert_int_eq(tw_graph_priority(g, t), (int)levels[t] + 2);
	free(levels);
	tw_graph_destroy(g);
}
END_TEST

/* Tiles are numbered by rows:
 *     0 1 2
 *     3 4 5
 *     6 7 8 */
START_TEST(the_tasks_of_3_x_3_tiles)
{
	static const struct {
		int kernel, priority;
		tw_data data[3]; /* the last one is written */
	} expected[] = {
		{GETRF, 9, {0}},      {TRSM_L, 8, {0, 1}},  {TRSM_U, 8, {0, 3}},  {TRSM_L, 7, {0, 2}},
		{TRSM_U, 7, {0, 6}},  {GEMM, 7, {3, 1, 4}}, {GEMM, 6, {3, 2, 5}}, {GEMM, 6, {6, 1, 7}},
		{GEMM, 5, {6, 2, 8}}, {GETRF, 6, {4}},      {TRSM_L, 5, {4, 5}},  {TRSM_U, 5, {4, 7}},
		{GEMM, 4, {7, 5, 8}}, {GETRF, 3, {8}},
	};
	static const int n_accesses[] = {1, 2, 2, 3};
	struct tw_graph *g = lu(3, "");
	ck_assert_int_eq(tw_graph_n_tasks(g), sizeof expected / sizeof expected[0]);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		int n = n_accesses[expected[t].kernel];
		ck_assert_int_eq(kernel_of(g, t), expected[t].kernel);
		ck_assert_int_eq(tw_graph_priority(g, t), expected[t].priority);
		ck_assert_int_eq(tw_graph_n_accesses(g, t), n);
		for (int i = 0; i < n; i++) {
			struct tw_access access = tw_graph_access(g, t, i);
			ck_assert_int_eq(access.data, expected[t].data[i]);
			ck_assert_int_eq(access.mode, i == n - 1 ? TW_RW : TW_R);
		}
	}
	tw_graph_destroy(g);
}
END_TEST

START_TEST(tiles_have_the_bytes_of_their_precision)
{
	static const struct {
		const char *options;
		uint64_t bytes;
	} cases[] = {
		{"", 960 * 960 * 4},
		{":nb=512:precision=s", 512 * 512 * 4},
		{":nb=512:precision=d", 512 * 512 * 8},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tw_graph *g = lu(3, cases[i].options);
		for (tw_data d = 0; d < tw_graph_n_data(g); d++)
			ck_assert_uint_eq(tw_graph_data_bytes(g, d), cases[i].bytes);
		tw_graph_destroy(g);
	}
}
END_TEST

/* The last write of each tile is marked as the last, and no other write. */
START_TEST(last_writes_are_declared)
{
	struct tw_graph *g = lu(_i, "");
	uint32_t *last = calloc((size_t)tw_graph_n_data(g), sizeof *last), n = g->access_start[tw_graph_n_tasks(g)];
	for (uint32_t a = 0; a < n; a++)
		if (tw__access_mode(g->access[a]) & TW_W)
			last[tw__access_data(g->access[a])] = a;
	for (uint32_t a = 0; a < n; a++)
		ck_assert_int_eq(!!(g->access[a] & TW__ACCESS_LAST_WRITE), a == last[tw__access_data(g->access[a])]);
	free(last);
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lu");
	TCase *cases = tcase_create("lu");
	tcase_add_loop_test(cases, tasks_kernels_and_flops, 1, 41);
	tcase_add_loop_test(cases, the_critical_path_is_11nt_minus_9, 1, 41);
	tcase_add_loop_test(cases, priorities_are_distances_to_the_end, 1, 41);
	tcase_add_test(cases, the_tasks_of_3_x_3_tiles);
	tcase_add_test(cases, tiles_have_the_bytes_of_their_precision);
	tcase_add_loop_test(cases, last_writes_are_declared, 1, 13);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
