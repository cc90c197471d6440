/* A difference that the test puts into the model is attributed to the right part. The "real" run is a simulation on a
 * platform with the right model. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "validation/retrace.h"
#include "validation/validate.h"

static char folder[] = "/tmp/tilewright-explain-XXXXXX";

/* Two GPUs and four cores. */
static void write_platform(const char *name, double bus, double gemm)
{
	char path[200];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	ck_assert_int_eq(mkdir(path, 0777), 0);
	snprintf(path, sizeof path, "%s/%s/platform.xml", folder, name);
	FILE *f = fopen(path, "w");
	fprintf(f, "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	           "<platform version=\"4.1\">\n<zone id=\"node\" routing=\"Full\">\n"
	           "<host id=\"CPU\" speed=\"1Gf\" core=\"6\"><prop id=\"arch\" value=\"cpu\"/></host>\n");
	for (int g = 0; g < 2; g++)
		fprintf(f,
		        "<host id=\"GPU%d\" speed=\"1Gf\"><prop id=\"arch\" value=\"gpu\"/><prop id=\"memory\" "
		        "value=\"1GiB\"/></host>\n",
		        g);
	fprintf(f, "<host id=\"RAM\" speed=\"1f\"/>\n");
	for (int g = 0; g < 2; g++)
		fprintf(f,
		        "<link id=\"pci%d\" bandwidth=\"%gBps\" latency=\"10us\" sharing_policy=\"SPLITDUPLEX\"/>\n"
		        "<route src=\"RAM\" dst=\"GPU%d\"><link_ctn id=\"pci%d\" direction=\"DOWN\"/></route>\n",
		        g, bus, g, g);
	fprintf(f, "</zone>\n</platform>\n");
	ck_assert_int_eq(fclose(f), 0);
	snprintf(path, sizeof path, "%s/%s/kernels.csv", folder, name);
	f = fopen(path, "w");
	fprintf(f, "kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note\n");
	/* No two sums are equal: the order of simultaneous ends would be another difference. */
	const double cpu[] = {6013, 20117, 20391, 40259}, gpu[] = {9011, 2513, 2029, 3061};
	const char *const names[] = {"potrf", "trsm", "syrk", "gemm"};
	for (int k = 0; k < 4; k++) {
		double factor = k == 3 ? gemm : 1;
		fprintf(f, "%s,cpu,1,960,s,%g,0,1,\n%s,gpu,1,960,s,%g,0,1,\n", names[k], factor * cpu[k], names[k],
		        factor * gpu[k]);
	}
	ck_assert_int_eq(fclose(f), 0);
}

static void set_up(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	write_platform("right", 3e9, 1);
	write_platform("slow_gemm", 3e9, 1.2);
	write_platform("slow_bus", 1.5e9, 1);
}

static void tear_down(void)
{
	static const char *const names[] = {"right", "slow_gemm", "slow_bus"};
	for (int i = 0; i < 3; i++) {
		char path[200];
		snprintf(path, sizeof path, "%s/%s/platform.xml", folder, names[i]);
		unlink(path);
		snprintf(path, sizeof path, "%s/%s/kernels.csv", folder, names[i]);
		unlink(path);
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		rmdir(path);
	}
	rmdir(folder);
}

static struct tw__request request_of(char room[200], const char *platform, const char *policy)
{
	snprintf(room, 200, "%s/%s", folder, platform);
	return (struct tw__request){.platform = room,
	                            .workload = "cholesky:nt=14:nb=960",
	                            .policy = policy,
	                            .runtime = "real",
	                            .choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS},
	                            .seed = 1};
}

/* A run by the right model with that runtime, explained by the other model. */
static struct tw__validation explain(const char *model, const char *policy, const char *runtime, double turn_us)
{
	char right_path[200], model_path[200];
	struct tw__request right = request_of(right_path, "right", policy),
			   other = request_of(model_path, model, policy);
	struct tw__scene *right_scene, *scene;
	struct tw__outcome outcome;
	struct tw__explained e = {.turn_us_per_task = turn_us};
	struct tw_error err = {""};
	right.runtime = runtime;
	ck_assert_msg(tw__scene_create(&right_scene, &right, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__scene_create(&scene, &other, &err) == TW_OK, "%s", err.message);
	struct tw__history *h = tw__history_create(scene->graph->n_tasks);
	ck_assert_ptr_nonnull(h);
	ck_assert_msg(tw__explain_run(right_scene, &right, NULL, h, &outcome, &err) == TW_OK, "%s", err.message);
	const struct tw__explain_setup setup = {.scene = scene, .real = &right, .simulated = &other};
	ck_assert_msg(tw__explain_past(&e, &setup, h, &err) == TW_OK, "%s", err.message);
	const double real_s = tw__seconds(outcome.counters.makespan), *steps = e.simulated_s;
	struct tw__validation v = {.real_s = real_s, .error = steps[TW__STEP_MEANS] / real_s - 1};
	for (enum tw__part p = TW__PART_KERNELS; p < TW__PART_REST; p++)
		v.parts[p] = (steps[p + 1] - steps[p]) / real_s;
	v.parts[TW__PART_REST] = (real_s - steps[TW__STEP_RUNTIME]) / real_s;
	tw__history_destroy(h);
	tw__scene_destroy(scene);
	tw__scene_destroy(right_scene);
	return v;
}

static const char *const policies[] = {"dmdas", "lws", "eager", "data_first"};
enum { N_POLICIES = 4 };

START_TEST(nothing_wrong)
{
	struct tw__validation v = explain("right", policies[_i], "real", 0);
	ck_assert_double_eq_tol(v.error, 0, 1e-9);
	for (enum tw__part p = TW__PART_KERNELS; p < TW__N_PARTS; p++)
		ck_assert_double_eq_tol(v.parts[p], 0, 1e-6);
}
END_TEST

START_TEST(slow_kernel)
{
	struct tw__validation v = explain("slow_gemm", policies[_i], "real", 0);
	ck_assert_msg(tw__largest_part(&v) == TW__PART_KERNELS, "%s: kernels %g, order %g, bus %g, runtime %g, rest %g",
	              policies[_i], v.parts[0], v.parts[1], v.parts[2], v.parts[3], v.parts[4]);
	ck_assert_double_lt(v.parts[TW__PART_KERNELS], -0.03);
}
END_TEST

START_TEST(slow_bus)
{
	struct tw__validation v = explain("slow_bus", policies[_i], "real", 0);
	ck_assert_msg(tw__largest_part(&v) == TW__PART_BUS, "%s: kernels %g, order %g, bus %g, runtime %g, rest %g",
	              policies[_i], v.parts[0], v.parts[1], v.parts[2], v.parts[3], v.parts[4]);
}
END_TEST

START_TEST(slow_turns)
{
	struct tw__validation v = explain("right", policies[_i], "real:turn_cost=400us", 400);
	ck_assert_msg(tw__largest_part(&v) == TW__PART_RUNTIME, "%s: kernels %g, order %g, bus %g, runtime %g, rest %g",
	              policies[_i], v.parts[0], v.parts[1], v.parts[2], v.parts[3], v.parts[4]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("explain");
	TCase *tests = tcase_create("all");
	tcase_set_timeout(tests, 120);
	tcase_add_unchecked_fixture(tests, set_up, tear_down);
	tcase_add_loop_test(tests, nothing_wrong, 0, N_POLICIES);
	tcase_add_loop_test(tests, slow_kernel, 0, N_POLICIES);
	tcase_add_loop_test(tests, slow_bus, 0, N_POLICIES);
	tcase_add_loop_test(tests, slow_turns, 0, N_POLICIES);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
