/* The quantities and choices of DARTS (Gonthier, Thibault, Marchal 2024, Algorithm 3): a worked example, step by
 * step. */
#include <math.h>
#include <stdlib.h>

#include "policies/support/data_table.h"
#include "world.h"

/* --- a worked example -------------------------------------------------------------------------------------------- */

/* A megabyte takes 1 ms. */
static const char one_gpu[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'><host id='RAM' speed='1f'/>"
	"<host id='G' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
	"<link id='p' bandwidth='1GBps' latency='0s' sharing_policy='SPLITDUPLEX'/>"
	"<route src='RAM' dst='G'><link_ctn id='p' direction='DOWN'/></route></zone></platform>\n";

enum { X, A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, N_DATA };
static const double seconds[] = {1e-3, 2e-3, 4e-3, 10e-3};

static const struct {
	tw_kernel kernel; /* its length: seconds[kernel] */
	int32_t priority;
	tw_data reads[3];
	int n;
} tasks[] = {
	{3, 0, {X}, 1},       /* 0 */
	{0, 0, {X, A}, 2},    /* 1 */
	{0, 5, {X, A}, 2},    /* 2 */
	{1, 1, {X, B}, 2},    /* 3 */
	{0, 9, {X, C}, 2},    /* 4 */
	{0, 3, {X, C, D}, 3}, /* 5 */
	{2, 0, {X, F}, 2},    /* 6: F is twice as large */
	{0, 2, {G, H}, 2},    /* 7 */
	{0, 2, {G, I}, 2},    /* 8 */
	{1, 1, {H, J}, 2},    /* 9 */
	{0, 7, {K, L, M}, 3}, /* 10 */
	{0, 8, {N, O, E}, 3}, /* 11 */
};
enum { N_TASKS = sizeof tasks / sizeof tasks[0] };

static void begin(struct world *w)
{
	*w = (struct world){0};
	world_platform(w, one_gpu, &(struct tw__platform_choice){.cpus = 0, .gpus = 1});
	w->graph = tw_graph_create();
}

static void make(struct world *w)
{
	struct tw_error err = {""};
	begin(w);
	for (tw_data d = 0; d < N_DATA; d++)
		tw_graph_data(w->graph, d == F ? 2000000 : 1000000);
	for (int k = 0; k < 4; k++)
		tw_graph_kernel(w->graph, (const char *[]){"one", "two", "four", "ten"}[k], "1", "s", 1);
	for (int t = 0; t < N_TASKS; t++) {
		struct tw_access access[3];
		for (int i = 0; i < tasks[t].n; i++)
			access[i] = (struct tw_access){tasks[t].reads[i], TW_R};
		tw_graph_submit(w->graph, tasks[t].kernel, tasks[t].priority, access, tasks[t].n);
	}
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, seconds);
}

/* The choices, in order. Each is carried out before the next. */
static const struct {
	tw_data best;
	struct tw_data_score score;
	int n;
	tw_task planned[2]; /* S0, or the first of S1 */
} steps[] = {
	/* No handle is there: only X frees a task. All other tasks with X lack another handle: |S1| is 5. */
	{X, {0.1, 1, 0, 5, 20000000}, 1, {0}},
	/* A, B and F have the ratio 1/2, and A frees two tasks. C has the ratio 1 and loses in spite of its highest
	 * priority. */
	{A, {0.5, 2, 5, 0, 2000000}, 2, {2, 1}},
	/* B and F free one task each; B's has the higher priority. */
	{B, {0.5, 1, 1, 0, 2000000}, 1, {3}},
	{F, {0.5, 1, 0, 0, 4000000}, 1, {6}},
	/* The task that lacks C and D is in S1 of both. */
	{C, {1, 1, 9, 1, 2000000}, 1, {4}},
	{D, {1, 1, 3, 0, 1000000}, 1, {5}},
	/* No handle frees a task. G, H and I lead to priority 2; G and H lead to two tasks each, and more work is
	 * left with H. Tasks 10 and 11 have higher priorities, but lack three handles. */
	{H, {INFINITY, 0, 2, 2, 3000000}, 1, {7}},
	{J, {0.5, 1, 1, 0, 2000000}, 1, {9}},
	{I, {1, 1, 2, 0, 1000000}, 1, {8}},
	/* S0 and S1 are empty: the first handle. The policy takes the task of the highest priority instead. */
	{E, {INFINITY, 0, INT32_MIN, 0, 1000000}, 0, {TW_NONE}},
};

static bool same_score(const struct tw_data_score *a, const struct tw_data_score *b)
{
	return a->ratio == b->ratio && a->s0 == b->s0 && a->max_prio == b->max_prio && a->s1 == b->s1 &&
	       a->left_ns == b->left_ns;
}

static int walk(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct tw_data_table t;
	tw_node gpu = tw_worker_node(s, 0);
	(void)state;
	tw_data_table_init(&t, s);
	for (tw_task task = 0; task < N_TASKS; task++)
		tw_data_table_add(&t, task);
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		struct tw_data_score score;
		tw_task set[2] = {TW_NONE, TW_NONE};
		tw_data best = tw_data_table_best(&t, 0, &score);
		if (best != steps[i].best || !same_score(&score, &steps[i].score))
			return tw_fail(err, TW_FAILED,
			               "step %d: data %d, ratio %g, S0 %d, max_prio %d, S1 %d, left %lld", (int)i,
			               (int)best, score.ratio, (int)score.s0, (int)score.max_prio, (int)score.s1,
			               (long long)score.left_ns);
		tw_data_table_set(&t, best, 0, score.s0 == 0, set, steps[i].n);
		for (int j = 0; j < steps[i].n; j++) {
			if (set[j] != steps[i].planned[j])
				return tw_fail(err, TW_FAILED, "step %d: task %d", (int)i, (int)set[j]);
			tw_data_table_plan(&t, set[j], 0);
		}
	}
	/* Two tasks that use A are planned, and one of them is taken. A leaves, and the other task is ready again. */
	tw_data_table_take(&t, 2);
	struct tw_planned_use use = tw_plan_use(&t.plan, A, gpu);
	bool good = use.taken == 1 && use.planned == 1 && tw_data_table_planned(&t, A, 0) == 1;
	tw_data_table_set_present(&t, A, 0, true);
	tw_data_table_set_present(&t, A, 0, false);
	tw_data_table_unplan(&t, 1);
	good &= tw_data_table_missing(&t, 1, 0) == 0; /* taken task 2 will load A again */
	tw_data_table_drop(&t, 2);
	good &= tw_data_table_missing(&t, 1, 0) == 1;
	return tw_fail(err, TW_FAILED, good ? "as worked out" : "planned uses differ");
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)s, (void)state, (void)task, (void)released_by;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	(void)s, (void)state, (void)worker;
	return TW_NONE;
}

static const struct tw_policy walking = {.abi = TW_POLICY_ABI,
                                         .name = "walking",
                                         .summary = "",
                                         .flags = TW_SORTS_BY_PRIORITY,
                                         .init = walk,
                                         .push = push,
                                         .pop = pop};

START_TEST(scores_are_those_of_the_worked_example)
{
	struct world w;
	make(&w);
	struct outcome o = world_run(&w, &(struct setting){.own_policy = &walking});
	ck_assert_str_eq(o.err.message, "as worked out");
	world_finish(&w);
}
END_TEST

/* Runs the workload under the policy, and checks the order in which tasks are taken and the bytes transferred. */
static void check_order(const struct world *w, const char *policy, const tw_task *order, int n_tasks, uint64_t bytes)
{
	int n = 0;
	struct outcome o = world_must_run(
		w, &(struct setting){.policy = policy, .eviction = "darts", .keep_record = true}, policy);
	for (size_t i = 0; i < o.n_events; i++)
		if (o.events[i].kind == TW__ASSIGN) {
			ck_assert_int_lt(n, n_tasks);
			ck_assert_msg(o.events[i].task == order[n], "%s: task %d is number %d", policy,
			              (int)o.events[i].task, n);
			n++;
		}
	ck_assert_int_eq(n, n_tasks);
	ck_assert_uint_eq(o.counters.transferred_bytes, bytes); /* each handle is loaded once */
	free(o.events);
}

/* The same order in runs. All tasks are ready before the GPU asks. */
START_TEST(darts_takes_the_tasks_in_that_order)
{
	static const struct {
		const char *policy;
		tw_task order[N_TASKS];
	} cases[] = {
		{"darts", {0, 2, 1, 3, 6, 4, 5, 7, 9, 8, 11, 10}},
		{"darts:buffer=0", {0, 2, 1, 3, 6, 4, 5, 7, 9, 8, 11, 10}},
		{"darts:buffer=4", {0, 2, 1, 3, 6, 4, 5, 7, 9, 8, 11, 10}},
		{"darts:choice=count", {0, 2, 1, 3, 4, 5, 6, 11, 10, 7, 8, 9}},
		{"data_first:few=0:buffer=0", {0, 2, 1, 3, 6, 4, 5, 7, 9, 8, 11, 10}},
		{"data_first:few=0:buffer=4:pick=head", {0, 2, 1, 3, 6, 4, 5, 7, 9, 8, 11, 10}},
		/* When task 2 starts, tasks 1, 3, 6, 4 and 5 are in the buffer with their data; 4 is the most urgent.
		 * I arrives at the date when the GPU asks for the task after 7, in time for 8. */
		{"data_first:few=0:buffer=4", {0, 2, 4, 5, 3, 7, 8, 9, 1, 11, 6, 10}},
		/* B, C, D and F free one task each. Then no handle frees a task, and priorities 8, 7 and 2 follow,
		 * which load I and J. */
		{"data_first:few=0:choice=count:pick=head", {0, 2, 1, 3, 4, 5, 6, 11, 10, 7, 8, 9}},
		/* All data fit, so tasks go by urgency. But 4 frees 0, which runs next, and 2 frees 1. */
		{"data_first:buffer=0", {4, 0, 11, 10, 2, 1, 5, 7, 8, 3, 9, 6}},
	};
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		struct world w;
		make(&w);
		check_order(&w, cases[c].policy, cases[c].order, N_TASKS, 17000000);
		world_finish(&w);
	}
}
END_TEST

/* Six tasks read X. The first of them releases a seventh with a higher priority, whose inputs are all there. At that
 * date task 1 is taken, and 2 and 3 are in the buffer. */
START_TEST(data_first_takes_what_is_released_before_what_is_planned)
{
	enum { N_HERE = 7 };
	struct world w;
	struct tw_error err = {""};
	begin(&w);
	tw_graph_kernel(w.graph, "one", "1", "s", 1);
	tw_data x = tw_graph_data(w.graph, 1000000), y = tw_graph_data(w.graph, 1000000);
	for (tw_task t = 0; t < N_HERE; t++)
		tw_graph_submit(w.graph, 0, t == 6, (struct tw_access[]){{x, TW_R}, {y, t == 0 ? TW_W : TW_R}},
		                t == 0 || t == 6 ? 2 : 1);
	ck_assert_msg(tw_graph_finish(w.graph, &err) == TW_OK, "%s", err.message);
	world_times(&w, seconds);
	check_order(&w, "data_first", (tw_task[N_HERE]){0, 1, 6, 2, 3, 4, 5}, N_HERE, 1000000);
	check_order(&w, "data_first:pick=head", (tw_task[N_HERE]){0, 1, 2, 3, 4, 5, 6}, N_HERE, 1000000);
	check_order(&w, "darts", (tw_task[N_HERE]){0, 1, 2, 3, 4, 5, 6}, N_HERE, 1000000);
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("data_table");
	TCase *cases = tcase_create("data_table");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, scores_are_those_of_the_worked_example);
	tcase_add_test(cases, darts_takes_the_tasks_in_that_order);
	tcase_add_test(cases, data_first_takes_what_is_released_before_what_is_planned);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
