/* Binds threads to cores, through hwloc. The cores are those that the process may run on, in hwloc's logical order:
 * core 3 is that of the worker "CPU3" of tw__machine_platform.
 *
 * The first call of any of these functions loads the topology, once per process, and changes the environment
 * meanwhile. So call tw__bindable_cores before threads start. Bind only threads that end with the run. A binding of
 * the main thread would count as the process's when tw__machine_platform counts cores again. */
#ifndef TW__BIND_H
#define TW__BIND_H

#include <stdbool.h>
#include <stddef.h>

/* The number of cores that threads can be bound to, at least 1. TW_FAILED: binding is refused; `why` is one line. */
int tw__bindable_cores(char *why, size_t room);

/* Binds the calling thread to the first hardware thread of a core. TW_FAILED: binding is refused; `why` is one line. */
int tw__bind_thread(int core, char *why, size_t room);

/* Whether the core is near a PCI device, given as "0000:3b:00.0"; true if unknown. */
bool tw__core_is_near(int core, const char *pci_place);

/* The number of that hardware thread, as sched_getcpu reports it; TW_NONE: there is no such core. */
int tw__core_pu(int core);

#endif
