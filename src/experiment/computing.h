/* Runs on engines that compute: what they are told, and what has no meaning there. */
#ifndef TW__COMPUTING_H
#define TW__COMPUTING_H

#include "experiment/load.h"

/* Fills plan->computing, once engine, platform and parameters of the runtime are known; nothing for other engines. TW_INVALID: the
 * request asks for something that only a simulation has, or --emulate and --check without such an engine. */
int tw__computing_init(struct tw__plan *, struct tw_error *err);
void tw__computing_finish(struct tw__plan *);

/* "full", "residual", "none". */
int tw__check_parse(enum tw__check *, const char *text, struct tw_error *err);

#endif
