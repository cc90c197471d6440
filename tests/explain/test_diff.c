/* Two runs beside each other: the schedule of trace/fixture.h, and the same with changes. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../trace/fixture.h"
#include "explain/diff.h"
#include "base/spec.h"

static struct fixture a, b;
static struct tw__diff d;

static struct tw__explained_run run_of(struct fixture *f)
{
	return (struct tw__explained_run){.platform = &f->platform,
	                                  .graph = f->graph,
	                                  .program = f->graph,
	                                  .times = &f->times,
	                                  .capacity = f->capacity,
	                                  .homes = {.first = RAM},
	                                  .record = &f->record};
}

static void begin(void)
{
	fixture_init(&a);
	fixture_init(&b);
}

static void compare(void)
{
	static struct tw__explained_run of_a, of_b; /* as long as the comparison */
	struct tw_error err = {""};
	of_a = run_of(&a);
	of_b = run_of(&b);
	int status = tw__diff_init(&d, &of_a, &of_b, &err);
	ck_assert_msg(status == TW_OK, "%s", err.message);
}

static void end(void)
{
	tw__diff_finish(&d);
	fixture_finish(&a);
	fixture_finish(&b);
}

static void sentences(char *text, size_t size)
{
	FILE *f = fmemopen(text, size, "w");
	tw__diff_sentences(f, &d);
	fclose(f);
}

static void rename_to(char **name, const char *other)
{
	free(*name);
	*name = strdup(other);
}

/* Task 5 moves to the CPU, where it takes 3 s: from 1 s to 4 s. */
static void move_task_5(struct fixture *f)
{
	const enum tw__event_kind kinds[] = {TW__ASSIGN, TW__START, TW__END, TW__RELEASE};
	for (int i = 0; i < 4; i++) {
		struct tw__event *e = task_event(f, kinds[i], 5);
		e->worker = CPU;
		e->node = RAM;
		e->date = i >= 2 ? NS(4) : e->date;
	}
}

/* The kernel of task 3 takes a second longer, and all that comes later is a second later. */
static void slow_down_task_3(struct fixture *f)
{
	for (size_t i = 0; i < f->record.n; i++)
		f->record.events[i].date += f->record.events[i].date >= NS(9) ? NS(1) : 0;
	f->record.makespan += NS(1);
}

START_TEST(a_run_is_the_same_as_itself)
{
	char text[500] = "";
	begin();
	compare();
	ck_assert(d.same);
	ck_assert_int_eq(d.first_start, TW_NONE);
	ck_assert_int_eq(d.first_assign, TW_NONE);
	ck_assert_int_eq(d.n_other_worker + d.n_other_kind + d.n_other_date, 0);
	ck_assert_int_eq(d.n_most, 0);
	sentences(text, sizeof text);
	ck_assert_msg(strstr(text, "same schedule"), "%s", text);
	end();
}
END_TEST

START_TEST(a_task_on_another_worker_has_moved)
{
	begin();
	move_task_5(&b);
	compare();
	ck_assert(!d.same);
	ck_assert_int_eq(d.first_start, 5);
	ck_assert_int_eq(d.first_assign, 5);
	ck_assert_int_eq(d.n_other_worker, 1);
	ck_assert_int_eq(d.n_other_kind, 1);
	ck_assert_int_eq(d.n_other_date, 0);
	ck_assert_uint_eq(d.n_kind_moves, 1);
	ck_assert_str_eq(d.kinds.list[d.kind_moves[0].from], "gpu");
	ck_assert_str_eq(d.kinds.list[d.kind_moves[0].to], "cpu");
	ck_assert_uint_eq(d.n_worker_moves, 1);
	ck_assert_str_eq(d.workers.list[d.worker_moves[0].from], "CUDA1");
	ck_assert_str_eq(d.workers.list[d.worker_moves[0].to], "CPU0");
	ck_assert_int_eq(d.n_most, 1);
	ck_assert_int_eq(d.most[0], 5);
	ck_assert_int_eq(d.tasks[0][5].held, NS(1)); /* behind task 1, which ends at 1 s */
	ck_assert_int_eq(d.tasks[1][5].held, NS(4)); /* assigned at 0 s, and no task before it */
	end();
}
END_TEST

START_TEST(a_longer_kernel_is_the_difference)
{
	enum tw__why order[TW__N_WHY];
	tw__ns sum = 0;
	begin();
	slow_down_task_3(&b);
	compare();
	ck_assert_int_eq(d.first_start, 4);
	ck_assert_int_eq(d.first_assign, TW_NONE);
	ck_assert_int_eq(d.n_other_date, 1);
	for (int why = 0; why < TW__N_WHY; why++)
		sum += d.of[1].chain[why] - d.of[0].chain[why];
	ck_assert_int_eq(sum, NS(1));
	int n = tw__diff_order(&d, order);
	ck_assert_int_gt(n, 0);
	ck_assert_int_ne(d.of[1].chain[order[0]], d.of[0].chain[order[0]]);
	for (int i = 1; i < n; i++)
		ck_assert_int_ge(llabs(d.of[1].chain[order[i - 1]] - d.of[0].chain[order[i - 1]]),
		                 llabs(d.of[1].chain[order[i]] - d.of[0].chain[order[i]]));
	ck_assert(d.tasks[0][3].on_chain && d.tasks[1][3].on_chain);
	ck_assert(!d.tasks[0][5].on_chain);
	end();
}
END_TEST

START_TEST(makespans_are_compared_in_words)
{
	static const struct {
		double more_s;
		const char *text;
	} cases[] = {
		{0, "Both runs take 12.5 s.\n"},
		{2.5, "B is 20 % slower than A: it takes 2.5 s more.\n"},
		{20, "B takes 2.6 times as long as A: 20 s more.\n"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[1000] = "";
		begin();
		move_task_5(&b);
		b.record.makespan += NS(cases[i].more_s);
		compare();
		sentences(text, sizeof text);
		ck_assert_msg(!strncmp(text, cases[i].text, strlen(cases[i].text)), "%s", text);
		end();
	}
}
END_TEST

START_TEST(workers_and_memories_are_known_by_name)
{
	begin();
	rename_to(&b.workers[CPU].name, "CPU7");
	rename_to(&b.nodes[MEM1].name, "GPU9");
	compare();
	ck_assert_int_eq(d.workers.n, N_WORKERS + 1);
	ck_assert_int_eq(d.workers.in[0][N_WORKERS], TW_NONE);
	ck_assert_int_eq(d.workers.in[1][N_WORKERS], CPU);
	ck_assert_int_eq(d.workers.in[1][CPU], TW_NONE);
	ck_assert_int_eq(d.n_other_worker, 1); /* task 3, on a worker of the same kind */
	ck_assert_int_eq(d.n_other_kind, 0);
	ck_assert_int_eq(d.first_assign, 3);
	ck_assert_uint_eq(d.n_bytes, 6); /* those to GPU1 and to GPU9 are two */
	for (size_t i = 0; i < d.n_bytes; i++) {
		const struct tw__diff_bytes *row = &d.bytes[i];
		const char *to = d.memories.list[row->to];
		bool only_a = !strcmp(to, "GPU1"), only_b = !strcmp(to, "GPU9");
		ck_assert_int_eq(row->transfers[0], !only_b);
		ck_assert_int_eq(row->transfers[1], !only_a);
		ck_assert_uint_eq(row->bytes[0], only_b ? 0 : 1000);
	}
	end();
}
END_TEST

START_TEST(another_cause_is_another_row)
{
	begin();
	data_event(&b, TW__TRANSFER_START, A, MEM1)->cause = TW__PREFETCH;
	compare();
	ck_assert(!d.same);
	ck_assert_int_eq(d.n_other_worker + d.n_other_date, 0);
	ck_assert_uint_eq(d.n_bytes, 6);
	end();
}
END_TEST

START_TEST(tasks_that_did_not_run_are_compared)
{
	const enum tw__event_kind kinds[] = {TW__ASSIGN, TW__START, TW__END, TW__RELEASE};
	char text[1000] = "";
	begin();
	for (int i = 0; i < 4; i++)
		drop(&b, task_event(&b, kinds[i], 5));
	compare();
	ck_assert_int_eq(d.first_start, 5);
	ck_assert_int_eq(d.tasks[1][5].worker, TW_NONE);
	sentences(text, sizeof text);
	ck_assert_msg(strstr(text, "in B it does not run"), "%s", text);
	end();
}
END_TEST

START_TEST(other_graphs_are_refused)
{
	struct tw_error err = {""};
	begin();
	struct tw__explained_run of_a = run_of(&a), of_b = run_of(&b);
	b.graph->kernel[5] = WORK;
	ck_assert_int_eq(tw__diff_init(&d, &of_a, &of_b, &err), TW_INVALID);
	ck_assert_msg(!strncmp(err.message, "task 5 has kernel make in A, and work in B", 42), "%s", err.message);
	ck_assert_ptr_null(d.bytes);
	fixture_finish(&a);
	fixture_finish(&b);
}
END_TEST

START_TEST(durations_have_the_fitting_unit)
{
	static const struct {
		double s;
		const char *text, *difference;
	} cases[] = {
		{0, "0 s", "0 s"},
		{1, "1 s", "+1 s"},
		{1234.5, "1234 s", "+1234 s"},
		{0.0125, "12.5 ms", "+12.5 ms"},
		{0.99999999, "1 s", "+1 s"},
		{0.00241 - 0.00141, "1 ms", "+1 ms"},
		{-3e-6, "-3 us", "-3 us"},
		{2e-9, "2 ns", "+2 ns"},
		{0.3 - 0.2 - 0.1, "0 s", "0 s"},
		{292e9, "2.92e+11 s", "+2.92e+11 s"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[TW__DURATION_TEXT];
		tw__duration_text(text, cases[i].s);
		ck_assert_str_eq(text, cases[i].text);
		tw__difference_text(text, cases[i].s);
		ck_assert_str_eq(text, cases[i].difference);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("diff");
	TCase *c = tcase_create("all");
	tcase_add_test(c, a_run_is_the_same_as_itself);
	tcase_add_test(c, a_task_on_another_worker_has_moved);
	tcase_add_test(c, a_longer_kernel_is_the_difference);
	tcase_add_test(c, makespans_are_compared_in_words);
	tcase_add_test(c, workers_and_memories_are_known_by_name);
	tcase_add_test(c, another_cause_is_another_row);
	tcase_add_test(c, tasks_that_did_not_run_are_compared);
	tcase_add_test(c, other_graphs_are_refused);
	tcase_add_test(c, durations_have_the_fitting_unit);
	suite_add_tcase(s, c);
	SRunner *r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
