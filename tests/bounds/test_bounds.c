/* Lower bounds, compared with values from another program (Cholesky on the 20 cores and 4 GPUs of Beaumont et al.
 * 2016, table Ia), and with every schedule of tiny graphs. */
#include <math.h>
#include <stdlib.h>

#include "bounds/bounds.h"
#include "exhaustive.h"
#include "experiment/load.h"

static struct tw__scene *scene_of(const char *platform, const char *workload, int cpus, int gpus)
{
	static struct tw__request request;
	struct tw_error err = {""};
	struct tw__scene *scene;
	request = (struct tw__request){
		.platform = platform, .workload = workload, .choice = {.cpus = cpus, .gpus = gpus}, .seed = 1};
	ck_assert_msg(tw__scene_create(&scene, &request, &err) == TW_OK, "%s", err.message);
	return scene;
}

static struct tw__bounded bounded(const struct tw__scene *s)
{
	return (struct tw__bounded){s->platform, s->graph, &s->times};
}

struct all {
	double critical_path, area, mixed, iterative, milp;
	bool optimal;
};

static struct all all_of(const struct tw__bounded *in, double milp_limit_s)
{
	struct tw_error err = {""};
	struct all b;
	struct tw__iterative iterative;
	b.critical_path = tw__times_critical_path(in->times, in->platform, in->graph);
	ck_assert_msg(tw__bound_area(in, NULL, &b.area, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__bound_mixed(in, &b.mixed, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__bound_iterative(in, 400, 1e3, &iterative, &err) == TW_OK, "%s", err.message);
	ck_assert_int_lt(iterative.rounds, 400);
	ck_assert(!iterative.timed_out);
	b.iterative = iterative.seconds;
	struct tw__milp milp = {NAN, false};
	if (milp_limit_s > 0)
		ck_assert_msg(tw__bound_milp(in, b.iterative, milp_limit_s, &milp, &err) == TW_OK, "%s", err.message);
	b.milp = milp.seconds;
	b.optimal = milp.optimal;
	return b;
}

/* In milliseconds, rounded. */
static const struct row {
	int nt;
	double critical_path, area, mixed, iterative;
} rows[] = {
	{8, 77.30, 34.29, 77.30, 77.30},      {12, 117.94, 106.94, 120.78, 136.52},
	{16, 158.59, 250.81, 250.81, 271.98}, {20, 199.23, 486.71, 486.71, 492.00},
	{24, 239.87, 838.20, 838.20, 839.12}, {32, 321.16, 1980.25, 1980.25, 1980.26},
};

START_TEST(cholesky_is_as_computed_elsewhere)
{
	const struct row *row = &rows[_i];
	char workload[64];
	snprintf(workload, sizeof workload, "cholesky:nt=%d:nb=960:precision=d", row->nt);
	struct tw__scene *s = scene_of("k40-hipc", workload, 20, 4);
	struct tw__bounded in = bounded(s);
	struct all b = all_of(&in, 0);
	ck_assert_double_eq_tol(1e3 * s->critical_path_s, row->critical_path, 0.011);
	ck_assert_double_eq_tol(1e3 * b.area, row->area, 0.011);
	ck_assert_double_eq_tol(1e3 * b.mixed, row->mixed, 0.011);
	ck_assert_double_eq_tol(1e3 * b.iterative, row->iterative, 0.011);
	tw__scene_destroy(s);
}
END_TEST

START_TEST(no_schedule_beats_a_bound)
{
	double sum[5] = {0};
	enum { N_GRAPHS = 200 };
	for (uint64_t seed = 1; seed <= N_GRAPHS; seed++) {
		struct world w;
		small_world(&w, seed);
		struct tw__bounded in = {w.platform, w.graph, &w.times};
		struct all b = all_of(&in, 60);
		double best = shortest_makespan(&w);
		const double bounds[5] = {b.critical_path, b.area, b.mixed, b.iterative, b.milp};
		for (int i = 0; i < 5; i++) {
			ck_assert_msg(bounds[i] <= best * (1 + 1e-9), "seed %d: bound %d is %g times the best",
			              (int)seed, i, bounds[i] / best);
			sum[i] += bounds[i] / best / N_GRAPHS;
		}
		ck_assert_double_ge(b.mixed, b.area * (1 - 1e-6));
		ck_assert_double_ge(b.iterative, fmax(b.area, b.critical_path) * (1 - 1e-6));
		/* The program finds the optimum. */
		ck_assert(b.optimal);
		ck_assert_double_eq_tol(b.milp / best, 1, 1e-5);
		world_finish(&w);
	}
	printf("over the best of %d graphs: critical path %.3f, area %.3f, mixed %.3f, iterative %.3f, MILP %.6f\n",
	       N_GRAPHS, sum[0], sum[1], sum[2], sum[3], sum[4]);
}
END_TEST

/* With few workers, tasks wait for workers and not for each other. */
START_TEST(the_program_has_the_best_schedule)
{
	static const int workers[][2] = {{2, 0}, {3, 0}, {0, 2}, {1, 1}, {2, 1}};
	double iterative = 0;
	enum { N_GRAPHS = 60 };
	for (uint64_t seed = 1; seed <= N_GRAPHS; seed++) {
		struct world w;
		small_world_of(&w, 1000 * (uint64_t)(_i + 1) + seed, workers[_i][0], workers[_i][1]);
		struct tw__bounded in = {w.platform, w.graph, &w.times};
		struct all b = all_of(&in, 60);
		double best = shortest_makespan(&w);
		ck_assert(b.optimal);
		ck_assert_msg(fabs(b.milp / best - 1) < 1e-5, "seed %d: %.10g, and the best is %.10g", (int)seed,
		              b.milp, best);
		ck_assert_double_ge(b.milp, fmax(b.iterative, b.mixed) * (1 - 1e-6));
		iterative += b.iterative / best / N_GRAPHS;
		world_finish(&w);
	}
	printf("%d CPUs, %d GPUs: iterative %.3f\n", workers[_i][0], workers[_i][1], iterative);
}
END_TEST

/* With any time limit, the result is a bound, and at least the known one. */
START_TEST(time_over_leaves_a_bound)
{
	struct tw_error err;
	struct tw__scene *s = scene_of("mirage", "lu:nt=4", 2, 1);
	struct tw__bounded in = bounded(s);
	double area_s;
	struct tw__iterative iterative;
	struct tw__milp milp[2];
	ck_assert_int_eq(tw__bound_area(&in, NULL, &area_s, &err), TW_OK);
	ck_assert_int_eq(tw__bound_iterative(&in, 400, 0, &iterative, &err), TW_OK);
	ck_assert(iterative.timed_out);
	ck_assert_int_eq(iterative.rounds, 0);
	ck_assert_double_eq_tol(iterative.seconds, area_s, 1e-6 * area_s);
	ck_assert_int_eq(tw__bound_iterative(&in, 400, 1e3, &iterative, &err), TW_OK);
	ck_assert(!iterative.timed_out);
	double iterative_s = iterative.seconds;
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(tw__bound_milp(&in, iterative_s, i ? 0.5 : 0.001, &milp[i], &err), TW_OK);
		ck_assert(!milp[i].optimal);
		ck_assert_double_ge(milp[i].seconds, iterative_s);
		ck_assert_double_lt(milp[i].seconds, 0.31517); /* heft's makespan */
	}
	tw__scene_destroy(s);
	s = scene_of("mirage", "cholesky:nt=7", 2, 1);
	in = bounded(s);
	ck_assert_int_eq(tw__bound_milp(&in, 0, 1, milp, &err), TW_OK);
	ck_assert(isnan(milp->seconds)); /* the graph has 84 tasks: too many */
	tw__scene_destroy(s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bounds");
	TCase *cases = tcase_create("bounds");
	tcase_set_timeout(cases, 100);
	tcase_add_loop_test(cases, cholesky_is_as_computed_elsewhere, 0, sizeof rows / sizeof rows[0]);
	tcase_add_test(cases, no_schedule_beats_a_bound);
	tcase_add_loop_test(cases, the_program_has_the_best_schedule, 0, 5);
	tcase_add_test(cases, time_over_leaves_a_bound);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
