/* Nodes with more memories than a word has bits, and with many workers: up to 1000 memories and 500 cores. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { N_DATA = 40, MB = 1000000, N_TASKS = 400 };

/* The text of a platform.xml with cores, and GPUs with a link to main memory each. The caller frees it. */
static char *platform_text(int cores, int gpus)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	ck_assert_ptr_nonnull(out);
	fprintf(out, "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	             "<platform version='4.1'><zone id='z' routing='Full'>");
	fprintf(out, "<host id='C' speed='1Gf' core='%d'><prop id='arch' value='cpu'/></host>", cores);
	fprintf(out, "<host id='RAM' speed='1f'/>");
	for (int i = 0; i < gpus; i++)
		fprintf(out,
		        "<host id='G%d' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
		        "<link id='p%d' bandwidth='1GBps' latency='10us' sharing_policy='SPLITDUPLEX'/>"
		        "<route src='RAM' dst='G%d'><link_ctn id='p%d' direction='DOWN'/></route>",
		        i, i, i, i);
	fprintf(out, "</zone></platform>\n");
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static void make(struct world *w, int cpus, int gpus)
{
	*w = (struct world){0};
	char *text = platform_text(cpus + gpus, gpus);
	world_platform(w, text, &(struct tw__platform_choice){.cpus = cpus, .gpus = gpus, .gpu_mem_bytes = 3 * MB});
	free(text);
	w->graph = tw_graph_create();
	tw_graph_kernel(w->graph, "work", "1", "s", 1);
}

static void ready(struct world *w)
{
	struct tw_error err = {""};
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (const double[]){1e-3, 1e-3});
}

/* All memories read every handle, and some tasks write it. Memories hold three handles. */
START_TEST(many_memories)
{
	static const int gpus[] = {62, 63, 64, 129, 999};
	static const struct setting settings[] = {
		{"eager", "lru", "starpu:chunk_bytes=0:order=random"},
		{"lws", "lru", "starpu:chunk_bytes=0"},
		{"dmdas", "fifo", "starpu:chunk_bytes=0:contention=0:order=idle_time"},
		{"laheteroprio", "lru", "starpu:chunk_bytes=0"},
		{"laheteroprio:push=mc", "lru", "starpu:chunk_bytes=0"},
		{"darts", "darts", "ideal"},
	};
	struct world w;
	make(&w, 0, gpus[_i]);
	for (int d = 0; d < N_DATA; d++)
		tw_graph_data(w.graph, MB);
	for (int t = 0; t < N_TASKS; t++) {
		struct tw_access access[] = {{t % N_DATA, t % 7 ? TW_R : TW_RW}, {(t + 1 + t % 5) % N_DATA, TW_R}};
		ck_assert_int_ge(tw_graph_submit(w.graph, 0, t % 3, access, 2), 0);
	}
	ready(&w);
	/* darts is slow with many GPUs. */
	for (size_t s = 0; s < sizeof settings / sizeof *settings - (gpus[_i] > 200); s++)
		world_must_run(&w, &settings[s], settings[s].policy);
	world_finish(&w);
}
END_TEST

/* All workers sleep when the tasks become ready. They take the tasks in the order of their numbers. */
START_TEST(workers_go_on_by_their_numbers)
{
	static const char *const runtimes[] = {"ideal:order=id", "ideal:order=idle_time"};
	enum { CPUS = 500 };
	struct world w;
	make(&w, CPUS, 0);
	for (int t = 0; t < CPUS; t++)
		ck_assert_int_ge(tw_graph_submit(w.graph, 0, 0, NULL, 0), 0);
	ready(&w);
	struct outcome o =
		world_must_run(&w, &(struct setting){.runtime = runtimes[_i], .keep_record = true}, runtimes[_i]);
	int next = 0;
	for (size_t e = 0; e < o.n_events; e++)
		if (o.events[e].kind == TW__ASSIGN)
			ck_assert_int_eq(o.events[e].worker, next++);
	ck_assert_int_eq(next, CPUS);
	free(o.events);
	world_finish(&w);
}
END_TEST

/* A workload with phases of many and of few ready tasks, which read and write common handles. */
static void submit_waves(struct world *w)
{
	for (int d = 0; d < N_DATA; d++)
		tw_graph_data(w->graph, MB);
	for (int t = 0; t < N_TASKS; t++) {
		bool narrow = t / 100 % 2; /* each task depends on the one before */
		struct tw_access access[] = {{narrow ? 0 : t % N_DATA, narrow || t % 11 == 0 ? TW_RW : TW_R},
		                             {1 + (t + t % 5) % (N_DATA - 1), TW_R}};
		ck_assert_int_ge(tw_graph_submit(w->graph, 0, t % 3, access, 2 - (access[0].data == access[1].data)),
		                 0);
	}
}

/* Skipping pops in vain changes nothing: the record is the same, byte by byte, as with all pops. */
START_TEST(pops_in_vain_may_be_spared)
{
	static const char *const runtimes[] = {"starpu:chunk_bytes=0", "starpu:chunk_bytes=0:cpus_race=no",
	                                       "starpu:chunk_bytes=0:poll_cost=0", "ideal:order=id"};
	static const int sizes[][2] = {{150, 0}, {3, 60}, {65, 2}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct world w;
		int n_spare = 0;
		make(&w, sizes[i][0], sizes[i][1]);
		submit_waves(&w);
		ready(&w);
		for (int p = 0; tw__policies[p]; p++) {
			struct tw_policy asks_all = *tw__policies[p];
			if (!(asks_all.flags & TW_POP_ONLY_TAKES) && !asks_all.pops_in_vain)
				continue;
			n_spare++;
			if ((n_spare + _i + (int)i) % world_every() != 0)
				continue;
			asks_all.flags &= ~(unsigned)TW_POP_ONLY_TAKES;
			asks_all.pops_in_vain = NULL;
			struct setting spares = {.policy = asks_all.name, .runtime = runtimes[_i]};
			struct setting asks = spares;
			asks.own_policy = &asks_all; /* with the arguments of the original policy */
			struct outcome one = world_must_run(&w, &spares, asks_all.name);
			struct outcome other = world_must_run(&w, &asks, asks_all.name);
			ck_assert_msg(one.fingerprint == other.fingerprint,
			              "%s, %d cores, %d GPUs, %s: another schedule", asks_all.name, sizes[i][0],
			              sizes[i][1], runtimes[_i]);
		}
		ck_assert_int_ge(n_spare, 10);
		world_finish(&w);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("many");
	TCase *tests = tcase_create("many");
	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, many_memories, 0, 5);
	tcase_add_loop_test(tests, workers_go_on_by_their_numbers, 0, 2);
	tcase_add_loop_test(tests, pops_in_vain_may_be_spared, 0, 4);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
