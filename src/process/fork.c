#include "process/fork.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/door.h"
#include "base/module.h"
#include "base/pages.h"
#include "base/refused.h"

#if defined(__SANITIZE_ADDRESS__)
#define CHECKS_LEAKS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHECKS_LEAKS
#endif
#endif
#ifdef CHECKS_LEAKS
#include <sanitizer/lsan_interface.h>
#include <sys/single_threaded.h>
#endif

size_t tw__read_all(int fd, void *to, size_t bytes)
{
	size_t got = 0;
	while (got < bytes) {
		ssize_t n = read(fd, (char *)to + got, bytes - got);
		if (n > 0)
			got += (size_t)n;
		else if (n == 0 || errno != EINTR)
			break;
	}
	return got;
}

bool tw__write_all(int fd, const void *from, size_t bytes)
{
	for (const char *at = from; bytes > 0;) {
		ssize_t n = send(fd, at, bytes, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		bytes -= (size_t)n;
	}
	return true;
}

int tw__wait_for(pid_t pid)
{
	int wait_status;
	pid_t ended;
	while ((ended = waitpid(pid, &wait_status, 0)) < 0 && errno == EINTR)
		;
	return ended < 0 ? TW__END_UNKNOWN : wait_status;
}

#ifdef CHECKS_LEAKS
/* Whether this process, or its parent at the fork, had one thread alone. The memory of other threads is lost in a
 * child. */
static bool had_one_thread = true;

static void note_threads(void) { had_one_thread = __libc_single_threaded; }
#else
static void note_threads(void) {}
#endif

void tw__check_leaks(void)
{
#ifdef CHECKS_LEAKS
	if (had_one_thread)
		__lsan_do_leak_check();
#endif
}

void tw__ignore_leaks(void)
{
#ifdef CHECKS_LEAKS
	__lsan_disable();
#endif
}

/* --- descriptors that children must not have ---------------------------------------------------------------------- */

static struct {
	int *fds;
	size_t n, capacity;
} hidden;

/* Held from the making of a pair of sockets until its one end is hidden and its other end is with the child alone. So
 * children of other threads get neither. It also protects `hidden`. */
static pthread_mutex_t forks = PTHREAD_MUTEX_INITIALIZER;

/* False: memory does not suffice. */
static bool hide(int fd)
{
	if (hidden.n == hidden.capacity) {
		int *fds = realloc(hidden.fds, (2 * hidden.capacity + 8) * sizeof *fds);
		if (!fds)
			return false;
		hidden.fds = fds;
		hidden.capacity = 2 * hidden.capacity + 8;
	}
	hidden.fds[hidden.n++] = fd;
	return true;
}

static void unhide(int fd)
{
	size_t i = 0;
	while (i < hidden.n && hidden.fds[i] != fd)
		i++;
	if (i < hidden.n)
		hidden.fds[i] = hidden.fds[--hidden.n];
	if (hidden.n > 0)
		return;
	free(hidden.fds);
	hidden.fds = NULL;
	hidden.capacity = 0;
}

void tw__hide(int fd)
{
	pthread_mutex_lock(&forks);
	bool done = hide(fd);
	pthread_mutex_unlock(&forks);
	if (!done)
		tw__no_memory(1, sizeof fd);
}

void tw__unhide(int fd)
{
	pthread_mutex_lock(&forks);
	unhide(fd);
	pthread_mutex_unlock(&forks);
}

void tw__close_hidden(int fd)
{
	pthread_mutex_lock(&forks);
	unhide(fd);
	close(fd);
	pthread_mutex_unlock(&forks);
}

static void close_all_hidden(void)
{
	for (size_t i = 0; i < hidden.n; i++)
		close(hidden.fds[i]);
	hidden.n = 0;
}

/* --- in the child ------------------------------------------------------------------------------------------------- */

/* This process, if it is a child, and its socket. A copy that a plug-in forks has its original's. */
static struct {
	pid_t pid;
	int fd;
} child;

bool tw__is_child(void) { return child.pid == getpid(); }

/* Kills this process when `parent` ends. */
static void end_with(pid_t parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
#else
	(void)parent;
#endif
}

static pid_t forker; /* the process that calls fork(): the child, or a copy of it */

static void note_forker(void) { forker = getpid(); }

/* In a copy of this child: if the copy kept the socket, the parent would wait for the end of the copy. */
static void be_copy(void)
{
	if (forker == child.pid)
		close(child.fd);
	end_with(forker);
}

/* A plug-in has called exit(). Exit handlers and stdio buffers that were there before the fork belong to the parent.
 * The buffer of standard output was empty. */
static void leave(int exit_status, void *unused)
{
	(void)unused;
	fflush(stdout);
	_exit(exit_status);
}

/* Signals that have a handler get their default action: the handlers belong to the program that forked this process. */
static void drop_handlers(void)
{
	static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		struct sigaction action;
		if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			signal(numbers[i], SIG_DFL);
	}
}

static bool children_log;

void tw__children_log(void) { children_log = true; }

static void give_up(int signal_number)
{
	(void)signal_number;
	_exit(TW__EXIT_LOADING);
}

/* The C library has a lock for exit handlers, which threads hold for moments while they load libraries. If a thread of
 * the program held it at the fork, it stays locked here. */
static void add_handlers(void)
{
	enum { PATIENCE_S = 2 };
	static bool has_handlers;
	sigset_t alarms, before;
	if (has_handlers)
		return;
	has_handlers = true;
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &alarms, &before);
	signal(SIGALRM, give_up);
	alarm(PATIENCE_S);
	pthread_atfork(note_forker, NULL, be_copy);
	on_exit(leave, NULL);
	alarm(0);
	signal(SIGALRM, SIG_DFL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Prepares this process for code of plug-ins. */
static void separate(int fd)
{
	pthread_mutex_unlock(&forks); /* the thread that forked has locked these, and no other thread is here */
	tw__loading_unlock();
	__fpurge(stdout); /* text that the parent will write */
	drop_handlers();
	if (!children_log)
		tw_set_log(NULL, NULL);
	close_all_hidden();
	child.pid = getpid();
	child.fd = fd;
	dup2(STDERR_FILENO, STDOUT_FILENO); /* a plug-in may print; what this command prints must stay whole */
	add_handlers();
}

/* Writes the counts of a build that is trained (scripts/build --pgo): _exit() does not. NULL in other builds. */
extern void __gcov_dump(void) __attribute__((weak));

/* Runs `work` in the child; never returns. */
static void be_child(void (*work)(const void *, int), const void *arg, int fd, pid_t parent)
{
	struct tw__door door;
	end_with(parent);
	separate(fd);
	tw__pages_set_apart();
	if (TW__MEMORY_RUNS_OUT(&door))
		_exit(TW__EXIT_NO_MEMORY);
	work(arg, fd);
	fflush(stdout); /* what a plug-in has printed */
	if (__gcov_dump)
		__gcov_dump();
	_exit(0); /* not exit(): exit handlers belong to the parent */
}

/* --- the time limit of a child ------------------------------------------------------------------------------------ */

static timer_t timer;
static bool has_timer;

int tw__kill_after(double limit_s, struct tw_error *err)
{
	/* SIGKILL: no plug-in or library can block or catch it. */
	struct sigevent kills = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
	const struct itimerspec after = {
		.it_value = {(time_t)limit_s, (long)(fmod(limit_s, 1) * 1e9)},
	};
	if (timer_create(CLOCK_MONOTONIC, &kills, &timer) < 0 || timer_settime(timer, 0, &after, NULL) < 0)
		return tw_fail(err, TW_SYSTEM, "no timer for a time limit: %s", strerror(errno));
	has_timer = true;
	return TW_OK;
}

void tw__kill_no_more(void)
{
	if (has_timer)
		timer_delete(timer);
	has_timer = false;
}

/* --- in the parent ------------------------------------------------------------------------------------------------ */

/* As socketpair, but leaves the numbers of the standard streams free: the program may have closed those, and the child
 * changes them. */
static int open_pair(int ends[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		if (ends[i] > STDERR_FILENO)
			continue;
		int higher = fcntl(ends[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1), reason = errno;
		close(ends[i]);
		ends[i] = higher;
		if (higher >= 0)
			continue;
		close(ends[!i]);
		errno = reason;
		return -1;
	}
	return 0;
}

/* On failure, errno is set, and *fd is negative if there is no socket. */
static int fork_with_socket(pid_t *pid, int *fd, void (*work)(const void *arg, int fd), const void *arg)
{
	int ends[2];
	pid_t parent = getpid();
	*fd = -1;
	if (open_pair(ends) < 0)
		return TW_SYSTEM;
	*fd = ends[0];
	bool is_hidden = hide(ends[0]);
	tw__loading_lock();
	*pid = is_hidden ? fork() : -1;
	if (*pid == 0)
		be_child(work, arg, ends[1], parent);
	int reason = errno;
	tw__loading_unlock();
	close(ends[1]);
	if (*pid > 0)
		return TW_OK;
	if (is_hidden)
		unhide(ends[0]);
	close(ends[0]);
	errno = reason;
	return is_hidden ? TW_SYSTEM : TW_NOMEM;
}

int tw__fork(pid_t *pid, int *fd, void (*work)(const void *arg, int fd), const void *arg, const char *what,
             struct tw_error *err)
{
	char why[TW__REFUSED_TEXT];
	pthread_mutex_lock(&forks);
	note_threads();
	int status = fork_with_socket(pid, fd, work, arg);
	int reason = errno;
	pthread_mutex_unlock(&forks);
	if (status == TW_OK)
		return TW_OK;
	if (status == TW_NOMEM)
		return tw_fail(err, status, "out of memory: no process for %s", what);
	return *fd < 0 ? tw_fail(err, status, "cannot make a pair of sockets: %s", strerror(reason))
	               : tw_fail(err, status, "cannot start a process for %s: %s", what, tw__refused(why, reason));
}

void tw__explain_end(struct tw_error *err, const char *process, int wait_status)
{
	if (wait_status == TW__END_UNKNOWN)
		tw_fail(err, TW_FAILED,
		        "%s ended without a result; the program ignores SIGCHLD, or has taken the exit status",
		        process);
	else if (WIFSIGNALED(wait_status))
		tw_fail(err, TW_FAILED, "%s was ended by signal %d (%s)", process, WTERMSIG(wait_status),
		        strsignal(WTERMSIG(wait_status)));
	else if (WEXITSTATUS(wait_status) == TW__EXIT_NO_MEMORY)
		tw_fail(err, TW_NOMEM, "%s ran out of memory", process);
	else if (WEXITSTATUS(wait_status) == TW__EXIT_LOADING)
		tw_fail(err, TW_FAILED, "%s did not start, because another thread was loading a library: try again",
		        process);
	else if (WEXITSTATUS(wait_status) == TW__EXIT_UNSENT)
		tw_fail(err, TW_FAILED, "%s could not send its result: a plug-in has closed its socket", process);
	else
		tw_fail(err, TW_FAILED, "%s ended without a result (exit status %d)", process,
		        WEXITSTATUS(wait_status));
}
