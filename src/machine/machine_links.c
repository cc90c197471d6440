/* Reads the links that join GPUs apart from PCI: NVLink of NVIDIA, XGMI of AMD and Xe Link of Intel. hwloc has matrices
 * of their bandwidths in MB/s. The objects of a matrix are GPUs, switches of GPUs and packages of cores. */
#include <hwloc.h>

#include "machine/detect.h"

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

void tw__machine_read_links(struct tw__machine *m, struct hwloc_topology *t, struct hwloc_obj *const *objects)
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
