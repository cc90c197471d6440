/* Work in child processes, with results sent back through a socket. */
#ifndef TW__FORK_H
#define TW__FORK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <tilewright/base.h>

/* Calls `work` in a child process. `result`: plain bytes, zeroed before. TW_FAILED: the child ended without a result;
 * the message says how it ended. */
int tw__fork_run(void (*work)(const void *arg, void *result), const void *arg, void *result, size_t bytes,
                 struct tw_error *err);

/* Starts a process that calls `work` and is killed when this process ends. `work` and the caller communicate through
 * their `fd`, a socket each; the caller closes *fd. `what`: for messages, "the run". */
int tw__fork(pid_t *pid, int *fd, void (*work)(const void *arg, int fd), const void *arg, const char *what,
             struct tw_error *err);
/* Writes to such a socket. False: the other end is closed, or the write failed. */
bool tw__write_all(int fd, const void *from, size_t bytes);
/* Reads from such a socket. Less than `bytes`: the other end is closed. */
size_t tw__read_all(int fd, void *to, size_t bytes);
/* Runs the leak sanitizer now, as children end by _exit, which skips it. A leak ends the process with a report. */
void tw__check_leaks(void);
int tw__wait_for(pid_t); /* its wait status */

/* Sets the error message for a process that ended without a result. */
void tw__explain_end(struct tw_error *, int wait_status);

#endif
