/* Which times form a series, and how --extrapolate uses it. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models_of.h"
#include "perf/series.h"

START_TEST(sizes_in_bytes)
{
	static const struct {
		const char *size, *precision;
		double bytes;
	} cases[] = {
		{"960", "s", 4 * 960. * 960},
		{"960", "d", 8 * 960. * 960},
		{"10", "b", 100},
		{"10", "z", 1600},
		{"2x3", "s", 24},
		{"2x3+3x5", "s", 84},
		{"2x3x4+5", "b", 29},
		{"999999999", "b", 999999999. * 999999999},
		/* another form, or 0 bytes */
		{"", "s", 0},
		{"x", "s", 0},
		{"2x", "s", 0},
		{"+2", "s", 0},
		{"2++3", "s", 0},
		{"2x-3", "s", 0},
		{" 2", "s", 0},
		{"2 ", "s", 0},
		{"2.5", "s", 0},
		{"0", "s", 0},
		{"0x5", "s", 0},
		{"1000000000", "s", 0},
		{"a1b2c3", "s", 0},
		{"12ab", "s", 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		double bytes = tw__size_bytes(cases[i].size, cases[i].precision);
		ck_assert_msg(bytes == cases[i].bytes, "%s: %g", cases[i].size, bytes);
		ck_assert_msg(tw__same_shape(cases[i].size, cases[i].size) == (bytes > 0), "%s", cases[i].size);
	}
}
END_TEST

START_TEST(shapes)
{
	static const struct {
		const char *one, *other;
		bool same;
	} cases[] = {
		{"960", "7", true},
		{"1", "7", true},
		{"960", "960x960", false},
		{"960x960", "320x320", true},
		{"960x960", "320x321", false},
		{"960x3840+3840x960", "320x1280+1280x320", true},
		{"960x3840+3840x960", "320x1280+1280x960", false},
		{"960x3840+3840x960", "320x1280+1280x320+320x320", false},
		{"960x3840+3840x960", "320x1280x1280x320", false},
		{"130x130x130+130x130x1", "258x258x258+258x258x1", true},
		{"130x130x130+130x130x1", "258x258x258+258x258x2", false},
		{"1x130", "1x258", true},
		{"999999999x1", "999999998x1", true},
		{"999999999x999999998", "999999998x999999999", false},
		{"960", "big", false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ck_assert_msg(tw__same_shape(cases[i].one, cases[i].other) == cases[i].same, "%s", cases[i].one);
		ck_assert_msg(tw__same_shape(cases[i].other, cases[i].one) == cases[i].same, "%s", cases[i].one);
	}
}
END_TEST

/* Times of 1 us for a side of 10, growing with the third power of the side; the deviation is a tenth. */
#define CUBES(kernel, arch, cores, precision)                                                               \
	kernel "," arch "," cores ",10," precision ",1,0.1,9,\n" kernel "," arch "," cores ",20," precision \
	       ",8,0.8,9,\n" kernel "," arch "," cores ",40," precision ",64,6.4,9,\n"

static tw_arch arch_of(const struct tw__platform *p, const char *name)
{
	tw_arch a = 0;
	while (strcmp(p->archs[a].name, name) != 0)
		a++;
	return a;
}

/* Mean and deviation, in us, of the graph's only kernel. */
struct expected {
	double cpu, cpu_deviation, gpu;
	const char *flags; /* measured, regression, flop rate */
};

static void expect(const char *rows, bool extrapolate, const char *kernel, const char *size, const char *groups,
                   struct expected want)
{
	struct tw__models *models = models_of(rows);
	struct tw_graph *graph = graph_of(1, (const char *const[][3]){{kernel, size, "s"}});
	struct tw__platform *p;
	struct tw__platform_choice choice = {.cpus = TW__ALL_WORKERS, .gpus = 1, .cpu_groups = groups};
	struct tw__times times;
	struct tw_error err = {""};
	if (extrapolate)
		tw__models_extrapolate(models);
	ck_assert_msg(tw__platform_select(&p, mirage, &choice, &err) == TW_OK, "%s", err.message);
	int status = tw__times_bind(&times, models, p, graph, &err);
	if (!want.flags) {
		ck_assert_int_eq(status, TW_INVALID);
		ck_assert_contains(err.message, "expected one of the sizes that have times: ");
		ck_assert_contains(err.message, "; or --extrapolate");
	} else {
		ck_assert_msg(status == TW_OK, "%s", err.message);
		double cpu = times.mean[arch_of(p, "cpu")] * 1e6, gpu = times.mean[arch_of(p, "m2070-0")] * 1e6;
		double deviation = times.stddev[arch_of(p, "cpu")] * 1e6;
		char flags[4] = {times.measured ? 'm' : '-', times.regression ? 'r' : '-', times.flop_rate ? 'f' : '-'};
		ck_assert_msg(fabs(cpu - want.cpu) < 1e-6 * cpu || (isnan(cpu) && isnan(want.cpu)), "%s: %g", rows,
		              cpu);
		ck_assert_msg(fabs(gpu - want.gpu) < 1e-6 * gpu || (isnan(gpu) && isnan(want.gpu)), "%s: %g", rows,
		              gpu);
		ck_assert_msg(isnan(want.cpu_deviation) || fabs(deviation - want.cpu_deviation) <= 1e-6 * deviation,
		              "%s: %g", rows, deviation);
		ck_assert_str_eq(flags, want.flags);
		tw__times_finish(&times);
	}
	tw__platform_destroy(p);
	tw_graph_destroy(graph);
	tw__models_destroy(models);
}

START_TEST(other_sizes_give_times_when_asked_for)
{
	static const char cubes[] =
		HEADER CUBES("a", "cpu", "1", "s") CUBES("a", "cpu", "1", "d") "a,cpu,1,10x20,s,7,0,1,\n";
	expect(cubes, false, "a", "30", NULL, (struct expected){0});
	/* sizes between, above and below; a kernel does not run where it has no times */
	expect(cubes, true, "a", "30", NULL, (struct expected){27, 2.7, NAN, "-r-"});
	expect(cubes, true, "a", "100", NULL, (struct expected){1000, 100, NAN, "-r-"});
	expect(cubes, true, "a", "1", NULL, (struct expected){1e-3, 1e-4, NAN, "-r-"});
	/* measured times are used as they are */
	expect(cubes, true, "a", "20", NULL, (struct expected){8, 0.8, NAN, "m--"});
	/* rows of the application's own kernel, and general rows */
	expect(cubes, true, "lu.a", "30", NULL, (struct expected){27, 2.7, NAN, "-r-"});
	expect(HEADER CUBES("a", "cpu", "1",
	                    "s") "lu.a,cpu,1,10,s,2,0,1,\nlu.a,cpu,1,20,s,4,0,1,\nlu.a,cpu,1,30,s,6,0,1,\n",
	       true, "lu.a", "100", NULL, (struct expected){20, 0, NAN, "-r-"});
	expect(HEADER CUBES("lu.a", "cpu", "1", "s") "a,cpu,1,30,s,5,0,1,\n", true, "lu.a", "30", NULL,
	       (struct expected){5, 0, NAN, "m--"});
}
END_TEST

START_TEST(archs_are_filled_in_one_by_one)
{
	/* measured on one arch, from a law on the other */
	expect(HEADER CUBES("a", "m2070-0", "1", "s") "a,cpu,1,30,s,5,0,1,\n", true, "a", "30", NULL,
	       (struct expected){5, 0, 27, "mr-"});
	expect(HEADER CUBES("a", "m2070-0", "1", "s") "a,cpu,1,30,s,5,0,1,\n", false, "a", "30", NULL,
	       (struct expected){5, 0, NAN, "m--"});
	/* too few sizes there: flops, here one, over half of the rate of gemm (2 * 10^3 in 1 us) */
	static const char rates[] =
		HEADER CUBES("a", "m2070-0", "1", "s") "gemm,cpu,1,10,s,1,0,1,\na,cpu,1,20,s,1,0,1,\n"
						       "a,cpu,1,21,s,1,0,1,\n";
	expect(rates, true, "a", "30", NULL, (struct expected){1e-3, NAN, 27, "-rf"});
	/* no times there at all: it does not run there, with or without times of gemm */
	expect(HEADER CUBES("a", "m2070-0", "1", "s") "gemm,cpu,1,10,s,1,0,1,\n", true, "a", "30", NULL,
	       (struct expected){NAN, NAN, 27, "-r-"});
}
END_TEST

START_TEST(groups_have_their_own_laws_or_those_of_one_core)
{
	double speedup = pow(3, log10(7.77));
	expect(HEADER CUBES("a", "cpu", "3", "s"), true, "a", "30", "3", (struct expected){27, 2.7, NAN, "-r-"});
	expect(HEADER CUBES("a", "cpu", "1", "s"), true, "a", "30", "3",
	       (struct expected){27 / speedup, 2.7 / speedup, NAN, "-rf"});
	expect(HEADER CUBES("a", "cpu", "1", "s") "a,cpu,1,30,s,5,1,1,\n", true, "a", "30", "3",
	       (struct expected){5 / speedup, 1 / speedup, NAN, "--f"});
}
END_TEST

/* 10, 20 and 30 bytes on a line that is 0 at 5: for smaller sizes, the power law is used. */
START_TEST(a_law_that_gives_no_time_is_not_taken)
{
	struct tw__models *models =
		models_of(HEADER "a,cpu,1,10x1,b,5,0,1,\na,cpu,1,20x1,b,15,0,1,\na,cpu,1,30x1,b,25,0,1,\n");
	struct tw__series series;
	struct tw__fits fits;
	tw__series_init(&series, models, "a", "b", "cpu", 1, "77x1");
	ck_assert_int_eq(series.n, 3);
	tw__series_fit(&series, &fits);
	ck_assert(fits.fitted[TW__AFFINE] && fits.fitted[TW__POWER] && !fits.fitted[TW__POWER_OFFSET]);
	ck_assert_str_eq(fits.why[TW__POWER_OFFSET].message, "a*s^b+c: 3 sizes, expected at least 4");
	ck_assert_int_eq(tw__fits_best(&fits, 10), TW__AFFINE);
	ck_assert_int_eq(tw__fits_best(&fits, 100), TW__AFFINE);
	ck_assert_int_eq(tw__fits_best(&fits, 4), TW__POWER);
	tw__series_finish(&series);
	tw__series_init(&series, models, "a", "s", "cpu", 1, "77x1");
	ck_assert_int_eq(series.n, 0);
	tw__series_finish(&series);
	tw__models_destroy(models);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("series");
	TCase *cases = tcase_create("series");
	tcase_add_checked_fixture(cases, read_mirage, destroy_mirage);
	tcase_add_test(cases, sizes_in_bytes);
	tcase_add_test(cases, shapes);
	tcase_add_test(cases, other_sizes_give_times_when_asked_for);
	tcase_add_test(cases, archs_are_filled_in_one_by_one);
	tcase_add_test(cases, groups_have_their_own_laws_or_those_of_one_core);
	tcase_add_test(cases, a_law_that_gives_no_time_is_not_taken);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
