/* The generator of tile QR: how many tasks, of which kernels, on how many bytes. The factors T and the copies of
 * diagonal tiles are data of their own. */
#include <check.h>
#include <stdlib.h>

#include "qr.h"

START_TEST(tasks_of_a_flat_tree)
{
	for (int nt = 1; nt <= _i; nt++) {
		int mt = _i, counts[N_KERNELS];
		struct tw_graph *g = generated("qr:nt=%d:mt=%d", nt, mt);
		count_kernels(g, counts);
		ck_assert_int_eq(tw_graph_n_tasks(g), nt * (nt + 1) * (3 * mt - nt + 1) / 6);
		ck_assert_int_eq(counts[GEQRT], nt);
		ck_assert_int_eq(counts[ORMQR], nt * (nt - 1) / 2);
		ck_assert_int_eq(counts[TSQRT], nt * (2 * mt - nt - 1) / 2);
		ck_assert_int_eq(counts[TSMQR], (nt - 1) * nt * (3 * mt - nt - 1) / 6);
		tw_graph_destroy(g);
	}
}
END_TEST

/* Augonnet 2011, section 6.4: the QR factorisation of 5 x 5 tiles has 60 tasks. */
START_TEST(copies_make_60_tasks_of_55)
{
	int counts[N_KERNELS];
	struct tw_graph *g = generated("qr:nt=5");
	ck_assert_int_eq(tw_graph_n_tasks(g), 55);
	tw_graph_destroy(g);
	g = generated("qr:nt=5:copy_diagonal=yes");
	ck_assert_int_eq(tw_graph_n_tasks(g), 60);
	count_kernels(g, counts);
	ck_assert_int_eq(counts[LACPY], 5);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(tasks_of_a_binary_tree)
{
	for (int nt = 1; nt <= _i; nt++) {
		int mt = _i, counts[N_KERNELS];
		struct tw_graph *g = generated("qr:nt=%d:mt=%d:tree=binary:copy_diagonal=yes", nt, mt);
		count_kernels(g, counts);
		ck_assert_int_eq(counts[GEQRT], nt * (2 * mt - nt + 1) / 2);
		ck_assert_int_eq(counts[LACPY], counts[GEQRT]);
		ck_assert_int_eq(counts[ORMQR], (nt - 1) * nt * (3 * mt - nt + 2) / 6);
		ck_assert_int_eq(counts[TTQRT], counts[GEQRT] - nt);
		ck_assert_int_eq(counts[TTMQR], counts[ORMQR] - nt * (nt - 1) / 2);
		ck_assert_int_eq(counts[TSQRT] + counts[TSMQR], 0);
		tw_graph_destroy(g);
	}
}
END_TEST

START_TEST(kernels_do_the_flops_of_the_whole)
{
	struct tw_graph *g = shaped(_i, ":nb=30");
	struct tw_error err;
	double m = 30 * shapes[_i].mt, n = 30 * shapes[_i].nt, flops = 0;
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		flops += g->kernels[tw_graph_task_kernel(g, t)].flops;
	ck_assert_double_eq_tol(tw_graph_flops(g), 2 * n * n * (m - n / 3), 1e-9 * flops);
	ck_assert_double_eq_tol(flops, tw_graph_flops(g), 1e-9 * flops);
	ck_assert_int_eq(g->priority_scope, TW_PRIORITY_FOR_ALL);
	ck_assert_int_eq(tw__graph_check(g, &err), TW_OK);
	tw_graph_destroy(g);
}
END_TEST

/* Without factors the same tasks have one access less; nothing else changes. */
START_TEST(factors_are_data_or_not)
{
	struct tw_graph *with = shaped(_i, ""), *without = shaped(_i, ":ib=0");
	int counts[N_KERNELS];
	count_kernels(with, counts);
	ck_assert_int_eq(tw_graph_n_tasks(with), tw_graph_n_tasks(without));
	ck_assert_int_eq(tw_graph_n_data(with),
	                 shapes[_i].mt * shapes[_i].nt + counts[GEQRT] + counts[TSQRT] + counts[TTQRT]);
	ck_assert_int_eq(tw_graph_n_data(without), shapes[_i].mt * shapes[_i].nt);
	for (tw_task t = 0; t < tw_graph_n_tasks(with); t++) {
		ck_assert_int_eq(kernel_of(with, t), kernel_of(without, t));
		ck_assert_int_eq(tw_graph_n_accesses(with, t), tw_graph_n_accesses(without, t) + 1);
		ck_assert_int_eq(tw_graph_n_predecessors(with, t), tw_graph_n_predecessors(without, t));
	}
	tw_graph_destroy(with);
	tw_graph_destroy(without);
}
END_TEST

START_TEST(bytes_of_tiles_factors_and_copies)
{
	static const struct {
		const char *options;
		uint64_t tile, factor;
	} cases[] = {
		{"", 960 * 960 * 4, 128 * 960 * 4},
		{":precision=d:ib=64", 960 * 960 * 8, 64 * 960 * 8},
		{":nb=100", 100 * 100 * 4, 100 * 100 * 4},
		{":nb=100:ib=1", 100 * 100 * 4, 1 * 100 * 4},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tw_graph *g = generated("qr:nt=1:copy_diagonal=yes%s", cases[i].options);
		ck_assert_int_eq(tw_graph_n_data(g), 3);
		ck_assert_uint_eq(tw_graph_data_bytes(g, 0), cases[i].tile);
		ck_assert_uint_eq(tw_graph_data_bytes(g, 1), cases[i].factor);
		ck_assert_uint_eq(tw_graph_data_bytes(g, 2), cases[i].tile);
		tw_graph_destroy(g);
	}
}
END_TEST

/* Factors, copies and reflectors are declared "will not be used" at their last write; the triangle R is not. */
START_TEST(last_writes_are_declared)
{
	int mt = shapes[_i].mt, nt = shapes[_i].nt;
	struct tw_graph *g = shaped(_i, ":copy_diagonal=yes");
	uint32_t *last = calloc((size_t)tw_graph_n_data(g), sizeof *last), n = g->access_start[tw_graph_n_tasks(g)];
	for (uint32_t a = 0; a < n; a++)
		if (tw__access_mode(g->access[a]) & TW_W)
			last[tw__access_data(g->access[a])] = a;
	for (uint32_t a = 0; a < n; a++) {
		tw_data d = tw__access_data(g->access[a]);
		bool of_r = d < mt * nt && d / nt <= d % nt;
		ck_assert_int_eq(!!(g->access[a] & TW__ACCESS_LAST_WRITE), a == last[d] && !of_r);
	}
	free(last);
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("qr");
	TCase *cases = tcase_create("qr");
	tcase_add_loop_test(cases, tasks_of_a_flat_tree, 1, 16);
	tcase_add_test(cases, copies_make_60_tasks_of_55);
	tcase_add_loop_test(cases, tasks_of_a_binary_tree, 1, 16);
	tcase_add_loop_test(cases, kernels_do_the_flops_of_the_whole, 0, N_SHAPES);
	tcase_add_loop_test(cases, factors_are_data_or_not, 0, N_SHAPES);
	tcase_add_test(cases, bytes_of_tiles_factors_and_copies);
	tcase_add_loop_test(cases, last_writes_are_declared, 0, N_SHAPES);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
