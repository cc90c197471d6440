/* Parts of the readers of task graphs: mapping StarPU's kernels to ours, lists of names, drafts with very many
 * handles. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"
#include "readers/draft.h"
#include "readers/starpu_names.h"

/* --- StarPU's kernels --------------------------------------------------------------------------------------------- */

#define TILE "M960x960x4"
enum { TILE_BYTES = 3686400 };

static const struct {
	const char *model, *name, *parameters[3];
	unsigned long long bytes[3];
	int n, n_distinct;
	const char *expected; /* name, size, precision */
} kernels[] = {
	{"chol_model_potrf", "POTRF", {TILE}, {TILE_BYTES}, 1, 1, "potrf 960 s"},
	{"chol_model_11", NULL, {TILE}, {TILE_BYTES}, 1, 1, "potrf 960 s"},
	{"chol_model_21", NULL, {TILE, TILE}, {TILE_BYTES, TILE_BYTES}, 2, 2, "trsm 960 s"},
	{"chol_model_22", NULL, {TILE, TILE, TILE}, {TILE_BYTES, TILE_BYTES, TILE_BYTES}, 3, 3, "gemm 960 s"},
	{"chol_model_22", NULL, {TILE, TILE}, {TILE_BYTES, TILE_BYTES}, 2, 2, "syrk 960 s"},
	{"chol_model_22", NULL, {TILE, TILE, TILE}, {TILE_BYTES, TILE_BYTES, TILE_BYTES}, 3, 2, "syrk 960 s"},
	{"starpu_slu_lu_model_11", NULL, {TILE}, {TILE_BYTES}, 1, 1, "getrf 960 s"},
	{"starpu_dlu_lu_model_12", NULL, {NULL}, {8 * 320 * 320}, 1, 1, "trsm_l 320 d"},
	{"starpu_dlu_lu_model_21_atlas", NULL, {NULL}, {8 * 320 * 320}, 1, 1, "trsm_u 320 d"},
	{"starpu_slu_lu_model_trsm_ll_openblas", NULL, {TILE}, {TILE_BYTES}, 1, 1, "trsm_l 960 s"},
	{"starpu_slu_lu_model_gemm_goto", NULL, {TILE}, {TILE_BYTES}, 1, 1, "lu.gemm 960 s"},
	{"starpu_slu_lu_model_gemm_mine", NULL, {TILE}, {TILE_BYTES}, 1, 1, "starpu_slu_lu_model_gemm_mine 960 s"},
	{"starpu_xlu_lu_model_gemm", NULL, {TILE}, {TILE_BYTES}, 1, 1, "starpu_xlu_lu_model_gemm 960 s"},
	/* a block row times a block column */
	{"starpu_sgemm_gemm",
         NULL,
         {"M960x3840x4", "M3840x960x4"},
         {14745600, 14745600},
         2,
         2,
         "gemm 960x3840+3840x960 s"},
	/* LAPACK's names, in upper or lower case, as model or as name */
	{"dgemm", NULL, {"M64x64x8"}, {32768}, 1, 1, "gemm 64 d"},
	{"model", "dgetrf_nopiv", {"M64x64x8"}, {32768}, 1, 1, "getrf 64 d"},
	{NULL, "GEMM", {"M64x64x8"}, {32768}, 1, 1, "gemm 64 d"},
	{"my_model", "work", {"M64x64x8"}, {32768}, 1, 1, "my_model 64 d"},
	{NULL, "work", {"M64x64x8"}, {32768}, 1, 1, "work 64 d"},
	{NULL, NULL, {NULL}, {0}, 0, 0, "task ff00 s"},
	/* sizes: vectors, blocks, words without element size; parameters override the guess of a
	 * square tile from its bytes */
	{"f", NULL, {"V1000x4"}, {4000}, 1, 1, "f 1000 s"},
	{"f", NULL, {"B130x130x1x1", "130x130x130x1"}, {16900, 2197000}, 2, 2, "f 130x130x1+130x130x130 b"},
	{"f", NULL, {"0", "M20x30x8"}, {0, 4800}, 2, 2, "f 0+20x30 d"},
	{"f", NULL, {"M480x1920x4", NULL}, {TILE_BYTES, TILE_BYTES}, 2, 2, "f ff00 s"},
	{"f", NULL, {TILE, NULL}, {TILE_BYTES, TILE_BYTES}, 2, 2, "f 960 s"},
	{"f", NULL, {NULL, NULL}, {TILE_BYTES, TILE_BYTES / 2}, 2, 2, "f ff00 s"},
	{"f", NULL, {NULL}, {12345}, 1, 1, "f ff00 s"},
	{"f", NULL, {"anything"}, {8 * 25}, 1, 1, "f 5 d"},
	{"f", NULL, {"M99999999999999999999999999999999999999999x4"}, {8 * 25}, 1, 1, "f 5 d"},
};

START_TEST(kernels_in_our_words)
{
	struct tw__starpu_kernel k;
	char got[600];
	tw__starpu_kernel(&k, kernels[_i].model, kernels[_i].name, kernels[_i].parameters, kernels[_i].bytes,
	                  kernels[_i].n, kernels[_i].n_distinct, "ff00");
	snprintf(got, sizeof got, "%s %s %s", k.name, k.size, k.precision);
	ck_assert_str_eq(got, kernels[_i].expected);
}
END_TEST

/* --- names -------------------------------------------------------------------------------------------------------- */

START_TEST(names_keep_their_numbers)
{
	struct tw__name_list names = {0};
	char name[16];
	ck_assert_int_eq(tw__name_list_find(&names, "0", 1), TW_NONE);
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 10000; i++) {
			int length = snprintf(name, sizeof name, "%d", i);
			ck_assert_int_eq(tw__name_list_add(&names, name, (size_t)length), i);
		}
	ck_assert_int_eq(names.n, 10000);
	ck_assert_str_eq(tw__name_list_text(&names, 1234), "1234");
	ck_assert_int_eq(tw__name_list_find(&names, "12345", 4), 1234); /* only the first 4 characters count */
	ck_assert_int_eq(tw__name_list_find(&names, "12345", 5), TW_NONE);
	ck_assert_int_eq(tw__name_list_find(&names, "", 0), TW_NONE);
	ck_assert_int_eq(tw__name_list_add(&names, "", 0), 10000);
	tw__name_list_finish(&names);
}
END_TEST

/* --- drafts ------------------------------------------------------------------------------------------------------- */

static int32_t describe(struct tw__draft *d, const char *name, tw_kernel kernel, uint64_t order)
{
	int32_t job = tw__draft_describe(d, name, 1);
	ck_assert_int_eq(d->status, TW_OK);
	d->jobs[job].kernel = kernel;
	d->jobs[job].order = order;
	return job;
}

START_TEST(all_accesses_of_a_task_stay)
{
	struct tw_error err = {""};
	struct tw_graph *g = tw_graph_create();
	struct tw__draft d;
	tw__draft_init(&d, g, "test", &err);
	tw_kernel kernel = tw__draft_kernel(&d, "k", "1", "s", 0, NULL, 7);
	int32_t first = describe(&d, "first", kernel, 0), last = describe(&d, "last", kernel, 1);
	for (int i = 1; i <= 300; i++) {
		char name[16];
		snprintf(name, sizeof name, "%d", i);
		tw_data data = tw__draft_data(&d, name, (uint64_t)i, 1);
		tw__draft_access(&d, last, data, TW_R);
		if (i == 1) {
			tw__draft_access(&d, first, data, TW_W);
			tw__draft_edge(&d, first, last);
		}
	}
	tw__draft_submit(&d);
	ck_assert_int_eq(d.status, TW_OK);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	ck_assert_int_eq(tw_graph_n_accesses(g, 1), 300);
	ck_assert_int_eq(tw_graph_most_accesses(g), 300);
	for (int i = 0; i < 300; i++)
		ck_assert_uint_eq(tw_graph_data_bytes(g, tw_graph_access(g, 1, i).data), (uint64_t)i + 1);
	ck_assert_int_eq(tw_graph_n_predecessors(g, 1), 1);
	ck_assert_uint_eq(d.tally[0].n, 0);
	tw__draft_finish(&d);
	tw_graph_destroy(g);
}
END_TEST

/* a and b come before x, x before y, y before c and d, where x and y are not tasks: c and d depend on a and b. Cycles
 * through x and y are found, and so is a task that depends on itself. */
START_TEST(order_goes_through_jobs_that_are_no_tasks)
{
	for (int cycle = 0; cycle < 2; cycle++) {
		struct tw_error err = {""};
		struct tw_graph *g = tw_graph_create();
		struct tw__draft d;
		int n;
		tw__draft_init(&d, g, "test", &err);
		tw_kernel kernel = tw__draft_kernel(&d, "k", "1", "s", 0, NULL, 7);
		int32_t dd = describe(&d, "d", kernel, 4), c = describe(&d, "c", kernel, 3),
			y = describe(&d, "y", TW_NONE, 0);
		int32_t x = describe(&d, "x", TW_NONE, 0), b = describe(&d, "b", kernel, 2),
			a = describe(&d, "a", kernel, 1);
		const int32_t edges[][2] = {{y, dd}, {y, c}, {x, y}, {b, x}, {a, x}, {a, y}, {dd, a}};
		for (int i = 0; i < 6 + cycle; i++)
			tw__draft_edge(&d, edges[i][0], edges[i][1]);
		tw__draft_submit(&d);
		ck_assert_int_eq(d.status, cycle ? TW_INVALID : TW_OK);
		if (cycle) {
			ck_assert_ptr_nonnull(strstr(err.message, "expected no cycle"));
		} else {
			ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
			ck_assert_int_eq(tw_graph_n_tasks(g), 4);
			for (tw_task t = 0; t < 4; t++)
				ck_assert_int_eq(tw_graph_n_predecessors(g, t), t < 2 ? 0 : 2);
			const tw_task *successors = tw_graph_successors(g, 0, &n);
			ck_assert(n == 2 && successors[0] == 2 && successors[1] == 3);
		}
		tw__draft_finish(&d);
		tw_graph_destroy(g);
	}
}
END_TEST

/* Invalid characters in names of kernels become '?'. */
START_TEST(names_are_cleaned)
{
	static const char *const names[][2] = {
		{"gemm", "gemm"},
		{"\xc3\xa4", "\xc3\xa4"},
		{"a\nb\x7f", "a?b?"},
		{"\xff", "?"},
		{"\xc3", "?"},
		{"\xc0\xaf", "??"},
		{"\xed\xa0\x80", "???"},
		{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
		{"\xf4\x90\x80\x80", "????"},
		{"\xe0\x80\x80", "???"},
		{"\xc2\x9b"
	         "1m",
	         "??1m"}, /* an escape sequence of terminals */
	};
	struct tw_error err = {""};
	struct tw_graph *g = tw_graph_create();
	struct tw__draft d;
	tw__draft_init(&d, g, "test", &err);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		tw_kernel k = tw__draft_kernel(&d, names[i][0], "1", "s", 0, NULL, 7);
		ck_assert_int_ge(k, 0);
		ck_assert_str_eq(tw_graph_kernel_name(g, k), names[i][1]);
	}
	char great[600];
	memset(great, 'a', sizeof great);
	great[sizeof great - 1] = '\0';
	ck_assert_int_lt(tw__draft_kernel(&d, great, "1", "s", 0, NULL, 7), 0);
	ck_assert_int_eq(d.status, TW_INVALID);
	ck_assert_msg(!strncmp(err.message, "test:7: kernel 'aaa", 19), "%s", err.message);
	ck_assert_int_eq(tw__draft_fail(&d, 8, "a second error"), TW_INVALID);
	ck_assert_msg(!strncmp(err.message, "test:7: kernel 'aaa", 19), "%s", err.message); /* the first error stays */
	tw__draft_finish(&d);
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("readers");
	TCase *cases = tcase_create("parts");
	tcase_add_loop_test(cases, kernels_in_our_words, 0, (int)(sizeof kernels / sizeof kernels[0]));
	tcase_add_test(cases, names_keep_their_numbers);
	tcase_add_test(cases, all_accesses_of_a_task_stay);
	tcase_add_test(cases, order_goes_through_jobs_that_are_no_tasks);
	tcase_add_test(cases, names_are_cleaned);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
