/* Wrong arguments of the functions of run.h: each is an error with a line that names it, and leaves nothing behind. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <tilewright/analysis.h>

#include "fixture.h"

static struct tw_error err;
static struct tw_platform *platform;
static struct tw_scene *scene;

static void setup(void)
{
	static const char *const limit[] = {"gpu-mem=64MiB", NULL};
	ck_assert_int_eq(tw_platform_open(&platform, "mirage", limit, &err), TW_OK);
	ck_assert_int_eq(tw_scene_generate(&scene, platform, "cholesky:nt=8", &err), TW_OK);
}

static void teardown(void)
{
	tw_scene_close(scene);
	tw_platform_close(platform);
}

/* --- platforms and scenes ----------------------------------------------------------------------------------------- */

START_TEST(test_scenes)
{
	static const struct {
		const char *workload, *message;
	} bad[] = {
		{NULL, "workload: expected its name"},
		{"", "workload"},
		{"cholesk", "cholesk"},
		{"cholesky:nt=0", "nt"},
		{"cholesky:nt=x", "nt"},
		{"cholesky,lu", "cholesky,lu"},
		{"cholesky:nt", "nt"},
		{"./none.so", "none.so"},
		{"file:none.json", "none.json"},
	};
	struct tw_scene *made = scene;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_int_eq(tw_scene_generate(&made, platform, bad[i].workload, &err), TW_INVALID);
		ck_assert_msg(strstr(err.message, bad[i].message), "%zu: %s", i, err.message);
		ck_assert_ptr_null(made);
	}
	ck_assert_int_eq(tw_scene_generate(&made, NULL, "cholesky", &err), TW_INVALID);
	ck_assert_str_eq(err.message, "platform: expected one");
	ck_assert_int_eq(tw_scene_create(&made, platform, NULL, "none", &err), TW_INVALID);
	ck_assert_str_eq(err.message, "graph: expected one");
}
END_TEST

/* A graph with an error stays the program's. */
START_TEST(test_graphs)
{
	struct tw_scene *made = scene;
	struct tw_graph *g = tw_graph_create();
	tw_data d = tw_graph_data(g, 8);
	tw_kernel k = tw_graph_recorded_kernel(g, "step", "1", "d", 0, "processors");
	tw_graph_submit(g, k, 0, &(struct tw_access){d, TW_RW}, 1); /* it has no time */
	ck_assert_int_eq(tw_scene_create(&made, platform, g, NULL, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "workload: expected its name");
	ck_assert_int_eq(tw_scene_create(&made, platform, g, "own", &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, "step"), "%s", err.message);
	ck_assert_ptr_null(made);
	tw_graph_destroy(g);
	g = tw_graph_create();
	tw_graph_submit(g, 7, 0, &(struct tw_access){3, TW_RW}, 1);
	ck_assert_int_eq(tw_scene_create(&made, platform, g, "own", &err), TW_INVALID);
	ck_assert_msg(*err.message, "no message");
	tw_graph_destroy(g);
}
END_TEST

START_TEST(test_nothing)
{
	tw_platform_close(NULL);
	tw_scene_close(NULL);
	tw_run_close(NULL);
	ck_assert_ptr_null(tw_column_name(-1));
	ck_assert_ptr_null(tw_column_name(1 << 20));
}
END_TEST

/* --- runs --------------------------------------------------------------------------------------------------------- */

static tw_task pop(struct tw_sched *s, void *state, tw_worker w)
{
	(void)s, (void)state, (void)w;
	return TW_NONE;
}

static void push(struct tw_sched *s, void *state, tw_task t, tw_worker by)
{
	(void)state, (void)t, (void)by;
	tw_abort_run(s, "never reached");
}

static void loaded(struct tw_sched *s, void *state, tw_node n, tw_data d) { (void)s, (void)state, (void)n, (void)d; }

/* The eviction policy's answer to each question. */
struct answer {
	tw_data data;
	int calls;
};

static tw_data victim(struct tw_sched *s, void *state, tw_node n, const struct tw_victim_query *query)
{
	struct answer *answer = tw_sched_context(s);
	(void)state, (void)n, (void)query;
	answer->calls++;
	return answer->data;
}

static const struct tw_policy policy = {.abi = TW_POLICY_ABI, .name = "own", .push = push, .pop = pop};
static const struct tw_policy no_abi = {.name = "own", .push = push, .pop = pop};
static const struct tw_policy no_name = {.abi = TW_POLICY_ABI, .push = push, .pop = pop};
static const struct tw_policy no_push = {.abi = TW_POLICY_ABI, .name = "own", .pop = pop};
static const struct tw_policy bad_eviction = {
	.abi = TW_POLICY_ABI, .name = "own", .eviction = "none", .push = push, .pop = pop};
static const struct tw_eviction eviction = {.abi = TW_EVICTION_ABI, .name = "own", .loaded = loaded, .victim = victim};
static const struct tw_eviction no_eviction_abi = {.name = "own", .loaded = loaded, .victim = victim};
static const struct tw_eviction no_eviction_name = {.abi = TW_EVICTION_ABI, .loaded = loaded, .victim = victim};
static const struct tw_eviction no_victim = {.abi = TW_EVICTION_ABI, .name = "own", .loaded = loaded};

static const struct {
	struct tw_run_options options;
	const char *option, *message;
} bad_runs[] = {
	{{.policy = NULL}, NULL, "policy: expected its name"},
	{{.policy = ""}, NULL, "policy"},
	{{.policy = "eager,lws"}, NULL, "eager,lws"},
	{{.policy = "./none.so"}, NULL, "none.so"},
	{{.policy = "eager", .place = (enum tw_place_of_run)3}, NULL, "place of a run: 3"},
	{{.policy = "eager", .place = (enum tw_place_of_run) - 1}, NULL, "place of a run: -1"},
	{{.policy = "eager", .explain = "xml"}, NULL, "explain 'xml'"},
	{{.policy = "eager", .explain = ""}, NULL, "explain ''"},
	{{.policy = "eager", .trace = "none.xyz"}, NULL, "none.xyz"},
	{{.policy = "eager"}, "", "unknown option ''"},
	{{.policy = "eager"}, "=", "unknown option ''"},
	{{.policy = "eager"}, "seed", "option 'seed': expected a value"},
	{{.policy = "eager"}, "seed=", "seed"},
	{{.policy = "eager"}, "seed=1x", "1x"},
	{{.policy = "eager"}, "validate=maybe", "validate"},
	{{.policy = "eager"}, "eviction=none", "none"},
	{{.policy = "eager"}, "engine=none", "none"},
	{{.policy = "eager"}, "engine=real:mode=none", "none"},
	{{.policy = "eager"}, "runtime=none", "none"},
	{{.policy = "eager"}, "repeat=3", "repeat"},
	{{.policy = "eager"}, "policy=lws", "policy"},
	{{.own_policy = &no_abi}, NULL, "its abi is 0"},
	{{.own_policy = &no_name}, NULL, "policy: expected its name"},
	{{.own_policy = &no_name, .policy = "own"}, NULL, "lacks a mandatory member"},
	{{.own_policy = &no_push}, NULL, "lacks a mandatory member"},
	{{.own_policy = &bad_eviction}, NULL, "none"},
	{{.policy = "eager", .own_eviction = &no_eviction_abi}, NULL, "its abi is 0"},
	{{.policy = "eager", .own_eviction = &no_eviction_name}, NULL, "eviction"},
	{{.policy = "eager", .own_eviction = &no_victim}, NULL, "lacks a mandatory member"},
	{{.policy = "eager", .own_eviction = &eviction}, "eviction=own:x=1", "x"},
};

START_TEST(test_runs)
{
	const char *const more[] = {bad_runs[_i].option, NULL};
	struct tw_run_options o = bad_runs[_i].options;
	struct tw_run *run = (struct tw_run *)scene;
	o.size = sizeof o;
	o.options = more;
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, bad_runs[_i].message) && !strchr(err.message, '\n'), "%s", err.message);
	if (run)
		ck_assert_str_eq(tw_run_value(run, "message"), err.message);
	tw_run_close(run);
}
END_TEST

START_TEST(test_sizes)
{
	static const size_t sizes[] = {0, 1, sizeof(size_t), sizeof(struct tw_run_options) + 1, SIZE_MAX};
	struct tw_run *run = (struct tw_run *)scene;
	struct tw_run_options o;
	tw_run_options_init(&o);
	o.policy = "eager";
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		o.size = sizes[i];
		ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_INVALID);
		ck_assert(strstr(err.message, i == 1 || i == 0 || i > 2 ? "the size is" : "policy"));
		ck_assert_ptr_null(run);
	}
	o.size = offsetof(struct tw_run_options, place); /* of an earlier header without the members behind */
	o.place = (enum tw_place_of_run)77;
	o.cancel = (const int *)&o;
	ck_assert_msg(tw_scene_run(scene, &o, &run, &err) == TW_OK, "%s", err.message);
	tw_run_close(run);
	ck_assert_int_eq(tw_scene_run(NULL, &o, &run, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "a run: expected a scene");
	ck_assert_int_eq(tw_scene_run(scene, NULL, &run, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "a run: expected its options");
	ck_assert_ptr_null(run);
}
END_TEST

/* A program that overlooks an error goes on with NULL. */
START_TEST(test_no_objects)
{
	const struct tw_worker_about *workers;
	const struct tw_node_about *nodes;
	const struct tw_run_task *tasks;
	const struct tw_run_transfer *transfers;
	const struct tw_run_memory *memory;
	const struct tw_run_member *members;
	char something[] = "x", *text = something;
	ck_assert_int_eq(tw_platform_workers(NULL, &workers), 0);
	ck_assert_int_eq(tw_platform_nodes(NULL, &nodes), 0);
	ck_assert_ptr_null(tw_scene_graph(NULL));
	ck_assert_ptr_null(tw_run_value(NULL, "policy"));
	ck_assert(isnan(tw_run_number(NULL, "makespan_s")));
	ck_assert_str_eq(tw_run_row(NULL), "{}");
	ck_assert_ptr_null(tw_run_explanation(NULL));
	ck_assert(!tw_run_tasks(NULL, &tasks) && !tw_run_transfers(NULL, &transfers) && !tw_run_memory(NULL, &memory));
	ck_assert(!tw_run_members(NULL, &members));
	ck_assert_int_eq(tw_scene_bounds(NULL, NULL, &text, &err), TW_INVALID);
	ck_assert_ptr_null(text);
	ck_assert_int_eq(tw_scene_describe(NULL, NULL, &text, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "scene: expected one");
	ck_assert_int_eq(tw_run_explain(NULL, "text", &text, &err), TW_INVALID);
	ck_assert_int_eq(tw_run_diff(NULL, NULL, "text", &text, &err), TW_INVALID);
	ck_assert_int_eq(tw_run_validate(NULL, &err), TW_INVALID);
	ck_assert_int_eq(tw_run_plot_gantt(NULL, "x.svg", NULL, &err), TW_INVALID);
	ck_assert_int_eq(tw_run_write_trace(NULL, "x.json", &err), TW_INVALID);
	ck_assert_str_eq(err.message, "run: expected one");
}
END_TEST

static void push_nothing(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)s, (void)state, (void)task, (void)released_by;
}

static tw_task pop_nothing(struct tw_sched *s, void *state, tw_worker worker)
{
	(void)s, (void)state, (void)worker;
	return TW_NONE;
}

/* A policy without its abi, and one that the options call by another name. */
START_TEST(test_own_policies)
{
	struct tw_policy own = {.name = "mine", .push = push_nothing, .pop = pop_nothing};
	struct tw_run_options o;
	struct tw_run *run;
	tw_run_options_init(&o);
	o.own_policy = &own;
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "policy 'own': its abi is 0: expected that of its header, as TW_POLICY_ABI");
	own.abi = TW_POLICY_ABI;
	for (int i = 0; i < 3; i++) {
		o.policy = (const char *[]){"dmda", "min", "mine2:x=1"}[i];
		ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_INVALID);
		ck_assert_ptr_null(run);
		ck_assert(strstr(err.message, "': expected 'mine', the name of the program's own"));
	}
	o.policy = "mine";
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_FAILED);
	ck_assert(strstr(err.message, "tw_wake is missing"));
	tw_run_close(run);
}
END_TEST

START_TEST(test_columns)
{
	struct tw_run_options o;
	struct tw_run *run;
	tw_run_options_init(&o);
	o.policy = "eager";
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_OK);
	ck_assert_ptr_null(tw_run_value(run, NULL));
	ck_assert_ptr_null(tw_run_value(run, ""));
	ck_assert_ptr_null(tw_run_value(run, "MAKESPAN_S"));
	ck_assert(isnan(tw_run_number(run, NULL)) && isnan(tw_run_number(run, "none")));
	tw_run_close(run);
}
END_TEST

/* --- what works, although it looks wrong -------------------------------------------------------------------------- */

/* The program's own plug-ins may have names of the library's. */
START_TEST(test_own_names)
{
	static const int set = 1;
	struct tw_policy twin = policy;
	struct tw_run_options o;
	struct tw_run *run;
	twin.name = "eager";
	tw_run_options_init(&o);
	o.own_policy = &twin;
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_FAILED); /* it is not the library's */
	ck_assert_msg(strstr(err.message, "never reached"), "%s", err.message);
	ck_assert_str_eq(tw_run_value(run, "policy"), "eager");
	tw_run_close(run);
	o.cancel = &set;
	for (int place = TW_RUN_AUTOMATIC; place <= TW_RUN_IN_PROCESS; place++) {
		o.place = (enum tw_place_of_run)place;
		ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_CANCELLED); /* before any push */
		ck_assert_str_eq(tw_run_value(run, "message"), "the program has cancelled the run");
		tw_run_close(run);
	}
}
END_TEST

START_TEST(test_own_eviction)
{
	struct tw_eviction twin = eviction;
	struct tw_run_options o;
	struct tw_run *run;
	struct answer answer = {.data = TW_NONE}; /* tasks then wait for room that ends of other tasks make */
	twin.name = "lru";
	tw_run_options_init(&o);
	o.policy = "eager";
	o.own_eviction = &twin;
	o.context = &answer;
	ck_assert_msg(tw_scene_run(scene, &o, &run, &err) == TW_OK, "%s", err.message);
	ck_assert_int_gt(answer.calls, 0);
	ck_assert_str_eq(tw_run_value(run, "eviction"), "lru");
	tw_run_close(run);
	answer.data = 1 << 30;
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_FAILED);
	ck_assert_msg(strstr(err.message, "lru"), "%s", err.message);
	tw_run_close(run);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("arguments");
	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, test_scenes);
	tcase_add_test(c, test_graphs);
	tcase_add_test(c, test_nothing);
	tcase_add_loop_test(c, test_runs, 0, (int)(sizeof bad_runs / sizeof *bad_runs));
	tcase_add_test(c, test_sizes);
	tcase_add_test(c, test_columns);
	tcase_add_test(c, test_no_objects);
	tcase_add_test(c, test_own_policies);
	tcase_add_test(c, test_own_names);
	tcase_add_test(c, test_own_eviction);
	return run_case("wrong arguments", c, CK_NOFORK);
}
