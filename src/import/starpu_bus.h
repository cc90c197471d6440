/* What StarPU measured of a host's buses, sampling/bus/HOST.bandwidth and .latency: what its schedulers believe. */
#ifndef TW__STARPU_BUS_H
#define TW__STARPU_BUS_H

#include "platform/platform.h"

/* Sets the predictions of all routes between main memory and accelerators, whose names end with their numbers. TW_INVALID: a file
 * that is malformed or tells nothing of one of these memories. Files that are not there: predictions stay, and *found is false. */
int tw__starpu_bus_read(struct tw_platform *, const char *folder, const char *host, bool *found, struct tw_error *err);

#endif
