/* Cancelled kernels: the effects on dates, handles and rooms, the validator's rules, and engines that cannot cancel. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

#include "exhaustive.h"
#include "random_world.h"
#include "trace/validate.h"

#define NODE                                                                                                \
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"           \
	"<platform version='4.1'><zone id='z' routing='Full'>"                                              \
	"<host id='C' speed='1Gf' core='2'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>" \
	"<host id='G' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"      \
	"<link id='p' bandwidth='1GBps' latency='0us' sharing_policy='SPLITDUPLEX'/>"                       \
	"<route src='RAM' dst='G'><link_ctn id='p' direction='DOWN'/></route></zone></platform>\n"

/* One core, one GPU; two independent tasks, each 10 ms on the core and 2 ms on the GPU. Each has a handle of 1 MB,
 * whose transfer to the GPU takes 1 ms. */
static void make(struct world *w, bool communication)
{
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, NODE,
	               &(struct tw__platform_choice){.cpus = 1, .gpus = 1, .no_communication = !communication});
	w->graph = tw_graph_create();
	for (int t = 0; t < 2; t++)
		tw_graph_submit(w->graph, tw_graph_kernel(w->graph, "work", "1", "s", 1), 0,
		                (struct tw_access[]){{tw_graph_data(w->graph, 1000000), TW_RW}}, 1);
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	bool gpu_first = w->platform->archs[0].accelerator;
	world_times(w, gpu_first ? (const double[]){2e-3, 10e-3} : (const double[]){10e-3, 2e-3});
}

/* The GPU is idle at 2 ms. It takes over the core's task, which ends at 4 ms instead of 10. With transfers, the first
 * task ends at 3 ms, and the second handle arrives at 4 ms. */
START_TEST(an_idle_fast_worker_takes_over)
{
	for (int communication = 0; communication < 2; communication++) {
		struct world w;
		make(&w, communication);
		struct tw__run_counters c =
			world_must_run(&w, &(struct setting){.policy = "heteroprio_types"}, "takes over").counters;
		ck_assert_double_eq_tol(tw__seconds(c.makespan), (communication ? 6e-3 : 4e-3), 1e-9);
		ck_assert_int_eq(c.gpu_tasks, 2);
		/* The core was busy until its task was taken over. */
		ck_assert_double_eq_tol(tw__seconds(c.busy), (communication ? 7e-3 : 6e-3), 1e-9);
		c = world_must_run(&w, &(struct setting){.policy = "heteroprio_types:spoliation=no"}, "does not")
		            .counters;
		ck_assert_double_eq_tol(tw__seconds(c.makespan), 10e-3, 1e-9);
		world_finish(&w);
	}
}
END_TEST

START_TEST(no_spoliated_schedule_beats_the_best)
{
	static const char *const policies[] = {"heteroprio_types", "heteroprio_types:score=area"};
	enum { N_GRAPHS = 40 };
	for (int p = 0; p < 2; p++) {
		double gap = 0;
		for (uint64_t seed = 1; seed <= N_GRAPHS; seed++) {
			struct world w;
			small_world(&w, seed);
			double best = shortest_makespan(&w);
			double excess = world_must_run(&w, &(struct setting){.policy = policies[p]}, "small")
			                                .counters.makespan /
			                        TW__NS_PER_S / best -
			                1;
			ck_assert_msg(excess > -1e-9, "seed %d: %s beats the best schedule by %g", (int)seed,
			              policies[p], -excess);
			gap += excess / N_GRAPHS;
			world_finish(&w);
		}
		printf("%s: over the best schedule of %d graphs by %.1f %% on average\n", policies[p], N_GRAPHS,
		       100 * gap);
	}
}
END_TEST

/* --- cancelling at random --------------------------------------------------------------------------------------- */

enum { MOST_CANCELS = 60 };

struct chaos {
	struct tw_task_queue ready;
	int n_cancels;
};

static int chaos_init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct chaos *c = state;
	tw_task_queue_init(&c->ready, s, tw_task_links_create(s));
	return tw_can_cancel(s) ? TW_OK : tw_fail(err, TW_INVALID, "cannot");
}

static void chaos_push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct chaos *c = state;
	(void)released_by;
	tw_task_queue_add(&c->ready, task, 0);
	tw_prefetch_task(s, task, tw_worker_node(s, (tw_worker)(tw_random(s) * tw_n_workers(s))));
	tw_wake(s, TW_ALL);
}

static tw_task chaos_pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct chaos *c = state;
	tw_worker other = (tw_worker)(tw_random(s) * tw_n_workers(s));
	double start;
	tw_task running = other == worker ? TW_NONE : tw_running_task(s, other, &start);
	if (running != TW_NONE && c->n_cancels < MOST_CANCELS && tw_random(s) < 0.5) {
		ck_assert(start <= tw_now(s));
		tw_task cancelled = tw_cancel(s, other);
		ck_assert(cancelled == running || cancelled == TW_NONE);
		if (cancelled != TW_NONE) {
			double later;
			ck_assert(tw_running_task(s, other, &later) != cancelled);
			c->n_cancels++;
			tw_task_queue_add(&c->ready, cancelled, 0);
			tw_wake(s, TW_ALL);
		}
	}
	tw_task task = tw_random(s) < 0.5 ? tw_task_queue_oldest_for(&c->ready, s, worker)
	                                  : tw_task_queue_newest_for(&c->ready, s, worker);
	if (task != TW_NONE)
		tw_task_queue_remove(&c->ready, task, 0);
	return task;
}

static const struct tw_policy chaos = {.abi = TW_POLICY_ABI,
                                       .name = "chaos",
                                       .summary = "cancels at random",
                                       .state_size = sizeof(struct chaos),
                                       .init = chaos_init,
                                       .push = chaos_push,
                                       .pop = chaos_pop};

/* On random nodes, with hardly enough memory, with and without reductions: each schedule is valid, and reproducible. */
START_TEST(cancelling_at_random_keeps_the_rules)
{
	static const char *const runtimes[] = {"ideal",
	                                       "starpu",
	                                       "starpu:gpu_pipeline=4:reclaim_blocks=no",
	                                       "ideal:gpu_pipeline=3:cpu_pipeline=2:prefetch_evicts=yes",
	                                       "starpu:order=random:eviction_waits=yes",
	                                       "starpu:window=10"};
	unsigned shape = (unsigned)_i;
	int n_cancelled = 0;
	for (uint64_t seed = 0; seed < 8; seed += (uint64_t)world_every()) {
		const char *runtime = runtimes[(seed + shape) % (sizeof runtimes / sizeof runtimes[0])];
		struct world w;
		random_world(&w, seed, shape, runtime);
		struct setting s = {.own_policy = &chaos, .runtime = runtime, .seed = seed, .keep_record = true};
		struct outcome o = world_must_run(&w, &s, "chaos");
		for (size_t i = 0; i < o.n_events; i++)
			n_cancelled += o.events[i].kind == TW__CANCEL;
		free(o.events);
		struct outcome again = world_must_run(&w, &s, "chaos, again");
		free(again.events);
		ck_assert_uint_eq(o.fingerprint, again.fingerprint);
		world_finish(&w);
	}
	ck_assert_int_gt(n_cancelled, 0);
}
END_TEST

/* --- the validator ---------------------------------------------------------------------------------------------- */

struct judged {
	struct tw__record record;
	struct tw__validation_input input;
	uint64_t capacity[8];
};

static struct tw__event *event(struct judged *j, enum tw__event_kind kind, int nth)
{
	for (size_t i = 0; i < j->record.n; i++)
		if (j->record.events[i].kind == kind && j->record.events[i].task == 1 && nth-- == 0)
			return &j->record.events[i];
	ck_abort_msg("no event of kind %d", kind);
	return NULL;
}

static void ran_too_long(struct judged *j)
{
	for (int a = 0; a < j->input.platform->n_archs; a++)
		if (!j->input.platform->archs[a].accelerator)
			j->input.times->mean[a] = 1.9e-3;
}
static void cancelled_twice(struct judged *j) { event(j, TW__ASSIGN, 1)->kind = TW__CANCEL; }
static void cancelled_elsewhere(struct judged *j) { event(j, TW__CANCEL, 0)->worker ^= 1; }
static void not_assigned_again(struct judged *j) { event(j, TW__ASSIGN, 1)->kind = TW__READY; }
static void ended_instead(struct judged *j) { event(j, TW__CANCEL, 0)->kind = TW__RELEASE; }
static void out_of_range(struct judged *j) { event(j, TW__CANCEL, 0)->task = 2; }
static void as_it_is(struct judged *j) { (void)j; }

static const struct {
	void (*change)(struct judged *);
	enum tw__rule broken;
	const char *says;
} changes[] = {
	{as_it_is, TW__N_RULES, ""},
	{ran_too_long, TW__RULE_DURATION, "duration: task 1 (work) is cancelled after 0.002000000 s on "},
	{cancelled_twice, TW__RULE_ONCE, "once: task 1 (work) is cancelled before"},
	{cancelled_elsewhere, TW__RULE_ONCE, "once: task 1 (work) is cancelled on "},
	{not_assigned_again, TW__RULE_ONCE, "once: task 1 (work) is ready a second time"},
	{ended_instead, TW__RULE_ONCE, "once: task 1 (work) is released before"},
	{out_of_range, TW__RULE_ONCE, "once: the event 'cancel' names task 2, which the run does not have"},
};

START_TEST(the_validator_knows_cancelled_kernels)
{
	struct world w;
	make(&w, false);
	struct outcome o = world_must_run(&w, &(struct setting){.policy = "heteroprio_types", .keep_record = true},
	                                  "to be judged");
	struct judged j = {.record = {.events = o.events, .n = o.n_events, .capacity = o.n_events, .makespan = 4000000},
	                   .input = {w.platform, w.graph, &w.times, j.capacity, {0}}};
	struct tw_error err = {""};
	enum tw__rule broken = TW__N_RULES;
	memset(j.capacity, 0xff, sizeof j.capacity);
	changes[_i].change(&j);
	int status = tw__validate(&j.input, &j.record, &broken, &err);
	ck_assert_int_eq(status, changes[_i].broken == TW__N_RULES ? TW_OK : TW_FAILED);
	ck_assert_msg(broken == changes[_i].broken &&
	                      strncmp(err.message, changes[_i].says, strlen(changes[_i].says)) == 0,
	              "%s", err.message);
	tw__record_finish(&j.record);
	world_finish(&w);
}
END_TEST

/* --- engines that cannot cancel ----------------------------------------------------------------------------------- */

START_TEST(an_engine_that_cannot_cancel_is_refused)
{
	struct tw__engine_ops engine = tw__engine_simgrid;
	struct world w;
	struct tw__plan plan = {0};
	struct tw__run_counters counters;
	struct tw_error err = {""};
	engine.name = "other";
	engine.caps &= ~(unsigned)TW__ENGINE_CANCELS;
	make(&w, false);
	ck_assert_int_eq(tw__find_policy(&plan.plugins, &(struct tw__request){.policy = "heteroprio_types"}, &err),
	                 TW_OK);
	ck_assert_int_eq(tw__find_eviction(&plan.plugins, &(struct tw__request){.eviction = "lru"}, &err), TW_OK);
	ck_assert_int_eq(tw__runtime_params_init(&plan.params, "ideal", w.platform, &err), TW_OK);
	struct tw__run_input in = {
		.platform = w.platform,
		.graph = w.graph,
		.truth = &w.times,
		.belief = &w.times,
		.domains = plan.plugins.domains,
		.n_domains = 1,
		.eviction = plan.plugins.eviction,
		.eviction_args = plan.plugins.eviction_args,
		.params = &plan.params,
		.engine = &engine,
	};
	ck_assert_int_eq(tw__run(&in, &counters, &err), TW_INVALID);
	ck_assert_str_eq(err.message,
	                 "policy 'heteroprio_types': spoliation cancels kernels, which this engine cannot: "
	                 "expected spoliation=no, or an engine that can, such as simgrid");
	tw__plan_finish(&plan);
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cancel");
	TCase *cases = tcase_create("cancel");
	tcase_set_timeout(cases, 120);
	tcase_add_test(cases, an_idle_fast_worker_takes_over);
	tcase_add_test(cases, no_spoliated_schedule_beats_the_best);
	tcase_add_loop_test(cases, cancelling_at_random_keeps_the_rules, 0, N_SHAPES);
	tcase_add_loop_test(cases, the_validator_knows_cancelled_kernels, 0, sizeof changes / sizeof changes[0]);
	tcase_add_test(cases, an_engine_that_cannot_cancel_is_refused);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
