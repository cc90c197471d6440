/* Recursive tasks (tw_graph_begin_recursive): makespans by hand, refusals, what the validator notices, random runs. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "random_world.h"

/* Two cores, on which tasks take 4 ms as a whole, and 1 ms inside. */
static const char two_cores[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'>"
	"<host id='C' speed='1Gf' core='2'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
	"</zone></platform>\n";

/* Handle 0 has the halves 1 and 2, and handle 1 the halves 3 and 4. "b0RW" is a task of 4 ms, and "s1RW" one of 1 ms.
 * Tasks in parentheses are inside the one before them. */
static void build(struct tw_graph *g, const char *tasks)
{
	tw_graph_kernel(g, "big", "1", "s", 1);
	tw_graph_kernel(g, "small", "1", "s", 1);
	tw_graph_data(g, 8);
	ck_assert_int_eq(tw_graph_partition(g, 0, 2, (const uint64_t[]){4, 4}), 1);
	ck_assert_int_eq(tw_graph_partition(g, 1, 2, (const uint64_t[]){2, 2}), 3);
	while (*tasks) {
		struct tw_access access;
		char kernel, mode[3];
		int used;
		if (*tasks == '(')
			tw_graph_begin_recursive(g);
		else if (*tasks == ')')
			tw_graph_end_recursive(g);
		if (*tasks == '(' || *tasks == ')' || *tasks == ' ') {
			tasks++;
			continue;
		}
		ck_assert_int_eq(sscanf(tasks, "%c%d%2[RW]%n", &kernel, &access.data, mode, &used), 3);
		access.mode = !strcmp(mode, "R") ? TW_R : !strcmp(mode, "W") ? TW_W : TW_RW;
		tw_graph_submit(g, kernel == 's', 0, &access, 1);
		tasks += used;
	}
}

static void make(struct world *w, const char *tasks)
{
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, two_cores, &(struct tw__platform_choice){.cpus = 2});
	w->graph = tw_graph_create();
	build(w->graph, tasks);
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (const double[]){4e-3, 1e-3});
}

START_TEST(makespans_by_hand)
{
	static const struct {
		const char *tasks, *policy;
		double ms;
		int64_t n_run;
	} cases[] = {
		{"b0RW(s1RW s2RW)", "eager", 4, 1}, /* no policy splits */
		{"b0RW(s1RW s2RW)", "recursive:rule=never:back=eager", 4, 1},
		{"b0RW(s1RW s2RW)", "recursive:rule=always:back=eager", 1, 2}, /* both parts at once */
		{"b0RW(s1RW s1RW s2RW)", "recursive:rule=always:back=eager", 2, 3},
		{"b0RW(s1RW s2RW)b0RW(s1RW s2RW)", "recursive:rule=always:back=eager", 2, 4},
		{"b0RW(s1RW s2RW)b0RW", "recursive:rule=always:back=eager", 5, 3},       /* 1, and the whole: 4 */
		{"s1RW b0R(s2R) s1RW", "recursive:rule=always:back=eager", 3, 3},        /* one after the other */
		{"b0RW(b1RW(s3RW s4RW)s2RW)", "recursive:rule=always:back=eager", 2, 3}, /* 3 and 4, then 2 */
		{"b0RW(b1RW(s3RW s4RW)s2RW)", "recursive:rule=never:back=eager", 4, 1},
		{"b0R(s1R s2R)b0R(s1R s2R)", "recursive:rule=always:back=eager", 2, 4}, /* four on two cores */
		{"b0RW(s1RW s2RW)", "recursive:rule=few:back=eager", 1, 2},
		/* both are split: handles are divided before the first tasks inside are pushed */
		{"b1RW(s3RW s4RW)b2RW(s2RW)", "recursive:rule=few:back=eager", 2, 3},
		{"b0RW(s1RW s2RW)", "recursive:rule=speedup:back=eager", 1, 2}, /* no accelerator is fast enough */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		make(&w, cases[i].tasks);
		struct outcome o = world_must_run(&w, &(struct setting){.policy = cases[i].policy, .runtime = "ideal"},
		                                  cases[i].tasks);
		ck_assert_msg(o.counters.makespan == tw__ns_of(cases[i].ms / 1000) &&
		                      o.counters.tasks == cases[i].n_run,
		              "%s, %s: %.9f s, %lld tasks", cases[i].tasks, cases[i].policy,
		              tw__seconds(o.counters.makespan), (long long)o.counters.tasks);
		world_finish(&w);
	}
}
END_TEST

/* A split task that comes last ends with its release, which turn_cost delays. */
START_TEST(the_makespan_has_the_last_release)
{
	struct world w;
	make(&w, "b0RW(s1RW s2RW)");
	struct outcome o = world_must_run(
		&w, &(struct setting){.policy = "recursive:rule=always:back=eager", .runtime = "ideal:turn_cost=10us"},
		"");
	ck_assert_int_ge(o.counters.makespan, tw__ns_of(1e-3 + 20e-6));
	world_finish(&w);
}
END_TEST

/* --- refusals ----------------------------------------------------------------------------------------------------- */

START_TEST(wrong_tasks_are_refused)
{
	static const struct {
		const char *tasks, *message;
	} cases[] = {
		{"(", "task -1 is recursive: expected a task, not yet recursive, in at most 8 others"},
		{"b0RW(", "recursive task 0 has no end (tw_graph_end_recursive)"},
		{"b0RW()", "the end of a recursive task: expected its begin before, and tasks inside"},
		{"b0RW)", "the end of a recursive task: expected its begin before, and tasks inside"},
		{"b0RW((", "task 0 is recursive twice: expected a task inside first"},
		{"b0RW(s1RW)(s1RW)", "task 1 is recursive: expected a task, not yet recursive, in at most 8 others"},
		{"b1RW(s2RW)",
	         "task 1, data 2: expected accesses to handles of the recursive task around it, or to parts "
	         "of them, as it has them"},
		{"b0R(s1RW)",
	         "task 1, data 1: expected accesses to handles of the recursive task around it, or to parts "
	         "of them, as it has them"},
		{"b1RW(s0RW)",
	         "task 1, data 0: expected accesses to handles of the recursive task around it, or to parts "
	         "of them, as it has them"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tw_error err = {""};
		struct tw_graph *g = tw_graph_create();
		build(g, cases[i].tasks);
		ck_assert_int_eq(tw_graph_finish(g, &err), TW_INVALID);
		ck_assert_str_eq(err.message, cases[i].message);
		tw_graph_destroy(g);
	}
}
END_TEST

START_TEST(dependencies_stay_inside)
{
	struct tw_error err = {""};
	for (int wrong = 0; wrong < 3; wrong++) {
		struct tw_graph *g = tw_graph_create();
		build(g, "s2RW b0RW(s1RW s2RW");
		tw_graph_depend(g, wrong == 1 ? 0 : 2);
		tw_graph_end_recursive(g);
		tw_graph_submit(g, 0, 0, NULL, 0);
		tw_graph_depend(g, wrong == 2 ? 2 : 1);
		ck_assert_int_eq(tw_graph_finish(g, &err), wrong ? TW_INVALID : TW_OK);
		ck_assert_str_eq(
			err.message,
			wrong == 0   ? ""
			: wrong == 1 ? "task 3 depends on task 0, expected both inside one recursive task, or none"
				     : "task 4 depends on task 2, expected both inside one recursive task, or none");
		int n = 0;
		if (!wrong)
			ck_assert_int_eq(*tw_graph_successors(g, 0, &n), 1);
		ck_assert_int_eq(n, !wrong);
		tw_graph_destroy(g);
	}
}
END_TEST

START_TEST(plans_are_refused)
{
	static const char *const policies[] = {"heft", "rcm", "mst", "hfp", "metis", "heteroprio_types", "compose"};
	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
		struct world w;
		char policy[80];
		snprintf(policy, sizeof policy, "recursive:back=%s", policies[i]);
		make(&w, "b0RW(s1RW s2RW)");
		struct outcome o = world_run(&w, &(struct setting){.policy = policy, .runtime = "ideal"});
		ck_assert_msg(o.status == TW_INVALID && strstr(o.err.message, "plans all tasks before the run"),
		              "%s: %s", policy, o.err.message);
		world_finish(&w);
	}
}
END_TEST

/* --- what the validator notices ----------------------------------------------------------------------------------- */

/* Returns the event of that kind of the task. */
static struct tw__event *event(struct tw__record *r, enum tw__event_kind kind, tw_task task)
{
	size_t at = 0;
	while (r->events[at].kind != kind || r->events[at].task != task)
		at++;
	return &r->events[at];
}

static void remove_task(struct tw__record *r, tw_task task)
{
	size_t kept = 0;
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind > TW__RELEASE || r->events[i].task != task)
			r->events[kept++] = r->events[i];
	r->n = kept;
}

static void nothing(struct tw__validation_input *in, struct tw__record *r) { (void)in, (void)r; }
static void not_inside(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	remove_task(r, 2);
}
static void before(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	event(r, TW__RELEASE, 0)->date = tw__ns_of(0.5e-3);
}
static void too_early(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	struct tw__event first = *event(r, TW__SUBMIT, 1), *at = event(r, TW__SUBMIT, 1);
	*at = *event(r, TW__SUBMIT, 0);
	*event(r, TW__SUBMIT, 0) = first;
}
static void assigned(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	struct tw__event e = *event(r, TW__ASSIGN, 1);
	e.task = 0;
	tw__record_add(r, &e);
}
static void never_done(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	struct tw__event *e = event(r, TW__RELEASE, 0);
	memmove(e, e + 1, (size_t)(r->events + --r->n - e) * sizeof *e);
}

START_TEST(broken_records_are_refused)
{
	static const struct {
		void (*mutate)(struct tw__validation_input *, struct tw__record *);
		const char *expected; /* NULL: nothing */
	} cases[] = {
		{nothing, NULL},
		{not_inside, "recursive: task 0 (big) ends before task 2, which is inside"},
		{before, "recursive: task 0 (big) ends before task 1, which is inside"},
		{too_early, "recursive: task 1 (small) is submitted while task 0, which is around it, is not ready"},
		{assigned, "recursive: task 0 (big) is assigned, though it was split"},
		{never_done, "once: task 0 (big) is not done when the run ends"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		make(&w, "b0RW(s1RW s2RW)");
		struct outcome o = world_run(&w, &(struct setting){.policy = "recursive:rule=always:back=eager",
		                                                   .runtime = "ideal",
		                                                   .mutate = cases[i].mutate,
		                                                   .once = true});
		ck_assert_msg(o.ran && o.status == (cases[i].expected ? TW_FAILED : TW_OK), "case %d: %s", (int)i,
		              o.err.message);
		ck_assert_msg(!cases[i].expected || strstr(o.err.message, cases[i].expected), "case %d: %s", (int)i,
		              o.err.message);
		world_finish(&w);
	}
}
END_TEST

/* --- random runs -------------------------------------------------------------------------------------------------- */

/* Whether the policy cannot be below one that splits tasks. */
static bool stands_alone(const char *policy)
{
	int i = 0;
	while (strcmp(tw__policies[i]->name, policy) != 0)
		i++;
	return tw__policies[i]->flags & TW_PLANS_ALL || !strcmp(policy, "compose") || !strcmp(policy, "recursive");
}

START_TEST(random_runs_are_valid)
{
	static const char *const evictions[] = {"lru", "fifo", "random", "belady", "luf", "darts"};
	static const char *const rules[] = {"never", "always", "speedup", "few"};
	const int first = random_number("FIRST", 0), count = random_number("COUNT", 6);
	if (_i & DISK)
		return;
	for (int seed = first; seed < first + count; seed++) {
		struct tw__random *r =
			tw__random_create((uint64_t)(seed * N_SHAPES_RECORDED + _i), TW__STREAM_WORKLOAD);
		const char *runtime = random_runtimes[tw__random_below(r, N_RANDOM_RUNTIMES)];
		const unsigned shape = (unsigned)_i | DIVIDED | RECURSIVE | (seed % 2 ? MAINS : 0);
		const char *back = random_policy(r);
		char what[300], policy[100];
		struct world w;
		if (seed % 4 == 0 || stands_alone(back))
			snprintf(policy, sizeof policy, "%s", back);
		else
			snprintf(policy, sizeof policy, "recursive:rule=%s:least=1.5:back=%s",
			         rules[tw__random_below(r, 4)], back);
		snprintf(what, sizeof what, "seed %d, shape %u", seed, shape);
		random_world(&w, (uint64_t)seed, shape, runtime);
		world_must_run(&w,
		               &(struct setting){.policy = policy,
		                                 .eviction = evictions[tw__random_below(r, 6)],
		                                 .runtime = runtime,
		                                 .seed = (uint64_t)seed},
		               what);
		world_finish(&w);
		tw__random_destroy(r);
	}
}
END_TEST

int main(void)
{
	random_places = true;
	Suite *suite = suite_create("recursive tasks");
	TCase *cases = tcase_create("recursive tasks");
	tcase_set_timeout(cases, 0);
	tcase_add_test(cases, makespans_by_hand);
	tcase_add_test(cases, the_makespan_has_the_last_release);
	tcase_add_test(cases, wrong_tasks_are_refused);
	tcase_add_test(cases, dependencies_stay_inside);
	tcase_add_test(cases, plans_are_refused);
	tcase_add_test(cases, broken_records_are_refused);
	tcase_add_loop_test(cases, random_runs_are_valid, 0, N_SHAPES_RECORDED);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
