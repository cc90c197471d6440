/* Small graphs that the search for worst graphs draws and changes: numbers stay in their range, dependencies go from
 * tasks to later ones, and each kind of change comes up. */
#include <check.h>
#include <math.h>

#include "adversary/instance.h"

enum { N_CHANGES = 5000 };
static const struct tw__instance_range range = {
	.n_tasks = 7, .n_archs = 3, .archs = {"cpu", "gpu-a", "gpu-b"}, .longest_s = 0.02, .most_bytes = 5000};

static int n_dependencies(const struct tw__instance *in)
{
	int n = 0;
	for (int from = 0; from < TW__INSTANCE_MOST_TASKS; from++)
		for (int to = 0; to < TW__INSTANCE_MOST_TASKS; to++)
			n += in->bytes[from][to] > 0;
	return n;
}

static void check_range(const struct tw__instance *in)
{
	for (int t = 0; t < TW__INSTANCE_MOST_TASKS; t++) {
		for (int a = 0; t < range.n_tasks && a < range.n_archs; a++) {
			ck_assert_double_ge(in->seconds[t][a], 0.0002);
			ck_assert_double_le(in->seconds[t][a], 0.02);
			ck_assert_double_eq_tol(in->seconds[t][a] * 1e9, round(in->seconds[t][a] * 1e9), 1e-6);
		}
		for (int to = 0; to < TW__INSTANCE_MOST_TASKS; to++) {
			const uint64_t bytes = in->bytes[t][to];
			ck_assert_msg(!bytes || (t < to && to < range.n_tasks && bytes >= 50 && bytes <= 5000),
			              "%d -> %d: %d bytes", t, to, (int)bytes);
		}
	}
}

/* The kind of a change, by how many numbers it has changed. */
enum kind { NOTHING, REMOVED, ADDED, SIZE, TIME, ARCH, SIZES, N_KINDS };

static enum kind kind_of(const struct tw__instance *before, const struct tw__instance *after)
{
	int times = 0, sizes = 0, more = n_dependencies(after) - n_dependencies(before);
	for (int t = 0; t < range.n_tasks; t++) {
		for (int a = 0; a < range.n_archs; a++)
			times += before->seconds[t][a] != after->seconds[t][a];
		for (int to = 0; to < range.n_tasks; to++)
			sizes += before->bytes[t][to] != after->bytes[t][to];
	}
	ck_assert(!(times && sizes));
	ck_assert(!more || sizes == 1);
	if (more)
		return more > 0 ? ADDED : REMOVED;
	if (sizes)
		return sizes > 1 ? SIZES : SIZE;
	return times == 0 ? NOTHING : times > 1 ? ARCH : TIME;
}

START_TEST(changes_keep_the_range)
{
	static struct tw__instance in, before;
	struct tw__random *random = tw__random_create(1, TW__STREAM_ADVERSARY);
	int n[N_KINDS] = {0};
	tw__instance_draw(&in, &range, _i == 0, random);
	check_range(&in);
	ck_assert(_i > 0 || n_dependencies(&in) == range.n_tasks - 1);
	for (int i = 0; i < N_CHANGES; i++) {
		before = in;
		bool changes = tw__instance_change(&in, &range, random);
		check_range(&in);
		const enum kind kind = kind_of(&before, &in);
		ck_assert(changes || kind == NOTHING);
		n[kind]++;
	}
	for (int kind = REMOVED; kind < N_KINDS; kind++)
		ck_assert_msg(n[kind] > N_CHANGES / 20, "kind %d: %d of %d", kind, n[kind], N_CHANGES);
	tw__random_destroy(random);
}
END_TEST

/* The graph's dependencies, accesses and priorities are those of the instance. */
START_TEST(graphs_are_those_of_instances)
{
	static struct tw__instance in;
	struct tw__random *random = tw__random_create(2, TW__STREAM_ADVERSARY);
	struct tw_error err = {""};
	struct tw_graph *graph;
	tw__instance_draw(&in, &range, false, random);
	for (int i = 0; i < 200; i++) {
		int n;
		tw__instance_change(&in, &range, random);
		ck_assert_msg(tw__instance_graph(&graph, &in, &range, &err) == TW_OK, "%s", err.message);
		ck_assert_int_eq(tw_graph_n_tasks(graph), range.n_tasks);
		ck_assert_int_eq(tw_graph_n_data(graph), n_dependencies(&in));
		for (tw_task t = 0; t < range.n_tasks; t++) {
			const tw_task *after = tw_graph_successors(graph, t, &n);
			for (tw_task to = 0; to < range.n_tasks; to++) {
				const bool depends = n && *after == to;
				ck_assert_int_eq(depends, in.bytes[t][to] > 0);
				after += depends;
				n -= depends;
				ck_assert(!depends || tw_graph_priority(graph, t) > tw_graph_priority(graph, to));
			}
		}
		tw_graph_destroy(graph);
	}
	tw__random_destroy(random);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("instance");
	TCase *cases = tcase_create("instance");
	tcase_add_loop_test(cases, changes_keep_the_range, 0, 2);
	tcase_add_test(cases, graphs_are_those_of_instances);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
