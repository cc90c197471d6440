/* Wrong calls of policies and evictions: each ends the run with an error that names the function, and the process goes
 * on. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>
#include <tilewright/run.h>

#include "fixture.h"

static struct tw_error err;

/* --- functions that policies and evictions call ------------------------------------------------------------------- */

/* Returns whether the result is the neutral one. */
typedef bool wrong_call(struct tw_sched *);

static const struct tw_graph *g_of(struct tw_sched *s) { return tw_sched_graph(s); }

/* Each line: a name, the call, and part of the message. */
#define CALLS                                                                                                        \
	CALL(worker_node, tw_worker_node(s, 99) == 0, "tw_worker_node: worker 99: expected one from 0 to ")          \
	CALL(worker_arch, tw_worker_arch(s, -1) == 0, "tw_worker_arch: worker -1: expected one from 0 to ")          \
	CALL(is_accelerator, !tw_worker_is_accelerator(s, 1 << 30), "tw_worker_is_accelerator: worker 1073741824")   \
	CALL(cores, tw_worker_cores(s, TW_ALL) == 1, "tw_worker_cores: worker -2")                                   \
	CALL(idle_watts, isnan(tw_worker_idle_watts(s, 99)), "tw_worker_idle_watts: worker 99")                      \
	CALL(busy_watts, isnan(tw_worker_busy_watts(s, 99)), "tw_worker_busy_watts: worker 99")                      \
	CALL(capacity, tw_node_capacity(s, 99) == 0, "tw_node_capacity: memory node 99")                             \
	CALL(used, tw_node_used(s, -1) == 0, "tw_node_used: memory node -1")                                         \
	CALL(holds_all, !tw_node_holds_all(s, 99), "tw_node_holds_all: memory node 99")                              \
	CALL(priority, tw_task_priority(s, -1) == 0, "tw_task_priority: task -1: expected one from 0 to 19")         \
	CALL(n_accesses, tw_task_n_accesses(s, 20) == 0, "tw_task_n_accesses: task 20")                              \
	CALL(access, tw_task_access(s, 20, 0).data == TW_NONE, "tw_task_access: task 20")                            \
	CALL(access_index, tw_task_access(s, 0, 1).data == TW_NONE, "tw_task_access: access 1: expected one from 0") \
	CALL(length, isinf(tw_task_length(s, 0, 99)), "tw_task_length: worker 99")                                   \
	CALL(length_of, isinf(tw_task_length(s, TW_NONE, 0)), "tw_task_length: task -1")                             \
	CALL(class, tw_task_class(s, 77) == 0, "tw_task_class: task 77")                                             \
	CALL(mine, !tw_task_is_mine(s, 77), "tw_task_is_mine: task 77")                                              \
	CALL(submitted, !tw_task_is_submitted(s, -3), "tw_task_is_submitted: task -3")                               \
	CALL(transfer_time, isinf(tw_task_transfer_time(s, 0, 99)), "tw_task_transfer_time: memory node 99")         \
	CALL(transfer_times, (tw_task_transfer_times(s, 99, (double[99]){0}), true),                                 \
	     "tw_task_transfer_times: task 99")                                                                      \
	CALL(lacks, !tw_task_lacks_less(s, 99, 0, &(struct tw_lack){0, 0, 0}), "tw_task_lacks_less: task 99")        \
	CALL(changed, tw_copies_changed(s, 99, &(uint64_t){0}, (tw_data[TW_MOST_CHANGES]){0}) == TW_NONE,            \
	     "tw_copies_changed: memory node 99")                                                                    \
	CALL(accumulator, tw_accumulator(s, 5, 0) == TW_NONE, "tw_accumulator: data 5: expected one from 0 to 0")    \
	CALL(accumulated, tw_accumulated(s, 5) == TW_NONE, "tw_accumulated: data 5: expected one from 0 to 0")       \
	CALL(bytes, tw_data_bytes(s, TW_NONE) == 0, "tw_data_bytes: data -1")                                        \
	CALL(valid, !tw_data_valid(s, 0, 99), "tw_data_valid: memory node 99")                                       \
	CALL(valid_nodes, tw_data_valid_nodes(s, 0, 64) == 0, "tw_data_valid_nodes: memory node 64")                 \
	CALL(incoming, !tw_data_incoming(s, 1, 0), "tw_data_incoming: data 1")                                       \
	CALL(allocated, !tw_data_allocated(s, 0, -1), "tw_data_allocated: memory node -1")                           \
	CALL(data_time, isinf(tw_data_transfer_time(s, 9, 0)), "tw_data_transfer_time: data 9")                      \
	CALL(slowed, isinf(tw_data_transfer_time_slowed(s, 0, 9, 1)), "tw_data_transfer_time_slowed: memory node 9") \
	CALL(times_slowed, (tw_data_transfer_times_slowed(s, 9, 1, (double[99]){0}), true),                          \
	     "tw_data_transfer_times_slowed: data 9")                                                                \
	CALL(route, isinf(tw_transfer_time(s, 0, 9, 1)), "tw_transfer_time: memory node 9")                          \
	CALL(wake, (tw_wake(s, 99), true), "tw_wake: worker 99")                                                     \
	CALL(wake_first, (tw_wake_first_idle(s, 99), true), "tw_wake_first_idle: task 99")                           \
	CALL(prefetch_task, (tw_prefetch_task(s, 99, 0), true), "tw_prefetch_task: task 99")                         \
	CALL(prefetch_to, (tw_prefetch_task(s, 0, 99), true), "tw_prefetch_task: memory node 99")                    \
	CALL(prefetch_data, (tw_prefetch_data(s, 99, 0), true), "tw_prefetch_data: data 99")                         \
	CALL(planned, tw_data_planned_use(s, 0, 0).next == TW_NEVER,                                                 \
	     "tw_data_planned_use: policy 'wrong' plans no uses")                                                    \
	CALL(show, (tw_show_planned_uses(s, 99, NULL), true), "tw_show_planned_uses: memory node 99")                \
	CALL(shown, !tw_planned_uses(s, 99), "tw_planned_uses: memory node 99")                                      \
	CALL(report_null, (tw_report(s, NULL, 1), true), "tw_report: '(NULL)': expected 1 to 31 letters")            \
	CALL(report_blank, (tw_report(s, "two words", 1), true), "tw_report: 'two words'")                           \
	CALL(report_empty, (tw_report(s, "", 1), true), "tw_report: ''")                                             \
	CALL(report_long, (tw_report(s, "a234567890123456789012345678901_", 1), true), "tw_report: 'a2345")          \
	CALL(report_many, report_many(s), "expected at most 16 figures of a run")                                    \
	CALL(running, tw_running_task(s, 99, &(double){0}) == TW_NONE, "tw_running_task: worker 99")                 \
	CALL(cancel, tw_cancel(s, 99) == TW_NONE, "tw_cancel: worker 99")                                            \
	CALL(abort_null, (tw_abort_run(s, NULL), true), "does not say why")                                          \
	CALL(much_memory, tw_run_alloc(s, SIZE_MAX / 16, 8), "out of memory")                                        \
	CALL(args, tw_args_int(tw_sched_args(s), "none") == 0, "reads the parameter 'none', which its table lacks")  \
	CALL(args_null, !*tw_args_text(tw_sched_args(s), NULL), "reads the parameter '(NULL)'")                      \
	CALL(args_type, tw_args_bytes(tw_sched_args(s), "far") == 0, "which its table has with another type")        \
	CALL(eviction_args, !tw_args_flag(tw_eviction_args(s), "far"), "reads the parameter 'far', which its table") \
	CALL(g_kernel, !*tw_graph_kernel_name(g_of(s), 9), "tw_graph_kernel_name: kernel 9: expected one from 0 to") \
	CALL(g_size, !*tw_graph_kernel_size(g_of(s), 9), "tw_graph_kernel_size: kernel 9: expected one from 0 to")   \
	CALL(g_flops, tw_graph_kernel_flops(g_of(s), -1) == 0, "tw_graph_kernel_flops: kernel -1")                   \
	CALL(g_task_kernel, tw_graph_task_kernel(g_of(s), 99) == TW_NONE, "tw_graph_task_kernel: task 99")           \
	CALL(g_priority, tw_graph_priority(g_of(s), 99) == 0, "tw_graph_priority: task 99")                          \
	CALL(g_critical, !tw_graph_is_critical(g_of(s), 99), "tw_graph_is_critical: task 99")                        \
	CALL(g_accesses, tw_graph_n_accesses(g_of(s), 99) == 0, "tw_graph_n_accesses: task 99")                      \
	CALL(g_access, tw_graph_access(g_of(s), 0, 9).data == TW_NONE, "tw_graph_access: access 9")                  \
	CALL(g_bytes, tw_graph_data_bytes(g_of(s), 9) == 0, "tw_graph_data_bytes: data 9")                           \
	CALL(g_before, tw_graph_n_predecessors(g_of(s), 99) == 0, "tw_graph_n_predecessors: task 99")                \
	CALL(g_behind, !tw_graph_successors(g_of(s), 99, &(int){1}), "tw_graph_successors: task 99")                 \
	CALL(g_place, !tw_graph_recorded_place(g_of(s), -9) && !tw_graph_recorded_place(g_of(s), 99), NULL)

static bool report_many(struct tw_sched *s)
{
	char name[40];
	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof name, "figure_%d", i);
		tw_report(s, name, i);
	}
	return true;
}

#define CALL(name, call, part) \
	static bool call_##name(struct tw_sched *s) { return call; }
CALLS
#undef CALL

#define CALL(name, call, part) {#name, call_##name, part},
static const struct {
	const char *name;
	wrong_call *call;
	const char *part; /* of the message; NULL: the call is no error */
} calls[] = {CALLS};
enum { N_CALLS = sizeof calls / sizeof *calls };
#undef CALL

/* --- a run with one wrong call ------------------------------------------------------------------------------------ */

enum when { IN_INIT, IN_PUSH, IN_POP, IN_DONE, IN_FINISH, IN_LOADED, N_WHENS };

struct wrong {
	int when, calls;
	wrong_call *call;
	bool neutral;
	tw_task (*give)(struct wrong *, struct tw_sched *, tw_worker);
	tw_task ready[20];
	int n_ready;
};

static void act(struct tw_sched *s, int when)
{
	struct wrong *w = tw_sched_context(s);
	if (w->call && when == w->when && w->calls++ == 0)
		w->neutral = w->call(s);
}

static int init(struct tw_sched *s, void *state, struct tw_error *e)
{
	(void)state, (void)e;
	act(s, IN_INIT);
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task t, tw_worker by)
{
	struct wrong *w = tw_sched_context(s);
	(void)state, (void)by;
	w->ready[w->n_ready++] = t;
	act(s, IN_PUSH);
	tw_wake(s, TW_ALL);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct wrong *w = tw_sched_context(s);
	(void)state;
	act(s, IN_POP);
	if (w->give)
		return w->give(w, s, worker);
	return w->n_ready && isfinite(tw_task_length(s, w->ready[0], worker)) ? w->ready[--w->n_ready] : TW_NONE;
}

static void done(struct tw_sched *s, void *state, tw_task t, tw_worker worker)
{
	(void)state, (void)t, (void)worker;
	act(s, IN_DONE);
}

static void finish(struct tw_sched *s, void *state)
{
	(void)state;
	act(s, IN_FINISH);
}

static const struct tw_param params[] = {{"far", TW_PARAM_INT, "3", 0, 9, NULL, "a number"}, {0}};
static const struct tw_policy policy = {
	.abi = TW_POLICY_ABI,
	.name = "wrong",
	.summary = "makes one wrong call",
	.params = params,
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
	.done = done,
};

static void loaded(struct tw_sched *s, void *state, tw_data d, tw_node n)
{
	(void)state, (void)d, (void)n;
	act(s, IN_LOADED);
}

static tw_data victim(struct tw_sched *s, void *state, tw_node n, const struct tw_victim_query *query)
{
	(void)s, (void)state, (void)n, (void)query;
	return TW_NONE;
}

static const struct tw_eviction eviction = {
	.abi = TW_EVICTION_ABI, .name = "none", .summary = "evicts nothing", .loaded = loaded, .victim = victim};

static struct tw_scene *scene;

/* 20 tasks that alternate between processors and accelerators, one after the other. */
static void setup(void)
{
	struct tw_platform *platform;
	struct tw_graph *g = tw_graph_create();
	tw_data d = tw_graph_data(g, 1000);
	tw_kernel k[] = {tw_graph_recorded_kernel(g, "even", "1", "d", 0, "processors+accelerators"),
	                 tw_graph_recorded_kernel(g, "odd", "1", "d", 0, "accelerators")};
	for (int i = 0; i < 20; i++)
		tw_graph_set_seconds(g, tw_graph_submit(g, k[i % 2], 0, &(struct tw_access){d, TW_RW}, 1), 0.5);
	ck_assert_int_eq(tw_platform_open(&platform, "mirage", NULL, &err), TW_OK);
	ck_assert_msg(tw_scene_create(&scene, platform, g, "alternating", &err) == TW_OK, "%s", err.message);
	tw_graph_destroy(g);
	tw_platform_close(platform);
}

static int run(struct wrong *w)
{
	struct tw_run *run;
	struct tw_run_options o;
	tw_run_options_init(&o);
	o.own_policy = &policy;
	o.own_eviction = &eviction;
	o.context = w;
	o.place = TW_RUN_HERE;
	int status = tw_scene_run(scene, &o, &run, &err);
	tw_run_close(run);
	return status;
}

START_TEST(a_wrong_call_ends_the_run)
{
#ifdef __SANITIZE_ADDRESS__
	if (strcmp(calls[_i].name, "much_memory") == 0)
		return; /* a run that runs out of memory loses its memory, which is a leak */
#endif
	for (int when = 0; when < N_WHENS; when++) {
		struct wrong w = {.when = when, .call = calls[_i].call};
		/* the runtime's own figures come before `finish`, and tw_wake and such do nothing then */
		int status = run(&w);
		ck_assert_msg(w.calls > 0, "%s: not called in %d", calls[_i].name, when);
		if (!calls[_i].part) {
			ck_assert_msg(status == TW_OK, "%s: %s", calls[_i].name, err.message);
			continue;
		}
		ck_assert_msg(status < 0 && strstr(err.message, calls[_i].part), "%s in %d: status %d, '%s'",
		              calls[_i].name, when, status, err.message);
		ck_assert_msg(w.neutral || strcmp(calls[_i].name, "much_memory") == 0, "%s", calls[_i].name);
		ck_assert_ptr_null(strchr(err.message, '\n'));
	}
	ck_assert_msg(run(&(struct wrong){0}) == TW_OK, "%s", err.message); /* and the next run succeeds */
}
END_TEST

/* --- pops that give nonsense -------------------------------------------------------------------------------------- */

static tw_task give_negative(struct wrong *w, struct tw_sched *s, tw_worker worker)
{
	(void)w, (void)s, (void)worker;
	return -5;
}

static tw_task give_unknown(struct wrong *w, struct tw_sched *s, tw_worker worker)
{
	(void)w, (void)s, (void)worker;
	return 20;
}

static tw_task give_early(struct wrong *w, struct tw_sched *s, tw_worker worker)
{
	(void)w, (void)s, (void)worker;
	return 1; /* its predecessor has not ended */
}

static tw_task give_twice(struct wrong *w, struct tw_sched *s, tw_worker worker)
{
	(void)s, (void)worker;
	return w->n_ready ? w->ready[0] : TW_NONE;
}

/* Task 1 is of accelerators, which have the lowest numbers. */
static tw_task give_to_wrong_worker(struct wrong *w, struct tw_sched *s, tw_worker worker)
{
	if (!w->n_ready || (w->ready[w->n_ready - 1] == 1 && worker < tw_n_workers(s) - 1))
		return TW_NONE;
	return w->ready[--w->n_ready];
}

static const struct {
	tw_task (*give)(struct wrong *, struct tw_sched *, tw_worker);
	const char *message;
} gifts[] = {
	{give_negative, "policy 'wrong' gives task -5, which is not ready or was given before"},
	{give_unknown, "policy 'wrong' gives task 20, which is not ready or was given before"},
	{give_early, "policy 'wrong' gives task 1, which is not ready or was given before"},
	{give_twice, "policy 'wrong' gives task 0, which is not ready or was given before"},
	{give_to_wrong_worker, "policy 'wrong' gives task 1 (odd) to worker 'CPU"},
};

START_TEST(a_wrong_task_ends_the_run)
{
	struct wrong w = {.give = gifts[_i].give};
	ck_assert_int_eq(run(&w), TW_FAILED);
	ck_assert_msg(strstr(err.message, gifts[_i].message), "%s", err.message);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("wrong calls");
	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, a_wrong_call_ends_the_run, 0, N_CALLS);
	tcase_add_loop_test(tc, a_wrong_task_ends_the_run, 0, sizeof gifts / sizeof *gifts);
	return run_case("wrong calls", tc, CK_FORK_GETENV);
}
