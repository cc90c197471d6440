/* Results of children: how they are sent through a socket, and received. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "process/fork.h"

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
