/* Makes a platform of this machine in memory, for runs on the machine itself. */
#ifndef TW__MACHINE_H
#define TW__MACHINE_H

#include "platform/emulate.h"
#include "platform/gpus.h"
#include "platform/platform.h"

#define TW__MACHINE_NAME "machine"

/* Makes a platform of this machine, named TW__MACHINE_NAME. Its workers are the cores that this process may run on,
 * "CPU0", "CPU1" ..., and the accelerators in `emulated` or `found` (NULL: none), "GPU0", "GPU1" ... Emulated
 * accelerators take no core from the CPU workers. hwloc runs in a child process. If $HWLOC_XMLFILE or $HWLOC_SYNTHETIC
 * is set, the cores are those that the variable describes. */
int tw__machine_platform(struct tw_platform **, const struct tw__emulation *emulated, const struct tw__gpus *found,
                         struct tw_error *err);

/* Returns the core of a CPU worker, as tw__bind_thread counts cores: worker "CPU3" has core 3. If the worker is a group
 * of cores, returns its first core; the others follow. The platform may come from tw__platform_select. TW_NONE: the
 * worker is an accelerator. */
int tw__machine_core(const struct tw_platform *, tw_worker);

#endif
