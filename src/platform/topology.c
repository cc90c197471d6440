/* Finds the cores of an hwloc topology. */
#include "platform/topology.h"

int tw__topology_cores_only(hwloc_topology_t t)
{
	unsigned long flags = 0;
#if HWLOC_API_VERSION >= 0x00020800 /* workers need neither distances nor memory attributes */
	flags |= HWLOC_TOPOLOGY_FLAG_NO_DISTANCES | HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS;
#endif
	int failed = hwloc_topology_set_io_types_filter(t, HWLOC_TYPE_FILTER_KEEP_NONE);
	return failed ? failed : hwloc_topology_set_flags(t, flags);
}

int tw__topology_restrict(hwloc_topology_t t)
{
	if (!hwloc_topology_is_thissystem(t))
		return 0;
	hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
	if (!allowed)
		return -1;
	int failed = 0;
	/* If the system does not report the binding of a process, the process has none. */
	if (hwloc_get_cpubind(t, allowed, HWLOC_CPUBIND_PROCESS) == 0)
		failed = hwloc_topology_restrict(t, allowed, 0);
	hwloc_bitmap_free(allowed);
	return failed;
}

static hwloc_obj_type_t core_type(hwloc_topology_t t)
{
	return hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

int tw__topology_n_cores(hwloc_topology_t t) { return hwloc_get_nbobjs_by_type(t, core_type(t)); }

hwloc_obj_t tw__topology_core(hwloc_topology_t t, int core)
{
	return hwloc_get_obj_by_type(t, core_type(t), (unsigned)core);
}
