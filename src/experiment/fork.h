/* Work in a process of its own, the result of which comes back through a pipe. */
#ifndef TW__FORK_H
#define TW__FORK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <tilewright/base.h>

/* Calls `work` in a child process. `result`: plain bytes, zero before. TW_FAILED: the child ended without a result; the message tells
 * how. */
int tw__fork_run(void (*work)(const void *arg, void *result), const void *arg, void *result, size_t bytes,
                 struct tw_error *err);

/* Starts a process that calls `work`, and is killed when this one ends. What `work` writes to its `fd` is read from *fd here, which is the
 * caller's to close. `what`: for messages, "the run". */
int tw__fork(pid_t *pid, int *fd, void (*work)(const void *arg, int fd), const void *arg, const char *what,
             struct tw_error *err);
/* False: the other end was closed, or cannot take it. */
bool tw__write_all(int fd, const void *from, size_t bytes);
int tw__wait_for(pid_t); /* its wait status */

/* How a process ended that was to leave something. */
void tw__explain_end(struct tw_error *, int wait_status);

#endif
