/* Groups of cores as workers: their runs have known makespans, and all policies give valid schedules. */
#include <stdlib.h>
#include <string.h>

#include "world.h"

/* The platform synthetic with these groups, and its times for the caller's graph. */
static void make(struct world *w, const char *cpu_groups, int gpus, struct tw_graph *graph)
{
	struct tw__platform_choice choice = {.cpus = TW__ALL_WORKERS, .gpus = gpus, .cpu_groups = cpu_groups};
	struct tw_error err = {""};
	struct tw__platform *all;
	struct tw__models *models;
	char *kernels;
	*w = (struct world){.graph = graph};
	ck_assert_msg(tw__platform_find(&all, &kernels, "synthetic", &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__platform_select(&w->platform, all, &choice, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__models_read(&models, kernels, NULL, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__times_bind(&w->times, models, w->platform, graph, &err) == TW_OK, "%s", err.message);
	tw__models_destroy(models);
	tw__platform_destroy(all);
	free(kernels);
}

/* n independent tasks. */
static struct tw_graph *gemms(int n)
{
	struct tw_error err = {""};
	struct tw_graph *graph = tw_graph_create();
	tw_kernel gemm = tw_graph_kernel(graph, "gemm", "960", "d", 2. * 960 * 960 * 960);
	for (int i = 0; i < n; i++)
		tw_graph_submit(graph, gemm, 0, (struct tw_access[]){{tw_graph_data(graph, 960 * 960 * 8), TW_RW}}, 1);
	ck_assert_msg(tw_graph_finish(graph, &err) == TW_OK, "%s", err.message);
	return graph;
}

/* 2 * 960^3 flops at 40 GFlop/s per core. 4 cores are 3.6 times as fast as one, 2 cores 1.9 times. */
START_TEST(a_group_takes_its_own_time_for_each_task)
{
	static const struct {
		const char *groups;
		int n;             /* tasks */
		double makespan_s; /* in units of one core's time */
	} cases[] = {
		{"1", 10, 10}, {"2", 10, 10 / 1.9}, {"4", 10, 10 / 3.6}, {"2+2", 10, 5 / 1.9}, {"1+1+1+1", 12, 3},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct world w;
		make(&w, cases[i].groups, 0, gemms(cases[i].n));
		double one_core_s = 2. * 960 * 960 * 960 / 40e9;
		double got = world_must_run(&w, &(struct setting){0}, cases[i].groups).counters.makespan / TW__NS_PER_S;
		ck_assert_double_eq_tol(got / one_core_s / cases[i].makespan_s, 1, 1e-5);
		world_finish(&w);
	}
}
END_TEST

/* Workers have different times, and policies that predict times use them. */
START_TEST(policies_give_more_to_the_greater_group)
{
	struct world w;
	make(&w, "1+2", 0, gemms(3));
	/* Two tasks on the pair of cores take 2 / 1.9 of a core's time; two tasks on one core would take 2. */
	double one_core_s = 2. * 960 * 960 * 960 / 40e9;
	double got = world_must_run(&w, &(struct setting){.policy = "dm"}, "dm").counters.makespan / TW__NS_PER_S;
	ck_assert_double_eq_tol(got / one_core_s, 2 / 1.9, 1e-5);
	world_finish(&w);
}
END_TEST

/* --- what a policy sees ----------------------------------------------------------------------------------------- */

static int note_workers(struct tw_sched *s, void *state, struct tw_error *err)
{
	static const int cores[] = {1, 1, 1, 4, 2, 1};
	(void)state;
	if (tw_n_workers(s) != 6)
		return tw_fail(err, TW_INVALID, "%d workers", (int)tw_n_workers(s));
	for (tw_worker w = 0; w < 6; w++) {
		if (tw_worker_cores(s, w) != cores[w] || tw_worker_is_accelerator(s, w) != (w < 3))
			return tw_fail(err, TW_INVALID, "worker %d has %d cores", (int)w, tw_worker_cores(s, w));
		for (tw_worker v = 0; v < w; v++)
			if ((tw_worker_arch(s, v) == tw_worker_arch(s, w)) != (v == 0 && w == 1))
				return tw_fail(err, TW_INVALID, "archs of workers %d and %d", (int)v, (int)w);
	}
	return tw_n_archs(s) == 5 ? TW_OK : tw_fail(err, TW_INVALID, "%d archs", tw_n_archs(s));
}

static tw_task waiting; /* the ready task; a chain has at most one */

static void push(struct tw_sched *s, void *state, tw_task t, tw_worker by)
{
	(void)state, (void)by;
	waiting = t;
	tw_wake(s, TW_ALL);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker w)
{
	tw_task t = tw_worker_cores(s, w) == 4 ? waiting : TW_NONE;
	(void)state;
	waiting = t == TW_NONE ? waiting : TW_NONE;
	return t;
}

START_TEST(policies_see_how_many_cores_a_worker_has)
{
	static const struct tw_policy curious = {
		.abi = TW_POLICY_ABI, .name = "curious", .init = note_workers, .push = push, .pop = pop};
	struct tw_error err = {""};
	struct tw_graph *graph = tw_graph_create();
	struct tw_access access = {tw_graph_data(graph, 8), TW_RW};
	for (int i = 0; i < 5; i++)
		tw_graph_submit(graph, tw_graph_kernel(graph, "gemm", "960", "d", 1), 0, &access, 1);
	ck_assert_int_eq(tw_graph_finish(graph, &err), TW_OK);
	struct world w;
	make(&w, "4+2+1", 3, graph);
	waiting = TW_NONE;
	struct tw__run_counters c = world_must_run(&w, &(struct setting){.own_policy = &curious}, "curious").counters;
	ck_assert_int_eq(c.gpu_tasks, 0);
	ck_assert_double_eq_tol(tw__seconds(c.makespan) / (5 * 2. * 960 * 960 * 960 / (3.6 * 40e9)), 1, 1e-5);
	world_finish(&w);
}
END_TEST

/* --- all policies ----------------------------------------------------------------------------------------------- */

START_TEST(all_policies_run_on_groups)
{
	static const char *const groups[] = {"4", "2+2+4", "4+1+1+1+1", "1+1+2+2"};
	static const char *const runtimes[] = {"ideal", "starpu"};
	for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
		struct tw_graph *graph;
		struct tw_error err = {""};
		struct world w;
		ck_assert_msg(tw__generate(&graph, "cholesky:nt=8", &err) == TW_OK, "%s", err.message);
		make(&w, groups[i], 3, graph);
		for (int p = 0; tw__policies[p]; p++)
			for (int r = 0; r < 2; r++)
				if ((p + 2 * (int)i + r) % world_every() == 0)
					world_must_run(&w,
					               &(struct setting){.policy = tw__policies[p]->name,
					                                 .runtime = runtimes[r]},
					               groups[i]);
		world_finish(&w);
	}
}
END_TEST

/* Runs of one experiment with different groups do not share workers and times. */
START_TEST(runs_with_other_groups_have_other_workers)
{
	static const char *const groups[] = {NULL, "4", "4+4", "4"};
	static const int cpus[] = {9, 1, 2, 1};
	enum { N = 4 };
	struct tw__request requests[N];
	struct tw__experiment *e;
	struct tw_error err = {""};
	for (int i = 0; i < N; i++)
		requests[i] = (struct tw__request){
			.platform = "synthetic",
			.workload = "cholesky:nt=2",
			.policy = "eager",
			.choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS, .cpu_groups = groups[i]}};
	ck_assert_msg(tw__experiment_create(&e, requests, N, &err) == TW_OK, "%s", err.message);
	struct tw__result results[N];
	const struct tw__experiment_watch none = {0};
	ck_assert_msg(tw__experiment_rows(e, N, 1, results, &none, &err) == TW_OK, "%s", err.message);
	for (int i = 0; i < N; i++) {
		ck_assert_int_eq(results[i].cpus, cpus[i]);
		ck_assert_int_eq(results[i].gpus, 3);
	}
	tw__experiment_destroy(e);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("groups");
	TCase *cases = tcase_create("groups");
	tcase_set_timeout(cases, 100);
	tcase_add_test(cases, a_group_takes_its_own_time_for_each_task);
	tcase_add_test(cases, policies_give_more_to_the_greater_group);
	tcase_add_test(cases, policies_see_how_many_cores_a_worker_has);
	tcase_add_test(cases, all_policies_run_on_groups);
	tcase_add_test(cases, runs_with_other_groups_have_other_workers);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
