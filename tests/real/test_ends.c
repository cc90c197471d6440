/* Ends of handles: after a run each is in the memory where the graph says that it must be, with the right content. */
#include <stdlib.h>
#include <string.h>

#include "scene.h"

/* Of its 15 tiles of 9216 bytes, a third ends in each memory. */
#define WORKLOAD "cholesky:nt=5:nb=48"
enum { N_MEMORIES = 3 };

static const char *const memories[] = {"gpus=2:mem=64MiB:bandwidth=4GB/s", "gpus=2:mem=46080:bandwidth=4GB/s",
                                       "gpus=2:mem=46080:bandwidth=4GB/s:peer=yes"};
static const char *const policies[] = {"eager", "dmdas", "lws", "parallel_greedy"};
enum { N_RUNS = sizeof memories / sizeof *memories * (sizeof policies / sizeof *policies) };

static int n_compared;

static tw_node end_of(tw_data d) { return d % N_MEMORIES; }

/* Compares the content at each end with that at home, which the engine then checks. */
static int compare(struct tw__engine *e, struct tw__engine_report *report, struct tw_error *err)
{
	for (tw_data d = 0; d < e->graph->n_data; d++) {
		const void *at = tw__spaces_at(&e->spaces, end_of(d), d);
		ck_assert_int_eq(memcmp(at, tw__spaces_home(&e->spaces, d), e->graph->data_bytes[d]), 0);
		n_compared++;
	}
	return tw__engine_real.finish(e, report, err);
}

static void set_place(struct tw_graph *g, enum tw__place place, tw_data d, tw_node n)
{
	if (!g->data_places[place])
		g->data_places[place] = calloc((size_t)g->n_data, sizeof *g->data_places[place]);
	g->data_places[place][d] = (uint16_t)(n + 1);
}

static void set_ends(struct tw_graph *g)
{
	for (tw_data d = 0; d < g->n_data; d++)
		set_place(g, TW__END_PLACE, d, end_of(d));
}

START_TEST(handles_are_where_they_must_be)
{
	struct scene s;
	scene_init(&s, &(struct scene_words){.workload = WORKLOAD,
	                                     .policy = policies[_i % 4],
	                                     .emulate = memories[_i / 4],
	                                     .cpus = 1 + _i % 2,
	                                     .max_parallelism = 2});
	set_ends(s.graph);
	set_ends(s.as_made);
	s.ops.finish = compare;
	ck_assert_msg(scene_run(&s) == TW_OK, "%s", s.err.message);
	ck_assert_int_eq(n_compared, s.as_made->n_data);
	scene_finish(&s);
}
END_TEST

START_TEST(handles_on_accelerators_at_the_start_are_refused)
{
	struct scene s;
	scene_init(&s, &(struct scene_words){.workload = WORKLOAD, .emulate = memories[0], .cpus = 1});
	set_place(s.graph, TW__HOME, 3, 1);
	ck_assert_int_eq(scene_run(&s), TW_INVALID);
	ck_assert_str_eq(s.err.message, "engine 'real': data 3 starts in 'GPU0': expected main memory");
	scene_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ends");
	TCase *cases = tcase_create("ends");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, handles_are_where_they_must_be, 0, N_RUNS);
	tcase_add_test(cases, handles_on_accelerators_at_the_start_are_refused);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
