/* The seconds that tasks have of their own, on each arch. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models_of.h"

static const char rows[] = HEADER "k,cpu,1,8,s,100000000,0,1,\nk,m2070-0,1,8,s,50000000,0,1,\n";

static tw_arch arch_of(const char *name)
{
	tw_arch a = 0;
	while (a < mirage->n_archs && strcmp(mirage->archs[a].name, name) != 0)
		a++;
	ck_assert_msg(a < mirage->n_archs, "no arch %s", name);
	return a;
}

/* Seconds of a task; 0: not given. */
struct given {
	double seconds, processors, accelerators, cpu, m2070;
};

static void submit(struct tw_graph *g, tw_kernel kernel, const struct given *given)
{
	tw_task t = tw_graph_submit(g, kernel, 0, NULL, 0);
	if (given->seconds > 0)
		tw_graph_set_seconds(g, t, given->seconds);
	if (given->processors > 0)
		tw_graph_set_seconds_on(g, "processors", given->processors);
	if (given->cpu > 0)
		tw_graph_set_seconds_on(g, "cpu", given->cpu);
	if (given->m2070 > 0)
		tw_graph_set_seconds_on(g, "m2070-0", given->m2070);
	if (given->accelerators > 0)
		tw_graph_set_seconds_on(g, "accelerators", given->accelerators);
}

/* A graph of one kernel with times in `rows`, whose tasks are recorded on processors. */
static struct tw_graph *graph_with(int n, const struct given *given, const char *archs)
{
	struct tw_error err = {""};
	struct tw_graph *g = tw_graph_create();
	tw_kernel kernel = tw_graph_recorded_kernel(g, "k", "8", "s", 1, "processors");
	tw_graph_restrict(g, kernel, archs);
	for (int i = 0; i < n; i++)
		submit(g, kernel, &given[i]);
	ck_assert_msg(tw_graph_finish(g, &err) == TW_OK, "%s", err.message);
	return g;
}

static struct tw__times bound(const struct tw_graph *g)
{
	struct tw__times times;
	struct tw_error err = {""};
	struct tw__models *models = models_of(rows);
	ck_assert_msg(tw__times_bind(&times, models, mirage, g, &err) == TW_OK, "%s", err.message);
	tw__models_destroy(models);
	return times;
}

START_TEST(the_most_special_seconds_count)
{
	static const struct {
		struct given given;
		double cpu, m2070;
	} cases[] = {
		{{0, 0, 0, 0, 0}, 100, 50}, {{7, 0, 0, 0, 0}, 7, 50}, {{7, 6, 0, 0, 0}, 6, 50},
		{{7, 6, 5, 0, 0}, 6, 5},    {{7, 6, 5, 4, 0}, 4, 5},  {{7, 6, 5, 4, 3}, 4, 3},
		{{0, 0, 5, 0, 3}, 100, 3},  {{7, 0, 0, 4, 0}, 4, 50}, {{0, 0, 0, 0, 3}, 100, 3},
	};
	enum { N = sizeof cases / sizeof cases[0] };
	struct given all[N];
	for (int i = 0; i < N; i++)
		all[i] = cases[i].given;
	struct tw_graph *g = graph_with(N, all, NULL);
	struct tw__times times = bound(g);
	for (tw_task t = 0; t < N; t++) {
		ck_assert_double_eq(tw__task_seconds(&times, g, t, arch_of("cpu")), cases[t].cpu);
		ck_assert_double_eq(tw__task_seconds(&times, g, t, arch_of("m2070-0")), cases[t].m2070);
	}
	tw__times_finish(&times);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(a_restricted_kernel_runs_nowhere_else)
{
	static const struct given all = {7, 6, 5, 4, 3};
	struct tw_graph *g = graph_with(1, &all, "processors");
	struct tw__times times = bound(g);
	ck_assert(tw__task_can_run(&times, g, 0, arch_of("cpu")));
	ck_assert(!tw__task_can_run(&times, g, 0, arch_of("m2070-0")));
	ck_assert(!times.recorded[arch_of("m2070-0")]);
	tw__times_finish(&times);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(kernels_without_own_times_have_equal_tasks)
{
	static const struct given none[2] = {{0}};
	struct tw_graph *g = graph_with(2, none, NULL);
	struct tw__times times = bound(g);
	ck_assert(tw__times_are_equal(&times, 0, arch_of("cpu")));
	ck_assert(!times.has_recorded && !times.own[arch_of("cpu")]);
	tw__times_finish(&times);
	tw_graph_destroy(g);
}
END_TEST

/* A kernel's name counts before "*", and an arch before none; what is measured or given for the arch stays. */
START_TEST(speed_ups_are_for_recorded_seconds)
{
	static const struct {
		const char *speedups, *kernel; /* "k" has times in `rows`, and "other" has none */
		struct given given;
		double cpu, m2070;
	} cases[] = {
		{"*=4", "other", {8, 0, 0, 0, 0}, 8, 2},
		{"*=4,other=8", "other", {8, 0, 0, 0, 0}, 8, 1},
		{"*@m2070-0=4,*=8", "other", {8, 0, 0, 0, 0}, 8, 2},
		{"other=16,*@m2070-0=4", "other", {8, 0, 0, 0, 0}, 8, 0.5},
		{"*=4", "k", {8, 0, 0, 0, 0}, 8, 50},
		{"*=4", "other", {8, 12, 0, 0, 0}, 12, 3},
		{"*=4", "other", {8, 0, 7, 0, 0}, 8, 7},
		{"*=4", "other", {8, 0, 0, 0, 7}, 8, 7},
		{"*@processors=4", "other", {8, 0, 1, 0, 0}, 2, 1},
		{"*=1e300", "other", {8, 0, 0, 0, 0}, 8, 1e-9},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tw_error err = {""};
		struct tw__factors speedups;
		struct tw__times times;
		struct tw_graph *g = tw_graph_create();
		submit(g, tw_graph_recorded_kernel(g, cases[i].kernel, "8", "s", 1, "processors"), &cases[i].given);
		ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
		struct tw__models *models = models_of(rows);
		tw__models_speed_up(models, &speedups, NULL, NULL);
		ck_assert_msg(tw__factors_parse(&speedups, &tw__speedup_option, cases[i].speedups, &err) == TW_OK, "%s",
		              err.message);
		ck_assert_msg(tw__factors_bind(&speedups, mirage, g, &err) == TW_OK, "%s", err.message);
		ck_assert_msg(tw__times_bind(&times, models, mirage, g, &err) == TW_OK, "%s", err.message);
		ck_assert_double_eq(tw__task_seconds(&times, g, 0, arch_of("cpu")), cases[i].cpu);
		ck_assert_double_eq(tw__task_seconds(&times, g, 0, arch_of("m2070-0")), cases[i].m2070);
		tw__times_finish(&times);
		tw__factors_finish(&speedups);
		tw__models_destroy(models);
		tw_graph_destroy(g);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("own");
	TCase *cases = tcase_create("own");
	tcase_add_unchecked_fixture(cases, read_mirage, destroy_mirage);
	tcase_add_test(cases, the_most_special_seconds_count);
	tcase_add_test(cases, a_restricted_kernel_runs_nowhere_else);
	tcase_add_test(cases, kernels_without_own_times_have_equal_tasks);
	tcase_add_test(cases, speed_ups_are_for_recorded_seconds);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
