/* HFP, step by step: a worked example, and random sets of tasks, on which the paper's text is followed couple by
 * couple. The paper is Gonthier, Marchal, Thibault 2021, "Hierarchical Fair Packing step by step". */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/workload.h>

#include "policies/support/packing.h"

enum { MAX_TASKS = 40, MAX_DATA = 16, PER_TASK = 3 };

/* Tasks that each read a block row and a block column, of nt each, one byte per block; column by column, as in
 * matmul2d. */
static struct tw_graph *product(int nt)
{
	struct tw_graph *g = tw_graph_create();
	struct tw_error err = {""};
	tw_kernel kernel = tw_graph_kernel(g, "gemm", "1", "s", 1);
	for (int d = 0; d < 2 * nt; d++)
		tw_graph_data(g, 1);
	for (int t = 0; t < nt * nt; t++)
		tw_graph_submit(g, kernel, 0, (struct tw_access[]){{t % nt, TW_R}, {nt + t / nt, TW_R}}, 2);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	return g;
}

static void pack(struct tw_packages *p, const struct tw_sharing *sh, const struct tw_packing *how)
{
	tw_task *all = malloc(((size_t)sh->n_tasks + 1) * sizeof *all);
	for (tw_task t = 0; t < sh->n_tasks; t++)
		all[t] = t;
	struct tw_packing listed = *how;
	listed.lists_merges = true;
	*p = tw_pack(sh, all, sh->n_tasks, &listed);
	free(all);
}

/* --- the worked example ----------------------------------------------------------------------------------------- */

/* Task 4 c + r needs row r and column c; 4 blocks fit. "|" marks the last merge of a package.
 *
 * Round 1. All tasks share at most one block. Each merges with the first task that shares one, in its column.
 *     0|1 2|3 4|5 6|7 8|9 10|11 12|13 14|15: three blocks each.
 *
 * Round 2. 0|1 and 4|5 share two rows, 0|1 and 2|3 only one column. The former fit, with four blocks. Ends of one row
 * share data: 1 and 5 meet, so 4|5 is reversed.
 *     0 1|5 4   2 3|7 6   8 9|13 12   10 11|15 14: nothing else fits.
 *
 * Round 3, without limit. Each package shares two blocks with each of two others: the first two merge, then the last
 * two. The end 5 4 shares column 1 with 7 6 and nothing with 2 3, so 2 3|7 6 is reversed. The last two do the same.
 *     0 1 5 4|6 7 3 2   8 9 13 12|14 15 11 10
 *
 * Round 4. The end 6 7 3 2 shares rows 2 and 3 with 14 15 11 10, so the second package is reversed. */
static const tw_task expected_order[16] = {0, 1, 5, 4, 6, 7, 3, 2, 10, 11, 15, 14, 12, 13, 9, 8};
static const struct tw_merge expected_merges[15] = {
	{0, 1, 1, true, false, false},   {2, 3, 1, true, false, false},   {4, 5, 1, true, false, false},
	{6, 7, 1, true, false, false},   {8, 9, 1, true, false, false},   {10, 11, 1, true, false, false},
	{12, 13, 1, true, false, false}, {14, 15, 1, true, false, false}, {0, 4, 2, true, false, true},
	{2, 6, 2, true, false, true},    {8, 12, 2, true, false, true},   {10, 14, 2, true, false, true},
	{0, 2, 3, false, false, true},   {8, 10, 3, false, false, true},  {0, 8, 4, false, false, true},
};

START_TEST(the_worked_example)
{
	struct tw_graph *g = product(4);
	struct tw_sharing sh = tw_sharing_of(g);
	struct tw_packages p;
	pack(&p, &sh, &(struct tw_packing){.memory_bytes = 4, .packages = 1, .flip = true});
	ck_assert_int_eq(p.n_merges, 15);
	for (int m = 0; m < 15; m++) {
		const struct tw_merge *is = &p.merges[m], *should = &expected_merges[m];
		ck_assert_msg(is->i == should->i && is->j == should->j && is->round == should->round &&
		                      is->limited == should->limited && is->i_reversed == should->i_reversed &&
		                      is->j_reversed == should->j_reversed,
		              "merge %d is of %d and %d in round %d", m, (int)is->i, (int)is->j, (int)is->round);
	}
	ck_assert_int_eq(p.n, 1);
	ck_assert_mem_eq(p.tasks, expected_order, sizeof expected_order);
	tw_packages_finish(&p);
	pack(&p, &sh, &(struct tw_packing){.memory_bytes = 4, .packages = 1, .flip = false});
	ck_assert_mem_eq(p.tasks, ((const tw_task[16]){0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}),
	                 sizeof expected_order);
	tw_packages_finish(&p);
	tw_sharing_finish(&sh);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(one_package_for_each_gpu)
{
	struct tw_graph *g = product(4);
	struct tw_sharing sh = tw_sharing_of(g);
	struct tw_packages p;
	for (int packages = 1; packages <= 20; packages++) {
		pack(&p, &sh, &(struct tw_packing){.memory_bytes = 4, .packages = packages, .flip = true});
		ck_assert_int_eq(p.n, packages < 16 ? packages : 16);
		ck_assert_int_eq(p.first[p.n], 16);
		tw_packages_finish(&p);
	}
	pack(&p, &sh, &(struct tw_packing){.memory_bytes = 4, .packages = 2, .flip = true});
	ck_assert_mem_eq(p.tasks, ((const tw_task[16]){0, 1, 5, 4, 6, 7, 3, 2, 8, 9, 13, 12, 14, 15, 11, 10}),
	                 sizeof expected_order);
	ck_assert_int_eq(p.first[1], 8);
	tw_packages_finish(&p);
	tw_sharing_finish(&sh);
	tw_graph_destroy(g);
}
END_TEST

/* Figure 6: the ends that share most meet, so the second package is reversed. Here are all four cases: two tasks
 * share a handle, which decides. */
START_TEST(ends_that_share_most_meet)
{
	/* Packages 0|1 and 2|3, of a large handle each. One task of each shares the small handle. */
	static const struct {
		int of_i, of_j;
		tw_task order[4];
	} ways[] = {{1, 2, {0, 1, 2, 3}}, {1, 3, {0, 1, 3, 2}}, {0, 2, {1, 0, 2, 3}}, {0, 3, {1, 0, 3, 2}}};
	for (int way = 0; way < 4; way++) {
		struct tw_graph *g = tw_graph_create();
		struct tw_error err = {""};
		tw_kernel kernel = tw_graph_kernel(g, "work", "1", "s", 1);
		const uint64_t bytes[] = {10, 10, 1};
		for (int d = 0; d < 3; d++)
			tw_graph_data(g, bytes[d]);
		for (int t = 0; t < 4; t++)
			tw_graph_submit(g, kernel, 0, (struct tw_access[]){{t / 2, TW_R}, {2, TW_R}},
			                t == ways[way].of_i || t == ways[way].of_j ? 2 : 1);
		ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
		struct tw_sharing sh = tw_sharing_of(g);
		struct tw_packages p;
		pack(&p, &sh, &(struct tw_packing){.memory_bytes = 11, .packages = 1, .flip = true});
		ck_assert_mem_eq(p.tasks, ways[way].order, sizeof ways[way].order);
		tw_packages_finish(&p);
		tw_sharing_finish(&sh);
		tw_graph_destroy(g);
	}
}
END_TEST

/* --- the paper's algorithm, literally --------------------------------------------------------------------------- */

struct naive {
	const struct tw_sharing *sh;
	uint64_t data[MAX_TASKS]; /* [packages] a bit for each handle */
	int n[MAX_TASKS];         /* [packages] number of tasks; 0: merged into another */
};

static uint64_t bytes_of(const struct naive *v, uint64_t data)
{
	uint64_t sum = 0;
	for (tw_data d = 0; d < v->sh->n_data; d++)
		sum += data >> d & 1 ? v->sh->bytes[d] : 0;
	return sum;
}

static bool may_merge(const struct naive *v, int i, int j, uint64_t limit)
{
	return i != j && v->n[i] && v->n[j] && bytes_of(v, v->data[i] | v->data[j]) <= limit &&
	       (limit == UINT64_MAX || (v->data[i] & v->data[j]));
}

/* The fewest tasks of a package that can merge; 0: no package can. */
static int fewest(const struct naive *v, uint64_t limit)
{
	int least = 0;
	for (int i = 0; i < v->sh->n_tasks; i++)
		for (int j = 0; j < v->sh->n_tasks; j++)
			if (may_merge(v, i, j, limit) && (!least || v->n[i] < least))
				least = v->n[i];
	return least;
}

static int n_left(const struct naive *v)
{
	int n = 0;
	for (int i = 0; i < v->sh->n_tasks; i++)
		n += v->n[i] > 0;
	return n;
}

/* One round that looks at every couple, and compares its merges with `merges`. Returns the number of merges. */
static int naive_round(struct naive *v, uint64_t limit, int packages, const struct tw_merge *merges, int round)
{
	int tasks = fewest(v, limit), n = 0, n_tasks = v->sh->n_tasks;
	bool merged[MAX_TASKS] = {false};
	struct naive before = *v;
	uint64_t most = 0;
	for (int i = 0; i < n_tasks; i++)
		for (int j = 0; j < n_tasks; j++)
			if (v->n[i] == tasks && may_merge(v, i, j, limit) &&
			    bytes_of(v, v->data[i] & v->data[j]) > most)
				most = bytes_of(v, v->data[i] & v->data[j]);
	for (int i = 0; i < n_tasks && tasks && n_left(v) > packages; i++) {
		int j = TW_NONE;
		for (int k = 0; k < n_tasks; k++)
			if (before.n[i] == tasks && !merged[i] && !merged[k] && may_merge(&before, i, k, limit) &&
			    bytes_of(v, before.data[i] & before.data[k]) == most &&
			    (j == TW_NONE || (most > 0 && before.n[k] > before.n[j])))
				j = k;
		if (j == TW_NONE)
			continue;
		ck_assert_int_eq(merges[n].i, i);
		ck_assert_int_eq(merges[n].j, j);
		ck_assert_int_eq(merges[n].round, round);
		ck_assert_int_eq(merges[n].limited, limit < UINT64_MAX);
		ck_assert(limit == UINT64_MAX || bytes_of(v, v->data[i] | v->data[j]) <= limit);
		int kept = i < j ? i : j, gone = i < j ? j : i;
		v->data[kept] |= v->data[gone];
		v->n[kept] += v->n[gone];
		v->n[gone] = 0;
		merged[i] = merged[j] = true;
		n++;
	}
	return n;
}

START_TEST(merges_as_the_paper_says)
{
	struct tw_rng *rng = tw_rng_create((uint64_t)_i);
	int n_data = 1 + (int)tw_rng_below(rng, MAX_DATA), n_tasks = 1 + (int)tw_rng_below(rng, MAX_TASKS);
	struct tw_graph *g = tw_graph_create();
	struct tw_error err = {""};
	tw_kernel kernel = tw_graph_kernel(g, "work", "1", "s", 1);
	uint64_t greatest = _i % 3 ? 8 : 1, memory = PER_TASK * greatest + tw_rng_below(rng, 20);
	for (int d = 0; d < n_data; d++)
		tw_graph_data(g, 1 + tw_rng_below(rng, (uint32_t)greatest));
	for (int t = 0; t < n_tasks; t++) {
		struct tw_access a[PER_TASK];
		int n = 0;
		for (int d = (int)tw_rng_below(rng, (uint32_t)n_data); d < n_data && n < PER_TASK;
		     d += 1 + (int)tw_rng_below(rng, 6))
			a[n++] = (struct tw_access){d, TW_R};
		tw_graph_submit(g, kernel, 0, a, _i % 5 || t ? n : 0);
	}
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	struct tw_sharing sh = tw_sharing_of(g);
	struct tw_packages p;
	int packages = 1 + (int)tw_rng_below(rng, 3), m = 0, round = 1;
	pack(&p, &sh, &(struct tw_packing){.memory_bytes = memory, .packages = packages, .flip = _i % 2});

	struct naive v = {.sh = &sh};
	for (tw_task t = 0; t < sh.n_tasks; t++) {
		v.n[t] = 1;
		for (size_t i = sh.first_data[t]; i < sh.first_data[t + 1]; i++)
			v.data[t] |= UINT64_C(1) << sh.data[i];
	}
	for (int n; n_left(&v) > packages && (n = naive_round(&v, memory, packages, p.merges + m, round)) > 0; round++)
		m += n;
	for (int n; n_left(&v) > packages && (n = naive_round(&v, UINT64_MAX, packages, p.merges + m, round)) > 0;
	     round++)
		m += n;
	ck_assert_int_eq(m, p.n_merges);
	ck_assert_int_eq(p.n, n_left(&v));
	ck_assert_int_eq(p.n, n_tasks < packages ? n_tasks : packages);

	bool seen[MAX_TASKS] = {false};
	for (int i = 0; i < n_tasks; i++) {
		ck_assert(!seen[p.tasks[i]]);
		seen[p.tasks[i]] = true;
	}
	tw_packages_finish(&p);
	tw_sharing_finish(&sh);
	tw_graph_destroy(g);
	tw_rng_destroy(rng);
}
END_TEST

/* All tasks share one handle, and each has one of its own. All fit in the memory, or 99 of them do. The steps do not
 * grow as the pairs of tasks. */
START_TEST(a_star_is_packed_without_looking_at_all_pairs)
{
	enum { N = 20000 };
	struct tw_graph *g = tw_graph_create();
	struct tw_error err = {""};
	tw_kernel kernel = tw_graph_kernel(g, "work", "1", "s", 1);
	tw_data hub = tw_graph_data(g, 1);
	for (int t = 0; t < N; t++)
		tw_graph_submit(g, kernel, 0, (struct tw_access[]){{hub, TW_R}, {tw_graph_data(g, 1), TW_W}}, 2);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	struct tw_sharing sh = tw_sharing_of(g);
	struct tw_packages p;
	pack(&p, &sh, &(struct tw_packing){.memory_bytes = _i ? 100 : 2 * N, .packages = 2, .flip = true});
	ck_assert_int_eq(p.n, 2);
	ck_assert_int_le(p.looks, 4 * (int64_t)TW_SHARING_MOST * N);
	tw_packages_finish(&p);
	tw_sharing_finish(&sh);
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("packing");
	TCase *cases = tcase_create("packing");
	tcase_add_test(cases, the_worked_example);
	tcase_add_test(cases, one_package_for_each_gpu);
	tcase_add_test(cases, ends_that_share_most_meet);
	tcase_add_loop_test(cases, merges_as_the_paper_says, 0, 2000);
	tcase_add_loop_test(cases, a_star_is_packed_without_looking_at_all_pairs, 0, 2);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
