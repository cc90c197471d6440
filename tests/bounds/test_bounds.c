/* Lower bounds: against values computed with another program (Cholesky on the 20 cores and 4 GPUs of Beaumont et al. 2016, table Ia),
 * and against every schedule of tiny graphs. */
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
	double critical_path, area, mixed, iterative;
};

static struct all all_of(const struct tw__bounded *in)
{
	struct tw_error err = {""};
	struct all b;
	int rounds;
	ck_assert_msg(tw__times_critical_path(in->times, in->platform, in->graph, &b.critical_path, &err) == TW_OK,
	              "%s", err.message);
	ck_assert_msg(tw__bound_area(in, &b.area, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__bound_mixed(in, &b.mixed, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__bound_iterative(in, 400, &b.iterative, &rounds, &err) == TW_OK, "%s", err.message);
	ck_assert_int_lt(rounds, 400);
	return b;
}

/* Milliseconds, rounded. */
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
	struct all b = all_of(&in);
	ck_assert_double_eq_tol(1e3 * s->critical_path_s, row->critical_path, 0.011);
	ck_assert_double_eq_tol(1e3 * b.area, row->area, 0.011);
	ck_assert_double_eq_tol(1e3 * b.mixed, row->mixed, 0.011);
	ck_assert_double_eq_tol(1e3 * b.iterative, row->iterative, 0.011);
	tw__scene_destroy(s);
}
END_TEST

START_TEST(no_schedule_beats_a_bound)
{
	double sum[4] = {0};
	enum { N_GRAPHS = 200 };
	for (uint64_t seed = 1; seed <= N_GRAPHS; seed++) {
		struct world w;
		small_world(&w, seed);
		struct tw__bounded in = {w.platform, w.graph, &w.times};
		struct all b = all_of(&in);
		double best = shortest_makespan(&w);
		const double bounds[4] = {b.critical_path, b.area, b.mixed, b.iterative};
		for (int i = 0; i < 4; i++) {
			ck_assert_msg(bounds[i] <= best * (1 + 1e-9), "seed %d: bound %d is %g times the best",
			              (int)seed, i, bounds[i] / best);
			sum[i] += bounds[i] / best / N_GRAPHS;
		}
		ck_assert_double_ge(b.mixed, b.area * (1 - 1e-6));
		ck_assert_double_ge(b.iterative, fmax(b.area, b.critical_path) * (1 - 1e-6));
		world_finish(&w);
	}
	printf("over the best of %d graphs: critical path %.3f, area %.3f, mixed %.3f, iterative %.3f\n", N_GRAPHS,
	       sum[0], sum[1], sum[2], sum[3]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bounds");
	TCase *cases = tcase_create("bounds");
	tcase_set_timeout(cases, 100);
	tcase_add_loop_test(cases, cholesky_is_as_computed_elsewhere, 0, sizeof rows / sizeof rows[0]);
	tcase_add_test(cases, no_schedule_beats_a_bound);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
