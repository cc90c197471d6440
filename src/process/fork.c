#include "process/fork.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/memory.h"
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
	int wait_status = 0;
	while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR)
		;
	return wait_status;
}

void tw__check_leaks(void)
{
#ifdef CHECKS_LEAKS
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

void tw__hide(int fd)
{
	TW_RESERVE(hidden.fds, hidden.capacity, hidden.n + 1);
	hidden.fds[hidden.n++] = fd;
}

void tw__unhide(int fd)
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

void tw__close_hidden(int fd)
{
	tw__unhide(fd);
	close(fd);
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

/* Prepares this process for code of plug-ins. */
static void separate(int fd)
{
	static bool has_handlers;
	close_all_hidden();
	child.pid = getpid();
	child.fd = fd;
	dup2(STDERR_FILENO, STDOUT_FILENO); /* a plug-in may print; what this command prints must stay whole */
	if (has_handlers)
		return;
	has_handlers = true;
	pthread_atfork(note_forker, NULL, be_copy);
	on_exit(leave, NULL);
}

/* Runs `work` in the child; never returns. */
static void be_child(void (*work)(const void *, int), const void *arg, int fd, pid_t parent)
{
	struct tw__door door;
	end_with(parent);
	separate(fd);
	if (TW__MEMORY_RUNS_OUT(&door))
		_exit(TW__EXIT_NO_MEMORY);
	work(arg, fd);
	fflush(stdout); /* what a plug-in has printed */
	_exit(0);       /* not exit(): exit handlers belong to the parent */
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

int tw__fork(pid_t *pid, int *fd, void (*work)(const void *arg, int fd), const void *arg, const char *what,
             struct tw_error *err)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return tw_fail(err, TW_SYSTEM, "cannot make a pair of sockets: %s", strerror(errno));
	tw__hide(ends[0]);
	char why[TW__REFUSED_TEXT];
	pid_t parent = getpid();
	fflush(stdout); /* the child must not inherit text that it could write again */
	*pid = fork();
	if (*pid == 0)
		be_child(work, arg, ends[1], parent);
	int reason = errno;
	close(ends[1]);
	*fd = ends[0];
	if (*pid > 0)
		return TW_OK;
	tw__close_hidden(ends[0]);
	return tw_fail(err, TW_SYSTEM, "cannot start a process for %s: %s", what, tw__refused(why, reason));
}

void tw__explain_end(struct tw_error *err, const char *process, int wait_status)
{
	if (WIFSIGNALED(wait_status))
		tw_fail(err, TW_FAILED, "%s was ended by signal %d (%s)", process, WTERMSIG(wait_status),
		        strsignal(WTERMSIG(wait_status)));
	else if (WEXITSTATUS(wait_status) == TW__EXIT_NO_MEMORY)
		tw_fail(err, TW_NOMEM, "%s ran out of memory", process);
	else if (WEXITSTATUS(wait_status) == TW__EXIT_UNSENT)
		tw_fail(err, TW_FAILED, "%s could not send its result: a plug-in has closed its socket", process);
	else
		tw_fail(err, TW_FAILED, "%s ended without a result (exit status %d)", process,
		        WEXITSTATUS(wait_status));
}

/* --- results ------------------------------------------------------------------------------------------------------ */

static const char mark[8] = "\aRESULT\n";

struct front {
	char mark[sizeof mark];
	uint64_t bytes;
};

void tw__send(int fd, const void *head, size_t head_bytes, const void *tail, size_t tail_bytes)
{
	if (!tw__is_child())
		_exit(1);
	struct front front = {.bytes = head_bytes + tail_bytes};
	memcpy(front.mark, mark, sizeof mark);
	if (!tw__write_all(fd, &front, sizeof front) || !tw__write_all(fd, head, head_bytes) ||
	    !tw__write_all(fd, tail, tail_bytes))
		_exit(TW__EXIT_UNSENT);
}

bool tw__inbox_receive(struct tw__inbox *inbox, int fd)
{
	TW_RESERVE(inbox->bytes, inbox->capacity, inbox->n + 4096);
	ssize_t n = read(fd, inbox->bytes + inbox->n, inbox->capacity - inbox->n);
	if (n < 0 && errno == EINTR)
		return false;
	inbox->n += n > 0 ? (size_t)n : 0;
	return n <= 0;
}

enum tw__inbox_state tw__inbox_state(const struct tw__inbox *inbox)
{
	struct front front;
	size_t n = inbox->n < sizeof mark ? inbox->n : sizeof mark;
	if (n > 0 && memcmp(inbox->bytes, mark, n) != 0)
		return TW__INBOX_SPOILT;
	if (inbox->n < sizeof front)
		return TW__INBOX_PARTIAL;
	memcpy(&front, inbox->bytes, sizeof front);
	if (front.bytes < inbox->least)
		return TW__INBOX_SPOILT;
	size_t got = inbox->n - sizeof front;
	return got < front.bytes ? TW__INBOX_PARTIAL : got == front.bytes ? TW__INBOX_WHOLE : TW__INBOX_SPOILT;
}

const char *tw__inbox_result(const struct tw__inbox *inbox, size_t *bytes)
{
	*bytes = inbox->n - sizeof(struct front);
	return inbox->bytes + sizeof(struct front);
}

void tw__inbox_empty(struct tw__inbox *inbox) { inbox->n = 0; }

void tw__inbox_finish(struct tw__inbox *inbox)
{
	free(inbox->bytes);
	*inbox = (struct tw__inbox){0};
}

void tw__explain_spoilt(struct tw_error *err)
{
	tw_fail(err, TW_FAILED,
	        "a plug-in wrote to the socket of the run's process: expected it to write only to descriptors that it "
	        "has opened");
}

/* --- one result of one child -------------------------------------------------------------------------------------- */

struct work {
	void (*work)(const void *arg, void *result);
	const void *arg;
	void *result;
	size_t bytes;
};

/* In the child: calls the work and sends its result to the parent. */
static void work_and_send(const void *arg, int fd)
{
	const struct work *w = arg;
	w->work(w->arg, w->result);
	tw__check_leaks();
	tw__send(fd, w->result, w->bytes, NULL, 0);
}

int tw__fork_run(void (*work)(const void *arg, void *result), const void *arg, void *result, size_t bytes,
                 const char *process, struct tw_error *err)
{
	const struct work w = {work, arg, result, bytes};
	struct tw__inbox inbox = {.least = bytes};
	pid_t pid;
	int fd;
	size_t received;
	memset(result, 0, bytes);
	int status = tw__fork(&pid, &fd, work_and_send, &w, "the run", err);
	if (status < 0)
		return status;
	while (tw__inbox_state(&inbox) == TW__INBOX_PARTIAL && !tw__inbox_receive(&inbox, fd))
		;
	enum tw__inbox_state state = tw__inbox_state(&inbox);
	tw__close_hidden(fd);
	if (state == TW__INBOX_SPOILT)
		kill(pid, SIGKILL);
	int wait_status = tw__wait_for(pid);
	if (state == TW__INBOX_WHOLE)
		memcpy(result, tw__inbox_result(&inbox, &received), bytes);
	else if (state == TW__INBOX_SPOILT)
		tw__explain_spoilt(err);
	else
		tw__explain_end(err, process, wait_status);
	tw__inbox_finish(&inbox);
	return state == TW__INBOX_WHOLE ? TW_OK : TW_FAILED;
}
