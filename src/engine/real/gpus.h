/* GPUs of this machine, for those who prepare runs on it. */
#ifndef TW__REAL_GPUS_H
#define TW__REAL_GPUS_H

#include <stdbool.h>

#include <tilewright/base.h>

#include "platform/gpus.h"

/* What a run could use. A process that has called this cannot fork any more: call it in one of its own. TW_INVALID, with the reason: there is
 * no GPU, or none that can be used. TW_FAILED: a call of CUDA has failed. */
int tw__real_detect_gpus(struct tw__gpus *, struct tw_error *err);

/* Whether GPUs have such a kernel. */
bool tw__real_gpus_have(const char *workload, const char *kernel);

#endif
