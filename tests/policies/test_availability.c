/* Availability of members while time passes, compared with a search over all members. */
#include <check.h>
#include <stdlib.h>

#include "memory_alone.h"
#include "policies/support/availability.h"

enum { MEMBERS = 37, STEPS = 2000 };

struct account {
	double start, queued;
};

static double date_of(const struct account *account, double now)
{
	return (account->start > now ? account->start : now) + account->queued;
}

static bool is_early_enough(const void *what, double date) { return date <= *(const double *)what; }

static void check(struct tw_availability *a, const struct account *accounts, int32_t n, double now)
{
	double least = date_of(&accounts[0], now), greatest = least;
	for (int32_t i = 1; i < n; i++) {
		double date = date_of(&accounts[i], now);
		least = date < least ? date : least;
		greatest = date > greatest ? date : greatest;
	}
	tw_availability_pass(a, now);
	ck_assert(tw_availability_least(a, now) == least);
	ck_assert(tw_availability_greatest(a, now) == greatest);
	for (double limit = least - 1; limit <= least + 3; limit++) {
		int32_t first = 0;
		while (first < n && date_of(&accounts[first], now) > limit)
			first++;
		ck_assert_int_eq(tw_availability_first(a, now, is_early_enough, &limit),
		                 first < n ? first : (int32_t)TW_NONE);
	}
}

START_TEST(least_greatest_and_first_are_those_of_all)
{
	const int32_t sizes[] = {1, 2, MEMBERS};
	struct account accounts[MEMBERS] = {0};
	struct tw_availability a;
	int32_t n = sizes[_i];
	double now = 0;
	tw_availability_init(&a, memory_alone(), n, true);
	srand(1);
	for (int step = 0; step < STEPS; step++) {
		int32_t member = rand() % n;
		accounts[member] = (struct account){now + rand() % 9 - 3, rand() % 4};
		tw_availability_set(&a, member, accounts[member].start, accounts[member].queued, now);
		now += rand() % 3 / 4.0;
		check(&a, accounts, n, now);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("availability");
	TCase *tests = tcase_create("all");
	tcase_add_loop_test(tests, least_greatest_and_first_are_those_of_all, 0, 3);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
