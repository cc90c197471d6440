/* All policies end with valid schedules when the cards' memories are barely large enough. */
#include <stdlib.h>

#include <tilewright/data_list.h>

#include "world.h"

static const uint64_t tile = 960 * 960 * 4;

/* Runs all policies with memories of `tiles` tiles and `extra` bytes. EVERY (see world.h) leaves out policies, in each
 * case others. */
static void all_policies(int number, int nt, int gpus, uint64_t tiles, uint64_t extra, const char *eviction,
                         const char *runtime)
{
	struct world w = {0};
	char workload[32], what[64];
	snprintf(workload, sizeof workload, "cholesky:nt=%d", nt);
	snprintf(what, sizeof what, "%s on %d GPUs of %d tiles", workload, gpus, (int)tiles);
	world_mirage(&w, 2, gpus, tiles * tile + extra, workload);
	for (int p = 0; tw__policies[p]; p++)
		if ((p + number) % world_every() == 0)
			world_must_run(&w,
			               &(struct setting){.policy = tw__policies[p]->name,
			                                 .eviction = eviction,
			                                 .runtime = runtime,
			                                 .seed = (uint64_t)nt},
			               what);
	world_finish(&w);
}

/* gemm needs three tiles. */
static const struct {
	int nt, gpus;
	uint64_t tiles, extra;
	const char *eviction, *runtime;
} cases[] = {
	{6, 3, 3, 0, "lru", "ideal"},
	{6, 3, 3, 0, "fifo", "starpu:chunk_bytes=0"},
	{8, 2, 3, 1, "lru", "starpu:chunk_bytes=0:reclaim_copies=1"},
	{8, 1, 3, 0, "fifo", "ideal:gpu_pipeline=5"},
	{8, 3, 4, 0, "lru", "ideal:idle_write_back=yes:prefetch_evicts=yes"},
	{9, 3, 4, 100, "fifo", "starpu:chunk_bytes=0"},
	{10, 3, 5, 0, "lru", "ideal:order=random:gpu_pipeline=4:demand_limit=4:conflicts=gpu_pair"},
	{10, 2, 6, 0, "fifo", "ideal:prefetch_evicts=yes:prefetch_limit=3"},
	{10, 3, 7, 0, "lru", "starpu:chunk_bytes=0:order=random"},
	{12, 3, 10, 0, "fifo", "ideal:window=20"},
	{12, 3, 10, 0, "lru", "starpu"}, /* one chunk */
	{12, 3, 18, 0, "fifo", "starpu:reclaim_blocks=no"},
	{12, 2, 20, 0, "lru", "starpu:prefetch_evicts=no:window=30"},
	{12, 3, 40, 0, "fifo", "starpu:idle_write_back=no"},
};

START_TEST(hardly_enough_memory)
{
	all_policies(_i, cases[_i].nt, cases[_i].gpus, cases[_i].tiles, cases[_i].extra, cases[_i].eviction,
	             cases[_i].runtime);
}
END_TEST

START_TEST(memory_without_bound) { all_policies(_i, 8, 3, 0, 0, "lru", _i ? "starpu" : "ideal"); }
END_TEST

START_TEST(without_cpus_and_without_gpus)
{
	struct world w = {0};
	world_mirage(&w, 0, 2, 4 * tile, "cholesky:nt=8");
	for (int p = 0; tw__policies[p]; p++) {
		struct outcome o = world_must_run(&w, &(struct setting){.policy = tw__policies[p]->name}, "GPUs alone");
		ck_assert_int_eq(o.counters.gpu_tasks, o.counters.tasks);
	}
	world_finish(&w);
	world_mirage(&w, 3, 0, 0, "cholesky:nt=8");
	for (int p = 0; tw__policies[p]; p++) {
		struct outcome o = world_must_run(&w, &(struct setting){.policy = tw__policies[p]->name}, "CPUs alone");
		ck_assert_int_eq(o.counters.gpu_tasks, 0);
		ck_assert_int_eq(o.counters.transfers, 0);
	}
	world_finish(&w);
}
END_TEST

/* --- what an eviction policy is told ----------------------------------------------------------------------------- */

/* Checks that the lists of possible victims have exactly the handles for which tw_may_evict holds, and that the victim
 * of the ordered list is the first of these. */
static tw_data sceptic_victim(struct tw_sched *s, void *state, tw_node n, const struct tw_victim_query *query)
{
	const struct tw_data_lists *lists = state;
	int32_t found = 0, listed = 0;
	for (tw_data d = 0; d < tw_graph_n_data(tw_sched_graph(s)); d++)
		found += tw_may_evict(query, d);
	for (unsigned k = 0; query->of_kind && query->kinds >> k; k++)
		for (int32_t i = 0; query->kinds >> k & 1 && i < query->of_kind[k].n; i++) {
			ck_assert_uint_eq(query->kind[query->of_kind[k].data[i]], k);
			listed++;
		}
	ck_assert_int_eq(found, query->n);
	ck_assert_int_eq(listed, query->of_kind ? query->n : 0);
	tw_data first = TW_NONE;
	for (int32_t i = lists->of[n].begin; i < lists->of[n].end && first == TW_NONE; i++)
		if (tw_may_evict(query, lists->of[n].slots[i]))
			first = lists->of[n].slots[i];
	ck_assert_int_eq(tw_data_list_victim(lists, n, query), first);
	struct tw_victim_query few = *query; /* claims few victims, so that the search looks only at those */
	few.n = 0;
	ck_assert_int_eq(tw_data_list_victim(lists, n, &few), first);
	return first;
}

START_TEST(what_may_leave_is_told_whole)
{
	static const struct tw_eviction sceptic = {.name = "sceptic",
	                                           .state_size = sizeof(struct tw_data_lists),
	                                           .init = tw_age_order_init,
	                                           .loaded = tw_age_order_loaded,
	                                           .evicted = tw_age_order_evicted,
	                                           .victim = sceptic_victim};
	struct world w = {0};
	world_mirage(&w, 2, 3, (uint64_t)(_i + 1) * 7 * tile, "cholesky:nt=12");
	world_must_run(&w,
	               &(struct setting){.policy = "dmdas",
	                                 .own_eviction = &sceptic,
	                                 .runtime = _i % 2 ? "starpu" : "ideal:prefetch_evicts=yes"},
	               "sceptic");
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pressure");
	TCase *tests = tcase_create("pressure");
	tcase_set_timeout(tests, 100);
	tcase_add_loop_test(tests, hardly_enough_memory, 0, (int)(sizeof cases / sizeof cases[0]));
	tcase_add_loop_test(tests, memory_without_bound, 0, 2);
	tcase_add_test(tests, without_cpus_and_without_gpus);
	tcase_add_loop_test(tests, what_may_leave_is_told_whole, 0, 4);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
