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

/* Calls `work` in a child process, and receives the result. `result`: plain bytes, zeroed before the call. `process`
 * names the child in messages, as in "the run's process". TW_FAILED: the child ended without a result; the message says
 * how the child ended. */
int tw__fork_run(void (*work)(const void *arg, void *result), const void *arg, void *result, size_t bytes,
                 const char *process, struct tw_error *err);

/* Starts a child process that calls `work` and is killed when this process ends. `work` and the caller communicate
 * through their `fd`, a socket each; the caller closes *fd with tw__close_hidden. `what` names the work in messages, as
 * in "the run". */
int tw__fork(pid_t *pid, int *fd, void (*work)(const void *arg, int fd), const void *arg, const char *what,
             struct tw_error *err);
/* Writes all bytes to a socket of tw__fork. False: the other end is closed, or the write failed. */
bool tw__write_all(int fd, const void *from, size_t bytes);
/* Reads `bytes` bytes from a socket of tw__fork; returns how many it got. Fewer than `bytes`: the other end is
 * closed. */
size_t tw__read_all(int fd, void *to, size_t bytes);
/* Whether this process is the child that tw__fork started, and not a copy of it that a plug-in has forked. */
bool tw__is_child(void);
/* Runs the leak sanitizer now, for child processes: they end by _exit, which skips the sanitizer. A leak ends the
 * process with a report. */
void tw__check_leaks(void);
int tw__wait_for(pid_t); /* waits for the end of a child; returns its wait status */

/* Hides an open descriptor from children that are forked later: they close it first. TW_NOMEM: out of memory. */
int tw__hide(int fd, struct tw_error *err);
/* Ends the hiding, before the caller closes the descriptor. Does nothing if it is not hidden. */
void tw__unhide(int fd);
void tw__close_hidden(int fd);

/* Sets the error message for a child process that ended without a result. `process` names it. */
void tw__explain_end(struct tw_error *, const char *process, int wait_status);
/* The exit status of a child that could not send its result. */
enum { TW__EXIT_UNSENT = 113 };

#endif
