/* The validator accepts a good schedule, and names the right rule for each way of breaking it. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "mutations.h"

typedef struct fixture F;

START_TEST(a_broken_schedule_is_named)
{
	struct fixture f;
	struct tw_error err = {""};
	enum tw__rule broken = TW__N_RULES;
	fixture_init(&f);
	mutations[_i].mutate(&f);
	int status = tw__validate(&f.input, &f.record, &broken, &err);
	const char *name = tw__rule_name(mutations[_i].rule);
	ck_assert_msg(status == TW_FAILED, "%s: accepted", mutations[_i].name);
	ck_assert_msg(broken == mutations[_i].rule, "%s: '%s' instead of '%s': %s", mutations[_i].name,
	              tw__rule_name(broken), name, err.message);
	ck_assert_msg(!strncmp(err.message, name, strlen(name)) && err.message[strlen(name)] == ':', "%s", err.message);
	/* Without asking for the rule, too; the record is sorted by now, which must not matter. */
	ck_assert_int_eq(tw__validate(&f.input, &f.record, NULL, &err), TW_FAILED);
	fixture_finish(&f);
}
END_TEST

START_TEST(a_measured_schedule_is_held_against_itself)
{
	struct fixture f;
	struct tw_error err = {""};
	enum tw__rule broken = TW__N_RULES;
	bool models = mutations[_i].needs_models;
	fixture_init(&f);
	f.record.measured = true;
	mutations[_i].mutate(&f);
	int status = tw__validate(&f.input, &f.record, &broken, &err);
	ck_assert_msg(status == (models ? TW_OK : TW_FAILED), "%s: %s", mutations[_i].name, err.message);
	ck_assert_msg(models || broken == mutations[_i].rule, "%s: %s", mutations[_i].name, err.message);
	fixture_finish(&f);
}
END_TEST

/* Whatever a schedule may do without breaking a rule. */
static void as_it_is(F *f) { (void)f; }
static void in_its_domains(F *f) { f->input.domains = fixture_domains; }
static void room_noted_in_main_memory(F *f) { add_room(f, 1, A, RAM, 0); }
static void release_later_than_end(F *f) { task_event(f, TW__RELEASE, 5)->date = NS(2.4); }
static void committed_at_release(F *f)
{
	data_event(f, TW__VALID, B, MEM1)->date = NS(1.5);
	data_event(f, TW__INVALID, B, RAM)->date = NS(1.5);
	task_event(f, TW__RELEASE, 1)->date = NS(1.5);
}
static void committed_just_after_release(F *f)
{
	struct tw__event release = *task_event(f, TW__RELEASE, 1);
	drop(f, task_event(f, TW__RELEASE, 1));
	put(f, data_event(f, TW__VALID, B, MEM1), release);
}
static void write_noted_as_valid_again(F *f)
{
	add(f, (struct tw__event){.date = NS(3.5), .kind = TW__VALID, .data = A, .node = MEM0});
}
static void invalid_before_valid_at_one_date(F *f)
{
	struct tw__event e = *data_event(f, TW__INVALID, C, RAM);
	drop(f, data_event(f, TW__INVALID, C, RAM));
	put(f, data_event(f, TW__VALID, C, MEM0), e);
}

/* An old copy may come, if it is not taken for valid. It has a link of its own, so it delays no other transfer. */
static void stale_copy_dropped(F *f)
{
	f->routes[RAM * N_NODES + MEM1].links = &f->route_links[1];
	add_transfer(f, 1, 2.5, A, RAM, MEM1);
	add_room(f, 1, A, MEM1, 2000);
	add(f, (struct tw__event){
		       .date = NS(2.5), .kind = TW__FREE, .data = A, .node = MEM1, .bytes = 1000, .offset = 2000});
}

/* Two transfers over a link that is not shared, each with all of its bandwidth. */
static void two_in_a_fat_pipe(F *f)
{
	f->links[0].sharing = TW__FATPIPE;
	add_transfer(f, 1.5, 3, C, RAM, MEM1);
	add_room(f, 1.5, C, MEM1, 2000);
}
static void two_in_a_measured_fat_pipe(F *f)
{
	two_in_a_fat_pipe(f);
	f->record.measured = true;
}
static void after_long(F *f)
{
	for (size_t i = 0; i < f->record.n; i++)
		f->record.events[i].date += NS(1e9);
	f->record.makespan += NS(1e9);
}
static void measured_after_long(F *f)
{
	after_long(f);
	f->record.measured = true;
}
/* A run whose copies do nothing (kernels=empty): they take no time on their links. */
static void copies_that_do_nothing(F *f)
{
	data_event(f, TW__TRANSFER_END, C, MEM0)->date = NS(1.5);
	f->record.measured = f->input.moves_nothing = true;
}
/* A queued write-back starts and ends after the last task. */
static void written_back_after_all_tasks(F *f) { add_transfer(f, 12.6, 14.1, A, MEM1, RAM); }

static void (*const harmless[])(F *) = {written_back_after_all_tasks,
                                        two_in_a_fat_pipe,
                                        two_in_a_measured_fat_pipe,
                                        after_long,
                                        measured_after_long,
                                        copies_that_do_nothing,
                                        as_it_is,
                                        in_its_domains,
                                        move_task_5_to_the_cpu,
                                        task_5_arrives_with_its_submission,
                                        room_noted_in_main_memory,
                                        release_later_than_end,
                                        committed_at_release,
                                        committed_just_after_release,
                                        write_noted_as_valid_again,
                                        invalid_before_valid_at_one_date,
                                        stale_copy_dropped};

START_TEST(a_good_schedule_is_accepted)
{
	struct fixture f;
	struct tw_error err = {""};
	enum tw__rule broken = TW__N_RULES;
	fixture_init(&f);
	harmless[_i](&f);
	ck_assert_msg(tw__validate(&f.input, &f.record, &broken, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(broken, TW__N_RULES);
	fixture_finish(&f);
}
END_TEST

/* An event that is left out or comes twice is noticed, whichever it is, save where the record is then still a
 * schedule. */
START_TEST(every_event_counts)
{
	size_t n = 0, unnoticed = 0;
	for (size_t i = 0; i == 0 || i < n; i++) {
		struct fixture f;
		struct tw_error err = {""};
		fixture_init(&f);
		n = f.record.n;
		struct tw__event e = f.record.events[i];
		drop(&f, &f.record.events[i]);
		/* Room and validity may end later, or never. */
		bool optional = e.kind == TW__FREE || (e.kind == TW__INVALID && e.date == NS(3));
		int status = tw__validate(&f.input, &f.record, NULL, &err);
		ck_assert_msg(optional || status == TW_FAILED, "event %zu of kind %d at %g is not missed", i, e.kind,
		              tw__seconds(e.date));
		unnoticed += status == TW_OK;
		fixture_finish(&f);
	}
	ck_assert_uint_le(unnoticed, 3);
}
END_TEST

enum { MANY = 200 }; /* workers */

/* On a platform with many workers, task 0 runs on `ran`, and `ready` is said to release task 2, its successor. */
static int validate_releaser(int ran, int ready, struct tw_error *err)
{
	struct fixture f;
	struct tw__worker workers[MANY];
	fixture_init(&f);
	for (int w = 0; w < MANY; w++)
		workers[w] = f.workers[w < N_WORKERS ? w : GPU0];
	f.platform.workers = workers;
	f.platform.n_workers = MANY;
	for (enum tw__event_kind kind = TW__ASSIGN; kind <= TW__RELEASE; kind++)
		task_event(&f, kind, 0)->worker = (int16_t)ran;
	task_event(&f, TW__READY, 2)->worker = (int16_t)ready;
	task_event(&f, TW__READY, 3)->worker = (int16_t)ran;
	int status = tw__validate(&f.input, &f.record, NULL, err);
	fixture_finish(&f);
	return status;
}

START_TEST(the_releaser_is_one_of_many_workers)
{
	struct tw_error err = {""};
	for (int first = 0; first < MANY - 64; first++) {
		if (first == GPU1 || first == CPU)
			continue;
		ck_assert_msg(validate_releaser(first, first, &err) == TW_OK, "%s", err.message);
		ck_assert_msg(validate_releaser(first, first + 64, &err) == TW_FAILED, "worker %d", first);
		ck_assert_ptr_nonnull(strstr(err.message, "which has released none of its predecessors"));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("validate");
	TCase *tests = tcase_create("rules");
	tcase_add_loop_test(tests, a_good_schedule_is_accepted, 0, sizeof harmless / sizeof *harmless);
	tcase_add_loop_test(tests, a_broken_schedule_is_named, 0, n_mutations);
	tcase_add_loop_test(tests, a_measured_schedule_is_held_against_itself, 0, n_mutations);
	tcase_add_test(tests, every_event_counts);
	tcase_add_test(tests, the_releaser_is_one_of_many_workers);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
