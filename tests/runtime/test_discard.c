/* Handles that nobody needs after their last tasks: their copies lose their content without a write-back. */
#include <stdlib.h>
#include <string.h>

#include "world.h"

/* A GPU and a core, behind a link of 1 GB/s without latency. */
static const char one_gpu[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'>"
	"<host id='C' speed='1Gf' core='4'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
	"<host id='G' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
	"<link id='p' bandwidth='1GBps' latency='0' sharing_policy='SPLITDUPLEX'/>"
	"<route src='RAM' dst='G'><link_ctn id='p' direction='DOWN'/></route></zone></platform>\n";
enum { MB = 1000000 };

enum hint { NO_HINT, HINT_FOR_ALL, HINT_BEFORE_ACCESSES, N_HINTS };

/* A chain on the GPU: task i reads handle i and writes handle i + 1, of 10 MB each, in a memory for three of them. */
static void make_chain(struct world *w, int n, enum hint hint)
{
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, one_gpu, &(struct tw__platform_choice){.cpus = 0, .gpus = 1, .gpu_mem_bytes = 30 * MB});
	w->graph = tw_graph_create();
	for (int d = 0; d <= n; d++) {
		tw_graph_data(w->graph, 10 * MB);
		if (hint == HINT_BEFORE_ACCESSES)
			tw_graph_discard(w->graph, d);
	}
	tw_graph_kernel(w->graph, "work", "1", "s", 1);
	for (int t = 0; t < n; t++)
		tw_graph_submit(w->graph, 0, 0, (struct tw_access[]){{t, TW_R}, {t + 1, TW_W}}, 2);
	for (int d = 0; d <= n && hint == HINT_FOR_ALL; d++)
		tw_graph_discard(w->graph, d);
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (const double[]){1e-3, 1e-3});
}

/* Without hints, each written handle is written back when the third one behind it needs room. */
START_TEST(a_chain_of_discarded_handles_moves_nothing_but_its_first)
{
	enum { N = 20 };
	struct world w;
	make_chain(&w, N, (enum hint)_i);
	struct outcome o = world_must_run(&w, &(struct setting){.keep_record = true}, "a chain");
	int moved = 0, invalid = 0;
	for (size_t i = 0; i < o.n_events; i++) {
		moved += o.events[i].kind == TW__TRANSFER_END;
		invalid += o.events[i].kind == TW__INVALID && o.events[i].node == 1;
	}
	if (_i == NO_HINT) {
		ck_assert_int_gt(o.counters.evictions, 10);
		ck_assert_int_gt(moved, 10);
	} else {
		ck_assert_int_eq(o.counters.evictions, 0);
		ck_assert_int_eq(moved, 1);       /* handle 0, to the GPU */
		ck_assert_int_eq(invalid, N + 1); /* each handle, on the GPU */
	}
	free(o.events);
	world_finish(&w);
}
END_TEST

/* Two readers of one handle on the GPU: it stays until both have ended, and main memory loses it, too. */
START_TEST(a_handle_stays_until_its_last_reader_has_ended)
{
	struct tw_error err = {""};
	struct world w = {0};
	world_platform(&w, one_gpu, &(struct tw__platform_choice){.cpus = 0, .gpus = 1, .gpu_mem_bytes = 30 * MB});
	w.graph = tw_graph_create();
	tw_graph_data(w.graph, 10 * MB);
	tw_graph_kernel(w.graph, "work", "1", "s", 1);
	tw_graph_discard(w.graph, 0);
	for (int t = 0; t < 2; t++)
		tw_graph_submit(w.graph, 0, 0, &(struct tw_access){0, TW_R}, 1);
	ck_assert_msg(tw_graph_finish(w.graph, &err) == TW_OK, "%s", err.message);
	world_times(&w, (const double[]){1e-3, 1e-3});
	struct outcome o = world_must_run(&w, &(struct setting){.keep_record = true}, "two readers");
	int released = 0, invalid = 0;
	for (size_t i = 0; i < o.n_events; i++) {
		const struct tw__event *e = &o.events[i];
		released += e->kind == TW__RELEASE;
		if (e->kind != TW__INVALID)
			continue;
		ck_assert_int_eq(released, 2);
		ck_assert_int_eq(e->date, 12000000); /* a transfer of 10 ms, and two tasks */
		invalid++;
	}
	ck_assert_int_eq(invalid, 2);
	free(o.events);
	world_finish(&w);
}
END_TEST

static void prefetch_dead(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	(void)state, (void)task, (void)worker;
	for (tw_data d = 0; d < tw_graph_n_data(tw_sched_graph(s)); d++)
		tw_prefetch_data(s, d, 0);
	for (tw_data d = 0; d < tw_graph_n_data(tw_sched_graph(s)); d++)
		tw_prefetch_data(s, d, tw_worker_node(s, 0));
}

/* A policy may ask for any handle at any time. */
START_TEST(prefetches_of_what_is_gone_do_nothing)
{
	struct world w;
	make_chain(&w, 10, HINT_FOR_ALL);
	struct tw_policy eager = *(const struct tw_policy *)tw__policies[0];
	for (int i = 0; tw__policies[i]; i++)
		if (strcmp(tw__policies[i]->name, "eager") == 0)
			eager = *tw__policies[i];
	eager.done = prefetch_dead;
	world_must_run(&w, &(struct setting){.own_policy = &eager}, "prefetches");
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("discarded handles");
	TCase *cases = tcase_create("handles");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, a_chain_of_discarded_handles_moves_nothing_but_its_first, 0, N_HINTS);
	tcase_add_test(cases, a_handle_stays_until_its_last_reader_has_ended);
	tcase_add_test(cases, prefetches_of_what_is_gone_do_nothing);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
