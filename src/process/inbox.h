/* The result that a child sends through its socket, and the bytes of it that the parent has received. A mark and the
 * number of bytes come first, so the parent notices bytes that a plug-in wrote to the socket. */
#ifndef TW__INBOX_H
#define TW__INBOX_H

#include <stdbool.h>
#include <stddef.h>

#include <tilewright/base.h>

struct tw__inbox {
	size_t least; /* the least bytes that a result has; the caller sets it */
	char *bytes;
	size_t n, capacity;
};

enum tw__inbox_state {
	TW__INBOX_PARTIAL,
	TW__INBOX_WHOLE,
	TW__INBOX_SPOILT /* others have written to the socket, or the result is too short */
};

/* In a child of tw__fork: sends head and tail as one result. If that fails, ends the process, which tells the parent.
 * Also ends a copy of the child that a plug-in has forked, which has no result to send. */
void tw__send(int fd, const void *head, size_t head_bytes, const void *tail, size_t tail_bytes);

/* Receives bytes from a child's socket. Returns 1 if the child has closed the socket, otherwise 0, or an error. */
int tw__inbox_receive(struct tw__inbox *, int fd, struct tw_error *err);
enum tw__inbox_state tw__inbox_state(const struct tw__inbox *);
/* Returns a whole result, which belongs to the inbox and has at least `least` bytes. */
const char *tw__inbox_result(const struct tw__inbox *, size_t *bytes);
/* Empties the inbox for the next result, and keeps its memory. */
void tw__inbox_empty(struct tw__inbox *);
void tw__inbox_finish(struct tw__inbox *);

/* Sets the error message for a child whose result is spoilt. */
void tw__explain_spoilt(struct tw_error *);

#endif
