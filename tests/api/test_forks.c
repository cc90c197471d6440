/* Programs whose threads start processes, and that fork while a thread is busy in the library. Nothing may hang. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include <tilewright/run.h>

#include "fixture.h"

static struct tw_error err;

enum { N_THREADS = 6 };

static int n_rounds = 20;

struct thread {
	pthread_t id;
	struct tw_scene *scene;
	enum tw_place_of_run place;
	const char *option;
};

static void *work(void *arg)
{
	const struct thread *t = arg;
	for (int i = 0; i < n_rounds; i++)
		check_run(t->scene, t->option, t->place);
	return NULL;
}

/* Threads start processes while other threads run. */
START_TEST(test_threads_that_fork)
{
	struct thread threads[N_THREADS];
	struct tw_scene *scene = scene_with("cholesky:nt=6", NULL);
	for (int i = 0; i < N_THREADS; i++) {
		threads[i] = (struct thread){.scene = scene, .place = i % 2 ? TW_RUN_IN_PROCESS : TW_RUN_HERE};
		threads[i].option = i == 5 ? "engine=simgrid" : NULL;
		ck_assert_int_eq(pthread_create(&threads[i].id, NULL, work, &threads[i]), 0);
	}
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(threads[i].id, NULL);
	tw_scene_close(scene);
	ck_assert(waitpid(-1, NULL, WNOHANG) < 0);
}
END_TEST

static void *read_pipe(void *platform)
{
	struct tw_scene *scene;
	struct tw_error why;
	int status = tw_scene_generate(&scene, platform, "file:path=graph.pipe:format=stg", &why);
	return status == TW_OK ? scene : NULL;
}

/* A thread reads a graph, which locks the platform, until the other end of the pipe is closed. */
START_TEST(test_fork_beside_a_reader)
{
	pthread_t reader;
	struct tw_platform *platform;
	struct tw_scene *scene;
	int status;
	void *read;
	unlink("graph.pipe");
	ck_assert_int_eq(mkfifo("graph.pipe", 0600), 0);
	ck_assert_msg(tw_platform_open(&platform, "mirage", NULL, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(pthread_create(&reader, NULL, read_pipe, platform), 0);
	const int pipe = open("graph.pipe", O_WRONLY); /* the reader has opened it, too */
	const pid_t child = fork();
	if (child == 0) {
		alarm(20); /* the default action: the child is killed */
		ck_assert_msg(tw_scene_generate(&scene, platform, "cholesky:nt=6", &err) == TW_OK, "%s", err.message);
		check_run(scene, NULL, TW_RUN_IN_PROCESS);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	close(pipe);
	pthread_join(reader, &read);
	ck_assert_ptr_null(read); /* there was no graph */
	ck_assert_msg(tw_scene_generate(&scene, platform, "cholesky:nt=6", &err) == TW_OK, "%s", err.message);
	check_run(scene, NULL, TW_RUN_HERE);
	tw_scene_close(scene);
	tw_platform_close(platform);
	unlink("graph.pipe");
}
END_TEST

int main(int argc, char **argv)
{
	TCase *c = tcase_create("forks");
	n_rounds = argc > 1 ? atoi(argv[1]) : n_rounds;
	tcase_set_timeout(c, 120);
	tcase_add_test(c, test_threads_that_fork);
	tcase_add_test(c, test_fork_beside_a_reader);
	return run_case("forks of programs", c, CK_FORK); /* each test changes its own process */
}
