#include "process/inbox.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tilewright/containers.h>

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

int tw__inbox_receive(struct tw__inbox *inbox, int fd, struct tw_error *err)
{
	if (!TW_HAS_ROOM(inbox->bytes, inbox->capacity, inbox->n + 4096))
		return tw_fail(err, TW_NOMEM, "results: out of memory");
	ssize_t n = read(fd, inbox->bytes + inbox->n, inbox->capacity - inbox->n);
	if (n < 0 && errno == EINTR)
		return 0;
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
