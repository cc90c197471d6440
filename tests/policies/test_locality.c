/* The formulas, distances and orders of LAHeteroprio, compared with the tables of Bramas 2019. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "memory_alone.h"
#include "policies/support/locality.h"

/* --- table 1 ---------------------------------------------------------------------------------------------------- */

enum { A = 1, B = 2, C = 4, D = 8 };

/* Sets of memories. */
enum { MN0 = 1, MN1 = 2, MN2 = 4, ALL = 7 };

/* A set of memories that is a word. */
struct word_set {
	uint64_t word;
	struct tw_id_set set;
};

static struct tw_id_set *set_of(struct word_set *w, uint64_t word)
{
	w->word = word;
	w->set = (struct tw_id_set){&w->word, 1};
	return &w->set;
}

struct handle {
	uint64_t bytes;
	bool written;
	unsigned name;
};

#define R(name, bytes) \
	(struct handle) { bytes, false, name }
#define W(name, bytes) \
	(struct handle) { bytes, true, name }

/* hosted[memory]: names of the handles that it hosts. Fills `data` and `hosts`. */
static void place(struct tw_located *data, struct word_set *hosts, const struct handle *handles, int n,
                  const unsigned *hosted)
{
	for (int i = 0; i < n; i++) {
		uint64_t nodes = 0;
		for (int node = 0; node < 3; node++)
			nodes |= (uint64_t)((hosted[node] & handles[i].name) != 0) << node;
		data[i] = (struct tw_located){handles[i].bytes, handles[i].written, *set_of(&hosts[i], nodes)};
	}
}

enum { MOST = 4 }; /* handles */

static void check_among(const struct handle *handles, int n, const unsigned *hosted, unsigned among, unsigned sdh,
                        unsigned sdh2, unsigned sdhb, unsigned smwb)
{
	const unsigned expected[] = {[TW_LS_SDH] = sdh, [TW_LS_SDH2] = sdh2, [TW_LS_SDHB] = sdhb, [TW_LC_SMWB] = smwb};
	struct tw_located data[MOST];
	struct word_set hosts[MOST], all, words[TW_N_LOCALITIES];
	struct tw_id_set best[TW_N_LOCALITIES];
	for (int f = 0; f < TW_N_LOCALITIES; f++)
		best[f] = *set_of(&words[f], UINT64_MAX);
	place(data, hosts, handles, n, hosted);
	tw_locality_best(data, n, set_of(&all, among), best);
	for (int f = 0; f < TW_N_LOCALITIES; f++)
		ck_assert_uint_eq(words[f].word, expected[f]);
}

static void check_row(const struct handle *handles, int n, const unsigned *hosted, unsigned sdh, unsigned sdh2,
                      unsigned sdhb, unsigned smwb)
{
	check_among(handles, n, hosted, ALL, sdh, sdh2, sdhb, smwb);
}

static double score_of(enum tw_locality formula, const struct handle *handles, int n, const unsigned *hosted,
                       tw_node node)
{
	struct tw_located data[MOST];
	struct word_set hosts[MOST];
	place(data, hosts, handles, n, hosted);
	return tw_locality_score(formula, data, n, node);
}

START_TEST(table_1_row_1)
{
	const unsigned hosted[] = {A, A, B};
	const struct handle data[] = {R(A, 1), W(B, 1)};
	check_row(data, 2, hosted, ALL, ALL, MN2, MN2);
}
END_TEST

START_TEST(table_1_row_2)
{
	const unsigned hosted[] = {A, A | B, B};
	const struct handle data[] = {R(A, 1), W(B, 1)};
	check_row(data, 2, hosted, MN1, MN1, MN1, MN1);
}
END_TEST

START_TEST(table_1_row_3)
{
	const unsigned hosted[] = {A | B, C, A | C};
	const struct handle data[] = {W(A, 1), W(B, 1), W(C, 2)};
	check_row(data, 3, hosted, MN2, MN2, MN2, MN2);
}
END_TEST

START_TEST(table_1_row_4)
{
	const unsigned hosted[] = {A | B, A | B, A | C};
	const struct handle data[] = {W(A, 1), W(B, 1), W(C, 1)};
	check_row(data, 3, hosted, ALL, ALL, ALL, ALL);
}
END_TEST

/* For LS_SDH the paper prints only MN2. But eq. 6 gives 2 + 2 for MN1 (A, C), the same as for MN2 (C, D). */
START_TEST(table_1_row_5)
{
	const unsigned hosted[] = {A | B, A | C, C | D};
	const struct handle data[] = {R(A, 2), R(B, 1), W(C, 2), W(D, 2)};
	ck_assert_double_eq(score_of(TW_LS_SDH, data, 4, hosted, 1), 4);
	ck_assert_double_eq(score_of(TW_LS_SDH, data, 4, hosted, 2), 4);
	check_row(data, 4, hosted, MN1 | MN2, MN2, MN2, MN2);
}
END_TEST

START_TEST(table_1_row_6)
{
	const unsigned hosted[] = {A | D, C, B | D};
	const struct handle data[] = {W(A, 10), W(B, 11), W(C, 18), W(D, 11)};
	check_row(data, 4, hosted, MN2, MN1, MN2, MN2);
}
END_TEST

START_TEST(table_1_row_7)
{
	const unsigned hosted[] = {A | D, C, B | D};
	const struct handle data[] = {W(A, 10), W(B, 11), W(C, 22), W(D, 11)};
	check_row(data, 4, hosted, MN1 | MN2, MN1, MN2, MN1 | MN2);
}
END_TEST

/* "This coefficient takes the value 1 if all the data used by t are in write, but it gets closer to 2 ..." */
START_TEST(smwb_weighs_what_is_written_up_to_twice)
{
	const unsigned hosted[] = {0, 0, 0};
	const struct handle written[] = {W(A, 5), W(B, 6)}, mixed[] = {R(A, 1), R(B, 1), R(C, 1), W(D, 100)};
	ck_assert_double_eq(score_of(TW_LC_SMWB, written, 2, hosted, 0), -11);
	ck_assert_double_eq(score_of(TW_LC_SMWB, mixed, 4, hosted, 0), -(3 + 175));
	ck_assert_double_eq(score_of(TW_LC_SMWB, NULL, 0, hosted, 0), 0);
}
END_TEST

START_TEST(only_the_memories_asked_about_count)
{
	const unsigned hosted[] = {A | B, A, 0};
	const struct handle data[] = {R(A, 1), W(B, 1)};
	check_among(data, 2, hosted, MN1 | MN2, MN1, MN1, MN1, MN1);
	check_among(data, 2, hosted, MN2, MN2, MN2, MN2, MN2);
}
END_TEST

/* As many memories as a platform may have. The best memories are found in any word of the sets. */
START_TEST(more_memories_than_bits_of_a_word)
{
	enum { N_NODES = 1024 };
	static const tw_node hosts[] = {3, 63, 64, 200, 1023};
	struct tw_located *data = tw_located_create(memory_alone(), N_NODES);
	struct tw_id_set among, best[TW_N_LOCALITIES];
	tw_id_set_init(&among, N_NODES);
	for (tw_node node = 0; node < N_NODES; node++)
		tw_id_set_put(&among, node, node != 200);
	for (int f = 0; f < TW_N_LOCALITIES; f++)
		tw_id_set_init(&best[f], N_NODES);
	/* Memory i of `hosts` hosts the handle that is read; those after the first one the handle that is written. */
	data[0].bytes = data[1].bytes = 8;
	data[1].written = true;
	for (int i = 0; i < 5; i++) {
		tw_id_set_put(&data[0].hosts, hosts[i], true);
		tw_id_set_put(&data[1].hosts, hosts[i], i > 0);
	}
	ck_assert_double_eq(tw_locality_score(TW_LS_SDH, data, 2, 1023), 16);
	ck_assert_double_eq(tw_locality_score(TW_LS_SDH, data, 2, 1022), 0);
	tw_locality_best(data, 2, &among, best);
	for (int f = 0; f < TW_N_LOCALITIES; f++) {
		for (tw_node node = 0; node < N_NODES; node++)
			ck_assert_int_eq(tw_id_set_has(&best[f], node), node == 63 || node == 64 || node == 1023);
		ck_assert_int_eq(tw_choose_node(&best[f], 64), 64);
		ck_assert_int_eq(tw_choose_node(&best[f], 65), 1023);
		tw_id_set_finish(&best[f]);
	}
	tw_id_set_finish(&among);
}
END_TEST

/* --- table 2 ---------------------------------------------------------------------------------------------------- */

/* Rows as printed. Lists that lack a number are aligned to the right; 0 is a bucket that is not visited. Row 2 is
 * printed "1 2 0 1", where a number is missing. Among the orders of 0, 2 and 1, only "0 2 1" contains "0 1" and gives
 * 1 - 0.2. (Split as "1 2 0" and "1", and aligned to the left, the row gives 1 - 0.2 too.) */
START_TEST(table_2)
{
	static const struct {
		int i[4], j[4], n, n_i, n_j;
		double distance;
	} rows[] = {
		{{0, 1, 2}, {2, 1, 0}, 3, 2, 3, 1 - 0.4},
		{{0, 1, 2}, {0, 2, 1}, 3, 2, 3, 1 - 0.2},
		{{1, 2, 0}, {1, 0, 0}, 3, 3, 1, 1 - 0.2},
		{{0, 1, 2}, {0, 1, 2}, 3, 2, 3, 1 - 0},
		{{0, 3, 1, 2}, {0, 1, 2, 3}, 4, 3, 4, 1 - 4.0 / 15}, /* 0.26 */
		{{0, 3, 1, 2}, {0, 1, 3, 2}, 4, 3, 4, 1 - 4.0 / 15}, /* 0.26 */
		{{0, 3, 1, 2}, {0, 3, 2, 1}, 4, 3, 4, 1 - 2.0 / 15}, /* 0.13 */
	};
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		double there = tw_priority_distance(rows[r].i, rows[r].j, rows[r].n, rows[r].n_i, rows[r].n_j);
		double back = tw_priority_distance(rows[r].j, rows[r].i, rows[r].n, rows[r].n_j, rows[r].n_i);
		ck_assert_double_eq_tol(there, rows[r].distance, 1e-12);
		ck_assert_double_eq(there, back);
	}
}
END_TEST

/* Eq. 12 with alpha = 0.5. */
START_TEST(distances_weigh_priorities_and_transfers)
{
	ck_assert_double_eq_tol(tw_locality_distance(0.6, 0.4, 0.5), 0.5, 1e-12);
	ck_assert_double_eq(tw_locality_distance(1, 1, 0.5), 1);
	ck_assert_double_eq_tol(tw_locality_distance(0.6, 0.4, 0.25), 0.45, 1e-12);
}
END_TEST

/* --- table 3 ---------------------------------------------------------------------------------------------------- */

enum { CPU, GPU_0, GPU_1, N };

/* Table 3 A. */
static const double distance[N][N] = {{0, 0.5, 1}, {0.5, 0, 1}, {0.5, 1, 0}};

/* expected[bucket][node]: the place of that list in the order; -1: not visited. bucket_of[priority]. */
static void check_order(tw_node own, const double *from_own, const int *bucket_of, int n_priorities, int group,
                        const int expected[4][N])
{
	struct tw_grid_place order[4 * N];
	struct word_set all;
	tw_node others[N];
	int n = tw_grid_order(order, own, N, set_of(&all, ALL), from_own, n_priorities, group, 2, others);
	ck_assert_int_eq(n, n_priorities * N);
	for (int i = 0; i < n; i++)
		ck_assert_int_eq(expected[bucket_of[order[i].priority]][order[i].node], i);
}

/* The table prints 0.5 and 1 from the CPU to GPU-0 and GPU-1, but 0.5 from each of them to the CPU. B visits GPU-1
 * before GPU-0. This is the order for equal distances, as in the column. */
START_TEST(table_3_b)
{
	const double symmetric[N] = {0, 0.5, 0.5};
	const int bucket_of[] = {0, 1, 2, 3};
	const int expected[4][N] = {{0, 3, 2}, {1, 5, 4}, {6, 9, 8}, {7, 11, 10}};
	check_order(CPU, symmetric, bucket_of, 4, 2, expected);
}
END_TEST

START_TEST(table_3_c)
{
	const int bucket_of[] = {3, 2, 1};
	const int expected[4][N] = {{-1, -1, -1}, {5, 4, 8}, {3, 1, 7}, {2, 0, 6}};
	check_order(GPU_0, distance[GPU_0], bucket_of, 3, 1, expected);
}
END_TEST

START_TEST(table_3_d)
{
	const int bucket_of[] = {3, 2, 1};
	const int expected[4][N] = {{-1, -1, -1}, {5, 8, 4}, {3, 7, 1}, {2, 6, 0}};
	check_order(GPU_1, distance[GPU_1], bucket_of, 3, 1, expected);
}
END_TEST

/* Each list is visited once, own lists first, whatever the parameters. Memories without workers are never visited. */
START_TEST(every_list_is_visited_once)
{
	double from_own[6];
	for (int i = 0; i < 6; i++)
		from_own[i] = (i * 7 % 5) / 5.0;
	for (int priorities = 0; priorities <= 5; priorities++)
		for (int group = 0; group <= 6; group++)
			for (int stride = 1; stride <= 6; stride++)
				for (tw_node own = 0; own < 6; own++) {
					uint64_t among = 0x2d | UINT64_C(1) << own; /* 0, 2, 3, 5 and `own` */
					int seen[5][6] = {{0}}, n_nodes = __builtin_popcountll(among);
					struct word_set set;
					struct tw_grid_place order[30];
					tw_node others[6];
					int n = tw_grid_order(order, own, 6, set_of(&set, among), from_own, priorities,
					                      group, stride, others);
					ck_assert_int_eq(n, priorities * n_nodes);
					for (int i = 0; i < n; i++) {
						ck_assert(among >> order[i].node & 1);
						ck_assert_int_eq(seen[order[i].priority][order[i].node]++, 0);
					}
					ck_assert(n == 0 || (order[0].node == own && order[0].priority == 0));
				}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("locality");
	TCase *cases = tcase_create("locality");
	tcase_add_test(cases, table_1_row_1);
	tcase_add_test(cases, table_1_row_2);
	tcase_add_test(cases, table_1_row_3);
	tcase_add_test(cases, table_1_row_4);
	tcase_add_test(cases, table_1_row_5);
	tcase_add_test(cases, table_1_row_6);
	tcase_add_test(cases, table_1_row_7);
	tcase_add_test(cases, smwb_weighs_what_is_written_up_to_twice);
	tcase_add_test(cases, only_the_memories_asked_about_count);
	tcase_add_test(cases, more_memories_than_bits_of_a_word);
	tcase_add_test(cases, table_2);
	tcase_add_test(cases, distances_weigh_priorities_and_transfers);
	tcase_add_test(cases, table_3_b);
	tcase_add_test(cases, table_3_c);
	tcase_add_test(cases, table_3_d);
	tcase_add_test(cases, every_list_is_visited_once);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
