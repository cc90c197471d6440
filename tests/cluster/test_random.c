/* Random graphs on random clusters, under all policies: all tasks run, the schedule is valid, and both engines give the
 * same. The environment's FIRST and COUNT select seeds for longer searches. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "cluster_world.h"
#include "pair.h"
#include "random_world.h"

enum { SEEDS = 3 };

static uint32_t below(struct tw__random *r, uint32_t n) { return tw__random_below(r, n); }

static const char *random_eviction(struct tw__random *r)
{
	uint32_t n = 0;
	while (tw__evictions[n])
		n++;
	return tw__evictions[below(r, n)]->name;
}

static struct test_network random_network(struct tw__random *r)
{
	static const double bandwidth[] = {1e8, 1e9, 1e10, 3e11}, latency[] = {1e-9, 1e-6, 1e-4};
	struct test_network n = {bandwidth[below(r, 4)], latency[below(r, 3)], 0};
	n.backbone = below(r, 2) ? 2 * n.bandwidth : 0;
	return n;
}

START_TEST(random_runs_are_valid)
{
	int first = random_number("FIRST", 0), count = random_number("COUNT", SEEDS);
	for (int seed = first; seed < first + count; seed++) {
		const unsigned shape = (unsigned)_i;
		struct tw__random *r =
			tw__random_create((uint64_t)seed * N_SHAPES_RECORDED + (unsigned)_i, TW__STREAM_WORKLOAD);
		const char *model = random_runtimes[below(r, N_RANDOM_RUNTIMES)];
		char runtime[300], policy[200];
		struct world w;
		const int n = 1 + (int)below(r, 6);
		snprintf(policy, sizeof policy, "%s+%u=%s", random_policy(r), below(r, (uint32_t)n), random_policy(r));
		snprintf(runtime, sizeof runtime, "%s:send_limit=%u", model, below(r, 3));
		random_world(&w, (uint64_t)seed, shape, model);
		struct tw__distribution d = random_distribution(w.graph, n, (uint64_t)seed);
		cluster_world(&w, n, random_network(r), &d);
		tw__distribution_finish(&d);
		struct outcome o = world_run(&w, &(struct setting){.policy = policy,
		                                                   .eviction = random_eviction(r),
		                                                   .runtime = runtime,
		                                                   .seed = (uint64_t)seed,
		                                                   .afterwards = pair_compare});
		ck_assert_msg(o.status == TW_OK, "%s on %d nodes, %s, seed %d: %s", policy, n, runtime, seed,
		              o.err.message);
		world_finish(&w);
		tw__random_destroy(r);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cluster random");
	TCase *cases = tcase_create("random");
	tcase_set_timeout(cases, 0);
	tcase_add_loop_test(cases, random_runs_are_valid, 0, N_SHAPES_RECORDED);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
