/* Workers of scheduling domains: the schedule of trace/fixture.h, with its domains. */
#include <check.h>
#include <string.h>

#include "../trace/fixture.h"
#include "explain/explain.h"

static struct fixture f;
static struct tw__explained_run run;
static struct tw__explanation e;

/* GPU1 takes task 5 at 1 s. So the task is ready from 0 s to 1 s. */
static void begin(const struct tw__run_domains *d)
{
	struct tw_error err = {""};
	fixture_init(&f);
	task_event(&f, TW__ASSIGN, 5)->date = NS(1);
	run = (struct tw__explained_run){.platform = &f.platform,
	                                 .graph = f.graph,
	                                 .times = &f.times,
	                                 .capacity = f.capacity,
	                                 .homes = {.first = RAM},
	                                 .domains = *d,
	                                 .record = &f.record};
	ck_assert_msg(tw__explain_schedule(&e, &run, &err) == TW_OK, "%s", err.message);
}

static void end(void)
{
	tw__explanation_finish(&e);
	fixture_finish(&f);
}

/* Times of a kind, in seconds; their sum is 12.5 s for each worker. */
static void check_kind(int kind, const char *text, double kernels, double dependencies, double data, double policy,
                       double runtime, double nothing)
{
	char is[TW__KIND_TEXT];
	const tw__ns *of = e.kinds[kind].of;
	ck_assert_str_eq(tw__kind_text(is, &e.kinds[kind], &run.domains), text);
	ck_assert_int_eq(of[TW__WHY_KERNELS], NS(kernels));
	ck_assert_int_eq(of[TW__WHY_DEPENDENCIES], NS(dependencies));
	ck_assert_int_eq(of[TW__WHY_DATA], NS(data));
	ck_assert_int_eq(of[TW__WHY_POLICY], NS(policy));
	ck_assert_int_eq(of[TW__WHY_RUNTIME], NS(runtime));
	ck_assert_int_eq(of[TW__WHY_NOTHING], NS(nothing));
	ck_assert_int_eq(of[TW__WHY_MEMORY] + of[TW__WHY_SUBMISSION] + of[TW__WHY_CANCELLED], 0);
}

/* The CPU waits for tasks 2 and 3 until 3.5 s, then for A until 5 s, and computes until 9 s; nothing is left then.
 * GPU0 waits for A until 1.5 s, computes for 2 s twice, and releases task 2 in 0.1 s; nothing is left from 5.6 s on.
 * GPU1 computes for 1 s twice, waits for task 3 from 2 s to 9 s, then for A until 10.5 s, and computes for 2 s. */
START_TEST(a_worker_waits_for_tasks_of_its_domain)
{
	begin(&fixture_domains);
	ck_assert_int_eq(e.n_kinds, 3);
	check_kind(0, "cpu in first", 4, 3.5, 1.5, 0, 0, 12.5 - 9);
	check_kind(1, "gpu in first", 2 + 2, 0, 1.5, 0, 0.1, 12.5 - 5.6);
	check_kind(2, "gpu in second", 1 + 1 + 2, 9 - 2, 1.5, 0, 0, 0);
	end();
}
END_TEST

/* Task 5 is ready from 0 s to 1 s, and the CPU could run it. Task 4 is left for GPU0 until 9 s. */
START_TEST(without_domains_it_waits_for_any_task)
{
	begin(&(struct tw__run_domains){0});
	ck_assert_int_eq(e.n_kinds, 2);
	check_kind(0, "cpu", 4, 3.5 - 1, 1.5, 1, 0, 12.5 - 9);
	check_kind(1, "gpu", 4 + 4, (9 - 5.6) + 7, 1.5 + 1.5, 0, 0.1, 12.5 - 9);
	end();
}
END_TEST

/* Task 3 runs on the CPU from 5 s to 9 s. A GPU takes 1.5 s for A and 2 s for the kernel. GPU1 is free from 5 s on, and
 * would end at 8.5 s. GPU0 is free from 5.6 s on: it would end at 9.1 s. */
START_TEST(only_workers_of_the_domain_are_faster)
{
	begin(&fixture_domains);
	ck_assert_int_eq(e.chain[TW__WHY_SLOW], 0);
	end();
	begin(&(struct tw__run_domains){0});
	ck_assert_int_eq(e.chain[TW__WHY_SLOW], NS(9 - 8.5));
	end();
}
END_TEST

/* GPU1 belongs to both domains, and GPU0 to none. */
START_TEST(a_worker_can_have_several_domains_or_none)
{
	static const bool cpu_and_gpu[] = {[GPU0] = false, [GPU1] = true, [CPU] = true};
	const bool *const have[] = {cpu_and_gpu, fixture_domains.workers[1]};
	struct tw__run_domains d = fixture_domains;
	d.workers = have;
	char text[TW__KIND_TEXT];
	begin(&d);
	ck_assert_str_eq(tw__kind_text(text, &e.kinds[1], &run.domains), "gpu in none");
	ck_assert_int_eq(e.kinds[1].of[TW__WHY_NOTHING], NS(12.5 - 5.6));
	ck_assert_str_eq(tw__kind_text(text, &e.kinds[2], &run.domains), "gpu in first+second");
	end();
}
END_TEST

START_TEST(tables_and_sentences_name_domains)
{
	char text[5000] = "";
	const struct tw__explained_name name = {.platform = "p", .workload = "w", .policy = "d"};
	begin(&fixture_domains);
	FILE *file = fmemopen(text, sizeof text, "w");
	tw__explanation_print(file, &e, &run, &name, false);
	fclose(file);
	ck_assert_msg(strstr(text, "Workers of kind gpu in first compute 32 % of the time; in 55 %, no task is left "
	                           "that they could run."),
	              "%s", text);
	ck_assert_msg(strstr(text, "  gpu              second        1     32.0 "), "%s", text);
	json_t *json = tw__explanation_json(&e, &run, &name, false),
	       *kind = json_array_get(json_object_get(json, "workers"), 2);
	ck_assert_str_eq(json_string_value(json_object_get(kind, "kind")), "gpu");
	ck_assert_uint_eq(json_array_size(json_object_get(kind, "domains")), 1);
	ck_assert_str_eq(json_string_value(json_array_get(json_object_get(kind, "domains"), 0)), "second");
	json_decref(json);
	end();
}
END_TEST

/* Comparisons of runs know kinds by their names: both GPUs are of one kind. */
START_TEST(comparisons_have_kinds_without_domains)
{
	struct tw_error err = {""};
	begin(&fixture_domains);
	tw__explanation_finish(&e);
	run.briefly = true;
	ck_assert_int_eq(tw__explain_schedule(&e, &run, &err), TW_OK);
	ck_assert_int_eq(e.n_kinds, 2);
	ck_assert_int_eq(e.kinds[1].n_workers, 2);
	ck_assert_int_eq(e.kinds[1].of[TW__WHY_NOTHING], NS(12.5 - 5.6)); /* GPU0's */
	ck_assert_int_eq(e.kinds[1].of[TW__WHY_DEPENDENCIES], NS(9 - 2)); /* GPU1's */
	end();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("explained domains");
	TCase *t = tcase_create("domains");
	suite_add_tcase(s, t);
	tcase_add_test(t, a_worker_waits_for_tasks_of_its_domain);
	tcase_add_test(t, without_domains_it_waits_for_any_task);
	tcase_add_test(t, only_workers_of_the_domain_are_faster);
	tcase_add_test(t, a_worker_can_have_several_domains_or_none);
	tcase_add_test(t, tables_and_sentences_name_domains);
	tcase_add_test(t, comparisons_have_kinds_without_domains);
	SRunner *r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? 1 : 0;
}
