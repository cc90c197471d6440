/* Loads a topology with hwloc: the one function of the module that detect.c calls. */
#include "machine/detect.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/module.h"
#include "platform/topology.h"

/* Returns the major version of hwloc's format of XML; 0: the file names none. */
static int major_version(const char *xml)
{
	const char *tag = strstr(xml, "<topology"), *end = tag ? strchr(tag, '>') : NULL;
	const char *version = tag ? strstr(tag, "version=") : NULL;
	return version && end && version < end ? atoi(version + strlen("version=") + 1) : 0;
}

static int load(hwloc_topology_t t, const struct tw__topology_source *s, struct tw_error *err)
{
	setenv("HWLOC_HIDE_ERRORS", "2", 1); /* makes hwloc print no errors: only the command of Tilewright prints */
	int failed = s->cores_only ? tw__topology_cores_only(t)
	                           : hwloc_topology_set_io_types_filter(t, HWLOC_TYPE_FILTER_KEEP_ALL);
	if (!failed && s->xml)
		failed = hwloc_topology_set_xmlbuffer(t, s->xml, (int)s->length + 1);
	else if (!failed && s->synthetic)
		failed = hwloc_topology_set_synthetic(t, s->synthetic);
	if (!failed)
		failed = hwloc_topology_load(t);
	if (!failed)
		failed = tw__topology_restrict(t);
	if (!failed)
		return TW_OK;
	int version = s->xml ? major_version(s->xml) : 0, own = (int)(hwloc_get_api_version() >> 16);
	if (version > own)
		return tw_fail(err, TW_INVALID,
		               "%.200s: a topology of hwloc %d, and this is hwloc %d: expected what "
		               "'lstopo --export-xml-flags %d FILE.xml' of hwloc %d writes",
		               s->what, version, own, own, version);
	return s->what ? tw_fail(err, TW_INVALID,
	                         "%.200s: hwloc cannot read it: expected a topology that hwloc has exported%s", s->what,
	                         s->synthetic ? ", or a valid synthetic description" : "")
	               : tw_fail(err, TW_FAILED, "hwloc cannot describe this machine: %s", strerror(errno));
}

/* Makes hwloc's functions visible in the whole process, as hwloc's plug-ins require: they read XML and find devices.
 * Modules are opened with functions that they alone see. */
static void show_hwloc(void)
{
	Dl_info hwloc;
	if (dladdr((const void *)(uintptr_t)hwloc_topology_init, &hwloc))
		tw__library_open(hwloc.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

/* Finds the main memories near the GPUs that a driver's library has found. */
static void place_found(struct tw__machine *m, hwloc_topology_t t, const struct tw__gpus *found)
{
	hwloc_bitmap_t near = hwloc_bitmap_alloc();
	m->found = found;
	for (int i = 0; m->n_mains > 1 && near && found && i < found->n; i++)
		if (tw__topology_pci_near(near, found->gpu[i].place)) {
			const int main = tw__topology_main_near(t, near);
			m->found_main[i] = main < 0 ? 0 : main;
		}
	hwloc_bitmap_free(near);
}

static int read_topology(struct tw__machine *m, const struct tw__topology_source *s, struct tw_error *err)
{
	hwloc_topology_t t;
	show_hwloc();
	if (hwloc_topology_init(&t) < 0)
		return tw_fail(err, TW_NOMEM, "out of memory");
	int status = load(t, s, err);
	if (status == TW_OK && (status = tw__machine_read(m, t, s->numa, err)) < 0 && s->what) {
		struct tw_error inner = *err;
		tw_fail(err, status, "%.200s: %.250s", s->what, inner.message);
	}
	if (status == TW_OK)
		place_found(m, t, s->found);
	hwloc_topology_destroy(t);
	return status;
}

extern const struct tw__machine_reader tw__machine_reader;
const struct tw__machine_reader tw__machine_reader = {read_topology};
