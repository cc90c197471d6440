/* Policies see the priorities of their scope, and dmdas alone of the deque models sorts by them. */
#include <stdlib.h>

#include "two_gpus.h"

/* Ten tasks that read the same handle, all pushed at once; later ones are more urgent. */
START_TEST(of_the_deque_models_only_dmdas_sorts_by_priority)
{
	static const char *const policies[] = {"dm", "dmda", "dmdar", "dmdas"};
	enum { N = 10 };
	struct world w;
	two_gpus_make(&w, 1, 0, (const uint64_t[]){MB}, 1);
	for (int t = 0; t < N; t++)
		tw_graph_submit(w.graph, 0, t, &(struct tw_access){0, TW_R}, 1);
	tw_graph_set_priority_scope(w.graph, TW_PRIORITY_FOR_ALL);
	two_gpus_ready(&w);
	for (int p = 0; p < 4; p++) {
		struct outcome o =
			world_must_run(&w, &(struct setting){.policy = policies[p], .keep_record = true}, policies[p]);
		tw_task last = TW_NONE;
		for (size_t e = 0; e < o.n_events; e++)
			last = o.events[e].kind == TW__START ? o.events[e].task : last;
		ck_assert_msg(last == (p < 3 ? N - 1 : 0), "%s starts task %d last", policies[p], (int)last);
		free(o.events);
	}
	world_finish(&w);
}
END_TEST

/* Runs are processes of their own: what they see they must judge themselves. */
static int32_t expected_priority;
static tw_task pushed = TW_NONE;

static void push_and_look(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)state, (void)w;
	if (tw_task_priority(s, t) != expected_priority)
		tw_abort_run(s, "not the priority expected");
	pushed = t;
	tw_wake(s, TW_ALL);
}

static tw_task pop_pushed(struct tw_sched *s, void *state, tw_worker w)
{
	tw_task t = pushed;
	(void)s, (void)state, (void)w;
	pushed = TW_NONE;
	return t;
}

/* One task of priority 7, marked as critical: by scope, and by flag. */
START_TEST(policies_see_the_priorities_of_their_scope)
{
	static const struct {
		enum tw_priority_scope scope;
		int32_t without, sorts, sees_critical;
	} rows[] = {
		{TW_PRIORITY_FOR_SORTING, 0, 7, 1}, {TW_PRIORITY_FOR_LOOKING, 0, 7, 7}, {TW_PRIORITY_FOR_ALL, 7, 7, 7}};
	struct tw_policy policy = {.abi = TW_POLICY_ABI, .name = "looks", .push = push_and_look, .pop = pop_pushed};
	struct world w;
	two_gpus_make(&w, 1, 0, (const uint64_t[]){MB}, 1);
	tw_graph_submit(w.graph, 0, 7, &(struct tw_access){0, TW_R}, 1);
	tw_graph_mark_critical(w.graph, 0);
	two_gpus_ready(&w);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		tw_graph_set_priority_scope(w.graph, rows[i].scope);
		policy.flags = 0;
		expected_priority = rows[i].without;
		world_must_run(&w, &(struct setting){.own_policy = &policy}, "no flag");
		policy.flags = TW_SORTS_BY_PRIORITY;
		expected_priority = rows[i].sorts;
		world_must_run(&w, &(struct setting){.own_policy = &policy}, "sorts");
		policy.flags = TW_SEES_CRITICAL;
		expected_priority = rows[i].sees_critical;
		world_must_run(&w, &(struct setting){.own_policy = &policy}, "sees what is critical");
	}
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("priorities");
	TCase *cases = tcase_create("priorities");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, of_the_deque_models_only_dmdas_sorts_by_priority);
	tcase_add_test(cases, policies_see_the_priorities_of_their_scope);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
