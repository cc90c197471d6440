/* The generator of tile QR makes a QR factorisation. */
#include <check.h>
#include <string.h>

#include "qr.h"

/* Replays the factorisation, task by task: what each tile of the panel holds, and that each update follows its panel
 * task in all columns on the right. */
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

int main(void)
{
	Suite *suite = suite_create("qr replay");
	TCase *cases = tcase_create("qr replay");
	tcase_add_loop_test(cases, it_is_a_qr_factorisation, 0, N_SHAPES);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
