#include "experiment/fork.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

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

/* Runs `work` in the child; never returns. `parent`: the process that waits for the result. */
static void be_child(void (*work)(const void *, int), const void *arg, int fd, pid_t parent)
{
#ifdef __linux__
	/* The child is killed when its parent ends: nobody could receive the result any more. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
#else
	(void)parent;
#endif
	work(arg, fd);
	_exit(0); /* not exit(): stdio buffers and exit handlers belong to the parent */
}

int tw__fork(pid_t *pid, int *fd, void (*work)(const void *arg, int fd), const void *arg, const char *what,
             struct tw_error *err)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return tw_fail(err, TW_FAILED, "cannot make a pair of sockets: %s", strerror(errno));
	pid_t parent = getpid();
	*pid = fork();
	if (*pid == 0) {
		close(ends[0]);
		be_child(work, arg, ends[1], parent);
	}
	int reason = errno;
	close(ends[1]);
	*fd = ends[0];
	if (*pid > 0)
		return TW_OK;
	close(ends[0]);
	return tw_fail(err, TW_FAILED, "cannot start a process for %s: %s", what, strerror(reason));
}

void tw__explain_end(struct tw_error *err, int wait_status)
{
	if (WIFSIGNALED(wait_status))
		tw_fail(err, TW_FAILED, "the run's process was ended by signal %d (%s)", WTERMSIG(wait_status),
		        strsignal(WTERMSIG(wait_status)));
	else
		tw_fail(err, TW_FAILED, "the run's process ended without a result (exit status %d)",
		        WEXITSTATUS(wait_status));
}

struct work {
	void (*work)(const void *arg, void *result);
	const void *arg;
	void *result;
	size_t bytes;
};

/* In the child: calls the work and sends its result to the parent. A write error needs no report, as the parent notices
 * missing bytes. */
static void work_and_send(const void *arg, int fd)
{
	const struct work *w = arg;
	w->work(w->arg, w->result);
	tw__check_leaks();
	tw__write_all(fd, w->result, w->bytes);
}

int tw__fork_run(void (*work)(const void *arg, void *result), const void *arg, void *result, size_t bytes,
                 struct tw_error *err)
{
	const struct work w = {work, arg, result, bytes};
	pid_t child;
	int fd;
	memset(result, 0, bytes);
	int status = tw__fork(&child, &fd, work_and_send, &w, "the run", err);
	if (status < 0)
		return status;
	size_t got = tw__read_all(fd, result, bytes);
	close(fd);
	int wait_status = tw__wait_for(child);
	if (got == bytes)
		return TW_OK;
	tw__explain_end(err, wait_status);
	return TW_FAILED;
}
