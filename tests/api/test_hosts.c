/* Programs with handlers of signals, limits, descriptors and threads of their own. Runs in processes must neither hang
 * nor give another result. */
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <check.h>

#include <tilewright/run.h>

#include "fixture.h"

/* The thread sanitizer does not know SimGrid's stacks. */
#ifdef __SANITIZE_THREAD__
static const char *const simgrid = NULL;
#else
static const char *const simgrid = "engine=simgrid";
#endif

static struct tw_error err;

static double now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- children of the program ------------------------------------------------------------------------------------- */

static void push(struct tw_sched *s, void *state, tw_task t, tw_worker by)
{
	(void)state, (void)t, (void)by;
	tw_wake(s, TW_ALL);
}

static tw_task die(struct tw_sched *s, void *state, tw_worker w)
{
	(void)s, (void)state, (void)w;
	raise(SIGKILL);
	return TW_NONE;
}

static tw_task sleep_for_ever(struct tw_sched *s, void *state, tw_worker w)
{
	(void)s, (void)state, (void)w;
	for (;;)
		pause();
	return TW_NONE;
}

static const struct tw_policy dying = {.abi = TW_POLICY_ABI, .name = "dying", .push = push, .pop = die};
static const struct tw_policy sleeper = {.abi = TW_POLICY_ABI, .name = "sleeper", .push = push, .pop = sleep_for_ever};

static void check_failure(struct tw_scene *scene, const struct tw_policy *own, const char *option, const char *message)
{
	const char *const options[] = {option, NULL};
	struct tw_run_options o;
	struct tw_run *run;
	tw_run_options_init(&o);
	o.own_policy = own;
	o.options = options;
	o.place = TW_RUN_IN_PROCESS;
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_FAILED);
	ck_assert_msg(strstr(err.message, message), "%s", err.message);
	ck_assert_str_eq(tw_run_value(run, "message"), err.message);
	tw_run_close(run);
}

static void tell(struct tw_sched *s, void *state, tw_task t, tw_worker by)
{
	(void)state, (void)by;
	tw_log(TW_LOG_INFO, "task %d", (int)t);
	tw_abort_run(s, "it has told");
}

static const struct tw_policy teller = {.abi = TW_POLICY_ABI, .name = "teller", .push = tell, .pop = die};

/* The callback must be called here alone: in a process it may wait for a lock of another thread. */
static void count_messages(enum tw_log_level level, const char *message, void *count)
{
	*(int *)count += level == TW_LOG_INFO && strcmp(message, "task 0") == 0;
}

START_TEST(test_log)
{
	struct tw_scene *scene = scene_with("cholesky:nt=3", NULL);
	int count = 0;
	tw_set_log(count_messages, &count);
	check_failure(scene, &teller, NULL, "it has told");
	ck_assert_int_eq(count, 1);
	tw_set_log(NULL, NULL);
	tw_scene_close(scene);
}
END_TEST

static void reap_all(int number)
{
	const int before = errno;
	(void)number;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	errno = before;
}

static const struct {
	void (*handler)(int);
	int flags;
	const char *end;
} children[] = {
	{SIG_DFL, 0, "was ended by signal 9"},
	{SIG_IGN, 0, "the program ignores SIGCHLD"},
	{SIG_DFL, SA_NOCLDWAIT, "the program ignores SIGCHLD"},
	{reap_all, 0, "was ended by signal 9"},
	{reap_all, SA_RESTART, "was ended by signal 9"},
};

START_TEST(test_children)
{
	const struct sigaction action = {.sa_handler = children[_i].handler, .sa_flags = children[_i].flags};
	struct tw_scene *scene = scene_with("cholesky:nt=6", NULL);
	ck_assert_int_eq(sigaction(SIGCHLD, &action, NULL), 0);
	for (int i = 0; i < 20; i++)
		check_run(scene, NULL, TW_RUN_IN_PROCESS);
	check_run(scene, simgrid, TW_RUN_AUTOMATIC);
	check_failure(scene, &sleeper, "time-limit=0.2s", "stopped after 0.2 s (--time-limit)");
	if (children[_i].handler != reap_all) {
		check_failure(scene, &dying, NULL, children[_i].end);
	} else { /* the handler and the library wait for the same child */
		struct tw_run_options o;
		struct tw_run *run;
		tw_run_options_init(&o);
		o.own_policy = &dying;
		o.place = TW_RUN_IN_PROCESS;
		ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_FAILED);
		ck_assert_msg(strstr(err.message, children[_i].end) || strstr(err.message, "has taken"), "%s",
		              err.message);
		tw_run_close(run);
	}
	tw_scene_close(scene);
	ck_assert(waitpid(-1, NULL, WNOHANG) < 0); /* no child is left */
}
END_TEST

/* --- signals and descriptors -------------------------------------------------------------------------------------- */

static int cancelled;

static void cancel(int number)
{
	(void)number;
	__atomic_store_n(&cancelled, 1, __ATOMIC_RELAXED);
}

/* As Ctrl-C in a program that catches it: the signal interrupts the library's own waiting. */
START_TEST(test_cancel_by_signal)
{
	const struct sigaction action = {.sa_handler = cancel};
	const struct itimerval soon = {.it_value = {0, 100000}};
	struct tw_scene *scene = scene_with("cholesky:nt=6", NULL);
	struct tw_run_options o;
	struct tw_run *run;
	sigaction(SIGALRM, &action, NULL);
	signal(SIGPIPE, SIG_DFL);
	tw_run_options_init(&o);
	o.own_policy = &sleeper;
	o.place = TW_RUN_IN_PROCESS;
	o.cancel = &cancelled;
	double start_s = now_s();
	setitimer(ITIMER_REAL, &soon, NULL);
	ck_assert_int_eq(tw_scene_run(scene, &o, &run, &err), TW_CANCELLED);
	ck_assert_double_lt(now_s() - start_s, 5);
	tw_run_close(run);
	tw_scene_close(scene);
	ck_assert(waitpid(-1, NULL, WNOHANG) < 0);
}
END_TEST

/* A signal that comes often, and interrupts system calls. */
START_TEST(test_many_signals)
{
	const struct sigaction action = {.sa_handler = cancel};
	const struct itimerval often = {.it_interval = {0, 500}, .it_value = {0, 500}};
	struct tw_scene *scene = scene_with("cholesky:nt=12", NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 10; i++)
		check_run(scene, NULL, TW_RUN_IN_PROCESS);
	setitimer(ITIMER_REAL, &(const struct itimerval){0}, NULL);
	tw_scene_close(scene);
}
END_TEST

START_TEST(test_many_descriptors)
{
	struct tw_scene *scene = scene_with("cholesky:nt=6", NULL);
	const struct rlimit room = {2000, 2000};
	setrlimit(RLIMIT_NOFILE, &room);
	for (int i = 0; i < 1000; i++)
		ck_assert_int_ge(open("/dev/null", O_RDWR), 0);
	for (int place = TW_RUN_AUTOMATIC; place <= TW_RUN_IN_PROCESS; place++)
		check_run(scene, NULL, (enum tw_place_of_run)place);
	check_run(scene, simgrid, TW_RUN_AUTOMATIC);
	tw_scene_close(scene);
}
END_TEST

START_TEST(test_no_descriptors)
{
	struct tw_scene *scene = scene_with("cholesky:nt=6", NULL);
	struct tw_platform *platform;
	check_run(scene, NULL, TW_RUN_HERE); /* the first run reads the platform's files, for its identity */
	int next = open("/dev/null", O_RDWR);
	const struct rlimit room = {(rlim_t)next, (rlim_t)next + 100};
	setrlimit(RLIMIT_NOFILE, &room);
	check_run(scene, NULL, TW_RUN_HERE);
	check_failure(scene, &dying, NULL, "cannot make a pair of sockets");
	ck_assert_int_eq(tw_platform_open(&platform, "sirocco", NULL, &err), TW_SYSTEM);
	const struct rlimit more = {(rlim_t)next + 100, (rlim_t)next + 100};
	setrlimit(RLIMIT_NOFILE, &more);
	check_run(scene, NULL, TW_RUN_IN_PROCESS);
	tw_scene_close(scene);
}
END_TEST

/* A daemon has closed its standard streams: descriptors of the library then have their numbers. */
START_TEST(test_no_streams)
{
	struct tw_scene *scene = scene_with("cholesky:nt=6", NULL);
	for (int i = 0; i < 3; i++) {
		close(_i ? i : 2 - i); /* from both ends */
		check_run(scene, NULL, TW_RUN_IN_PROCESS);
		check_run(scene, simgrid, TW_RUN_AUTOMATIC);
	}
	tw_scene_close(scene);
}
END_TEST

/* --- floating-point numbers --------------------------------------------------------------------------------------- */

static char *row_of(struct tw_scene *scene, enum tw_place_of_run place)
{
	static const char *const options[] = {"noise=0.02", "validate", NULL};
	struct tw_run_options o;
	struct tw_run *run;
	tw_run_options_init(&o);
	o.policy = "heft";
	o.options = options;
	o.explain = "json";
	o.place = place;
	ck_assert_msg(tw_scene_run(scene, &o, &run, &err) == TW_OK, "%s", err.message);
	char *text = tw_format("%s %s %s %s", tw_run_value(run, "makespan_s"), tw_run_value(run, "idle_ratio"),
	                       tw_run_value(run, "bound_area_s"), tw_run_explanation(run));
	tw_run_close(run);
	return text;
}

/* Exceptions that end the program, and other roundings. */
START_TEST(test_floats)
{
	static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	struct tw_scene *scene = scene_with("cholesky:nt=6", NULL);
	char *usual = row_of(scene, TW_RUN_HERE);
	tw_scene_close(scene);
	feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
	fesetround(roundings[_i]);
	scene = scene_with("cholesky:nt=6", NULL);
	for (int place = TW_RUN_AUTOMATIC; place <= TW_RUN_IN_PROCESS; place++) {
		char *other = row_of(scene, (enum tw_place_of_run)place);
		ck_assert_str_eq(usual, other);
		free(other);
	}
	ck_assert_int_eq(fegetround(), roundings[_i]);
	ck_assert_int_eq(fegetexcept(), FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
	tw_scene_close(scene);
	free(usual);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("hosts");
	tcase_set_timeout(c, 120);
	tcase_add_loop_test(c, test_children, 0, (int)(sizeof children / sizeof *children));
	tcase_add_test(c, test_log);
	tcase_add_test(c, test_cancel_by_signal);
	tcase_add_test(c, test_many_signals);
	tcase_add_test(c, test_many_descriptors);
	tcase_add_test(c, test_no_descriptors);
	tcase_add_loop_test(c, test_no_streams, 0, 2);
	tcase_add_loop_test(c, test_floats, 0, 4);
	return run_case("host programs", c, CK_FORK); /* each test changes its own process */
}
