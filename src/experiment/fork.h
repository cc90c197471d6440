/* Runs work in child processes, which send their results back through a socket. */
#ifndef TW__FORK_H
#define TW__FORK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <tilewright/base.h>

/* Calls `work` in a child process, and receives the result. `result`: plain bytes, zeroed before the call. TW_FAILED:
 * the child ended without a result; the message says how the child ended. */
int tw__fork_run(void (*work)(const void *arg, void *result), const void *arg, void *result, size_t bytes,
                 struct tw_error *err);

/* Starts a child process that calls `work` and is killed when this process ends. `work` and the caller communicate
 * through their `fd`, a socket each; the caller closes *fd. `what` names the work in messages, as in "the run". */
int tw__fork(pid_t *pid, int *fd, void (*work)(const void *arg, int fd), const void *arg, const char *what,
             struct tw_error *err);
/* Writes all bytes to a socket of tw__fork. False: the other end is closed, or the write failed. */
bool tw__write_all(int fd, const void *from, size_t bytes);
/* Reads `bytes` bytes from a socket of tw__fork; returns how many it got. Fewer than `bytes`: the other end is
 * closed. */
size_t tw__read_all(int fd, void *to, size_t bytes);
/* Runs the leak sanitizer now, for child processes: they end by _exit, which skips the sanitizer. A leak ends the
 * process with a report. */
void tw__check_leaks(void);
int tw__wait_for(pid_t); /* waits for the end of a child; returns its wait status */

/* Sets the error message for a child process that ended without a result. */
void tw__explain_end(struct tw_error *, int wait_status);

#endif
