/* Reads the buses of a host as StarPU measured them, sampling/bus/HOST.bandwidth and .latency. StarPU's schedulers
 * predict copies with these values. */
#ifndef TW__STARPU_BUS_H
#define TW__STARPU_BUS_H

#include "platform/platform.h"

/* Sets the predicted bandwidth and latency of all routes between main memory and accelerators. The name of each
 * accelerator's memory must be StarPU's, such as "CUDA0". TW_INVALID: a file is malformed, or lacks one of these
 * memories. If the files do not exist, *found becomes false, and the predictions do not change. */
int tw__starpu_bus_read(struct tw_platform *, const char *folder, const char *host, bool *found, struct tw_error *err);

#endif
