/* The memory of a card: small data in chunks, large data outside of chunks, and transfers that evict. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

/* One GPU with 1 GB, behind a link of 1 GB/s and 10 us. */
static const char one_gpu[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'>"
	"<host id='C' speed='1Gf' core='4'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
	"<host id='G' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
	"<link id='p' bandwidth='1GBps' latency='10us' sharing_policy='SPLITDUPLEX'/>"
	"<route src='RAM' dst='G'><link_ctn id='p' direction='DOWN'/></route></zone></platform>\n";
enum { MB = 1000000, MIB = 1 << 20 };

static void start(struct world *w, int cpus, uint64_t memory_bytes, uint64_t data_bytes, int n_data)
{
	*w = (struct world){0};
	world_platform(w, one_gpu,
	               &(struct tw__platform_choice){.cpus = cpus, .gpus = 1, .gpu_mem_bytes = memory_bytes});
	w->graph = tw_graph_create();
	for (int d = 0; d < n_data; d++)
		tw_graph_data(w->graph, data_bytes);
}

static void finish(struct world *w, const double *seconds)
{
	struct tw_error err = {""};
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, seconds);
}

/* Tasks of 1 ms, which read one handle each. All handles have the same size. */
static void make(struct world *w, uint64_t memory_bytes, uint64_t data_bytes, int n_data, const tw_data *read, int n)
{
	start(w, 0, memory_bytes, data_bytes, n_data);
	tw_graph_kernel(w->graph, "work", "1", "s", 1);
	for (int t = 0; t < n; t++)
		tw_graph_submit(w->graph, 0, 0, &(struct tw_access){read[t], TW_R}, 1);
	finish(w, (const double[]){1e-3, 1e-3});
}

/* A memory of 2 1/2 chunks. */
static const struct {
	uint64_t data_bytes;
	int n_fit;
} sizes[] = {
	{20 * MIB, 4}, /* one allocation each */
	{4 * MIB, 16}, /* eight in a chunk */
	{3 * MIB, 20}, /* ten in a chunk */
	{40 * MIB, 2}, {5 * MIB, 16},
};

START_TEST(data_of_their_own_take_what_is_no_whole_chunk)
{
	int n_fit = sizes[_i].n_fit;
	for (int too_many = 0; too_many < 2; too_many++) {
		tw_data *read = malloc((size_t)(2 * n_fit) * sizeof *read);
		for (int t = 0; t < 2 * n_fit; t++)
			read[t] = t % (n_fit + too_many);
		struct world w;
		make(&w, 80 * MIB, sizes[_i].data_bytes, n_fit + too_many, read, 2 * n_fit);
		struct tw__run_counters c = world_must_run(&w, &(struct setting){.runtime = "starpu"}, "fit").counters;
		ck_assert_msg(too_many ? c.evictions > 0 : c.evictions == 0, "%d evictions", (int)c.evictions);
		ck_assert(too_many || c.loads == n_fit);
		world_finish(&w);
		free(read);
	}
}
END_TEST

static int tell_what_fits(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)state;
	return tw_fail(err, TW_FAILED, "%s", tw_node_holds_all(s, tw_worker_node(s, 0)) ? "all" : "not all");
}

static void push_nothing(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)s, (void)state, (void)task, (void)released_by;
}

static tw_task pop_nothing(struct tw_sched *s, void *state, tw_worker worker)
{
	(void)s, (void)state, (void)worker;
	return TW_NONE;
}

static const struct tw_policy telling = {.abi = TW_POLICY_ABI,
                                         .name = "telling",
                                         .summary = "",
                                         .init = tell_what_fits,
                                         .push = push_nothing,
                                         .pop = pop_nothing};

START_TEST(policies_are_told_whether_all_data_fit)
{
	for (int too_many = 0; too_many < 2; too_many++) {
		struct world w;
		make(&w, 80 * MIB, sizes[_i].data_bytes, sizes[_i].n_fit + too_many, (const tw_data[]){0}, 1);
		struct outcome o = world_run(&w, &(struct setting){.own_policy = &telling, .runtime = "starpu"});
		ck_assert_str_eq(o.err.message, too_many ? "not all" : "all");
		world_finish(&w);
	}
}
END_TEST

/* The accumulators of both cores and of the GPU count as data. */
START_TEST(accumulators_have_to_fit_with_all_data)
{
	for (int too_little = 0; too_little < 2; too_little++) {
		struct world w;
		start(&w, 2, 4 * 40 * MIB - (uint64_t)too_little, 40 * MIB, 1);
		tw_graph_kernel(w.graph, "add", "1", "s", 1);
		tw_graph_kernel(w.graph, "combine", "1", "s", 1);
		tw_graph_reduction(w.graph, 0, 1);
		tw_graph_submit(w.graph, 0, 0, &(struct tw_access){0, TW_REDUX}, 1);
		finish(&w, (const double[]){1e-3, 1e-3, 1e-3, 1e-3});
		struct outcome o = world_run(&w, &(struct setting){.own_policy = &telling, .runtime = "starpu"});
		ck_assert_str_eq(o.err.message, too_little ? "not all" : "all");
		world_finish(&w);
	}
}
END_TEST

START_TEST(memory_smaller_than_a_chunk_holds_no_small_data)
{
	struct world w;
	make(&w, 31 * MIB, 4 * MIB, 1, (const tw_data[]){0}, 1);
	struct outcome o = world_run(&w, &(struct setting){.runtime = "starpu"});
	ck_assert_int_eq(o.status, TW_INVALID);
	ck_assert_msg(strstr(o.err.message, "whole chunks"), "%s", o.err.message);
	world_finish(&w);
	make(&w, 31 * MIB, 5 * MIB, 1, (const tw_data[]){0}, 1);
	world_must_run(&w, &(struct setting){.runtime = "starpu"}, "greater data");
	world_finish(&w);
}
END_TEST

/* Eight handles of 4 MB fit. The ninth is requested when the eighth has landed and the first kernel that reads it
 * starts. Its transfer of 4.01 ms begins then, or, with eviction_waits=yes, when that kernel has ended. It does
 * not wait for later kernels. */
static const struct {
	const char *runtime;
	int n_kernels;
	double waited_s;
} waits[] = {
	{"ideal:gpu_pipeline=5", 3, 0},
	{"ideal:gpu_pipeline=5:eviction_waits=yes", 1, 1e-3},
	{"ideal:gpu_pipeline=5:eviction_waits=yes", 3, 1e-3},
	{"ideal:gpu_pipeline=2:eviction_waits=yes", 1, 1e-3},
	{"ideal:gpu_pipeline=5:eviction_waits=yes:chunk_bytes=4100000:chunk_data_bytes=4MB", 3, 0},
};

START_TEST(an_eviction_waits_for_the_kernel_that_runs)
{
	enum { FIT = 8 };
	tw_data read[FIT + 3];
	int n = 0;
	while (n < FIT + waits[_i].n_kernels - 1) {
		read[n] = n < FIT ? n : FIT - 1;
		n++;
	}
	read[n++] = FIT;
	struct world w;
	make(&w, FIT * 4100000, 4 * MB, FIT + 1, read, n);
	struct tw__run_counters c =
		world_must_run(&w, &(struct setting){.runtime = waits[_i].runtime}, waits[_i].runtime).counters;
	ck_assert_double_eq_tol(tw__seconds(c.makespan), FIT * 4.01e-3 + waits[_i].waited_s + 4.01e-3 + 1e-3, 1e-9);
	ck_assert_int_eq(c.loads, FIT + 1);
	ck_assert_int_eq(c.evictions, 1);
	world_finish(&w);
}
END_TEST

/* The card reads handle 0, a core writes it, and then the card reads two others. The card has room for two handles. */
START_TEST(an_overwritten_copy_keeps_its_room_until_that_is_needed)
{
	bool keeps = _i;
	struct world w;
	start(&w, 1, 2 * 4100000, 4 * MB, 3);
	enum { ON_CARD, ON_CORE };
	tw_graph_kernel(w.graph, "on_card", "1", "s", 1);
	tw_graph_kernel(w.graph, "on_core", "1", "s", 1);
	tw_graph_submit(w.graph, ON_CARD, 0, (struct tw_access[]){{0, TW_R}}, 1);
	tw_graph_submit(w.graph, ON_CORE, 0, (struct tw_access[]){{0, TW_RW}, {1, TW_RW}, {2, TW_RW}}, 3);
	tw_graph_submit(w.graph, ON_CARD, 0, (struct tw_access[]){{1, TW_R}}, 1);
	tw_graph_submit(w.graph, ON_CARD, 0, (struct tw_access[]){{2, TW_R}}, 1);
	double seconds[4];
	for (int k = 0; k < 2; k++)
		for (int a = 0; a < 2; a++)
			seconds[2 * k + a] = w.platform->archs[a].accelerator == (k == ON_CARD) ? 1e-3 : (double)NAN;
	finish(&w, seconds);
	const char *runtime = keeps ? "ideal:keeps_invalid=yes" : "ideal";
	struct tw__run_counters c = world_must_run(&w, &(struct setting){.runtime = runtime}, runtime).counters;
	ck_assert_int_eq(c.loads, 3);
	ck_assert_int_eq(c.evictions, keeps); /* the victim is the overwritten copy, which is the oldest */
	ck_assert_int_eq(c.writebacks, 0);
	world_finish(&w);
}
END_TEST

/* The card reads some handles and writes others, without evictions. */
static const struct {
	int n_read, n_written;
	const char *runtime;
	int writebacks;
} tidying[] = {
	{0, 20, "ideal", 0},
	{0, 20, "ideal:clean_low=0.5:clean_high=0.5", 10},
	{10, 10, "ideal:clean_low=0.5:clean_high=0.5", 0}, /* handles that are only read are clean */
	{4, 16, "ideal:clean_low=0.5:clean_high=0.5", 6},
};

START_TEST(copies_go_home_until_enough_of_them_are_clean)
{
	enum { SIZE = 4 * MB };
	int n_read = tidying[_i].n_read, n = n_read + tidying[_i].n_written;
	struct world w;
	start(&w, 0, 40 * SIZE, SIZE, n);
	tw_graph_kernel(w.graph, "work", "1", "s", 1);
	for (int d = 0; d < n; d++)
		tw_graph_submit(w.graph, 0, 0, &(struct tw_access){d, d < n_read ? TW_R : TW_W}, 1);
	for (int t = 0; t < 100; t++) /* time for the write-backs */
		tw_graph_submit(w.graph, 0, 0, &(struct tw_access){n - 1, TW_R}, 1);
	finish(&w, (const double[]){1e-3, 1e-3});
	struct tw__run_counters c =
		world_must_run(&w, &(struct setting){.runtime = tidying[_i].runtime}, tidying[_i].runtime).counters;
	ck_assert_int_eq(c.writebacks, tidying[_i].writebacks);
	ck_assert_int_eq(c.evictions, 0);
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("runtime: memory of cards");
	TCase *cases = tcase_create("card memory");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, data_of_their_own_take_what_is_no_whole_chunk, 0, sizeof sizes / sizeof *sizes);
	tcase_add_loop_test(cases, policies_are_told_whether_all_data_fit, 0, sizeof sizes / sizeof *sizes);
	tcase_add_test(cases, accumulators_have_to_fit_with_all_data);
	tcase_add_test(cases, memory_smaller_than_a_chunk_holds_no_small_data);
	tcase_add_loop_test(cases, an_eviction_waits_for_the_kernel_that_runs, 0, sizeof waits / sizeof *waits);
	tcase_add_loop_test(cases, an_overwritten_copy_keeps_its_room_until_that_is_needed, 0, 2);
	tcase_add_loop_test(cases, copies_go_home_until_enough_of_them_are_clean, 0, sizeof tidying / sizeof *tidying);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
