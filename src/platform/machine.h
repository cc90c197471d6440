/* This machine as a platform in memory, for runs on the machine itself. */
#ifndef TW__MACHINE_H
#define TW__MACHINE_H

#include "platform/emulate.h"
#include "platform/gpus.h"
#include "platform/platform.h"

#define TW__MACHINE_NAME "machine"

/* The workers are the cores that this process may run on, "CPU0", "CPU1" ..., and the accelerators, "GPU0", "GPU1"
 * ...; NULL: no accelerators. Emulated ones take no core from the CPU workers. The platform's name is
 * TW__MACHINE_NAME. hwloc runs in a child process; $HWLOC_XMLFILE and $HWLOC_SYNTHETIC describe another machine, as
 * for tw__detect. */
int tw__machine_platform(struct tw_platform **, const struct tw__emulation *emulated, const struct tw__gpus *found,
                         struct tw_error *err);

/* The core of a CPU worker, for tw__bind_thread: worker "CPU3" has core 3. A group has this core and the following
 * ones. The platform may come from tw__platform_select. TW_NONE: the worker is an accelerator. */
int tw__machine_core(const struct tw_platform *, tw_worker);

#endif
