/* Numbers of tasks that a node with GPUs needs: equations 4.1 to 4.6 of Augonnet 2011, section 4.3.3.
 *
 * N equal, independent tasks run on k_gpu GPUs and k_cpu cores. A task takes 1 on a GPU, s on one core, and s / k_cpu
 * on all cores together. The policy gives each task to the workers that end it first. For such tasks no schedule is
 * shorter, which is checked against all ways to share them out. So the runs tell what holds for every schedule:
 *
 * - (4.1), (4.2): cores do not shorten the run as long as the GPUs alone take s (s / k_cpu) or less. Both hold. Past
 *   that limit cores help with the first task more, but not with every number of tasks.
 * - (4.3) to (4.6) are the least N for which "all processing units" are used: no worker is idle before the slowest has
 *   ended its first task. (4.4) to (4.6) hold for all s >= 1. (4.3) has no ceiling, as (4.4) has: if s is no whole
 *   number, it needs k_gpu * ceil(s) + k_cpu tasks. Then (4.6) can also be more than (4.3) as printed, although
 *   the thesis says that it is better. With whole s it is never more, and equal for s = 1 or one core alone. */
#include <math.h>
#include <string.h>

#include "two_gpus.h"

#define GPU(n)                                                                                              \
	"<host id='G" n "' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>" \
	"<route src='RAM' dst='G" n "'><link_ctn id='bus'/></route>"
static const char node[] =
	LINES("<host id='C' speed='1Gf' core='16'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
              "<link id='bus' bandwidth='1GBps' latency='0s'/>" GPU("0") GPU("1") GPU("2") GPU("3"));

enum { GPU_S = 12 }; /* seconds of a task on a GPU: on up to 12 cores, times are whole nanoseconds */

static const struct size {
	double s;
	int k_gpu, k_cpu;
	/* The least N for which cores shorten the run, each alone and all together: by hand from (4.1) and (4.2). */
	int useful, useful_together;
	/* The least N for which no worker is idle before the slowest ends its first task; (4.3) as printed. */
	int all, all_together;
	double printed;
} sizes[] = {
	/* the example of the thesis: (4.1) ceil(12/3) <= 4; (4.3) 3*4+12; (4.5) 3+12/4 */
	{4, 3, 12, 13, 1, 24, 6, 24},
	/* (4.2) ceil(6/3) <= 4/2; (4.3) 3*4+2; (4.4) 3*4/2+1 */
	{4, 3, 2, 13, 7, 14, 7, 14},
	/* all cores are as fast as a GPU: (4.4) and (4.5) are both 3+1 */
	{4, 3, 4, 13, 4, 16, 4, 16},
	/* one core; one GPU */
	{4, 3, 1, 13, 13, 13, 13, 13},
	{6, 1, 3, 7, 3, 9, 3, 9},
	/* cores as fast as GPUs: (4.3) and (4.6) are the same */
	{1, 2, 3, 3, 1, 5, 5, 5},
	/* the cores end the third task after the GPUs: (4.5) 3+ceil(12/5) */
	{5, 3, 12, 16, 1, 27, 6, 27},
	/* the GPUs end after the parallel task: (4.4) 3*ceil(5/2)+1. It helps from 3*2+1 tasks on, but then the GPUs
           wait for it */
	{5, 3, 2, 16, 7, 17, 10, 17},
	/* s is no whole number: 3*3+2, where (4.3) has 3*2.5+2; 4*3+1 for both, where (4.3) has 4*2.5+1 */
	{2.5, 3, 2, 7, 4, 11, 7, 9.5},
	{2.5, 4, 1, 9, 9, 13, 13, 11},
	/* the CFD kernel of section 7.7.2: cores are 30 to 40 times slower; 12 of them run a parallel task, and each of
           3 GPUs has 4 tasks meanwhile */
	{30, 3, 12, 91, 7, 102, 10, 102},
	{40, 3, 12, 121, 10, 132, 13, 132},
};
#define N_SIZES ((int)(sizeof sizes / sizeof *sizes))

enum use { GPUS_ALONE, SINGLE_CORES, CORES_TOGETHER };

/* --- as in the thesis --------------------------------------------------------------------------------------------- */

static bool forbids_cores(const struct size *z, int n) { return ceil((double)n / z->k_gpu) <= z->s; } /* 4.1 */
static bool forbids_together(const struct size *z, int n)
{
	return ceil((double)n / z->k_gpu) <= z->s / z->k_cpu;
} /* 4.2 */
static double equation_4_3(const struct size *z) { return z->k_gpu * z->s + z->k_cpu; }
static double equation_4_4(const struct size *z) { return z->k_gpu * ceil(z->s / z->k_cpu) + 1; }
static double equation_4_5(const struct size *z) { return z->k_gpu * 1 + ceil(z->k_cpu / z->s); }
static double equation_4_6(const struct size *z) { return z->k_gpu * ceil(z->s / z->k_cpu) + ceil(z->k_cpu / z->s); }

/* Returns a task's time on one core, or on all together, where a GPU takes 1. */
static double on_cores(const struct size *z, enum use use) { return use == CORES_TOGETHER ? z->s / z->k_cpu : z->s; }

/* Returns the least makespan of all ways to share n tasks out. */
static double least(const struct size *z, enum use use, int n)
{
	const int units = use == GPUS_ALONE ? 0 : use == CORES_TOGETHER ? 1 : z->k_cpu;
	double best = ceil((double)n / z->k_gpu);
	for (int m = 1; m <= n && units; m++)
		best = fmin(best, fmax(ceil((double)(n - m) / z->k_gpu), ceil((double)m / units) * on_cores(z, use)));
	return best;
}

/* --- as simulated ------------------------------------------------------------------------------------------------- */

static void make(struct world *w, const struct size *z, enum use use, int n)
{
	struct tw_error err = {""};
	double seconds[20];
	*w = (struct world){0};
	world_platform(w, node,
	               &(struct tw__platform_choice){.cpus = use == GPUS_ALONE ? 0 : z->k_cpu,
	                                             .gpus = z->k_gpu,
	                                             .max_parallelism = use == CORES_TOGETHER ? z->k_cpu : 0});
	w->graph = tw_graph_create();
	tw_kernel kernel = tw_graph_kernel(w->graph, "work", "1", "s", 1);
	for (int i = 0; i < n; i++)
		tw_graph_submit(w->graph, kernel, 0, NULL, 0);
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	ck_assert_int_le(w->platform->n_archs, 20);
	for (tw_arch a = 0; a < w->platform->n_archs; a++) {
		const struct tw__arch *arch = &w->platform->archs[a];
		seconds[a] = arch->accelerator ? GPU_S : GPU_S * z->s / arch->cores;
	}
	world_times(w, seconds);
}

/* Whether no worker is idle before the slowest ends its first task. */
static bool all_are_used(const struct world *w, const struct outcome *o, double slowest)
{
	const tw__ns until = tw__ns_of(slowest * GPU_S);
	tw__ns start[140] = {0}, busy[20] = {0};
	bool runs[20][140] = {{false}}, used = true;
	for (size_t i = 0; i < o->n_events; i++) {
		const struct tw__event *e = &o->events[i];
		if (e->kind == TW__ASSIGN || e->kind == TW__JOIN)
			runs[e->worker][e->task] = true;
		if (e->kind == TW__START)
			start[e->task] = e->date;
		for (tw_worker k = 0; k < w->platform->n_workers && e->kind == TW__END; k++)
			if (runs[k][e->task] && start[e->task] < until)
				busy[k] += (e->date < until ? e->date : until) - start[e->task];
	}
	for (tw_worker k = 0; k < w->platform->n_workers; k++)
		used &= busy[k] == until;
	return used;
}

/* Returns the makespan, relative to a task's time on a GPU. */
static double simulate(const struct size *z, enum use use, int n, bool *all_used)
{
	struct world w;
	make(&w, z, use, n);
	struct outcome o =
		world_run(&w, &(struct setting){.policy = "parallel_heft", .keep_record = true, .once = true});
	ck_assert_msg(o.status == TW_OK, "%s", o.err.message);
	*all_used = all_are_used(&w, &o, fmax(1, on_cores(z, use)));
	free(o.events);
	world_finish(&w);
	ck_assert_msg(o.counters.makespan == tw__ns_of(least(z, use, n) * GPU_S), "%g %d %d, N = %d: %g s, not %g",
	              z->s, z->k_gpu, z->k_cpu, n, tw__seconds(o.counters.makespan), least(z, use, n) * GPU_S);
	return tw__seconds(o.counters.makespan) / GPU_S;
}

/* Runs 1, 2, ... tasks until all workers are used, and returns that number of tasks. Sets `*useful` to the first number
 * for which the cores shorten the run. */
static int grow(const struct size *z, enum use use, int *useful)
{
	bool all_used = false, ignored;
	int n = 0;
	*useful = 0;
	while (!all_used && ++n < 140) {
		double alone = simulate(z, GPUS_ALONE, n, &ignored), with = simulate(z, use, n, &all_used);
		bool forbidden = use == CORES_TOGETHER ? forbids_together(z, n) : forbids_cores(z, n);
		ck_assert_msg(!forbidden || with == alone, "%g %d %d: %d tasks", z->s, z->k_gpu, z->k_cpu, n);
		if (!*useful && with < alone) {
			*useful = n;
			ck_assert(!forbidden);
		}
	}
	return n;
}

START_TEST(single_cores)
{
	const struct size *z = &sizes[_i];
	int useful, all = grow(z, SINGLE_CORES, &useful);
	ck_assert_int_eq(useful, z->useful);
	ck_assert_int_eq(all, z->all);
	ck_assert(equation_4_3(z) == z->printed);
	ck_assert(all == z->k_gpu * ceil(z->s) + z->k_cpu);
}
END_TEST

START_TEST(cores_together)
{
	const struct size *z = &sizes[_i];
	int useful, all = grow(z, CORES_TOGETHER, &useful);
	ck_assert_int_eq(useful, z->useful_together);
	ck_assert_int_eq(all, z->all_together);
	ck_assert(all == equation_4_6(z));
	ck_assert(z->s / z->k_cpu < 1 || all == equation_4_4(z));
	ck_assert(z->s / z->k_cpu > 1 || all == equation_4_5(z));
}
END_TEST

/* 10 tasks, s = 4, 12 cores, 3 GPUs: 10/3 <= 4, but 10/3 > 4/12. By 2, GPUs end 6 tasks and the cores together 4. */
START_TEST(the_example)
{
	bool ignored;
	ck_assert(simulate(&sizes[0], GPUS_ALONE, 10, &ignored) == 4);
	ck_assert(simulate(&sizes[0], SINGLE_CORES, 10, &ignored) == 4);
	ck_assert(simulate(&sizes[0], CORES_TOGETHER, 10, &ignored) == 2);
}
END_TEST

/* One core runs one of 15 tasks while the GPUs need 5 for 14 as for 15: (4.1) forbids no cores, but they are useless.
 * With 13 tasks, GPUs alone need 5, and 4 for 12. */
START_TEST(past_the_limit_cores_may_not_help)
{
	const struct size *z = &sizes[3];
	bool ignored;
	ck_assert(!forbids_cores(z, 15));
	ck_assert(simulate(z, SINGLE_CORES, 15, &ignored) == 5 && simulate(z, GPUS_ALONE, 15, &ignored) == 5);
	ck_assert(simulate(z, SINGLE_CORES, 13, &ignored) == 4 && simulate(z, GPUS_ALONE, 13, &ignored) == 5);
}
END_TEST

START_TEST(the_last_equation_is_never_worse_with_whole_s)
{
	for (int s = 1; s <= 50; s++)
		for (int k_gpu = 1; k_gpu <= 8; k_gpu++)
			for (int k_cpu = 1; k_cpu <= 64; k_cpu++) {
				struct size z = {.s = s, .k_gpu = k_gpu, .k_cpu = k_cpu};
				ck_assert(s == 1 || k_cpu == 1 ? equation_4_6(&z) == equation_4_3(&z)
				                               : equation_4_6(&z) < equation_4_3(&z));
			}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sizing");
	TCase *cases = tcase_create("sizing");
	tcase_set_timeout(cases, 0);
	tcase_add_loop_test(cases, single_cores, 0, N_SIZES);
	tcase_add_loop_test(cases, cores_together, 0, N_SIZES);
	tcase_add_test(cases, the_example);
	tcase_add_test(cases, past_the_limit_cores_may_not_help);
	tcase_add_test(cases, the_last_equation_is_never_worse_with_whole_s);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
