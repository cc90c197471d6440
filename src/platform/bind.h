/* Binds threads to cores, and memory to NUMA nodes, through hwloc, which comes in a module. The cores are those that
 * the process may run on, in hwloc's logical order. Core 3 is the core of the worker "CPU3" in the platform that
 * tw__machine_platform makes.
 *
 * The first call of any of these functions loads the module and hwloc's topology of this machine, once per process.
 * Loading changes environment variables, so call tw__bindable_cores before other threads start. Bind only threads that
 * end with the run, never the main thread. If the main thread were bound to a core, tw__machine_platform would later
 * count only this core. */
#ifndef TW__BIND_H
#define TW__BIND_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the number of cores that threads can be bound to, at least 1. TW_FAILED: threads cannot be bound; `why` gets
 * the reason in one line. */
int tw__bindable_cores(char *why, size_t room);

/* Binds the calling thread to the first hardware thread of a core. TW_FAILED: the thread cannot be bound; `why` gets
 * the reason in one line. */
int tw__bind_thread(int core, char *why, size_t room);

/* Binds the calling thread to the cores near a main memory (tw__bindable_mains). TW_FAILED: as of tw__bind_thread. */
int tw__bind_thread_near(int main, char *why, size_t room);

/* Whether a core is near a PCI device, given by its PCI address, such as "0000:3b:00.0"; true if unknown. */
bool tw__core_is_near(int core, const char *pci_place);

/* Returns the number of a core's first hardware thread, as sched_getcpu reports it; TW_NONE: there is no such core. */
int tw__core_pu(int core);

/* Returns how many NUMA nodes of this machine are main memories of a platform that has several (platform/topology.h);
 * at least 1. TW_FAILED: as of tw__bindable_cores. */
int tw__bindable_mains(char *why, size_t room);

/* Returns the main memory that is nearest to a core; TW_NONE: there is no such core, or it is near several. */
int tw__core_main(int core);

/* Binds memory to the NUMA node of main memory `main`: pages that a thread touches later come from this node alone.
 * `at` begins a page, and no thread has touched the memory yet. TW_FAILED: there is no such node, or the system
 * refuses; `why` gets the reason in one line. */
int tw__bind_memory(void *at, size_t bytes, int main, char *why, size_t room);

/* The functions above, as the module has them (bind_hwloc.c). */
struct tw__binding {
	int (*cores)(char *why, size_t room);
	int (*thread)(int core, char *why, size_t room);
	bool (*is_near)(int core, const char *pci_place);
	int (*pu)(int core);
	int (*mains)(char *why, size_t room);
	int (*core_main)(int core);
	int (*thread_near)(int main, char *why, size_t room);
	int (*memory)(void *at, size_t bytes, int main, char *why, size_t room);
};

#endif
