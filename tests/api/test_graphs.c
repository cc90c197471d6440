/* Graphs of programs: of a workload's words, written to files, and read back. */
#include <string.h>

#include <check.h>

#include <tilewright/run.h>

#include "fixture.h"

static struct tw_error err;

static struct tw_graph *graph_of(const char *workload)
{
	struct tw_graph *graph;
	ck_assert_msg(tw_graph_generate(&graph, workload, &err) == TW_OK, "%s", err.message);
	return graph;
}

/* A file has the graph of the program, as tw_graph_write wrote it. */
START_TEST(test_write)
{
	struct tw_graph *graph = graph_of("cholesky:nt=5");
	ck_assert_msg(tw_graph_write(graph, "written.json", &err) == TW_OK, "%s", err.message);
	struct tw_graph *copy = graph_of("file:written.json");
	ck_assert_int_eq(tw_graph_n_tasks(graph), 35);
	ck_assert_int_eq(tw_graph_n_tasks(copy), 35);
	for (tw_task t = 0; t < 35; t++) {
		ck_assert_str_eq(tw_graph_kernel_name(graph, tw_graph_task_kernel(graph, t)),
		                 tw_graph_kernel_name(copy, tw_graph_task_kernel(copy, t)));
		ck_assert_int_eq(tw_graph_n_predecessors(graph, t), tw_graph_n_predecessors(copy, t));
		ck_assert_int_eq(tw_graph_priority(graph, t), tw_graph_priority(copy, t));
	}
	tw_graph_destroy(graph);
	tw_graph_destroy(copy);
}
END_TEST

static const struct {
	const char *workload, *message;
} bad_words[] = {
	{NULL, "workload: expected its name"},    {"choleski", "cholesky"},
	{"cholesky:nt=0", "expected an integer"}, {"cholesky:nt=2:priority=bottom_level", "expected another priority"},
	{"file:none.json", "none.json"},
};

START_TEST(test_bad_words)
{
	struct tw_graph *graph = (struct tw_graph *)&err;
	ck_assert_int_eq(tw_graph_generate(&graph, bad_words[_i].workload, &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, bad_words[_i].message) != NULL, "%s", err.message);
	ck_assert_ptr_null(graph);
}
END_TEST

START_TEST(test_bad_files)
{
	struct tw_graph *graph = graph_of("cholesky:nt=2"), *unfinished = tw_graph_create();
	ck_assert_int_eq(tw_graph_write(graph, "written.txt", &err), TW_INVALID);
	ck_assert_int_eq(tw_graph_write(graph, NULL, &err), TW_INVALID);
	ck_assert_int_lt(tw_graph_write(graph, "no folder/written.json", &err), 0);
	ck_assert_int_eq(tw_graph_write(unfinished, "unfinished.json", &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, "finished") != NULL, "%s", err.message);
	tw_graph_destroy(graph);
	tw_graph_destroy(unfinished);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("graphs");
	tcase_add_test(c, test_write);
	tcase_add_loop_test(c, test_bad_words, 0, (int)(sizeof bad_words / sizeof *bad_words));
	tcase_add_test(c, test_bad_files);
	return run_case("api", c, CK_FORK_GETENV);
}
