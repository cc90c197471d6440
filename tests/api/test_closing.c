/* Platforms, scenes, graphs and runs may be closed in any order, and while a run of theirs is under way. Scenes of
 * several threads may use one graph. */
#include <pthread.h>

#include <check.h>

#include <tilewright/run.h>

#include "fixture.h"

static struct tw_error err;

/* --- under a run -------------------------------------------------------------------------------------------------- */

struct gate {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool begun, closed;
};

/* The first task comes when the program has closed all else. */
static int wait_at_gate(struct tw_sched *s, void *state, struct tw_error *why)
{
	struct gate *gate = tw_sched_context(s);
	(void)state, (void)why;
	pthread_mutex_lock(&gate->lock);
	gate->begun = true;
	pthread_cond_broadcast(&gate->changed);
	while (!gate->closed)
		pthread_cond_wait(&gate->changed, &gate->lock);
	pthread_mutex_unlock(&gate->lock);
	return TW_OK;
}

static void push_one(struct tw_sched *s, void *state, tw_task t, tw_worker by)
{
	(void)by;
	*(tw_task *)state = t + 1;
	tw_wake(s, TW_ALL);
}

static tw_task pop_one(struct tw_sched *s, void *state, tw_worker w)
{
	tw_task t = *(tw_task *)state - 1;
	(void)s, (void)w;
	*(tw_task *)state = 0;
	return t; /* -1, TW_NONE: there is none */
}

static const struct tw_policy gated = {
	.abi = TW_POLICY_ABI,
	.name = "gated",
	.state_size = sizeof(tw_task),
	.init = wait_at_gate,
	.push = push_one,
	.pop = pop_one,
};

struct gated_run {
	struct tw_scene *scene;
	struct gate *gate;
	struct tw_run *run;
	int status;
	struct tw_error err;
};

static void *run_gated(void *arg)
{
	struct gated_run *r = arg;
	struct tw_run_options o;
	tw_run_options_init(&o);
	o.own_policy = &gated;
	o.context = r->gate;
	o.records = true;
	r->status = tw_scene_run(r->scene, &o, &r->run, &r->err);
	return NULL;
}

static struct tw_graph *chain(int n)
{
	struct tw_graph *g = tw_graph_create();
	tw_data d = tw_graph_data(g, 1000);
	tw_kernel k = tw_graph_recorded_kernel(g, "step", "1", "d", 0, "processors+accelerators");
	for (int i = 0; i < n; i++)
		tw_graph_set_seconds(g, tw_graph_submit(g, k, 0, &(struct tw_access){d, TW_RW}, 1), 0.5);
	return g;
}

START_TEST(test_closed_under_a_run)
{
	static struct gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false};
	const struct tw_run_task *tasks;
	struct tw_platform *platform;
	struct tw_graph *g = chain(10);
	struct gated_run r = {.gate = &gate};
	pthread_t id;
	ck_assert_int_eq(tw_platform_open(&platform, "mirage", NULL, &err), TW_OK);
	ck_assert_int_eq(tw_scene_create(&r.scene, platform, g, "chain", &err), TW_OK);
	ck_assert_int_eq(pthread_create(&id, NULL, run_gated, &r), 0);
	pthread_mutex_lock(&gate.lock);
	while (!gate.begun)
		pthread_cond_wait(&gate.changed, &gate.lock);
	tw_platform_close(platform);
	tw_scene_close(r.scene);
	tw_graph_destroy(g);
	gate.closed = true;
	pthread_cond_broadcast(&gate.changed);
	pthread_mutex_unlock(&gate.lock);
	pthread_join(id, NULL);
	ck_assert_msg(r.status == TW_OK, "%s", r.err.message);
	ck_assert_uint_eq(tw_run_tasks(r.run, &tasks), 10);
	ck_assert_str_eq(tw_run_value(r.run, "workload"), "chain");
	ck_assert_str_eq(tw_run_value(r.run, "platform"), "mirage");
	tw_run_close(r.run);
}
END_TEST

/* Each order of closing. */
START_TEST(test_orders)
{
	static const int orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 0, 3, 2},
	                                {2, 0, 1, 3}, {1, 3, 0, 2}, {2, 3, 1, 0}};
	struct tw_run_options o;
	struct tw_platform *platform;
	struct tw_graph *g = chain(3);
	struct tw_scene *scene;
	struct tw_run *run;
	tw_run_options_init(&o);
	o.policy = "eager";
	ck_assert_int_eq(tw_platform_open(&platform, "mirage", NULL, &err), TW_OK);
	ck_assert_int_eq(tw_scene_create(&scene, platform, g, "chain", &err), TW_OK);
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_OK);
	for (int i = 0; i < 4; i++) {
		int which = orders[_i][i];
		if (which == 0)
			tw_platform_close(platform);
		else if (which == 1)
			tw_scene_close(scene);
		else if (which == 2)
			tw_graph_destroy(g);
		else
			tw_run_close(run);
	}
}
END_TEST

/* --- one graph in several threads --------------------------------------------------------------------------------- */

enum { N_THREADS = 4, N_SCENES = 5 };

struct user {
	struct tw_graph *graph;
	struct tw_platform *platform; /* of all threads; NULL: this thread opens its own */
	double makespan_s;
	int failures;
	struct tw_error err;
};

static double makespan_of(const struct user *u, struct tw_error *why)
{
	struct tw_platform *platform = u->platform;
	struct tw_scene *scene = NULL;
	struct tw_run *run = NULL;
	struct tw_run_options o;
	double makespan_s = -1;
	tw_run_options_init(&o);
	o.policy = "dmda";
	o.options = (const char *const[]){"validate", NULL};
	o.place = TW_RUN_HERE;
	if (!u->platform && tw_platform_open(&platform, "mirage", NULL, why) < 0)
		return -1;
	if (tw_scene_create(&scene, platform, u->graph, "shared", why) == TW_OK &&
	    tw_scene_run(scene, &o, &run, why) == TW_OK)
		makespan_s = tw_run_number(run, "makespan_s");
	tw_run_close(run);
	tw_scene_close(scene);
	if (!u->platform)
		tw_platform_close(platform);
	return makespan_s;
}

static void *use_graph(void *arg)
{
	struct user *u = arg;
	u->makespan_s = makespan_of(u, &u->err);
	for (int i = 1; i < N_SCENES; i++)
		u->failures += makespan_of(u, &u->err) != u->makespan_s;
	return NULL;
}

/* Tasks that add to three results, which every 40th task changes, with times of their own here and there. */
static struct tw_graph *reductions(void)
{
	struct tw_graph *g = tw_graph_create();
	tw_kernel work = tw_graph_kernel(g, "gemm", "960", "s", 1), add = tw_graph_kernel(g, "trsm", "960", "s", 1);
	tw_data results = tw_graph_data_many(g, 6, (const uint64_t[]){1000, 2000, 3000, 4000, 5000, 6000});
	for (tw_data d = 0; d < 3; d++)
		tw_graph_reduction(g, results + d, add);
	for (int t = 0; t < 120; t++) {
		const struct tw_access accesses[] = {{results + t % 3, t % 40 == 39 ? TW_RW : TW_REDUX},
		                                     {results + 3 + t % 3, TW_R}};
		tw_graph_submit(g, work, t, accesses, 2);
		if (t % 5 == 0)
			tw_graph_set_seconds_on(g, "processors", 0.001 * (t + 1));
	}
	return g;
}

START_TEST(test_one_graph_in_threads)
{
	struct tw_platform *platform;
	struct user users[N_THREADS];
	pthread_t ids[N_THREADS];
	struct tw_graph *g = reductions();
	ck_assert_msg(tw_graph_finish(g, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(tw_platform_open(&platform, "mirage", NULL, &err), TW_OK);
	for (int i = 0; i < N_THREADS; i++) {
		users[i] = (struct user){.graph = g, .platform = i % 2 ? platform : NULL};
		ck_assert_int_eq(pthread_create(&ids[i], NULL, use_graph, &users[i]), 0);
	}
	for (int i = 0; i < N_THREADS; i++) {
		pthread_join(ids[i], NULL);
		ck_assert_msg(users[i].makespan_s > 0, "%s", users[i].err.message);
		ck_assert_double_eq(users[i].makespan_s, users[0].makespan_s);
		ck_assert_int_eq(users[i].failures, 0);
	}
	tw_platform_close(platform);
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("closing");
	tcase_set_timeout(c, 60);
	tcase_add_test(c, test_closed_under_a_run);
	tcase_add_loop_test(c, test_orders, 0, 6);
	tcase_add_test(c, test_one_graph_in_threads);
	return run_case("objects of programs", c, CK_NOFORK);
}
