/* The generator of tile QR: is it a QR factorisation, with how many tasks, of which kernels, how long a path, and what do
 * the factors T and the copies of diagonal tiles change? */
#include <check.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/load.h"

enum { GEQRT, ORMQR, TSQRT, TSMQR, TTQRT, TTMQR, LACPY, N_KERNELS };
static const char *const names[] = {"geqrt", "ormqr", "tsqrt", "tsmqr", "ttqrt", "ttmqr", "lacpy"};
static const double weights[] = {4, 6, 6, 12, 2, 6, 0}; /* in nb^3/3 flops; copies take no time */

/* Shapes of one to three domains and more, of domains that differ, of one column, square and tall. */
static const struct {
	int mt, nt, domains; /* 0: each row is a domain */
} shapes[] = {
	{1, 1, 1}, {5, 5, 1}, {9, 4, 1}, {13, 1, 1}, {2, 1, 2}, {8, 8, 2},   {7, 7, 3},
	{9, 2, 4}, {9, 5, 9}, {1, 1, 0}, {6, 6, 0},  {8, 1, 0}, {64, 2, 16}, {17, 3, 0},
};
enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

static struct tw_graph *TW_PRINTF(1, 2) qr(const char *format, ...)
{
	char text[128];
	struct tw_graph *g = NULL;
	struct tw_error err = {""};
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	ck_assert_msg(tw__generate(&g, text, &err) == TW_OK, "%s: %s", text, err.message);
	return g;
}

static struct tw_graph *shaped(int i, const char *options)
{
	if (shapes[i].domains == 0)
		return qr("qr:mt=%d:nt=%d:tree=binary%s", shapes[i].mt, shapes[i].nt, options);
	return qr("qr:mt=%d:nt=%d:tree=domains:domains=%d%s", shapes[i].mt, shapes[i].nt, shapes[i].domains, options);
}

static int kernel_of(const struct tw_graph *g, tw_task t)
{
	for (int k = GEQRT; k < N_KERNELS; k++)
		if (!strcmp(tw_graph_kernel_name(g, tw_graph_task_kernel(g, t)), names[k]))
			return k;
	ck_abort_msg("task %d has another kernel", (int)t);
	return -1;
}

static void count_kernels(const struct tw_graph *g, int counts[N_KERNELS])
{
	memset(counts, 0, N_KERNELS * sizeof *counts);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		counts[kernel_of(g, t)]++;
}

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

START_TEST(tasks_of_a_flat_tree)
{
	for (int nt = 1; nt <= _i; nt++) {
		int mt = _i, counts[N_KERNELS];
		struct tw_graph *g = qr("qr:nt=%d:mt=%d", nt, mt);
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
	struct tw_graph *g = qr("qr:nt=5");
	ck_assert_int_eq(tw_graph_n_tasks(g), 55);
	tw_graph_destroy(g);
	g = qr("qr:nt=5:copy_diagonal=yes");
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
		struct tw_graph *g = qr("qr:nt=%d:mt=%d:tree=binary:copy_diagonal=yes", nt, mt);
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

START_TEST(critical_paths_of_square_matrices)
{
	int nt = _i;
	struct tw_graph *g = qr("qr:nt=%d", nt);
	ck_assert_double_eq(critical_path(g, weights, NULL), nt == 1 ? 4 : 30 * nt - 28);
	tw_graph_destroy(g);
	g = qr("qr:nt=%d:copy_diagonal=yes", nt);
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
	struct tw_graph *g = qr("qr:nt=1:mt=%d", mt);
	ck_assert_double_eq(critical_path(g, weights, NULL), 4 + 6 * (mt - 1));
	tw_graph_destroy(g);
	g = qr("qr:nt=1:mt=%d:tree=binary", mt);
	ck_assert_double_eq(critical_path(g, weights, NULL), 4 + 2 * log2_up(mt));
	tw_graph_destroy(g);
	g = qr("qr:nt=1:mt=%d:tree=domains:domains=%d", 7 * mt, mt);
	ck_assert_double_eq(critical_path(g, weights, NULL), 4 + 6 * 6 + 2 * log2_up(mt));
	tw_graph_destroy(g);
}
END_TEST

/* The one edge between them is what the copy is for. */
START_TEST(copies_let_tsqrt_and_ormqr_overlap)
{
	for (int copies = 0; copies < 2; copies++) {
		int edges = 0, n;
		struct tw_graph *g = qr("qr:nt=5:copy_diagonal=%d", copies);
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

/* With a flat tree and copies they are those of StarPU's LU, less 2: 3nt - k - m - n for the task of panel k that changes
 * tile (m, n); tall matrices have mt - nt more. */
START_TEST(priorities_are_those_of_lu)
{
	for (int nt = 1; nt <= _i; nt++) {
		int mt = _i, k = -1;
		struct tw_graph *g = qr("qr:nt=%d:mt=%d:copy_diagonal=yes", nt, mt);
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

/* Replays the factorisation, task by task: what each tile of the panel holds, and that each update follows its panel task
 * in all columns on the right. */
enum { FULL, TRIANGLE, ZERO };

struct replay {
	const struct tw_graph *graph;
	int mt, nt, panel, heads, height;
	char holds[64]; /* rows of the panel */
	tw_task at;
	tw_data spare; /* the factor or copy to be made next */
};

static void expect(struct replay *r, int kernel, int n, const struct tw_access *access)
{
	ck_assert_int_eq(kernel_of(r->graph, r->at), kernel);
	ck_assert_int_eq(tw_graph_n_accesses(r->graph, r->at), n);
	for (int i = 0; i < n; i++) {
		struct tw_access found = tw_graph_access(r->graph, r->at, i);
		ck_assert_int_eq(found.data, access[i].data);
		ck_assert_int_eq(found.mode, access[i].mode);
	}
	r->at++;
}

static tw_data tile(const struct replay *r, int row, int column) { return row * r->nt + column; }

static int row_of(const struct replay *r, int access)
{
	tw_data d = tw_graph_access(r->graph, r->at, access).data;
	ck_assert_int_lt(d, r->mt * r->nt);
	ck_assert_int_eq(d % r->nt, r->panel);
	ck_assert_int_ge(d / r->nt, r->panel);
	return d / r->nt;
}

static void triangularised(struct replay *r)
{
	int p = row_of(r, 0), k = r->panel;
	tw_data t = r->spare++, copy = r->spare++;
	ck_assert_int_eq(r->holds[p], FULL);
	r->holds[p] = TRIANGLE;
	r->heads++;
	expect(r, GEQRT, 2, (struct tw_access[]){{tile(r, p, k), TW_RW}, {t, TW_W}});
	expect(r, LACPY, 2, (struct tw_access[]){{tile(r, p, k), TW_R}, {copy, TW_W}});
	for (int n = k + 1; n < r->nt; n++)
		expect(r, ORMQR, 3, (struct tw_access[]){{copy, TW_R}, {tile(r, p, n), TW_RW}, {t, TW_R}});
}

static void eliminated(struct replay *r, int kernel)
{
	int p = row_of(r, 0), m = row_of(r, 1), k = r->panel;
	tw_data t = r->spare++;
	ck_assert_int_eq(r->holds[p], TRIANGLE);
	ck_assert_int_eq(r->holds[m], kernel == TSQRT ? FULL : TRIANGLE);
	ck_assert_int_lt(p, m);
	if (kernel == TSQRT) /* both of one domain */
		ck_assert_int_eq((p - k) / r->height, (m - k) / r->height);
	r->holds[m] = ZERO;
	expect(r, kernel, 3, (struct tw_access[]){{tile(r, p, k), TW_RW}, {tile(r, m, k), TW_RW}, {t, TW_W}});
	for (int n = k + 1; n < r->nt; n++)
		expect(r, kernel == TSQRT ? TSMQR : TTMQR, 4,
		       (struct tw_access[]){
			       {tile(r, m, k), TW_R}, {tile(r, p, n), TW_RW}, {tile(r, m, n), TW_RW}, {t, TW_R}});
}

static bool panel_is_done(const struct replay *r)
{
	bool done = r->holds[r->panel] == TRIANGLE;
	for (int m = r->panel + 1; m < r->mt; m++)
		done &= r->holds[m] == ZERO;
	return done;
}

START_TEST(it_is_a_qr_factorisation)
{
	int mt = shapes[_i].mt, nt = shapes[_i].nt, domains = shapes[_i].domains;
	struct tw_graph *g = shaped(_i, ":copy_diagonal=yes");
	struct replay r = {.graph = g, .mt = mt, .nt = nt, .spare = mt * nt};
	r.height = domains ? (mt + domains - 1) / domains : 1;
	for (r.panel = 0; r.panel < nt; r.panel++) {
		memset(r.holds, FULL, sizeof r.holds);
		r.heads = 0;
		while (!panel_is_done(&r)) {
			ck_assert_int_lt(r.at, tw_graph_n_tasks(g));
			int kernel = kernel_of(g, r.at);
			ck_assert(kernel == GEQRT || kernel == TSQRT || kernel == TTQRT);
			if (kernel == GEQRT)
				triangularised(&r);
			else
				eliminated(&r, kernel);
		}
		ck_assert_int_eq(r.heads, (mt - r.panel + r.height - 1) / r.height);
	}
	ck_assert_int_eq(r.at, tw_graph_n_tasks(g));
	ck_assert_int_eq(r.spare, tw_graph_n_data(g));
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
		struct tw_graph *g = qr("qr:nt=1:copy_diagonal=yes%s", cases[i].options);
		ck_assert_int_eq(tw_graph_n_data(g), 3);
		ck_assert_uint_eq(tw_graph_data_bytes(g, 0), cases[i].tile);
		ck_assert_uint_eq(tw_graph_data_bytes(g, 1), cases[i].factor);
		ck_assert_uint_eq(tw_graph_data_bytes(g, 2), cases[i].tile);
		tw_graph_destroy(g);
	}
}
END_TEST

/* What is declared "will not be used": factors, copies and reflectors, at their last write; not the triangle R. */
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
	tcase_add_loop_test(cases, critical_paths_of_square_matrices, 1, 26);
	tcase_add_loop_test(cases, critical_paths_of_one_panel, 1, 34);
	tcase_add_test(cases, copies_let_tsqrt_and_ormqr_overlap);
	tcase_add_loop_test(cases, priorities_are_distances_to_the_end, 0, N_SHAPES);
	tcase_add_loop_test(cases, priorities_are_those_of_lu, 1, 13);
	tcase_add_loop_test(cases, it_is_a_qr_factorisation, 0, N_SHAPES);
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
