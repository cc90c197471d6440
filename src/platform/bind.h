/* Threads bound to cores, through hwloc. Cores are those that the process may run on, in hwloc's logical order: core 3
 * is that of the worker "CPU3" of tw__machine_platform.
 *
 * The first call of any of these functions loads the topology, once per process. That call changes the environment for
 * a moment: call tw__bindable_cores before threads start. Bind threads that end with the run, not the main thread: its
 * binding would count as the process's when tw__machine_platform counts cores again. */
#ifndef TW__BIND_H
#define TW__BIND_H

#include <stdbool.h>
#include <stddef.h>

/* The number of cores that threads can be bound to, at least 1. TW_FAILED: binding is refused; `why` is one line. */
int tw__bindable_cores(char *why, size_t room);

/* Binds the calling thread to the first hardware thread of a core. TW_FAILED: binding is refused; `why` is one line. */
int tw__bind_thread(int core, char *why, size_t room);

/* Whether the core is one of those near a PCI device, "0000:3b:00.0"; true where nobody knows. */
bool tw__core_is_near(int core, const char *pci_place);

/* The number of that hardware thread, as sched_getcpu tells it; TW_NONE: there is no such core. */
int tw__core_pu(int core);

#endif
