/* Reads cores, memories and GPUs from an hwloc topology. The topology may come from a file, so no count or text in it
 * is trusted. */
#include "machine/detect.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "platform/gpus.h"
#include "platform/topology.h"

enum { NVIDIA = 0x10de, AMD = 0x1002, DISPLAY = 0x03, PROCESSING = 0x12, VGA = 0x0300 };

static void copy_text(char *to, const char *from) { snprintf(to, TW__MAX_TEXT, "%s", from ? from : ""); }

static int package_of(hwloc_topology_t t, hwloc_obj_t o)
{
	hwloc_obj_t package =
		o->type == HWLOC_OBJ_PACKAGE ? o : hwloc_get_ancestor_obj_by_type(t, HWLOC_OBJ_PACKAGE, o);
	return package ? (int)package->logical_index : TW_NONE;
}

/* Returns an attribute of a kind of core; NULL: the kind lacks it. */
static const char *kind_info(hwloc_topology_t t, int kind, const char *name)
{
	struct hwloc_info_s *infos;
	unsigned n_infos;
	if (hwloc_cpukinds_get_info(t, (unsigned)kind, NULL, NULL, &n_infos, &infos, 0) < 0)
		return NULL;
	for (unsigned i = 0; i < n_infos; i++)
		if (strcmp(infos[i].name, name) == 0)
			return infos[i].value;
	return NULL;
}

/* Returns the kind of a core, or, if its hardware threads differ, of the first; negative: hwloc knows no kinds. */
static int kind_of(hwloc_topology_t t, hwloc_obj_t core)
{
	if (hwloc_cpukinds_get_nr(t, 0) < 2)
		return -1;
	int kind = hwloc_cpukinds_get_by_cpuset(t, core->cpuset, 0);
	hwloc_obj_t first = hwloc_get_obj_inside_cpuset_by_type(t, core->cpuset, HWLOC_OBJ_PU, 0);
	return kind >= 0 || !first ? kind : hwloc_cpukinds_get_by_cpuset(t, first->cpuset, 0);
}

/* Whether no other kind of core has the same type. */
static bool is_type_unique(hwloc_topology_t t, int kind, const char *type)
{
	for (int other = hwloc_cpukinds_get_nr(t, 0) - 1; other >= 0; other--) {
		const char *same = other == kind ? NULL : kind_info(t, other, "CoreType");
		if (same && strcmp(same, type) == 0)
			return false;
	}
	return true;
}

/* Names a core's arch: "cpu". If hwloc finds several kinds of core, the name has the kind's type, "cpu-intelcore". If
 * types do not tell the kinds apart, it has the rank: "cpu-kind0" is the least efficient kind. Also lists the kind's
 * attributes. */
static void name_core(hwloc_topology_t t, hwloc_obj_t core, struct tw__machine_cores *to)
{
	static const char *const shown[] = {"CoreType", "FrequencyMaxMHz", "FrequencyBaseMHz", "LinuxCapacity"};
	int kind = kind_of(t, core);
	copy_text(to->arch, "cpu");
	*to->kind = '\0';
	if (kind < 0)
		return;
	const char *type = kind_info(t, kind, "CoreType");
	char name[TW__MAX_TEXT] = "";
	if (type)
		tw__arch_name(name, sizeof name, type);
	if (*name && is_type_unique(t, kind, type))
		snprintf(to->arch, TW__MAX_TEXT, "cpu-%.100s", name);
	else
		snprintf(to->arch, TW__MAX_TEXT, "cpu-%.80s%skind%d", name, *name ? "-" : "", kind);
	for (size_t i = 0, used = 0; i < sizeof shown / sizeof shown[0] && used < TW__MAX_TEXT; i++) {
		const char *value = kind_info(t, kind, shown[i]);
		if (value)
			used += (size_t)snprintf(to->kind + used, TW__MAX_TEXT - used, "%s%s %.30s", used ? ", " : "",
			                         shown[i], value);
	}
}

/* Returns the main memory of a core, or near an object; TW_NONE: unknown. */
static int main_near(const struct tw__machine *m, hwloc_topology_t t, hwloc_obj_t o)
{
	if (m->n_mains == 1)
		return 0;
	int near = o->cpuset ? tw__topology_main_near(t, o->cpuset) : -1;
	return near >= 0 ? near : TW_NONE;
}

/* Reads the physical cores; if hwloc finds no cores, reads the hardware threads instead. */
static int read_cores(struct tw__machine *m, hwloc_topology_t t, struct tw_error *err)
{
	int n = tw__topology_n_cores(t);
	m->n_pus = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_PU);
	if (n < 1 || n > TW__MAX_WORKERS)
		return tw_fail(err, TW_INVALID, "%d cores, expected 1 to %d", n, TW__MAX_WORKERS);
	for (int i = 0; i < n; i++) {
		hwloc_obj_t core = tw__topology_core(t, i);
		struct tw__machine_cores own = {.package = package_of(t, core), .main = main_near(m, t, core)};
		own.main = own.main == TW_NONE ? 0 : own.main;
		name_core(t, core, &own);
		struct tw__machine_cores *run = m->n_runs ? &m->runs[m->n_runs - 1] : NULL;
		if (!run || run->package != own.package || run->main != own.main || strcmp(run->arch, own.arch) != 0) {
			if (m->n_runs == TW__MAX_RUNS)
				return tw_fail(err, TW_INVALID, "more than %d runs of cores of one kind and package",
				               TW__MAX_RUNS);
			run = &m->runs[m->n_runs++];
			*run = own;
		}
		run->cores++;
	}
	m->n_cores = n;
	return TW_OK;
}

/* Adds up the memory of all NUMA nodes, but not of those that are GPUs' memories, which hwloc also lists. */
static void read_memory(struct tw__machine *m, hwloc_topology_t t)
{
	for (hwloc_obj_t o = NULL; (o = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_NUMANODE, o));) {
		if (o->subtype && strcmp(o->subtype, "GPUMemory") == 0)
			continue;
		m->n_numa_nodes++;
		m->memory_bytes += o->attr->numanode.local_memory;
	}
}

/* Finds the NUMA nodes that become main memories. */
static int read_mains(struct tw__machine *m, hwloc_topology_t t, struct tw_error *err)
{
	m->n_mains = tw__topology_n_mains(t);
	if (m->n_mains > TW__MAX_MAINS)
		return tw_fail(err, TW_INVALID, "%d NUMA nodes, expected at most %d", m->n_mains, TW__MAX_MAINS);
	for (int i = 0; i < m->n_mains; i++) {
		hwloc_obj_t o = tw__topology_main(t, i);
		if (o)
			m->mains[i] = (struct tw__machine_main){o->os_index, o->attr->numanode.local_memory};
	}
	return TW_OK;
}

/* Returns the size of a device's memory in bytes; 0: unknown. Drivers' libraries report the size to hwloc in KiB. */
static uint64_t memory_of(hwloc_obj_t device)
{
	static const char *const names[] = {"CUDAGlobalMemorySize",  "RSMIVRAMSize",        "LevelZeroHBMSize",
	                                    "LevelZeroDDRSize",      "LevelZeroMemorySize", "VectorEngineMemorySize",
	                                    "OpenCLGlobalMemorySize"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *text = hwloc_obj_get_info_by_name(device, names[i]);
		uint64_t kib = text && isdigit((unsigned char)*text) ? strtoull(text, NULL, 10) : 0;
		if (kib && kib < UINT64_C(1) << 50)
			return kib << 10;
	}
	return 0;
}

/* Whether a library of a vendor, "nvml", "rsmi" or the like, has made the device: names are "rsmi0", "rsmi1" ... */
static bool is_of(hwloc_obj_t o, const char *library)
{
	size_t length = strlen(library);
	return o->name && strncmp(o->name, library, length) == 0 && isdigit((unsigned char)o->name[length]);
}

/* Whether a device of the operating system can compute. OpenCL also has devices that are the processor's cores. */
static bool is_compute_device(hwloc_obj_t o)
{
	if (o->type != HWLOC_OBJ_OS_DEVICE)
		return false;
	if (o->attr->osdev.type == HWLOC_OBJ_OSDEV_GPU)
		return is_of(o, "nvml") || is_of(o, "rsmi");
	const char *type = hwloc_obj_get_info_by_name(o, "OpenCLDeviceType");
	return o->attr->osdev.type == HWLOC_OBJ_OSDEV_COPROC && !(type && strcmp(type, "CPU") == 0);
}

/* Reads a GPU's memory size and model from the operating system's devices below a PCI device. false: none of these
 * devices can compute. */
static bool read_os_devices(struct tw__machine_gpu *gpu, hwloc_obj_t pci)
{
	bool any = false;
	for (hwloc_obj_t o = pci->io_first_child; o; o = o->next_sibling) {
		if (!is_compute_device(o))
			continue;
		any = true;
		if (!gpu->memory_bytes)
			gpu->memory_bytes = memory_of(o);
		const char *model = hwloc_obj_get_info_by_name(o, "GPUModel");
		if (model && !*gpu->model)
			copy_text(gpu->model, model);
	}
	return any;
}

/* Names the arch of a GPU after its model: "GV100GL [Tesla V100 SXM2 16GB]" -> "tesla-v100-sxm2-16gb". Without a model,
 * takes the PCI ids of vendor and device: "gpu-10de-1db1". */
static void name_gpu(struct tw__machine_gpu *gpu, const struct hwloc_pcidev_attr_s *pci)
{
	const char *from = strchr(gpu->model, '[');
	tw__arch_name(gpu->arch, sizeof gpu->arch, from ? from + 1 : gpu->model);
	if (!*gpu->arch || strncmp(gpu->arch, "cpu", 3) == 0)
		snprintf(gpu->arch, sizeof gpu->arch, "gpu-%04x-%04x", pci ? pci->vendor_id : 0,
		         pci ? pci->device_id : 0);
}

/* Takes the size of a GPU's memory from its model, such as "Tesla P100 PCIe 16GB", if hwloc does not know the size. */
static void guess_memory(struct tw__machine_gpu *gpu)
{
	const char *unit = gpu->memory_bytes ? NULL : strstr(gpu->model, "GB"), *digits = unit;
	while (digits && digits > gpu->model && digits[-1] == ' ')
		digits--;
	while (digits && digits > gpu->model && isdigit((unsigned char)digits[-1]))
		digits--;
	unsigned long gib = digits ? strtoul(digits, NULL, 10) : 0;
	if (gib && gib < 65536)
		gpu->named_memory_bytes = (uint64_t)gib << 30;
}

static void write_place(char *to, size_t room, const struct hwloc_pcidev_attr_s *pci)
{
	snprintf(to, room, "%04x:%02x:%02x.%x", pci->domain, pci->bus, pci->dev, pci->func);
}

/* Whether a PCI device is a GPU that can compute. Cards that only drive screens have the same PCI class, so the vendor
 * is checked, too. */
static bool is_gpu(const struct hwloc_pcidev_attr_s *pci)
{
	int class = pci->class_id >> 8;
	return (pci->vendor_id == NVIDIA && class == DISPLAY) || class == PROCESSING ||
	       (pci->vendor_id == AMD && class == DISPLAY && pci->class_id != VGA);
}

static void pass_over(struct tw__machine *m, hwloc_obj_t o)
{
	size_t used = strlen(m->passed_over);
	char place[32];
	write_place(place, sizeof place, &o->attr->pcidev);
	const char *name = hwloc_obj_get_info_by_name(o, "PCIDevice");
	m->n_passed_over++;
	snprintf(m->passed_over + used, sizeof m->passed_over - used, "%s%s%s%.60s%s", used ? ", " : "", place,
	         name ? " (" : "", name ? name : "", name ? ")" : "");
}

static bool is_tied_to_pci(hwloc_obj_t o)
{
	while (o && o->type != HWLOC_OBJ_PCI_DEVICE)
		o = o->parent;
	return o;
}

static double bytes_per_s(float gb_per_s) { return gb_per_s > 0 && gb_per_s < 1e6F ? (double)gb_per_s * 1e9 : 0; }

static int add_gpu(struct tw__machine *m, hwloc_topology_t t, hwloc_obj_t o, const struct tw__machine_gpu *gpu,
                   struct tw_error *err)
{
	if (m->n_gpus == TW__MAX_GPUS)
		return tw_fail(err, TW_INVALID, "too many GPUs, expected at most %d", TW__MAX_GPUS);
	struct tw__machine_gpu *added = &m->gpus[m->n_gpus++];
	*added = *gpu;
	added->bridge = TW_NONE;
	added->main = main_near(m, t, hwloc_get_non_io_ancestor_obj(t, o));
	added->package = package_of(t, hwloc_get_non_io_ancestor_obj(t, o));
	if (added->package == TW_NONE && m->n_packages == 1)
		added->package = 0;
	/* Count the GPUs below each bridge in `userdata`, a field that hwloc leaves to the application. */
	for (hwloc_obj_t up = o->parent; up; up = up->parent)
		up->userdata = (void *)((uintptr_t)up->userdata + 1);
	return TW_OK;
}

/* Adds a GPU that PCI does not show. */
static int add_unplaced_gpu(struct tw__machine *m, hwloc_topology_t t, hwloc_obj_t o, hwloc_obj_t *objects,
                            struct tw_error *err)
{
	struct tw__machine_gpu gpu = {.memory_bytes = memory_of(o)};
	copy_text(gpu.model, hwloc_obj_get_info_by_name(o, "GPUModel"));
	name_gpu(&gpu, NULL);
	guess_memory(&gpu);
	objects[m->n_gpus < TW__MAX_GPUS ? m->n_gpus : 0] = o;
	return add_gpu(m, t, o, &gpu, err);
}

/* Reads all GPUs. Sets `objects`, [TW__MAX_GPUS], to hwloc's object for each GPU. */
static int read_gpus(struct tw__machine *m, hwloc_topology_t t, hwloc_obj_t *objects, struct tw_error *err)
{
	int status = TW_OK;
	for (hwloc_obj_t o = NULL; status == TW_OK && (o = hwloc_get_next_pcidev(t, o));) {
		const struct hwloc_pcidev_attr_s *pci = &o->attr->pcidev;
		struct tw__machine_gpu gpu = {.vendor = pci->vendor_id, .bandwidth = bytes_per_s(pci->linkspeed)};
		if (!read_os_devices(&gpu, o) && !is_gpu(pci)) {
			if (pci->class_id >> 8 == DISPLAY)
				pass_over(m, o);
			continue;
		}
		if (!*gpu.model)
			copy_text(gpu.model, hwloc_obj_get_info_by_name(o, "PCIDevice"));
		name_gpu(&gpu, pci);
		guess_memory(&gpu);
		write_place(gpu.place, sizeof gpu.place, pci);
		objects[m->n_gpus < TW__MAX_GPUS ? m->n_gpus : 0] = o;
		status = add_gpu(m, t, o, &gpu, err);
	}
	/* In a container, a vendor's library may see GPUs that PCI does not show. OpenCL, which sees the GPUs of all
	 * vendors, counts only if no other library sees one. */
	static const char *const libraries[] = {"cuda", "rsmi", "ze", "opencl"};
	for (int l = 0, n = m->n_gpus; l < 4 && (l < 3 || m->n_gpus == n); l++)
		for (hwloc_obj_t o = NULL; status == TW_OK && (o = hwloc_get_next_osdev(t, o));)
			if (is_compute_device(o) && !is_tied_to_pci(o) && is_of(o, libraries[l]))
				status = add_unplaced_gpu(m, t, o, objects, err);
	return status;
}

static uintptr_t gpus_below(hwloc_obj_t o) { return (uintptr_t)o->userdata; }

/* Returns the bandwidth of a bridge's PCI link, bytes/s; 0: unknown. The link is the one below a port, or the one above
 * a switch. In both cases all devices below the bridge use it. */
static double bridge_speed(hwloc_obj_t o)
{
	return o->type == HWLOC_OBJ_BRIDGE && o->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_PCI
	               ? bytes_per_s(o->attr->bridge.upstream.pci.linkspeed)
	               : 0;
}

static double slower(double a, double b) { return a > 0 && (b <= 0 || a < b) ? a : b; }

/* Moves `*o` up over all bridges that have the same number of GPUs below them, to the first object above them. Returns
 * the bandwidth of the slowest link on the way, bytes/s; 0: unknown. */
static double climb(hwloc_obj_t *o)
{
	double bandwidth = 0;
	uintptr_t n = *o ? gpus_below(*o) : 0;
	for (; *o && (*o)->type == HWLOC_OBJ_BRIDGE && gpus_below(*o) == n; *o = (*o)->parent)
		bandwidth = slower(bandwidth, bridge_speed(*o));
	return bandwidth;
}

/* Finds or adds the bridges from object `o` up to the root. Returns the index of the lowest one; TW_NONE: `o` is no
 * bridge. Bridges with the same GPUs below count as one, so there are fewer bridges than GPUs. */
static int find_bridge(struct tw__machine *m, hwloc_obj_t o)
{
	int first = TW_NONE, *to = &first;
	while (o && o->type == HWLOC_OBJ_BRIDGE) {
		for (int i = 0; i < m->n_bridges; i++)
			if (m->bridges[i].object == o) {
				*to = i;
				return first;
			}
		struct tw__machine_bridge *bridge = &m->bridges[m->n_bridges];
		bridge->object = o;
		if (o->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_PCI)
			write_place(bridge->place, sizeof bridge->place, &o->attr->bridge.upstream.pci);
		else
			snprintf(bridge->place, sizeof bridge->place, "%04x:[%02x-%02x]",
			         o->attr->bridge.downstream.pci.domain, o->attr->bridge.downstream.pci.secondary_bus,
			         o->attr->bridge.downstream.pci.subordinate_bus);
		bridge->bandwidth = climb(&o);
		bridge->parent = TW_NONE;
		*to = m->n_bridges++;
		to = &bridge->parent;
	}
	return first;
}

static void read_bridges(struct tw__machine *m, const hwloc_obj_t *objects)
{
	for (int i = 0; i < m->n_gpus; i++) {
		hwloc_obj_t o = objects[i]->parent;
		if (o && o->type == HWLOC_OBJ_BRIDGE && gpus_below(o) == 1)
			m->gpus[i].bandwidth = slower(climb(&o), m->gpus[i].bandwidth);
		m->gpus[i].bridge = find_bridge(m, o);
	}
}

int tw__machine_read(struct tw__machine *m, struct hwloc_topology *t, bool numa, struct tw_error *err)
{
	hwloc_obj_t objects[TW__MAX_GPUS];
	*m = (struct tw__machine){.n_mains = 1};
	unsigned version = hwloc_get_api_version();
	snprintf(m->version, sizeof m->version, "%u.%u.%u", version >> 16, version >> 8 & 0xff, version & 0xff);
	copy_text(m->host, hwloc_obj_get_info_by_name(hwloc_get_root_obj(t), "HostName"));
	m->n_packages = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_PACKAGE);
	hwloc_obj_t package = hwloc_get_obj_by_type(t, HWLOC_OBJ_PACKAGE, 0);
	copy_text(m->cpu, package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL);
	read_memory(m, t);
	int status = numa ? read_mains(m, t, err) : TW_OK;
	if (status == TW_OK)
		status = read_cores(m, t, err);
	if (status == TW_OK)
		status = read_gpus(m, t, objects, err);
	if (status == TW_OK) {
		read_bridges(m, objects);
		tw__machine_read_links(m, t, objects);
	}
	return status;
}
