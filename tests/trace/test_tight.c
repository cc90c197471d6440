/* Each rule that compares dates refuses a schedule that is wrong by 1 ns, at all dates: no tolerance grows with the
 * date. The rates of SimGrid's solver have errors, so its schedules are refused if they are wrong by 1 ns and 4 units
 * in the last place of the date. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "fixture.h"

typedef struct fixture F;

static void move(struct tw__event *e, tw__ns by) { e->date += by; }

static void assigned_after_start(F *f, tw__ns by)
{
	task_event(f, TW__ASSIGN, 3)->date = task_event(f, TW__START, 3)->date + by;
}
static void ready_before_release(F *f, tw__ns by) { move(task_event(f, TW__READY, 2), -by); }
static void started_before_last_kernel_ends(F *f, tw__ns by)
{
	move(task_event(f, TW__START, 5), -by);
	move(task_event(f, TW__END, 5), -by);
	move(task_event(f, TW__RELEASE, 5), -by);
}
static void longer(F *f, tw__ns by)
{
	move(task_event(f, TW__END, 5), by);
	move(task_event(f, TW__RELEASE, 5), by);
}
static void shorter(F *f, tw__ns by) { move(task_event(f, TW__END, 5), -by); }
static void started_before_input_arrives(F *f, tw__ns by)
{
	move(task_event(f, TW__START, 0), -by);
	move(task_event(f, TW__END, 0), -by);
}
static void invalid_before_release(F *f, tw__ns by) { move(data_event(f, TW__INVALID, A, MEM0), -by); }
static void invalidated_after_write(F *f, tw__ns by) { move(data_event(f, TW__INVALID, B, RAM), by); }
static void valid_before_arrival(F *f, tw__ns by) { move(data_event(f, TW__VALID, C, MEM0), -by); }
static void dropped_before_its_copy_arrives(F *f, tw__ns by)
{
	data_event(f, TW__INVALID, C, MEM0)->date = data_event(f, TW__VALID, C, RAM)->date - by;
}
static void freed_before_release(F *f, tw__ns by) { move(data_event(f, TW__FREE, A, MEM0), -by); }
static void taken_before_it_is_free(F *f, tw__ns by)
{
	struct tw__event e = *data_event(f, TW__ALLOC, A, MEM0);
	e.date = data_event(f, TW__FREE, A, MEM0)->date - by;
	add(f, e);
}
static void leaves_before_commit(F *f, tw__ns by) { move(data_event(f, TW__TRANSFER_START, A, RAM), -by); }
static void arrives(F *f, tw__ns by)
{
	move(data_event(f, TW__TRANSFER_END, C, RAM), by);
	move(data_event(f, TW__VALID, C, RAM), by);
}
static void arrives_late(F *f, tw__ns by) { arrives(f, by); }
static void arrives_early(F *f, tw__ns by) { arrives(f, -by); }
static void leaves_later(F *f, tw__ns by) { move(data_event(f, TW__TRANSFER_START, C, RAM), by); }
static void leaves_earlier(F *f, tw__ns by) { move(data_event(f, TW__TRANSFER_START, C, RAM), -by); }
static void makespan_too_great(F *f, tw__ns by) { f->record.makespan += by; }
static void makespan_too_small(F *f, tw__ns by) { f->record.makespan -= by; }
static void freed_after_the_end(F *f, tw__ns by) { data_event(f, TW__FREE, C, MEM0)->date = f->record.makespan + by; }

static const struct {
	enum tw__rule rule;
	void (*alter)(F *, tw__ns by);
} ways[] = {
	{TW__RULE_ONCE, assigned_after_start},
	{TW__RULE_DEPENDENCIES, ready_before_release},
	{TW__RULE_EXCLUSIVE, started_before_last_kernel_ends},
	{TW__RULE_DURATION, longer},
	{TW__RULE_DURATION, shorter},
	{TW__RULE_INPUTS, started_before_input_arrives},
	{TW__RULE_INPUTS, invalid_before_release},
	{TW__RULE_COHERENCE, invalidated_after_write},
	{TW__RULE_COHERENCE, valid_before_arrival},
	{TW__RULE_LAST_COPY, dropped_before_its_copy_arrives},
	{TW__RULE_PINNED, freed_before_release},
	{TW__RULE_CAPACITY, taken_before_it_is_free},
	{TW__RULE_TRANSFER, leaves_before_commit},
	{TW__RULE_TRANSFER, arrives_late},
	{TW__RULE_TRANSFER, arrives_early},
	{TW__RULE_TRANSFER, leaves_later},
	{TW__RULE_TRANSFER, leaves_earlier},
	{TW__RULE_MAKESPAN, makespan_too_great},
	{TW__RULE_MAKESPAN, makespan_too_small},
	{TW__RULE_MAKESPAN, freed_after_the_end},
};
static const double dates_s[] = {0, 1, 1e5, 1e9, 9e9};

static tw__ns four_units(double seconds)
{
	return (tw__ns)ceil(4 * (nextafter(seconds, INFINITY) - seconds) * TW__NS_PER_S);
}

/* Checks the schedule at a date, after a way of altering it; `alter` NULL: as it is. */
static void check(size_t way, double date_s, bool rounds, tw__ns by)
{
	struct fixture f;
	struct tw_error err = {""};
	enum tw__rule broken = TW__N_RULES;
	const bool alters = way < sizeof ways / sizeof *ways;
	fixture_init(&f);
	f.record.rounds = rounds;
	for (size_t i = 0; i < f.record.n; i++)
		f.record.events[i].date += NS(date_s);
	f.record.makespan += NS(date_s);
	if (alters)
		ways[way].alter(&f, by);
	int status = tw__validate(&f.input, &f.record, &broken, &err);
	ck_assert_msg(status == (alters ? TW_FAILED : TW_OK), "way %zu at %g s by %d ns: %s", way, date_s, (int)by,
	              err.message);
	ck_assert_msg(!alters || broken == ways[way].rule, "way %zu at %g s by %d ns: %s", way, date_s, (int)by,
	              err.message);
	fixture_finish(&f);
}

START_TEST(a_nanosecond_is_refused)
{
	for (size_t d = 0; d < sizeof dates_s / sizeof *dates_s; d++) {
		check((size_t)_i, dates_s[d], false, 1);
		for (int rounds = 0; rounds < 2; rounds++)
			check((size_t)_i, dates_s[d], rounds, 1 + four_units(dates_s[d]));
	}
}
END_TEST

START_TEST(the_schedule_is_valid_at_all_dates)
{
	for (size_t d = 0; d < sizeof dates_s / sizeof *dates_s; d++)
		for (int rounds = 0; rounds < 2; rounds++)
			check(SIZE_MAX, dates_s[d], rounds, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tight");
	TCase *tests = tcase_create("dates");
	tcase_add_loop_test(tests, a_nanosecond_is_refused, 0, sizeof ways / sizeof *ways);
	tcase_add_test(tests, the_schedule_is_valid_at_all_dates);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
