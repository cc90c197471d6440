/* Work in a process of its own, the result of which comes back through a pipe. */
#ifndef TW__FORK_H
#define TW__FORK_H

#include <stddef.h>

#include <tilewright/base.h>

/* Calls `work` in a child process. `result`: plain bytes, zero before. TW_FAILED: the child ended without a result; the message tells
 * how. */
int tw__fork_run(void (*work)(const void *arg, void *result), const void *arg, void *result, size_t bytes,
                 struct tw_error *err);

/* How a process ended that was to leave something. */
void tw__explain_end(struct tw_error *, int wait_status);

#endif
