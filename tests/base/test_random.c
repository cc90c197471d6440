/* Random numbers: the same seed gives the same numbers, other seeds and streams give other numbers. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/workload.h>

#include "base/random.h"

enum { N = 100 };
enum { STREAMS = 7 };
static const enum tw__stream streams[STREAMS] = {TW__STREAM_POLICY,   TW__STREAM_EVICTION, TW__STREAM_ORDER,
                                                 TW__STREAM_WORKLOAD, TW__STREAM_NOISE,    TW__STREAM_BELIEF,
                                                 TW__STREAM_ADVERSARY};

static void draw(double *numbers, uint64_t seed, enum tw__stream stream)
{
	struct tw__random *r = tw__random_create(seed, stream);
	ck_assert_ptr_nonnull(r);
	for (int i = 0; i < N; i++)
		numbers[i] = tw__random_uniform(r);
	tw__random_destroy(r);
}

START_TEST(the_same_seed_gives_the_same_numbers)
{
	static const uint64_t seeds[] = {0, 1, 42, UINT32_MAX, UINT64_MAX};
	double a[N], b[N];
	for (int s = 0; s < 5; s++)
		for (int k = 0; k < STREAMS; k++) {
			draw(a, seeds[s], streams[k]);
			draw(b, seeds[s], streams[k]);
			ck_assert_mem_eq(a, b, sizeof a);
		}
}
END_TEST

/* No stream equals another one, not even shifted. */
START_TEST(seeds_and_streams_differ)
{
	enum { SEEDS = 20, SETS = STREAMS * SEEDS };
	static double sets[SETS][N];
	for (int s = 0; s < SEEDS; s++)
		for (int k = 0; k < STREAMS; k++)
			draw(sets[STREAMS * s + k], (uint64_t)s, streams[k]);
	for (int a = 0; a < SETS; a++)
		for (int b = 0; b < a; b++)
			for (int shift = 0; shift < N / 2; shift++) {
				ck_assert(memcmp(sets[a] + shift, sets[b], N / 2 * sizeof(double)) != 0);
				ck_assert(memcmp(sets[a], sets[b] + shift, N / 2 * sizeof(double)) != 0);
			}
}
END_TEST

START_TEST(numbers_stay_in_their_range_and_fill_it)
{
	struct tw__random *r = tw__random_create(7, TW__STREAM_POLICY);
	int uniform[10] = {0}, below[7] = {0};
	for (int i = 0; i < 10000; i++) {
		double u = tw__random_uniform(r);
		uint32_t b = tw__random_below(r, 7);
		ck_assert(u >= 0 && u < 1);
		ck_assert_uint_lt(b, 7);
		ck_assert_uint_eq(tw__random_below(r, 1), 0);
		uniform[(int)(10 * u)]++;
		below[b]++;
	}
	for (int i = 0; i < 10; i++)
		ck_assert(uniform[i] > 850 && uniform[i] < 1150);
	for (int i = 0; i < 7; i++)
		ck_assert(below[i] > 1250 && below[i] < 1610);
	tw__random_destroy(r);
	tw__random_destroy(NULL);
}
END_TEST

/* tw__random_at: numbers are uniform in (0, 1), and depend on each of the five arguments. */
START_TEST(numbers_at_a_place_depend_on_all_of_it)
{
	int uniform[10] = {0};
	for (uint64_t i = 0; i < 10000; i++) {
		double u = tw__random_at(1, TW__STREAM_NOISE, 5, i, 0);
		ck_assert(u > 0 && u < 1);
		uniform[(int)(10 * u)]++;
		ck_assert_double_eq(u, tw__random_at(1, TW__STREAM_NOISE, 5, i, 0));
		ck_assert_double_ne(u, tw__random_at(2, TW__STREAM_NOISE, 5, i, 0));
		ck_assert_double_ne(u, tw__random_at(1, TW__STREAM_BELIEF, 5, i, 0));
		ck_assert_double_ne(u, tw__random_at(1, TW__STREAM_NOISE, 6, i, 0));
		ck_assert_double_ne(u, tw__random_at(1, TW__STREAM_NOISE, 5, i + 1, 0));
		ck_assert_double_ne(u, tw__random_at(1, TW__STREAM_NOISE, 5, i, 1));
	}
	for (int i = 0; i < 10; i++)
		ck_assert(uniform[i] > 850 && uniform[i] < 1150);
}
END_TEST

START_TEST(workloads_have_a_stream_of_their_own)
{
	struct tw_rng *r = tw_rng_create(42);
	struct tw__random *same = tw__random_create(42, TW__STREAM_WORKLOAD);
	for (int i = 0; i < N; i++) {
		ck_assert_double_eq(tw_rng_uniform(r), tw__random_uniform(same));
		ck_assert_uint_eq(tw_rng_below(r, 10), tw__random_below(same, 10));
	}
	tw_rng_destroy(r);
	tw__random_destroy(same);
	tw_rng_destroy(NULL);
}
END_TEST

/* All 24 orders of four items are about equally frequent. */
START_TEST(a_shuffle_gives_every_order)
{
	struct tw_rng *r = tw_rng_create(1);
	int seen[4 * 4 * 4 * 4] = {0}, orders = 0;
	for (int i = 0; i < 24000; i++) {
		int32_t items[] = {0, 1, 2, 3};
		tw_rng_shuffle(r, items, 4);
		seen[((items[0] * 4 + items[1]) * 4 + items[2]) * 4 + items[3]]++;
	}
	for (int i = 0; i < 256; i++) {
		orders += seen[i] > 0;
		ck_assert(seen[i] == 0 || (seen[i] > 850 && seen[i] < 1150));
	}
	ck_assert_int_eq(orders, 24);
	tw_rng_destroy(r);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("random");
	TCase *cases = tcase_create("random");
	tcase_add_test(cases, the_same_seed_gives_the_same_numbers);
	tcase_add_test(cases, seeds_and_streams_differ);
	tcase_add_test(cases, numbers_stay_in_their_range_and_fill_it);
	tcase_add_test(cases, numbers_at_a_place_depend_on_all_of_it);
	tcase_add_test(cases, workloads_have_a_stream_of_their_own);
	tcase_add_test(cases, a_shuffle_gives_every_order);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
