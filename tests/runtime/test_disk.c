/* Out of core: main memory is bounded, and a disk is its backing memory. */
#include <stdlib.h>
#include <string.h>

#include "world.h"

static const char node[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'>"
	"<host id='C' speed='1Gf' core='3'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
	"<host id='G0' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
	"<host id='D' speed='1f'><prop id='role' value='disk'/></host>"
	"<link id='p0' bandwidth='1GBps' latency='10us'/><link id='sata' bandwidth='100MBps' latency='0s'/>"
	"<route src='RAM' dst='G0'><link_ctn id='p0'/></route><route src='RAM' dst='D'><link_ctn id='sata'/></route>"
	"</zone></platform>\n";

enum { MB = 1000000 };

/* The tasks of Cholesky on tiles of 4 MB take 1 ms on the GPU and 5 ms on a CPU. */
static void make(struct world *w, int nt, int cpus, int gpus, uint64_t ram_bytes, uint64_t gpu_bytes)
{
	struct tw_error err = {""};
	char workload[48], bound[32];
	double seconds[8];
	*w = (struct world){0};
	snprintf(bound, sizeof bound, "RAM=%llu", (unsigned long long)ram_bytes);
	world_platform(
		w, node,
		&(struct tw__platform_choice){
			.cpus = cpus, .gpus = gpus, .gpu_mem_bytes = gpu_bytes, .mem = ram_bytes > 0 ? bound : NULL});
	snprintf(workload, sizeof workload, "cholesky:nt=%d:nb=1000", nt);
	ck_assert_msg(tw__generate(&w->graph, workload, &err) == TW_OK, "%s", err.message);
	for (int k = 0; k < 4; k++)
		for (int a = 0; a < w->platform->n_archs; a++)
			seconds[k * w->platform->n_archs + a] = w->platform->archs[a].accelerator ? 1e-3 : 5e-3;
	world_times(w, seconds);
}

/* Main memory holds some of 36 tiles. */
START_TEST(less_main_memory_than_data)
{
	static const int tiles[] = {4, 6, 8, 12, 20, 35};
	static const char *const runtimes[] = {"ideal", "starpu:chunk_bytes=0"};
	struct world w;
	make(&w, 8, 2, 1, (uint64_t)tiles[_i] * 4 * MB, 16 * MB);
	for (int p = 0; tw__policies[p]; p++)
		for (int r = 0; r < 2; r++) {
			if ((p + r + _i) % world_every() != 0)
				continue;
			struct outcome o = world_must_run(
				&w, &(struct setting){.policy = tw__policies[p]->name, .runtime = runtimes[r]},
				"out of core");
			ck_assert_uint_gt(o.counters.transferred_bytes, 36 * 4 * MB);
		}
	world_finish(&w);
}
END_TEST

/* Only cards allocate in chunks. */
START_TEST(main_memory_needs_no_chunks)
{
	struct world w;
	make(&w, 4, 2, 0, 5 * 4 * MB, 0);
	world_must_run(&w, &(struct setting){.runtime = "starpu"}, "20 MB of main memory");
	world_finish(&w);
}
END_TEST

/* A tile goes from the disk to main memory and from there to the card. */
START_TEST(the_card_is_two_hops_from_the_disk)
{
	struct world w;
	make(&w, 1, 0, 1, 4 * MB, 4 * MB);
	struct tw__run_counters c = world_must_run(&w, &(struct setting){0}, "one task").counters;
	ck_assert_int_eq(c.transfers, 2);
	ck_assert_uint_eq(c.h2d_bytes, 4 * MB);
	ck_assert_double_eq_tol(tw__seconds(c.makespan), 40e-3 + 10e-6 + 4e-3 + 1e-3, 1e-9);
	world_finish(&w);
}
END_TEST

START_TEST(without_a_bound_the_disk_is_not_used)
{
	struct world w;
	make(&w, 1, 0, 1, 0, 4 * MB);
	ck_assert_int_eq(w.platform->n_nodes, 2);
	struct tw__run_counters c = world_must_run(&w, &(struct setting){0}, "one task").counters;
	ck_assert_int_eq(c.transfers, 1);
	world_finish(&w);
}
END_TEST

START_TEST(a_task_must_fit_into_main_memory)
{
	struct world w;
	make(&w, 3, 2, 1, 2 * 4 * MB, 16 * MB);
	struct outcome o = world_run(&w, &(struct setting){0});
	ck_assert_int_eq(o.status, TW_INVALID);
	ck_assert_msg(strstr(o.err.message, "needs 12 MB") && strstr(o.err.message, "'RAM'"), "%s", o.err.message);
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("disk");
	TCase *cases = tcase_create("disk");
	tcase_set_timeout(cases, 100);
	tcase_add_loop_test(cases, less_main_memory_than_data, 0, 6);
	tcase_add_test(cases, main_memory_needs_no_chunks);
	tcase_add_test(cases, the_card_is_two_hops_from_the_disk);
	tcase_add_test(cases, without_a_bound_the_disk_is_not_used);
	tcase_add_test(cases, a_task_must_fit_into_main_memory);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
