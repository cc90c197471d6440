/* Work in a process of its own, the result of which comes back through a socket. */
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

/* Starts a process that calls `work`, and is killed when this one ends. `work` and the caller talk through their `fd`, a socket each;
 * *fd is the caller's to close. `what`: for messages, "the run". */
int tw__fork(pid_t *pid, int *fd, void (*work)(const void *arg, int fd), const void *arg, const char *what,
             struct tw_error *err);
/* To such a socket. False: the other end was closed, or cannot take it. */
bool tw__write_all(int fd, const void *from, size_t bytes);
/* From it. Less than `bytes`: the other end was closed. */
size_t tw__read_all(int fd, void *to, size_t bytes);
/* The leak sanitizer looks when a process exits, and a child ends otherwise: this looks now. A leak ends the process, with a report. */
void tw__check_leaks(void);
int tw__wait_for(pid_t); /* its wait status */

/* How a process ended that was to leave something. */
void tw__explain_end(struct tw_error *, int wait_status);

#endif
