/* The real engine in a program's own process: one run at a time, which leaves no thread, binding or memory behind. In
 * processes of their own, several real runs may take place at once. */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include <tilewright/run.h>

#include "fixture.h"

/* The thread sanitizer does not know processes that have threads, and were forked by a program with threads. */
#ifdef __SANITIZE_THREAD__
enum { FORKS = 0 };
#else
enum { FORKS = 1 };
#endif

static struct tw_error err;

static struct tw_scene *scene_of(const char *workload)
{
	return scene_with(workload, (const char *const[]){"cpus=1", "gpus=0", NULL});
}

static int count(const char *folder)
{
	int n = 0;
	DIR *d = opendir(folder);
	ck_assert_ptr_nonnull(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2; /* "." and ".." */
}

static int run(struct tw_scene *scene, const char *engine, enum tw_place_of_run place, const int *cancel,
               struct tw_error *why)
{
	const char *const options[] = {engine, strstr(engine, "native") ? NULL : "check=none", NULL};
	struct tw_run_options o;
	struct tw_run *run;
	tw_run_options_init(&o);
	o.policy = "eager";
	o.options = options;
	o.place = place;
	o.cancel = cancel;
	int status = tw_scene_run(scene, &o, &run, why);
	if (status == TW_OK)
		ck_assert(tw_run_number(run, "makespan_s") > 0);
	tw_run_close(run);
	return status;
}

static const char *const engines[] = {"engine=real:kernels=empty", "engine=real", "engine=real:mode=timed"};

START_TEST(test_nothing_is_left)
{
	struct tw_scene *scene = scene_of("cholesky:nt=3:nb=320");
	cpu_set_t before, after;
	int threads = 0, descriptors = 0;
	ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
	setenv("OPENBLAS_NUM_THREADS", "3", 1);
	unsetenv("HWLOC_PLUGINS_PATH");
	for (int i = 0; i < 6; i++) {
		ck_assert_msg(run(scene, engines[_i], TW_RUN_HERE, NULL, &err) == TW_OK, "%s", err.message);
		if (i == 0) { /* the first run has loaded BLAS and hwloc */
			threads = count("/proc/self/task");
			descriptors = count("/proc/self/fd");
		}
	}
	ck_assert_int_eq(count("/proc/self/task"), threads);
	ck_assert_int_eq(count("/proc/self/fd"), descriptors);
	ck_assert_int_eq(sched_getaffinity(0, sizeof after, &after), 0);
	ck_assert(CPU_EQUAL(&before, &after));
	ck_assert_str_eq(getenv("OPENBLAS_NUM_THREADS"), "3");
	ck_assert_ptr_null(getenv("HWLOC_PLUGINS_PATH"));
	tw_scene_close(scene);
}
END_TEST

/* --- two runs at once --------------------------------------------------------------------------------------------- */

struct thread {
	struct tw_scene *scene;
	const int *cancel;
	int status;
	struct tw_error err;
};

static void *work(void *arg)
{
	struct thread *t = arg;
	do /* until no short run is in its way */
		t->status = run(t->scene, "engine=real:mode=timed:stretch=10", TW_RUN_HERE, t->cancel, &t->err);
	while (t->status == TW_INVALID);
	return NULL;
}

/* The first run would take minutes, but it is cancelled. */
START_TEST(test_two_runs)
{
	int cancel = 0;
	struct tw_scene *scene = scene_of("cholesky:nt=12:nb=640");
	struct thread first = {.scene = scene, .cancel = &cancel};
	pthread_t id;
	ck_assert_int_eq(pthread_create(&id, NULL, work, &first), 0);
	int status, tries = 0;
	do { /* it may not have begun yet */
		status = run(scene, engines[0], TW_RUN_HERE, NULL, &err);
		usleep(1000);
	} while (status == TW_OK && ++tries < 5000);
	ck_assert_int_eq(status, TW_INVALID);
	ck_assert_str_eq(err.message,
	                 "engine 'real': another run computes in this process: expected one run at a time");
	static const enum tw_place_of_run places[] = {TW_RUN_IN_PROCESS, TW_RUN_AUTOMATIC};
	for (int i = 0; i < 2 && FORKS; i++)
		ck_assert_msg(run(scene, engines[0], places[i], NULL, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(run(scene, "engine=native", TW_RUN_HERE, NULL, &err) == TW_OK, "%s", err.message);
	__atomic_store_n(&cancel, 1, __ATOMIC_RELAXED);
	pthread_join(id, NULL);
	ck_assert_msg(first.status == TW_CANCELLED, "%s", first.err.message);
	ck_assert_msg(run(scene, engines[0], TW_RUN_HERE, NULL, &err) == TW_OK, "%s", err.message);
	tw_scene_close(scene);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("real");
	tcase_set_timeout(c, 60);
	tcase_add_loop_test(c, test_nothing_is_left, 0, (int)(sizeof engines / sizeof *engines));
	tcase_add_test(c, test_two_runs);
	return run_case("real runs of programs", c, CK_NOFORK);
}
