/* The tasks of spldlt are compared with closed forms and with a dense elimination. */
#include <unistd.h>

#include "dense.h"
#include "front_graph.h"

static double square(double x) { return x * x; }

/* Eliminating a pivot with r rows below it takes (r + 1)^2 flops. */
START_TEST(flops_are_those_of_the_factor)
{
	for (int side = 1; side <= 10; side++) {
		struct tw_pattern a, graph;
		struct tw_error err;
		int32_t order[DENSE_MOST];
		ck_assert_int_eq(tw_pattern_grid(&a, side, side, 1, false, &err), TW_OK);
		ck_assert_int_eq(tw_pattern_symmetrise(&graph, &a, &err), TW_OK);
		ck_assert_int_eq(tw_nested_dissection(&graph, order, &err), TW_OK);
		struct dense factor = dense_factor(&graph, order);
		double flops = 0;
		for (int k = 0; k < factor.columns; k++) {
			int entries = 0;
			for (int i = k; i < factor.rows; i++)
				entries += factor.at[i][k];
			flops += square(entries);
		}
		for (int nb = 1; nb <= 9; nb += 2) {
			char text[100];
			snprintf(text, sizeof text, "spldlt:grid2d=%d:nemin=1:relax=0:nb=%d:classes=4096", side, nb);
			struct tw_graph *g = graph_of(text);
			ck_assert_double_eq_tol(tw_graph_flops(g), flops, 1e-9 * flops);
			ck_assert_double_eq_tol(kernel_flops(g), flops,
			                        1e-9 * flops); /* tile sizes are their own classes */
			tw_graph_destroy(g);
		}
		tw_pattern_finish(&a);
		tw_pattern_finish(&graph);
	}
}
END_TEST

/* The tasks of one front are those of the tile Cholesky factorisation. */
START_TEST(a_full_matrix_is_one_front)
{
	enum { N = 50 };
	char path[64], text[200];
	write_dense(path, N, N);
	for (int nb = 5; nb <= 60; nb += 5) {
		int nt = (N + nb - 1) / nb;
		snprintf(text, sizeof text, "spldlt:matrix=%s:nb=%d", path, nb);
		struct tw_graph *g = graph_of(text);
		ck_assert_int_eq(count_tasks(g, "potrf"), nt);
		ck_assert_int_eq(count_tasks(g, "trsm"), nt * (nt - 1) / 2);
		ck_assert_int_eq(count_tasks(g, "syrk"), nt * (nt - 1) / 2);
		ck_assert_int_eq(count_tasks(g, "gemm"), nt * (nt - 1) * (nt - 2) / 6);
		ck_assert_int_eq(count_tasks(g, "activate"), (nt * (nt + 1) / 2 + 31) / 32);
		ck_assert_int_eq(count_tasks(g, "assemble"), 0);
		ck_assert_int_eq(tw_graph_n_data(g), nt * (nt + 1) / 2);
		ck_assert_double_eq_tol(tw_graph_flops(g), N * (N + 1) * (2 * N + 1) / 6.0, 1e-6);
		tw_graph_destroy(g);
	}
	unlink(path);
}
END_TEST

/* The number of tiles along a side of a front: those of the pivots, and the others. */
static int tiles(int pivots, int columns, int nb) { return (pivots + nb - 1) / nb + (columns - pivots + nb - 1) / nb; }

/* Sets the tile of each index of a front. */
static void number_tiles(const struct tw_assembly_tree *t, int f, int nb, int *tile)
{
	int pivots = tw_front_pivots(t, f), columns = tw_front_columns(t, f), n = 0;
	for (int i = 0; i < pivots; i++)
		tile[i] = i % nb == 0 ? n++ : n - 1;
	for (int i = pivots; i < columns; i++)
		tile[i] = (i - pivots) % nb == 0 ? n++ : n - 1;
}

/* Counts the pairs of a child's tile and a parent's tile that share entries: pairs of runs of indices
 * with the same tiles in both. */
static int count_overlaps(const struct tw_assembly_tree *t, int f, int nb)
{
	enum { MOST = 2000 };
	int child[MOST], parent[MOST], runs = 0, pivots = tw_front_pivots(t, f), n = tw_front_columns(t, f) - pivots;
	int32_t place[MOST];
	if (t->parent[f] == TW_NONE)
		return 0;
	ck_assert(tw_front_columns(t, f) <= MOST && tw_front_columns(t, t->parent[f]) <= MOST);
	number_tiles(t, f, nb, child);
	number_tiles(t, t->parent[f], nb, parent);
	tw_front_places(t, f, place);
	for (int i = 0; i < n; i++)
		runs += i == 0 || child[pivots + i] != child[pivots + i - 1] ||
		        parent[place[i]] != parent[place[i - 1]];
	return runs * (runs + 1) / 2;
}

START_TEST(fronts_become_tasks_and_tiles)
{
	enum { SIDE = 12, NB = 20 };
	struct tw_sparse s = cube(SIDE, false, (struct tw_amalgamation){32, 0.05});
	double elements = 0, flops = 0, contributions = 0, passed = 0;
	int potrf = 0, n_tiles = 0, overlaps = 0;
	for (int f = 0; f < s.tree.n_fronts; f++) {
		int pivots = tw_front_pivots(&s.tree, f), columns = tw_front_columns(&s.tree, f);
		int t = tiles(pivots, columns, NB);
		n_tiles += t * (t + 1) / 2;
		overlaps += count_overlaps(&s.tree, f, NB);
		potrf += (pivots + NB - 1) / NB;
		for (int i = 0; i < pivots; i++)
			flops += square(columns - i);
		contributions += s.tree.parent[f] == TW_NONE ? 0 : 0.5 * (columns - pivots) * (columns - pivots + 1);
		/* the lower triangle, and the upper halves of the diagonal tiles */
		elements += 0.5 * columns * (columns + 1);
		for (int i = 0; i < pivots; i += NB)
			elements += 0.5 * fmin(NB, pivots - i) * (fmin(NB, pivots - i) - 1);
		for (int i = pivots; i < columns; i += NB)
			elements += 0.5 * fmin(NB, columns - i) * (fmin(NB, columns - i) - 1);
	}
	struct tw_graph *g = graph_of("spldlt:grid3d=12:nb=20:memory_rate=1GB");
	ck_assert_int_eq(count_tasks(g, "potrf"), potrf);
	ck_assert_int_eq(count_tasks(g, "assemble"), overlaps);
	ck_assert_int_eq(tw_graph_n_data(g), n_tiles);
	ck_assert_double_eq_tol(data_elements(g), elements, 0.5);
	ck_assert_double_eq_tol(elements_moved(g, "activate", 1, 1e9), elements, 1e-6 * elements);
	passed = elements_moved(g, "assemble", 3, 1e9);
	ck_assert_double_eq_tol(passed, contributions, 1e-6 * contributions);
	ck_assert_double_eq_tol(tw_graph_flops(g), flops, 1e-9 * flops);
	tw_graph_destroy(g);
	tw_sparse_finish(&s);
}
END_TEST

START_TEST(classes_keep_the_flops)
{
	static const char *const words[] = {"spldlt:grid3d=12:nb=50", "spldlt:grid3d=20", "spldlt:grid2d=60:nb=37"};
	for (int i = 0; i < 3; i++) {
		struct tw_graph *g = graph_of(words[i]);
		ck_assert_double_eq_tol(kernel_flops(g), tw_graph_flops(g), 0.01 * tw_graph_flops(g));
		ck_assert_int_lt(tw_graph_n_kernels(g), 1000);
		/* each of a gemm's three dimensions is off by at most 1/64; their product follows from mn, mk and kn */
		for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
			double product = 1;
			for (int a = 0; a < tw_graph_n_accesses(g, t); a++)
				product *= (double)tw_graph_data_bytes(g, tw_graph_access(g, t, a).data) / 4;
			if (task_is(g, t, "gemm"))
				ck_assert_double_eq_tol(g->kernels[g->kernel[t]].flops, 2 * sqrt(product),
				                        0.05 * 2 * sqrt(product));
		}
		tw_graph_destroy(g);
	}
}
END_TEST

/* The stages of a tile. All assemblies into it come first. Updates of its column, or the parent's assembly, read it
 * when it is final. Each step depends on the last write. */
enum stage { NEW, ACTIVE, ASSEMBLED, UPDATED, FINAL };

static enum stage stage_after(const struct tw_graph *g, tw_task t, enum tw_mode mode)
{
	if (mode == TW_R || task_is(g, t, "potrf") || task_is(g, t, "trsm"))
		return FINAL;
	return task_is(g, t, "activate") ? ACTIVE : task_is(g, t, "assemble") ? ASSEMBLED : UPDATED;
}

START_TEST(no_tile_is_used_before_its_time)
{
	struct tw_graph *g = graph_of("spldlt:grid3d=12:nb=20");
	enum stage *stage = calloc((size_t)tw_graph_n_data(g), sizeof *stage);
	tw_task *writer = calloc((size_t)tw_graph_n_data(g), sizeof *writer);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		int n = tw_graph_n_accesses(g, t);
		for (int i = 0; i < n; i++) {
			struct tw_access access = tw_graph_access(g, t, i);
			enum stage before = stage[access.data], after = stage_after(g, t, access.mode);
			ck_assert_int_eq(before == NEW, after == ACTIVE);
			ck_assert(before == NEW || follows_directly(g, t, writer[access.data]));
			ck_assert_int_le(before, after);
			if (access.mode & TW_W) {
				ck_assert_int_lt(before, FINAL);
				ck_assert(i == n - 1 ||
				          after == ACTIVE); /* other tasks write one tile, their last access */
				writer[access.data] = t;
			}
			stage[access.data] = after;
		}
	}
	for (tw_data d = 0; d < tw_graph_n_data(g); d++)
		ck_assert_int_eq(stage[d], FINAL);
	/* the last write of each tile is marked as the last */
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
			if (tw__access_mode(g->access[a]) & TW_W)
				ck_assert_int_eq(!!(g->access[a] & TW__ACCESS_LAST_WRITE),
				                 writer[tw__access_data(g->access[a])] == t);
	free(stage);
	free(writer);
	tw_graph_destroy(g);
}
END_TEST

static const char *archs_of(const struct tw_graph *g, const char *name)
{
	for (int k = 0; k < g->n_kernels; k++)
		if (!strcmp(strrchr(g->kernels[k].name, '.') + 1, name))
			return g->kernels[k].archs;
	ck_abort_msg("no kernel %s", name);
	return NULL;
}

START_TEST(what_gpus_run)
{
	static const char *const names[] = {"activate", "assemble", "potrf", "trsm", "syrk", "gemm"};
	for (int all = 0; all < 2; all++) {
		struct tw_graph *g = graph_of(all ? "spldlt:grid3d=9:nb=16:gpu=all" : "spldlt:grid3d=9:nb=16");
		for (int i = 0; i < 6; i++) {
			const char *archs = archs_of(g, names[i]);
			if (i < (all ? 2 : 4))
				ck_assert_str_eq(archs, "processors");
			else
				ck_assert_ptr_null(archs);
		}
		tw_graph_destroy(g);
	}
}
END_TEST

/* The sizes of square tiles have the format of measured times. nb is always its own class. */
START_TEST(sizes_of_kernels)
{
	char path[64], text[100];
	write_dense(path, 250, 250);
	snprintf(text, sizeof text, "spldlt:matrix=%s:nb=101", path);
	struct tw_graph *g = graph_of(text);
	static const char *const expected[][2] = {
		{"spldlt.potrf", "101"},
		{"spldlt.trsm", "101"},
		{"spldlt.syrk", "101"},
		{"spldlt.potrf", "48"},
		{"spldlt.gemm", "48x101+101x101+48x101"},
		{"spldlt.trsm", "101x101+48x101"},
		{"spldlt.syrk", "48x101+48x48"},
	};
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		bool found = false;
		for (int k = 0; k < g->n_kernels; k++)
			found |= !strcmp(g->kernels[k].name, expected[i][0]) &&
			         !strcmp(g->kernels[k].size, expected[i][1]);
		ck_assert_msg(found, "%s %s", expected[i][0], expected[i][1]);
	}
	ck_assert_int_eq(tw_graph_n_kernels(g), 7 + 1);
	tw_graph_destroy(g);
	unlink(path);
}
END_TEST

START_TEST(mistakes_are_told)
{
	char path[64], text[100];
	expect_error("spldlt", "workload 'spldlt': 0 matrices: expected one of grid2d=N, grid3d=N and matrix=FILE");
	expect_error("spldlt:grid2d=3:grid3d=3", "2 matrices: expected one of grid2d=N, grid3d=N and matrix=FILE");
	expect_error("spldlt:grid2d=3:matrix=x", "2 matrices: expected one of grid2d=N, grid3d=N and matrix=FILE");
	expect_error("spldlt:matrix=/nowhere/x", "workload 'spldlt': /nowhere/x: cannot open it: No such file");
	expect_error("spldlt:grid3d=3:classes=33", "workload 'spldlt': classes=33: expected a power of two");
	expect_error("spldlt:grid3d=25:ordering=natural:nb=1", "tasks: expected at most 50000000");
	expect_error("spldlt:grid3d=60:ordering=natural:nemin=1:relax=0",
	             "columns in total: expected at most 268435456; try a better order or fewer fronts");
	write_dense(path, 3, 4);
	snprintf(text, sizeof text, "spldlt:matrix=%s", path);
	expect_error(text, "workload 'spldlt': a matrix of 3 rows and 4 columns, expected a square one");
	unlink(path);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("spldlt");
	TCase *cases = tcase_create("spldlt");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, flops_are_those_of_the_factor);
	tcase_add_test(cases, a_full_matrix_is_one_front);
	tcase_add_test(cases, fronts_become_tasks_and_tiles);
	tcase_add_test(cases, classes_keep_the_flops);
	tcase_add_test(cases, no_tile_is_used_before_its_time);
	tcase_add_test(cases, what_gpus_run);
	tcase_add_test(cases, sizes_of_kernels);
	tcase_add_test(cases, mistakes_are_told);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
