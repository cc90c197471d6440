/* Kernels take exactly their given times, one after the other on each worker. Cancelled kernels leave no trace. */
#include "script.h"

static const char three_workers[] =
	"<host id='C' speed='3Gf' core='3'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>";

START_TEST(durations_are_exact)
{
	static const double seconds[] = {1e-9, 1e-6, 1.0 / 3, 18849.6875e-6, 7, 1000, 0};
	struct script s = {0};
	script_platform(&s, three_workers);
	script_exec(&s, 0.125, 1, seconds[_i]);
	script_play(&s);
	assert_answer(&s, 0, 0.125, 0.125 + seconds[_i]);
	script_finish(&s);
}
END_TEST

START_TEST(one_worker_runs_them_back_to_back)
{
	struct script s = {0};
	script_platform(&s, three_workers);
	script_exec(&s, 0, 0, 1e-3);
	script_exec(&s, 0, 0, 2e-3);
	script_exec(&s, 0.5e-3, 0, 1e-3);
	script_exec(&s, 10e-3, 0, 1e-3);
	script_play(&s);
	assert_answer(&s, 0, 0, 1e-3);
	assert_answer(&s, 1, 1e-3, 3e-3);
	assert_answer(&s, 2, 3e-3, 4e-3);
	assert_answer(&s, 3, 10e-3, 11e-3);
	script_finish(&s);
}
END_TEST

/* If dates are far apart, SimGrid's clock lags by a rounding error, and kernels below its precision do not advance
 * it. */
START_TEST(a_kernel_of_next_to_no_length_ends_when_it_starts_or_later)
{
	static const double seconds[] = {0, 1e-15, 1e-12, 1e-10};
	struct script s = {0};
	script_platform(&s, three_workers);
	for (int i = 0; i < 40; i++)
		script_exec(&s, 1e-9 * pow(2.1 + 0.1 * (_i % 4), i), i % 3, seconds[_i / 4]);
	script_play(&s);
	ck_assert_int_eq(s.n_ended, s.n_actions);
	script_finish(&s);
}
END_TEST

START_TEST(workers_are_independent)
{
	struct script s = {0};
	script_platform(&s, three_workers);
	for (int w = 0; w < 3; w++)
		script_exec(&s, 0, w, (3 - w) * 1e-3);
	script_play(&s);
	for (int w = 0; w < 3; w++) {
		assert_answer(&s, w, 0, (3 - w) * 1e-3);
		ck_assert_int_eq(s.answers[w].place, 2 - w);
	}
	script_finish(&s);
}
END_TEST

START_TEST(ends_of_one_date_come_in_the_order_of_the_starts)
{
	struct script s = {0};
	script_platform(&s, three_workers);
	for (int i = 0; i < 30; i++)
		script_exec(&s, 0, (2 * i + i / 3) % 3, 1e-3);
	script_play(&s);
	for (int i = 0; i < 30; i++) {
		assert_date(s.answers[i].end, (i / 3 + 1) * 1e-3);
		ck_assert_int_eq(s.answers[i].place, i);
	}
	script_finish(&s);
}
END_TEST

START_TEST(a_cancelled_kernel_makes_way)
{
	struct script s = {0};
	script_platform(&s, three_workers);
	script_exec(&s, 0, 0, 5e-3);
	script_exec(&s, 0, 0, 1e-3);
	script_exec(&s, 0, 1, 3e-3);
	script_cancel(&s, 2e-3, 0);
	script_play(&s);
	ck_assert(!s.answers[0].ended);
	assert_answer(&s, 1, 2e-3, 3e-3);
	assert_answer(&s, 2, 0, 3e-3);
	ck_assert_int_eq(s.n_ended, 2);
	assert_date(s.last, 3e-3);
	script_finish(&s);
}
END_TEST

START_TEST(a_cancelled_kernel_that_waits_is_left_out)
{
	struct script s = {0};
	script_platform(&s, three_workers);
	script_exec(&s, 0, 0, 5e-3);
	script_exec(&s, 0, 0, 1e-3);
	script_exec(&s, 0, 0, 2e-3);
	script_cancel(&s, 2e-3, 1);
	script_play(&s);
	assert_answer(&s, 0, 0, 5e-3);
	ck_assert(!s.answers[1].ended);
	assert_answer(&s, 2, 5e-3, 7e-3);
	script_finish(&s);
}
END_TEST

START_TEST(all_can_be_cancelled)
{
	struct script s = {0};
	script_platform(&s, three_workers);
	for (int i = 0; i < 3; i++)
		script_exec(&s, 0, 0, 5e-3);
	for (int i = 2; i >= 0; i--)
		script_cancel(&s, 1e-3, i);
	script_exec(&s, 1e-3, 0, 1e-3); /* submitted at the same date */
	script_exec(&s, 4e-3, 0, 1e-3);
	script_play(&s);
	ck_assert_int_eq(s.n_ended, 2);
	assert_answer(&s, 6, 1e-3, 2e-3);
	assert_answer(&s, 7, 4e-3, 5e-3);
	script_finish(&s);
}
END_TEST

/* Also at the date of its start. */
START_TEST(a_kernel_can_be_cancelled_at_once)
{
	struct script s = {0};
	script_platform(&s, three_workers);
	script_exec(&s, 1e-3, 0, 5e-3);
	script_cancel(&s, 1e-3, 0);
	script_exec(&s, 1e-3, 0, 1e-3);
	script_play(&s);
	ck_assert_int_eq(s.n_ended, 1);
	assert_answer(&s, 2, 1e-3, 2e-3);
	script_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("kernels");
	TCase *cases = tcase_create("kernels");
	tcase_add_loop_test(cases, durations_are_exact, 0, 7);
	tcase_add_test(cases, one_worker_runs_them_back_to_back);
	tcase_add_loop_test(cases, a_kernel_of_next_to_no_length_ends_when_it_starts_or_later, 0, 16);
	tcase_add_test(cases, workers_are_independent);
	tcase_add_test(cases, ends_of_one_date_come_in_the_order_of_the_starts);
	tcase_add_test(cases, a_cancelled_kernel_makes_way);
	tcase_add_test(cases, a_cancelled_kernel_that_waits_is_left_out);
	tcase_add_test(cases, all_can_be_cancelled);
	tcase_add_test(cases, a_kernel_can_be_cancelled_at_once);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
