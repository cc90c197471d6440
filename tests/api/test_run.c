/* Runs from a program: options, rows, schedules, graphs and policies of its own, places, and cancelled runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <tilewright/run.h>

#include "fixture.h"

static struct tw_error err;

static struct tw_run *run_of(struct tw_scene *scene, const struct tw_run_options *options)
{
	struct tw_run *run;
	ck_assert_msg(tw_scene_run(scene, options, &run, &err) == TW_OK, "%s", err.message);
	return run;
}

static struct tw_run_options options_of(const char *policy, const char *const *more)
{
	struct tw_run_options o;
	tw_run_options_init(&o);
	o.policy = policy;
	o.options = more;
	return o;
}

/* --- platforms and rows ------------------------------------------------------------------------------------------- */

START_TEST(test_platform)
{
	static const char *const options[] = {"cpus=2", "gpus=1", "gpu-mem=100MiB", NULL};
	const struct tw_worker_about *workers;
	const struct tw_node_about *nodes;
	struct tw_platform *platform;
	ck_assert_int_eq(tw_platform_open(&platform, "mirage", options, &err), TW_OK);
	ck_assert_int_eq(tw_platform_workers(platform, &workers), 3);
	ck_assert(workers[0].accelerator && !workers[1].accelerator && workers[1].cores == 1);
	ck_assert_int_eq(tw_platform_nodes(platform, &nodes), 2);
	ck_assert(nodes[workers[0].node].capacity_bytes == 100 << 20 && workers[1].node == TW_RAM);
	tw_platform_close(platform);
}
END_TEST

static const struct {
	const char *name, *option, *message;
} bad_options[] = {
	{NULL, NULL, "platform: expected its name"},
	{"mirag", NULL, "mirage"},
	{"mirage", "gpu=1", "unknown option 'gpu'"},
	{"mirage", "gpus", "option 'gpus': expected a value, as in 'gpus=N'"},
	{"mirage", "gpus=-1", "--gpus '-1'"},
	{"mirage", "gpus=99", "99"},
	{"mirage", "cpus=1,2", "--cpus '1,2'"},
	{"mirage", "seed=3", "option 'seed': expected it with the run"},
	{"mirage", "workload=lu", "unknown option 'workload'"},
	{"mirage", "repeat=3", "unknown option 'repeat'"},
	{"mirage", "=", "unknown option ''"},
};

START_TEST(test_bad_option)
{
	const char *const options[] = {bad_options[_i].option, NULL};
	struct tw_platform *platform;
	ck_assert_int_eq(tw_platform_open(&platform, bad_options[_i].name, options, &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, bad_options[_i].message), "%s", err.message);
	ck_assert_ptr_null(platform);
}
END_TEST

START_TEST(test_row)
{
	static const char *const more[] = {"seed=7", "eviction=mru", "validate", NULL};
	static const char *const limit[] = {"gpu-mem=100MiB", NULL};
	struct tw_scene *scene = scene_with("cholesky:nt=8", limit);
	const struct tw_run_options o = options_of("dmdas", more);
	struct tw_run *run = run_of(scene, &o);
	char identity[TW_IDENTITY_BYTES];
	ck_assert_int_eq(tw_scene_identity(scene, &o, identity, &err), TW_OK);
	ck_assert_int_eq(tw_scene_identity(NULL, &o, identity, &err), TW_INVALID);
	ck_assert_int_eq(tw_scene_identity(scene, NULL, identity, &err), TW_INVALID);
	ck_assert_str_eq(tw_run_value(run, "identity"), identity);
	tw_scene_close(scene); /* the run keeps it */
	ck_assert_str_eq(tw_run_value(run, "policy"), "dmdas");
	ck_assert_str_eq(tw_run_value(run, "eviction"), "mru");
	ck_assert_str_eq(tw_run_value(run, "workload"), "cholesky:nt=8");
	ck_assert_str_eq(tw_run_value(run, "status"), "ok");
	ck_assert_str_eq(tw_run_value(run, "seed"), "7");
	ck_assert_str_eq(tw_run_value(run, "validated"), "true");
	ck_assert_ptr_null(tw_run_value(run, "makespan"));
	ck_assert(tw_run_number(run, "makespan_s") > 0 && isnan(tw_run_number(run, "policy")));
	ck_assert(strstr(tw_run_row(run), "\"policy\":\"dmdas\""));
	for (int i = 0; tw_column_name(i); i++)
		ck_assert_ptr_nonnull(tw_run_value(run, tw_column_name(i)));
	ck_assert_ptr_null(tw_column_name(-1));
	ck_assert_ptr_null(tw_run_explanation(run));
	tw_run_close(run);
}
END_TEST

START_TEST(test_bad_run)
{
	static const struct {
		const char *policy, *option, *message;
		enum tw_place_of_run place;
		bool has_row;
	} bad[] = {
		{NULL, NULL, "policy: expected its name", TW_RUN_AUTOMATIC},
		{"dmdasx", NULL, "unknown policy 'dmdasx'", TW_RUN_AUTOMATIC, true},
		{"dmdas:beta=x", NULL, "beta", TW_RUN_AUTOMATIC, true},
		{"eager", "cpus=1", "option 'cpus': expected it with the platform", TW_RUN_AUTOMATIC},
		{"eager", "seed=-1", "--seed '-1'", TW_RUN_AUTOMATIC},
		{"eager", "eviction=lru,mru", "lru,mru", TW_RUN_AUTOMATIC},
		{"eager", "engine=simgrid", "its engine runs once in a process", TW_RUN_HERE, true},
		{"eager", "time-limit=1s", "only a process has a time limit", TW_RUN_HERE, true},
		{"eager", "noise=-1", "noise", TW_RUN_AUTOMATIC},
	};
	struct tw_scene *scene = scene_with("cholesky:nt=3", NULL);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *const more[] = {bad[i].option, NULL};
		struct tw_run_options o = options_of(bad[i].policy, more);
		struct tw_run *run;
		o.place = bad[i].place;
		ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_INVALID);
		ck_assert_msg(strstr(err.message, bad[i].message), "%s", err.message);
		ck_assert_int_eq(run != NULL, bad[i].has_row);
		if (run)
			ck_assert_str_eq(tw_run_value(run, "status"), "failed");
		if (run)
			ck_assert_str_eq(tw_run_value(run, "message"), err.message);
		tw_run_close(run);
	}
	struct tw_run_options o = options_of("eager", NULL);
	struct tw_run *run;
	o.size++;
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_INVALID);
	ck_assert(strstr(err.message, "tw_run_options_init"));
	tw_scene_close(scene);
}
END_TEST

/* --- schedules ---------------------------------------------------------------------------------------------------- */

/* Whether two runs have the same schedule. */
static void check_same(struct tw_run *a, struct tw_run *b)
{
	const struct tw_run_task *tasks[2];
	const struct tw_run_transfer *transfers[2];
	const struct tw_run_memory *memory[2];
	size_t n = tw_run_tasks(a, &tasks[0]);
	ck_assert_uint_gt(n, 0);
	ck_assert_uint_eq(n, tw_run_tasks(b, &tasks[1]));
	ck_assert_mem_eq(tasks[0], tasks[1], n * sizeof **tasks);
	n = tw_run_transfers(a, &transfers[0]);
	ck_assert_uint_eq(n, tw_run_transfers(b, &transfers[1]));
	for (size_t i = 0; i < n; i++)
		ck_assert(transfers[0][i].start_ns == transfers[1][i].start_ns &&
		          transfers[0][i].end_ns == transfers[1][i].end_ns);
	n = tw_run_memory(a, &memory[0]);
	ck_assert_uint_eq(n, tw_run_memory(b, &memory[1]));
	ck_assert_str_eq(tw_run_value(a, "makespan_s"), tw_run_value(b, "makespan_s"));
}

START_TEST(test_places)
{
	static const char *const workloads[] = {"cholesky:nt=8", "reduction:n=20", "lu:nt=5"};
	static const char *const limit[] = {"gpu-mem=64MiB", "extrapolate", NULL};
	struct tw_scene *scene = scene_with(workloads[_i], limit);
	struct tw_run_options o = options_of("dmda", NULL);
	o.records = true;
	struct tw_run *here = run_of(scene, &o);
	o.place = TW_RUN_IN_PROCESS;
	struct tw_run *process = run_of(scene, &o);
	check_same(here, process);
	o.records = false;
	const struct tw_run_task *tasks;
	struct tw_run *bare = run_of(scene, &o);
	ck_assert_uint_eq(tw_run_tasks(bare, &tasks), 0);
	ck_assert_str_eq(tw_run_value(here, "identity"), tw_run_value(bare, "identity"));
	tw_run_close(bare);
	tw_run_close(here);
	tw_run_close(process);
	tw_scene_close(scene);
}
END_TEST

START_TEST(test_schedule)
{
	static const char *const limit[] = {"gpu-mem=64MiB", NULL};
	struct tw_scene *scene = scene_with("cholesky:nt=8", limit);
	const struct tw_graph *g = tw_scene_graph(scene);
	struct tw_run_options o = options_of("lws", NULL);
	const struct tw_run_task *tasks;
	const struct tw_run_transfer *transfers;
	const struct tw_run_memory *memory;
	int64_t last = 0;
	uint64_t bytes = 0;
	o.records = true;
	o.explain = "json";
	struct tw_run *run = run_of(scene, &o);
	size_t n = tw_run_tasks(run, &tasks);
	ck_assert_uint_eq(n, (size_t)tw_graph_n_tasks(g));
	for (size_t i = 0; i < n; i++) {
		const struct tw_run_task *t = &tasks[i];
		ck_assert(t->ready_ns >= 0 && t->ready_ns <= t->assigned_ns && t->assigned_ns <= t->start_ns &&
		          t->start_ns < t->end_ns);
		ck_assert(t->kernel == tw_graph_task_kernel(g, t->task) && !t->cancelled && t->start_ns >= last);
		last = t->start_ns;
	}
	n = tw_run_transfers(run, &transfers);
	ck_assert_double_eq((double)n, tw_run_number(run, "transfers"));
	for (size_t i = 0; i < n; i++)
		bytes += transfers[i].bytes;
	ck_assert_double_eq((double)bytes, tw_run_number(run, "transferred_bytes"));
	n = tw_run_memory(run, &memory);
	ck_assert_uint_gt(n, 0);
	for (size_t i = 0; i < n; i++)
		ck_assert(memory[i].node == TW_RAM || memory[i].bytes <= 64 << 20);
	ck_assert(strchr(tw_run_explanation(run), '{'));
	tw_run_close(run);
	tw_scene_close(scene);
}
END_TEST

/* Three tasks on both cores, one after the other: each execution names one core, and a member the other one. */
START_TEST(test_parallel_tasks)
{
	static const char *const both[] = {"max-parallelism=2", "amdahl=*=0", "cpus=2", "gpus=0", NULL};
	struct tw_scene *scene = scene_with("independent:n=3", both);
	struct tw_run_options o = options_of("parallel_greedy", NULL);
	const struct tw_run_task *tasks;
	const struct tw_run_member *members;
	o.records = true;
	struct tw_run *run = run_of(scene, &o);
	ck_assert_uint_eq(tw_run_tasks(run, &tasks), 3);
	ck_assert_uint_eq(tw_run_members(run, &members), 3);
	for (int i = 0; i < 3; i++) {
		ck_assert(members[i].task == tasks[i].task && members[i].worker == 1 - tasks[i].worker);
		ck_assert(members[i].joined_ns >= tasks[i].assigned_ns && members[i].joined_ns <= tasks[i].start_ns);
	}
	tw_run_close(run);
	tw_scene_close(scene);
}
END_TEST

/* --- the program's own -------------------------------------------------------------------------------------------- */

/* A stack of ready tasks in the program's memory. */
struct stack {
	tw_task tasks[1000];
	int n, pushes, stop_at, *cancel;
};

static void push(struct tw_sched *s, void *state, tw_task t, tw_worker released_by)
{
	struct stack *stack = tw_sched_context(s);
	(void)state, (void)released_by;
	stack->tasks[stack->n++] = t;
	if (++stack->pushes == stack->stop_at && stack->cancel)
		__atomic_store_n(stack->cancel, 1, __ATOMIC_RELAXED);
	else if (stack->pushes == stack->stop_at)
		tw_abort_run(s, "enough");
	tw_wake(s, TW_ALL);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker w)
{
	struct stack *stack = tw_sched_context(s);
	(void)state;
	if (stack->n == 0 || isinf(tw_task_length(s, stack->tasks[stack->n - 1], w)))
		return TW_NONE;
	return stack->tasks[--stack->n];
}

static const struct tw_policy lifo = {.abi = TW_POLICY_ABI, .name = "lifo", .push = push, .pop = pop};

static struct tw_graph *chain(int n, double seconds)
{
	struct tw_graph *g = tw_graph_create();
	tw_data d = tw_graph_data(g, 1000);
	tw_kernel k = tw_graph_recorded_kernel(g, "step", "1", "d", 0, "processors+accelerators");
	for (int i = 0; i < n; i++)
		tw_graph_set_seconds(g, tw_graph_submit(g, k, 0, &(struct tw_access){d, TW_RW}, 1), seconds);
	return g;
}

START_TEST(test_own)
{
	struct stack stack = {0};
	struct tw_run_options o = options_of(NULL, NULL);
	struct tw_platform *platforms[2];
	struct tw_scene *scenes[2];
	struct tw_graph *g = chain(10, 0.5);
	static const char *const cpus[] = {"gpus=0", NULL};
	ck_assert_int_eq(tw_platform_open(&platforms[0], "mirage", cpus, &err), TW_OK);
	ck_assert_int_eq(tw_platform_open(&platforms[1], "sirocco", cpus, &err), TW_OK);
	for (int i = 0; i < 2; i++)
		ck_assert_msg(tw_scene_create(&scenes[i], platforms[i], g, "chain", &err) == TW_OK, "%s", err.message);
	tw_graph_destroy(g);
	o.own_policy = &lifo;
	o.context = &stack;
	for (int i = 0; i < 2; i++) {
		struct tw_run *run = run_of(scenes[i], &o);
		ck_assert_double_ge(tw_run_number(run, "makespan_s"), 5);
		ck_assert_double_lt(tw_run_number(run, "makespan_s"), 5.01);
		ck_assert_str_eq(tw_run_value(run, "policy"), "lifo");
		ck_assert_str_eq(tw_run_value(run, "workload"), "chain");
		tw_run_close(run);
		tw_scene_close(scenes[i]);
		tw_platform_close(platforms[i]);
	}
	ck_assert_int_eq(stack.pushes, 20);
}
END_TEST

START_TEST(test_failures)
{
	int cancel = 0;
	struct stack stack = {.stop_at = 30};
	struct tw_scene *scene = scene_with("cholesky:nt=8", NULL);
	struct tw_run_options o = options_of(NULL, NULL);
	struct tw_run *run;
	o.own_policy = &lifo;
	o.context = &stack;
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_FAILED);
	ck_assert(strstr(err.message, "enough"));
	ck_assert_str_eq(tw_run_value(run, "status"), "failed");
	ck_assert_str_eq(tw_run_value(run, "message"), err.message);
	ck_assert_str_eq(tw_run_value(run, "makespan_s"), "");
	tw_run_close(run);
	stack = (struct stack){.stop_at = 30, .cancel = &cancel};
	o.cancel = &cancel;
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_CANCELLED);
	ck_assert_int_lt(stack.pushes, 60);
	tw_run_close(run);
	cancel = 0;
	stack = (struct stack){0};
	tw_run_close(run_of(scene, &o));
	cancel = 1; /* before the process has begun */
	o.place = TW_RUN_IN_PROCESS;
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_CANCELLED);
	tw_run_close(run);
	tw_scene_close(scene);
}
END_TEST

START_TEST(test_own_policy_is_checked)
{
	struct tw_policy bad = lifo;
	struct tw_run *run;
	struct tw_scene *scene = scene_with("cholesky:nt=3", NULL);
	struct tw_run_options o = options_of("lifo:depth=3", NULL);
	o.own_policy = &bad;
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_INVALID);
	tw_run_close(run);
	ck_assert_msg(strstr(err.message, "depth"), "%s", err.message);
	o.policy = NULL;
	bad.pop = NULL;
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_INVALID);
	tw_run_close(run);
	ck_assert_msg(strstr(err.message, "lacks a mandatory member"), "%s", err.message);
	bad.abi += 1;
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_INVALID);
	tw_run_close(run);
	ck_assert_msg(strstr(err.message, "later Tilewright"), "%s", err.message);
	tw_scene_close(scene);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("runs");
	tcase_add_test(c, test_platform);
	tcase_add_loop_test(c, test_bad_option, 0, (int)(sizeof bad_options / sizeof *bad_options));
	tcase_add_test(c, test_row);
	tcase_add_test(c, test_bad_run);
	tcase_add_loop_test(c, test_places, 0, 3);
	tcase_add_test(c, test_schedule);
	tcase_add_test(c, test_parallel_tasks);
	tcase_add_test(c, test_own);
	tcase_add_test(c, test_failures);
	tcase_add_test(c, test_own_policy_is_checked);
	return run_case("runs of programs", c, CK_NOFORK);
}
