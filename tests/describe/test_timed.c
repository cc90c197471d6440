/* Descriptions on a platform whose measures are known: times by arch, running tasks by time, transfers. */
#include <math.h>
#include <string.h>

#include "describe/timed.h"
#include "world.h"

enum { MB = 1000000 };

/* Cores, a GPU behind 1 GB/s and 10 us, and one of another arch behind 0.5 GB/s and 30 us. */
static const char platform[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'>"
	"<host id='C' speed='1Gf' core='4'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
	"<host id='G' speed='1Gf'><prop id='arch' value='fast'/><prop id='memory' value='1GB'/></host>"
	"<host id='H' speed='1Gf'><prop id='arch' value='slow'/><prop id='memory' value='1GB'/></host>"
	"<link id='p' bandwidth='1GBps' latency='10us' sharing_policy='SPLITDUPLEX'/>"
	"<link id='q' bandwidth='500MBps' latency='30us' sharing_policy='SPLITDUPLEX'/>"
	"<route src='RAM' dst='G'><link_ctn id='p' direction='DOWN'/></route>"
	"<route src='RAM' dst='H'><link_ctn id='q' direction='DOWN'/></route></zone></platform>\n";

/* One task writes a handle of 1 MB, `width` tasks read it and write their own of 2 MB, and one task reads these. The
 * first and the last are of kernel 0, the others of kernel 1. */
static void fork_join(struct world *w, int cpus, int gpus, int width)
{
	struct tw_access all[8];
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, platform, &(struct tw__platform_choice){.cpus = cpus, .gpus = gpus});
	w->graph = tw_graph_create();
	tw_kernel ends = tw_graph_kernel(w->graph, "ends", "1", "s", 1);
	tw_kernel middle = tw_graph_kernel(w->graph, "middle", "1", "s", 1);
	tw_data first = tw_graph_data(w->graph, 1 * MB);
	tw_graph_submit(w->graph, ends, 0, &(struct tw_access){first, TW_W}, 1);
	for (int i = 0; i < width; i++) {
		all[i] = (struct tw_access){tw_graph_data(w->graph, 2 * MB), TW_R};
		tw_graph_submit(w->graph, middle, 0, (const struct tw_access[]){{first, TW_R}, {all[i].data, TW_W}}, 2);
	}
	tw_graph_submit(w->graph, ends, 0, all, width);
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
}

static struct tw__timed timed(const struct world *w)
{
	struct tw__timed d;
	tw__describe_timed(&d, w->graph, &w->times, w->platform);
	return d;
}

static const struct tw__on_arch *on(const struct tw__timed *d, const struct tw__platform *p, const char *name)
{
	for (int i = 0; i < d->n_archs; i++)
		if (strcmp(p->archs[d->on[i].arch].name, name) == 0)
			return &d->on[i];
	ck_abort_msg("no arch %s", name);
	return NULL;
}

static void set_times(struct world *w, double ends_cpu, double ends_fast, double ends_slow, double middle_cpu,
                      double middle_fast, double middle_slow)
{
	double seconds[2 * 3];
	for (tw_arch a = 0; a < w->platform->n_archs; a++) {
		char first = w->platform->archs[a].name[0];
		seconds[a] = first == 'c' ? ends_cpu : first == 'f' ? ends_fast : ends_slow;
		seconds[w->platform->n_archs + a] = first == 'c'   ? middle_cpu
		                                    : first == 'f' ? middle_fast
		                                                   : middle_slow;
	}
	world_times(w, seconds);
}

START_TEST(times_by_arch)
{
	struct world w;
	fork_join(&w, 2, 2, 5);
	set_times(&w, 1, NAN, 2, 10, 4, 7);
	struct tw__timed d = timed(&w);
	ck_assert_int_eq(d.n_archs, 3);
	const struct tw__on_arch *cpu = on(&d, w.platform, "cpu"), *fast = on(&d, w.platform, "fast"),
				 *slow = on(&d, w.platform, "slow");
	ck_assert_double_eq_tol(cpu->critical_path_s, 1 + 10 + 1, 1e-9);
	ck_assert_double_eq_tol(cpu->work_s, 1 + 50 + 1, 1e-9);
	ck_assert_int_eq(cpu->n_without_time, 0);
	ck_assert_int_eq(fast->n_without_time, 2);
	ck_assert_double_nan(fast->critical_path_s);
	ck_assert_double_nan(fast->work_s);
	ck_assert_double_eq_tol(slow->critical_path_s, 2 + 7 + 2, 1e-9);
	ck_assert_double_eq_tol(d.critical_path_s, 1 + 4 + 1, 1e-9); /* ends on cpu, middle on fast */
	ck_assert_double_eq_tol(d.work_s, 1 + 20 + 1, 1e-9);
	tw__timed_finish(&d);
	world_finish(&w);
}
END_TEST

/* Six seconds in 60 bins: one task in the first and in the last second, five tasks in between. */
START_TEST(running_tasks)
{
	struct world w;
	double sum = 0;
	fork_join(&w, 2, 2, 5);
	set_times(&w, 1, NAN, 2, 10, 4, 7);
	struct tw__timed d = timed(&w);
	ck_assert_int_eq(d.most_running, 5);
	for (int b = 0; b < TW__PARALLELISM_BINS; b++) {
		ck_assert_double_eq_tol(d.running[b], b < 10 || b >= 50 ? 1 : 5, 1e-6);
		sum += d.running[b];
	}
	ck_assert_double_eq_tol(sum * d.critical_path_s / TW__PARALLELISM_BINS, d.work_s, 1e-6);
	tw__timed_finish(&d);
	world_finish(&w);
}
END_TEST

/* Tasks of 1 s, 0.01 s and 1 s: dates that fall into bins, and tasks that lie in one bin. */
START_TEST(bins_divide_tasks)
{
	struct world w;
	double sum = 0;
	fork_join(&w, 1, 0, 7);
	set_times(&w, 1, NAN, NAN, 0.01, NAN, NAN);
	struct tw__timed d = timed(&w);
	const double bin_s = 2.01 / TW__PARALLELISM_BINS;
	ck_assert_double_eq_tol(d.critical_path_s, 2.01, 1e-9);
	for (int b = 0; b < TW__PARALLELISM_BINS; b++) {
		double share = b == 29 ? (30 * bin_s - 1) / bin_s : b == 30 ? (1.01 - 30 * bin_s) / bin_s : 0;
		ck_assert_double_eq_tol(d.running[b], 1 + 6 * share, 1e-6);
		sum += d.running[b];
	}
	ck_assert_double_eq_tol(sum * bin_s, 2 + 7 * 0.01, 1e-6);
	tw__timed_finish(&d);
	world_finish(&w);
}
END_TEST

/* A mean latency of 20 us, and 1.5 ns a byte on average. */
START_TEST(transfers)
{
	struct world w;
	fork_join(&w, 2, 2, 5);
	set_times(&w, 1, 1, 1, 1, 1, 1);
	struct tw__timed d = timed(&w);
	double small = 20e-6 + 1.5e-3, large = 20e-6 + 3e-3;
	ck_assert_double_eq_tol(d.read_transfer_s, 5 * small + 5 * large, 1e-12);
	ck_assert_double_eq_tol(d.handle_transfer_s, small + 5 * large, 1e-12);
	tw__timed_finish(&d);
	world_finish(&w);
}
END_TEST

START_TEST(one_memory_has_no_transfers)
{
	struct world w;
	fork_join(&w, 2, 0, 5);
	set_times(&w, 1, 1, 1, 1, 1, 1);
	struct tw__timed d = timed(&w);
	ck_assert_int_eq(d.n_archs, 1);
	ck_assert_double_nan(d.read_transfer_s);
	ck_assert_double_nan(d.handle_transfer_s);
	tw__timed_finish(&d);
	world_finish(&w);
}
END_TEST

/* The path on the fastest archs is the bound that a scene computes. */
START_TEST(the_path_is_the_bound)
{
	static const char *const workloads[] = {"cholesky:nt=7", "lu:nt=5", "reduction:n=9", "qr:nt=4"};
	const struct tw__request request = {.platform = "mirage",
	                                    .workload = workloads[_i],
	                                    .choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS},
	                                    .seed = 1,
	                                    .extrapolate = true};
	struct tw_error err = {""};
	struct tw__scene *scene;
	struct tw__timed d;
	ck_assert_msg(tw__scene_create(&scene, &request, &err) == TW_OK, "%s", err.message);
	tw__describe_timed(&d, scene->graph, &scene->times, scene->platform);
	ck_assert_double_gt(d.critical_path_s, 0);
	ck_assert_double_eq_tol(d.critical_path_s, scene->critical_path_s, 1e-12);
	for (int i = 0; i < d.n_archs; i++)
		ck_assert(d.on[i].n_without_time > 0 || d.on[i].critical_path_s >= d.critical_path_s - 1e-12);
	tw__timed_finish(&d);
	tw__scene_destroy(scene);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("describe timed");
	TCase *cases = tcase_create("describe timed");
	tcase_add_test(cases, times_by_arch);
	tcase_add_test(cases, running_tasks);
	tcase_add_test(cases, bins_divide_tasks);
	tcase_add_test(cases, transfers);
	tcase_add_test(cases, one_memory_has_no_transfers);
	tcase_add_loop_test(cases, the_path_is_the_bound, 0, 4);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
