/* The tasks of qrmumps are compared with closed forms and with the fronts. */
#include <unistd.h>

#include "front_graph.h"

/* Householder QR: 2 n^2 (m - n/3) flops and terms of second order. */
START_TEST(a_full_matrix_is_one_front)
{
	static const int sizes[][2] = {{200, 200}, {600, 100}, {100, 600}, {64, 64}, {300, 33}};
	int rows = sizes[_i][0], columns = sizes[_i][1];
	char path[64], text[200];
	write_dense(path, rows, columns);
	if (rows < columns) /* transposed */
		rows = columns, columns = sizes[_i][0];
	for (int nb = 16; nb <= 128; nb += 28) {
		snprintf(text, sizeof text, "qrmumps:matrix=%s:nb=%d:ib=8", path, nb);
		struct tw_graph *g = graph_of(text);
		int n = (columns + nb - 1) / nb;
		ck_assert_int_eq(count_tasks(g, "activate"), (n + 31) / 32);
		ck_assert_int_eq(count_tasks(g, "clean"), (n + 31) / 32);
		ck_assert_int_eq(count_tasks(g, "geqrt"), n);
		ck_assert_int_eq(count_tasks(g, "ormqr"), n * (n - 1) / 2);
		ck_assert_int_eq(tw_graph_n_tasks(g), n + n * (n - 1) / 2 + 2 * ((n + 31) / 32));
		ck_assert_int_eq(tw_graph_n_data(g), n);
		ck_assert_double_eq(data_elements(g), (double)rows * columns);
		double flops = 2.0 * columns * columns * (rows - columns / 3.0),
		       second_order = 3.0 * (rows + columns) * columns;
		ck_assert_double_eq_tol(tw_graph_flops(g), flops, second_order);
		ck_assert_double_eq_tol(kernel_flops(g), flops, 0.02 * flops + second_order);
		tw_graph_destroy(g);
	}
	unlink(path);
}
END_TEST

/* A task has at most 32 accesses, so several tasks activate a large front. */
START_TEST(great_fronts_are_activated_in_steps)
{
	char path[64], text[128];
	write_dense(path, 100, 100);
	snprintf(text, sizeof text, "qrmumps:matrix=%s:nb=1", path);
	struct tw_graph *g = graph_of(text);
	unlink(path);
	for (tw_task t = 0; t < 4; t++) {
		ck_assert(task_is(g, t, "activate"));
		ck_assert_int_eq(tw_graph_n_accesses(g, t), t < 3 ? 32 : 4);
		ck_assert_int_eq(tw_graph_n_predecessors(g, t), t > 0);
		ck_assert(t == 0 || follows_directly(g, t, t - 1));
	}
	ck_assert_int_eq(count_tasks(g, "activate"), 4);
	tw_graph_destroy(g);
}
END_TEST

/* Sums over fronts, column by column: elements, flops, and entries passed to parents. */
struct sums {
	int fronts, panels, blocks, tree_edges;
	double elements, flops, passed;
};

static struct sums add_up(const struct tw_sparse *s, int nb)
{
	const struct tw_assembly_tree *t = &s->tree;
	struct sums sums = {0};
	int32_t *heights = tw_front_heights(t, &s->matrix);
	for (int f = 0; f < t->n_fronts; f++) {
		const int32_t *height = heights + t->start[f];
		int columns = tw_front_columns(t, f), pivots = tw_front_pivots(t, f), rows = height[columns - 1];
		sums.fronts += rows > 0;
		sums.tree_edges += t->parent[f] != TW_NONE;
		for (int j = 0; j < columns; j += nb) {
			int end = j + nb < columns ? j + nb : columns;
			sums.blocks += height[end - 1] > 0;
			sums.panels += j < rows;
			sums.elements += (double)(end - j) * height[end - 1];
		}
		for (int j = 0; j < columns && j < rows; j++)
			sums.flops += (height[j] - j) * (3.0 + 4.0 * (columns - 1 - j));
		for (int j = pivots; j < columns; j++) /* rows from `pivots` to the diagonal */
			for (int i = pivots; i <= j && i < rows; i++)
				sums.passed++;
	}
	free(heights);
	return sums;
}

START_TEST(fronts_become_tasks_and_block_columns)
{
	enum { NB = 24 };
	struct tw_sparse s = cube(9, true, (struct tw_amalgamation){32, 0.05});
	struct sums sums = add_up(&s, NB);
	struct tw_graph *g = graph_of("qrmumps:grid3d=9:nb=24:ib=1:memory_rate=1GB");
	ck_assert_int_eq(sums.fronts, s.tree.n_fronts);
	ck_assert_int_eq(count_tasks(g, "activate"), sums.fronts); /* none has more than 32 block columns */
	ck_assert_int_eq(count_tasks(g, "clean"), sums.fronts);
	ck_assert_int_eq(count_tasks(g, "geqrt"), sums.panels);
	ck_assert_int_eq(tw_graph_n_data(g), sums.blocks);
	ck_assert_double_eq(data_elements(g), sums.elements);
	ck_assert_double_eq_tol(elements_moved(g, "activate", 1, 1e9), sums.elements, 1e-6 * sums.elements);
	ck_assert_double_eq_tol(elements_moved(g, "clean", 2, 1e9), sums.elements, 1e-6 * sums.elements);
	ck_assert_double_eq_tol(elements_moved(g, "assemble", 3, 1e9), sums.passed, 1e-6 * sums.passed);
	ck_assert_double_eq_tol(tw_graph_flops(g), sums.flops, 1e-9 * sums.flops);

	/* Activating a front depends on activating its children, and on nothing else. */
	int edges = 0;
	for (tw_task a = 0; a < tw_graph_n_tasks(g); a++) {
		int n;
		const tw_task *next = tw_graph_successors(g, a, &n);
		for (int i = 0; i < n; i++)
			edges += task_is(g, a, "activate") && task_is(g, next[i], "activate");
		if (task_is(g, a, "activate"))
			edges -= tw_graph_n_predecessors(g, a);
	}
	ck_assert_int_eq(edges, 0);
	int waiting = 0;
	for (tw_task a = 0; a < tw_graph_n_tasks(g); a++)
		waiting += task_is(g, a, "activate") ? tw_graph_n_predecessors(g, a) : 0;
	ck_assert_int_eq(waiting, sums.tree_edges);
	tw_graph_destroy(g);
	tw_sparse_finish(&s);
}
END_TEST

/* A staircase in steps of ib costs more flops than one column by column. Finer steps cost less. */
START_TEST(steps_of_ib)
{
	static const int ib[] = {1, 4, 16, 64};
	double before = 0, first = 0;
	for (int i = 0; i < 4; i++) {
		char text[100];
		snprintf(text, sizeof text, "qrmumps:grid3d=9:nb=64:ib=%d", ib[i]);
		struct tw_graph *g = graph_of(text);
		ck_assert_double_gt(tw_graph_flops(g), before);
		before = tw_graph_flops(g);
		first = i ? first : before;
		tw_graph_destroy(g);
	}
	ck_assert_double_lt(before, 2 * first);
}
END_TEST

START_TEST(classes_keep_the_flops)
{
	static const char *const words[] = {"qrmumps:grid3d=9:nb=50", "qrmumps:grid3d=14", "qrmumps:grid2d=50:nb=37",
	                                    "qrmumps:grid2d=30:stencil=box:nb=64:ib=64"};
	for (int i = 0; i < 4; i++) {
		struct tw_graph *g = graph_of(words[i]);
		ck_assert_double_eq_tol(kernel_flops(g), tw_graph_flops(g), 0.005 * tw_graph_flops(g));
		ck_assert_int_lt(tw_graph_n_kernels(g), 1500);
		tw_graph_destroy(g);
	}
}
END_TEST

/* Kernels of full panels have the exact dimensions. */
START_TEST(sizes_of_kernels)
{
	static const char *const expected[][2] = {
		{"qrmumps.geqrt", "203x50"},        {"qrmumps.geqrt", "153x50"},
		{"qrmumps.geqrt", "103x20"},        {"qrmumps.ormqr", "203x50+203x50"},
		{"qrmumps.ormqr", "203x50+203x20"}, {"qrmumps.ormqr", "153x50+153x20"},
	};
	char path[64], text[128];
	write_dense(path, 203, 120);
	snprintf(text, sizeof text, "qrmumps:matrix=%s:nb=50:ib=50:classes=4096", path);
	struct tw_graph *g = graph_of(text);
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		bool found = false;
		for (int k = 0; k < g->n_kernels; k++)
			found |= !strcmp(g->kernels[k].name, expected[i][0]) &&
			         !strcmp(g->kernels[k].size, expected[i][1]);
		ck_assert_msg(found, "%s %s", expected[i][0], expected[i][1]);
	}
	ck_assert_int_eq(tw_graph_n_kernels(g), 6 + 2);
	ck_assert_double_eq_tol(kernel_flops(g), tw_graph_flops(g), 1e-9 * tw_graph_flops(g));
	tw_graph_destroy(g);
	unlink(path);
}
END_TEST

/* The stages of a block column. All assemblies into it come first, then all updates, then its panel. Then updates or
 * the parent's assembly read it, and at last it is cleaned. Each step depends on the last write. */
enum stage { NEW, ACTIVE, ASSEMBLED, UPDATED, FACTORISED, READ, CLEAN };

static enum stage stage_after(const struct tw_graph *g, tw_task t, enum tw_mode mode)
{
	return mode == TW_R                ? READ
	       : task_is(g, t, "activate") ? ACTIVE
	       : task_is(g, t, "assemble") ? ASSEMBLED
	       : task_is(g, t, "ormqr")    ? UPDATED
	       : task_is(g, t, "geqrt")    ? FACTORISED
	                                   : CLEAN;
}

START_TEST(no_block_column_is_used_before_its_time)
{
	struct tw_graph *g = graph_of("qrmumps:grid3d=9:nb=16:ib=8");
	enum stage *stage = calloc((size_t)tw_graph_n_data(g), sizeof *stage);
	tw_task *writer = calloc((size_t)tw_graph_n_data(g), sizeof *writer);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		for (int i = 0; i < tw_graph_n_accesses(g, t); i++) {
			struct tw_access access = tw_graph_access(g, t, i);
			enum stage before = stage[access.data], after = stage_after(g, t, access.mode);
			ck_assert_int_eq(before == NEW, after == ACTIVE);
			ck_assert(before == NEW || after == CLEAN || follows_directly(g, t, writer[access.data]));
			ck_assert_int_le(before, after);
			ck_assert(after != FACTORISED || before != FACTORISED);
			if (access.mode & TW_W)
				writer[access.data] = t;
			stage[access.data] = after;
		}
	for (tw_data d = 0; d < tw_graph_n_data(g); d++)
		ck_assert_int_eq(stage[d], CLEAN);
	free(stage);
	free(writer);
	tw_graph_destroy(g);
}
END_TEST

/* As in qr_mumps, fronts submitted earlier have higher priorities. In a front, panels come before
 * updates, then assemblies. */
START_TEST(priorities)
{
	struct tw_graph *g = graph_of("qrmumps:grid3d=9:nb=16:ib=8");
	int32_t last = INT32_MAX;
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		int32_t priority = tw_graph_priority(g, t);
		if (task_is(g, t, "clean"))
			continue; /* it belongs to its own front, but is submitted with the parent */
		ck_assert_int_le(priority / 4, last / 4);
		ck_assert_int_eq(priority % 4, task_is(g, t, "assemble") ? 0 : task_is(g, t, "ormqr") ? 1 : 3);
		last = priority;
	}
	tw_graph_destroy(g);
}
END_TEST

START_TEST(what_gpus_run)
{
	for (int all = 0; all < 2; all++) {
		struct tw_graph *g =
			graph_of(all ? "qrmumps:grid3d=8:nb=16:ib=8" : "qrmumps:grid3d=8:nb=16:ib=8:gpu=update");
		for (int k = 0; k < g->n_kernels; k++) {
			bool anywhere = strcmp(g->kernels[k].name, "qrmumps.ormqr") == 0 ||
			                (all && strcmp(g->kernels[k].name, "qrmumps.geqrt") == 0);
			ck_assert_int_eq(anywhere, g->kernels[k].archs == NULL);
			ck_assert(anywhere || strcmp(g->kernels[k].archs, "processors") == 0);
		}
		tw_graph_destroy(g);
	}
}
END_TEST

/* Matrices with more nonempty columns than rows, with empty rows, and with empty columns. */
START_TEST(matrices_without_full_rank)
{
	char path[] = "/tmp/tilewright-test-XXXXXX", text[100];
	FILE *file = fdopen(mkstemp(path), "w");
	fputs("%%MatrixMarket matrix coordinate pattern general\n9 7 6\n2 1\n2 2\n2 3\n2 4\n5 6\n6 6\n", file);
	fclose(file);
	for (int nb = 1; nb <= 4; nb++) {
		snprintf(text, sizeof text, "qrmumps:matrix=%s:nb=%d:nemin=1:relax=0", path, nb);
		struct tw_graph *g = graph_of(text);
		/* columns 1 to 4 are a front with one row, column 6 is one with two rows; columns 5 and 7 have no
		 * rows */
		ck_assert_int_eq(count_tasks(g, "activate"), 2);
		ck_assert_int_eq(count_tasks(g, "geqrt"), 2);
		ck_assert_int_eq(count_tasks(g, "ormqr"), (4 - 1) / nb);
		ck_assert_double_eq(data_elements(g), 4 + 2);
		ck_assert_double_eq(tw_graph_flops(g), 1 * (3 + 4 * 3) + 2 * 3);
		tw_graph_destroy(g);
	}
	unlink(path);
}
END_TEST

START_TEST(mistakes_are_told)
{
	expect_error("qrmumps", "workload 'qrmumps': 0 matrices: expected one of grid2d=N, grid3d=N and matrix=FILE");
	expect_error("qrmumps:grid2d=4:nb=8:ib=9", "workload 'qrmumps': ib=9: expected at most nb=8");
	expect_error("qrmumps:grid3d=4:classes=5", "workload 'qrmumps': classes=5: expected a power of two");
	expect_error("qrmumps:grid2d=400:ordering=natural:nb=1", "tasks: expected at most 50000000");
	tw_graph_destroy(graph_of("qrmumps:grid2d=4:nb=8")); /* the default of ib is lowered to nb */
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("qrmumps");
	TCase *cases = tcase_create("qrmumps");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, a_full_matrix_is_one_front, 0, 5);
	tcase_add_test(cases, great_fronts_are_activated_in_steps);
	tcase_add_test(cases, fronts_become_tasks_and_block_columns);
	tcase_add_test(cases, steps_of_ib);
	tcase_add_test(cases, classes_keep_the_flops);
	tcase_add_test(cases, sizes_of_kernels);
	tcase_add_test(cases, no_block_column_is_used_before_its_time);
	tcase_add_test(cases, priorities);
	tcase_add_test(cases, what_gpus_run);
	tcase_add_test(cases, matrices_without_full_rank);
	tcase_add_test(cases, mistakes_are_told);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
