/* Random task graphs with data of random sizes, on random nodes with hardly enough memory: under every policy each task
 * runs, and the schedule is valid. FIRST and COUNT in the environment make it a longer search. */
#include <stdlib.h>

#include "random_world.h"

enum { SEEDS = 4 };

static int number(const char *name, int fallback) { return getenv(name) ? atoi(getenv(name)) : fallback; }

/* Each shape for some seeds; policies, evictions and runtimes take turns with them. */
START_TEST(every_policy_gets_through)
{
	unsigned shape = (unsigned)_i;
	int first = number("FIRST", 0), count = number("COUNT", SEEDS);
	for (int seed = first; seed < first + count; seed++)
		for (int p = 0; tw__policies[p]; p++) {
			const char *runtime = random_runtimes[(seed + p + (int)shape) % N_RANDOM_RUNTIMES];
			struct world w;
			char what[64];
			snprintf(what, sizeof what, "shape %u", shape);
			random_world(&w, (uint64_t)seed, shape, runtime);
			world_must_run(&w,
			               &(struct setting){.policy = tw__policies[p]->name,
			                                 .eviction = (seed + p / 2) % 2 ? "fifo" : "lru",
			                                 .runtime = runtime,
			                                 .seed = (uint64_t)seed},
			               what);
			world_finish(&w);
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("random graphs");
	TCase *cases = tcase_create("random graphs");
	tcase_set_timeout(cases, getenv("COUNT") ? 0 : 100);
	tcase_add_loop_test(cases, every_policy_gets_through, 0, N_SHAPES);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
