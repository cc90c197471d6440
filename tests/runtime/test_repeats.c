/* A run that is repeated makes the same record, byte for byte; another seed makes another one. */
#include <stdlib.h>
#include <string.h>

#include "world.h"

START_TEST(two_runs_are_equal_byte_for_byte)
{
	static const char *const runtimes[] = {"ideal", "starpu", "starpu:order=random"};
	struct world w = {0};
	world_mirage(&w, 4, 3, 80000000, "cholesky:nt=8");
	for (int p = 0; tw__policies[p]; p++)
		for (int r = 0; r < 3; r++) {
			if ((p + r) % world_every() != 0)
				continue;
			struct setting s = {.policy = tw__policies[p]->name,
			                    .runtime = runtimes[r],
			                    .seed = 3,
			                    .keep_record = true};
			struct outcome a = world_must_run(&w, &s, "once"), b = world_must_run(&w, &s, "again");
			ck_assert_uint_gt(a.n_events, 1000);
			ck_assert_uint_eq(a.n_events, b.n_events);
			ck_assert_mem_eq(a.events, b.events, a.n_events * sizeof *a.events);
			ck_assert_mem_eq(&a.counters, &b.counters, sizeof a.counters);
			free(a.events);
			free(b.events);
			s.keep_record = false;
			bool differs = r != 2 || strcmp(s.policy, "static") == 0; /* never asks who is first */
			while (!differs && ++s.seed < 20)
				differs = world_must_run(&w, &s, "another seed").fingerprint != a.fingerprint;
			ck_assert_msg(differs, "%s: every seed gives the same", s.policy);
		}
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("repeats");
	TCase *cases = tcase_create("repeats");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, two_runs_are_equal_byte_for_byte);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
