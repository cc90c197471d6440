/* Small runs whose outcome can be told beforehand: dates, bytes, tasks on GPUs. */
#include <math.h>

#include "two_gpus.h"

START_TEST(scratch_takes_room_and_no_time)
{
	const uint64_t bytes[] = {2 * MB, 3 * MB};
	struct world w;
	two_gpus_make(&w, 1, 5 * MB, bytes, 2);
	for (int t = 0; t < 3; t++)
		TASK(&w, {0, TW_R}, {1, TW_SCRATCH});
	two_gpus_ready(&w);
	struct tw__run_counters c = world_must_run(&w, &(struct setting){0}, "scratch").counters;
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 10e-6 + 2e-3 + 3 * 1e-3, 1e-9);
	ck_assert_uint_eq(c.transferred_bytes, 2 * MB);
	ck_assert(world_fits(&w, "ideal"));
	world_finish(&w);
	two_gpus_make(&w, 1, 5 * MB - 1, bytes, 2);
	TASK(&w, {0, TW_R}, {1, TW_SCRATCH});
	two_gpus_ready(&w);
	ck_assert(!world_fits(&w, "ideal"));
	world_finish(&w);
}
END_TEST

/* Two GPUs, and 4 tasks of 1 ms that add to 1 MB. An appended task combines the two accumulators; one of them crosses
 * main memory in two hops of 1.01 ms. The next task adds that to the handle, which comes from main memory meanwhile. */
START_TEST(accumulators_are_combined_when_all_have_ended)
{
	struct world w;
	struct tw_error err = {""};
	two_gpus_make(&w, 2, 0, (const uint64_t[]){MB}, 1);
	tw_graph_kernel(w.graph, "add", "1", "s", 1);
	tw_graph_reduction(w.graph, 0, 1);
	for (int t = 0; t < 4; t++)
		TASK(&w, {0, TW_REDUX});
	ck_assert_msg(tw_graph_finish(w.graph, &err) == TW_OK, "%s", err.message);
	world_times(&w, (const double[]){1e-3, 0.25e-3});
	struct tw__run_counters c = world_must_run(&w, &(struct setting){0}, "reduction").counters;
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 2e-3 + 2 * 1.01e-3 + 0.25e-3 + 1.01e-3 + 0.25e-3, 1e-9);
	ck_assert_int_eq(c.tasks, 6);
	ck_assert_int_eq(c.transfers, 3);
	world_finish(&w);
}
END_TEST

/* Two kernels of 1 ms; the second one may read 2 MB. The thread cannot launch or issue while a launch blocks it. */
START_TEST(blocking_launches_delay_what_the_thread_does_next)
{
	static const struct {
		const char *runtime;
		double makespan_s;
		bool reads;
	} cases[] = {
		{"ideal", 2e-3, false},
		{"ideal:launch_blocks=work=400us", 2e-3, false}, /* hidden behind the first kernel */
		{"ideal:launch_blocks=work@2=400us", 2e-3, false},
		{"ideal:launch_blocks=work=1500us", 3e-3, false}, /* no kernel ends before its launch */
		{"ideal:gpu_pipeline=1:launch_blocks=work@1=1500us", 3e-3, false},
		{"ideal:launch_blocks=work=400us:kernel_queue_cost=100us", 2.1e-3, false},
		{"ideal:launch_blocks=other=400us", 10e-6 + 2e-3 + 1e-3, true},
		{"ideal:launch_blocks=work=400us", 400e-6 + 10e-6 + 2e-3 + 1e-3, true},
		{"ideal:launch_blocks=work=1s+work=400us", 400e-6 + 10e-6 + 2e-3 + 1e-3, true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		two_gpus_make(&w, 1, 0, (const uint64_t[]){MB, 2 * MB}, 2);
		TASK(&w, {0, TW_W});
		TASK(&w, {1, cases[i].reads ? TW_R : TW_W});
		two_gpus_ready(&w);
		struct tw__run_counters c =
			world_must_run(&w, &(struct setting){.runtime = cases[i].runtime}, cases[i].runtime).counters;
		ck_assert_msg(fabs(tw__seconds(c.makespan) - cases[i].makespan_s) < 1e-9, "%s: %.9g s, expected %.9g",
		              cases[i].runtime, tw__seconds(c.makespan), cases[i].makespan_s);
		world_finish(&w);
	}
}
END_TEST

/* Each GPU has one kernel of 1 ms, behind a launch; or 2 MB to read, behind an allocation. */
START_TEST(costs_grow_with_the_number_of_gpus)
{
	for (int gpus = 1; gpus <= 2; gpus++) {
		struct world w;
		two_gpus_make(&w, gpus, 0, (const uint64_t[]){MB, MB}, 2);
		for (int g = 0; g < gpus; g++)
			TASK(&w, {g, TW_W});
		two_gpus_ready(&w);
		const char *launches = "ideal:kernel_queue_cost=100us:kernel_queue_cost_per_gpu=30us";
		struct tw__run_counters c =
			world_must_run(&w, &(struct setting){.runtime = launches}, launches).counters;
		ck_assert_double_eq_tol(tw__seconds(c.makespan), 100e-6 + (gpus - 1) * 30e-6 + 1e-3, 1e-9);
		const char *allocations = "ideal:alloc_cost=100us:alloc_cost_per_gpu=30us";
		c = world_must_run(&w, &(struct setting){.runtime = allocations}, allocations).counters;
		/* one lock for all allocations */
		ck_assert_double_eq_tol(tw__seconds(c.makespan), gpus * (100e-6 + (gpus - 1) * 30e-6) + 1e-3, 1e-9);
		world_finish(&w);
	}
}
END_TEST

START_TEST(what_is_read_is_fetched_and_what_is_only_written_is_not)
{
	struct world w;
	two_gpus_make(&w, 1, 0, (const uint64_t[]){2 * MB, 3 * MB, 5 * MB}, 3);
	TASK(&w, {0, TW_R}, {1, TW_RW}, {2, TW_W});
	two_gpus_ready(&w);
	struct tw__run_counters c = world_must_run(&w, &(struct setting){0}, "one task").counters;
	/* One transfer at a time: the written data first. */
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 2 * 10e-6 + 5e-3 + 1e-3, 1e-9);
	ck_assert_int_eq(c.transfers, 2);
	ck_assert_uint_eq(c.transferred_bytes, 5 * MB);
	ck_assert_uint_eq(c.h2d_bytes, 5 * MB);
	ck_assert_uint_eq(c.d2h_bytes + c.p2p_bytes, 0);
	ck_assert_int_eq(c.loads, 2);
	ck_assert_int_eq(c.evictions + c.writebacks, 0);
	ck_assert_int_eq(c.gpu_tasks, 1);
	ck_assert_double_eq_tol(tw__seconds(c.busy), 1e-3, 1e-9);
	world_finish(&w);
}
END_TEST

/* Two data of 4 MB fit; the third throws out the first, which was changed and goes home first. */
START_TEST(evictions_write_back_what_was_changed)
{
	struct world w;
	two_gpus_make(&w, 1, 8 * MB, (const uint64_t[]){4 * MB, 4 * MB, 4 * MB}, 3);
	TASK(&w, {0, TW_RW});
	TASK(&w, {0, TW_R}, {1, TW_RW});
	TASK(&w, {1, TW_R}, {2, TW_R});
	two_gpus_ready(&w);
	struct tw__run_counters c =
		world_must_run(&w, &(struct setting){.runtime = "ideal:gpu_pipeline=1"}, "three").counters;
	ck_assert_int_eq(c.transfers, 4);
	ck_assert_int_eq(c.loads, 3);
	ck_assert_int_eq(c.writebacks, 1);
	ck_assert_int_eq(c.evictions, 1);
	ck_assert_uint_eq(c.h2d_bytes, 12 * MB);
	ck_assert_uint_eq(c.d2h_bytes, 4 * MB);
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 4 * (10e-6 + 4e-3) + 3e-3, 1e-9);
	world_finish(&w);
}
END_TEST

START_TEST(clean_data_leave_without_a_transfer)
{
	struct world w;
	two_gpus_make(&w, 1, 8 * MB, (const uint64_t[]){4 * MB, 4 * MB, 4 * MB}, 3);
	TASK(&w, {0, TW_R});
	TASK(&w, {0, TW_R}, {1, TW_R});
	TASK(&w, {1, TW_R}, {2, TW_R});
	two_gpus_ready(&w);
	struct tw__run_counters c =
		world_must_run(&w, &(struct setting){.runtime = "ideal:gpu_pipeline=1"}, "three").counters;
	ck_assert_int_eq(c.transfers, 3);
	ck_assert_int_eq(c.writebacks, 0);
	ck_assert_int_eq(c.evictions, 1);
	world_finish(&w);
}
END_TEST

/* A GPU fetches what the other one has written: two hops through main memory. */
START_TEST(gpus_without_a_route_exchange_through_main_memory)
{
	struct world w;
	two_gpus_make(&w, 2, 0, (const uint64_t[]){4 * MB, 4 * MB}, 2);
	TASK(&w, {0, TW_W});
	TASK(&w, {1, TW_W});
	TASK(&w, {0, TW_R}, {1, TW_R});
	two_gpus_ready(&w);
	struct tw__run_counters c =
		world_must_run(&w, &(struct setting){.runtime = "ideal:gpu_pipeline=1"}, "two GPUs").counters;
	ck_assert_int_eq(c.transfers, 2);
	ck_assert_uint_eq(c.d2h_bytes, 4 * MB);
	ck_assert_uint_eq(c.h2d_bytes, 4 * MB);
	ck_assert_uint_eq(c.p2p_bytes, 0);
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 1e-3 + 2 * (10e-6 + 4e-3) + 1e-3, 1e-9);
	world_finish(&w);
}
END_TEST

START_TEST(kernels_without_a_time_are_left_to_others)
{
	struct world w = {0};
	world_platform(&w, two_gpus, &(struct tw__platform_choice){.cpus = 2, .gpus = 2});
	w.graph = tw_graph_create();
	struct tw_error err = {""};
	tw_graph_kernel(w.graph, "on_cpu", "1", "s", 1);
	tw_graph_kernel(w.graph, "on_gpu", "1", "s", 1);
	for (int t = 0; t < 40; t++)
		tw_graph_submit(w.graph, (t / 3) % 2, 0, NULL, 0);
	ck_assert_int_eq(tw_graph_finish(w.graph, &err), TW_OK);
	/* Archs come in the order of the workers: accelerators first. */
	ck_assert_str_eq(w.platform->archs[w.platform->workers[0].arch].name, "gpu");
	double seconds[4];
	for (int k = 0; k < 2; k++)
		for (int a = 0; a < 2; a++)
			seconds[2 * k + a] = w.platform->archs[a].accelerator == (k == 1) ? 1e-3 : (double)NAN;
	world_times(&w, seconds);
	for (int p = 0; tw__policies[p]; p++)
		ck_assert_int_eq(world_must_run(&w, &(struct setting){.policy = tw__policies[p]->name}, "two kernels")
		                         .counters.gpu_tasks,
		                 19);
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("small runs");
	TCase *cases = tcase_create("small runs");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, scratch_takes_room_and_no_time);
	tcase_add_test(cases, accumulators_are_combined_when_all_have_ended);
	tcase_add_test(cases, blocking_launches_delay_what_the_thread_does_next);
	tcase_add_test(cases, costs_grow_with_the_number_of_gpus);
	tcase_add_test(cases, what_is_read_is_fetched_and_what_is_only_written_is_not);
	tcase_add_test(cases, evictions_write_back_what_was_changed);
	tcase_add_test(cases, clean_data_leave_without_a_transfer);
	tcase_add_test(cases, gpus_without_a_route_exchange_through_main_memory);
	tcase_add_test(cases, kernels_without_a_time_are_left_to_others);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
