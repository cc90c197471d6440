/* A thread of the program loads a library while another starts a process for a run. The process says so, instead of
 * waiting for ever for the C library's lock of exit handlers. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tilewright/run.h>

extern void *__libc_calloc(size_t, size_t);

static _Thread_local bool adds_handlers;
static atomic_bool has_lock, gives_back;

static void nothing(void) {}

static void rest(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

/* As the loader for the destructors of a library. The C library allocates a block for many handlers, with its lock. */
static void *add_handlers(void *unused)
{
	adds_handlers = true;
	for (int i = 0; i < 100; i++)
		atexit(nothing);
	return unused;
}

void *calloc(size_t n, size_t size)
{
	if (adds_handlers) {
		adds_handlers = false;
		for (has_lock = true; !gives_back;)
			rest();
	}
	return __libc_calloc(n, size);
}

static int run(struct tw_scene *scene, struct tw_error *err)
{
	struct tw_run *run;
	struct tw_run_options o;
	tw_run_options_init(&o);
	o.policy = "dmdas";
	o.place = TW_RUN_IN_PROCESS;
	int status = tw_scene_run(scene, &o, &run, err);
	tw_run_close(run);
	return status;
}

static int test(struct tw_scene *scene)
{
	pthread_t thread;
	struct tw_error err = {""};
	if (pthread_create(&thread, NULL, add_handlers, NULL) != 0)
		return 1;
	while (!has_lock)
		rest();
	int status = run(scene, &err);
	printf("with the lock: %d, %s\n", status, err.message);
	int bad = status != TW_FAILED || !strstr(err.message, "another thread was loading a library: try again");
	gives_back = true;
	pthread_join(thread, NULL);
	status = run(scene, &err);
	printf("without: %d\n", status);
	return bad || status != TW_OK;
}

int main(void)
{
	struct tw_error err;
	struct tw_platform *platform;
	struct tw_scene *scene;
	if (tw_platform_open(&platform, "mirage", NULL, &err) != TW_OK)
		return printf("%s\n", err.message), 1;
	int bad = tw_scene_generate(&scene, platform, "cholesky:nt=6", &err) != TW_OK || test(scene);
	tw_scene_close(scene);
	tw_platform_close(platform);
	return bad;
}
