/* Optima of small random graphs, compared with schedules that this test enumerates from the accesses of tasks, and with
 * runs of all policies. COUNT=2000 in the environment: that many graphs, and FIRST the first. */
#include <stdlib.h>
#include <string.h>

#include "base/wall.h"
#include "bounds/optimum.h"
#include "cluster/cluster.h"
#include "engine/engine.h"
#include "small_scene.h"

static struct tw__optimum optimum_of(const struct scene *s)
{
	const struct tw__bounded in = {s->world.platform, s->world.graph, &s->world.times};
	struct tw__optimum o;
	struct tw_error err = {""};
	ck_assert_msg(tw__optimum(&in, "random", 0, &o, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(o.bound, o.makespan);
	return o;
}

/* Asserts that the schedule follows the rules and has the makespan. */
static void check_schedule(const struct scene *s, const struct tw__optimum *o, uint64_t seed)
{
	struct grown g = {.s = s};
	tw__ns makespan = 0;
	for (int t = 0; t < s->n_tasks; t++) {
		const struct tw__optimum_task *task = &o->tasks[t];
		ck_assert_int_eq(task->end - task->start, s->tasks[t].length[task->worker]);
		ck_assert_msg(task->start >= ready_at(&g, t, s->memory[task->worker]), "seed %d: task %d is early",
		              (int)seed, t);
		for (int i = 0; i < t; i++)
			ck_assert_msg(g.worker[i] != task->worker || g.end[i] <= task->start || g.start[i] >= task->end,
			              "seed %d: tasks %d and %d overlap", (int)seed, i, t);
		g.worker[t] = task->worker;
		g.start[t] = task->start;
		g.end[t] = task->end;
		g.done |= 1u << t;
		makespan = tw__latest(makespan, task->end);
	}
	ck_assert_int_eq(makespan, o->makespan);
}

START_TEST(the_optimum_is_that_of_all_orders)
{
	const int first = random_number("FIRST", 1), count = random_number("COUNT", 500);
	for (int seed = first; seed < first + count; seed += world_every()) {
		struct scene s;
		scene_init(&s, (uint64_t)seed, 2, 7, false);
		struct grown g = {.s = &s, .best = TW__NEVER};
		const struct tw__optimum o = optimum_of(&s);
		append(&g, 0);
		ck_assert_msg(o.makespan == g.best, "seed %d: %lld ns, and the best is %lld ns", seed,
		              (long long)o.makespan, (long long)g.best);
		check_schedule(&s, &o, (uint64_t)seed);
		world_finish(&s.world);
	}
}
END_TEST

START_TEST(no_later_starts_are_better)
{
	enum { N_GRAPHS = 120 };
	for (uint64_t seed = 1; seed <= N_GRAPHS; seed += (uint64_t)world_every()) {
		struct scene s;
		scene_init(&s, seed, 2, 4, true);
		struct grown g = {.s = &s, .best = TW__NEVER};
		place(&g, 0, 0);
		ck_assert_msg(optimum_of(&s).makespan == g.best, "seed %d: the best is %lld ns", (int)seed,
		              (long long)g.best);
		world_finish(&s.world);
	}
}
END_TEST

/* Task 0 could run on the CPU while the GPU waits for data, but its result, of 20 ms, is needed on the GPU. So it waits
 * for its data there, and task 1 runs before. */
START_TEST(a_task_waits_for_a_worker_near_its_successor)
{
	struct scene s = {.n_tasks = 3,
	                  .bytes = {8000000, 20000000, 5000000, 8, 8, 8, 8, 8},
	                  .tasks = {{2, {{0, TW_R}, {1, TW_W}}}, {2, {{2, TW_R}, {3, TW_W}}}, {1, {{1, TW_R}}}}};
	const double seconds[] = {1e-3, 1e-3, 1e-3, NAN, 1e-3, NAN}; /* GPU, CPU */
	world_platform(&s.world, small_node, &(struct tw__platform_choice){.cpus = 1, .gpus = 1});
	ck_assert(s.world.platform->archs[0].accelerator == (s.world.platform->workers[0].arch == 0));
	make_graph(&s);
	world_times(&s.world, seconds);
	ck_assert_int_eq(optimum_of(&s).makespan, 8010000 + 2 * (tw__ns)ms);
	world_finish(&s.world);
}
END_TEST

START_TEST(a_handle_starts_where_the_graph_says)
{
	for (tw_node home = 0; home < 2; home++) {
		struct world w = {0};
		struct tw_error err = {""};
		struct tw__optimum o;
		world_platform(&w, small_node, &(struct tw__platform_choice){.cpus = 0, .gpus = 1});
		w.graph = tw_graph_create();
		const struct tw_access access = {tw_graph_data(w.graph, 8000000), TW_R};
		tw_graph_set_home(w.graph, access.data, home);
		tw_graph_submit(w.graph, tw_graph_kernel(w.graph, "kernel", "1", "s", 1), 0, &access, 1);
		ck_assert_int_eq(tw_graph_finish(w.graph, &err), TW_OK);
		world_times(&w, (const double[]){1e-3});
		const struct tw__bounded in = {w.platform, w.graph, &w.times};
		ck_assert_int_eq(tw__optimum(&in, "one", 0, &o, &err), TW_OK);
		ck_assert_int_eq(o.makespan, (tw__ns)ms + (home ? 0 : 8010000));
		world_finish(&w);
	}
}
END_TEST

static tw__ns makespan_of(const struct world *w, const char *policy, const char *runtime, uint64_t seed)
{
	struct tw__plan plan;
	struct tw_error err = {""};
	struct tw__run_counters counters;
	const struct setting setting = {.policy = policy, .runtime = runtime, .seed = seed};
	struct tw__run_input in = world_input(w, &setting, &plan);
	in.engine = &tw__engine_native;
	int status = tw__cluster_run(&in, &counters, &err);
	ck_assert_msg(status == TW_OK, "seed %d, %s: %s", (int)seed, policy, err.message);
	tw__plan_finish(&plan);
	return counters.makespan;
}

/* The policy replay runs the optimal schedule. Without transfers it takes as long. */
static void give_places(const struct scene *s, const struct tw__optimum *o)
{
	const struct tw__platform *p = s->world.platform;
	int accelerators = tw__platform_accelerators(p);
	s->world.graph->place = tw_alloc((size_t)s->n_tasks, sizeof *s->world.graph->place);
	for (int t = 0; t < s->n_tasks; t++) {
		const tw_worker w = o->tasks[t].worker;
		struct tw_recorded_place *place = &s->world.graph->place[t];
		*place = (struct tw_recorded_place){.accelerator = w < accelerators,
		                                    .worker = w < accelerators ? w : w - accelerators};
		for (int i = 0; i < s->n_tasks; i++)
			place->order += o->tasks[i].start < o->tasks[t].start ||
			                (o->tasks[i].start == o->tasks[t].start && i < t);
	}
}

START_TEST(no_policy_is_below_the_optimum)
{
	const int first = random_number("FIRST", 1), count = random_number("COUNT", 100);
	int runs = 0, reached = 0, replayed = 0;
	for (int seed = first; seed < first + count; seed += world_every()) {
		struct scene s;
		scene_init(&s, (uint64_t)seed, 4, MOST_TASKS, false);
		const struct tw__optimum o = optimum_of(&s);
		check_schedule(&s, &o, (uint64_t)seed);
		give_places(&s, &o);
		for (int p = 0; tw__policies[p]; p++) {
			const char *policy = tw__policies[p]->name;
			const tw__ns makespan = makespan_of(&s.world, policy, "ideal", (uint64_t)seed);
			ck_assert_msg(makespan >= o.makespan, "seed %d, %s: %lld ns, and the optimum is %lld ns", seed,
			              policy, (long long)makespan, (long long)o.makespan);
			const bool replays = strcmp(policy, "replay") == 0;
			ck_assert_msg(!replays || !s.off || makespan == o.makespan,
			              "seed %d: replay takes %lld ns, not %lld", seed, (long long)makespan,
			              (long long)o.makespan);
			runs++;
			reached += !replays && makespan == o.makespan;
			replayed += replays && makespan == o.makespan;
		}
		world_finish(&s.world);
	}
	printf("%d graphs, %d runs: %d as short as the optimum, and %d replays of it\n", count, runs, reached,
	       replayed);
	ck_assert_int_gt(reached, 0);
}
END_TEST

/* Nodes with several main memories, with a disk, with little memory; handles that start or end on GPUs. */
START_TEST(no_run_is_below_the_bound)
{
	static const char *const runtimes[] = {"ideal", "ideal:homes=interleaved", "ideal:homes=first_touch", "starpu"};
	const int first = random_number("FIRST", 1), count = random_number("COUNT", 100);
	int n = 0;
	random_places = true;
	for (int seed = first; seed < first + count; seed += world_every()) {
		const unsigned shape = (unsigned)seed % 16 & (seed / 16 % 2 ? ~(unsigned)DISK : ~0u);
		const char *runtime = runtimes[seed / 32 % 4];
		struct world w;
		struct tw__optimum o;
		struct tw_error err = {""};
		random_world(&w, (uint64_t)seed, shape | (seed / 16 % 2 ? MAINS : 0), runtime);
		const struct tw__bounded in = {w.platform, w.graph, &w.times};
		const bool is_small = tw__optimum(&in, "random", 0.02, &o, &err) == TW_OK;
		for (int p = 0; is_small && tw__policies[p]; p++) {
			if (p % 5 != seed % 5 || strcmp(tw__policies[p]->name, "replay") == 0)
				continue;
			const tw__ns makespan = makespan_of(&w, tw__policies[p]->name, runtime, (uint64_t)seed);
			ck_assert_msg(makespan >= o.bound, "seed %d, %s: %lld ns, and the bound is %lld ns", seed,
			              tw__policies[p]->name, (long long)makespan, (long long)o.bound);
			n++;
		}
		world_finish(&w);
	}
	printf("%d runs on random nodes\n", n);
	ck_assert_int_gt(n, 0);
}
END_TEST

static struct tw__scene *scene_of(const char *workload, bool no_communication)
{
	static struct tw__request request;
	struct tw_error err = {""};
	struct tw__scene *scene;
	request = (struct tw__request){.platform = "mirage",
	                               .workload = workload,
	                               .choice = {.cpus = 2, .gpus = 2, .no_communication = no_communication},
	                               .extrapolate = true,
	                               .seed = 1};
	ck_assert_msg(tw__scene_create(&scene, &request, &err) == TW_OK, "%s", err.message);
	return scene;
}

/* The time limit ends the search, and leaves a bound and a schedule. */
START_TEST(time_over_leaves_a_gap)
{
	struct tw_error err = {""};
	struct tw__optimum o, longer;
	struct tw__scene *s = scene_of("cholesky:nt=6", false); /* 56 tasks */
	struct tw__bounded in = tw__scene_bounded(s);
	const double start_s = tw__wall_s();
	ck_assert_int_eq(tw__optimum(&in, "cholesky", 0.2, &o, &err), TW_OK);
	ck_assert_double_lt(tw__wall_s() - start_s, 20); /* the machine may be busy */
	ck_assert_int_lt(o.bound, o.makespan);
	ck_assert_int_ge(o.bound, tw__ns_of(s->area_s) - 1);
	ck_assert_int_ge(o.bound, tw__ns_of(s->critical_path_s));
	ck_assert_int_eq(tw__optimum(&in, "cholesky", 1, &longer, &err), TW_OK);
	ck_assert_int_le(longer.makespan, o.makespan);
	ck_assert_int_le(o.bound, longer.makespan);
	tw__scene_destroy(s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("optimum");
	TCase *cases = tcase_create("optimum");
	tcase_set_timeout(cases, getenv("COUNT") ? 0 : 100);
	tcase_add_test(cases, the_optimum_is_that_of_all_orders);
	tcase_add_test(cases, no_later_starts_are_better);
	tcase_add_test(cases, a_task_waits_for_a_worker_near_its_successor);
	tcase_add_test(cases, a_handle_starts_where_the_graph_says);
	tcase_add_test(cases, no_policy_is_below_the_optimum);
	tcase_add_test(cases, no_run_is_below_the_bound);
	tcase_add_test(cases, time_over_leaves_a_gap);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
