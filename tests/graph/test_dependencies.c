/* Dependencies follow from the accesses, in submission order (Augonnet 2011, section 2.5.2). */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graph/graph.h"

enum { A, B, C, D, MANY = 120 };

static struct tw_graph *g;

static void make(int n_data)
{
	g = tw_graph_create();
	ck_assert_ptr_nonnull(g);
	for (int d = 0; d < n_data; d++)
		ck_assert_int_eq(tw_graph_data(g, 1000), d);
	ck_assert_int_eq(tw_graph_kernel(g, "work", "10", "s", 1), 0);
}

/* Submits the next task with accesses given as text: "0R 1RW". */
static tw_task submit(const char *accesses)
{
	struct tw_access list[16];
	int n = 0, used;
	char mode[4];
	while (sscanf(accesses, "%d%3[RW] %n", &list[n].data, mode, &used) == 2) {
		list[n++].mode = !strcmp(mode, "R") ? TW_R : !strcmp(mode, "W") ? TW_W : TW_RW;
		accesses += used;
	}
	return tw_graph_submit(g, 0, 0, list, n);
}

static void finish(void)
{
	struct tw_error err = {""};
	ck_assert_msg(tw_graph_finish(g, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__graph_check(g, &err) == TW_OK, "%s", err.message);
}

/* Expects these successors of `t`, as text in ascending order. */
static void expect(tw_task t, const char *successors)
{
	char text[512] = "";
	int n;
	const tw_task *s = tw_graph_successors(g, t, &n);
	for (int i = 0; i < n; i++)
		sprintf(text + strlen(text), i ? " %d" : "%d", (int)s[i]);
	ck_assert_msg(!strcmp(text, successors), "task %d: successors '%s', expected '%s'", (int)t, text, successors);
}

START_TEST(a_diamond)
{
	make(4);
	submit("0RW");
	submit("0R 1RW");
	submit("0R 2RW");
	submit("1R 2R 3RW");
	finish();
	expect(A, "1 2");
	expect(B, "3");
	expect(C, "3");
	expect(D, "");
	ck_assert_int_eq(tw_graph_n_predecessors(g, A), 0);
	ck_assert_int_eq(tw_graph_n_predecessors(g, B), 1);
	ck_assert_int_eq(tw_graph_n_predecessors(g, C), 1);
	ck_assert_int_eq(tw_graph_n_predecessors(g, D), 2);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(every_pair_of_modes_on_one_data)
{
	static const char *const modes[] = {"0R", "0W", "0RW"};
	for (int first = 0; first < 3; first++)
		for (int second = 0; second < 3; second++) {
			make(1);
			submit(modes[first]);
			submit(modes[second]);
			finish();
			expect(0, first == 0 && second == 0 ? "" : "1");
			tw_graph_destroy(g);
		}
}
END_TEST

START_TEST(a_writer_waits_for_all_readers_and_not_for_the_writer_before_them)
{
	make(1);
	submit("0W");
	submit("0R");
	submit("0R");
	submit("0R");
	submit("0RW");
	submit("0R");
	finish();
	expect(0, "1 2 3");
	expect(1, "4");
	expect(2, "4");
	expect(3, "4");
	expect(4, "5");
	ck_assert_int_eq(tw_graph_n_predecessors(g, 4), 3);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(a_write_follows_a_write)
{
	make(1);
	submit("0W");
	submit("0W");
	submit("0W");
	submit("0R");
	finish();
	expect(0, "1");
	expect(1, "2");
	expect(2, "3");
	tw_graph_destroy(g);
}
END_TEST

START_TEST(readers_before_any_write_hold_the_writer_back)
{
	make(1);
	submit("0R");
	submit("0R");
	submit("0W");
	finish();
	expect(0, "2");
	expect(1, "2");
	ck_assert_int_eq(tw_graph_n_predecessors(g, 0), 0);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(a_predecessor_counts_once)
{
	make(3);
	submit("0RW 1RW 2RW");
	submit("0R 1R 2RW");
	submit("0W 1W 2W");
	finish();
	expect(0, "1");
	expect(1, "2");
	ck_assert_int_eq(tw_graph_n_predecessors(g, 1), 1);
	ck_assert_int_eq(tw_graph_n_predecessors(g, 2), 1);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(tasks_without_accesses_depend_on_nothing)
{
	make(1);
	submit("0RW");
	submit("");
	submit("0RW");
	finish();
	expect(0, "2");
	expect(1, "");
	ck_assert_int_eq(tw_graph_n_accesses(g, 1), 0);
	tw_graph_destroy(g);
}
END_TEST

START_TEST(accesses_are_kept_in_order)
{
	make(3);
	submit("2R 0W 1RW");
	finish();
	static const struct tw_access expected[] = {{2, TW_R}, {0, TW_W}, {1, TW_RW}};
	ck_assert_int_eq(tw_graph_n_accesses(g, 0), 3);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(tw_graph_access(g, 0, i).data, expected[i].data);
		ck_assert_int_eq(tw_graph_access(g, 0, i).mode, expected[i].mode);
	}
	tw_graph_destroy(g);
}
END_TEST

/* --- random graphs ---------------------------------------------------------------------------------------------- */

static unsigned mode_of(tw_task t, tw_data d)
{
	for (int i = 0; i < tw_graph_n_accesses(g, t); i++)
		if (tw_graph_access(g, t, i).data == d)
			return tw_graph_access(g, t, i).mode;
	return 0;
}

/* By definition: going back from `t`, all readers up to the last writer; without readers, that writer. */
static void oracle(tw_task t, bool *depends)
{
	for (int i = 0; i < tw_graph_n_accesses(g, t); i++) {
		struct tw_access a = tw_graph_access(g, t, i);
		bool readers = false;
		for (tw_task u = t - 1; u >= 0; u--) {
			unsigned mode = mode_of(u, a.data);
			if (mode == TW_R && (a.mode & TW_W))
				readers = depends[u] = true;
			if (!(mode & TW_W))
				continue;
			depends[u] |= !readers;
			break;
		}
	}
}

static bool conflict(tw_task t, tw_task u)
{
	for (int i = 0; i < tw_graph_n_accesses(g, t); i++) {
		struct tw_access a = tw_graph_access(g, t, i);
		unsigned other = mode_of(u, a.data);
		if (other && ((other | a.mode) & TW_W))
			return true;
	}
	return false;
}

static void random_graph(struct tw__random *r)
{
	int n_data = 1 + (int)tw__random_below(r, 20), n_tasks = 1 + (int)tw__random_below(r, MANY);
	make(n_data);
	for (int t = 0; t < n_tasks; t++) {
		char accesses[256] = "";
		for (int d = 0; d < n_data; d++)
			if (tw__random_below(r, 1 + (uint32_t)n_data / 2) == 0)
				sprintf(accesses + strlen(accesses), "%d%s ", d,
				        (const char *[]){"R", "R", "R", "W", "RW"}[tw__random_below(r, 5)]);
		submit(accesses);
	}
	finish();
}

START_TEST(random_graphs_agree_with_the_definition)
{
	struct tw__random *r = tw__random_create((uint64_t)_i, TW__STREAM_POLICY);
	random_graph(r);
	static bool edge[MANY][MANY], path[MANY][MANY];
	memset(edge, 0, sizeof edge);
	memset(path, 0, sizeof path);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		int n;
		const tw_task *s = tw_graph_successors(g, t, &n);
		for (int i = 0; i < n; i++) {
			ck_assert_int_gt(s[i], i ? s[i - 1] : t);
			edge[t][s[i]] = true;
		}
	}
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		bool depends[MANY] = {false};
		int predecessors = 0;
		oracle(t, depends);
		for (tw_task u = 0; u < t; u++) {
			ck_assert_msg(edge[u][t] == depends[u], "seed %d: task %d %s on task %d", _i, (int)t,
			              depends[u] ? "must depend" : "need not depend", (int)u);
			predecessors += depends[u];
		}
		ck_assert_int_eq(tw_graph_n_predecessors(g, t), predecessors);
	}
	/* Independent of the definition: conflicting tasks keep their order, and no other pair has a direct edge. */
	for (tw_task t = tw_graph_n_tasks(g) - 1; t >= 0; t--)
		for (tw_task u = t + 1; u < tw_graph_n_tasks(g); u++) {
			path[t][u] |= edge[t][u];
			for (tw_task v = 0; edge[t][u] && v < tw_graph_n_tasks(g); v++)
				path[t][v] |= path[u][v];
		}
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		for (tw_task u = t + 1; u < tw_graph_n_tasks(g); u++) {
			ck_assert(!edge[t][u] || conflict(t, u));
			ck_assert(path[t][u] || !conflict(t, u));
		}
	tw_graph_destroy(g);
	tw__random_destroy(r);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dependencies");
	TCase *cases = tcase_create("dependencies");
	tcase_add_test(cases, a_diamond);
	tcase_add_test(cases, every_pair_of_modes_on_one_data);
	tcase_add_test(cases, a_writer_waits_for_all_readers_and_not_for_the_writer_before_them);
	tcase_add_test(cases, a_write_follows_a_write);
	tcase_add_test(cases, readers_before_any_write_hold_the_writer_back);
	tcase_add_test(cases, a_predecessor_counts_once);
	tcase_add_test(cases, tasks_without_accesses_depend_on_nothing);
	tcase_add_test(cases, accesses_are_kept_in_order);
	tcase_add_loop_test(cases, random_graphs_agree_with_the_definition, 0, 80);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
