/* Wrong words, and wrong calls of policies with children: each fails the run, with the names of child and parent. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/compose.h>
#include <tilewright/containers.h>

#include "two_gpus.h"

/* Two tasks "a" for all workers and one "b" for GPUs alone, without data. Two cores and two GPUs. */
static void make(struct world *w)
{
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, two_gpus, &(struct tw__platform_choice){.cpus = 2, .gpus = 2});
	w->graph = tw_graph_create();
	tw_kernel kernels[] = {tw_graph_kernel(w->graph, "a", "1", "s", 1),
	                       tw_graph_kernel(w->graph, "b", "1", "s", 1)};
	for (int i = 0; i < 3; i++)
		tw_graph_submit(w->graph, kernels[i == 2], 0, NULL, 0);
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	double times[4];
	for (int arch = 0; arch < w->platform->n_archs; arch++) {
		times[arch] = 1e-3;
		times[2 + arch] = w->platform->archs[arch].accelerator ? 1e-3 : NAN;
	}
	world_times(w, times);
}

static void must_fail(const struct setting *s, int status, const char *message)
{
	struct world w;
	make(&w);
	struct outcome o = world_run(&w, s);
	ck_assert_str_eq(o.err.message, message);
	ck_assert_int_eq(o.status, status);
	world_finish(&w);
}

/* --- words -------------------------------------------------------------------------------------------------------- */

START_TEST(wrong_words)
{
	static const struct {
		const char *policy, *message;
	} cases[] = {
		{"compose:back=eagre",
	         "policy 'compose': back=eagre: unknown policy 'eagre' (did you mean 'eager'?): expected one of "},
		{"compose:back=dmda\\:bate=1",
	         "policy 'compose': back=dmda:bate=1: policy 'dmda': unknown parameter 'bate' (did you mean 'beta'?)"},
		{"compose:back=:window=1", "policy 'compose': tw_child_create: parameter 'back': expected one of type "
	                                   "TW_PARAM_POLICY that names a policy"},
		{"compose:back=\\:x", "policy 'compose': back=:x: ':x': expected a name, as in NAME:KEY=VALUE"},
		{"compose:window=-1", "policy 'compose': window=-1: expected an integer from 0 to 1000000000"},
		{"compose:window=x", "policy 'compose': window=x: expected an integer from 0 to 1000000000"},
		{"compose:back=compose\\:back=compose\\\\:back=compose\\\\\\:back=compose",
	         "policy 'compose': back=compose:back=compose\\:back=compose\\\\:back=compose: policy 'compose': "},
		{"compose:back=./none.so", "policy 'compose': back=./none.so: policy './none.so': "},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		make(&w);
		struct outcome o = world_run(&w, &(struct setting){.policy = cases[i].policy});
		ck_assert_msg(strncmp(o.err.message, cases[i].message, strlen(cases[i].message)) == 0, "%s: %s",
		              cases[i].policy, o.err.message);
		ck_assert_int_lt(o.status, 0);
		world_finish(&w);
	}
}
END_TEST

START_TEST(an_eviction_policy_that_needs_plans)
{
	static const char *const policies[] = {"compose:back=eager", "compose:front=heft:back=eager",
	                                       "compose:back=heft"};
	for (int i = 0; i < 3; i++) {
		struct world w;
		make(&w);
		world_must_run(&w, &(struct setting){.policy = policies[i], .eviction = "belady"}, policies[i]);
		world_finish(&w);
	}
}
END_TEST

/* --- children that do wrong --------------------------------------------------------------------------------------- */

static void push_and_wake(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)state, (void)t, (void)w;
	tw_wake(s, TW_ALL);
}

static tw_task pop_seven(struct tw_sched *s, void *state, tw_worker w)
{
	(void)s, (void)state, (void)w;
	return 7;
}

static tw_task pop_first(struct tw_sched *s, void *state, tw_worker w)
{
	(void)s, (void)state, (void)w;
	return 0;
}

static tw_task pop_none(struct tw_sched *s, void *state, tw_worker w)
{
	(void)s, (void)state, (void)w;
	return TW_NONE;
}

/* Gives any task that it has to any worker. */
static tw_task pop_third(struct tw_sched *s, void *state, tw_worker w)
{
	(void)state;
	return tw_worker_is_accelerator(s, w) ? TW_NONE : 2;
}

static int init_silent(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)s, (void)state, (void)err;
	return TW_INVALID;
}

static int init_says(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)s, (void)state;
	return tw_fail(err, TW_INVALID, "no luck");
}

static void push_aborts(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)state, (void)t, (void)w;
	tw_abort_run(s, "had enough");
}

START_TEST(children_that_do_wrong)
{
#define CHILD(...) \
	(const struct tw_policy) { .abi = TW_POLICY_ABI, .name = "bad", __VA_ARGS__ }
	const struct {
		struct tw_policy child;
		int status;
		const char *message;
	} cases[] = {
		{CHILD(.push = push_and_wake, .pop = pop_seven), TW_FAILED,
	         "policy 'bad', child 'back' of policy 'compose' gives task 7, which it does not have"},
		{CHILD(.push = push_and_wake, .pop = pop_first), TW_FAILED,
	         "policy 'bad', child 'back' of policy 'compose' gives task 0, which it does not have"},
		{CHILD(.push = push_and_wake, .pop = pop_third), TW_FAILED,
	         "policy 'bad', child 'back' of policy 'compose' gives task 2 (b) to worker 'C.0', for which its "
	         "kernel has no time"},
		{CHILD(.push = push_and_wake, .pop = pop_none), TW_FAILED,
	         "at 0.000000000 s: policy 'bad', child 'back' of policy 'compose' keeps 3 ready tasks back while all "
	         "4 workers sleep (0 of 3 tasks done): the last push was at 0.000000000 s, since then pop was called "
	         "4 times and gave none: it must give them, or call tw_wake once it would. Task 0 (a), the first of "
	         "them, can run on 4 workers"},
		{CHILD(.push = push_and_wake, .pop = pop_first, .init = init_silent), TW_INVALID,
	         "policy 'bad', child 'back' of policy 'compose': init failed and does not say why"},
		{CHILD(.push = push_and_wake, .pop = pop_first, .init = init_says), TW_INVALID,
	         "policy 'bad', child 'back' of policy 'compose': no luck"},
		{CHILD(.push = push_aborts, .pop = pop_first), TW_FAILED,
	         "policy 'bad', child 'back' of policy 'compose' or eviction 'lru': had enough"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		must_fail(&(struct setting){.policy = "compose", .own_child = &cases[i].child}, cases[i].status,
		          cases[i].message);
}
END_TEST

/* --- parents that do wrong ---------------------------------------------------------------------------------------- */

/* A parent with two children. The names of its parameters are those of compose. */
struct parent {
	struct tw_sched *one, *two;
	bool has_given; /* whether it gave a worker a task behind the child's back */
};

static int create(struct tw_sched **child, struct tw_sched *s, struct tw_child wanted, struct tw_error *err)
{
	return tw_child_create(child, s, &wanted, err);
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct parent *p = state;
	int status = create(&p->one, s, (struct tw_child){.param = "front", .name = "one"}, err);
	return status < 0 ? status : create(&p->two, s, (struct tw_child){.param = "back", .name = "two"}, err);
}

static tw_task pop_one(struct tw_sched *s, void *state, tw_worker w)
{
	(void)s;
	return tw_child_pop(((struct parent *)state)->one, w);
}

static void push_twice(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)s;
	tw_child_push(((struct parent *)state)->one, t, w);
	tw_child_push(((struct parent *)state)->one, t, w);
}

static void push_to_both(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)s;
	tw_child_push(((struct parent *)state)->one, t, w);
	tw_child_push(((struct parent *)state)->two, t, w);
}

static void push_another(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)s;
	tw_child_push(((struct parent *)state)->one, t + 1, w);
}

static void push_number(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)s, (void)t;
	tw_child_push(((struct parent *)state)->one, 3, w);
}

static void push_worker(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)s, (void)w;
	tw_child_push(((struct parent *)state)->one, t, 4);
}

static void push_one(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)s;
	tw_child_push(((struct parent *)state)->one, t, w);
}

static void push_self(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)state;
	tw_child_push(s, t, w);
}

static void push_creates(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	struct tw_error err;
	(void)t, (void)w;
	create(&((struct parent *)state)->one, s, (struct tw_child){.param = "back"}, &err);
}

/* Gives a worker the first task, which the child has. */
static tw_task pop_both(struct tw_sched *s, void *state, tw_worker w)
{
	struct parent *p = state;
	if (p->has_given)
		return pop_one(s, state, w);
	p->has_given = true;
	return 0;
}

static tw_task pop_far(struct tw_sched *s, void *state, tw_worker w)
{
	(void)s, (void)w;
	return tw_child_pop(((struct parent *)state)->one, 4);
}

static int init_unknown(struct tw_sched *s, void *state, struct tw_error *err)
{
	return create(&((struct parent *)state)->one, s, (struct tw_child){.param = "window"}, err);
}

static int init_name(struct tw_sched *s, void *state, struct tw_error *err)
{
	return create(&((struct parent *)state)->one, s, (struct tw_child){.param = "back", .name = "a.b"}, err);
}

static int init_many(struct tw_sched *s, void *state, struct tw_error *err)
{
	int status = TW_OK;
	for (int i = 0; i <= TW_MOST_CHILDREN && status == TW_OK; i++)
		status = create(&((struct parent *)state)->one, s, (struct tw_child){.param = "back"}, err);
	return status;
}

/* Says that all is well, though the child is not there. */
static int init_careless(struct tw_sched *s, void *state, struct tw_error *err)
{
	init_unknown(s, state, err);
	return TW_OK;
}

static int init_some_tasks(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct tw_id_set *first = tw_run_alloc(s, 1, sizeof *first);
	*first = tw_run_id_set(s, 3);
	tw_id_set_put(first, 0, true);
	return create(&((struct parent *)state)->one, s, (struct tw_child){.param = "back", .tasks = first}, err);
}

static int init_cores(struct tw_sched *s, void *state, struct tw_error *err)
{
	const bool cores[] = {false, false, true, true};
	return create(&((struct parent *)state)->one, s, (struct tw_child){.param = "back", .workers = cores}, err);
}

START_TEST(parents_that_do_wrong)
{
#define PARENT(...)                                                                                      \
	(const struct tw_policy)                                                                         \
	{                                                                                                \
		.abi = TW_POLICY_ABI, .name = "parent", .state_size = sizeof(struct parent), __VA_ARGS__ \
	}
#define PARAM "expected one of type TW_PARAM_POLICY that names a policy"
	const struct {
		struct tw_policy parent;
		int status;
		const char *message;
	} cases[] = {
		{PARENT(.init = init, .push = push_twice, .pop = pop_one), TW_FAILED,
	         "policy 'prio', child 'one' of policy 'parent' is given task 0, which it has already"},
		{PARENT(.init = init, .push = push_to_both, .pop = pop_one), TW_FAILED,
	         "policy 'heft', child 'two' of policy 'parent' is given task 0, which another child has"},
		{PARENT(.init = init, .push = push_another, .pop = pop_one), TW_FAILED,
	         "policy 'prio', child 'one' of policy 'parent' is given task 1, which is not ready, or a "
	         "worker has it"},
		{PARENT(.init = init, .push = push_number, .pop = pop_one), TW_FAILED,
	         "policy 'parent' or eviction 'lru': tw_child_push: task 3: expected one from 0 to 2"},
		{PARENT(.init = init, .push = push_worker, .pop = pop_one), TW_FAILED,
	         "policy 'parent' or eviction 'lru': tw_child_push: worker 4: expected one from 0 to 3"},
		{PARENT(.init = init, .push = push_one, .pop = pop_far), TW_FAILED,
	         "policy 'parent' or eviction 'lru': tw_child_pop: worker 4: expected one from 0 to 3"},
		{PARENT(.init = init, .push = push_self, .pop = pop_one), TW_FAILED,
	         "policy 'parent' or eviction 'lru': tw_child_push: expected a child of the policy"},
		{PARENT(.init = init, .push = push_creates, .pop = pop_one), TW_FAILED,
	         "policy 'parent': tw_child_create: expected a call from the init of a policy"},
		{PARENT(.init = init, .push = push_one, .pop = pop_both), TW_FAILED,
	         "policy 'prio', child 'one' of policy 'parent' gives task 0, which its parent has given to a "
	         "worker before"},
		{PARENT(.init = init_unknown, .push = push_one, .pop = pop_one), TW_FAILED,
	         "policy 'parent': tw_child_create: parameter 'window': " PARAM},
		{PARENT(.init = init_careless, .push = push_one, .pop = pop_one), TW_FAILED,
	         "policy 'parent': tw_child_create: parameter 'window': " PARAM},
		{PARENT(.init = init_name, .push = push_one, .pop = pop_one), TW_FAILED,
	         "policy 'parent': tw_child_create: child 'a.b': expected a name with 1 to 15 letters, digits and '_'"},
		{PARENT(.init = init_many, .push = push_one, .pop = pop_one), TW_FAILED,
	         "policy 'parent': tw_child_create: expected at most 64 children"},
		{PARENT(.init = init_some_tasks, .push = push_one, .pop = pop_one), TW_FAILED,
	         "policy 'heft', child 'back' of policy 'parent' is given task 1, which is none of its tasks"},
		{PARENT(.init = init_cores, .push = push_one, .pop = pop_one), TW_INVALID,
	         "policy 'heft', child 'back' of policy 'parent': task 2 (b) has no time on any of its workers: "
	         "expected other workers, or a set of tasks without it"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		must_fail(&(struct setting){.policy = "compose", .own_policy = &cases[i].parent}, cases[i].status,
		          cases[i].message);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("compose refused");
	TCase *cases = tcase_create("compose refused");
	tcase_set_timeout(cases, 100);
	tcase_add_test(cases, wrong_words);
	tcase_add_test(cases, an_eviction_policy_that_needs_plans);
	tcase_add_test(cases, children_that_do_wrong);
	tcase_add_test(cases, parents_that_do_wrong);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
