/* Where darts departs from its paper for several GPUs (leave, few): worked examples on two GPUs, of which the first has the
 * slower way to main memory, or the same. */
#include <stdlib.h>

#include "world.h"

/* A megabyte takes 1 ms to the second GPU. */
static const char two_gpus[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'><host id='RAM' speed='1f'/>"
	"<host id='F' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
	"<host id='N' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
	"<link id='f' bandwidth='%sBps' latency='0s' sharing_policy='SPLITDUPLEX'/>"
	"<link id='n' bandwidth='1GBps' latency='0s' sharing_policy='SPLITDUPLEX'/>"
	"%s<route src='RAM' dst='F'><link_ctn id='f' direction='DOWN'/></route>"
	"<route src='RAM' dst='N'><link_ctn id='n' direction='DOWN'/></route></zone></platform>\n";

enum { FAR, NEAR };
enum { MAX_TASKS = 100 };

/* Tasks of 1 ms. */
static void begin_beside(struct world *w, const char *far_bandwidth, int cpus)
{
	char xml[sizeof two_gpus + 100];
	snprintf(xml, sizeof xml, two_gpus, far_bandwidth,
	         cpus ? "<host id='C' speed='1Gf' core='3'><prop id='arch' value='core'/></host>" : "");
	*w = (struct world){0};
	world_platform(w, xml, &(struct tw__platform_choice){.cpus = cpus, .gpus = 2});
	w->graph = tw_graph_create();
	tw_graph_kernel(w->graph, "one", "1", "s", 1);
}

static void begin(struct world *w, const char *far_bandwidth) { begin_beside(w, far_bandwidth, 0); }

static void end(struct world *w)
{
	struct tw_error err = {""};
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (const double[]){1e-3, 1e-3});
}

struct taken {
	int n, n_on[3];
	tw_task first;
	double end_s;
};

static struct taken take(const struct world *w, const char *policy)
{
	struct taken taken = {.first = TW_NONE};
	struct outcome o = world_must_run(
		w, &(struct setting){.policy = policy, .eviction = "darts", .keep_record = true}, policy);
	for (size_t i = 0; i < o.n_events; i++) {
		if (o.events[i].kind == TW__ASSIGN) {
			taken.first = taken.n++ ? taken.first : o.events[i].task;
			taken.n_on[o.events[i].worker]++;
		}
		taken.end_s = o.events[i].date > taken.end_s ? o.events[i].date : taken.end_s;
	}
	free(o.events);
	return taken;
}

/* Each task reads a megabyte of its own, which the far GPU gets in 10 ms. */
static struct taken take_single(int n_tasks, const char *policy)
{
	struct world w;
	begin(&w, "100M");
	for (int t = 0; t < n_tasks; t++) {
		tw_data d = tw_graph_data(w.graph, 1000000);
		tw_graph_submit(w.graph, 0, 0, &(struct tw_access){d, TW_R}, 1);
	}
	end(&w);
	struct taken taken = take(&w, policy);
	ck_assert_int_eq(taken.n, n_tasks);
	world_finish(&w);
	return taken;
}

/* Nine tasks end on the near GPU by 10 ms, when the first of the far one could start; it asks first. */
START_TEST(a_task_is_left_to_the_gpu_that_ends_it_sooner)
{
	ck_assert_int_eq(take_single(9, "darts").n_on[FAR], 0);
	ck_assert_int_eq(take_single(9, "darts:few=0").n_on[FAR], 0);
	ck_assert_int_gt(take_single(9, "darts:leave=no").n_on[FAR], 0);
	ck_assert_int_gt(take_single(9, "darts:leave=no:few=0").n_on[FAR], 0);
}
END_TEST

/* Alone, the near GPU would take 101 ms; the far one can end a task each 10 ms. */
START_TEST(none_is_left_where_there_is_enough_for_all)
{
	for (int i = 0; i < 2; i++) {
		struct taken taken = take_single(MAX_TASKS, i ? "darts:few=1000" : "darts");
		ck_assert_int_ge(taken.n_on[FAR], 5);
		ck_assert_double_le(taken.end_s, 0.096);
	}
}
END_TEST

/* X frees three tasks, Y one of a higher priority. */
START_TEST(the_most_urgent_of_few_tasks_goes_first)
{
	struct world w;
	begin(&w, "1G");
	tw_data x = tw_graph_data(w.graph, 1000000), y = tw_graph_data(w.graph, 1000000);
	for (int t = 0; t < 4; t++)
		tw_graph_submit(w.graph, 0, t == 3, &(struct tw_access){t == 3 ? y : x, TW_R}, 1);
	end(&w);
	ck_assert_int_eq(take(&w, "darts").first, 3);
	ck_assert_int_eq(take(&w, "darts:few=2").first, 3); /* 4 tasks, 2 GPUs */
	ck_assert_int_eq(take(&w, "darts:few=1").first, 0);
	ck_assert_int_eq(take(&w, "darts:few=0").first, 0);
	world_finish(&w);
}
END_TEST

/* The far GPU is told of the second task, which it leaves to the near one: the core beside them is told next, and could end it as soon. */
START_TEST(a_core_is_told_of_what_a_gpu_leaves)
{
	struct world w;
	begin_beside(&w, "1M", 1);
	for (int t = 0; t < 2; t++) {
		tw_data d = tw_graph_data(w.graph, 1000000);
		tw_graph_submit(w.graph, 0, 0, &(struct tw_access){d, TW_R}, 1);
	}
	end(&w);
	struct taken taken = take(&w, "darts");
	ck_assert_int_eq(taken.n_on[FAR], 0);
	ck_assert_int_gt(taken.n_on[NEAR], 0);
	ck_assert_int_gt(taken.n_on[2], 0);
	world_finish(&w);
}
END_TEST

/* A source that all have, and a fan of tasks: those that share all they read do not stay where they are free. */
START_TEST(free_tasks_are_shared)
{
	struct world w;
	begin(&w, "1G");
	tw_data x = tw_graph_data(w.graph, 1000000);
	tw_graph_submit(w.graph, 0, 0, &(struct tw_access){x, TW_W}, 1);
	for (int t = 1; t < MAX_TASKS; t++)
		tw_graph_submit(w.graph, 0, 0, &(struct tw_access){x, TW_R}, 1);
	end(&w);
	struct taken shared = take(&w, "darts"), kept = take(&w, "darts:leave=no");
	ck_assert_int_ge(shared.n_on[FAR], 45);
	ck_assert_int_ge(shared.n_on[NEAR], 45);
	ck_assert(kept.n_on[FAR] == MAX_TASKS || kept.n_on[NEAR] == MAX_TASKS);
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("darts");
	TCase *cases = tcase_create("darts");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, a_task_is_left_to_the_gpu_that_ends_it_sooner);
	tcase_add_test(cases, none_is_left_where_there_is_enough_for_all);
	tcase_add_test(cases, the_most_urgent_of_few_tasks_goes_first);
	tcase_add_test(cases, a_core_is_told_of_what_a_gpu_leaves);
	tcase_add_test(cases, free_tasks_are_shared);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
