/* Parallel tasks: makespans by hand, runs that a policy leads into a deadlock, and random runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/policy.h>

#include "base/random.h"
#include "random_world.h"
#include "two_gpus.h"

#define S(seconds) ((tw__ns)((seconds)*1e9 + 0.5))

/* Four cores on two sockets. */
static const char cores[] = LINES("<host id='C' speed='1Gf' core='2'><prop id='arch' value='cpu'/></host>"
                                  "<host id='D' speed='1Gf' core='2'><prop id='arch' value='cpu'/>"
                                  "<prop id='socket' value='1'/></host>"
                                  "<host id='RAM' speed='1f'/>");

/* n independent tasks on `cpus` of the four cores. On 1, 2, 3 and 4 cores together a task takes these seconds. */
static void make(struct world *w, int cpus, int n, const double seconds[4])
{
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, cores, &(struct tw__platform_choice){.cpus = cpus, .max_parallelism = 4});
	w->graph = tw_graph_create();
	tw_kernel kernel = tw_graph_kernel(w->graph, "work", "1", "s", 1);
	for (int i = 0; i < n; i++)
		tw_graph_submit(w->graph, kernel, 0, NULL, 0);
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(w->platform->n_archs, cpus);
	world_times(w, seconds);
}

/* --- by hand ------------------------------------------------------------------------------------------------------ */

/* 12, 7, 5 and 4 s: a parallel task wastes 2, 3 and 4 s of the cores. */
static const double usual[] = {12, 7, 5, 4};

static const struct by_hand {
	const char *policy;
	int cpus, n_tasks;
	double seconds[4], makespan;
} by_hand[] = {
	/* all four cores together, one task after the other */
	{"parallel_greedy:across=yes", 4, 3, {12, 7, 5, 4}, 3 * 4},
	/* two groups of two: tasks 0 and 1, then 2 */
	{"parallel_greedy", 4, 3, {12, 7, 5, 4}, 2 * 7},
	{"parallel_greedy:size=2:across=yes", 4, 3, {12, 7, 5, 4}, 2 * 7},
	/* groups of three and of one: 0 for 5 s, 1 for 12 s; 2 on the three from 5 to 10 */
	{"parallel_greedy:size=3:across=yes", 4, 3, {12, 7, 5, 4}, 12},
	{"parallel_greedy:size=1", 4, 3, {12, 7, 5, 4}, 12},
	/* three together do not run the task, so two of the group do: 7 s; the fourth core 12 s, and so on: 0 on cores
           0 and 1, 1 on core 3, 2 on cores 0 and 1 */
	{"parallel_greedy:size=3:across=yes", 4, 3, {12, 7, NAN, NAN}, 2 * 7},
	/* 0 on four cores until 4, 1 until 8, 2 until 12: two tasks on two cores each would end at 7, one alone at 4 */
	{"parallel_heft:across=yes", 4, 3, {12, 7, 5, 4}, 12},
	/* 0 on two cores until 7, 1 on the other two until 7; 2 behind one of them until 14, alone until 19 */
	{"parallel_heft", 4, 3, {12, 7, 5, 4}, 14},
	/* four cores are no faster than one: one each, and the fifth task behind them */
	{"parallel_heft:across=yes", 4, 5, {4, 4, 4, 4}, 8},
	/* three cores: 0 on three until 5, 1 until 10; 7 for two cores never wins */
	{"parallel_heft:across=yes", 3, 2, {12, 7, 5, 0}, 10},
	/* tasks that only several cores run fast: 0 and 1 on pairs until 7; 2 on a pair until 14 */
	{"parallel_heft:across=yes", 4, 3, {100, 7, NAN, NAN}, 14},
	/* one core */
	{"parallel_heft", 1, 2, {12, 0, 0, 0}, 24},
	{"parallel_greedy", 1, 2, {12, 0, 0, 0}, 24},
};

START_TEST(makespans_by_hand)
{
	const struct by_hand *c = &by_hand[_i];
	struct world w;
	make(&w, c->cpus, c->n_tasks, c->seconds);
	struct outcome o = world_must_run(&w, &(struct setting){.policy = c->policy}, c->policy);
	ck_assert_msg(o.counters.makespan == S(c->makespan), "%s: %lld ns", c->policy, (long long)o.counters.makespan);
	world_finish(&w);
}
END_TEST

/* --- a policy with teams of its own ------------------------------------------------------------------------------- */

/* The tasks of each worker, in the order in which it pops them. */
struct plan {
	int n[4];
	tw_task of[4][4];
};

static const struct plan *the_plan;
static const char *fault;

struct planned {
	tw_task ready;
	int popped[4];
};

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct planned *p = state;
	tw_worker team[4];
	int n = 0;
	(void)released_by;
	for (tw_worker w = 0; w < 4; w++)
		for (int i = 0; i < the_plan->n[w]; i++)
			if (the_plan->of[w][i] == task)
				team[n++] = w;
	if (fault && strcmp(fault, "twice") == 0)
		team[n++] = team[0];
	if (fault && strcmp(fault, "none") == 0)
		n = 0;
	tw_combine(s, task, team, n);
	if (fault && strcmp(fault, "again") == 0)
		tw_combine(s, task, team, n);
	p->ready++;
	tw_wake(s, TW_ALL);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct planned *p = state;
	(void)s;
	if (fault && strcmp(fault, "stranger") == 0 && worker == 3 && p->ready == 2)
		return 0;
	return p->ready < 2 || p->popped[worker] == the_plan->n[worker] ? TW_NONE
	                                                                : the_plan->of[worker][p->popped[worker]++];
}

static const struct tw_policy planned = {
	.abi = TW_POLICY_ABI, .name = "planned", .state_size = sizeof(struct planned), .push = push, .pop = pop};

static struct outcome run_planned(const struct plan *plan, const char *with_fault, const char *runtime)
{
	struct world w;
	the_plan = plan;
	fault = with_fault;
	make(&w, 4, 2, usual);
	struct outcome o = world_run(&w, &(struct setting){.own_policy = &planned, .runtime = runtime});
	world_finish(&w);
	return o;
}

/* Task 0 on cores 0 to 2, task 1 on cores 2 and 3: core 2 runs 0 until 5, then 1 until 12. */
static const struct plan overlapping = {{1, 1, 2, 1}, {{0}, {0}, {0, 1}, {1}}};

START_TEST(a_team_waits_for_its_last_worker)
{
	struct outcome o = run_planned(&overlapping, NULL, NULL);
	ck_assert_msg(o.status == TW_OK, "%s", o.err.message);
	ck_assert_int_eq(o.counters.makespan, S(5 + 7));
	/* 3 cores for 5 s and 2 cores for 7 s */
	ck_assert_int_eq(o.counters.busy, S(3 * 5 + 2 * 7));
}
END_TEST

/* With two places each, core 2 pops both tasks at once. It has to run the first before the second can start. */
START_TEST(pipelines_change_nothing)
{
	struct outcome o = run_planned(&overlapping, NULL, "ideal:cpu_pipeline=3");
	ck_assert_msg(o.status == TW_OK, "%s", o.err.message);
	ck_assert_int_eq(o.counters.makespan, S(5 + 7));
}
END_TEST

static void fails_with(const struct plan *plan, const char *with_fault, const char *message)
{
	struct outcome o = run_planned(plan, with_fault, NULL);
	ck_assert_msg(o.status == TW_FAILED && strstr(o.err.message, message), "%s: '%s'",
	              with_fault ? with_fault : "no fault", o.err.message);
}

START_TEST(deadlocks_say_who_waits)
{
	/* core 0 waits with task 0 for core 1, which waits with task 1 for core 0 */
	fails_with(&(struct plan){{2, 2, 0, 0}, {{0, 1}, {1, 0}}}, NULL,
	           "task 0 (work) on 'C.0' waits for 'C.1', which has not popped it, by task 1 (work) on 'C.1'");
	/* core 1 never pops it */
	fails_with(&(struct plan){{2, 1, 0, 0}, {{0, 1}, {1}}}, "stranger", "task");
}
END_TEST

START_TEST(wrong_teams_are_refused)
{
	fails_with(&overlapping, "twice", "tw_combine: task 0 (work): given twice: C.0");
	fails_with(&overlapping, "none", "tw_combine: task 0 (work): has no time on as many workers");
	fails_with(&overlapping, "again", "tw_combine: task 0 (work) is not ready, was popped or combined before");
	fails_with(&overlapping, "stranger",
	           "gives task 0 to worker 'D.1': expected one that tw_combine named, and each once");
}
END_TEST

/* --- broken records ----------------------------------------------------------------------------------------------- */

static struct tw__event *event(struct tw__record *r, enum tw__event_kind kind, tw_task t)
{
	size_t i = 0;
	while (i < r->n && !(r->events[i].kind == kind && r->events[i].task == t))
		i++;
	ck_assert_uint_lt(i, r->n);
	return &r->events[i];
}

static void a_lost_worker(struct tw__validation_input *in, struct tw__record *r)
{
	struct tw__event *e = event(r, TW__JOIN, 0);
	(void)in;
	memmove(e, e + 1, (size_t)(r->events + --r->n - e) * sizeof *e);
}

static void the_first_worker_again(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	event(r, TW__JOIN, 0)->worker = event(r, TW__ASSIGN, 0)->worker;
}

static void too_late(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	event(r, TW__JOIN, 0)->date = S(1);
}

static void two_at_once(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	event(r, TW__JOIN, 1)->date = S(4);
}

static void runs_another(struct tw__validation_input *in, struct tw__record *r)
{
	const struct tw__event *join = event(r, TW__JOIN, 1);
	(void)in;
	ck_assert_int_eq(join->worker, 2);
	event(r, TW__START, 0)->worker = event(r, TW__END, 0)->worker = event(r, TW__ASSIGN, 0)->worker =
		event(r, TW__RELEASE, 0)->worker = 2; /* whatever joined it as 2 is then 0 */
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind == TW__JOIN && r->events[i].task == 0 && r->events[i].worker == 2)
			r->events[i].worker = 0;
	event(r, TW__JOIN, 1)->date = event(r, TW__START, 1)->date = S(4);
}

static void cancelled(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	event(r, TW__END, 0)->kind = TW__CANCEL;
}

static void of_another_domain(struct tw__validation_input *in, struct tw__record *r)
{
	static const bool without[] = {true, false, true, true}, all[] = {true, true, true, true};
	static const bool *const has[] = {without, all};
	static const char *const names[] = {"without", "all"};
	static const uint8_t of[] = {0, 1};
	(void)r;
	in->domains = (struct tw__run_domains){2, names, has, of};
}

static const struct {
	void (*mutate)(struct tw__validation_input *, struct tw__record *);
	const char *message;
} broken[] = {
	{a_lost_worker, "duration: task 0 (work) took 5"},
	{the_first_worker_again, "team: task 0 (work): C.0 joins it, but has it, or has joined another"},
	{too_late, "team: task 0 (work): C.1 joins it before its assignment or after its start"},
	{two_at_once, "team: task 1 (work): D.0 joins it, but has it, or has joined another"},
	{runs_another, "team: task 1 (work): D.0 has joined it, but runs another task at its start"},
	{cancelled, "team: task 0 (work), which several workers run, is cancelled"},
	{of_another_domain, "team: task 0 (work): C.1 joins it, but is not in its domain"},
};

START_TEST(a_broken_record_is_refused)
{
	struct world w;
	the_plan = &overlapping;
	fault = NULL;
	make(&w, 4, 2, usual);
	struct outcome o =
		world_run(&w, &(struct setting){.own_policy = &planned, .mutate = broken[_i].mutate, .once = true});
	ck_assert_msg(o.ran && o.status == TW_FAILED && strstr(o.err.message, broken[_i].message), "%d: '%s'", _i,
	              o.err.message);
	world_finish(&w);
}
END_TEST

/* --- random runs -------------------------------------------------------------------------------------------------- */

START_TEST(random_runs_are_valid)
{
	static const char *const policies[] = {"parallel_heft", "parallel_heft:across=yes", "parallel_greedy",
	                                       "parallel_greedy:size=2", "parallel_greedy:size=3"};
	static const char *const evictions[] = {"lru", "fifo", "random"};
	int first = random_number("FIRST", 0), count = random_number("COUNT", 4);
	for (int seed = first; seed < first + count; seed++) {
		struct tw__random *r =
			tw__random_create((uint64_t)(seed * N_SHAPES_RECORDED + _i), TW__STREAM_WORKLOAD);
		const char *model = random_runtimes[tw__random_below(r, N_RANDOM_RUNTIMES)];
		const unsigned shape = (unsigned)_i | WIDE | (seed % 2 && !((unsigned)_i & DISK) ? MAINS : 0);
		char runtime[300];
		struct world w;
		snprintf(runtime, sizeof runtime, "%s%s", model,
		         seed % 3 || strstr(model, "cpu_pipeline") ? "" : ":cpu_pipeline=3");
		random_world(&w, (uint64_t)seed, shape, model);
		world_must_run(&w,
		               &(struct setting){.policy = policies[tw__random_below(r, 5)],
		                                 .eviction = evictions[tw__random_below(r, 3)],
		                                 .runtime = runtime,
		                                 .seed = (uint64_t)seed},
		               runtime);
		world_finish(&w);
		tw__random_destroy(r);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("parallel tasks");
	TCase *cases = tcase_create("parallel tasks");
	tcase_set_timeout(cases, 0);
	tcase_add_loop_test(cases, makespans_by_hand, 0, (int)(sizeof by_hand / sizeof *by_hand));
	tcase_add_test(cases, a_team_waits_for_its_last_worker);
	tcase_add_test(cases, pipelines_change_nothing);
	tcase_add_test(cases, deadlocks_say_who_waits);
	tcase_add_test(cases, wrong_teams_are_refused);
	tcase_add_loop_test(cases, a_broken_record_is_refused, 0, (int)(sizeof broken / sizeof *broken));
	tcase_add_loop_test(cases, random_runs_are_valid, 0, N_SHAPES_RECORDED);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
