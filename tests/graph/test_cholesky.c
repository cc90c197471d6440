/* The generator of tile Cholesky: numbers of tasks and kernels, priorities, critical path. */
#include <check.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/load.h"

enum { POTRF, TRSM, SYRK, GEMM };

static struct tw_graph *cholesky(int nt, const char *options)
{
	char text[64];
	struct tw_graph *g = NULL;
	struct tw_error err = {""};
	snprintf(text, sizeof text, "cholesky:nt=%d%s", nt, options);
	ck_assert_msg(tw__generate(&g, text, &err) == TW_OK, "%s", err.message);
	return g;
}

static int kernel_of(const struct tw_graph *g, tw_task t)
{
	static const char *const names[] = {"potrf", "trsm", "syrk", "gemm"};
	for (int k = POTRF; k <= GEMM; k++)
		if (!strcmp(tw_graph_kernel_name(g, tw_graph_task_kernel(g, t)), names[k]))
			return k;
	ck_abort_msg("task %d has another kernel", (int)t);
	return -1;
}

START_TEST(tasks_kernels_and_flops)
{
	int nt = _i, counts[4] = {0};
	struct tw_graph *g = cholesky(nt, ":nb=960");
	struct tw_error err;
	ck_assert_int_eq(tw_graph_n_tasks(g), nt * (nt + 1) * (nt + 2) / 6);
	ck_assert_int_eq(tw_graph_n_data(g), nt * (nt + 1) / 2);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		counts[kernel_of(g, t)]++;
	ck_assert_int_eq(counts[POTRF], nt);
	ck_assert_int_eq(counts[TRSM], nt * (nt - 1) / 2);
	ck_assert_int_eq(counts[SYRK], nt * (nt - 1) / 2);
	ck_assert_int_eq(counts[GEMM], nt * (nt - 1) * (nt - 2) / 6);
	double n = nt * 960.0;
	ck_assert_double_eq_tol(tw_graph_flops(g), n * n * n / 3, 1e-6 * n);
	ck_assert_int_eq(tw__graph_check(g, &err), TW_OK);
	tw_graph_destroy(g);
}
END_TEST

/* Units of nb^3/3 flops: potrf 1, trsm and syrk 3, gemm 6. */
START_TEST(the_critical_path_is_9nt_minus_10)
{
	int nt = _i;
	struct tw_graph *g = cholesky(nt, "");
	double seconds[4], *levels = calloc((size_t)tw_graph_n_tasks(g), sizeof *levels);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		seconds[tw_graph_task_kernel(g, t)] = (const double[]){1, 3, 3, 6}[kernel_of(g, t)];
	double path = tw_graph_bottom_levels(g, seconds, levels);
	ck_assert_double_eq(path, nt == 1 ? 1 : 9 * nt - 10);
	ck_assert_double_eq(levels[0], path);
	ck_assert_double_eq(levels[tw_graph_n_tasks(g) - 1], 1);
	free(levels);
	tw_graph_destroy(g);
}
END_TEST

/* Tiles are numbered by rows of the lower triangle. */
static void place_of(tw_data d, int *row, int *column)
{
	for (*row = 0; (*row + 1) * (*row + 2) / 2 <= d; ++*row)
		;
	*column = d - *row * (*row + 1) / 2;
}

static tw_data written_by(const struct tw_graph *g, tw_task t)
{
	int last = tw_graph_n_accesses(g, t) - 1;
	for (int i = 0; i <= last; i++)
		ck_assert_int_eq(tw_graph_access(g, t, i).mode, i == last ? TW_RW : TW_R);
	return tw_graph_access(g, t, last).data;
}

START_TEST(priorities_and_accesses)
{
	static const int n_accesses[] = {1, 2, 2, 3};
	int nt = _i, k = -1;
	struct tw_graph *g = cholesky(nt, "");
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		int row, column, kernel = kernel_of(g, t), priority = 2 * nt;
		place_of(written_by(g, t), &row, &column);
		k += kernel == POTRF;
		ck_assert_int_eq(tw_graph_n_accesses(g, t), n_accesses[kernel]);
		priority -= 2 * k;
		switch (kernel) {
		case POTRF:
			ck_assert(row == k && column == k);
			break;
		case TRSM:
			ck_assert(row > k && column == k);
			priority -= row;
			break;
		case SYRK:
			ck_assert(row > k && column == row);
			priority -= row;
			break;
		default:
			ck_assert(row > column && column > k);
			priority -= row + column;
		}
		ck_assert_int_eq(tw_graph_priority(g, t), priority);
		ck_assert_int_eq(tw_graph_is_critical(g, t), kernel == POTRF || (kernel != GEMM && row == k + 1));
	}
	ck_assert_int_eq(g->priority_scope, TW_PRIORITY_FOR_SORTING);
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
		{":nb=320", 320 * 320 * 4},
		{":nb=512:precision=s", 512 * 512 * 4},
		{":nb=512:precision=d", 512 * 512 * 8},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tw_graph *g = cholesky(3, cases[i].options);
		for (tw_data d = 0; d < tw_graph_n_data(g); d++)
			ck_assert_uint_eq(tw_graph_data_bytes(g, d), cases[i].bytes);
		tw_graph_destroy(g);
	}
}
END_TEST

/* The last write of each tile is marked as the last, and no other write. */
START_TEST(last_writes_are_declared)
{
	struct tw_graph *g = cholesky(_i, "");
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

#ifndef __SANITIZE_ADDRESS__ /* the address sanitizer has its own allocator */
START_TEST(a_task_takes_150_bytes_at_most)
{
	size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
	struct tw_graph *g = cholesky(60, "");
	size_t used = mallinfo2().uordblks + mallinfo2().hblkhd - before;
	ck_assert_uint_le(used / (size_t)tw_graph_n_tasks(g), 150);
	tw_graph_destroy(g);
}
END_TEST
#endif

int main(void)
{
	Suite *suite = suite_create("cholesky");
	TCase *cases = tcase_create("cholesky");
	tcase_add_loop_test(cases, tasks_kernels_and_flops, 1, 41);
	tcase_add_loop_test(cases, the_critical_path_is_9nt_minus_10, 1, 41);
	tcase_add_loop_test(cases, priorities_and_accesses, 1, 13);
	tcase_add_test(cases, tiles_have_the_bytes_of_their_precision);
	tcase_add_loop_test(cases, last_writes_are_declared, 1, 13);
#ifndef __SANITIZE_ADDRESS__
	tcase_add_test(cases, a_task_takes_150_bytes_at_most);
#endif
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
