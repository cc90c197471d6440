/* SimGrid, started and given a platform: hosts W0, W1 ... for workers, M0, M1 ... for memories. */
#ifndef TW__SIMGRID_LOAD_H
#define TW__SIMGRID_LOAD_H

#include "platform/platform.h"

int tw__simgrid_load(const struct tw_platform *, struct tw_error *err);

#endif
