/* Several graphs in one, and domains with a policy of the program's own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <tilewright/run.h>

#include "fixture.h"

static struct tw_error err;

/* --- graphs ------------------------------------------------------------------------------------------------------- */

static struct tw_graph *graph_of(const char *workload)
{
	struct tw_graph *graph;
	ck_assert_msg(tw_graph_generate(&graph, workload, &err) == TW_OK, "%s", err.message);
	return graph;
}

static struct tw_run *run_with(struct tw_scene *scene, const struct tw_run_options *o)
{
	struct tw_run *run;
	ck_assert_msg(tw_scene_run(scene, o, &run, &err) == TW_OK, "%s", err.message);
	return run;
}

static struct tw_platform *mirage(void)
{
	struct tw_platform *platform;
	ck_assert_msg(tw_platform_open(&platform, "mirage", NULL, &err) == TW_OK, "%s", err.message);
	return platform;
}

/* Graphs that a program joins give what the words of a workload give. */
START_TEST(test_join)
{
	static const char *const columns[] = {"makespan_s", "tasks",    "slowdown_mean",    "slowdown_max",
	                                      "fairness",   "counters", "transferred_bytes"};
	const char *options[] = {"validate=yes", _i ? "assign=gemm=gpus" : NULL, NULL};
	struct tw_graph *cholesky = graph_of("cholesky:nt=6"), *lu = graph_of("lu:nt=4"), *both;
	const struct tw_joined_graph of[] = {{cholesky, 0, NULL}, {lu, 0.05, _i ? "cpus" : NULL}, {lu, 0.5, NULL}};
	ck_assert_msg(tw_graph_join(&both, of, 3, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(tw_graph_n_tasks(both), tw_graph_n_tasks(cholesky) + 2 * tw_graph_n_tasks(lu));
	ck_assert_double_eq(tw_graph_arrival(both, tw_graph_n_tasks(cholesky)), 0.05);
	tw_graph_destroy(cholesky);
	tw_graph_destroy(lu);

	struct tw_platform *platform = mirage();
	struct tw_scene *words, *own;
	ck_assert_int_eq(tw_scene_generate(&words, platform,
	                                   _i ? "cholesky:nt=6+lu:nt=4@0.05s:domain=cpus+lu:nt=4@0.5s"
	                                      : "cholesky:nt=6+lu:nt=4@0.05s+lu:nt=4@0.5s",
	                                   &err),
	                 TW_OK);
	ck_assert_msg(tw_scene_create(&own, platform, both, "both", &err) == TW_OK, "%s", err.message);
	struct tw_run_options o;
	tw_run_options_init(&o);
	o.policy = _i ? "all=all:dmdas+cpus=cpu:lws+gpus=gpu:dmda" : "dmdas";
	o.options = options;
	struct tw_run *a = run_with(words, &o), *b = run_with(own, &o);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		ck_assert_str_eq(tw_run_value(a, columns[i]), tw_run_value(b, columns[i]));
	ck_assert_double_ge(tw_run_number(b, "slowdown_max"), 1);
	tw_run_close(a);
	tw_run_close(b);

	const struct tw_joined_graph again = {both, 0, NULL};
	struct tw_graph *graph = both;
	ck_assert_int_eq(tw_graph_join(&graph, &again, 1, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "graph 0 to join: it has several graphs: expected one");
	ck_assert_ptr_null(graph);
	ck_assert_int_eq(tw_graph_write(both, "both.dot", &err), TW_INVALID);
	ck_assert(strstr(err.message, "3 graphs with dates of arrival: this format has one, expected .json"));
	ck_assert_int_eq(tw_graph_join_into(both, &again, 1, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "graphs to join into another one: expected an empty one");
	tw_scene_close(words);
	tw_scene_close(own);
	tw_platform_close(platform);
	tw_graph_destroy(both);
}
END_TEST

START_TEST(test_bad_joins)
{
	struct tw_graph *good = graph_of("cholesky:nt=2"), *empty = tw_graph_create(), *graph = good;
	const struct {
		struct tw_joined_graph of;
		int n;
		const char *message;
	} bad[] = {
		{{good, 0, NULL}, 0, "0 graphs to join: expected 1 to 16"},
		{{good, 0, NULL}, 17, "17 graphs to join: expected 1 to 16"},
		{{good, 0, NULL}, -1, "-1 graphs to join: expected 1 to 16"},
		{{good, -1e-9, NULL}, 1, "graph 0 to join: arrival at -1e-09 s: expected a date from 0 to 1e+09"},
		{{good, 2e9, NULL}, 1, "graph 0 to join: arrival at 2e+09 s: expected a date from 0 to 1e+09"},
		{{good, NAN, NULL}, 1, "graph 0 to join: arrival at nan s: expected a date from 0 to 1e+09"},
		{{good, 0, NULL, "caf\xe9"}, 1, "graph 0 to join: its name: expected UTF-8"},
		{{good, 0, ""}, 1, "graph 0 to join: domain '': expected the name of a domain, or NULL"},
		{{empty, 0, NULL}, 1, "graph 0 to join: the task graph is empty, expected at least one task"},
		{{NULL, 0, NULL},
	         1,
	         "graph 0 to join: there is no task graph: perhaps tw_graph_create was out of memory"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_int_lt(tw_graph_join(&graph, &bad[i].of, bad[i].n, &err), 0);
		ck_assert_str_eq(err.message, bad[i].message);
		ck_assert_ptr_null(graph);
	}
	ck_assert_int_eq(tw_graph_join(&graph, NULL, 1, &err), TW_INVALID);
	tw_graph_destroy(good);
	tw_graph_destroy(empty);
}
END_TEST

/* A graph for a domain that the run does not have. */
START_TEST(test_unknown_domain)
{
	struct tw_graph *lu = graph_of("lu:nt=3"), *both;
	struct tw_platform *platform = mirage();
	struct tw_scene *scene;
	struct tw_run_options o;
	struct tw_run *run;
	const struct tw_joined_graph of = {lu, 0, "none of that name"};
	ck_assert_int_eq(tw_graph_join(&both, &of, 1, &err), TW_OK);
	ck_assert_int_eq(tw_scene_create(&scene, platform, both, "both", &err), TW_OK);
	tw_run_options_init(&o);
	for (int i = 0; i < 2; i++) {
		o.policy = (const char *[]){"eager", "a=all:eager"}[i];
		ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_INVALID);
		ck_assert_msg(strstr(err.message, "none of that name") != NULL, "%s", err.message);
		tw_run_close(run);
	}
	tw_scene_close(scene);
	tw_platform_close(platform);
	tw_graph_destroy(lu);
	tw_graph_destroy(both);
}
END_TEST

/* --- domains ------------------------------------------------------------------------------------------------------ */

/* A stack: the task that was pushed last goes first. */
struct stack {
	tw_task tasks[1000];
	int n;
};

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct stack *stack = state;
	(void)released_by;
	++*(int *)tw_sched_context(s);
	stack->tasks[stack->n++] = task;
	tw_wake(s, TW_ALL);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct stack *stack = state;
	for (int i = stack->n; i-- > 0;) {
		tw_task task = stack->tasks[i];
		if (isinf(tw_task_length(s, task, worker)))
			continue;
		memmove(&stack->tasks[i], &stack->tasks[i + 1], (size_t)(--stack->n - i) * sizeof task);
		return task;
	}
	return TW_NONE;
}

static const struct tw_policy mine = {
	.abi = TW_POLICY_ABI, .name = "mine", .state_size = sizeof(struct stack), .push = push, .pop = pop};

START_TEST(test_own_policy_in_domains)
{
	static const struct {
		const char *policy, *assign;
		int pushes;          /* to the own policy */
		const char *message; /* NULL: the run ends well */
	} cases[] = {
		{"mine", NULL, 120, NULL},
		{"all=all:mine", NULL, 120, NULL},
		{"all=all:mine+gpus=gpu:dmdas", "assign=gemm=gpus", 64, NULL}, /* 56 gemm */
		{"all=all:dmdas+gpus=gpu:mine", "assign=gemm=gpus", 56, NULL},
		{"all=all:mine+gpus=gpu:mine", "assign=gemm=gpus", 120, NULL},
		{"all=all:dmdas+gpus=gpu:eager", NULL, 0,
	         "policy 'all=all:dmdas+gpus=gpu:eager': expected a domain with 'mine', the program's own"},
		{"all=all:mine+gpus=gpu:./other.so", NULL, 0,
	         "domain 'gpus': a policy from a shared object: expected none beside a program's own"},
		{"all=all:mine:x=1", NULL, 0, "policy 'mine': unknown parameter 'x': it takes none"},
	};
	struct tw_scene *scene = scene_with("cholesky:nt=8", NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *options[] = {"validate=yes", cases[i].assign, NULL};
		int pushes = 0;
		struct tw_run *run;
		struct tw_run_options o;
		tw_run_options_init(&o);
		o.own_policy = &mine;
		o.policy = cases[i].policy;
		o.options = options;
		o.context = &pushes;
		int status = tw_scene_run(scene, &o, &run, &err);
		ck_assert_msg((status == TW_OK) == !cases[i].message, "case %d: %s", (int)i, err.message);
		if (cases[i].message)
			ck_assert_msg(strstr(err.message, cases[i].message), "%s", err.message);
		else
			ck_assert_str_eq(tw_run_value(run, "policy"), cases[i].policy);
		ck_assert_int_eq(pushes, cases[i].pushes);
		tw_run_close(run);
	}
	tw_scene_close(scene);
}
END_TEST

static void push_second(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct stack *stack = state;
	(void)released_by;
	++((int *)tw_sched_context(s))[1];
	stack->tasks[stack->n++] = task;
	tw_wake(s, TW_ALL);
}

static const struct tw_policy second = {
	.abi = TW_POLICY_ABI, .name = "mine", .state_size = sizeof(struct stack), .push = push_second, .pop = pop};

/* Each domain has a policy of its own; two of them may have one name. */
START_TEST(test_own_policies)
{
	static const struct {
		const char *policy;
		const struct tw_policy *own[3], *one;
		int n, pushes[2];
		const char *message; /* NULL: the run ends well */
	} cases[] = {
		{"all=all:mine+gpus=gpu:mine", {&mine, &second}, NULL, 2, {64, 56}, NULL},
		{"all=all:mine+gpus=gpu:mine", {&second, &mine}, NULL, 2, {56, 64}, NULL},
		{"all=all:mine+gpus=gpu:mine", {&mine, &mine}, NULL, 2, {120, 0}, NULL},
		{"all=all:dmdas+gpus=gpu:mine", {NULL, &second}, NULL, 2, {0, 56}, NULL},
		{"all=all:mine+gpus=gpu:dmdas", {&second}, NULL, 1, {0, 64}, NULL},
		{"all=all:dmdas+gpus=gpu:mine",
	         {&mine, &second},
	         NULL,
	         2,
	         {0, 0},
	         "domain 'all': policy 'dmdas': expected 'mine', the program's own"},
		{"all=all:mine+gpus=gpu:mine", {&mine}, NULL, 1, {0, 0}, "mine"},
		{"all=all:mine+gpus=gpu:eager",
	         {&mine, NULL, &second},
	         NULL,
	         3,
	         {0, 0},
	         "3 own policies: expected at most one for each domain"},
		{"all=all:mine+gpus=gpu:mine",
	         {&mine, &second},
	         &mine,
	         2,
	         {0, 0},
	         "own_policy and own_policies: expected one of them"},
	};
	struct tw_scene *scene = scene_with("cholesky:nt=8", NULL);
	const char *options[] = {"validate=yes", "assign=gemm=gpus", NULL};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int pushes[2] = {0, 0};
		struct tw_run *run;
		struct tw_run_options o;
		tw_run_options_init(&o);
		o.own_policy = cases[i].one;
		o.own_policies = cases[i].own;
		o.n_own_policies = cases[i].n;
		o.policy = cases[i].policy;
		o.options = options;
		o.context = pushes;
		int status = tw_scene_run(scene, &o, &run, &err);
		ck_assert_msg((status == TW_OK) == !cases[i].message, "case %d: %s", (int)i, err.message);
		if (cases[i].message)
			ck_assert_msg(strstr(err.message, cases[i].message), "%s", err.message);
		ck_assert_int_eq(pushes[0], cases[i].pushes[0]);
		ck_assert_int_eq(pushes[1], cases[i].pushes[1]);
		tw_run_close(run);
	}
	tw_scene_close(scene);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("several");
	tcase_add_loop_test(c, test_join, 0, 2);
	tcase_add_test(c, test_bad_joins);
	tcase_add_test(c, test_unknown_domain);
	tcase_add_test(c, test_own_policy_in_domains);
	tcase_add_test(c, test_own_policies);
	return run_case("api", c, CK_FORK_GETENV);
}
