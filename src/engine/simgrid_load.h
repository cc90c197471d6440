/* Starts SimGrid and loads a platform. Hosts W0, W1 ... are workers, hosts M0, M1 ... memories; L0, L1 ... are
 * links. */
#ifndef TW__SIMGRID_LOAD_H
#define TW__SIMGRID_LOAD_H

#include "platform/platform.h"

int tw__simgrid_load(const struct tw_platform *, double unit, struct tw_error *err);

#endif
