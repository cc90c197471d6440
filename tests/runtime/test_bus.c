/* Predictions of transfer times: the parameter bus, and equations 3.4 and 3.5 of Augonnet 2011, section 3.6.2. */
#include <math.h>
#include <string.h>

#include <tilewright/policy.h>

#include "two_gpus.h"

/* Two links of 1 GB/s and 10 us, one to each GPU: 2 MB take 2.01 ms. */
static const struct expected {
	const char *runtime;
	int gpus;
	double to_gpu_s;     /* of 2 MB from main memory */
	double gpu_to_gpu_s; /* through main memory */
	const char *gpu_workers;
} expected[] = {
	/* size / B + latency */
	{"ideal:bus=eq3.4", 1, 2e-3 + 10e-6, 0},
	{"ideal:bus=eq3.4", 2, 2e-3 + 10e-6, 2 * (2e-3 + 10e-6)},
	/* size / (B / number of accelerators) + latency */
	{"ideal:bus=eq3.5", 1, 2e-3 + 10e-6, 0},
	{"ideal:bus=eq3.5", 2, 4e-3 + 10e-6, 2 * (4e-3 + 10e-6)},
	{"starpu:bus=eq3.5", 2, 4e-3 + 10e-6, 2 * (4e-3 + 10e-6)},
	/* the default: StarPU 1.4 divides once more by two */
	{"ideal", 2, 2e-3 + 10e-6, 2 * (2e-3 + 10e-6)},
	{"starpu", 2, 8e-3 + 10e-6, 2 * (8e-3 + 10e-6)},
	{"starpu:bus=contention:contention=3", 2, 12e-3 + 10e-6, 2 * (12e-3 + 10e-6)},
	/* three workers on each GPU: GPUs count */
	{"ideal:bus=eq3.5", 2, 4e-3 + 10e-6, 2 * (4e-3 + 10e-6), "3"},
};

static const struct expected *at_hand;

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)state;
	double to_gpu = tw_transfer_time(s, 0, 1, 2 * MB), of_handle = tw_data_transfer_time(s, 0, 1);
	double between = at_hand->gpus == 2 ? tw_transfer_time(s, 1, 2, 2 * MB) : 0;
	if (fabs(to_gpu - at_hand->to_gpu_s) > 1e-12 || fabs(of_handle - at_hand->to_gpu_s) > 1e-12 ||
	    fabs(between - at_hand->gpu_to_gpu_s) > 1e-12)
		return tw_fail(err, TW_FAILED, "%.9g, %.9g and %.9g s", to_gpu, of_handle, between);
	return tw_fail(err, TW_FAILED, "as it should be");
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)s, (void)state, (void)task, (void)released_by;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	(void)s, (void)state, (void)worker;
	return TW_NONE;
}

START_TEST(equations_are_the_papers)
{
	const struct tw_policy policy = {
		.abi = TW_POLICY_ABI, .name = "bus", .summary = "", .init = init, .push = push, .pop = pop};
	struct world w;
	at_hand = &expected[_i];
	two_gpus_make(&w, 1, 0, (const uint64_t[]){2 * MB}, 1);
	tw__platform_destroy(w.platform);
	world_platform(&w, two_gpus,
	               &(struct tw__platform_choice){.gpus = at_hand->gpus, .gpu_workers = at_hand->gpu_workers});
	TASK(&w, {0, TW_R});
	two_gpus_ready(&w);
	struct outcome o = world_run(&w, &(struct setting){.own_policy = &policy, .runtime = at_hand->runtime});
	ck_assert_msg(!strcmp(o.err.message, "as it should be"), "%s, %d GPUs: %s", at_hand->runtime, at_hand->gpus,
	              o.err.message);
	world_finish(&w);
}
END_TEST

/* heft-tmdp: a GPU ends the task after 1 ms and a transfer of 2.01 ms, or 4.01 ms by equation 3.5, which counts both
 * GPUs. A core takes 6 ms. So the costs are 2.01 and 6 - 3.01 ms by equation 3.4, 4.01 and 6 - 5.01 ms by 3.5. */
START_TEST(the_policy_goes_by_the_prediction)
{
	for (int shared = 0; shared < 2; shared++) {
		struct world w = {0};
		struct tw_error err = {""};
		world_platform(&w, two_gpus, &(struct tw__platform_choice){.cpus = 1, .gpus = 2});
		w.graph = tw_graph_create();
		tw_graph_data(w.graph, 2 * MB);
		tw_graph_kernel(w.graph, "work", "1", "s", 1);
		TASK(&w, {0, TW_R});
		ck_assert_msg(tw_graph_finish(w.graph, &err) == TW_OK, "%s", err.message);
		world_times(&w, (const double[]){1e-3, 6e-3});
		struct setting setting = {.policy = "dmda", .runtime = shared ? "ideal:bus=eq3.5" : "ideal:bus=eq3.4"};
		struct tw__run_counters c = world_must_run(&w, &setting, setting.runtime).counters;
		ck_assert_int_eq(c.gpu_tasks, shared ? 0 : 1);
		/* The true bandwidth does not change. */
		ck_assert_double_eq_tol(tw__seconds(c.makespan), shared ? 6e-3 : 3.01e-3, 1e-9);
		world_finish(&w);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bus");
	TCase *cases = tcase_create("bus");
	tcase_add_loop_test(cases, equations_are_the_papers, 0, sizeof expected / sizeof *expected);
	tcase_add_test(cases, the_policy_goes_by_the_prediction);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
