/* Small runs whose outcome can be told beforehand: dates, bytes, errors, and the same bytes each time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

#define LINES(body)                                                                               \
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n" \
	"<platform version='4.1'><zone id='z' routing='Full'>" body "</zone></platform>\n"
#define CPU "<host id='C' speed='1Gf' core='4'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
#define GPU(n)                                                                                              \
	"<host id='G" n "' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>" \
	"<link id='p" n "' bandwidth='1GBps' latency='10us' sharing_policy='SPLITDUPLEX'/>"                 \
	"<route src='RAM' dst='G" n "'><link_ctn id='p" n "' direction='DOWN'/></route>"

static const char two_gpus[] = LINES(CPU GPU("0") GPU("1"));
enum { MB = 1000000 };

/* GPUs alone; the kernel "work" takes 1 ms there. */
static void make(struct world *w, int gpus, uint64_t gpu_mem_bytes, const uint64_t *bytes, int n_data)
{
	*w = (struct world){0};
	world_platform(w, two_gpus,
	               &(struct tw__platform_choice){.cpus = 0, .gpus = gpus, .gpu_mem_bytes = gpu_mem_bytes});
	w->graph = tw_graph_create();
	for (int d = 0; d < n_data; d++)
		tw_graph_data(w->graph, bytes[d]);
	tw_graph_kernel(w->graph, "work", "1", "s", 1);
}

#define TASK(w, ...)                                                         \
	tw_graph_submit((w)->graph, 0, 0, (struct tw_access[]){__VA_ARGS__}, \
	                (int)(sizeof(struct tw_access[]){__VA_ARGS__} / sizeof(struct tw_access)))

static void ready(struct world *w)
{
	struct tw_error err = {""};
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (const double[]){1e-3, 1e-3});
}

/* --- dates and bytes -------------------------------------------------------------------------------------------- */

START_TEST(scratch_takes_room_and_no_time)
{
	const uint64_t bytes[] = {2 * MB, 3 * MB};
	struct world w;
	make(&w, 1, 5 * MB, bytes, 2);
	for (int t = 0; t < 3; t++)
		TASK(&w, {0, TW_R}, {1, TW_SCRATCH});
	ready(&w);
	struct tw__run_counters c = world_must_run(&w, &(struct setting){0}, "scratch").counters;
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 10e-6 + 2e-3 + 3 * 1e-3, 1e-9);
	ck_assert_uint_eq(c.transferred_bytes, 2 * MB);
	ck_assert(world_fits(&w, "ideal"));
	world_finish(&w);
	make(&w, 1, 5 * MB - 1, bytes, 2);
	TASK(&w, {0, TW_R}, {1, TW_SCRATCH});
	ready(&w);
	ck_assert(!world_fits(&w, "ideal"));
	world_finish(&w);
}
END_TEST

/* Two GPUs, 4 tasks of 1 ms that add to 1 MB; an appended task takes the one accumulator into the other, which crosses
 * main memory in two hops of 1.01 ms; the next takes that into the data, which comes from main memory meanwhile. */
START_TEST(accumulators_are_combined_when_all_have_ended)
{
	struct world w;
	struct tw_error err = {""};
	make(&w, 2, 0, (const uint64_t[]){MB}, 1);
	tw_graph_kernel(w.graph, "add", "1", "s", 1);
	tw_graph_reduction(w.graph, 0, 1);
	for (int t = 0; t < 4; t++)
		TASK(&w, {0, TW_REDUX});
	ck_assert_msg(tw_graph_finish(w.graph, &err) == TW_OK, "%s", err.message);
	world_times(&w, (const double[]){1e-3, 0.25e-3});
	struct tw__run_counters c = world_must_run(&w, &(struct setting){0}, "reduction").counters;
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 2e-3 + 2 * 1.01e-3 + 0.25e-3 + 1.01e-3 + 0.25e-3, 1e-9);
	ck_assert_int_eq(c.tasks, 6);
	ck_assert_int_eq(c.transfers, 3);
	world_finish(&w);
}
END_TEST

/* Accumulators are data, of which there are 2^27 at most: 33,546 for each of 4,000 workers, and the data themselves. */
START_TEST(more_accumulators_than_there_can_be_are_refused)
{
	static const char many_cores[] =
		LINES("<host id='C' speed='1Gf' core='4000'><prop id='arch' value='cpu'/></host>"
	              "<host id='RAM' speed='1f'/>");
	for (int too_many = 0; too_many < 2; too_many++) {
		struct world w = {0};
		struct tw_error err = {""};
		world_platform(&w, many_cores, &(struct tw__platform_choice){.cpus = 4000});
		w.graph = tw_graph_create();
		tw_graph_kernel(w.graph, "work", "1", "s", 1);
		for (tw_data d = 0; d < 33546 + too_many; d++) {
			tw_graph_reduction(w.graph, tw_graph_data(w.graph, 1), 0);
			TASK(&w, {d, TW_REDUX});
		}
		ck_assert_msg(tw_graph_finish(w.graph, &err) == TW_OK, "%s", err.message);
		world_times(&w, (const double[]){1e-3});
		ck_assert(world_fits(&w, "ideal") == !too_many);
		if (too_many) {
			struct outcome o = world_run(&w, &(struct setting){0});
			ck_assert_int_eq(o.status, TW_INVALID);
			ck_assert_str_eq(
				o.err.message,
				"reductions of 33547 data on 4000 workers: up to 134188000 accumulators beside "
				"33547 data, expected at most 134217728 in all");
		}
		world_finish(&w);
	}
}
END_TEST

START_TEST(what_is_read_is_fetched_and_what_is_only_written_is_not)
{
	struct world w;
	make(&w, 1, 0, (const uint64_t[]){2 * MB, 3 * MB, 5 * MB}, 3);
	TASK(&w, {0, TW_R}, {1, TW_RW}, {2, TW_W});
	ready(&w);
	struct tw__run_counters c = world_must_run(&w, &(struct setting){0}, "one task").counters;
	/* One transfer at a time: the written data first. */
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 2 * 10e-6 + 5e-3 + 1e-3, 1e-9);
	ck_assert_int_eq(c.transfers, 2);
	ck_assert_uint_eq(c.transferred_bytes, 5 * MB);
	ck_assert_uint_eq(c.h2d_bytes, 5 * MB);
	ck_assert_uint_eq(c.d2h_bytes + c.p2p_bytes, 0);
	ck_assert_int_eq(c.loads, 2);
	ck_assert_int_eq(c.evictions + c.writebacks, 0);
	ck_assert_int_eq(c.gpu_tasks, 1);
	ck_assert_double_eq_tol(tw__seconds(c.busy), 1e-3, 1e-9);
	world_finish(&w);
}
END_TEST

/* Two data of 4 MB fit; the third throws out the first, which was changed and goes home first. */
START_TEST(evictions_write_back_what_was_changed)
{
	struct world w;
	make(&w, 1, 8 * MB, (const uint64_t[]){4 * MB, 4 * MB, 4 * MB}, 3);
	TASK(&w, {0, TW_RW});
	TASK(&w, {0, TW_R}, {1, TW_RW});
	TASK(&w, {1, TW_R}, {2, TW_R});
	ready(&w);
	struct tw__run_counters c =
		world_must_run(&w, &(struct setting){.runtime = "ideal:gpu_pipeline=1"}, "three").counters;
	ck_assert_int_eq(c.transfers, 4);
	ck_assert_int_eq(c.loads, 3);
	ck_assert_int_eq(c.writebacks, 1);
	ck_assert_int_eq(c.evictions, 1);
	ck_assert_uint_eq(c.h2d_bytes, 12 * MB);
	ck_assert_uint_eq(c.d2h_bytes, 4 * MB);
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 4 * (10e-6 + 4e-3) + 3e-3, 1e-9);
	world_finish(&w);
}
END_TEST

START_TEST(clean_data_leave_without_a_transfer)
{
	struct world w;
	make(&w, 1, 8 * MB, (const uint64_t[]){4 * MB, 4 * MB, 4 * MB}, 3);
	TASK(&w, {0, TW_R});
	TASK(&w, {0, TW_R}, {1, TW_R});
	TASK(&w, {1, TW_R}, {2, TW_R});
	ready(&w);
	struct tw__run_counters c =
		world_must_run(&w, &(struct setting){.runtime = "ideal:gpu_pipeline=1"}, "three").counters;
	ck_assert_int_eq(c.transfers, 3);
	ck_assert_int_eq(c.writebacks, 0);
	ck_assert_int_eq(c.evictions, 1);
	world_finish(&w);
}
END_TEST

/* A GPU fetches what the other one has written: two hops through main memory. */
START_TEST(gpus_without_a_route_exchange_through_main_memory)
{
	struct world w;
	make(&w, 2, 0, (const uint64_t[]){4 * MB, 4 * MB}, 2);
	TASK(&w, {0, TW_W});
	TASK(&w, {1, TW_W});
	TASK(&w, {0, TW_R}, {1, TW_R});
	ready(&w);
	struct tw__run_counters c =
		world_must_run(&w, &(struct setting){.runtime = "ideal:gpu_pipeline=1"}, "two GPUs").counters;
	ck_assert_int_eq(c.transfers, 2);
	ck_assert_uint_eq(c.d2h_bytes, 4 * MB);
	ck_assert_uint_eq(c.h2d_bytes, 4 * MB);
	ck_assert_uint_eq(c.p2p_bytes, 0);
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 1e-3 + 2 * (10e-6 + 4e-3) + 1e-3, 1e-9);
	world_finish(&w);
}
END_TEST

/* --- the same each time ----------------------------------------------------------------------------------------- */

START_TEST(two_runs_are_equal_byte_for_byte)
{
	static const char *const runtimes[] = {"ideal", "starpu", "starpu:order=random"};
	struct world w = {0};
	world_mirage(&w, 4, 3, 80000000, "cholesky:nt=8");
	for (int p = 0; tw__policies[p]; p++)
		for (int r = 0; r < 3; r++) {
			struct setting s = {.policy = tw__policies[p]->name,
			                    .runtime = runtimes[r],
			                    .seed = 3,
			                    .keep_record = true};
			struct outcome a = world_must_run(&w, &s, "once"), b = world_must_run(&w, &s, "again");
			ck_assert_uint_gt(a.n_events, 1000);
			ck_assert_uint_eq(a.n_events, b.n_events);
			ck_assert_mem_eq(a.events, b.events, a.n_events * sizeof *a.events);
			ck_assert_mem_eq(&a.counters, &b.counters, sizeof a.counters);
			free(a.events);
			free(b.events);
			s.keep_record = false;
			bool differs = r != 2 || strcmp(s.policy, "static") == 0; /* never asks who is first */
			while (!differs && ++s.seed < 20)
				differs = world_must_run(&w, &s, "another seed").fingerprint != a.fingerprint;
			ck_assert_msg(differs, "%s: every seed gives the same", s.policy);
		}
	world_finish(&w);
}
END_TEST

/* --- errors ----------------------------------------------------------------------------------------------------- */

static void fails(const struct world *w, struct setting s, int status, const char *part, const char *other)
{
	struct outcome o = world_run(w, &s);
	ck_assert(!o.ran);
	ck_assert_msg(o.status == status, "status %d: %s", o.status, o.err.message);
	ck_assert_msg(strstr(o.err.message, part) && strstr(o.err.message, other), "'%s': expected '%s' and '%s'",
	              o.err.message, part, other);
}

START_TEST(a_task_that_never_fits_is_refused)
{
	struct world w;
	make(&w, 1, 8 * MB, (const uint64_t[]){4 * MB, 4 * MB, 1}, 3);
	TASK(&w, {0, TW_R}, {1, TW_R});
	TASK(&w, {0, TW_R}, {1, TW_W}, {2, TW_R});
	ready(&w);
	ck_assert(!world_fits(&w, "ideal"));
	fails(&w, (struct setting){0}, TW_INVALID, "task 1 (work) needs 8000001 bytes", "8000000 usable");
	world_finish(&w);
}
END_TEST

static void push_nothing(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)s, (void)state, (void)t, (void)w;
}

static tw_task pop_nothing(struct tw_sched *s, void *state, tw_worker w)
{
	(void)s, (void)state, (void)w;
	return TW_NONE;
}

/* Ten tasks that read one data, all pushed at once, the later the more urgent. */
START_TEST(of_the_deque_models_only_dmdas_sorts_by_priority)
{
	static const char *const policies[] = {"dm", "dmda", "dmdar", "dmdas"};
	enum { N = 10 };
	struct world w;
	make(&w, 1, 0, (const uint64_t[]){MB}, 1);
	for (int t = 0; t < N; t++)
		tw_graph_submit(w.graph, 0, t, &(struct tw_access){0, TW_R}, 1);
	tw_graph_set_priority_scope(w.graph, TW_PRIORITY_FOR_ALL);
	ready(&w);
	for (int p = 0; p < 4; p++) {
		struct outcome o =
			world_must_run(&w, &(struct setting){.policy = policies[p], .keep_record = true}, policies[p]);
		tw_task last = TW_NONE;
		for (size_t e = 0; e < o.n_events; e++)
			last = o.events[e].kind == TW__START ? o.events[e].task : last;
		ck_assert_msg(last == (p < 3 ? N - 1 : 0), "%s starts task %d last", policies[p], (int)last);
		free(o.events);
	}
	world_finish(&w);
}
END_TEST

/* Runs are processes of their own: what they see they must judge themselves. */
static int32_t expected_priority;
static tw_task pushed = TW_NONE;

static void push_and_look(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)state, (void)w;
	if (tw_task_priority(s, t) != expected_priority)
		tw_abort_run(s, "not the priority expected");
	pushed = t;
	tw_wake(s, TW_ALL);
}

static tw_task pop_pushed(struct tw_sched *s, void *state, tw_worker w)
{
	tw_task t = pushed;
	(void)s, (void)state, (void)w;
	pushed = TW_NONE;
	return t;
}

/* One task of priority 7, marked as critical: by scope, and by flag. */
START_TEST(policies_see_the_priorities_of_their_scope)
{
	static const struct {
		enum tw_priority_scope scope;
		int32_t without, sorts, sees_critical;
	} rows[] = {
		{TW_PRIORITY_FOR_SORTING, 0, 7, 1}, {TW_PRIORITY_FOR_LOOKING, 0, 7, 7}, {TW_PRIORITY_FOR_ALL, 7, 7, 7}};
	struct tw_policy policy = {.abi = TW_POLICY_ABI, .name = "looks", .push = push_and_look, .pop = pop_pushed};
	struct world w;
	make(&w, 1, 0, (const uint64_t[]){MB}, 1);
	tw_graph_submit(w.graph, 0, 7, &(struct tw_access){0, TW_R}, 1);
	tw_graph_mark_critical(w.graph, 0);
	ready(&w);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		tw_graph_set_priority_scope(w.graph, rows[i].scope);
		policy.flags = 0;
		expected_priority = rows[i].without;
		world_must_run(&w, &(struct setting){.own_policy = &policy}, "no flag");
		policy.flags = TW_SORTS_BY_PRIORITY;
		expected_priority = rows[i].sorts;
		world_must_run(&w, &(struct setting){.own_policy = &policy}, "sorts");
		policy.flags = TW_SEES_CRITICAL;
		expected_priority = rows[i].sees_critical;
		world_must_run(&w, &(struct setting){.own_policy = &policy}, "sees what is critical");
	}
	world_finish(&w);
}
END_TEST

START_TEST(a_policy_that_keeps_a_task_back_is_told)
{
	static const struct tw_policy miser = {
		.abi = TW_POLICY_ABI, .name = "miser", .push = push_nothing, .pop = pop_nothing};
	struct world w;
	make(&w, 1, 0, (const uint64_t[]){MB}, 1);
	TASK(&w, {0, TW_R});
	TASK(&w, {0, TW_R});
	ready(&w);
	fails(&w, (struct setting){.own_policy = &miser}, TW_FAILED, "policy 'miser' keeps 2 ready tasks back",
	      "0 of 2 tasks done");
	fails(&w, (struct setting){.own_policy = &miser, .runtime = "starpu"}, TW_FAILED, "miser", "back");
	world_finish(&w);
}
END_TEST

static void push_and_stop(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	(void)state, (void)t, (void)w;
	tw_abort_run(s, "had enough");
}

START_TEST(a_policy_can_end_the_run)
{
	static const struct tw_policy tired = {
		.abi = TW_POLICY_ABI, .name = "tired", .push = push_and_stop, .pop = pop_nothing};
	struct world w;
	make(&w, 1, 0, (const uint64_t[]){MB}, 1);
	TASK(&w, {0, TW_R});
	ready(&w);
	fails(&w, (struct setting){.own_policy = &tired}, TW_FAILED, "policy 'tired'", "had enough");
	world_finish(&w);
}
END_TEST

static void note(struct tw_sched *s, void *state, tw_data d, tw_node n) { (void)s, (void)state, (void)d, (void)n; }

/* The first data that must stay. */
static tw_data a_wrong_one(struct tw_sched *s, void *state, tw_node n, const struct tw_victim_query *query)
{
	(void)state, (void)n;
	for (tw_data d = 0; d < tw_graph_n_data(tw_sched_graph(s)); d++)
		if (!tw_may_evict(query, d))
			return d;
	return TW_NONE;
}

START_TEST(an_eviction_policy_that_names_pinned_data_is_told)
{
	static const struct tw_eviction rude = {.name = "rude", .loaded = note, .evicted = note, .victim = a_wrong_one};
	struct world w;
	make(&w, 1, 8 * MB, (const uint64_t[]){4 * MB, 4 * MB, 4 * MB}, 3);
	TASK(&w, {0, TW_R});
	TASK(&w, {1, TW_R});
	TASK(&w, {1, TW_R}, {2, TW_R});
	ready(&w);
	fails(&w, (struct setting){.own_eviction = &rude}, TW_FAILED, "eviction policy 'rude' named data",
	      "must not leave");
	world_finish(&w);
}
END_TEST

/* Room cannot be made, though some could: the run ends and says who waits for it. */
static tw_data none(struct tw_sched *s, void *state, tw_node n, const struct tw_victim_query *query)
{
	(void)s, (void)state, (void)n, (void)query;
	return TW_NONE;
}

START_TEST(an_eviction_policy_that_names_nothing_does_not_hang)
{
	static const struct tw_eviction shy = {.name = "shy", .loaded = note, .evicted = note, .victim = none};
	struct world w;
	make(&w, 1, 8 * MB, (const uint64_t[]){4 * MB, 4 * MB, 4 * MB}, 3);
	TASK(&w, {0, TW_R});
	TASK(&w, {1, TW_R});
	TASK(&w, {2, TW_R});
	ready(&w);
	struct outcome o = world_run(&w, &(struct setting){.own_eviction = &shy});
	ck_assert_msg(o.status == TW_OK || strstr(o.err.message, "waits for room"), "%s", o.err.message);
	world_finish(&w);
}
END_TEST

START_TEST(kernels_without_a_time_are_left_to_others)
{
	struct world w = {0};
	world_platform(&w, two_gpus, &(struct tw__platform_choice){.cpus = 2, .gpus = 2});
	w.graph = tw_graph_create();
	struct tw_error err = {""};
	tw_graph_kernel(w.graph, "on_cpu", "1", "s", 1);
	tw_graph_kernel(w.graph, "on_gpu", "1", "s", 1);
	for (int t = 0; t < 40; t++)
		tw_graph_submit(w.graph, (t / 3) % 2, 0, NULL, 0);
	ck_assert_int_eq(tw_graph_finish(w.graph, &err), TW_OK);
	/* Archs come in the order of the workers: accelerators first. */
	ck_assert_str_eq(w.platform->archs[w.platform->workers[0].arch].name, "gpu");
	double seconds[4];
	for (int k = 0; k < 2; k++)
		for (int a = 0; a < 2; a++)
			seconds[2 * k + a] = w.platform->archs[a].accelerator == (k == 1) ? 1e-3 : (double)NAN;
	world_times(&w, seconds);
	for (int p = 0; tw__policies[p]; p++)
		ck_assert_int_eq(world_must_run(&w, &(struct setting){.policy = tw__policies[p]->name}, "two kernels")
		                         .counters.gpu_tasks,
		                 19);
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("small runs");
	TCase *cases = tcase_create("small runs");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, scratch_takes_room_and_no_time);
	tcase_add_test(cases, accumulators_are_combined_when_all_have_ended);
	tcase_add_test(cases, more_accumulators_than_there_can_be_are_refused);
	tcase_add_test(cases, what_is_read_is_fetched_and_what_is_only_written_is_not);
	tcase_add_test(cases, evictions_write_back_what_was_changed);
	tcase_add_test(cases, clean_data_leave_without_a_transfer);
	tcase_add_test(cases, gpus_without_a_route_exchange_through_main_memory);
	tcase_add_test(cases, two_runs_are_equal_byte_for_byte);
	tcase_add_test(cases, a_task_that_never_fits_is_refused);
	tcase_add_test(cases, of_the_deque_models_only_dmdas_sorts_by_priority);
	tcase_add_test(cases, policies_see_the_priorities_of_their_scope);
	tcase_add_test(cases, a_policy_that_keeps_a_task_back_is_told);
	tcase_add_test(cases, a_policy_can_end_the_run);
	tcase_add_test(cases, an_eviction_policy_that_names_pinned_data_is_told);
	tcase_add_test(cases, an_eviction_policy_that_names_nothing_does_not_hang);
	tcase_add_test(cases, kernels_without_a_time_are_left_to_others);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
