/* Kernel times that runs learn. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models_of.h"
#include "perf/learned.h"

/* Kernel a runs on the core and on the GPU, kernel b only on the core. */
static struct tw_graph *graph;
static struct tw__times times;
static tw_arch cpu, gpu;

static void set_up(void)
{
	struct tw_error err = {""};
	struct tw__models *models =
		models_of(HEADER "a,cpu,1,8,s,100,9,1,\na,m2070-0,1,8,s,70,7,1,\nb,cpu,1,8,s,30,3,1,\n");
	read_mirage();
	graph = graph_of(2, (const char *const[][3]){{"a", "8", "s"}, {"b", "8", "s"}});
	ck_assert_msg(tw__times_bind(&times, models, mirage, graph, &err) == TW_OK, "%s", err.message);
	tw__models_destroy(models);
	for (tw_arch a = 0; a < mirage->n_archs; a++) {
		cpu = strcmp(mirage->archs[a].name, "cpu") == 0 ? a : cpu;
		gpu = strcmp(mirage->archs[a].name, "m2070-0") == 0 ? a : gpu;
	}
}

static void tear_down(void)
{
	tw__times_finish(&times);
	tw_graph_destroy(graph);
	destroy_mirage();
}

static struct tw__learned *learned_of(const char *path)
{
	struct tw__learned *l;
	struct tw_error err = {""};
	ck_assert_msg(tw__learned_create(&l, path, &times, mirage, graph, &err) == TW_OK, "%s", err.message);
	return l;
}

static double believed(struct tw__learned *l, tw_kernel k, tw_arch a)
{
	struct tw__times belief = times;
	tw__learned_believe(l, &belief);
	return belief.mean[k * times.n_archs + a];
}

START_TEST(untried_kernels_take_next_to_no_time_where_they_run)
{
	struct tw__learned *l = learned_of("/nowhere/kernels.csv");
	ck_assert_double_eq(believed(l, 0, cpu), 1e-9);
	ck_assert_double_eq(believed(l, 0, gpu), 1e-9);
	ck_assert_double_nan(believed(l, 1, gpu));
	ck_assert_int_eq(tw__learned_predictions(l).n, 0);
	ck_assert_double_nan(tw__learned_predictions(l).error);
	tw__learned_destroy(l);
}
END_TEST

START_TEST(the_mean_of_all_executions_is_believed_from_the_third_on)
{
	struct tw__learned *l = learned_of("/nowhere/kernels.csv");
	tw__learned_add(l, 0, cpu, 1);
	tw__learned_add(l, 0, cpu, 2);
	ck_assert_double_eq(believed(l, 0, cpu), 1e-9);
	tw__learned_add(l, 0, cpu, 6);
	ck_assert_double_eq_tol(believed(l, 0, cpu), 3, 1e-12);
	ck_assert_int_eq(tw__learned_predictions(l).n, 0);
	tw__learned_add(l, 0, cpu, 4); /* the belief was 3: an error of a quarter */
	tw__learned_add(l, 0, cpu, 0); /* 0 s is no execution */
	ck_assert_double_eq_tol(believed(l, 0, cpu), 3.25, 1e-12);
	ck_assert_double_eq(believed(l, 0, gpu), 1e-9);
	ck_assert_double_eq(believed(l, 1, cpu), 1e-9);
	ck_assert_int_eq(tw__learned_predictions(l).n, 1);
	ck_assert_double_eq_tol(tw__learned_predictions(l).error, 0.25, 1e-12);
	tw__learned_destroy(l);
}
END_TEST

static struct temp written(const struct tw__learned *l)
{
	char *text;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);
	tw__learned_write(l, f);
	fclose(f);
	struct temp file = temp_bytes(text, bytes);
	free(text);
	return file;
}

START_TEST(what_was_learnt_goes_on_in_the_next_run)
{
	struct tw__learned *l = learned_of("/nowhere/kernels.csv");
	tw__learned_add(l, 0, gpu, 1);
	tw__learned_add(l, 0, gpu, 2);
	tw__learned_add(l, 1, cpu, 7);
	struct temp file = written(l);
	tw__learned_destroy(l);
	l = learned_of(file.path);
	tw__learned_add(l, 0, gpu, 6);
	ck_assert_double_eq_tol(believed(l, 0, gpu), 3, 1e-9);
	ck_assert_double_eq(believed(l, 1, cpu), 1e-9);
	struct tw__times belief = times;
	tw__learned_believe(l, &belief);
	ck_assert_double_eq_tol(belief.stddev[gpu], sqrt(14.0 / 3), 1e-9); /* of 1, 2 and 6 */
	temp_remove(file);
	tw__learned_destroy(l);
}
END_TEST

START_TEST(rows_of_other_graphs_stay)
{
	struct temp file =
		temp_text(HEADER "z,vax,1,\"8,8\",s,100,9,5,\nb,cpu,1,8,s,30000000,0,2,\nb,cpu,2,8,s,50,0,3,\n");
	struct tw__learned *l = learned_of(file.path);
	tw__learned_add(l, 1, cpu, 60);
	ck_assert_double_eq_tol(believed(l, 1, cpu), 40, 1e-9);
	struct temp again = written(l);
	struct tw_error err = {""};
	struct tw__models *models;
	ck_assert_msg(tw__models_read(&models, again.path, NULL, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(models->n_rows, 3);
	ck_assert_double_eq_tol(tw__models_find(models, "z", "8,8", "s", "vax", 1)->mean_us, 100, 1e-9);
	ck_assert_int_eq(tw__models_find(models, "b", "8", "s", "cpu", 1)->samples, 3);
	ck_assert_int_eq(tw__models_find(models, "b", "8", "s", "cpu", 2)->samples, 3);
	tw__models_destroy(models);
	tw__learned_destroy(l);
	temp_remove(file);
	temp_remove(again);
}
END_TEST

START_TEST(a_damaged_file_is_refused)
{
	struct temp file = temp_text(HEADER "b,cpu,1,8,s,often,0,2,\n");
	struct tw__learned *l;
	struct tw_error err = {""};
	ck_assert_int_eq(tw__learned_create(&l, file.path, &times, mirage, graph, &err), TW_INVALID);
	ck_assert_contains(err.message, ":2:");
	tw__learned_destroy(l);
	temp_remove(file);
}
END_TEST

/* Two kernels of one name, size and precision share a history, although the graph does not let the second run on
 * GPUs. */
START_TEST(kernels_that_look_alike_share_a_history)
{
	struct tw_graph *own = graph;
	struct tw_error err = {""};
	graph = tw_graph_create();
	for (int i = 0; i < 2; i++)
		tw_graph_submit(graph,
		                i ? tw_graph_recorded_kernel(graph, "a", "8", "s", 1, "cpu")
		                  : tw_graph_kernel(graph, "a", "8", "s", 1),
		                0, NULL, 0);
	ck_assert_msg(tw_graph_finish(graph, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(graph->n_kernels, 2);
	times.mean[times.n_archs + gpu] = NAN;
	struct tw__learned *l = learned_of("/nowhere/kernels.csv");
	for (int i = 0; i < 3; i++) {
		tw__learned_add(l, 1, cpu, 5);
		tw__learned_add(l, 0, gpu, 4);
	}
	for (tw_kernel k = 0; k < 2; k++)
		ck_assert_double_eq_tol(believed(l, k, cpu), 5, 1e-9);
	ck_assert_double_eq_tol(believed(l, 0, gpu), 4, 1e-9);
	ck_assert_double_nan(believed(l, 1, gpu));
	tw__learned_destroy(l);
	tw_graph_destroy(graph);
	graph = own;
}
END_TEST

/* Task 0 has recorded seconds on the GPU, where its kernel has no time; task 1 has none, and cannot run there. */
START_TEST(recorded_seconds_only_say_where_a_task_runs)
{
	struct tw_error err = {""};
	struct tw__models *models = models_of(HEADER "b,cpu,1,8,s,30,3,1,\n");
	tw__times_finish(&times);
	tw_graph_destroy(graph);
	graph = tw_graph_create();
	tw_kernel k = tw_graph_recorded_kernel(graph, "b", "8", "s", 1, "accelerators");
	for (tw_task t = 0; t < 2; t++)
		tw_graph_submit(graph, k, 0, NULL, 0);
	tw_graph_set_seconds(graph, 0, 7);
	ck_assert_msg(tw_graph_finish(graph, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__times_bind(&times, models, mirage, graph, &err) == TW_OK, "%s", err.message);
	tw__models_destroy(models);
	struct tw__learned *l = learned_of("/nowhere/kernels.csv");
	struct tw__times belief = times;
	tw__learned_believe(l, &belief);
	ck_assert_double_eq(tw__task_seconds(&belief, graph, 0, gpu), 1e-9);
	ck_assert_double_nan(tw__task_seconds(&belief, graph, 1, gpu));
	for (int i = 0; i < 3; i++)
		tw__learned_add(l, k, gpu, 5);
	ck_assert_double_eq_tol(tw__task_seconds(&belief, graph, 0, gpu), 5, 1e-9);
	ck_assert_double_nan(tw__task_seconds(&belief, graph, 1, gpu));
	ck_assert_double_eq(tw__task_seconds(&belief, graph, 0, cpu), 1e-9);
	tw__learned_destroy(l);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("learned times");
	TCase *tests = tcase_create("all");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, untried_kernels_take_next_to_no_time_where_they_run);
	tcase_add_test(tests, the_mean_of_all_executions_is_believed_from_the_third_on);
	tcase_add_test(tests, what_was_learnt_goes_on_in_the_next_run);
	tcase_add_test(tests, rows_of_other_graphs_stay);
	tcase_add_test(tests, a_damaged_file_is_refused);
	tcase_add_test(tests, kernels_that_look_alike_share_a_history);
	tcase_add_test(tests, recorded_seconds_only_say_where_a_task_runs);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
