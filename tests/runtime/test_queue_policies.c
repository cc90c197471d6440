/* Queue policies on a handful of tasks: the expected workers and orders follow from the papers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "policies/support/worker_runs.h"
#include "world.h"

#define LINES(body)                                                                               \
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n" \
	"<platform version='4.1'><zone id='z' routing='Full'>" body "</zone></platform>\n"
#define CPU "<host id='C' speed='1Gf' core='4'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
#define GPU(n)                                                                                       \
	"<host id='G" n "' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/>" \
	"<prop id='peer' value='yes'/></host>"                                                       \
	"<link id='p" n "' bandwidth='1GBps' latency='10us'/>"                                       \
	"<route src='RAM' dst='G" n "'><link_ctn id='p" n "'/></route>"

/* GPU 0 and GPU 2 have a fast link between them. */
static const char node[] =
	LINES(CPU GPU("0") GPU("1") GPU("2") "<link id='near' bandwidth='50GBps' latency='1us'/>"
                                             "<route src='G0' dst='G2'><link_ctn id='near'/></route>");

enum { KB = 1000, SHORT = 0, LONG = 1, MAX_TASKS = 16 };

/* A short and a long kernel. ready() sets their times, seconds[kernel][arch], with the GPUs' arch first. */
static void make(struct world *w, int cpus, int gpus)
{
	*w = (struct world){0};
	world_platform(w, node, &(struct tw__platform_choice){.cpus = cpus, .gpus = gpus});
	w->graph = tw_graph_create();
	tw_graph_kernel(w->graph, "short", "1", "s", 1);
	tw_graph_kernel(w->graph, "long", "1", "s", 1);
}

/* Adds a task that writes its own handle, and reads the output of another task, if any. */
static tw_task task(struct world *w, tw_kernel kernel, int32_t priority, tw_data reads)
{
	struct tw_access access[2] = {{tw_graph_data(w->graph, KB), TW_W}, {reads, TW_R}};
	return tw_graph_submit(w->graph, kernel, priority, access, reads == TW_NONE ? 1 : 2);
}

static void ready(struct world *w, const double *seconds)
{
	struct tw_error err = {""};
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, seconds);
}

/* The worker of each task, and the order in which tasks started. */
struct course {
	tw_worker worker[MAX_TASKS];
	int place[MAX_TASKS];
};

static struct course course_of(const struct world *w, const char *policy)
{
	struct course c;
	int started = 0;
	struct outcome o = world_must_run(
		w, &(struct setting){.policy = policy, .runtime = "ideal:gpu_pipeline=1", .keep_record = true}, policy);
	for (size_t e = 0; e < o.n_events; e++)
		if (o.events[e].kind == TW__START) {
			c.worker[o.events[e].task] = o.events[e].worker;
			c.place[o.events[e].task] = started++;
		}
	free(o.events);
	return c;
}

/* Draws one of n workers, each of which is a run of its own. */
static tw_worker drawn(const double *weights, int n, double number)
{
	static const struct tw_worker_run runs[] = {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}};
	return tw_draw_worker(runs, weights, n, number);
}

/* Figure 3.9 of Augonnet 2011: two cores, and GPUs that are 7 and 13 times as fast. The sum is 22; 0.3 of it is 6.6,
 * which lies in the third worker's part. */
START_TEST(w_rand_picks_the_third_worker)
{
	const double speeds[] = {1, 1, 7, 13}, some[] = {0, 2, 0, 2, 0}, none[] = {0, 0};
	ck_assert_int_eq(drawn(speeds, 4, 0.3), 2);
	ck_assert_int_eq(drawn(speeds, 4, 0), 0);
	ck_assert_int_eq(drawn(speeds, 4, 1.5 / 22), 1);
	ck_assert_int_eq(drawn(speeds, 4, 9.0 / 22), 3);
	ck_assert_int_eq(drawn(speeds, 4, nextafter(1, 0)), 3);
	ck_assert_int_eq(drawn(some, 5, 0), 1);
	ck_assert_int_eq(drawn(some, 5, 0.5), 3);
	ck_assert_int_eq(drawn(some, 5, nextafter(1, 0)), 3);
	ck_assert_int_eq(drawn(none, 2, 0.5), -1);
	const double of_each[] = {1, 0, 7, 13};
	const struct tw_worker_run runs[] = {{0, 2}, {2, 3}, {5, 1}, {6, 1}};
	ck_assert_int_eq(tw_draw_worker(runs, of_each, 4, 1.5 / 22), 1);
	ck_assert_int_eq(tw_draw_worker(runs, of_each, 4, 0.3), 5);
	ck_assert_int_eq(tw_draw_worker(runs, of_each, 4, nextafter(1, 0)), 6);
}
END_TEST

/* A root releases four tasks. Its worker takes the oldest; the other worker steals the newest. */
START_TEST(thieves_take_the_other_end)
{
	static const char *const policies[] = {"ws", "ws:victim=loaded", "lws", "lws:neighbours=nearest"};
	struct world w;
	make(&w, 2, 0);
	tw_task root = task(&w, SHORT, 0, TW_NONE), t[4];
	for (int i = 0; i < 4; i++)
		t[i] = task(&w, SHORT, 0, root);
	ready(&w, (const double[]){1e-3, 2e-3});
	for (int p = 0; p < 4; p++) {
		struct course c = course_of(&w, policies[p]);
		tw_worker own = c.worker[root], thief = 1 - own;
		ck_assert_int_eq(own, 1); /* submitted tasks go to the workers in turn, from worker 1 on */
		ck_assert_int_eq(c.worker[t[0]], own);
		ck_assert_int_eq(c.worker[t[1]], own);
		ck_assert_int_eq(c.worker[t[2]], thief);
		ck_assert_int_eq(c.worker[t[3]], thief);
		ck_assert_int_lt(c.place[t[0]], c.place[t[1]]);
		ck_assert_int_lt(c.place[t[3]], c.place[t[2]]);
	}
	world_finish(&w);
}
END_TEST

/* When GPU 0 has no tasks left, GPUs 1 and 2 have 2 and 4 tasks. */
START_TEST(victims_are_in_turn_nearest_or_most_loaded)
{
	static const struct {
		const char *policy;
		tw_worker victim;
	} cases[] = {{"ws", 1}, {"lws", 1}, {"ws:victim=loaded", 2}, {"lws:neighbours=nearest", 2}};
	struct world w;
	make(&w, 0, 3);
	tw_task first = task(&w, SHORT, 0, TW_NONE), second = task(&w, SHORT, 0, TW_NONE);
	task(&w, LONG, 0, TW_NONE); /* for GPU 0, takes 3 ms; the tasks of the others are released after 1 ms */
	tw_task of_1[3], of_2[5];
	for (int i = 0; i < 3; i++)
		of_1[i] = task(&w, LONG, 0, first);
	for (int i = 0; i < 5; i++)
		of_2[i] = task(&w, LONG, 0, second);
	ready(&w, (const double[]){1e-3, 3e-3});
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct course c = course_of(&w, cases[i].policy);
		ck_assert_int_eq(c.worker[first], 1);
		ck_assert_int_eq(c.worker[second], 2);
		/* GPU 0 next runs the newest task of its victim. */
		tw_task stolen = cases[i].victim == 1 ? of_1[2] : of_2[4],
			left = cases[i].victim == 1 ? of_2[4] : of_1[2];
		ck_assert_msg(c.worker[stolen] == 0, "%s", cases[i].policy);
		ck_assert_msg(c.worker[left] != 0 || c.place[left] > c.place[stolen], "%s", cases[i].policy);
	}
	world_finish(&w);
}
END_TEST

/* One worker; a root releases tasks of priorities 1, 3 and 2. */
START_TEST(queues_are_by_priority_or_age)
{
	static const struct {
		const char *policy;
		bool sorted;
	} cases[] = {{"eager", false}, {"dm", false}, {"dmda", false}, {"prio", true}, {"ap", true},
	             {"ws", true},     {"lws", true}, {"dmdap", true}, {"dmdas", true}};
	struct world w;
	make(&w, 1, 0);
	tw_task root = task(&w, SHORT, 0, TW_NONE), one = task(&w, SHORT, 1, root), three = task(&w, SHORT, 3, root),
		two = task(&w, SHORT, 2, root);
	ready(&w, (const double[]){1e-3, 2e-3});
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct course c = course_of(&w, cases[i].policy);
		bool sorted = c.place[three] < c.place[two] && c.place[two] < c.place[one];
		bool by_age = c.place[one] < c.place[three] && c.place[three] < c.place[two];
		ck_assert_msg(cases[i].sorted ? sorted : by_age, "%s", cases[i].policy);
	}
	world_finish(&w);
}
END_TEST

/* Two tasks have equal priorities, and only the data of the second is on the GPU. dmdas prefers the
 * second; dmdap ignores data. */
START_TEST(dmdap_is_dmdas_without_readiness)
{
	struct world w;
	make(&w, 0, 1);
	tw_task root = task(&w, SHORT, 0, TW_NONE);
	tw_data elsewhere = tw_graph_data(w.graph, KB);
	tw_task far = tw_graph_submit(w.graph, SHORT, 0, (struct tw_access[]){{root, TW_R}, {elsewhere, TW_R}}, 2),
		near = tw_graph_submit(w.graph, SHORT, 0, (struct tw_access[]){{root, TW_R}}, 1);
	ready(&w, (const double[]){1e-3, 2e-3});
	struct course p = course_of(&w, "dmdap:prefetch=no"), s = course_of(&w, "dmdas:prefetch=no");
	ck_assert_int_lt(p.place[far], p.place[near]);
	ck_assert_int_lt(s.place[near], s.place[far]);
	world_finish(&w);
}
END_TEST

/* The GPU is 3.5 times as fast as the core. The core gets the task for which the GPU's load, 4 / 3.5,
 * would be above the core's, 1. */
START_TEST(ap_balances_loads_by_performance)
{
	struct world w;
	make(&w, 1, 1);
	for (int i = 0; i < 5; i++)
		task(&w, SHORT, 0, TW_NONE);
	ready(&w, (const double[]){1e-3, 3.5e-3, 1e-3, 3.5e-3});
	struct course c = course_of(&w, "ap");
	for (int i = 0; i < 5; i++)
		ck_assert_msg(c.worker[i] == (i == 3), "task %d on worker %d", i, (int)c.worker[i]);
	world_finish(&w);
}
END_TEST

/* PaRSEC looks at the last GPU first. A GPU keeps what it wrote. For the readers, GPU 1 counts (0 + 1) / 1.2 beside 1
 * of GPU 0, then (1 + 1) / 1.2 beside 1. */
START_TEST(ap_keeps_tasks_where_data_were_written)
{
	struct world w;
	make(&w, 1, 2);
	const tw_data p = tw_graph_data(w.graph, KB);
	const struct tw_access writes = {p, TW_W}, updates = {p, TW_RW};
	tw_graph_submit(w.graph, SHORT, 0, &writes, 1);
	tw_graph_submit(w.graph, SHORT, 0, &updates, 1);
	task(&w, SHORT, 0, p);
	task(&w, SHORT, 0, p);
	ready(&w, (const double[]){1e-3, 100e-3, 1e-3, 100e-3});
	struct course c = course_of(&w, "ap:device=owner"), by_cost = course_of(&w, "ap");
	static const tw_worker expected[] = {1, 1, 1, 0}, expected_by_cost[] = {0, 0, 0, 1};
	for (int i = 0; i < 4; i++) {
		ck_assert_msg(c.worker[i] == expected[i], "owner: task %d on worker %d", i, (int)c.worker[i]);
		ck_assert_msg(by_cost.worker[i] == expected_by_cost[i], "cost: task %d on worker %d", i,
		              (int)by_cost.worker[i]);
	}
	world_finish(&w);
}
END_TEST

/* The core is ten times as fast as a GPU. */
START_TEST(ap_may_leave_cores_alone)
{
	struct world w;
	make(&w, 1, 2);
	task(&w, SHORT, 0, TW_NONE);
	ready(&w, (const double[]){10e-3, 1e-3, 10e-3, 1e-3});
	ck_assert_int_eq(course_of(&w, "ap:device=owner").worker[0], 2);
	ck_assert_int_eq(course_of(&w, "ap:device=owner:cores=no").worker[0], 1);
	world_finish(&w);
}
END_TEST

/* ap has one performance per worker for all kernels, so a GPU also gets a task that it runs slowly.
 * dm predicts each kernel. */
START_TEST(ap_goes_by_theoretical_performance)
{
	struct world w;
	make(&w, 1, 1);
	tw_task fast = task(&w, SHORT, 0, TW_NONE), slow = task(&w, LONG, 0, fast);
	ready(&w, (const double[]){1e-3, 8e-3, 10e-3, 4e-3});
	ck_assert_int_eq(course_of(&w, "ap").worker[slow], 0);
	ck_assert_int_eq(course_of(&w, "dm").worker[slow], 1);
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("queue policies");
	TCase *cases = tcase_create("queue policies");
	tcase_add_test(cases, w_rand_picks_the_third_worker);
	tcase_add_test(cases, thieves_take_the_other_end);
	tcase_add_test(cases, victims_are_in_turn_nearest_or_most_loaded);
	tcase_add_test(cases, queues_are_by_priority_or_age);
	tcase_add_test(cases, dmdap_is_dmdas_without_readiness);
	tcase_add_test(cases, ap_balances_loads_by_performance);
	tcase_add_test(cases, ap_keeps_tasks_where_data_were_written);
	tcase_add_test(cases, ap_may_leave_cores_alone);
	tcase_add_test(cases, ap_goes_by_theoretical_performance);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
