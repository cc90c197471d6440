/* Distributions, and the messages of graphs that are divided by them. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "cluster/distribution.h"
#include "cluster/split.h"
#include "request/workload.h"

static struct tw_graph *make(const char *workload)
{
	struct tw_graph *g;
	struct tw_error err;
	ck_assert_msg(tw__generate(&g, workload, &err) == TW_OK, "%s", err.message);
	return g;
}

static struct tw__distribution distribute(const struct tw_graph *g, const char *words, int n)
{
	struct tw__distribution d;
	struct tw_error err;
	ck_assert_msg(tw__distribute(&d, g, words, n, &err) == TW_OK, "%s", err.message);
	return d;
}

static struct tw_graph *divide(const struct tw_graph *g, const struct tw__distribution *d, int n)
{
	struct tw_graph *divided;
	struct tw_error err;
	tw_node *main_of = tw_alloc((size_t)n, sizeof *main_of);
	for (int r = 0; r < n; r++)
		main_of[r] = r;
	ck_assert_msg(tw__split(&divided, g, d, n, main_of, &err) == TW_OK, "%s", err.message);
	free(main_of);
	return divided;
}

/* --- volumes of Cholesky ------------------------------------------------------------------------------------------ */

/* Returns the owner of a tile of the lower triangle, whose handles are numbered row by row. */
static int32_t owner(const struct tw__distribution *d, int row, int column)
{
	return d->owner[row * (row + 1) / 2 + column];
}

/* Counts the nodes other than the owner that need each tile, from the formulas of the factorisation. L(k, k) is needed
 * by the owners of column k. L(m, k) is needed by those of row m and of column m of the triangle, from column k + 1
 * on. */
static int64_t count_sends(const struct tw__distribution *d, int nt, int n_nodes)
{
	bool *needs = tw_alloc((size_t)n_nodes, sizeof *needs);
	int64_t sends = 0;
	for (int m = 0; m < nt; m++)
		for (int k = 0; k <= m; k++) {
			for (int i = 0; i < n_nodes; i++)
				needs[i] = false;
			for (int i = k + 1; i < nt; i++)
				if (m == k)
					needs[owner(d, i, k)] = true;
				else
					needs[i <= m ? owner(d, m, i) : owner(d, i, m)] = true;
			needs[owner(d, m, k)] = false;
			for (int i = 0; i < n_nodes; i++)
				sends += needs[i];
		}
	free(needs);
	return sends;
}

/* Returns the volume in tiles, which must be what tw__split sends. */
static int64_t volume(int nt, const char *words, int n_nodes)
{
	char workload[40];
	snprintf(workload, sizeof workload, "cholesky:nt=%d", nt);
	struct tw_graph *g = make(workload);
	struct tw__distribution d = distribute(g, words, n_nodes);
	struct tw_graph *divided = divide(g, &d, n_nodes);
	const int64_t sends = count_sends(&d, nt, n_nodes);
	ck_assert_int_eq(divided->ranks->n_messages, sends);
	/* Volume by formula: the tiles, each sent so often. It leaves out that the last tiles have fewer readers. */
	const double leading = tw__distribution_sends(g, words, n_nodes) * nt * (nt + 1) / 2;
	ck_assert_double_le((double)sends, leading);
	ck_assert_double_ge((double)sends, leading * (1 - 15.0 / nt));
	tw__distribution_finish(&d);
	tw_graph_destroy(divided);
	tw_graph_destroy(g);
	return sends;
}

/* Ratios of Beaumont, Duchon, Eyraud-Dubois, Langou, Verite 2022, on 36 nodes. */
START_TEST(sbc_sends_less)
{
	const int nt = _i ? 240 : 60;
	const double ratio = (double)volume(nt, "sbc", 36) / (double)volume(nt, "2dbc:p=6:q=6", 36);
	ck_assert_double_eq_tol(ratio, _i ? 0.717 : 0.768, 0.0005);
}
END_TEST

START_TEST(counts_are_split_s)
{
	volume(20, "2dbc:p=2:q=2", 4);
	volume(20, "2dbc:p=1:q=7", 7);
	volume(20, "rows", 5);
	volume(20, "columns", 5);
	volume(20, "sbc", 3);
	volume(20, "sbc", 10);
}
END_TEST

/* --- loads of nodes ----------------------------------------------------------------------------------------------- */

/* Returns the greatest flops of a node over the mean. */
static double imbalance(const struct tw_graph *g, const char *words, int n)
{
	double *flops = tw_alloc((size_t)n, sizeof *flops), all = 0, most = 0;
	struct tw__distribution d = distribute(g, words, n);
	struct tw_graph *divided = divide(g, &d, n);
	for (tw_task t = 0; t < divided->n_tasks; t++) {
		if (tw__is_message(divided, t))
			continue;
		const double of_task = divided->kernels[divided->kernel[t]].flops;
		flops[tw__rank_of_task(divided, t)] += of_task;
		all += of_task;
	}
	for (int r = 0; r < n; r++)
		most = fmax(most, flops[r]);
	free(flops);
	tw__distribution_finish(&d);
	tw_graph_destroy(divided);
	return most * n / all;
}

START_TEST(loads_are_balanced)
{
	static const char *const words[] = {"sbc", "2dbc", "metis"};
	static const double most[] = {1.18, 1.24, 1.05}, most_of_large[] = {1.1, 1.12, 1.05};
	struct tw_graph *g = make("cholesky:nt=60"), *large = make("cholesky:nt=120");
	ck_assert_double_le(imbalance(g, words[_i], 36), most[_i]);
	ck_assert_double_le(imbalance(large, words[_i], 36), most_of_large[_i]);
	tw_graph_destroy(g);
	tw_graph_destroy(large);
}
END_TEST

/* Each row of the pattern, with the column of the same number, has r - 1 nodes; and all nodes own as many tiles. */
START_TEST(sbc_is_symmetric)
{
	enum { R = 9, NODES = R * (R - 1) / 2, NT = R * (R - 1) };
	struct tw_graph *g = make("cholesky:nt=72");
	struct tw__distribution d = distribute(g, "sbc", NODES);
	int n_tiles[NODES] = {0};
	for (int i = 0; i < R; i++) {
		bool has[NODES] = {false};
		int n = 0;
		for (int row = 0; row < NT; row++)
			for (int column = 0; column <= row; column++)
				if (row % R == i || column % R == i)
					has[owner(&d, row, column)] = true;
		for (int node = 0; node < NODES; node++)
			n += has[node];
		ck_assert_int_eq(n, R - 1);
	}
	for (tw_data h = 0; h < g->n_data; h++)
		n_tiles[d.owner[h]]++;
	for (int node = 0; node < NODES; node++)
		ck_assert_int_eq(n_tiles[node], g->n_data / NODES);
	tw__distribution_finish(&d);
	tw_graph_destroy(g);
}
END_TEST

/* --- METIS -------------------------------------------------------------------------------------------------------- */

static int32_t messages(const struct tw_graph *g, const char *words, int n)
{
	struct tw__distribution d = distribute(g, words, n);
	struct tw_graph *divided = divide(g, &d, n);
	const int32_t n_messages = divided->ranks->n_messages;
	tw__distribution_finish(&d);
	tw_graph_destroy(divided);
	return n_messages;
}

START_TEST(metis_partitions_tasks)
{
	static const char *const workloads[] = {"qr:nt=8",   "stencil:blocks=32:iterations=6",
	                                        "layered",   "matmul2d:nt=9",
	                                        "chain:n=1", "independent:n=3"};
	struct tw_graph *g = make(workloads[_i]);
	for (int n = 2; n <= 40; n += 19) {
		struct tw__distribution d = distribute(g, "metis", n), again = distribute(g, "metis", n);
		bool *is_written = tw_alloc((size_t)g->n_data, sizeof *is_written);
		bool *is_read = tw_alloc((size_t)g->n_data, sizeof *is_read);
		for (tw_task t = 0; t < g->n_tasks; t++) {
			ck_assert_int_ge(d.rank[t], 0);
			ck_assert_int_lt(d.rank[t], n);
			ck_assert_int_eq(d.rank[t], again.rank[t]);
			for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
				const tw_data h = tw__access_data(g->access[a]);
				if ((g->access[a] & TW_W) && !is_written[h])
					ck_assert_int_eq(d.owner[h], d.rank[t]);
				is_written[h] |= g->access[a] & TW_W;
			}
		}
		for (tw_task t = 0; t < g->n_tasks; t++)
			for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
				const tw_data h = tw__access_data(g->access[a]);
				if (!is_written[h] && !is_read[h])
					ck_assert_int_eq(d.owner[h], d.rank[t]);
				is_read[h] = true;
			}
		tw_graph_destroy(divide(g, &d, n));
		free(is_written);
		free(is_read);
		tw__distribution_finish(&d);
		tw__distribution_finish(&again);
	}
	tw_graph_destroy(g);
}
END_TEST

/* Blocks of a stencil next to each other are on one node, and QR's trees follow the columns. */
START_TEST(metis_sends_less)
{
	struct tw_graph *stencil = make("stencil:blocks=64:iterations=8"), *qr = make("qr:nt=10");
	ck_assert_int_lt(16 * messages(stencil, "metis", 4), messages(stencil, "rows", 4) + 1);
	ck_assert_int_lt(messages(qr, "metis", 4), messages(qr, "2dbc", 4));
	tw_graph_destroy(stencil);
	tw_graph_destroy(qr);
}
END_TEST

/* --- defaults ----------------------------------------------------------------------------------------------------- */

START_TEST(default_is)
{
	static const struct {
		const char *workload, *words;
	} known[] = {{"cholesky:nt=6", "2dbc:p=2:q=3"},
	             {"lu:nt=6", "2dbc:p=2:q=3"},
	             {"qr:nt=6:mt=9:copy_diagonal=yes", "2dbc:p=2:q=3"},
	             {"matmul2d:nt=6:output=yes", "2dbc:p=2:q=3"},
	             {"matmul3d:nt=4:kt=3", "2dbc:p=2:q=3"},
	             {"matmul3d:nt=4:output=fresh", "2dbc:p=2:q=3"},
	             {"matmul3d:nt=4:output=no", "metis"},
	             {"matmul2d:nt=6", "metis"},
	             {"sparse:nt=6:density=0.5", "metis"},
	             {"cholesky_taskset:nt=6", "metis"},
	             {"stencil:blocks=16:iterations=2", "metis"},
	             {"life:blocks=16", "metis"},
	             {"layered", "metis"}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct tw_graph *g = make(known[i].workload);
		struct tw__distribution d = distribute(g, NULL, 6), same = distribute(g, known[i].words, 6);
		ck_assert_msg(!d.rank == !same.rank, "%s", known[i].workload);
		for (tw_data h = 0; h < g->n_data; h++)
			ck_assert_int_eq(d.owner[h], same.owner[h]);
		tw__distribution_finish(&d);
		tw__distribution_finish(&same);
		tw_graph_destroy(g);
	}
}
END_TEST

/* Tiles of each matrix have their own rows and columns, from 0 on. */
START_TEST(workloads_name_tiles)
{
	struct tw_graph *g = make("matmul3d:nt=3:kt=2");
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(g->tiles[i].row, i % 3); /* A: 3 x 2 */
		ck_assert_int_eq(g->tiles[i].column, i / 3);
		ck_assert_int_eq(g->tiles[6 + i].row, i % 2); /* B: 2 x 3 */
		ck_assert_int_eq(g->tiles[6 + i].column, i / 2);
	}
	for (int i = 0; i < 9; i++) {
		ck_assert_int_eq(g->tiles[12 + i].row, i % 3);
		ck_assert_int_eq(g->tiles[12 + i].column, i / 3);
	}
	tw_graph_destroy(g);
	g = make("matmul3d:nt=2:kt=3:output=fresh"); /* each product writes a tile of its own in the place of C's */
	for (tw_task t = 0; t < g->n_tasks; t++) {
		const tw__access *access = &g->access[g->access_start[t]];
		const struct tw__matrix_tile a = g->tiles[tw__access_data(access[0])];
		const struct tw__matrix_tile b = g->tiles[tw__access_data(access[1])];
		const struct tw__matrix_tile c = g->tiles[tw__access_data(access[2])];
		ck_assert_int_eq(a.column, b.row);
		ck_assert_int_eq(c.row, a.row);
		ck_assert_int_eq(c.column, b.column);
	}
	tw_graph_destroy(g);
}
END_TEST

/* --- files -------------------------------------------------------------------------------------------------------- */

/* Reads back a distribution from a file that has it by data, by tile or by task. */
START_TEST(files_say_the_same)
{
	static const char *const headers[] = {"data,node", "row,column,node", "task,node"};
	char path[] = "/tmp/tilewright-distribution-XXXXXX", words[60];
	struct tw_graph *g = make("lu:nt=5");
	struct tw__distribution d = distribute(g, _i == 2 ? "metis" : "2dbc:p=3:q=2", 6);
	FILE *f = fdopen(mkstemp(path), "w");
	fprintf(f, "# comment\n%s\n", headers[_i]);
	for (int i = (_i == 2 ? g->n_tasks : g->n_data) - 1; i >= 0; i--)
		if (_i == 1)
			fprintf(f, "%d,%d,%d\n", (int)g->tiles[i].row, (int)g->tiles[i].column, (int)d.owner[i]);
		else
			fprintf(f, "%d,%d\n", i, (int)(_i ? d.rank : d.owner)[i]);
	fclose(f);
	snprintf(words, sizeof words, "file:%s", path);
	struct tw__distribution same = distribute(g, words, 6);
	for (tw_data h = 0; h < g->n_data; h++)
		ck_assert_int_eq(d.owner[h], same.owner[h]);
	for (tw_task t = 0; t < g->n_tasks && _i == 2; t++)
		ck_assert_int_eq(d.rank[t], same.rank[t]);
	unlink(path);
	tw__distribution_finish(&d);
	tw__distribution_finish(&same);
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("distributions");
	TCase *cases = tcase_create("distributions");
	tcase_set_timeout(cases, 0);
	tcase_add_loop_test(cases, sbc_sends_less, 0, 2);
	tcase_add_test(cases, counts_are_split_s);
	tcase_add_loop_test(cases, loads_are_balanced, 0, 3);
	tcase_add_test(cases, sbc_is_symmetric);
	tcase_add_loop_test(cases, metis_partitions_tasks, 0, 6);
	tcase_add_test(cases, metis_sends_less);
	tcase_add_test(cases, default_is);
	tcase_add_test(cases, workloads_name_tiles);
	tcase_add_loop_test(cases, files_say_the_same, 0, 3);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
