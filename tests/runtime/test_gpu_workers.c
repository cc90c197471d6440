/* Several workers on a GPU (--gpu-workers): one memory, and a static share of the GPU's rate. */
#include <string.h>

#include "random_world.h"
#include "two_gpus.h"

enum { SEEDS = 1 };

static struct tw__run_counters run_on(const char *gpu_workers, int gpus, const char *runtime, int tasks,
                                      bool one_handle)
{
	struct world w;
	two_gpus_make(&w, 1, 0, (const uint64_t[]){MB, MB, MB, MB}, 4);
	tw__platform_destroy(w.platform);
	world_platform(&w, two_gpus, &(struct tw__platform_choice){.gpus = gpus, .gpu_workers = gpu_workers});
	for (int t = 0; t < tasks; t++)
		TASK(&w, {one_handle ? 0 : t % 4, TW_R});
	two_gpus_ready(&w); /* 1 ms on a GPU alone */
	for (int i = 0; i < w.times.n_kernels * w.times.n_archs; i++)
		w.times.mean[i] *= w.platform->archs[0].slowdown ? w.platform->archs[0].slowdown : 1;
	struct tw__run_counters c =
		world_must_run(&w, &(struct setting){.runtime = runtime}, gpu_workers ? gpu_workers : "one").counters;
	world_finish(&w);
	return c;
}

/* A handle of 1 MB takes 1.01 ms, once for both workers. Then they run a task each, of 2 ms or of 1.5 ms. */
START_TEST(workers_share_copies)
{
	struct tw__run_counters c = run_on("2", 1, "ideal", 2, true);
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 1.01e-3 + 2e-3, 1e-9);
	ck_assert_int_eq(c.loads, 1);
	c = run_on("2:slowdown=1.5", 1, "ideal", 2, true);
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 1.01e-3 + 1.5e-3, 1e-9);
	c = run_on(NULL, 2, "ideal", 2, true);
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 1.01e-3 + 1e-3, 1e-9);
	ck_assert_int_eq(c.loads, 2);
}
END_TEST

/* Two handles, one after the other on the GPU's link: 1.01 and 2.01 or 2.02 ms, of which the second worker's task takes
 * 2 ms more. On two GPUs each has a link. */
START_TEST(workers_share_the_link)
{
	struct tw__run_counters c = run_on("2", 1, "ideal", 2, false);
	ck_assert_double_ge(tw__seconds(c.makespan), 2.01e-3 + 2e-3 - 1e-9);
	ck_assert_double_le(tw__seconds(c.makespan), 2.02e-3 + 2e-3 + 1e-9);
	c = run_on(NULL, 2, "ideal", 2, false);
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 1.01e-3 + 1e-3, 1e-9);
}
END_TEST

START_TEST(platforms_count_cards)
{
	struct world w = {0};
	world_platform(&w, two_gpus, &(struct tw__platform_choice){.cpus = 2, .gpus = 2, .gpu_workers = "3"});
	ck_assert_int_eq(w.platform->n_workers, 8);
	ck_assert_int_eq(w.platform->n_nodes, 3);
	ck_assert_int_eq(tw__platform_accelerators(w.platform), 2);
	ck_assert_int_eq(tw__platform_processors(w.platform), 2);
	static const char *const names[] = {"G0.0", "G0.1", "G0.2", "G1.0", "G1.1", "G1.2"};
	for (int i = 0; i < 6; i++) {
		ck_assert_str_eq(w.platform->workers[i].name, names[i]);
		ck_assert_int_eq(w.platform->workers[i].node, 1 + i / 3);
	}
	ck_assert_double_eq(w.platform->archs[w.platform->workers[0].arch].slowdown, 3);
	ck_assert_double_eq(w.platform->archs[w.platform->workers[6].arch].slowdown, 0);
	tw__platform_destroy(w.platform);
}
END_TEST

/* Random graphs on random nodes, under all policies: all tasks run, and the schedule is valid. */
START_TEST(every_policy_gets_through)
{
	const unsigned shape = (unsigned)_i | STREAMS;
	int first = random_number("FIRST", 0), count = random_number("COUNT", SEEDS);
	for (int seed = first; seed < first + count; seed++)
		for (int p = (int)(shape + (unsigned)seed) % 4; tw__policies[p]; p += 4) {
			const char *runtime = random_runtimes[(seed + p + _i) % N_RANDOM_RUNTIMES];
			struct world w;
			random_world(&w, (uint64_t)seed, shape, runtime);
			world_must_run(&w, &(struct setting){.policy = tw__policies[p]->name, .runtime = runtime},
			               "three workers on each card");
			world_finish(&w);
			if (!tw__policies[p + 1] || !tw__policies[p + 2] || !tw__policies[p + 3])
				break;
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gpu workers");
	TCase *cases = tcase_create("gpu workers");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, workers_share_copies);
	tcase_add_test(cases, workers_share_the_link);
	tcase_add_test(cases, platforms_count_cards);
	tcase_add_loop_test(cases, every_policy_gets_through, 0, N_SHAPES);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
