/* Makes a platform of this machine. A child process runs hwloc, and writes a platform.xml to a temporary file. */
#include "platform/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platform/detect.h"

/* Names the CPU workers "CPU0", "CPU1" ..., because in the XML one host stands for several cores. */
static void name_cores(struct tw_platform *p)
{
	int core = 0;
	for (int w = 0; w < p->n_workers; w++) {
		if (p->archs[p->workers[w].arch].accelerator)
			continue;
		free(p->workers[w].name);
		p->workers[w].name = tw_format("CPU%d", core++);
	}
}

static int read_back(struct tw_platform **platform, FILE *file, struct tw_error *err)
{
	struct tw_error inner;
	rewind(file);
	int status = tw__platform_read_stream(platform, file, "platform.xml", TW__MACHINE_NAME, &inner);
	if (status < 0)
		return tw_fail(err, status, "hwloc's description of this machine is no valid platform: %.400s",
		               inner.message);
	name_cores(*platform);
	return TW_OK;
}

int tw__machine_platform(struct tw_platform **platform, const struct tw__emulation *emulated,
                         const struct tw__gpus *found, struct tw_error *err)
{
	*platform = NULL;
	int status = emulated ? tw__emulation_check(emulated, err) : TW_OK;
	if (status < 0)
		return status;
	FILE *file = tmpfile();
	if (!file)
		return tw_fail(err, TW_SYSTEM, "no temporary file: %s", strerror(errno));
	status = tw__detect_cores(file, TW__MACHINE_NAME, emulated, found, err);
	if (status == TW_OK)
		status = read_back(platform, file, err);
	fclose(file);
	return status;
}

int tw__machine_core(const struct tw_platform *p, tw_worker worker)
{
	if (p->archs[p->workers[worker].arch].accelerator)
		return TW_NONE;
	int core = 0;
	for (tw_worker w = 0; w < worker; w++)
		if (!p->archs[p->workers[w].arch].accelerator)
			core += p->workers[w].cores;
	return core;
}
