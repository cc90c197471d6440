/* Scheduling domains: each task runs on a worker of its domain, whatever the policies are. Two domains that share
 * nothing give what two runs give. */
#include <stdlib.h>
#include <string.h>

#include <tilewright/policy.h>

#include "base/random.h"
#include "random_scene.h"
#include "random_world.h"
#include "two_gpus.h"

/* --- random domains ----------------------------------------------------------------------------------------------- */

enum { SEEDS = 2 };

static uint32_t below(struct tw__random *r, uint32_t n) { return tw__random_below(r, n); }

START_TEST(every_task_runs_in_its_domain)
{
	unsigned shape = (unsigned)_i;
	int first = random_number("FIRST", 0), count = random_number("COUNT", SEEDS);
	for (int seed = first; seed < first + count; seed++) {
		const char *runtime = random_runtimes[(seed + (int)shape) % N_RANDOM_RUNTIMES];
		struct tw__random *r = tw__random_create((uint64_t)seed * N_SHAPES + shape, TW__STREAM_WORKLOAD);
		struct world w;
		struct random_domains d;
		random_world(&w, (uint64_t)seed, shape, runtime);
		random_domains(&d, &w, r);
		world_must_run(&w,
		               &(struct setting){.policy = d.policy,
		                                 .assign = d.assign,
		                                 .eviction = seed % 2 ? "fifo" : "lru",
		                                 .runtime = runtime,
		                                 .seed = (uint64_t)seed},
		               d.assign);
		world_finish(&w);
		tw__random_destroy(r);
	}
}
END_TEST

/* --- two domains beside each other -------------------------------------------------------------------------------- */

/* Kernels "a" and "b", with random tasks on data of their own. Only the first `only` kinds are there. */
static void make_apart(struct world *w, uint64_t seed, bool with_b)
{
	struct tw_error err = {""};
	struct tw__random *r = tw__random_create(seed, TW__STREAM_WORKLOAD);
	*w = (struct world){0};
	world_platform(w, two_gpus, &(struct tw__platform_choice){.cpus = 2, .gpus = 2});
	w->graph = tw_graph_create();
	tw_kernel kernels[] = {tw_graph_kernel(w->graph, "a", "1", "s", 1),
	                       tw_graph_kernel(w->graph, "b", "1", "s", 1)};
	for (int d = 0; d < 12; d++)
		tw_graph_data(w->graph, (1 + d % 3) * MB);
	for (int i = 0; i < 60; i++) {
		int b = i % 2; /* even data for a, odd ones for b */
		struct tw_access access[] = {{2 * (tw_data)below(r, 3) + b, TW_R},
		                             {6 + 2 * (tw_data)below(r, 3) + b, TW_RW}};
		if (!b || with_b)
			tw_graph_submit(w->graph, kernels[b], 0, access, 2);
	}
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (const double[]){1e-3, 2e-3, 1.5e-3, 1e-3});
	tw__random_destroy(r);
}

/* The date when the n-th release of kernel "a" comes, from 0; -1: there are fewer. */
static tw__ns release_of_a(const struct world *w, const struct outcome *o, int n)
{
	for (size_t i = 0; i < o->n_events; i++)
		if (o->events[i].kind == TW__RELEASE && w->graph->kernel[o->events[i].task] == 0 && n-- == 0)
			return o->events[i].date;
	return -1;
}

START_TEST(disjoint_domains_do_not_change_each_other)
{
	const char *name = tw__policies[_i]->name;
	if (strcmp(name, "replay") == 0)
		return;
	const uint64_t count = 2 * (uint64_t)random_number("COUNT", 3); /* with each of two policies in turn */
	for (uint64_t seed = 0; seed < count; seed++) {
		char policy[200];
		struct world alone, both;
		snprintf(policy, sizeof policy, "one=gpu0/cpu0:%s+two=gpu1/cpu1:%s", name, seed % 2 ? "dmdas" : "lws");
		struct setting s = {.policy = policy, .assign = "b=two", .keep_record = true, .seed = seed};
		make_apart(&alone, seed, false);
		make_apart(&both, seed, true);
		struct outcome a = world_must_run(&alone, &s, name), b = world_must_run(&both, &s, name);
		for (int n = 0; n < 30; n++)
			ck_assert_msg(release_of_a(&alone, &a, n) == release_of_a(&both, &b, n),
			              "%s, seed %d: release %d at %lld ns alone, %lld ns with another domain", policy,
			              (int)seed, n, (long long)release_of_a(&alone, &a, n),
			              (long long)release_of_a(&both, &b, n));
		ck_assert(release_of_a(&alone, &a, 29) > 0 && release_of_a(&alone, &a, 30) < 0);
		free(a.events);
		free(b.events);
		world_finish(&alone);
		world_finish(&both);
	}
}
END_TEST

/* --- by hand ------------------------------------------------------------------------------------------------------ */

/* Six independent tasks without data, a b a b a b. A core takes 4 ms for each, a GPU 1 ms. */
static void make_six(struct world *w)
{
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, two_gpus, &(struct tw__platform_choice){.cpus = 2, .gpus = 2});
	w->graph = tw_graph_create();
	tw_kernel kernels[] = {tw_graph_kernel(w->graph, "a", "1", "s", 1),
	                       tw_graph_kernel(w->graph, "b", "1", "s", 1)};
	for (int i = 0; i < 6; i++)
		tw_graph_submit(w->graph, kernels[i % 2], 0, NULL, 0);
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	double times[4];
	for (int arch = 0; arch < w->platform->n_archs; arch++)
		times[arch] = times[2 + arch] = w->platform->archs[arch].accelerator ? 1e-3 : 4e-3;
	world_times(w, times);
}

START_TEST(makespans_by_hand)
{
	static const struct {
		const char *policy, *assign;
		double makespan_s;
	} cases[] = {
		{"all=all:eager", NULL, 4e-3},                     /* each core takes one, GPUs the other four */
		{"gpus=gpu:eager", NULL, 3e-3},                    /* 6 tasks of 1 ms on 2 GPUs */
		{"gpu=gpu0:eager", NULL, 6e-3},                    /* on one */
		{"cpus=cpu:eager", NULL, 12e-3},                   /* 6 tasks of 4 ms on 2 cores */
		{"gpus=gpu:eager+cpus=cpu:eager", "b=cpus", 8e-3}, /* b: 3 tasks of 4 ms on 2 cores */
		{"one=gpu0:eager+two=gpu1:eager", "b=two", 3e-3},  /* 3 tasks of 1 ms on each */
		{"one=gpu0:eager+two=cpu0:eager", "a=two", 12e-3}, /* a: 3 tasks of 4 ms on one core */
		{"one=gpu:dm+two=gpu:dm", "b=two", 3e-3},          /* each takes the GPU that the other one has not */
		{"one=gpu0:eager+two=gpu:eager", "b=two", 4e-3},   /* GPU 0: a b a a, in turn; GPU 1: b b */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		make_six(&w);
		struct setting s = {
			.policy = cases[i].policy, .assign = cases[i].assign, .runtime = "ideal:gpu_pipeline=1"};
		struct outcome o = world_must_run(&w, &s, cases[i].policy);
		ck_assert_msg(o.counters.makespan == tw__ns_of(cases[i].makespan_s), "%s, %s: %.9f s, expected %.9f",
		              cases[i].policy, cases[i].assign ? cases[i].assign : "-",
		              tw__seconds(o.counters.makespan), cases[i].makespan_s);
		world_finish(&w);
	}
}
END_TEST

/* The kernels of the tasks that a GPU in two domains starts, in order. */
START_TEST(a_shared_worker_asks_in_turn_or_in_order)
{
	static const struct {
		const char *runtime, *order;
	} cases[] = {{"ideal:gpu_pipeline=1", "ababab"}, {"ideal:gpu_pipeline=1:domains_in_turn=no", "aaabbb"}};
	for (int i = 0; i < 2; i++) {
		struct world w;
		char order[8] = "";
		make_six(&w);
		struct setting s = {.policy = "one=gpu0:eager+two=gpu0:eager",
		                    .assign = "b=two",
		                    .runtime = cases[i].runtime,
		                    .keep_record = true};
		struct outcome o = world_must_run(&w, &s, "a shared worker");
		for (size_t e = 0; e < o.n_events; e++)
			if (o.events[e].kind == TW__START)
				strcat(order, w.graph->kernel[o.events[e].task] ? "b" : "a");
		ck_assert_str_eq(order, cases[i].order);
		free(o.events);
		world_finish(&w);
	}
}
END_TEST

/* --- refusals ----------------------------------------------------------------------------------------------------- */

START_TEST(wrong_domains_are_refused)
{
	static const struct {
		const char *policy, *assign, *message;
	} cases[] = {
		{"a=:eager", NULL, "domain 'a=:eager': expected NAME=WORKERS:POLICY, as in gpus=gpu:dmdas"},
		{"a=cpu:", NULL, "domain 'a=cpu:': expected NAME=WORKERS:POLICY, as in gpus=gpu:dmdas"},
		{"a=cpu:eager+a=gpu:eager", NULL, "domain 'a': a second domain of that name: expected another name"},
		{"a234567890123456=cpu:eager", NULL,
	         "domain 'a234567890123456=cpu:eager': its name has 16 letters: expected at most 15"},
		{"a=cpu9:eager", NULL,
	         "domain 'a': platform 'test' has no worker 'cpu9': expected all, cpu, gpu, cpu0-3, an arch or a "
	         "worker's name, with '/' between"},
		{"a=cpu:eager", "b=c", "--assign: the run has no domain 'c': expected a name from --domain"},
		{"a=cpu:eager", "c=a", "--assign: the workload has no kernel 'c'"},
		{"a=cpu:eager", "b=a,b=a", "--assign: kernel 'b' twice: expected it once"},
		{"a=cpu//gpu:eager", NULL,
	         "domain 'a': platform 'test' has no worker '': expected all, cpu, gpu, cpu0-3, an arch or a worker's "
	         "name, with '/' between"},
		{"a=cpu:eager", "b", "--assign 'b': expected KERNEL=DOMAIN, as in gemm=gpus"},
		{"eager", "b=a", "--assign 'b=a': the run has no domains: expected --domain"},
		{"a=cpu:replay+b=gpu:eager", "b=b",
	         "policy 'replay': task 1 belongs to another policy, or is a message: expected one policy for all "
	         "tasks, as a record has the workers of all"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		make_six(&w);
		struct setting s = {.policy = cases[i].policy, .assign = cases[i].assign, .eviction = "lru"};
		struct outcome o = world_run(&w, &s);
		ck_assert_int_eq(o.status, TW_INVALID);
		ck_assert_str_eq(o.err.message, cases[i].message);
		world_finish(&w);
	}
}
END_TEST

/* A policy that gives a task of another domain's policy. */
static tw_task pop_any(struct tw_sched *s, void *state, tw_worker w)
{
	(void)state, (void)w;
	for (tw_task t = 0; t < tw_graph_n_tasks(tw_sched_graph(s)); t++)
		if (!tw_task_is_mine(s, t))
			return t;
	return TW_NONE;
}

static void push_and_wake(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)state, (void)t, (void)w;
	tw_wake(s, TW_ALL);
}

START_TEST(a_task_of_another_domain)
{
	static const struct tw_policy thief = {
		.abi = TW_POLICY_ABI, .name = "thief", .push = push_and_wake, .pop = pop_any};
	struct world w;
	make_six(&w);
	struct setting s = {.policy = "one=gpu0:eager+two=gpu1:eager", .assign = "b=two", .own_policy = &thief};
	struct outcome o = world_run(&w, &s);
	ck_assert_int_eq(o.status, TW_FAILED);
	ck_assert_str_eq(o.err.message,
	                 "policy 'thief' of domain 'one' gives task 1, which is for policy 'eager' of domain 'two'");
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("domains");
	TCase *cases = tcase_create("domains");
	tcase_set_timeout(cases, getenv("COUNT") ? 0 : 100);
	int n = 0;
	while (tw__policies[n])
		n++;
	tcase_add_loop_test(cases, every_task_runs_in_its_domain, 0, N_SHAPES);
	tcase_add_loop_test(cases, disjoint_domains_do_not_change_each_other, 0, n);
	tcase_add_test(cases, makespans_by_hand);
	tcase_add_test(cases, a_shared_worker_asks_in_turn_or_in_order);
	tcase_add_test(cases, wrong_domains_are_refused);
	tcase_add_test(cases, a_task_of_another_domain);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
