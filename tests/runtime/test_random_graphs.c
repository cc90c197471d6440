/* Random task graphs with data of random sizes, on random nodes with barely enough memory. Under all policies, all
 * tasks run, and the schedule is valid. The environment's FIRST and COUNT select seeds for longer searches. */
#include <stdlib.h>
#include <string.h>

#include <tilewright/data_list.h>

#include "random_world.h"

enum { SEEDS = 2 };

/* Runs each shape with some seeds. Policies, eviction policies and runtime models alternate with the seeds. */
START_TEST(every_policy_gets_through)
{
	unsigned shape = (unsigned)_i;
	int first = random_number("FIRST", 0), count = random_number("COUNT", SEEDS);
	for (int seed = first; seed < first + count; seed++)
		for (int p = 0; tw__policies[p]; p++) {
			if ((p + (int)shape + seed) % world_every() != 0)
				continue;
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

/* An eviction policy that chooses among all kinds of victims at once. It returns TW_NONE as long as it can be asked
 * again, and then the oldest handle, which often needs no write-back. */
static tw_data victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	(void)s;
	return query->more ? (tw_data)TW_NONE : tw_data_list_victim(state, node, query);
}

static const struct tw_eviction thorough = {.name = "thorough",
                                            .summary = "",
                                            .state_size = sizeof(struct tw_data_lists),
                                            .init = tw_age_order_init,
                                            .loaded = tw_age_order_loaded,
                                            .evicted = tw_age_order_evicted,
                                            .victim = victim};

START_TEST(evictions_may_wait_for_the_second_question)
{
	unsigned shape = (unsigned)_i;
	for (int seed = 0; seed < SEEDS; seed++) {
		const char *runtime = random_runtimes[(seed + (int)shape) % N_RANDOM_RUNTIMES];
		struct world w;
		random_world(&w, (uint64_t)seed, shape, runtime);
		world_must_run(&w, &(struct setting){.policy = "eager", .own_eviction = &thorough, .runtime = runtime},
		               "thorough");
		world_finish(&w);
	}
}
END_TEST

/* eager, with prefetches of random tasks (not ready, ready or done) to changing memories. */
static const struct tw_policy *eager;

static void prefetch_something(struct tw_sched *s)
{
	tw_task n = tw_graph_n_tasks(tw_sched_graph(s));
	for (double more = tw_random(s); more < 0.8; more = tw_random(s)) {
		tw_task t = (tw_task)(tw_random(s) * n);
		tw_prefetch_task(s, t, (tw_node)(tw_random(s) * tw_n_nodes(s)));
		if (more < 0.2) /* there and back */
			tw_prefetch_task(s, t, (tw_node)(tw_random(s) * tw_n_nodes(s)));
	}
}

static void push(struct tw_sched *s, void *state, tw_task t, tw_worker released_by)
{
	prefetch_something(s);
	eager->push(s, state, t, released_by);
	prefetch_something(s);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker w)
{
	prefetch_something(s);
	return eager->pop(s, state, w);
}

static void done(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)state, (void)t, (void)w;
	prefetch_something(s);
}

START_TEST(policies_may_prefetch_any_task_anywhere)
{
	unsigned shape = (unsigned)_i;
	struct tw_policy fickle;
	for (int p = 0; !eager; p++)
		if (strcmp(tw__policies[p]->name, "eager") == 0)
			eager = tw__policies[p];
	fickle = *eager;
	fickle.name = "fickle";
	fickle.flags = shape & EQUAL ? TW_SORTS_BY_PRIORITY : 0;
	fickle.push = push;
	fickle.pop = pop;
	fickle.done = done;
	int first = random_number("FIRST", 0), count = random_number("COUNT", 2 * SEEDS);
	for (int seed = first; seed < first + count; seed++) {
		const char *runtime = random_runtimes[(seed + (int)shape) % N_RANDOM_RUNTIMES];
		struct world w;
		random_world(&w, (uint64_t)seed, shape, runtime);
		world_must_run(&w,
		               &(struct setting){.own_policy = &fickle,
		                                 .eviction = seed / 2 % 2 ? "fifo" : "lru",
		                                 .runtime = runtime,
		                                 .seed = (uint64_t)seed},
		               "fickle");
		world_finish(&w);
	}
}
END_TEST

int main(void)
{
	random_places = true;
	Suite *suite = suite_create("random graphs");
	TCase *cases = tcase_create("random graphs");
	tcase_set_timeout(cases, getenv("COUNT") ? 0 : 100);
	tcase_add_loop_test(cases, every_policy_gets_through, 0, N_SHAPES);
	tcase_add_loop_test(cases, evictions_may_wait_for_the_second_question, 0, N_SHAPES);
	tcase_add_loop_test(cases, policies_may_prefetch_any_task_anywhere, 0, N_SHAPES);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
