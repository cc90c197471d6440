/* Fingerprints of graphs: every property counts, the calls that built it do not, and our own JSON keeps everything. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tilewright/run.h>

#include "export/export.h"
#include "graph/parts.h"
#include "registry.h"
#include "request/digest.h"
#include "request/workload.h"

static bool same(struct tw__digest a, struct tw__digest b) { return a.high == b.high && a.low == b.low; }

static struct tw__digest digest_of(const struct tw_graph *g)
{
	struct tw__digest d = tw__digest_start();
	tw__digest_graph(&d, g);
	return d;
}

/* --- a graph with everything -------------------------------------------------------------------------------------- */

enum {
	FLOPS,
	SCOPE,
	KERNEL_NAME,
	KERNEL_SIZE,
	KERNEL_PRECISION,
	KERNEL_FLOPS,
	KERNEL_ARCHS,
	KERNEL_NO_ARCHS,
	KERNEL_RECORDED_ON,
	KERNEL_UNUSED,
	DATA_BYTES,
	DATA_UNUSED,
	COMBINE,
	TASK_KERNEL,
	PRIORITY,
	LATE_PRIORITY,
	CRITICAL,
	ACCESS_DATA,
	ACCESS_MODE,
	ACCESS_ORDER,
	ACCESS_FEWER,
	ACCESS_LAST_WRITE,
	DISCARDED,
	HOME,
	NO_HOME,
	DEPENDENCY,
	NO_DEPENDENCY,
	SECONDS,
	NO_SECONDS,
	SECONDS_OF_ANOTHER,
	SECONDS_ON,
	SECONDS_ON_ANOTHER,
	SECONDS_ON_FEWER,
	PLACE_KIND,
	PLACE_WORKER,
	PLACE_ORDER,
	TASK_MORE,
	N_CHANGES
};

/* Makes a graph, or one that differs from it in one property: those of the list, or -1. */
static struct tw_graph *everything(int change)
{
	struct tw_graph *g = tw_graph_create();
	struct tw_error err = {""};
#define IF(which, then, otherwise) (change == (which) ? (then) : (otherwise))
	tw_kernel add = tw_graph_kernel(g, "add", "1", "d", 1);
	tw_kernel other_add = tw_graph_kernel(g, "add", "2", "d", 1);
	tw_kernel work = tw_graph_kernel(g, IF(KERNEL_NAME, "wurk", "wor\"k\xc3\xa4"), IF(KERNEL_SIZE, "11", "10"),
	                                 IF(KERNEL_PRECISION, "s", "d"), IF(KERNEL_FLOPS, 0.3, 0.1 + 0.2));
	tw_kernel record = tw_graph_recorded_kernel(g, "work", "10", "d", 7, "cpu+gpu");
	if (change == KERNEL_UNUSED)
		tw_graph_kernel(g, "unused", "1", "d", 1);
	if (change != KERNEL_NO_ARCHS)
		tw_graph_restrict(g, work, IF(KERNEL_ARCHS, "gpu", "processors"));
	tw_graph_recorded_on(g, work, IF(KERNEL_RECORDED_ON, "accelerators", "processors"));

	tw_data a = tw_graph_data(g, IF(DATA_BYTES, 1, (uint64_t)1 << 59)), b = tw_graph_data(g, 77);
	tw_data sum = tw_graph_data(g, 8), scratch = tw_graph_data(g, 5);
	if (change == DATA_UNUSED)
		tw_graph_data(g, 5);
	tw_graph_reduction(g, sum, IF(COMBINE, other_add, add));
	tw_graph_set_flops(g, IF(FLOPS, 1e9, 1e9 / 3));
	tw_graph_set_priority_scope(g, IF(SCOPE, TW_PRIORITY_FOR_ALL, TW_PRIORITY_FOR_LOOKING));

	tw_graph_submit(g, work, INT32_MIN, (struct tw_access[]){{a, TW_W}, {scratch, TW_SCRATCH}}, 2);
	tw_graph_set_recorded_place(
		g, 0, (struct tw_recorded_place){change == PLACE_KIND, IF(PLACE_WORKER, 1, 0), IF(PLACE_ORDER, 8, 7)});
	tw_graph_set_seconds(g, 0, IF(SECONDS, 0.5, 1e-9 / 7));
	tw_graph_submit(g, IF(TASK_KERNEL, work, record), IF(PRIORITY, 1, INT32_MAX),
	                (struct tw_access[]){{IF(ACCESS_DATA, b, a), IF(ACCESS_MODE, TW_RW, TW_W)}, {sum, TW_REDUX}},
	                IF(ACCESS_FEWER, 1, 2));
	if (change == DISCARDED)
		tw_graph_discard(g, b);
	if (change != NO_HOME)
		tw_graph_set_home(g, b, IF(HOME, 1, 0));
	if (change != ACCESS_LAST_WRITE)
		tw_graph_will_not_be_used(g, a);
	if (change != NO_SECONDS)
		tw_graph_set_seconds(g, IF(SECONDS_OF_ANOTHER, 0, 1), 2);
	tw_graph_set_seconds_on(g, "cpu", IF(SECONDS_ON, 3, 4));
	tw_graph_set_seconds_on(g, IF(SECONDS_ON_ANOTHER, "k40m", "accelerators"), 5);
	if (change != SECONDS_ON_FEWER)
		tw_graph_set_seconds_on(g, "a\xc3\xb6", 6);
	if (change != CRITICAL)
		tw_graph_mark_critical(g, 1);
	tw_graph_submit(g, record, 0,
	                change == ACCESS_ORDER ? (struct tw_access[]){{sum, TW_REDUX}, {b, TW_RW}}
	                                       : (struct tw_access[]){{b, TW_RW}, {sum, TW_REDUX}},
	                2);
	if (change != NO_DEPENDENCY)
		tw_graph_depend(g, IF(DEPENDENCY, 1, 0));
	tw_graph_submit(g, record, 0, (struct tw_access[]){{sum, TW_R}, {b, TW_R}}, 2);
	tw_graph_depend(g, 1); /* a contributor to the reduction, which it waits for, too */
	if (change == TASK_MORE)
		tw_graph_submit(g, record, 0, NULL, 0);
	for (tw_task t = 1; t < tw_graph_n_tasks(g); t++)
		tw_graph_set_recorded_place(g, t, (struct tw_recorded_place){true, t, 3 * t});
	for (tw_task t = 2; t < tw_graph_n_tasks(g); t++)
		tw_graph_set_seconds(g, t, 1 + t);
	ck_assert_msg(tw_graph_finish(g, &err) == TW_OK, "%d: %s", change, err.message);
	if (change == LATE_PRIORITY)
		tw_graph_set_priority(g, 3, 1);
	return g;
#undef IF
}

START_TEST(every_property_counts)
{
	struct tw__digest digests[N_CHANGES + 1];
	for (int i = 0; i <= N_CHANGES; i++) {
		struct tw_graph *g = everything(i - 1);
		digests[i] = digest_of(g);
		tw_graph_destroy(g);
		for (int j = 0; j < i; j++)
			ck_assert_msg(!same(digests[i], digests[j]), "change %d and change %d", i - 1, j - 1);
	}
}
END_TEST

/* The order of calls, twice the same dependency, and a dependency that accesses imply, do not count. */
START_TEST(calls_do_not_count)
{
	struct tw__digest digests[2];
	for (int i = 0; i < 2; i++) {
		struct tw_graph *g = tw_graph_create();
		struct tw_error err = {""};
		tw_graph_kernel(g, "k", "1", "s", 1);
		tw_graph_data(g, 8);
		tw_graph_submit(g, 0, 0, (struct tw_access[]){{0, TW_W}}, 1);
		tw_graph_submit(g, 0, 0, (struct tw_access[]){{0, TW_R}}, 1);
		tw_graph_set_seconds_on(g, i ? "a" : "b", i ? 1 : 2);
		tw_graph_set_seconds_on(g, i ? "b" : "a", i ? 2 : 1);
		for (int n = 0; n < 2 * i; n++)
			tw_graph_depend(g, 0);
		ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
		digests[i] = digest_of(g);
		tw_graph_destroy(g);
	}
	ck_assert(same(digests[0], digests[1]));
}
END_TEST

/* Finds the identity of a run of a graph with one task. */
static void identify(char identity[TW__DIGEST_TEXT], int32_t priority)
{
	struct tw_platform *platform;
	struct tw_scene *scene;
	struct tw_run *run;
	struct tw_run_options options;
	struct tw_error err = {""};
	struct tw_graph *g = tw_graph_create();
	tw_graph_kernel(g, "gemm", "960", "s", 0);
	tw_graph_submit(g, 0, priority, NULL, 0);
	tw_run_options_init(&options);
	options.policy = "eager";
	ck_assert_int_eq(tw_platform_open(&platform, "mirage", NULL, &err), TW_OK);
	ck_assert_msg(tw_scene_create(&scene, platform, g, "mine", &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw_scene_run(scene, &options, &run, &err) == TW_OK, "%s", err.message);
	snprintf(identity, TW__DIGEST_TEXT, "%s", tw_run_value(run, "identity"));
	ck_assert_uint_eq(strlen(identity), TW__DIGEST_TEXT - 1);
	tw_run_close(run);
	tw_scene_close(scene);
	tw_platform_close(platform);
	tw_graph_destroy(g);
}

START_TEST(rows_tell_graphs_apart)
{
	char identities[3][TW__DIGEST_TEXT];
	for (int i = 0; i < 3; i++)
		identify(identities[i], i / 2);
	ck_assert_str_eq(identities[0], identities[1]);
	ck_assert_str_ne(identities[0], identities[2]);
}
END_TEST

/* Words for priorities count once: a scene leaves those alone that the program has set later. */
START_TEST(scenes_leave_priorities_alone)
{
	struct tw_platform *platform;
	struct tw_scene *scene;
	struct tw_graph *g;
	struct tw_error err = {""};
	ck_assert_int_eq(tw_graph_generate(&g, "cholesky:nt=4:priority=submission", &err), TW_OK);
	ck_assert_int_eq(tw_graph_priority(g, 0), tw_graph_n_tasks(g));
	tw_graph_set_priority(g, 0, -7);
	struct tw__digest before = digest_of(g);
	ck_assert_int_eq(tw_platform_open(&platform, "mirage", NULL, &err), TW_OK);
	ck_assert_msg(tw_scene_create(&scene, platform, g, "mine", &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(tw_graph_priority(tw_scene_graph(scene), 0), -7);
	ck_assert(same(before, digest_of(g)));
	tw_scene_close(scene);
	tw_platform_close(platform);
	tw_graph_destroy(g);
}
END_TEST

/* --- graphs in files ---------------------------------------------------------------------------------------------- */

/* Exports the graph as JSON, reads it back, and compares. */
static void expect_lossless(const struct tw_graph *g, const char *parameters)
{
	char path[] = "/tmp/tilewright-digest-XXXXXX", workload[100];
	struct tw_error err = {""};
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_msg(tw__export_json(file, g, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(fclose(file), 0);
	snprintf(workload, sizeof workload, "file:%s:format=tilewright%s", path, parameters);
	struct tw_graph *read = NULL;
	int status = tw__generate(&read, workload, &err);
	unlink(path);
	ck_assert_msg(status == TW_OK, "%s", err.message);
	ck_assert(same(digest_of(g), digest_of(read)));
	tw_graph_destroy(read);
}

START_TEST(files_keep_everything)
{
	struct tw_graph *g = everything(_i - 1);
	expect_lossless(g, ":replay=yes");
	tw_graph_destroy(g);
}
END_TEST

/* Small graphs of all workloads. */
static const char *const workloads[] = {
	"allgather:nodes=5:bytes=9",
	"allgather:nodes=4:bytes=9:algorithm=recursive_doubling",
	"allreduce:nodes=5:bytes=9",
	"allreduce:nodes=4:bytes=9:algorithm=recursive_doubling",
	"broadcast:nodes=5:bytes=99:algorithm=chain",
	"chain:n=20",
	"chain:n=20:handles=many",
	"cholesky:nt=6",
	"cholesky:nt=6:nb=320:precision=d",
	"cholesky_taskset:nt=4",
	"forkjoin:stages=3:width=4",
	"grid:n=40",
	"independent:n=9",
	"layered:n=50",
	"life:blocks=16:iterations=6",
	"lu:nt=5",
	"matmul2d:nt=4",
	"matmul2d:nt=4:output=yes:order=random",
	"matmul3d:nt=4:independent=yes",
	"qr:nt=4",
	"qr:nt=4:tree=binary:copy_diagonal=yes",
	"qrmumps:grid2d=20",
	"reduce:nodes=9:bytes=99",
	"reduction:n=40",
	"reduction:n=9:mode=rw:scratch=100",
	"sparse:nt=9",
	"spldlt:grid2d=20",
	"star:n=20",
	"stencil:nx=30:ny=30:nz=256:blocks=16:iterations=6",
};
enum { N_WORKLOADS = sizeof workloads / sizeof *workloads };

START_TEST(files_keep_workloads)
{
	struct tw_graph *g;
	struct tw_error err = {""};
	ck_assert_msg(tw__generate(&g, workloads[_i], &err) == TW_OK, "%s", err.message);
	expect_lossless(g, "");
	tw_graph_destroy(g);
}
END_TEST

/* --- graphs that become parts of one ------------------------------------------------------------------------------ */

/* Each part of three copies is the graph again. */
static void expect_parts(struct tw_graph *g, const char *what)
{
	struct tw_graph *whole;
	struct tw_error err = {""};
	const struct tw_joined_graph of[] = {{g, 0, NULL}, {g, 2, "name"}, {g, 1, NULL}};
	ck_assert_msg(tw__graph_join(&whole, of, 3, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(tw_graph_n_tasks(whole), 3 * tw_graph_n_tasks(g));
	ck_assert_int_eq(tw_graph_n_kernels(whole), tw_graph_n_kernels(g));
	for (int i = 0; i < 3; i++) {
		struct tw_graph *part = tw__graph_part(whole, i, i == 1);
		ck_assert_msg(same(digest_of(part), digest_of(g)), "%s: part %d", what, i);
		tw_graph_destroy(part);
	}
	ck_assert(fabs(tw_graph_arrival(whole, tw_graph_n_tasks(g)) - 2) < 1e-9);
	tw_graph_destroy(whole);
}

START_TEST(a_part_is_the_graph_that_was_joined)
{
	struct tw_graph *g = everything(-1);
	struct tw_error err;
	expect_parts(g, "everything");
	tw_graph_destroy(g);
	for (int i = 0; i < N_WORKLOADS; i++) {
		ck_assert_msg(tw__generate(&g, workloads[i], &err) == TW_OK, "%s", err.message);
		expect_parts(g, workloads[i]);
		tw_graph_destroy(g);
	}
}
END_TEST

START_TEST(no_workload_is_left_out)
{
	for (const struct tw_workload *const *w = tw__workloads; *w; w++) {
		size_t length = strlen((*w)->name);
		bool there = strcmp((*w)->name, "file") == 0;
		for (int i = 0; i < N_WORKLOADS; i++)
			there |= strncmp(workloads[i], (*w)->name, length) == 0 && workloads[i][length] == ':';
		ck_assert_msg(there, "%s", (*w)->name);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("digests");
	TCase *cases = tcase_create("digests");
	tcase_add_test(cases, every_property_counts);
	tcase_add_test(cases, calls_do_not_count);
	tcase_add_test(cases, rows_tell_graphs_apart);
	tcase_add_test(cases, scenes_leave_priorities_alone);
	tcase_add_loop_test(cases, files_keep_everything, 0, N_CHANGES + 1);
	tcase_add_loop_test(cases, files_keep_workloads, 0, N_WORKLOADS);
	tcase_add_test(cases, a_part_is_the_graph_that_was_joined);
	tcase_add_test(cases, no_workload_is_left_out);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
