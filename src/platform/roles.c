/* Finds the roles of the hosts of a platform file, and kinds of devices in StarPU's files. */
#include <stddef.h>
#include <string.h>

#include "platform/raw.h"
#include "platform/starpu_devices.h"

/* StarPU writes hosts for CUDA, HIP, SYCL and OpenCL. */
static const struct tw__starpu_kind kinds[] = {
	{"CUDA", "cuda", 1, 1},     {"HIP", "hip", 7, 1}, {"SYCL", "sycl", 8, 2},
	{"OpenCL", "opencl", 2, 3}, {"MIC", "mic", 3, 0}, {"FPGA", "fpga", 4, 0},
};

bool tw__is_numbered(const char *id, const char *prefix)
{
	size_t length = strlen(prefix);
	if (strncmp(id, prefix, length) != 0 || !id[length])
		return false;
	return id[length + strspn(id + length, "0123456789")] == '\0';
}

const struct tw__starpu_kind *tw__starpu_kind(const char *id)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (tw__is_numbered(id, kinds[i].id))
			return &kinds[i];
	return NULL;
}

/* --- kinds of devices in StarPU's files --------------------------------------------------------------------------- */

/* Returns a host's role, which its props say. Without such props, the host's id says it, as in StarPU's platform
 * files. */
static enum tw__role role_of(const struct tw__raw_host *host)
{
	if (host->role != TW__ROLE_NOT_SAID)
		return host->role;
	if (host->arch)
		return host->memory_bytes ? TW__ROLE_ACCELERATOR : TW__ROLE_WORKER;
	if (strcmp(host->id, "RAM") == 0)
		return TW__ROLE_MEMORY;
	if (tw__is_numbered(host->id, "DISK"))
		return TW__ROLE_DISK;
	if (tw__is_numbered(host->id, "CPU"))
		return TW__ROLE_WORKER;
	if (tw__starpu_kind(host->id))
		return TW__ROLE_ACCELERATOR;
	return strcmp(host->id, "MAIN") == 0 ? TW__ROLE_IGNORED : TW__ROLE_NOT_SAID;
}

/* Returns the kind of a host that is an accelerator by its id alone; NULL: it is none. */
static const struct tw__starpu_kind *kind_of(const struct tw__raw_host *host)
{
	return host->role == TW__ROLE_NOT_SAID && !host->arch ? tw__starpu_kind(host->id) : NULL;
}

/* Ignores devices of StarPU's files that are the cards of a preferred kind again. A warning names them. */
static void ignore_copies(const struct tw__raw *raw, enum tw__role *roles)
{
	const struct tw__starpu_kind *kind, *best = NULL;
	const struct tw__raw_host *ignored = NULL;
	int n = 0;
	for (int h = 0; h < raw->n_hosts; h++)
		if ((kind = kind_of(&raw->hosts[h])) && kind->view && (!best || kind->view < best->view))
			best = kind;
	for (int h = 0; h < raw->n_hosts; h++) {
		if (!(kind = kind_of(&raw->hosts[h])) || !kind->view || kind->view == best->view)
			continue;
		roles[h] = TW__ROLE_IGNORED;
		ignored = n++ ? ignored : &raw->hosts[h];
	}
	if (n)
		tw_log(TW_LOG_WARNING,
		       "%s:%d: host '%.80s'%s: ignored, as the file has the cards as %s devices, too: a prop arch "
		       "would keep it",
		       raw->file, ignored->line, ignored->id, n > 1 ? " and others" : "", best->id);
}

void tw__raw_roles(const struct tw__raw *raw, enum tw__role *roles)
{
	for (int h = 0; h < raw->n_hosts; h++)
		roles[h] = role_of(&raw->hosts[h]);
	ignore_copies(raw, roles);
}
