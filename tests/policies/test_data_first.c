/* data_first on several GPUs, and its differences from darts (leave, few). Most are worked examples on two GPUs. The
 * first GPU has the slower link to main memory, or is itself slower. */
#include <math.h>
#include <stdlib.h>

#include "world.h"

/* A megabyte takes 1 ms to the second GPU. */
static const char two_gpus[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'><host id='RAM' speed='1f'/>"
	"<host id='F' speed='1Gf'><prop id='arch' value='%s'/><prop id='memory' value='1GB'/></host>"
	"<host id='N' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
	"<link id='f' bandwidth='%sBps' latency='0s' sharing_policy='SPLITDUPLEX'/>"
	"<link id='n' bandwidth='1GBps' latency='0s' sharing_policy='SPLITDUPLEX'/>"
	"%s<route src='RAM' dst='F'><link_ctn id='f' direction='DOWN'/></route>"
	"<route src='RAM' dst='N'><link_ctn id='n' direction='DOWN'/></route></zone></platform>\n";

enum { FAR, NEAR };
enum { MAX_TASKS = 100 };

static void begin_on(struct world *w, int gpus, int cpus, const char *far_arch, const char *far_bandwidth)
{
	char xml[sizeof two_gpus + 100];
	snprintf(xml, sizeof xml, two_gpus, far_arch, far_bandwidth,
	         cpus ? "<host id='C' speed='1Gf' core='3'><prop id='arch' value='core'/></host>" : "");
	*w = (struct world){0};
	world_platform(w, xml, &(struct tw__platform_choice){.cpus = cpus, .gpus = gpus});
	w->graph = tw_graph_create();
	tw_graph_kernel(w->graph, "one", "1", "s", 1);
}

static void begin_archs(struct world *w, const char *far_arch, const char *far_bandwidth, int cpus)
{
	begin_on(w, 2, cpus, far_arch, far_bandwidth);
}

/* Equal GPUs, with tasks of 1 ms. */
static void begin(struct world *w, const char *far_bandwidth) { begin_archs(w, "gpu", far_bandwidth, 0); }

/* Seconds of each kernel on each arch. */
static void end_with(struct world *w, const double *seconds)
{
	struct tw_error err = {""};
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, seconds);
}

static void end(struct world *w) { end_with(w, (const double[]){1e-3, 1e-3}); }

/* Submits a task that reads a megabyte of its own. */
static void submit_single(struct world *w, tw_kernel kernel)
{
	tw_data d = tw_graph_data(w->graph, 1000000);
	tw_graph_submit(w->graph, kernel, 0, &(struct tw_access){d, TW_R}, 1);
}

struct taken {
	int n, n_on[24];
	tw_task first;
	double end_s;
	uint64_t bytes; /* transferred */
};

static struct taken take_under(const struct world *w, const char *policy, const char *runtime)
{
	struct taken taken = {.first = TW_NONE};
	struct outcome o = world_must_run(
		w, &(struct setting){.policy = policy, .eviction = "darts", .runtime = runtime, .keep_record = true},
		policy);
	for (size_t i = 0; i < o.n_events; i++) {
		if (o.events[i].kind == TW__ASSIGN) {
			taken.first = taken.n++ ? taken.first : o.events[i].task;
			taken.n_on[o.events[i].worker]++;
		}
		taken.end_s = fmax(taken.end_s, tw__seconds(o.events[i].date));
	}
	free(o.events);
	taken.bytes = o.counters.transferred_bytes;
	return taken;
}

static struct taken take(const struct world *w, const char *policy) { return take_under(w, policy, NULL); }

/* Each task reads a megabyte of its own, which reaches the far GPU in 10 ms. */
static struct taken take_single(int n_tasks, const char *policy)
{
	struct world w;
	begin(&w, "100M");
	for (int t = 0; t < n_tasks; t++)
		submit_single(&w, 0);
	end(&w);
	struct taken taken = take(&w, policy);
	ck_assert_int_eq(taken.n, n_tasks);
	world_finish(&w);
	return taken;
}

/* The near GPU, which asks later, ends nine tasks by 10 ms. The far one could only start its first task then. */
START_TEST(a_task_is_left_to_the_gpu_that_ends_it_sooner)
{
	ck_assert_int_eq(take_single(9, "data_first").n_on[FAR], 0);
	ck_assert_int_eq(take_single(9, "data_first:few=0").n_on[FAR], 0);
	ck_assert_int_gt(take_single(9, "data_first:leave=no").n_on[FAR], 0);
	ck_assert_int_gt(take_single(9, "data_first:leave=no:few=0").n_on[FAR], 0);
}
END_TEST

/* Alone, the near GPU would take 101 ms. The far one can end a task every 10 ms. */
START_TEST(none_is_left_where_there_is_enough_for_all)
{
	for (int i = 0; i < 2; i++) {
		struct taken taken = take_single(MAX_TASKS, i ? "data_first:few=1000" : "data_first");
		ck_assert_int_ge(taken.n_on[FAR], 5);
		ck_assert_double_le(taken.end_s, 0.096);
	}
}
END_TEST

/* X frees three tasks, Y one of a higher priority. An unused handle decides whether all data of the graph fit into
 * each memory. */
START_TEST(the_most_urgent_task_goes_first)
{
	static const struct {
		int gpus;
		const char *policy;
		uint64_t unused_bytes;
		tw_task first;
	} cases[] = {
		{2, "data_first", 2000000000, 3},       {2, "data_first:few=2", 2000000000, 3}, /* 4 tasks, 2 GPUs */
		{2, "data_first:few=1", 2000000000, 0}, {2, "data_first:few=0", 2000000000, 0},
		{2, "data_first:few=1", 900000000, 3},  {2, "data_first:few=0", 900000000, 0},
		{1, "data_first", 2000000000, 0},       {1, "data_first", 900000000, 3},
		{1, "data_first:few=0", 900000000, 0},
	};
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		struct world w;
		begin_on(&w, cases[c].gpus, 0, "gpu", "1G");
		tw_data x = tw_graph_data(w.graph, 1000000), y = tw_graph_data(w.graph, 1000000);
		tw_graph_data(w.graph, cases[c].unused_bytes);
		for (int t = 0; t < 4; t++)
			tw_graph_submit(w.graph, 0, t == 3, &(struct tw_access){t == 3 ? y : x, TW_R}, 1);
		end(&w);
		ck_assert_msg(take(&w, cases[c].policy).first == cases[c].first, "case %d", (int)c);
		world_finish(&w);
	}
}
END_TEST

/* Without priorities, tasks go by data even if all fit: Y frees two tasks. */
START_TEST(without_priorities_data_decide)
{
	struct world w;
	begin(&w, "1G");
	tw_data x = tw_graph_data(w.graph, 1000000), y = tw_graph_data(w.graph, 1000000);
	for (int t = 0; t < 3; t++)
		tw_graph_submit(w.graph, 0, 0, &(struct tw_access){t == 0 ? x : y, TW_R}, 1);
	end(&w);
	ck_assert_int_eq(take(&w, "data_first:few=1").first, 1);
	world_finish(&w);
}
END_TEST

/* The fast GPU is busy until 8.5 ms. It would end the task that is free on the slow GPU 1 ms later, and the slow one
 * at 11 ms. The slow GPU leaves the task twice: among the free tasks, and among the ready tasks. */
START_TEST(a_task_is_left_however_often_it_is_looked_at)
{
	static const char *const policies[] = {"data_first", "data_first:few=0", "data_first:leave=no"};
	for (int i = 0; i < 3; i++) {
		struct world w;
		begin_archs(&w, "slow", "1G", 0);
		tw_graph_kernel(w.graph, "work", "1", "s", 1);
		tw_graph_kernel(w.graph, "last", "1", "s", 1);
		tw_data x = tw_graph_data(w.graph, 1), y = tw_graph_data(w.graph, 1);
		tw_graph_submit(w.graph, 0, 0, &(struct tw_access){x, TW_W}, 1);
		tw_graph_submit(w.graph, 1, 0, &(struct tw_access){y, TW_R}, 1);
		tw_graph_submit(w.graph, 2, 0, &(struct tw_access){x, TW_R}, 1);
		/* seconds of the first kernel on both GPUs, of the second, of the third */
		end_with(&w, (const double[]){1e-3, NAN, NAN, 8.5e-3, 10e-3, 1e-3});
		ck_assert_int_eq(take(&w, policies[i]).n_on[FAR], i < 2 ? 1 : 2);
		world_finish(&w);
	}
}
END_TEST

/* Readers of X become ready on the GPU that has X. Most of them wait longer there than a transfer of X takes. They
 * stay, because the other GPU has its share of the other tasks to do first. */
START_TEST(what_is_free_stays_where_others_have_their_share_to_do)
{
	enum { READERS = 10, SINGLES = 40 };
	struct world w;
	begin(&w, "1G");
	tw_data x = tw_graph_data(w.graph, 1000000);
	tw_graph_submit(w.graph, 0, 0, &(struct tw_access){x, TW_W}, 1);
	for (int t = 0; t < READERS; t++)
		tw_graph_submit(w.graph, 0, 0, &(struct tw_access){x, TW_R}, 1);
	for (int t = 0; t < SINGLES; t++)
		submit_single(&w, 0);
	end(&w);
	struct taken taken = take(&w, "data_first:few=0");
	ck_assert_uint_eq(taken.bytes, SINGLES * 1000000);
	ck_assert_double_le(taken.end_s, 0.028);
	world_finish(&w);
}
END_TEST

/* With 24 GPUs, predictions assume that transfers are slowed down 48 times. Without a limit, the GPU that wrote X
 * would be predicted to end all 30 readers before another GPU has X. */
START_TEST(many_gpus_share_what_is_ready)
{
	enum { GPUS = 24, TASKS = 30 };
	char xml[16384];
	int n = snprintf(xml, sizeof xml,
	                 "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	                 "<platform version='4.1'><zone id='z' routing='Full'><host id='RAM' speed='1f'/>");
	for (int g = 0; g < GPUS; g++)
		n += snprintf(
			xml + n, sizeof xml - (size_t)n,
			"<host id='G%d' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
			"<link id='l%d' bandwidth='1GBps' latency='0s' sharing_policy='SPLITDUPLEX'/>",
			g, g);
	for (int g = 0; g < GPUS; g++)
		n += snprintf(xml + n, sizeof xml - (size_t)n,
		              "<route src='RAM' dst='G%d'><link_ctn id='l%d' direction='DOWN'/></route>", g, g);
	snprintf(xml + n, sizeof xml - (size_t)n, "</zone></platform>\n");
	struct world w = {0};
	world_platform(&w, xml, &(struct tw__platform_choice){.cpus = 0, .gpus = GPUS});
	w.graph = tw_graph_create();
	tw_graph_kernel(w.graph, "one", "1", "s", 1);
	tw_data x = tw_graph_data(w.graph, 300000);
	tw_graph_submit(w.graph, 0, 0, &(struct tw_access){x, TW_W}, 1);
	for (int t = 0; t < TASKS; t++)
		tw_graph_submit(w.graph, 0, 0, &(struct tw_access){x, TW_R}, 1);
	end_with(&w, (const double[]){1e-3});
	ck_assert_double_le(take_under(&w, "data_first", "starpu").end_s, 20e-3);
	world_finish(&w);
}
END_TEST

/* Both GPUs are woken for tasks. The first to ask takes one, and plans none ahead before the other has asked. */
START_TEST(none_plans_ahead_while_another_has_nothing)
{
	struct world w;
	begin(&w, "1G");
	for (int t = 0; t < 3; t++)
		submit_single(&w, 0);
	end(&w);
	struct taken taken = take(&w, "data_first:few=0:leave=no");
	ck_assert_int_gt(taken.n_on[FAR], 0);
	ck_assert_int_gt(taken.n_on[NEAR], 0);
	world_finish(&w);
}
END_TEST

/* A task on the core releases a task for which both GPUs wait. */
START_TEST(the_gpu_that_ends_a_task_first_is_told)
{
	struct world w;
	begin_archs(&w, "gpu", "100M", 1);
	tw_graph_kernel(w.graph, "core", "1", "s", 1);
	tw_data flag = tw_graph_data(w.graph, 8), d = tw_graph_data(w.graph, 1000000);
	tw_graph_submit(w.graph, 1, 0, &(struct tw_access){flag, TW_W}, 1);
	tw_graph_submit(w.graph, 0, 0, (struct tw_access[]){{flag, TW_R}, {d, TW_R}}, 2);
	end_with(&w, (const double[]){1e-3, NAN, NAN, 1e-3});
	ck_assert_int_eq(take(&w, "data_first:leave=no").n_on[NEAR], 1);
	world_finish(&w);
}
END_TEST

/* The slow GPU writes X. It would take 50 ms for each reader, the other GPU 1 ms once it has X. */
START_TEST(what_is_free_on_a_slow_gpu_is_left)
{
	struct world w;
	begin_archs(&w, "slow", "1G", 0);
	tw_graph_kernel(w.graph, "source", "1", "s", 1);
	tw_data x = tw_graph_data(w.graph, 1000000);
	tw_graph_submit(w.graph, 1, 0, &(struct tw_access){x, TW_W}, 1);
	for (int t = 0; t < 4; t++)
		tw_graph_submit(w.graph, 0, 0, &(struct tw_access){x, TW_R}, 1);
	end_with(&w, (const double[]){50e-3, 1e-3, 1e-3, NAN});
	ck_assert_int_eq(take(&w, "data_first").n_on[FAR], 1);
	ck_assert_int_eq(take(&w, "data_first:few=0").n_on[FAR], 1);
	ck_assert_int_gt(take(&w, "data_first:leave=no").n_on[FAR], 1);
	world_finish(&w);
}
END_TEST

/* Tasks of one kernel take 1 ms on both GPUs. Tasks of the other kernel take 40 ms on the first GPU, which should
 * take the former. */
START_TEST(a_gpu_takes_what_it_is_not_slow_at)
{
	enum { N = 200 };
	for (int i = 0; i < 2; i++) { /* one kernel after the other, or alternating */
		struct world w;
		begin_archs(&w, "slow", "1G", 0);
		tw_graph_kernel(w.graph, "other", "1", "s", 1);
		for (int t = 0; t < N; t++)
			submit_single(&w, i ? t % 2 : t >= N / 2);
		end_with(&w, (const double[]){40e-3, 1e-3, 1e-3, 1e-3});
		struct taken taken = take(&w, "data_first");
		ck_assert_int_ge(taken.n_on[FAR], N / 2 - 5);
		ck_assert_double_le(taken.end_s, 0.106);
		world_finish(&w);
	}
}
END_TEST

/* The far GPU is woken for the second task, and leaves it to the near one. Then the core is woken, which could end it
 * as soon. */
START_TEST(a_core_is_told_of_what_a_gpu_leaves)
{
	struct world w;
	begin_archs(&w, "gpu", "1M", 1);
	for (int t = 0; t < 2; t++)
		submit_single(&w, 0);
	end(&w);
	struct taken taken = take(&w, "data_first");
	ck_assert_int_eq(taken.n_on[FAR], 0);
	ck_assert_int_gt(taken.n_on[NEAR], 0);
	ck_assert_int_gt(taken.n_on[2], 0);
	world_finish(&w);
}
END_TEST

/* A source writes X, and all other tasks read only X. They do not all stay on the GPU where they are free. */
START_TEST(free_tasks_are_shared)
{
	struct world w;
	begin(&w, "1G");
	tw_data x = tw_graph_data(w.graph, 1000000);
	tw_graph_submit(w.graph, 0, 0, &(struct tw_access){x, TW_W}, 1);
	for (int t = 1; t < MAX_TASKS; t++)
		tw_graph_submit(w.graph, 0, 0, &(struct tw_access){x, TW_R}, 1);
	end(&w);
	struct taken shared = take(&w, "data_first"), kept = take(&w, "data_first:leave=no");
	ck_assert_int_ge(shared.n_on[FAR], 45);
	ck_assert_int_ge(shared.n_on[NEAR], 45);
	ck_assert(kept.n_on[FAR] == MAX_TASKS || kept.n_on[NEAR] == MAX_TASKS);
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("data_first");
	TCase *cases = tcase_create("data_first");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, a_task_is_left_to_the_gpu_that_ends_it_sooner);
	tcase_add_test(cases, none_is_left_where_there_is_enough_for_all);
	tcase_add_test(cases, the_most_urgent_task_goes_first);
	tcase_add_test(cases, without_priorities_data_decide);
	tcase_add_test(cases, a_task_is_left_however_often_it_is_looked_at);
	tcase_add_test(cases, what_is_free_stays_where_others_have_their_share_to_do);
	tcase_add_test(cases, many_gpus_share_what_is_ready);
	tcase_add_test(cases, none_plans_ahead_while_another_has_nothing);
	tcase_add_test(cases, the_gpu_that_ends_a_task_first_is_told);
	tcase_add_test(cases, what_is_free_on_a_slow_gpu_is_left);
	tcase_add_test(cases, a_gpu_takes_what_it_is_not_slow_at);
	tcase_add_test(cases, a_core_is_told_of_what_a_gpu_leaves);
	tcase_add_test(cases, free_tasks_are_shared);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
