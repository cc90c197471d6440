/* Runs on engines that compute: their configuration, and requests that they refuse. */
#ifndef TW__COMPUTING_H
#define TW__COMPUTING_H

#include "experiment/load.h"

/* Fills plan->computing, once engine, platform and runtime parameters are known. Does nothing for other engines.
 * TW_INVALID: the request asks for something that only a simulation has; or for --check without such an engine; or for
 * --emulate with neither such an engine nor the platform `machine`. */
int tw__computing_init(struct tw__plan *, struct tw_error *err);
/* Removes the GPU times of kernels that no GPU can run, whatever the platform's file says: truth and belief then have
 * their own times. TW_INVALID: no worker can run a kernel any more. */
int tw__computing_times(struct tw__plan *, struct tw_error *err);
void tw__computing_finish(struct tw__plan *);
/* Whether its kernels are empty (kernels=empty), so that no flops are done. */
bool tw__computing_is_empty(const struct tw__plan *);

/* Parses "full", "residual" or "none". */
int tw__check_parse(enum tw__check *, const char *text, struct tw_error *err);

#endif
