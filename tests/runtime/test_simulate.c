/* Simulations from a program, with tilewright/simulate.h. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/simulate.h>

static struct tw_simulation simulation(void)
{
	struct tw_simulation s;
	tw_simulation_init(&s);
	s.platform = "mirage";
	s.workload = "cholesky:nt=4";
	s.policy = "dmdas";
	s.engine = "native";
	s.validate = true;
	return s;
}

/* A program of earlier headers has smaller structures: members behind their ends keep their defaults, and nothing is
 * written there. */
START_TEST(smaller_structures_are_those_of_earlier_headers)
{
	struct tw_simulation s = simulation();
	struct tw_outcome outcome;
	struct tw_error err;
	s.size = offsetof(struct tw_simulation, trace);
	s.trace = "/nonexistent/trace.record";
	outcome.transferred_bytes = 42;
	const size_t size = offsetof(struct tw_outcome, transferred_bytes);
	ck_assert_msg(tw_simulate_sized(&s, &outcome, size, &err) == TW_OK, "%s", err.message);
	ck_assert_uint_eq(outcome.size, size);
	ck_assert_int_eq(outcome.tasks, 20);
	ck_assert_uint_eq(outcome.transferred_bytes, 42);
	s.size = sizeof s + 1;
	ck_assert_int_eq(tw_simulate(&s, &outcome, &err), TW_INVALID);
	s.size = 0;
	ck_assert_int_eq(tw_simulate(&s, &outcome, &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "tw_simulation_init"));
}
END_TEST

START_TEST(a_run_has_an_outcome)
{
	struct tw_simulation s = simulation();
	struct tw_outcome all, few, again;
	struct tw_error err;
	ck_assert_msg(tw_simulate(&s, &all, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(all.tasks, 20);
	ck_assert_double_ge(all.makespan_s, all.bound_critical_path_s);
	ck_assert_double_ge(all.makespan_s, all.bound_area_s);
	ck_assert_double_gt(all.bound_critical_path_s, 0);
	ck_assert_double_gt(all.gflops, 0);
	ck_assert(all.idle_ratio > 0 && all.idle_ratio < 1);
	ck_assert_int_gt(all.transfers, 0);
	ck_assert_uint_ge(all.transferred_bytes, (uint64_t)all.transfers);
	ck_assert_int_eq(tw_simulate(&s, &again, &err), TW_OK);
	ck_assert_double_eq(all.makespan_s, again.makespan_s);
	s.gpus = 0;
	s.cpus = 1;
	ck_assert_int_eq(tw_simulate(&s, &few, &err), TW_OK);
	ck_assert_int_eq(few.transfers, 0);
	ck_assert_double_gt(few.makespan_s, all.makespan_s);
}
END_TEST

START_TEST(little_memory_evicts)
{
	struct tw_simulation s = simulation();
	struct tw_outcome ample, little;
	struct tw_error err;
	s.workload = "cholesky:nt=12";
	ck_assert_int_eq(tw_simulate(&s, &ample, &err), TW_OK);
	s.gpu_mem_bytes = 64 << 20;
	ck_assert_int_eq(tw_simulate(&s, &little, &err), TW_OK);
	ck_assert_int_eq(ample.evictions, 0);
	ck_assert_int_gt(little.evictions, 0);
}
END_TEST

START_TEST(what_is_wrong_is_refused)
{
	static const struct {
		size_t member;
		const char *text, *part;
	} wrong[] = {
		{offsetof(struct tw_simulation, platform), NULL, "platform"},
		{offsetof(struct tw_simulation, workload), NULL, "workload"},
		{offsetof(struct tw_simulation, policy), NULL, "policy"},
		{offsetof(struct tw_simulation, platform), "nowhere", "nowhere"},
		{offsetof(struct tw_simulation, workload), "cholesky:nt=-1", "nt"},
		{offsetof(struct tw_simulation, policy), "nobody", "nobody"},
		{offsetof(struct tw_simulation, eviction), "nothing", "nothing"},
		{offsetof(struct tw_simulation, engine), "steam", "steam"},
		{offsetof(struct tw_simulation, runtime), "starpu:nt=3", "nt"},
		{offsetof(struct tw_simulation, trace), "/nowhere/trace.json", "/nowhere"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct tw_simulation s = simulation();
		struct tw_outcome outcome;
		struct tw_error err = {""};
		memcpy((char *)&s + wrong[i].member, &wrong[i].text, sizeof wrong[i].text);
		ck_assert_int_eq(tw_simulate(&s, &outcome, &err), TW_INVALID);
		ck_assert_msg(strstr(err.message, wrong[i].part) != NULL, "%s", err.message);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("simulate");
	TCase *cases = tcase_create("simulate");
	tcase_add_test(cases, a_run_has_an_outcome);
	tcase_add_test(cases, smaller_structures_are_those_of_earlier_headers);
	tcase_add_test(cases, little_memory_evicts);
	tcase_add_test(cases, what_is_wrong_is_refused);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
