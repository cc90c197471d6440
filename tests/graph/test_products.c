/* Generators of matrix products and of independent tasks: matmul2d, sparse, matmul3d, cholesky_taskset. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "generated.h"

static void expect_accesses(const struct tw_graph *g, tw_task t, int n, const struct tw_access *expected)
{
	ck_assert_int_eq(tw_graph_n_accesses(g, t), n);
	for (int i = 0; i < n; i++) {
		ck_assert_int_eq(tw_graph_access(g, t, i).data, expected[i].data);
		ck_assert_int_eq(tw_graph_access(g, t, i).mode, expected[i].mode);
	}
}

/* --- matmul2d --------------------------------------------------------------------------------------------------- */

START_TEST(the_2d_product_reads_each_row_with_each_column)
{
	int nt = _i;
	struct tw_graph *g = generated("matmul2d:nt=%d", nt);
	ck_assert_int_eq(tw_graph_n_tasks(g), nt * nt);
	ck_assert_int_eq(tw_graph_n_data(g), 2 * nt);
	ck_assert_int_eq(n_edges(g), 0);
	for (tw_data d = 0; d < 2 * nt; d++)
		ck_assert_uint_eq(tw_graph_data_bytes(g, d), 960 * 3840 * 4);
	tw_task t = 0;
	for (int column = 0; column < nt; column++)
		for (int row = 0; row < nt; row++, t++) {
			expect_accesses(g, t, 2, (struct tw_access[]){{row, TW_R}, {nt + column, TW_R}});
			ck_assert_int_eq(tw_graph_priority(g, t), 0);
		}
	ck_assert_int_eq(tw_graph_n_kernels(g), 1);
	ck_assert_str_eq(g->kernels[0].name, "gemm");
	ck_assert_str_eq(g->kernels[0].size, "960x3840+3840x960");
	ck_assert_str_eq(g->kernels[0].precision, "s");
	double n = 960.0 * nt;
	ck_assert_double_eq(tw_graph_flops(g), 2 * n * n * 3840);
	ck_assert_double_eq(flops_of_kernels(g), tw_graph_flops(g));
	tw_graph_destroy(g);
}
END_TEST

START_TEST(the_2d_product_writes_its_output_if_asked)
{
	enum { NT = 7, A = 0, B = NT, C = 2 * NT };
	struct tw_graph *g = generated("matmul2d:nt=%d:nb=10:k=30:output=yes:precision=d", NT);
	ck_assert_int_eq(tw_graph_n_data(g), 2 * NT + NT * NT);
	ck_assert_str_eq(g->kernels[0].size, "10x30+30x10+10x10");
	ck_assert_uint_eq(tw_graph_data_bytes(g, A), 10 * 30 * 8);
	ck_assert_uint_eq(tw_graph_data_bytes(g, C), 10 * 10 * 8);
	ck_assert_double_eq(tw_graph_flops(g), 2.0 * 70 * 70 * 30);
	ck_assert_int_eq(n_edges(g), 0);
	for (tw_task t = 0; t < NT * NT; t++) {
		expect_accesses(g, t, 3, (struct tw_access[]){{A + t % NT, TW_R}, {B + t / NT, TW_R}, {C + t, TW_W}});
		ck_assert(g->access[g->access_start[t] + 2] & TW__ACCESS_LAST_WRITE);
	}
	tw_graph_destroy(g);
}
END_TEST

START_TEST(a_random_order_has_the_same_tasks)
{
	enum { NT = 9 };
	struct tw_graph *g = generated("matmul2d:nt=%d:order=random:seed=%d", NT, _i);
	struct tw_graph *again = generated("matmul2d:nt=%d:order=random:seed=%d", NT, _i);
	struct tw_graph *other = generated("matmul2d:nt=%d:order=random:seed=%d", NT, _i + 1);
	struct tw_graph *natural = generated("matmul2d:nt=%d", NT);
	ck_assert(same_graphs(g, again));
	ck_assert(!same_graphs(g, other));
	ck_assert(!same_graphs(g, natural));
	bool seen[NT][NT] = {{false}};
	ck_assert_int_eq(tw_graph_n_tasks(g), NT * NT);
	for (tw_task t = 0; t < NT * NT; t++) {
		int row = tw_graph_access(g, t, 0).data, column = tw_graph_access(g, t, 1).data - NT;
		ck_assert(!seen[row][column]);
		seen[row][column] = true;
	}
	tw_graph_destroy(g);
	tw_graph_destroy(again);
	tw_graph_destroy(other);
	tw_graph_destroy(natural);
}
END_TEST

START_TEST(in_random_order_each_task_writes_its_own_block)
{
	enum { NT = 6 };
	struct tw_graph *g = generated("matmul2d:nt=%d:order=random:output=yes", NT);
	for (tw_task t = 0; t < NT * NT; t++) {
		int row = tw_graph_access(g, t, 0).data, column = tw_graph_access(g, t, 1).data - NT;
		ck_assert_int_eq(tw_graph_access(g, t, 2).data, 2 * NT + row + NT * column);
	}
	tw_graph_destroy(g);
}
END_TEST

/* --- sparse ----------------------------------------------------------------------------------------------------- */

START_TEST(a_sparse_product_has_exactly_its_density)
{
	static const struct {
		int nt, tasks;
		const char *density;
	} cases[] = {{10, 2, "0.02"}, {10, 3, "0.026"}, {10, 3, "0.034"}, {10, 1, "0"},      {10, 1, "0.004"},
	             {7, 25, "0.5"},  {13, 169, "1"},   {1, 1, "0.02"},   {100, 200, "0.02"}};
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		struct tw_graph *g = generated("sparse:nt=%d:nb=10:density=%s", cases[c].nt, cases[c].density);
		ck_assert_int_eq(tw_graph_n_tasks(g), cases[c].tasks);
		ck_assert_int_eq(tw_graph_n_data(g), 2 * cases[c].nt);
		ck_assert_int_eq(n_edges(g), 0);
		ck_assert_double_eq(tw_graph_flops(g), cases[c].tasks * 2.0 * 10 * 10 * 40);
		ck_assert_double_eq(flops_of_kernels(g), tw_graph_flops(g));
		int last = -1; /* sorted by column, without duplicates */
		for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
			int row = tw_graph_access(g, t, 0).data, column = tw_graph_access(g, t, 1).data - cases[c].nt;
			ck_assert(row >= 0 && row < cases[c].nt && column >= 0 && column < cases[c].nt);
			ck_assert_int_gt(row + cases[c].nt * column, last);
			last = row + cases[c].nt * column;
		}
		tw_graph_destroy(g);
	}
}
END_TEST

START_TEST(a_full_sparse_product_is_the_2d_product)
{
	struct tw_graph *g = generated("sparse:nt=8:nb=20:k=50:density=1:precision=d");
	struct tw_graph *full = generated("matmul2d:nt=8:nb=20:k=50:precision=d");
	ck_assert(same_graphs(g, full));
	tw_graph_destroy(g);
	tw_graph_destroy(full);
}
END_TEST

/* 5 of 16 tasks, 3,200 times: each task about 1,000 times, and each pair of tasks about 267 times. */
START_TEST(every_choice_of_tasks_is_as_likely)
{
	enum { NT = 4, N = NT * NT, SEEDS = 3200 };
	static int once[N], pair[N][N];
	for (int seed = 0; seed < SEEDS; seed++) {
		struct tw_graph *g = generated("sparse:nt=%d:density=0.3125:seed=%d", NT, seed);
		int place[5];
		for (tw_task t = 0; t < 5; t++) {
			place[t] = tw_graph_access(g, t, 0).data + NT * (tw_graph_access(g, t, 1).data - NT);
			once[place[t]]++;
			for (tw_task u = 0; u < t; u++)
				pair[place[u]][place[t]]++;
		}
		tw_graph_destroy(g);
	}
	for (int a = 0; a < N; a++) {
		ck_assert(once[a] > 870 && once[a] < 1130); /* five standard deviations of 26 */
		for (int b = a + 1; b < N; b++)
			ck_assert(pair[a][b] > 187 && pair[a][b] < 347); /* five standard deviations of 16 */
	}
}
END_TEST

/* --- matmul3d --------------------------------------------------------------------------------------------------- */

START_TEST(the_3d_product_adds_up_each_tile_of_c)
{
	/* kt, the number of tiles along the summed dimension, is nt or 4 */
	int nt = _i / 2, kt = _i % 2 ? 4 : nt, a = 0, b = nt * kt, c = 2 * nt * kt;
	struct tw_graph *g =
		kt == nt ? generated("matmul3d:nt=%d:nb=100", nt) : generated("matmul3d:nt=%d:nb=100:kt=4", nt);
	ck_assert_int_eq(tw_graph_n_tasks(g), nt * nt * kt);
	ck_assert_int_eq(tw_graph_n_data(g), 2 * nt * kt + nt * nt);
	ck_assert_uint_eq(tw_graph_data_bytes(g, c), 100 * 100 * 4);
	ck_assert_str_eq(g->kernels[0].size, "100");
	double n = 100.0 * nt;
	ck_assert_double_eq(tw_graph_flops(g), 2 * n * n * 100 * kt);
	ck_assert_double_eq(flops_of_kernels(g), tw_graph_flops(g));
	tw_task t = 0;
	for (int column = 0; column < nt; column++)
		for (int row = 0; row < nt; row++)
			for (int k = 0; k < kt; k++, t++) {
				expect_accesses(g, t, 3,
				                (struct tw_access[]){{a + k * nt + row, TW_R},
				                                     {b + column * kt + k, TW_R},
				                                     {c + column * nt + row, k ? TW_RW : TW_W}});
				ck_assert_int_eq(tw_graph_n_predecessors(g, t), k > 0);
				ck_assert(k == 0 || depends(g, t, t - 1));
				uint32_t access = g->access[g->access_start[t] + 2];
				ck_assert_int_eq(!!(access & TW__ACCESS_LAST_WRITE), k == kt - 1);
			}
	ck_assert_double_eq(path(g, NULL), kt);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(the_independent_3d_product_only_reads)
{
	struct tw_graph *g = generated("matmul3d:nt=%d:independent=yes", _i);
	struct tw_graph *chains = generated("matmul3d:nt=%d", _i);
	ck_assert_int_eq(tw_graph_n_tasks(g), _i * _i * _i);
	ck_assert_int_eq(n_edges(g), 0);
	ck_assert_double_eq(tw_graph_flops(g), tw_graph_flops(chains));
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		for (int i = 0; i < 3; i++) {
			ck_assert_int_eq(tw_graph_access(g, t, i).data, tw_graph_access(chains, t, i).data);
			ck_assert_int_eq(tw_graph_access(g, t, i).mode, TW_R);
		}
	tw_graph_destroy(g);
	tw_graph_destroy(chains);
}
END_TEST

START_TEST(without_output_the_3d_product_has_no_c)
{
	int nt = _i / 2, kt = _i % 2 ? 3 : nt, b = nt * kt;
	for (int independent = 0; independent < 2; independent++) {
		struct tw_graph *g = generated("matmul3d:nt=%d:kt=%d:nb=100:output=no:independent=%s", nt, kt,
		                               independent ? "yes" : "no");
		struct tw_graph *whole = generated("matmul3d:nt=%d:kt=%d:nb=100", nt, kt);
		ck_assert_int_eq(tw_graph_n_tasks(g), nt * nt * kt);
		ck_assert_int_eq(tw_graph_n_data(g), 2 * nt * kt);
		ck_assert_int_eq(n_edges(g), 0);
		ck_assert_double_eq(tw_graph_flops(g), tw_graph_flops(whole));
		ck_assert_double_eq(flops_of_kernels(g), tw_graph_flops(g));
		ck_assert_str_eq(g->kernels[0].size, "100");
		tw_task t = 0;
		for (int column = 0; column < nt; column++)
			for (int row = 0; row < nt; row++)
				for (int k = 0; k < kt; k++)
					expect_accesses(g, t++, 2,
					                (struct tw_access[]){{k * nt + row, TW_R},
					                                     {b + column * kt + k, TW_R}});
		tw_graph_destroy(g);
		tw_graph_destroy(whole);
	}
}
END_TEST

/* Each task writes a tile of its own, which gets the hint. */
START_TEST(fresh_output_is_a_tile_for_each_product)
{
	int nt = _i / 2, kt = _i % 2 ? 3 : nt, b = nt * kt, c = 2 * nt * kt;
	struct tw_graph *g = generated("matmul3d:nt=%d:kt=%d:nb=100:output=fresh", nt, kt);
	ck_assert_int_eq(tw_graph_n_tasks(g), nt * nt * kt);
	ck_assert_int_eq(tw_graph_n_data(g), 2 * nt * kt + nt * nt * kt);
	ck_assert_int_eq(n_edges(g), 0);
	tw_task t = 0;
	for (int column = 0; column < nt; column++)
		for (int row = 0; row < nt; row++)
			for (int k = 0; k < kt; k++, t++) {
				expect_accesses(g, t, 3,
				                (struct tw_access[]){{k * nt + row, TW_R},
				                                     {b + column * kt + k, TW_R},
				                                     {c + t, TW_W}});
				ck_assert(g->access[3 * t + 2] & TW__ACCESS_LAST_WRITE);
			}
	tw_graph_destroy(g);
}
END_TEST

/* --- cholesky_taskset ------------------------------------------------------------------------------------------- */

/* The task set equals the workload cholesky, except for modes, dependencies and priorities. */
START_TEST(the_task_set_has_the_tasks_of_cholesky)
{
	int nt = _i;
	struct tw_graph *g = generated("cholesky_taskset:nt=%d:nb=320:precision=d", nt);
	struct tw_graph *whole = generated("cholesky:nt=%d:nb=320:precision=d", nt);
	ck_assert_int_eq(tw_graph_n_tasks(g), nt * (nt + 1) * (nt + 2) / 6);
	ck_assert_int_eq(tw_graph_n_tasks(g), tw_graph_n_tasks(whole));
	ck_assert_int_eq(tw_graph_n_data(g), tw_graph_n_data(whole));
	ck_assert_int_eq(n_edges(g), 0);
	ck_assert_double_eq(tw_graph_flops(g), tw_graph_flops(whole));
	ck_assert_double_eq(flops_of_kernels(g), flops_of_kernels(whole));
	for (tw_data d = 0; d < tw_graph_n_data(g); d++)
		ck_assert_uint_eq(tw_graph_data_bytes(g, d), tw_graph_data_bytes(whole, d));
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		ck_assert_int_eq(tw_graph_priority(g, t), 0);
		ck_assert(is_kernel(g, t, tw_graph_kernel_name(whole, tw_graph_task_kernel(whole, t))));
		ck_assert_int_eq(tw_graph_n_accesses(g, t), tw_graph_n_accesses(whole, t));
		for (int i = 0; i < tw_graph_n_accesses(g, t); i++) {
			ck_assert_int_eq(tw_graph_access(g, t, i).data, tw_graph_access(whole, t, i).data);
			ck_assert_int_eq(tw_graph_access(g, t, i).mode, TW_R);
		}
	}
	ck_assert_int_eq(tasks_of_kernel(g, "potrf"), nt);
	ck_assert_int_eq(tasks_of_kernel(g, "gemm"), nt * (nt - 1) * (nt - 2) / 6);
	tw_graph_destroy(g);
	tw_graph_destroy(whole);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("products");
	TCase *cases = tcase_create("products");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, the_2d_product_reads_each_row_with_each_column, 1, 21);
	tcase_add_test(cases, the_2d_product_writes_its_output_if_asked);
	tcase_add_loop_test(cases, a_random_order_has_the_same_tasks, 0, 5);
	tcase_add_test(cases, in_random_order_each_task_writes_its_own_block);
	tcase_add_test(cases, a_sparse_product_has_exactly_its_density);
	tcase_add_test(cases, a_full_sparse_product_is_the_2d_product);
	tcase_add_test(cases, every_choice_of_tasks_is_as_likely);
	tcase_add_loop_test(cases, the_3d_product_adds_up_each_tile_of_c, 2, 26);
	tcase_add_loop_test(cases, the_independent_3d_product_only_reads, 1, 8);
	tcase_add_loop_test(cases, without_output_the_3d_product_has_no_c, 2, 12);
	tcase_add_loop_test(cases, fresh_output_is_a_tile_for_each_product, 2, 12);
	tcase_add_loop_test(cases, the_task_set_has_the_tasks_of_cholesky, 1, 21);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
