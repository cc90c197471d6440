/* The GPUs of this machine, for preparing runs. */
#ifndef TW__REAL_GPUS_H
#define TW__REAL_GPUS_H

#include <stdbool.h>

#include <tilewright/base.h>

#include "platform/gpus.h"

/* Finds the GPUs that a run can use. A process that has called this function cannot fork any more, so call it in a
 * process of its own. TW_INVALID: there is no usable GPU; err has the reason. TW_FAILED: a CUDA call has failed. */
int tw__real_detect_gpus(struct tw__gpus *, struct tw_error *err);

/* Whether a GPU can run this kernel of the workload. */
bool tw__real_gpus_have(const char *workload, const char *kernel);

#endif
