/* StarPU's measured buses of a host, sampling/bus/HOST.bandwidth and .latency: the predictions of its schedulers. */
#ifndef TW__STARPU_BUS_H
#define TW__STARPU_BUS_H

#include "platform/platform.h"

/* Sets the predictions of all routes between main memory and accelerators, whose names end with their numbers.
 * TW_INVALID: a file is malformed, or lacks one of these memories. Without the files, *found is false, and predictions
 * stay. */
int tw__starpu_bus_read(struct tw_platform *, const char *folder, const char *host, bool *found, struct tw_error *err);

#endif
