/* Generators of stencil computations on blocks of a domain: stencil and life. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "generated.h"

static const double seconds_of[] = {1, 1, 10}; /* two saves and an update */

/* Submission order in each iteration: the saves of all blocks (top, bottom), then the updates. */
static tw_task save_top(int blocks, int iteration, int z)
{
	return 3 * blocks * iteration + 2 * ((z + blocks) % blocks);
}
static tw_task save_bottom(int blocks, int iteration, int z) { return save_top(blocks, iteration, z) + 1; }
static tw_task update(int blocks, int iteration, int z)
{
	return 3 * blocks * iteration + 2 * blocks + (z + blocks) % blocks;
}

/* Task `t` waits for exactly the `expected` tasks. Duplicates are allowed; negative numbers are ignored. */
static void expect_predecessors(const struct tw_graph *g, tw_task t, int n, const tw_task *expected)
{
	int different = 0;
	for (int i = 0; i < n; i++) {
		bool known = expected[i] < 0;
		for (int j = 0; j < i; j++)
			known |= expected[j] == expected[i];
		different += !known;
		ck_assert_msg(expected[i] < 0 || depends(g, t, expected[i]), "task %d: expected to wait for %d", (int)t,
		              (int)expected[i]);
	}
	ck_assert_int_eq(tw_graph_n_predecessors(g, t), different);
}

START_TEST(a_stencil_exchanges_borders_with_its_neighbours)
{
	enum { ITERATIONS = 4 };
	int blocks = _i;
	struct tw_graph *g =
		generated("stencil:nx=8:ny=6:nz=%d:blocks=%d:iterations=%d", 16 * blocks, blocks, ITERATIONS);
	ck_assert_int_eq(tw_graph_n_tasks(g), 3 * blocks * ITERATIONS);
	ck_assert_int_eq(tw_graph_n_data(g), 6 * blocks);
	ck_assert_int_eq(tasks_of_kernel(g, "cl_update"), blocks * ITERATIONS);
	ck_assert_int_eq(tasks_of_kernel(g, "save_cl_top"), blocks * ITERATIONS);
	ck_assert_int_eq(tasks_of_kernel(g, "save_cl_bottom"), blocks * ITERATIONS);
	for (int i = 0; i < ITERATIONS; i++)
		for (int z = 0; z < blocks; z++) {
			tw_task top = save_top(blocks, i, z), bottom = save_bottom(blocks, i, z),
				now = update(blocks, i, z);
			ck_assert(is_kernel(g, top, "save_cl_top"));
			ck_assert(is_kernel(g, bottom, "save_cl_bottom"));
			ck_assert(is_kernel(g, now, "cl_update"));
			/* A save reads the last update, and overwrites a copy that is no longer needed. */
			expect_predecessors(
				g, top, 2,
				(tw_task[]){i ? update(blocks, i - 1, z) : -1, i ? update(blocks, i - 1, z + 1) : -1});
			expect_predecessors(
				g, bottom, 2,
				(tw_task[]){i ? update(blocks, i - 1, z) : -1, i ? update(blocks, i - 1, z - 1) : -1});
			/* An update overwrites the block whose layers were saved, and reads the neighbours' saved
			 * copies. */
			expect_predecessors(
				g, now, 4,
				(tw_task[]){top, bottom, save_bottom(blocks, i, z + 1), save_top(blocks, i, z - 1)});
		}
	ck_assert_double_eq(path(g, seconds_of), 11 * ITERATIONS);
	tw_graph_destroy(g);
}
END_TEST

/* Block z has the handles from 6 z on: its layers, then the layers saved from below and from above. */
static void expect_data(const struct tw_graph *g, tw_task t, int n, const tw_data *expected)
{
	ck_assert_int_eq(tw_graph_n_accesses(g, t), n);
	for (int i = 0; i < n; i++)
		ck_assert_int_eq(tw_graph_access(g, t, i).data, expected[i]);
}

START_TEST(borders_go_to_the_opposite_side_of_the_neighbour)
{
	enum { BLOCKS = 4, FROM_BELOW = 2, FROM_ABOVE = 4 };
	struct tw_graph *g = generated("stencil:nx=4:ny=4:nz=32:blocks=%d:iterations=1", BLOCKS);
	for (int z = 0; z < BLOCKS; z++) {
		int block = 6 * z, above = 6 * ((z + 1) % BLOCKS), below = 6 * ((z + BLOCKS - 1) % BLOCKS);
		expect_data(g, save_top(BLOCKS, 0, z), 4,
		            (tw_data[]){block, block + 1, above + FROM_BELOW, above + FROM_BELOW + 1});
		expect_data(g, save_bottom(BLOCKS, 0, z), 4,
		            (tw_data[]){block, block + 1, below + FROM_ABOVE, below + FROM_ABOVE + 1});
		expect_data(g, update(BLOCKS, 0, z), 6,
		            (tw_data[]){block + 1, block, block + FROM_ABOVE + 1, block + FROM_ABOVE,
		                        block + FROM_BELOW + 1, block + FROM_BELOW});
	}
	tw_graph_destroy(g);
}
END_TEST

START_TEST(a_stencil_has_the_accesses_of_starpu)
{
	static const enum tw_mode saves[] = {TW_R, TW_R, TW_W, TW_W};
	static const enum tw_mode updates[] = {TW_RW, TW_RW, TW_R, TW_R, TW_R, TW_R};
	struct tw_graph *g = generated("stencil:nx=256:ny=256:nz=4096:blocks=64:iterations=2");
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		bool computes = is_kernel(g, t, "cl_update");
		ck_assert_int_eq(tw_graph_n_accesses(g, t), computes ? 6 : 4);
		for (int i = 0; i < tw_graph_n_accesses(g, t); i++) {
			struct tw_access access = tw_graph_access(g, t, i);
			bool border = i >= 2;
			ck_assert_int_eq(access.mode, computes ? updates[i] : saves[i]);
			ck_assert_uint_eq(tw_graph_data_bytes(g, access.data), 4 * 258 * 258 * (border ? 1 : 66));
		}
	}
	ck_assert_str_eq(g->kernels[0].size, "258x258x66+258x258x66+258x258x1+258x258x1");
	ck_assert_str_eq(g->kernels[1].size, "258x258x66+258x258x66+258x258x1+258x258x1");
	ck_assert_str_eq(g->kernels[2].size, "258x258x66+258x258x66+258x258x1+258x258x1+258x258x1+258x258x1");
	tw_graph_destroy(g);
}
END_TEST

/* The layer that an update writes last. The two layers of a block swap with each time step. */
START_TEST(layers_swap_with_each_time_step)
{
	for (int halo = 1; halo <= 3; halo++) {
		struct tw_graph *g = generated("stencil:nx=4:ny=4:nz=32:blocks=4:iterations=5:halo=%d", halo);
		for (int i = 0; i < 5; i++)
			for (int z = 0; z < 4; z++) {
				tw_task t = update(4, i, z);
				int old = i * halo % 2;
				ck_assert_int_eq(tw_graph_access(g, t, 0).data, 6 * z + !old);
				ck_assert_int_eq(tw_graph_access(g, t, 1).data, 6 * z + old);
			}
		tw_graph_destroy(g);
	}
}
END_TEST

/* Cells computed in one update, counted in planes: step i leaves out i planes on either side of block and halo. */
static double planes_computed(int depth, int halo)
{
	int planes = 0;
	for (int step = 1; step <= halo; step++)
		for (int z = step; z < depth + 2 * halo - step; z++)
			planes++;
	return planes;
}

START_TEST(flops_of_a_stencil)
{
	static const struct {
		const char *options;
		int nx, ny, depth, blocks, halo, iterations;
		double of_a_cell, bytes;
	} cases[] = {
		{"nx=8:ny=6:nz=40:blocks=5:iterations=3", 8, 6, 8, 5, 1, 3, 8, 4},
		{"nx=8:ny=6:nz=40:blocks=5:iterations=3:halo=2", 8, 6, 8, 5, 2, 3, 8, 4},
		{"nx=8:ny=6:nz=40:blocks=5:iterations=3:halo=8", 8, 6, 8, 5, 8, 3, 8, 4},
		{"nx=8:ny=6:nz=40:blocks=5:iterations=3:precision=b", 8, 6, 8, 5, 1, 3, 11, 1},
		{"nx=8:dims=2:nz=40:blocks=5:iterations=3:halo=3", 8, 1, 8, 5, 3, 3, 6, 4},
	};
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		struct tw_graph *g = generated("stencil:%s", cases[c].options);
		double plane = (double)cases[c].nx * cases[c].ny,
		       updates = (double)cases[c].blocks * cases[c].iterations;
		/* The graph counts each cell once a time step. The halo's cells are computed more than once. */
		double useful = cases[c].of_a_cell * plane * cases[c].depth * cases[c].halo * updates;
		double done = cases[c].of_a_cell * plane * planes_computed(cases[c].depth, cases[c].halo) * updates;
		ck_assert_double_eq(tw_graph_flops(g), useful);
		/* Each save copies the border cells of both layers. */
		double copied = 0;
		for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
			for (int i = 0; !is_kernel(g, t, "cl_update") && i < 2; i++)
				copied += (double)tw_graph_data_bytes(g, tw_graph_access(g, t, 2 + i).data) /
				          cases[c].bytes;
		ck_assert_double_eq(flops_of_kernels(g), done + copied);
		tw_graph_destroy(g);
	}
}
END_TEST

START_TEST(cells_have_the_bytes_of_their_precision)
{
	static const struct {
		const char *options, *size;
		uint64_t layer, border;
	} cases[] = {
		{"nx=8:ny=6:nz=40:blocks=5:precision=b", "10x8x10+10x8x10+10x8x1+10x8x1", 800, 80},
		{"nx=8:ny=6:nz=40:blocks=5:precision=d", "10x8x10+10x8x10+10x8x1+10x8x1", 6400, 640},
		{"nx=8:ny=6:nz=40:blocks=5:halo=2", "12x10x12+12x10x12+12x10x2+12x10x2", 5760, 960},
		{"nx=8:nz=40:blocks=5:dims=2", "10x10+10x10+10x1+10x1", 400, 40},
		{"nx=8:nz=40:blocks=5:dims=2:halo=8", "24x24+24x24+24x8+24x8", 2304, 768},
	};
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		struct tw_graph *g = generated("stencil:iterations=1:%s", cases[c].options);
		ck_assert_str_eq(g->kernels[0].size, cases[c].size);
		for (tw_data d = 0; d < tw_graph_n_data(g); d++)
			ck_assert_uint_eq(tw_graph_data_bytes(g, d), d % 6 < 2 ? cases[c].layer : cases[c].border);
		tw_graph_destroy(g);
	}
}
END_TEST

/* --- life ------------------------------------------------------------------------------------------------------- */

START_TEST(a_generation_comes_from_the_one_before)
{
	enum { ITERATIONS = 5 };
	int blocks = _i;
	struct tw_graph *g = generated("life:nx=8:ny=6:nz=%d:blocks=%d:iterations=%d", 4 * blocks, blocks, ITERATIONS);
	ck_assert_int_eq(tw_graph_n_tasks(g), blocks * ITERATIONS);
	ck_assert_int_eq(tw_graph_n_data(g), 2 * blocks);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		int z = t % blocks;
		tw_task before = t - blocks - z; /* the first task of the previous generation */
		expect_predecessors(g, t, 3,
		                    t < blocks ? (tw_task[]){-1, -1, -1}
		                               : (tw_task[]){before + (z + blocks - 1) % blocks, before + z,
		                                             before + (z + 1) % blocks});
		ck_assert_int_eq(tw_graph_access(g, t, 0).mode, TW_W);
		for (int i = 1; i < tw_graph_n_accesses(g, t); i++)
			ck_assert_int_eq(tw_graph_access(g, t, i).mode, TW_R);
	}
	for (tw_data d = 0; d < tw_graph_n_data(g); d++)
		ck_assert_uint_eq(tw_graph_data_bytes(g, d), 8 * 6 * 4);
	ck_assert_double_eq(path(g, NULL), ITERATIONS);
	ck_assert_double_eq(tw_graph_flops(g), 11.0 * 8 * 6 * 4 * blocks * ITERATIONS);
	ck_assert_double_eq(flops_of_kernels(g), tw_graph_flops(g));
	tw_graph_destroy(g);
}
END_TEST

START_TEST(life_is_that_of_the_paper)
{
	struct tw_graph *g = generated("life");
	ck_assert_int_eq(tw_graph_n_tasks(g), 64 * 32);
	ck_assert_str_eq(g->kernels[0].name, "life_update");
	ck_assert_str_eq(g->kernels[0].size, "1024x1024x16+1024x1024x16+1024x1024x16+1024x1024x16");
	ck_assert_str_eq(g->kernels[0].precision, "b");
	uint64_t bytes = 0;
	for (tw_data d = 0; d < tw_graph_n_data(g); d++)
		bytes += tw_graph_data_bytes(g, d);
	ck_assert_uint_eq(bytes, 2ull * 1024 * 1024 * 1024);
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stencil");
	TCase *cases = tcase_create("stencil");
	tcase_add_loop_test(cases, a_stencil_exchanges_borders_with_its_neighbours, 1, 9);
	tcase_add_test(cases, borders_go_to_the_opposite_side_of_the_neighbour);
	tcase_add_test(cases, a_stencil_has_the_accesses_of_starpu);
	tcase_add_test(cases, layers_swap_with_each_time_step);
	tcase_add_test(cases, flops_of_a_stencil);
	tcase_add_test(cases, cells_have_the_bytes_of_their_precision);
	tcase_add_loop_test(cases, a_generation_comes_from_the_one_before, 1, 9);
	tcase_add_test(cases, life_is_that_of_the_paper);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
