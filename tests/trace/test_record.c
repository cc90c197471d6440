/* Sorting keeps the record's order among equal dates. Allocated ranges of a memory are found again. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "trace/intervals.h"
#include "trace/record.h"

/* A reproducible pseudo-random sequence. */
static uint32_t draw(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % below;
}

/* Percentages of events that are recorded late: none, few as in a run, or all in random order. */
static const uint32_t shares[] = {0, 5, 100};

START_TEST(sorting_is_by_date_and_stable)
{
	for (uint32_t round = 0; round < 50; round++) {
		struct tw__record r;
		uint32_t seed = round;
		int n = (int)draw(&seed, 3000);
		tw__record_init(&r);
		for (int i = 0; i < n; i++) {
			bool late = draw(&seed, 100) < shares[_i];
			tw__record_add(&r,
			               &(struct tw__event){.date = late ? (tw__ns)draw(&seed, 50) : i / 40, .task = i});
		}
		tw__record_sort(&r);
		ck_assert_uint_eq(r.n, (size_t)n);
		char *seen = calloc((size_t)n + 1, 1);
		for (size_t i = 0; i < r.n; i++) {
			const struct tw__event *e = &r.events[i];
			ck_assert(!seen[e->task]);
			seen[e->task] = 1;
			if (i > 0)
				ck_assert(e[-1].date < e->date || (e[-1].date == e->date && e[-1].task < e->task));
		}
		free(seen);
		/* It may grow again, and be sorted again. */
		tw__record_add(&r, &(struct tw__event){.date = -1, .task = -1});
		tw__record_sort(&r);
		ck_assert_int_eq(r.events[0].task, -1);
		tw__record_finish(&r);
	}
}
END_TEST

START_TEST(places_are_found_again)
{
	enum { BYTES = 400, ROUNDS = 20000 };
	struct tw__intervals t = {0};
	int32_t owner[BYTES]; /* by brute force */
	uint32_t seed = 7;
	memset(owner, -1, sizeof owner);
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t start = draw(&seed, BYTES), length = 1 + draw(&seed, 12);
		if (start + length > BYTES)
			length = BYTES - start;
		bool free_there = true;
		for (uint32_t i = start; i < start + length; i++)
			free_there &= owner[i] < 0;
		const struct tw__interval *other = tw__intervals_overlapping(&t, start, length);
		ck_assert_int_eq(!other, free_there);
		if (!other) {
			ck_assert_ptr_nonnull(tw__intervals_add(&t, start, length, round));
			for (uint32_t i = start; i < start + length; i++)
				owner[i] = round;
			continue;
		}
		ck_assert(other->start < start + length && start < other->start + other->length);
		ck_assert_int_eq(owner[other->start], other->owner);
		uint64_t from = other->start, to = from + other->length;
		ck_assert_ptr_null(tw__intervals_add(&t, start, length, round));
		tw__intervals_remove(&t, other);
		for (uint64_t i = from; i < to; i++)
			owner[i] = -1;
	}
	tw__intervals_finish(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("record");
	TCase *tests = tcase_create("record");
	tcase_add_loop_test(tests, sorting_is_by_date_and_stable, 0, sizeof shares / sizeof *shares);
	tcase_add_test(tests, places_are_found_again);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
