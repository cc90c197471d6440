/* Finds the cores of an hwloc topology, and the links that join GPUs apart from PCI. These are NVLink of NVIDIA, XGMI
 * of AMD and Xe Link of Intel. hwloc has matrices of their bandwidths in MB/s. The objects of a matrix are GPUs,
 * switches of GPUs and packages of cores. */
#include "platform/topology.h"

#include "platform/detect.h"

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

/* --- links that join GPUs ----------------------------------------------------------------------------------------- */

/* Returns the GPU that an object of a matrix is or belongs to; TW_NONE: none. */
static int gpu_of(const struct tw__machine *m, hwloc_obj_t const *objects, hwloc_obj_t o)
{
	for (; o; o = o->parent)
		for (int i = 0; i < m->n_gpus; i++)
			if (objects[i] == o)
				return i;
	return TW_NONE;
}

/* Whether an object of a matrix is a switch. hwloc lists the ports of a switch as PCI devices. */
static bool is_switch(hwloc_obj_t o) { return o->type == HWLOC_OBJ_PCI_DEVICE; }

static double bytes_per_s(hwloc_uint64_t mb_per_s) { return mb_per_s < 1000000000 ? (double)mb_per_s * 1e6 : 0; }

static void read_pair(struct tw__machine *m, int gpu, int other, hwloc_obj_t object, double bandwidth)
{
	if (other != TW_NONE) {
		/* A GPU may have several objects in the matrix. */
		if (other != gpu && bandwidth > m->direct[gpu][other])
			m->direct[gpu][other] = bandwidth;
	} else if (is_switch(object)) {
		m->gpus[gpu].to_switch += bandwidth;
	} else {
		m->links_to_packages |= bandwidth > 0;
	}
}

static void read_matrix(struct tw__machine *m, const struct hwloc_distances_s *d, hwloc_obj_t const *objects)
{
	for (unsigned i = 0; i < d->nbobjs; i++) {
		int gpu = d->objs[i] ? gpu_of(m, objects, d->objs[i]) : TW_NONE;
		for (unsigned j = 0; gpu != TW_NONE && j < d->nbobjs; j++)
			if (d->objs[j] && i != j)
				read_pair(m, gpu, gpu_of(m, objects, d->objs[j]), d->objs[j],
				          bytes_per_s(d->values[i * d->nbobjs + j]));
	}
}

void tw__machine_read_links(struct tw__machine *m, struct hwloc_topology *t, hwloc_obj_t const *objects)
{
	static const char *const names[] = {"NVLinkBandwidth", "XGMIBandwidth", "XeLinkBandwidth"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct hwloc_distances_s *matrix;
		unsigned n = 1;
		if (hwloc_distances_get_by_name(t, names[i], &n, &matrix, 0) < 0 || n == 0)
			continue;
		read_matrix(m, matrix, objects);
		hwloc_distances_release(t, matrix);
	}
}
