/* Runs that fail, before they start or by a plug-in that breaks its contract, say why. */
#include <string.h>

#include "two_gpus.h"

static void fails(const struct world *w, struct setting s, int status, const char *part, const char *other)
{
	struct outcome o = world_run(w, &s);
	ck_assert(!o.ran);
	ck_assert_msg(o.status == status, "status %d: %s", o.status, o.err.message);
	ck_assert_msg(strstr(o.err.message, part) && strstr(o.err.message, other), "'%s': expected '%s' and '%s'",
	              o.err.message, part, other);
}

START_TEST(a_task_that_never_fits_is_refused)
{
	struct world w;
	two_gpus_make(&w, 1, 8 * MB, (const uint64_t[]){4 * MB, 4 * MB, 1}, 3);
	TASK(&w, {0, TW_R}, {1, TW_R});
	TASK(&w, {0, TW_R}, {1, TW_W}, {2, TW_R});
	two_gpus_ready(&w);
	ck_assert(!world_fits(&w, "ideal"));
	fails(&w, (struct setting){0}, TW_INVALID, "task 1 (work) needs 8000001 bytes", "8000000 bytes usable");
	world_finish(&w);
}
END_TEST

/* Accumulators are data, of which there are 2^27 at most: 33,546 for each of 4,000 workers, and the data themselves. */
START_TEST(more_accumulators_than_there_can_be_are_refused)
{
	static const char many_cores[] =
		LINES("<host id='C' speed='1Gf' core='4000'><prop id='arch' value='cpu'/></host>"
	              "<host id='RAM' speed='1f'/>");
	for (int too_many = 0; too_many < 2; too_many++) {
		struct world w = {0};
		struct tw_error err = {""};
		world_platform(&w, many_cores, &(struct tw__platform_choice){.cpus = 4000});
		w.graph = tw_graph_create();
		tw_graph_kernel(w.graph, "work", "1", "s", 1);
		for (tw_data d = 0; d < 33546 + too_many; d++) {
			tw_graph_reduction(w.graph, tw_graph_data(w.graph, 1), 0);
			TASK(&w, {d, TW_REDUX});
		}
		ck_assert_msg(tw_graph_finish(w.graph, &err) == TW_OK, "%s", err.message);
		world_times(&w, (const double[]){1e-3});
		ck_assert(world_fits(&w, "ideal") == !too_many);
		if (too_many) {
			struct outcome o = world_run(&w, &(struct setting){0});
			ck_assert_int_eq(o.status, TW_INVALID);
			ck_assert_str_eq(
				o.err.message,
				"reductions of 33547 data on 4000 workers: up to 134188000 accumulators beside "
				"33547 data, expected at most 134217728 in all");
		}
		world_finish(&w);
	}
}
END_TEST

static void push_nothing(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)s, (void)state, (void)t, (void)w;
}

static tw_task pop_nothing(struct tw_sched *s, void *state, tw_worker w)
{
	(void)s, (void)state, (void)w;
	return TW_NONE;
}

START_TEST(a_policy_that_keeps_a_task_back_is_told)
{
	static const struct tw_policy miser = {
		.abi = TW_POLICY_ABI, .name = "miser", .push = push_nothing, .pop = pop_nothing};
	struct world w;
	two_gpus_make(&w, 1, 0, (const uint64_t[]){MB}, 1);
	TASK(&w, {0, TW_R});
	TASK(&w, {0, TW_R});
	two_gpus_ready(&w);
	fails(&w, (struct setting){.own_policy = &miser}, TW_FAILED, "policy 'miser' keeps 2 ready tasks back",
	      "0 of 2 tasks done");
	fails(&w, (struct setting){.own_policy = &miser, .runtime = "starpu"}, TW_FAILED, "miser", "back");
	world_finish(&w);
}
END_TEST

static void push_and_stop(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)state, (void)t, (void)w;
	tw_abort_run(s, "had enough");
}

START_TEST(a_policy_can_end_the_run)
{
	static const struct tw_policy tired = {
		.abi = TW_POLICY_ABI, .name = "tired", .push = push_and_stop, .pop = pop_nothing};
	struct world w;
	two_gpus_make(&w, 1, 0, (const uint64_t[]){MB}, 1);
	TASK(&w, {0, TW_R});
	two_gpus_ready(&w);
	fails(&w, (struct setting){.own_policy = &tired}, TW_FAILED, "policy 'tired'", "had enough");
	world_finish(&w);
}
END_TEST

static void note(struct tw_sched *s, void *state, tw_data d, tw_node n) { (void)s, (void)state, (void)d, (void)n; }

/* The first data that must stay. */
static tw_data a_wrong_one(struct tw_sched *s, void *state, tw_node n, const struct tw_victim_query *query)
{
	(void)state, (void)n;
	for (tw_data d = 0; d < tw_graph_n_data(tw_sched_graph(s)); d++)
		if (!tw_may_evict(query, d))
			return d;
	return TW_NONE;
}

START_TEST(an_eviction_policy_that_names_pinned_data_is_told)
{
	static const struct tw_eviction rude = {.name = "rude", .loaded = note, .evicted = note, .victim = a_wrong_one};
	struct world w;
	two_gpus_make(&w, 1, 8 * MB, (const uint64_t[]){4 * MB, 4 * MB, 4 * MB}, 3);
	TASK(&w, {0, TW_R});
	TASK(&w, {1, TW_R});
	TASK(&w, {1, TW_R}, {2, TW_R});
	two_gpus_ready(&w);
	fails(&w, (struct setting){.own_eviction = &rude}, TW_FAILED, "eviction policy 'rude' named data",
	      "must not leave");
	world_finish(&w);
}
END_TEST

/* Room cannot be made, though some could: the run ends and says who waits for it. */
static tw_data none(struct tw_sched *s, void *state, tw_node n, const struct tw_victim_query *query)
{
	(void)s, (void)state, (void)n, (void)query;
	return TW_NONE;
}

START_TEST(an_eviction_policy_that_names_nothing_does_not_hang)
{
	static const struct tw_eviction shy = {.name = "shy", .loaded = note, .evicted = note, .victim = none};
	struct world w;
	two_gpus_make(&w, 1, 8 * MB, (const uint64_t[]){4 * MB, 4 * MB, 4 * MB}, 3);
	TASK(&w, {0, TW_R});
	TASK(&w, {1, TW_R});
	TASK(&w, {2, TW_R});
	two_gpus_ready(&w);
	struct outcome o = world_run(&w, &(struct setting){.own_eviction = &shy});
	ck_assert_msg(o.status == TW_OK || strstr(o.err.message, "waits for room"), "%s", o.err.message);
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("failures");
	TCase *cases = tcase_create("failures");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, more_accumulators_than_there_can_be_are_refused);
	tcase_add_test(cases, a_task_that_never_fits_is_refused);
	tcase_add_test(cases, a_policy_that_keeps_a_task_back_is_told);
	tcase_add_test(cases, a_policy_can_end_the_run);
	tcase_add_test(cases, an_eviction_policy_that_names_pinned_data_is_told);
	tcase_add_test(cases, an_eviction_policy_that_names_nothing_does_not_hang);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
