/* The tile and the iteration of each task of a factorisation match its kernel. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "results/tiles.h"

static struct tw__tiles tiles(const char *workload)
{
	struct tw__tiles t;
	struct tw_error err = {""};
	ck_assert_msg(tw__tiles_init(&t, workload, &err) == TW_OK, "%s", err.message);
	return t;
}

static const char *kernel(const struct tw__tiles *t, tw_task task)
{
	return t->graph->kernels[t->graph->kernel[task]].name;
}

/* The kernel that works on tile (i, j) in iteration k. */
static const char *cholesky(int i, int j, int k)
{
	return j == k ? i == k ? "potrf" : "trsm" : i == j ? "syrk" : "gemm";
}
static const char *lu(int i, int j, int k)
{
	return i == k ? j == k ? "getrf" : "trsm_l" : j == k ? "trsm_u" : "lu.gemm";
}
static const char *qr(int i, int j, int k) { return i == k ? j == k ? "geqrt" : "ormqr" : j == k ? "tsqrt" : "tsmqr"; }

static const struct {
	const char *workload;
	const char *(*kernel)(int i, int j, int k);
	int rows, columns;
	bool is_lower;
} once[] = {
	{"cholesky:nt=7", cholesky, 7, 7, true},
	{"cholesky:nt=1", cholesky, 1, 1, true},
	{"cholesky_taskset:nt=6", cholesky, 6, 6, true},
	{"lu:nt=6", lu, 6, 6, false},
	{"qr:nt=5", qr, 5, 5, false},
	{"qr:nt=3:mt=7", qr, 7, 3, false},
	{"qr:nt=4:mt=5:ib=0", qr, 5, 4, false},
};

/* Each tile that an iteration works on has one task. */
START_TEST(each_tile_has_one_task_an_iteration)
{
	struct tw__tiles t = tiles(once[_i].workload);
	int rows = once[_i].rows, columns = once[_i].columns;
	ck_assert(t.rows == rows && t.columns == columns && t.iterations == columns && t.is_lower == once[_i].is_lower);
	int *seen = calloc((size_t)(rows * columns * columns), sizeof *seen), expected = 0;
	for (tw_task task = 0; task < t.graph->n_tasks; task++) {
		const struct tw__tile *at = &t.of[task];
		ck_assert(at->row >= at->iteration && at->row < rows && at->column >= at->iteration &&
		          at->column < columns);
		ck_assert_str_eq(kernel(&t, task), once[_i].kernel(at->row, at->column, at->iteration));
		ck_assert_int_eq(seen[(at->iteration * rows + at->row) * columns + at->column]++, 0);
	}
	for (int k = 0; k < columns; k++)
		for (int i = k; i < rows; i++)
			for (int j = k; j < (once[_i].is_lower ? i + 1 : columns); j++)
				expected++;
	ck_assert_int_eq(t.graph->n_tasks, expected);
	free(seen);
	tw__tiles_finish(&t);
}
END_TEST

/* With several domains, a tile has several tasks in an iteration. Copies are not counted. */
START_TEST(trees_and_copies_of_qr)
{
	static const char *const workloads[] = {"qr:nt=4:mt=6:tree=binary", "qr:nt=4:tree=binary:copy_diagonal=yes",
	                                        "qr:nt=3:mt=9:tree=domains:domains=3:copy_diagonal=yes",
	                                        "qr:nt=4:copy_diagonal=yes"};
	struct tw__tiles t = tiles(workloads[_i]);
	for (tw_task task = 0; task < t.graph->n_tasks; task++) {
		const struct tw__tile *at = &t.of[task];
		const char *name = kernel(&t, task);
		bool of_panel = !strcmp(name, "geqrt") || !strcmp(name, "lacpy") || !strcmp(name + 2, "qrt");
		ck_assert(at->row >= at->iteration && at->row < t.rows);
		ck_assert(of_panel ? at->column == at->iteration
		                   : at->column > at->iteration && at->column < t.columns);
	}
	tw__tiles_finish(&t);
}
END_TEST

/* Each task belongs to its block in all orders of submission. The natural order is column by column. */
START_TEST(blocks_of_a_product)
{
	struct tw__tiles t = tiles(_i ? "matmul2d:nt=5:order=random:output=yes" : "matmul2d:nt=5");
	bool seen[5][5] = {{false}};
	ck_assert(t.rows == 5 && t.columns == 5 && t.iterations == 1 && t.is_product);
	for (tw_task task = 0; task < 25; task++) {
		const struct tw__tile *at = &t.of[task];
		ck_assert(at->iteration == 0 && at->row >= 0 && at->row < 5 && at->column >= 0 && at->column < 5);
		ck_assert(!seen[at->row][at->column]);
		seen[at->row][at->column] = true;
		if (_i == 0)
			ck_assert(at->row == task % 5 && at->column == task / 5);
	}
	tw__tiles_finish(&t);
}
END_TEST

START_TEST(others_are_refused)
{
	static const char *const workloads[] = {"matmul3d:nt=3", "nothing:nt=3", "cholesky", "cholesky:nt=x", ""};
	struct tw__tiles t;
	struct tw_error err = {""};
	ck_assert_int_eq(tw__tiles_init(&t, workloads[_i], &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "expected"));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tiles");
	TCase *tests = tcase_create("tiles");
	tcase_add_loop_test(tests, each_tile_has_one_task_an_iteration, 0, sizeof once / sizeof *once);
	tcase_add_loop_test(tests, trees_and_copies_of_qr, 0, 4);
	tcase_add_loop_test(tests, blocks_of_a_product, 0, 2);
	tcase_add_loop_test(tests, others_are_refused, 0, 5);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
