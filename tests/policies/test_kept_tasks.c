/* The order in which a worker of heteroprio_auto runs the tasks that it keeps. */
#include <stdlib.h>

#include "world.h"

static const char gpu[] = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
			  "<platform version='4.1'><zone id='z' routing='Full'>"
			  "<host id='RAM' speed='1f'/><host id='C' speed='1Gf'><prop id='arch' value='core'/></host>"
			  "<host id='G' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
			  "<link id='p' bandwidth='1GBps' latency='0s' sharing_policy='SPLITDUPLEX'/>"
			  "<route src='RAM' dst='G'><link_ctn id='p' direction='DOWN'/></route></zone></platform>\n";

enum { TASKS = 4 };

/* One GPU, which keeps two tasks. All tasks are ready. It takes the newest two, and runs the more urgent first; ties:
 * the second. */
static void check_order(const struct world *w, const char *policy, const tw_task *order)
{
	struct outcome o = world_must_run(w, &(struct setting){.policy = policy, .keep_record = true}, policy);
	int n = 0;
	for (size_t i = 0; i < o.n_events; i++)
		if (o.events[i].kind == TW__ASSIGN) {
			ck_assert_int_eq(o.events[i].task, order[n]);
			n++;
		}
	ck_assert_int_eq(n, TASKS);
	free(o.events);
}

static void make(struct world *w, enum tw_priority_scope scope, const int32_t *priority, const bool *critical)
{
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, gpu, &(struct tw__platform_choice){.cpus = 0, .gpus = 1});
	w->graph = tw_graph_create();
	tw_graph_set_priority_scope(w->graph, scope);
	tw_graph_kernel(w->graph, "one", "1", "s", 1);
	for (int t = 0; t < TASKS; t++) {
		tw_data d = tw_graph_data(w->graph, 8);
		tw_graph_submit(w->graph, 0, priority[t], &(struct tw_access){d, TW_R}, 1);
		if (critical[t])
			tw_graph_mark_critical(w->graph, t);
	}
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (const double[]){1e-3, 1e-3});
}

START_TEST(of_two_that_are_kept_the_urgent_one_goes_first)
{
	static const struct {
		int32_t priority[TASKS];
		tw_task order[TASKS];
	} cases[] = {{{0, 0, 0, 0}, {2, 1, 0, 3}}, {{0, 0, 0, 9}, {3, 1, 0, 2}}, {{9, 0, 5, 9}, {3, 2, 0, 1}}};
	struct world w;
	make(&w, _i % 2 ? TW_PRIORITY_FOR_ALL : TW_PRIORITY_FOR_LOOKING, cases[_i].priority,
	     (const bool[TASKS]){false});
	check_order(&w, "heteroprio_auto", cases[_i].order);
	world_finish(&w);
}
END_TEST

/* heteroprio_auto does not see priorities for sorting policies, only critical tasks, unless the priorities are
 * replaced. eager sees neither. */
START_TEST(of_priorities_for_sorting_it_sees_what_is_critical)
{
	struct world w;
	make(&w, TW_PRIORITY_FOR_SORTING, (const int32_t[TASKS]){1, 2, 3, 4}, (const bool[TASKS]){true, [3] = true});
	check_order(&w, "heteroprio_auto", (const tw_task[TASKS]){3, 1, 0, 2});
	check_order(&w, "eager", (const tw_task[TASKS]){0, 1, 2, 3});
	for (tw_task t = 0; t < TASKS; t++)
		tw_graph_set_priority(w.graph, t, 5);
	check_order(&w, "heteroprio_auto", (const tw_task[TASKS]){2, 1, 0, 3});
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("kept tasks");
	TCase *cases = tcase_create("kept tasks");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, of_two_that_are_kept_the_urgent_one_goes_first, 0, 3);
	tcase_add_test(cases, of_priorities_for_sorting_it_sees_what_is_critical);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
