/* The GPUs of this machine, for the preparation of runs. */
#ifndef TW__REAL_GPUS_H
#define TW__REAL_GPUS_H

#include <stdbool.h>

#include <tilewright/base.h>

#include "platform/gpus.h"

/* Finds the GPUs that a run can use. A process that has called this cannot fork any more, so call it in a process of
 * its own. TW_INVALID: no usable GPU; err has the reason. TW_FAILED: a CUDA call has failed. */
int tw__real_detect_gpus(struct tw__gpus *, struct tw_error *err);

/* Whether GPUs have this kernel. */
bool tw__real_gpus_have(const char *workload, const char *kernel);

#endif
