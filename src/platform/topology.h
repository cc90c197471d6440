/* The cores of a machine, as hwloc sees them. Topologies for counting cores and for binding threads are loaded in the
 * same way, so that core i is the same core in both. */
#ifndef TW__TOPOLOGY_H
#define TW__TOPOLOGY_H

#include <stdbool.h>

#include <hwloc.h>

/* Limits a topology to cores, caches and NUMA nodes, without devices. Call it before the topology is loaded. Returns
 * hwloc's status: 0, or -1 on failure. */
int tw__topology_cores_only(hwloc_topology_t);

/* Drops from a loaded topology the cores that this process is not bound to (by taskset or a batch system). hwloc itself
 * drops cores that the container may not use. A topology of another machine does not change. Returns hwloc's status: 0,
 * or -1 on failure. */
int tw__topology_restrict(hwloc_topology_t);

/* Returns the number of physical cores; if hwloc finds none, the number of hardware threads. */
int tw__topology_n_cores(hwloc_topology_t);
hwloc_obj_t tw__topology_core(hwloc_topology_t, int core); /* returns core number `core`, in hwloc's logical order */

/* The NUMA nodes that are main memories of a platform: those that are near cores. Left out are GPUs' memories, and
 * further memories of the same cores. Main memory m of a platform with several is tw__topology_main(t, m). An
 * allocation for it is to be bound to the nodeset of this object. */
int tw__topology_n_mains(hwloc_topology_t);                /* returns their number, or 1 if hwloc finds none */
hwloc_obj_t tw__topology_main(hwloc_topology_t, int main); /* NULL: there is none of this number */
/* Returns the main memory that is nearest to these processors; negative: they are near several. */
int tw__topology_main_near(hwloc_topology_t, hwloc_const_cpuset_t);

/* Sets `near` to the processors near a PCI device, given by its PCI address, such as "0000:3b:00.0"; false: unknown. */
bool tw__topology_pci_near(hwloc_bitmap_t near, const char *pci_place);

#endif
