/* Domains, several graphs and several main memories in one run: all tasks run, and the schedule is valid. The
 * environment's FIRST and COUNT select seeds for longer searches. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "random_scene.h"
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

START_TEST(random_runs_are_valid)
{
	int first = random_number("FIRST", 0), count = random_number("COUNT", SEEDS);
	for (int seed = first; seed < first + count; seed++) {
		const unsigned of_loop = (unsigned)_i;
		const unsigned mains = seed % 3 && !(of_loop & DISK) ? MAINS : 0,
			       shape = of_loop | mains | (seed % 2 ? WIDE : 0);
		static const char *const homes[] = {"first", "interleaved", "first_touch"};
		static const char *const whole[] = {"d0", "d0", "d0"}; /* d0 can run each kernel */
		struct tw__random *r =
			tw__random_create((uint64_t)seed * N_SHAPES_RECORDED + of_loop, TW__STREAM_WORKLOAD);
		const char *model = random_runtimes[below(r, N_RANDOM_RUNTIMES)];
		char runtime[300];
		struct world w;
		struct random_domains d;
		snprintf(runtime, sizeof runtime, "%s:homes=%s", model,
		         shape & MAINS ? homes[below(r, sizeof homes / sizeof *homes)] : "first");
		random_world(&w, (uint64_t)seed, shape, model);
		random_domains(&d, &w, r);
		random_graphs(&w, r, 1 + (int)below(r, 3), whole);
		struct outcome o = world_run(&w, &(struct setting){.policy = d.policy,
		                                                   .assign = d.assign,
		                                                   .eviction = random_eviction(r),
		                                                   .runtime = runtime,
		                                                   .seed = (uint64_t)seed});
		/* handles of several graphs may not fit where they must start or end */
		ck_assert_msg(o.status == TW_OK || (o.status == TW_INVALID && strstr(o.err.message, " there need ")),
		              "%s, %s, seed %d: %s", d.policy, runtime, seed, o.err.message);
		world_finish(&w);
		tw__random_destroy(r);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("together");
	TCase *cases = tcase_create("together");
	tcase_set_timeout(cases, 0);
	tcase_add_loop_test(cases, random_runs_are_valid, 0, N_SHAPES_RECORDED);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
