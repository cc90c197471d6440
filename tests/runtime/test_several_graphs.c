/* Several graphs in one run: each comes at its date, has a thread that submits its tasks, and is alone where it shares
 * nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "random_scene.h"
#include "random_world.h"
#include "two_gpus.h"

/* --- random graphs ------------------------------------------------------------------------------------------------ */

enum { SEEDS = 2 };

static uint32_t below(struct tw__random *r, uint32_t n) { return tw__random_below(r, n); }

/* The run's own dates of graphs agree with its events, which the validator has checked. */
static void check_dates(const struct world *w, const struct outcome *o, const char *what)
{
	const struct tw__run_counters *c = &o->counters;
	tw__ns *started =
		calloc((size_t)w->graph->n_tasks, sizeof *started); /* the last start, if kernels were cancelled */
	ck_assert_int_eq(c->n_graphs, w->graph->n_parts);
	for (int i = 0; i < c->n_graphs; i++) {
		tw__ns start = TW__NEVER, end = 0;
		for (size_t k = 0; k < o->n_events; k++) {
			const struct tw__event *e = &o->events[k];
			if (e->kind > TW__RELEASE || e->task < w->graph->parts[i].first ||
			    e->task >= tw__graph_part_end(w->graph, i))
				continue;
			if (e->kind == TW__START)
				started[e->task] = e->date;
			if (e->kind == TW__END)
				start = started[e->task] < start ? started[e->task] : start;
			end = e->kind == TW__RELEASE && e->date > end ? e->date : end;
		}
		ck_assert_int_eq(c->graphs[i].arrival, w->graph->parts[i].arrival);
		ck_assert_msg(c->graphs[i].start == start, "%s: graph %d starts at %lld, not %lld", what, i,
		              (long long)start, (long long)c->graphs[i].start);
		ck_assert_msg(c->graphs[i].end >= end && start >= c->graphs[i].arrival, "%s: graph %d", what, i);
		ck_assert(c->graphs[i].end <= c->makespan);
	}
	free(started);
}

START_TEST(random_graphs_are_valid)
{
	static const char *const two[] = {"one", "all", "one"};
	int first = random_number("FIRST", 0), count = random_number("COUNT", SEEDS);
	for (int seed = first; seed < first + count; seed++) {
		const unsigned of_loop = (unsigned)_i;
		const unsigned shape = seed % 2 && !(of_loop & DISK) ? of_loop | MAINS : of_loop;
		const char *runtime = random_runtimes[(seed + _i) % N_RANDOM_RUNTIMES];
		struct tw__random *r =
			tw__random_create((uint64_t)seed * N_SHAPES_RECORDED + shape, TW__STREAM_WORKLOAD);
		struct world w;
		char policy[200];
		bool has_domains = below(r, 2);
		random_world(&w, (uint64_t)seed, shape, runtime);
		random_graphs(&w, r, 2 + (int)below(r, 2), has_domains ? two : NULL);
		snprintf(policy, sizeof policy, has_domains ? "all=all:%s+one=all:%s" : "%s", random_policy(r),
		         random_policy(r));
		struct outcome o = world_must_run(&w,
		                                  &(struct setting){.policy = policy,
		                                                    .eviction = seed % 2 ? "fifo" : "lru",
		                                                    .runtime = runtime,
		                                                    .seed = (uint64_t)seed,
		                                                    .keep_record = true},
		                                  policy);
		check_dates(&w, &o, policy);
		free(o.events);
		world_finish(&w);
		tw__random_destroy(r);
	}
}
END_TEST

/* --- graphs that share nothing ------------------------------------------------------------------------------------ */

/* Random tasks on data of their own, all of one kernel. */
static struct tw_graph *make_one(uint64_t seed)
{
	struct tw_error err = {""};
	struct tw__random *r = tw__random_create(seed, TW__STREAM_WORKLOAD);
	struct tw_graph *g = tw_graph_create();
	tw_kernel kernel = tw_graph_kernel(g, "work", "1", "s", 1);
	for (int d = 0; d < 6; d++)
		tw_graph_data(g, (1 + (uint64_t)d % 3) * MB);
	for (int i = 0; i < 30; i++) {
		struct tw_access access[] = {{(tw_data)below(r, 3), TW_R}, {3 + (tw_data)below(r, 3), TW_RW}};
		tw_graph_submit(g, kernel, 0, access, 2);
	}
	ck_assert_msg(tw_graph_finish(g, &err) == TW_OK, "%s", err.message);
	tw__random_destroy(r);
	return g;
}

/* The date of the n-th release of tasks from `first` on; -1: there are fewer. */
static tw__ns release(const struct outcome *o, tw_task first, tw_task end, int n)
{
	for (size_t i = 0; i < o->n_events; i++)
		if (o->events[i].kind == TW__RELEASE && o->events[i].task >= first && o->events[i].task < end &&
		    n-- == 0)
			return o->events[i].date;
	return -1;
}

static struct outcome run_on(struct world *w, struct tw_graph *g, const char *policy, uint64_t seed)
{
	*w = (struct world){.graph = g};
	world_platform(w, two_gpus, &(struct tw__platform_choice){.cpus = 2, .gpus = 2});
	world_times(w, (const double[]){1.013e-3, 2.071e-3});
	return world_must_run(w, &(struct setting){.policy = policy, .seed = seed, .keep_record = true}, policy);
}

/* Each graph has a domain with a core and a GPU. The second one then runs as it does alone, later. */
START_TEST(a_graph_with_its_own_workers_runs_as_alone)
{
	const char *name = tw__policies[_i]->name;
	if (strcmp(name, "replay") == 0)
		return;
	const uint64_t count = 2 * (uint64_t)random_number("COUNT", 2); /* with each of two policies in turn */
	for (uint64_t seed = 0; seed < count; seed++) {
		const double arrival_s = 0x1p-7;
		char policy[200];
		struct world both, alone;
		struct tw_graph *a = make_one(seed), *b = make_one(seed + 50);
		struct tw_joined_graph two[] = {{a, 0, "one"}, {b, arrival_s, "two"}}, one[] = {{b, 0, "two"}};
		snprintf(policy, sizeof policy, "one=gpu0/cpu0:%s+two=gpu1/cpu1:%s", seed % 2 ? "dmdas" : "lws", name);
		struct outcome o = run_on(&both, joined_graphs(two, 2), policy, seed);
		struct outcome p = run_on(&alone, joined_graphs(one, 1), policy, seed);
		for (int n = 0; n < 30; n++)
			ck_assert_msg(release(&o, 30, 60, n) == release(&p, 0, 30, n) + tw__ns_of(arrival_s),
			              "%s, seed %d: release %d at %lld ns alone, and %lld ns after the arrival", policy,
			              (int)seed, n, (long long)release(&p, 0, 30, n),
			              (long long)(release(&o, 30, 60, n) - tw__ns_of(arrival_s)));
		free(o.events);
		free(p.events);
		world_finish(&both);
		world_finish(&alone);
		tw_graph_destroy(a);
		tw_graph_destroy(b);
	}
}
END_TEST

/* --- by hand ------------------------------------------------------------------------------------------------------ */

/* Independent tasks without data. A core takes 4 ms for each, a GPU 1 ms. */
static struct tw_graph *make_tasks(int n)
{
	struct tw_error err = {""};
	struct tw_graph *g = tw_graph_create();
	tw_kernel kernel = tw_graph_kernel(g, "work", "1", "s", 1);
	for (int i = 0; i < n; i++)
		tw_graph_submit(g, kernel, 0, NULL, 0);
	ck_assert_msg(tw_graph_finish(g, &err) == TW_OK, "%s", err.message);
	return g;
}

START_TEST(makespans_by_hand)
{
	static const struct {
		int a, b; /* numbers of tasks */
		double arrival_s;
		const char *policy, *domain, *runtime;
		double end_a_s, start_b_s, end_b_s;
	} cases[] = {
		/* a: 2 tasks of 1 ms on 2 GPUs; then they wait for b */
		{2, 2, 5e-3, "gpus=gpu:eager", NULL, "", 1e-3, 5e-3, 6e-3},
		/* b comes while the GPUs run a, and begins when these tasks end */
		{2, 2, 0.5e-3, "gpus=gpu:eager", NULL, "", 1e-3, 1e-3, 2e-3},
		/* eager: b's 2 tasks come behind all 4 of a */
		{4, 2, 0, "gpus=gpu:eager", NULL, "", 2e-3, 2e-3, 3e-3},
		/* b comes when one of a's 3 tasks is left, and runs beside it */
		{3, 2, 1.5e-3, "gpus=gpu:eager", NULL, "", 2e-3, 1.5e-3, 3e-3},
		/* each graph has a thread: a and b submit a task at 1, 2 and 3 ms each, which run at once */
		{3, 3, 0, "gpus=gpu:eager", NULL, ":submit_cost=1ms", 4e-3, 1e-3 + 1e-9, 4e-3},
		/* a's window has one task: 1 ms each, one after the other, while b has the other GPU */
		{3, 3, 0, "gpus=gpu:eager", NULL, ":window=1", 3e-3, 0, 3e-3},
		/* b has a GPU of its own, a the other one */
		{3, 2, 1e-3, "one=gpu0:eager+two=gpu1:eager", "two", "", 3e-3, 1e-3, 3e-3},
		/* heft knows when b comes: one GPU runs a's 3 tasks, then b, though b's tasks have the same rank */
		{3, 1, 2e-3, "gpu=gpu0:heft", NULL, "", 3e-3, 3e-3, 4e-3},
		/* and leaves the GPU to a while it waits */
		{1, 1, 5e-3, "gpu=gpu0:heft", NULL, "", 1e-3, 5e-3, 6e-3},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char runtime[100];
		struct tw_graph *a = make_tasks(cases[i].a), *b = make_tasks(cases[i].b);
		struct tw_joined_graph two[] = {{a, 0, NULL}, {b, cases[i].arrival_s, cases[i].domain}};
		struct world w = {.graph = joined_graphs(two, 2)};
		snprintf(runtime, sizeof runtime, "ideal:gpu_pipeline=1%s", cases[i].runtime);
		world_platform(&w, two_gpus, &(struct tw__platform_choice){.cpus = 2, .gpus = 2});
		world_times(&w, w.platform->archs[0].accelerator ? (const double[]){1e-3, 4e-3}
		                                                 : (const double[]){4e-3, 1e-3});
		struct outcome o =
			world_must_run(&w, &(struct setting){.policy = cases[i].policy, .runtime = runtime}, "by hand");
		const struct tw__graph_dates *dates = o.counters.graphs;
		const double got[] = {tw__seconds(dates[0].end), tw__seconds(dates[1].start),
		                      tw__seconds(dates[1].end)};
		const double expected[] = {cases[i].end_a_s, cases[i].start_b_s, cases[i].end_b_s};
		for (int k = 0; k < 3; k++)
			ck_assert_msg(fabs(got[k] - expected[k]) < 2e-9, "case %d: date %d is %.9f s, expected %.9f",
			              (int)i, k, got[k], expected[k]);
		world_finish(&w);
		tw_graph_destroy(a);
		tw_graph_destroy(b);
	}
}
END_TEST

int main(void)
{
	int n_policies = 0;
	while (tw__policies[n_policies])
		n_policies++;
	Suite *suite = suite_create("several graphs");
	TCase *cases = tcase_create("several graphs");
	tcase_set_timeout(cases, 0);
	tcase_add_loop_test(cases, random_graphs_are_valid, 0, N_SHAPES_RECORDED);
	tcase_add_loop_test(cases, a_graph_with_its_own_workers_runs_as_alone, 0, n_policies);
	tcase_add_test(cases, makespans_by_hand);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
