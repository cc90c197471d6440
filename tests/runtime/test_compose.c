/* Composed policies: a window without a limit changes nothing, and every policy can be in front and at the back. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "random_world.h"
#include "two_gpus.h"

static uint32_t below(struct tw__random *r, uint32_t n) { return tw__random_below(r, n); }

static int n_policies(void)
{
	int n = 0;
	while (tw__policies[n])
		n++;
	return n;
}

/* --- by hand ------------------------------------------------------------------------------------------------------ */

/* Independent tasks without data on cores: "s" takes 1 ms, "l" 4 ms and has priority 1. */
static void make(struct world *w, int cpus, const char *tasks)
{
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, two_gpus, &(struct tw__platform_choice){.cpus = cpus, .gpus = 0});
	w->graph = tw_graph_create();
	tw_kernel kernels[] = {tw_graph_kernel(w->graph, "s", "1", "s", 1),
	                       tw_graph_kernel(w->graph, "l", "1", "s", 1)};
	for (; *tasks; tasks++)
		tw_graph_submit(w->graph, kernels[*tasks == 'l'], *tasks == 'l', NULL, 0);
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (const double[]){1e-3, 4e-3});
}

static double figure(const struct outcome *o, const char *name)
{
	for (int i = 0; i < o->counters.n_figures; i++)
		if (strcmp(o->counters.figures[i].name, name) == 0)
			return o->counters.figures[i].value;
	return 0;
}

/* The first task goes to the back at once, as nothing is there when it is pushed. All are pushed before workers ask. */
START_TEST(makespans_by_hand)
{
	static const struct {
		const char *policy;
		int cpus;
		const char *tasks;
		double makespan_s, beyond;
	} cases[] = {
		{"eager", 2, "ssssl", 6e-3, 0}, /* l last: 2 ms of s on both cores, then 4 ms */
		{"prio", 2, "ssssl", 4e-3, 0},  /* l first: 4 ms beside 4 s */
		/* no limit: the back gets the tasks in the order of their pushes */
		{"compose:front=prio:window=0:back=eager", 2, "ssssl", 6e-3, 0},
		/* core 0 takes the first s; then the window has room, and l comes first: core 1, 0 to 4 ms */
		{"compose:front=prio:window=1:back=eager", 2, "ssssl", 4e-3, 0},
		/* two s are at the back; l is the third to start: core 0, 1 to 5 ms */
		{"compose:front=prio:window=2:back=eager", 2, "ssssl", 5e-3, 0},
		/* four s are, so l is the last to start: 2 to 6 ms */
		{"compose:front=prio:window=4:back=eager", 2, "ssssl", 6e-3, 0},
		/* the order is that of the front, whatever the order of the back: l last */
		{"compose:front=eager:window=1:back=prio", 2, "ssssl", 6e-3, 0},
		/* heft plans l on one core and all s on the other one. An s goes to the back when the one before
	         * starts, and l when the fourth starts, at 3 ms: 3 + 4 ms */
		{"compose:front=eager:window=1:back=heft", 2, "ssssl", 7e-3, 0},
		/* one s more at the back: l goes there when the third starts, at 2 ms */
		{"compose:front=eager:window=2:back=heft", 2, "ssssl", 6e-3, 0},
		/* heft plans l first, but s fills the window: l goes beyond it; 4 + 1 ms */
		{"compose:front=eager:window=1:back=heft", 1, "sl", 5e-3, 1},
		/* two windows: the inner one, of 4 tasks, is full of s when l comes out of the outer one */
		{"compose:front=prio:window=5:back=compose\\:front=eager\\:window=4\\:back=eager", 2, "ssssl", 6e-3, 0},
		/* split: each core takes an s, before an l is there, and then asks for kernel l first: s l, s l s */
		{"split:kernels=l:to=eager:rest=eager", 2, "sssll", 6e-3, 0},
		/* s l on core 0, and five s on core 1 */
		{"split:kernels=l:to=eager:rest=eager", 2, "ssssssl", 5e-3, 0},
		{"split:kernels=l:to=heft:rest=eager", 2, "ssssssl", 5e-3, 0},
		/* s beside s; l on core 0, 1 to 5 ms, beside four s; then the last two s */
		{"split:kernels=s:to=eager:rest=eager", 2, "sslssssss", 6e-3, 0},
		/* all tasks are for one of the two */
		{"split:rest=eager", 2, "ssssssl", 7e-3, 0},
		{"split:kernels=s+l:to=prio", 2, "ssssl", 4e-3, 0},
		/* the front gives l second, to core 1, and then s to core 0 */
		{"compose:front=prio:window=1:back=split\\:kernels=l\\:to=eager\\:rest=eager", 2, "ssssl", 4e-3, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		make(&w, cases[i].cpus, cases[i].tasks);
		struct setting s = {.policy = cases[i].policy};
		struct outcome o = world_must_run(&w, &s, cases[i].policy);
		ck_assert_msg(o.counters.makespan == tw__ns_of(cases[i].makespan_s), "%s, %s: %.9f s, expected %.9f",
		              cases[i].policy, cases[i].tasks, tw__seconds(o.counters.makespan), cases[i].makespan_s);
		ck_assert_double_eq(figure(&o, "beyond_window"), cases[i].beyond);
		world_finish(&w);
	}
}
END_TEST

/* --- identities --------------------------------------------------------------------------------------------------- */

/* Policies whose random numbers decide: a child has others. */
static bool draws(const char *name)
{
	return !strcmp(name, "random") || !strcmp(name, "dynamic_outer") || !strcmp(name, "heft_restarts");
}

/* Without a limit, each task goes to the back when it is pushed. */
START_TEST(a_window_without_limit_changes_nothing)
{
	const char *name = tw__policies[_i]->name;
	char composed[200];
	const int count = random_number("COUNT", 8);
	for (int seed = 0; seed < count && !draws(name); seed++) {
		unsigned shape = (unsigned)(seed * 7 + _i) % N_SHAPES;
		const char *runtime = random_runtimes[(seed + _i) % N_RANDOM_RUNTIMES];
		struct world w;
		random_world(&w, (uint64_t)seed, shape, runtime);
		struct setting s = {.policy = name, .runtime = runtime, .seed = (uint64_t)seed};
		struct outcome alone = world_must_run(&w, &s, name);
		static const char *const words[] = {"compose:front=eager:window=0:back=%s",
		                                    "compose:front=prio:window=1000000:back=%s",
		                                    "compose:window=0:back=compose\\:window=0\\:back=%s"};
		for (int i = 0; i < 3; i++) {
			snprintf(composed, sizeof composed, words[i], name);
			s.policy = composed;
			struct outcome o = world_must_run(&w, &s, name);
			ck_assert_msg(o.fingerprint == alone.fingerprint, "%s, seed %d, %s: %.9f s, alone %.9f s",
			              composed, seed, runtime, tw__seconds(o.counters.makespan),
			              tw__seconds(alone.counters.makespan));
		}
		world_finish(&w);
	}
}
END_TEST

/* One queue behind another: the window does not matter if the tasks come in the same order, and no worker looks at more
 * than one task at a time. */
START_TEST(a_queue_behind_a_queue)
{
	for (int cpus = 1; cpus <= 3; cpus++)
		for (int window = 1; window <= 4; window++) {
			char policy[100];
			struct world w;
			make(&w, cpus, "slsslslssl");
			snprintf(policy, sizeof policy, "compose:front=eager:window=%d:back=eager", window);
			struct outcome alone = world_must_run(&w, &(struct setting){.policy = "eager"}, "eager");
			struct outcome o = world_must_run(&w, &(struct setting){.policy = policy}, policy);
			ck_assert_msg(o.counters.makespan == alone.counters.makespan, "%s, %d cores", policy, cpus);
			world_finish(&w);
		}
}
END_TEST

/* --- random runs -------------------------------------------------------------------------------------------------- */

enum { SEEDS = 3, TEXT = 400 };

/* Whether workers run their tasks strictly in a planned order. The default back of compose is heft. */
static bool is_strict(const char *name)
{
	static const char *const strict[] = {"heft", "heft_lookahead", "heft_restarts", "peft",
	                                     "cpop", "replay",         "compose"};
	for (size_t i = 0; i < sizeof strict / sizeof *strict; i++)
		if (!strcmp(name, strict[i]))
			return true;
	return false;
}

/* A policy for a composition with another one. Two orders of strict policies could wait for each other. */
static void any_policy(struct tw__random *r, const char *with, char *text)
{
	do
		strcpy(text, tw__policies[below(r, (uint32_t)n_policies())]->name);
	while (is_strict(with) && is_strict(text));
}

static int any_window(struct tw__random *r)
{
	static const int windows[] = {0, 1, 1, 2, 3, 5, 32};
	return windows[below(r, sizeof windows / sizeof *windows)];
}

/* Runs a world; a graph of a random world fits, and replay has the worker of each task. */
static void try(const char *policy, unsigned shape, int seed)
{
	const char *runtime = random_runtimes[(seed + (int)shape) % N_RANDOM_RUNTIMES];
	struct world w;
	random_world(&w, (uint64_t)seed, shape, runtime);
	struct setting s = {.policy = policy, .runtime = runtime, .seed = (uint64_t)seed};
	world_must_run(&w, &s, "composed");
	world_finish(&w);
}

START_TEST(every_policy_in_front_and_at_the_back)
{
	const char *name = tw__policies[_i]->name;
	int first = random_number("FIRST", 0), count = random_number("COUNT", SEEDS);
	for (int seed = first; seed < first + count; seed++) {
		char policy[TEXT], other[64];
		struct tw__random *r = tw__random_create((uint64_t)(seed * 100 + _i), TW__STREAM_WORKLOAD);
		any_policy(r, name, other);
		snprintf(policy, TEXT, "compose:front=%s:window=%d:back=%s", name, any_window(r), other);
		try(policy, below(r, N_SHAPES), seed);
		any_policy(r, name, other);
		snprintf(policy, TEXT, "compose:front=%s:window=%d:back=%s", other, any_window(r), name);
		try(policy, below(r, N_SHAPES), seed);
		any_policy(r, name, other);
		/* a queue with children; the policy at the back is the default, or not strict */
		snprintf(policy, TEXT,
		         "all=all:compose:window=%d:front=compose\\:window=%d\\:front=%s\\:back=%s:back=%s",
		         any_window(r), any_window(r), name, other,
		         is_strict(name) || is_strict(other) ? "dmdas" : "heft");
		try(policy, below(r, N_SHAPES), seed);
		tw__random_destroy(r);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("compose");
	TCase *cases = tcase_create("compose");
	tcase_set_timeout(cases, getenv("COUNT") ? 0 : 100);
	tcase_add_test(cases, makespans_by_hand);
	tcase_add_loop_test(cases, a_window_without_limit_changes_nothing, 0, n_policies());
	tcase_add_test(cases, a_queue_behind_a_queue);
	tcase_add_loop_test(cases, every_policy_in_front_and_at_the_back, 0, n_policies());
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
