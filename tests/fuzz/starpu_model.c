/* Feeds arbitrary bytes to the reader of StarPU's performance models. The values of a model must make sense,
 * and its sizes must be text. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "import/starpu_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct tw__starpu_entry *e, const char *kernel)
{
	struct tw__starpu_shape shape;
	assert(e->cores > 0 && e->device >= 0 && (e->n == 0 || (isfinite(e->sum) && e->sum > 0 && e->sum2 >= 0)));
	tw__starpu_shape(&shape, kernel, e->bytes, e->footprint, '\0');
	assert(shape.size[0] && strlen(shape.size) < sizeof shape.size && strchr("sdb", shape.precision));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const kernels[] = {"gemm", "cl_update", "potrf"};
	char path[64];
	struct tw__starpu_model model;
	struct tw_error err = {""};
	int fd = memfd_create("model", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return 0;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (tw__starpu_model_read(&model, path, &err) == TW_OK) {
		for (size_t i = 0; i < model.n_entries && i < 50; i++)
			check(&model.entries[i], kernels[i % 3]);
		tw__starpu_model_finish(&model);
	} else {
		assert(strstr(err.message, "/proc/self/fd/"));
	}
	close(fd);
	return 0;
}
