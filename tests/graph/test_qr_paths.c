/* The generator of tile QR: critical paths, priorities, and the edges that copies of diagonal tiles take away. */
#include <check.h>
#include <stdlib.h>

#include "qr.h"

static const double weights[] = {4, 6, 6, 12, 2, 6, 0}; /* in nb^3/3 flops; copies take no time */

/* `by_kernel`: NULL is 1 each, but for copies. `levels` may be NULL. */
static double critical_path(const struct tw_graph *g, const double *by_kernel, double *levels)
{
	double seconds[N_KERNELS] = {0}, *own = calloc((size_t)tw_graph_n_tasks(g), sizeof *own);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		int k = kernel_of(g, t);
		seconds[tw_graph_task_kernel(g, t)] = by_kernel ? by_kernel[k] : k != LACPY;
	}
	double path = tw_graph_bottom_levels(g, seconds, levels ? levels : own);
	free(own);
	return path;
}

START_TEST(critical_paths_of_square_matrices)
{
	int nt = _i;
	struct tw_graph *g = generated("qr:nt=%d", nt);
	ck_assert_double_eq(critical_path(g, weights, NULL), nt == 1 ? 4 : 30 * nt - 28);
	tw_graph_destroy(g);
	g = generated("qr:nt=%d:copy_diagonal=yes", nt);
	ck_assert_double_eq(critical_path(g, weights, NULL), nt == 1 ? 4 : 30 * nt - 34);
	tw_graph_destroy(g);
}
END_TEST

static int log2_up(int n)
{
	int log = 0;
	while (1 << log < n)
		log++;
	return log;
}

/* One column: no updates, only the tree. */
START_TEST(critical_paths_of_one_panel)
{
	int mt = _i;
	struct tw_graph *g = generated("qr:nt=1:mt=%d", mt);
	ck_assert_double_eq(critical_path(g, weights, NULL), 4 + 6 * (mt - 1));
	tw_graph_destroy(g);
	g = generated("qr:nt=1:mt=%d:tree=binary", mt);
	ck_assert_double_eq(critical_path(g, weights, NULL), 4 + 2 * log2_up(mt));
	tw_graph_destroy(g);
	g = generated("qr:nt=1:mt=%d:tree=domains:domains=%d", 7 * mt, mt);
	ck_assert_double_eq(critical_path(g, weights, NULL), 4 + 6 * 6 + 2 * log2_up(mt));
	tw_graph_destroy(g);
}
END_TEST

/* The one edge between them is what the copy is for. */
START_TEST(copies_let_tsqrt_and_ormqr_overlap)
{
	for (int copies = 0; copies < 2; copies++) {
		int edges = 0, n;
		struct tw_graph *g = generated("qr:nt=5:copy_diagonal=%d", copies);
		for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
			const tw_task *next = tw_graph_successors(g, t, &n);
			for (int i = 0; i < n; i++)
				edges += kernel_of(g, t) == ORMQR && kernel_of(g, next[i]) == TSQRT;
		}
		ck_assert_int_eq(edges, copies ? 0 : 4 + 3 + 2 + 1);
		tw_graph_destroy(g);
	}
}
END_TEST

START_TEST(priorities_are_distances_to_the_end)
{
	for (int copies = 0; copies < 2; copies++) {
		struct tw_graph *g = shaped(_i, copies ? ":copy_diagonal=yes" : "");
		double *levels = calloc((size_t)tw_graph_n_tasks(g), sizeof *levels);
		critical_path(g, NULL, levels);
		for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
			ck_assert_int_eq(tw_graph_priority(g, t), (int)levels[t]);
		free(levels);
		tw_graph_destroy(g);
	}
}
END_TEST

/* With a flat tree and copies, priorities are those of StarPU's LU, less 2. The task of panel k that changes tile (m,
 * n) has 3nt - k - m - n. Tall matrices have mt - nt more. */
START_TEST(priorities_are_those_of_lu)
{
	for (int nt = 1; nt <= _i; nt++) {
		int mt = _i, k = -1;
		struct tw_graph *g = generated("qr:nt=%d:mt=%d:copy_diagonal=yes", nt, mt);
		for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
			int kernel = kernel_of(g, t), changed = kernel == TSMQR ? 2 : kernel == GEQRT ? 0 : 1;
			tw_data d = tw_graph_access(g, t, changed).data;
			k += kernel == GEQRT;
			if (kernel != LACPY)
				ck_assert_int_eq(tw_graph_priority(g, t), mt + 2 * nt - k - d / nt - d % nt - 2);
		}
		tw_graph_destroy(g);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("qr paths");
	TCase *cases = tcase_create("qr paths");
	tcase_add_loop_test(cases, critical_paths_of_square_matrices, 1, 26);
	tcase_add_loop_test(cases, critical_paths_of_one_panel, 1, 34);
	tcase_add_test(cases, copies_let_tsqrt_and_ormqr_overlap);
	tcase_add_loop_test(cases, priorities_are_distances_to_the_end, 0, N_SHAPES);
	tcase_add_loop_test(cases, priorities_are_those_of_lu, 1, 13);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
