/* The deque model with costs that are all infinite, or no numbers: each task still goes to a worker that can run it. */
#include <float.h>
#include <math.h>

#include "policies/support/deque_model.h"
#include "random_world.h"

extern const struct tw_policy tw_policy_dmda;

static double cost;

static double same_cost(const struct tw_deque_model *m, const struct tw_deque_kind *k, double end)
{
	(void)m, (void)k, (void)end;
	return cost;
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	int status = tw_policy_dmda.init(s, state, err);
	((struct tw_deque_model *)state)->cost = same_cost;
	return status;
}

/* Some tasks run on GPUs alone, or on cores alone. */
START_TEST(any_cost_leaves_a_worker)
{
	static const double costs[] = {INFINITY, NAN, DBL_MAX, -INFINITY, 0};
	struct tw_policy policy = tw_policy_dmda;
	struct world w;
	policy.init = init;
	cost = costs[_i];
	random_world(&w, 1 + (uint64_t)_i, PICKY | RECORDED, "ideal");
	world_must_run(&w, &(struct setting){.policy = "dmda", .own_policy = &policy}, "costs");
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("costs");
	TCase *cases = tcase_create("all");
	tcase_add_loop_test(cases, any_cost_leaves_a_worker, 0, 5);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
