#include "platform/starpu_devices.h"

#include <stddef.h>
#include <string.h>

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
