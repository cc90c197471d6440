/* Binds threads to cores, and memory to NUMA nodes, in the module with hwloc. The process loads one hwloc topology,
 * with cores but no devices, and keeps it until it ends. */
#include "platform/bind.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hwloc/linux.h>
#include <tilewright/base.h>

#include "platform/topology.h"

/* --- the cores of a topology -------------------------------------------------------------------------------------- */

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

/* --- main memories ------------------------------------------------------------------------------------------------ */

/* Whether the NUMA node is a main memory, if the earlier ones that are have those processors. */
static bool is_main(hwloc_obj_t o, hwloc_const_bitmap_t taken)
{
	return !(o->subtype && strcmp(o->subtype, "GPUMemory") == 0) && !hwloc_bitmap_iszero(o->cpuset) &&
	       !hwloc_bitmap_intersects(o->cpuset, taken);
}

/* Returns main memory number `main`, and how many there are up to it. */
static hwloc_obj_t find_main(hwloc_topology_t t, int main, int *n)
{
	hwloc_bitmap_t taken = hwloc_bitmap_alloc();
	hwloc_obj_t o = NULL;
	*n = 0;
	while (taken && *n <= main && (o = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_NUMANODE, o)))
		if (is_main(o, taken)) {
			hwloc_bitmap_or(taken, taken, o->cpuset);
			++*n;
		}
	hwloc_bitmap_free(taken);
	return *n > main ? o : NULL;
}

int tw__topology_n_mains(hwloc_topology_t t)
{
	int n;
	find_main(t, INT_MAX - 1, &n);
	return n > 0 ? n : 1;
}

hwloc_obj_t tw__topology_main(hwloc_topology_t t, int main)
{
	int n;
	return find_main(t, main, &n);
}

int tw__topology_main_near(hwloc_topology_t t, hwloc_const_cpuset_t processors)
{
	int near = -1;
	hwloc_obj_t o;
	for (int m = 0; (o = tw__topology_main(t, m)); m++)
		if (hwloc_bitmap_intersects(o->cpuset, processors)) {
			if (near >= 0)
				return -1;
			near = m;
		}
	return near;
}

bool tw__topology_pci_near(hwloc_bitmap_t near, const char *pci_place)
{
	char path[128];
	snprintf(path, sizeof path, "/sys/bus/pci/devices/%.40s/local_cpus", pci_place);
	for (char *c = path; *c; c++)
		/* CUDA writes PCI addresses in upper case (0000:3B:00.0), Linux in lower case */
		*c = (char)tolower((unsigned char)*c);
	return hwloc_linux_read_path_as_cpumask(path, near) == 0;
}

/* --- this machine ------------------------------------------------------------------------------------------------- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static hwloc_topology_t topology; /* hwloc's view of this machine; NULL: threads cannot be bound to cores */
static char refusal[200];         /* why threads cannot be bound to cores, if topology is NULL */

static int TW_PRINTF(3, 4) refuse(char *why, size_t room, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	vsnprintf(why, room, format, values);
	va_end(values);
	return TW_FAILED;
}

/* Returns the name of an environment variable that makes hwloc describe another machine. NULL: none is set, or
 * $HWLOC_THISSYSTEM is 1, which declares the description to be of this machine. */
static const char *foreign_source(void)
{
	static const char *const names[] = {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT", "HWLOC_CPUID_PATH"};
	const char *same = getenv("HWLOC_THISSYSTEM");
	if (same && strcmp(same, "1") == 0)
		return NULL;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (getenv(names[i]))
			return names[i];
	return NULL;
}

static int load(hwloc_topology_t t)
{
	int failed = tw__topology_cores_only(t);
	if (!failed)
		failed = hwloc_topology_load(t);
	return failed ? failed : tw__topology_restrict(t);
}

/* Starts hwloc without its plug-ins. They find devices, and load the drivers' libraries into the process. Finding cores
 * needs no plug-in. */
static int init_without_plugins(hwloc_topology_t *t)
{
	static const char path[] = "HWLOC_PLUGINS_PATH";
	char *before = getenv(path) ? tw_copy_text(getenv(path)) : NULL;
	setenv(path, "/dev/null", 1);
	int failed = hwloc_topology_init(t);
	if (before)
		setenv(path, before, 1);
	else
		unsetenv(path);
	free(before);
	return failed;
}

static void look(void)
{
	hwloc_topology_t t;
	const char *foreign = foreign_source();
	if (foreign) {
		refuse(refusal, sizeof refusal, "%s is set: hwloc describes another machine than this one", foreign);
		return;
	}
	setenv("HWLOC_HIDE_ERRORS", "2", 0); /* makes hwloc print no errors: only the command of Tilewright prints */
	if (init_without_plugins(&t) < 0) {
		refuse(refusal, sizeof refusal, "hwloc cannot start: %s", strerror(errno));
		return;
	}
	if (load(t) < 0)
		refuse(refusal, sizeof refusal, "hwloc cannot describe this machine: %s", strerror(errno));
	else if (!hwloc_topology_is_thissystem(t))
		refuse(refusal, sizeof refusal, "hwloc describes another machine than this one");
	else if (tw__topology_n_cores(t) < 1)
		refuse(refusal, sizeof refusal, "hwloc sees no core of this machine");
	else
		topology = t;
	if (!topology)
		hwloc_topology_destroy(t);
}

static int bindable_cores(char *why, size_t room)
{
	pthread_once(&once, look);
	return topology ? tw__topology_n_cores(topology) : refuse(why, room, "%s", refusal);
}

static int core_pu(int core)
{
	char why[sizeof refusal];
	if (core < 0 || core >= bindable_cores(why, sizeof why))
		return TW_NONE;
	return hwloc_bitmap_first(tw__topology_core(topology, core)->cpuset);
}

static bool core_is_near(int core, const char *pci_place)
{
	char why[sizeof refusal];
	hwloc_bitmap_t near = hwloc_bitmap_alloc();
	bool known =
		near && core >= 0 && core < bindable_cores(why, sizeof why) && tw__topology_pci_near(near, pci_place);
	bool is_near = !known || hwloc_bitmap_intersects(near, tw__topology_core(topology, core)->cpuset);
	hwloc_bitmap_free(near);
	return is_near;
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

/* Whether the calling thread is bound to exactly the processors of `set`. A system may accept a set, but bind the
 * thread to a part of it. */
static bool is_bound_to(hwloc_const_bitmap_t set)
{
	hwloc_bitmap_t now = hwloc_bitmap_alloc();
	bool same =
		now && hwloc_get_cpubind(topology, now, HWLOC_CPUBIND_THREAD) == 0 && hwloc_bitmap_isequal(now, set);
	hwloc_bitmap_free(now);
	return same;
}

/* Binds the calling thread to the processors of `set`, which messages call `what`. */
static int bind_to(hwloc_const_bitmap_t set, const char *what, int number, char *why, size_t room)
{
	if (hwloc_set_cpubind(topology, set, HWLOC_CPUBIND_THREAD) < 0)
		return refuse(why, room, "%s %d: %s", what, number, strerror(errno));
	if (!is_bound_to(set))
		return refuse(why, room, "%s %d: the system binds the thread elsewhere", what, number);
	return TW_OK;
}

static int bind_thread(int core, char *why, size_t room)
{
	int n = bindable_cores(why, room);
	if (n < 0)
		return n;
	if (core < 0 || core >= n)
		return refuse(why, room, "core %d: this process may use %d core%s", core, n, n == 1 ? "" : "s");

	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	int status = set && hwloc_bitmap_only(set, (unsigned)core_pu(core)) == 0 ? bind_to(set, "core", core, why, room)
	                                                                         : refuse(why, room, "out of memory");
	hwloc_bitmap_free(set);
	return status;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static int bindable_mains(char *why, size_t room)
{
	int n = bindable_cores(why, room);
	return n < 0 ? n : tw__topology_n_mains(topology);
}

static int core_main(int core)
{
	char why[sizeof refusal];
	if (core < 0 || core >= bindable_cores(why, sizeof why))
		return TW_NONE;
	const int main = tw__topology_main_near(topology, tw__topology_core(topology, core)->cpuset);
	return main < 0 ? TW_NONE : main;
}

static hwloc_obj_t find_node(int main, char *why, size_t room)
{
	int n = bindable_mains(why, room);
	hwloc_obj_t node = n < 0 || main < 0 ? NULL : tw__topology_main(topology, main);
	if (n > 0 && !node)
		refuse(why, room, "main memory %d: this machine has %d NUMA node%s near cores", main, n,
		       n == 1 ? "" : "s");
	return node;
}

static int bind_thread_near(int main, char *why, size_t room)
{
	hwloc_obj_t node = find_node(main, why, room);
	return node ? bind_to(node->cpuset, "the cores of NUMA node", (int)node->os_index, why, room) : TW_FAILED;
}

static int bind_memory(void *at, size_t bytes, int main, char *why, size_t room)
{
	hwloc_obj_t node = find_node(main, why, room);
	if (!node)
		return TW_FAILED;
	/* without STRICT, Linux would prefer the node only, and take pages of others when it is full */
	if (hwloc_set_area_membind(topology, at, bytes, node->nodeset, HWLOC_MEMBIND_BIND,
	                           HWLOC_MEMBIND_STRICT | HWLOC_MEMBIND_BYNODESET) < 0)
		return refuse(why, room, "NUMA node %u: %s", node->os_index, strerror(errno));
	return TW_OK;
}

extern const struct tw__binding tw__binding;
const struct tw__binding tw__binding = {bindable_cores, bind_thread, core_is_near,     core_pu,
                                        bindable_mains, core_main,   bind_thread_near, bind_memory};
