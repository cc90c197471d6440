/* SimGrid, started and given a platform: hosts W0, W1 ... for workers, M0, M1 ... for memories, links L0, L1 ... */
#ifndef TW__SIMGRID_LOAD_H
#define TW__SIMGRID_LOAD_H

#include "platform/platform.h"

int tw__simgrid_load(const struct tw_platform *, double unit, struct tw_error *err);

#endif
