/* Analyses that are refused: runs without a schedule, and wrong words. A broken schedule is found. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <tilewright/analysis.h>

#include "api/api.h"
#include "fixture.h"

static struct tw_error err;

static void ok(int status) { ck_assert_msg(status == TW_OK, "%s", err.message); }

static void fails(int status, int expected, const char *message)
{
	ck_assert_int_eq(status, expected);
	ck_assert_msg(strstr(err.message, message), "'%s': expected '%s'", err.message, message);
	ck_assert_ptr_null(strchr(err.message, '\n'));
}

static struct tw_run *run_of(struct tw_scene *scene, const char *policy, bool records)
{
	struct tw_run_options o;
	struct tw_run *run;
	tw_run_options_init(&o);
	o.policy = policy;
	o.records = records;
	ok(tw_scene_run(scene, &o, &run, &err));
	return run;
}

START_TEST(test_run_without_schedule)
{
	struct tw_scene *scene = scene_with("cholesky:nt=3", NULL);
	struct tw_run *run = run_of(scene, "eager", false);
	char *text;
	fails(tw_run_explain(run, "json", &text, &err), TW_INVALID, "the run keeps no schedule");
	ck_assert_ptr_null(text);
	fails(tw_run_diff(run, run, "json", &text, &err), TW_INVALID, "the run keeps no schedule");
	fails(tw_run_validate(run, &err), TW_INVALID, "the run keeps no schedule");
	fails(tw_run_write_trace(run, "a.json", &err), TW_INVALID, "the run keeps no schedule");
	fails(tw_run_plot_gantt(run, "a.svg", NULL, &err), TW_INVALID, "the run keeps no schedule");
	tw_run_close(run);
	tw_scene_close(scene);
}
END_TEST

START_TEST(test_broken_schedule)
{
	struct tw_scene *scene = scene_with("cholesky:nt=3", NULL);
	struct tw_run *run = run_of(scene, "eager", true);
	ok(tw_run_validate(run, &err));
	for (size_t i = 0; i < run->record.n; i++)
		if (run->record.events[i].kind == TW__END)
			run->record.events[i].date += 1000;
	fails(tw_run_validate(run, &err), TW_FAILED, "task");
	tw_run_close(run);
	tw_scene_close(scene);
}
END_TEST

enum function { BOUNDS, DESCRIBE, EXPLAIN, DIFF, TRACE, DRAW_RUN, DRAW };
static const struct {
	enum function function;
	const char *word, *option, *message;
} bad[] = {
	{BOUNDS, NULL, "round=3", "unknown option 'round' (did you mean 'rounds'?)"},
	{BOUNDS, NULL, "rounds", "option 'rounds': expected a value, as in 'rounds=N'"},
	{BOUNDS, NULL, "rounds=-1", "--rounds '-1'"},
	{BOUNDS, NULL, "iterative-time=x", "--iterative-time 'x'"},
	{BOUNDS, NULL, "milp-time=x", "--milp-time 'x'"},
	{BOUNDS, NULL, "=", "unknown option ''"},
	{DESCRIBE, NULL, "exact=yes", "option 'exact=yes': expected no value"},
	{DESCRIBE, NULL, "rounds=3", "unknown option 'rounds'"},
	{EXPLAIN, "xml", NULL, "format 'xml': expected text or json"},
	{EXPLAIN, NULL, NULL, "format '': expected text or json"},
	{DIFF, "csv", NULL, "format 'csv': expected text or json"},
	{TRACE, "run.xyz", NULL, "run.xyz: unknown kind of trace"},
	{TRACE, "/nonexistent/run.json", NULL, "/nonexistent/run.json"},
	{TRACE, NULL, NULL, "trace: expected its path"},
	{DRAW_RUN, "run.jpg", NULL, "run.jpg"},
	{DRAW_RUN, NULL, NULL, "plot gantt: expected a path of the figure"},
	{DRAW_RUN, "run.gp", "workers=GPU9", "GPU9"},
	{DRAW_RUN, "run.gp", "workers", "option 'workers': expected a value"},
	{DRAW_RUN, "run.gp", "explain=1", "option 'explain=1': expected no value"},
	{DRAW_RUN, "run.gp", "iterations=1", "plot gantt: --iterations: expected it for 'order' only"},
	{DRAW_RUN, "run.gp", "titl=x", "unknown option 'titl' (did you mean 'title'?)"},
	{DRAW, "gflop", NULL, "plot: unknown kind of figure 'gflop' (did you mean 'gflops'?)"},
	{DRAW, NULL, NULL, "plot: unknown kind of figure ''"},
	{DRAW, "bars", "fold=all", "plot bars: --fold: expected it for 'gantt' only"},
	{DRAW, "bars", NULL, "nowhere.csv"},
};

START_TEST(test_bad_words)
{
	const char *const options[] = {bad[_i].option, NULL}, *word = bad[_i].word;
	struct tw_scene *scene = scene_with("cholesky:nt=3", NULL);
	struct tw_run *run = run_of(scene, "eager", true);
	char *text = NULL;
	int status = TW_OK;
	switch (bad[_i].function) {
	case BOUNDS:
		status = tw_scene_bounds(scene, options, &text, &err);
		break;
	case DESCRIBE:
		status = tw_scene_describe(scene, options, &text, &err);
		break;
	case EXPLAIN:
		status = tw_run_explain(run, word, &text, &err);
		break;
	case DIFF:
		status = tw_run_diff(run, run, word, &text, &err);
		break;
	case TRACE:
		status = tw_run_write_trace(run, word, &err);
		break;
	case DRAW_RUN:
		status = tw_run_plot_gantt(run, word, options, &err);
		break;
	case DRAW:
		status = tw_plot(word, "nowhere.csv", "figure.gp", options, &err);
		break;
	}
	if (word && strncmp(word, "/nonexistent", 12) == 0)
		fails(status, TW_FAILED, bad[_i].message);
	else
		fails(status, TW_INVALID, bad[_i].message);
	ck_assert_ptr_null(text);
	tw_run_close(run);
	tw_scene_close(scene);
}
END_TEST

START_TEST(test_unfinished_graph)
{
	struct tw_graph *g = tw_graph_create();
	char *text;
	fails(tw_graph_describe(g, "mine", NULL, &text, &err), TW_INVALID,
	      "graph 'mine': expected one that tw_graph_finish has finished");
	fails(tw_graph_describe(g, NULL, NULL, &text, &err), TW_INVALID, "name of the graph: expected one");
	tw_graph_submit(g, tw_graph_kernel(g, "gemm", "960", "d", 1), 0, NULL, 0);
	ok(tw_graph_finish(g, &err));
	ok(tw_graph_describe(g, "mine", NULL, &text, &err));
	ck_assert(strstr(text, "\"workload\": \"mine\"") && strstr(text, "\"tasks\": 1"));
	free(text);
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("");
	tcase_add_test(c, test_run_without_schedule);
	tcase_add_test(c, test_broken_schedule);
	tcase_add_loop_test(c, test_bad_words, 0, sizeof bad / sizeof *bad);
	tcase_add_test(c, test_unfinished_graph);
	return run_case("refused analyses of programs", c, CK_NOFORK);
}
