/* Runs work in child processes, which send their results back through a socket.
 *
 * The work may call code of plug-ins, which may do anything. So a child lacks the descriptors that this process hides,
 * and its standard output is the standard error of this process. If a plug-in calls exit, no exit handlers of this
 * process run in the child. If a plug-in forks, the copy lacks the socket, and is killed when the child ends. */
#ifndef TW__FORK_H
#define TW__FORK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <tilewright/base.h>

/* Starts a child process that calls `work`, and is killed when the calling thread ends. Several threads may fork at one
 * time. `work` and the caller communicate through their `fd`, a socket each; the caller closes *fd with
 * tw__close_hidden. `what` names the work in messages, as in "the run". */
int tw__fork(pid_t *pid, int *fd, void (*work)(const void *arg, int fd), const void *arg, const char *what,
             struct tw_error *err);
/* Lets children call this process's callback for messages (tw_set_log). Without this call they have none: the code of a
 * host program may wait for ever in a child, for a lock that another thread held at the fork. */
void tw__children_log(void);
/* Writes all bytes to a socket of tw__fork. False: the other end is closed, or the write failed. */
bool tw__write_all(int fd, const void *from, size_t bytes);
/* Reads `bytes` bytes from a socket of tw__fork; returns how many it got. Fewer than `bytes`: the other end is
 * closed. */
size_t tw__read_all(int fd, void *to, size_t bytes);
/* Whether this process is the child that tw__fork started, and not a copy of it that a plug-in has forked. */
bool tw__is_child(void);
/* Runs the leak sanitizer now, for child processes: they end by _exit, which skips the sanitizer. A leak ends the
 * process with a report. Does nothing if the parent has other threads. */
void tw__check_leaks(void);
/* In a child whose libraries may lose memory: nothing that is allocated from now on counts as a leak. */
void tw__ignore_leaks(void);
/* Waits for the end of a child. Returns its wait status; TW__END_UNKNOWN: the host program ignores SIGCHLD, or waits
 * for all children itself. */
int tw__wait_for(pid_t);
enum { TW__END_UNKNOWN = -1 };

/* Hides an open descriptor from children that are forked later: they close it first. */
void tw__hide(int fd);
/* Ends the hiding, before the caller closes the descriptor. Does nothing if it is not hidden. */
void tw__unhide(int fd);
void tw__close_hidden(int fd);

/* In a child: kills it after so many seconds, whatever its code does. TW_SYSTEM: the system has no timer. A process has
 * one such timer at a time; the second function ends it. */
int tw__kill_after(double limit_s, struct tw_error *err);
void tw__kill_no_more(void);

/* Sets the error message for a child process that ended without a result. `process` names it. */
void tw__explain_end(struct tw_error *, const char *process, int wait_status);
/* The exit status of a child that could not send its result. Others ran out of memory outside of a run, or another
 * thread kept them from starting. */
enum { TW__EXIT_UNSENT = 113, TW__EXIT_NO_MEMORY = 114, TW__EXIT_LOADING = 115 };

/* --- results ------------------------------------------------------------------------------------------------------ */

/* The result that a child sends through its socket, and the bytes of it that the parent has received. A mark and the
 * number of bytes come first, so the parent notices bytes that a plug-in wrote to the socket. */
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

/* Receives bytes from a child's socket. Returns whether the child has closed the socket. */
bool tw__inbox_receive(struct tw__inbox *, int fd);
enum tw__inbox_state tw__inbox_state(const struct tw__inbox *);
/* Returns a whole result, which belongs to the inbox and has at least `least` bytes. */
const char *tw__inbox_result(const struct tw__inbox *, size_t *bytes);
/* Empties the inbox for the next result, and keeps its memory. */
void tw__inbox_empty(struct tw__inbox *);
void tw__inbox_finish(struct tw__inbox *);

/* Sets the error message for a child whose result is spoilt. */
void tw__explain_spoilt(struct tw_error *);

/* Calls `work` in a child process, and receives the result. `result`: plain bytes, zeroed before the call. `process`
 * names the child in messages, as in "the run's process". TW_FAILED: the child ended without a result; the message says
 * how the child ended. */
int tw__fork_run(void (*work)(const void *arg, void *result), const void *arg, void *result, size_t bytes,
                 const char *process, struct tw_error *err);

#endif
