/* Runs on engines that compute: what they are told, and what has no meaning there. */
#ifndef TW__COMPUTING_H
#define TW__COMPUTING_H

#include "experiment/load.h"

/* Fills plan->computing, once engine, platform and parameters of the runtime are known; nothing for other engines. TW_INVALID: the
 * request asks for something that only a simulation has, or --check without such an engine, or
 * --emulate with neither such an engine nor this machine as platform. */
int tw__computing_init(struct tw__plan *, struct tw_error *err);
/* What a GPU cannot run has no time there, whatever the platform's file says: then truth and belief get times of their own, without those.
 * TW_INVALID: a kernel runs nowhere any more. */
int tw__computing_times(struct tw__plan *, struct tw_error *err);
void tw__computing_finish(struct tw__plan *);
/* Whether its kernels do nothing, so that it makes no flops. */
bool tw__computing_is_empty(const struct tw__plan *);

/* "full", "residual", "none". */
int tw__check_parse(enum tw__check *, const char *text, struct tw_error *err);

#endif
