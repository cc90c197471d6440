/* The array that a policy shows of its plan (tw_show_planned_uses) holds the answers of `planned_use`. This is checked
 * whenever a victim is chosen. No handle that may leave has a later use than the victim of belady. */
#include <stdlib.h>
#include <string.h>

#include <tilewright/data_list.h>

#include "world.h"

static const struct tw_eviction *named(const char *name)
{
	int e = 0;
	while (strcmp(tw__evictions[e]->name, name) != 0)
		e++;
	return tw__evictions[e];
}

static tw_data checked_victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	const struct tw_planned_use *shown = tw_planned_uses(s, node);
	tw_data n_data = tw_graph_n_data(tw_sched_graph(s)), d = named("belady")->victim(s, state, node, query);
	int64_t next = d == TW_NONE ? INT64_MIN : tw_data_planned_use(s, d, node).next;
	ck_assert(!shown == (tw_first_accumulator(s) < n_data));
	for (tw_data other = 0; other < n_data; other++) {
		struct tw_planned_use use = tw_data_planned_use(s, other, node);
		ck_assert(!tw_may_evict(query, other) || use.next <= next);
		ck_assert(!shown || (shown[other].next == use.next && shown[other].taken == use.taken &&
		                     shown[other].planned == use.planned));
	}
	return d;
}

START_TEST(plans_are_shown_as_they_are)
{
	static const char *const policies[] = {"hfp",  "metis", "mst",        "rcm",
	                                       "heft", "darts", "data_first", "dynamic_outer"};
	static const struct {
		const char *workload;
		uint64_t gpu_mem_bytes;
	} cases[] = {{"cholesky:nt=10", 80 << 20}, {"reduction:n=40:bytes=16MiB:scratch=8MiB", 36 << 20}};
	struct tw_eviction checked = *named("belady");
	checked.victim = checked_victim;
	struct tw__request request = {.platform = "mirage",
	                              .workload = cases[_i].workload,
	                              .choice = {.cpus = 2, .gpus = 3, .gpu_mem_bytes = cases[_i].gpu_mem_bytes},
	                              .extrapolate = true};
	struct tw__scene *scene;
	struct tw_error err = {""};
	ck_assert_msg(!tw__scene_create(&scene, &request, &err), "%s", err.message);
	for (size_t p = 0; p < sizeof policies / sizeof policies[0]; p++) {
		struct setting s = {.policy = policies[p], .own_eviction = &checked, .runtime = "starpu"};
		struct outcome o =
			world_must_run(&(struct world){scene->platform, scene->graph, scene->times}, &s, policies[p]);
		ck_assert_msg(o.counters.evictions > 0, "%s: no evictions", policies[p]);
	}
	tw__scene_destroy(scene);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("planned uses");
	TCase *cases = tcase_create("planned uses");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, plans_are_shown_as_they_are, 0, 2);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
