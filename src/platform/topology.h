/* hwloc's view of the cores. Counting and binding use topologies that are loaded the same way, so that core i is the
 * same core in both. */
#ifndef TW__TOPOLOGY_H
#define TW__TOPOLOGY_H

#include <hwloc.h>

/* Before loading: requests only cores, caches and NUMA nodes, no devices. Returns hwloc's status. */
int tw__topology_cores_only(hwloc_topology_t);

/* After loading: drops the cores that this process is not bound to (taskset, a batch system). hwloc itself drops
 * cores that the container may not use. A topology of another machine does not change. Returns hwloc's status. */
int tw__topology_restrict(hwloc_topology_t);

/* The number of physical cores; if hwloc finds none, of hardware threads. */
int tw__topology_n_cores(hwloc_topology_t);
hwloc_obj_t tw__topology_core(hwloc_topology_t, int core); /* in hwloc's logical order */

#endif
