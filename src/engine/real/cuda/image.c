#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/real/cuda/cuda.h"

#define FILE_NAME "tilewright-cuda.fatbin"

static void name_file(char *path, size_t room)
{
	const char *folder = getenv("TILEWRIGHT_CUDA");
	Dl_info self;
	snprintf(path, room, "%s/" FILE_NAME, folder ? folder : "");
	if ((folder && access(path, R_OK) == 0) || !dladdr(&tw__device_cuda, &self))
		return;
	const char *slash = strrchr(self.dli_fname, '/');
	snprintf(path, room, "%.*s" FILE_NAME, slash ? (int)(slash - self.dli_fname + 1) : 0, self.dli_fname);
}

bool tw__image_is_there(void)
{
	char path[4096];
	name_file(path, sizeof path);
	return access(path, R_OK) == 0;
}

/* Reads a whole file, and adds a zero byte at the end. Returns NULL if the file cannot be read. */
static char *read_file(const char *path)
{
	FILE *f = fopen(path, "re");
	long bytes = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
	char *content = bytes >= 0 ? calloc((size_t)bytes + 1, 1) : NULL;
	if (content && (fseek(f, 0, SEEK_SET) < 0 || fread(content, 1, (size_t)bytes, f) != (size_t)bytes)) {
		free(content);
		content = NULL;
	}
	if (f)
		fclose(f);
	return content;
}

/* Stores the message of a failed load. If no kernel was compiled for this GPU, it says how to rebuild. */
static void explain(struct tw__device *d, int error)
{
	int major = 0, minor = 0;
	d->api->cudaDeviceGetAttribute(&major, TW__CUDA_ATTRIBUTE_MAJOR, d->index);
	d->api->cudaDeviceGetAttribute(&minor, TW__CUDA_ATTRIBUTE_MINOR, d->index);
	if (error == TW__CUDA_NO_BINARY_FOR_GPU || error == TW__CUDA_OTHER_PTX)
		snprintf(d->why, sizeof d->why,
		         "'%s' has compute capability %d.%d: " FILE_NAME " was built for %s: expected a build with "
		         "-Dcuda-archs=%d%d",
		         d->name, major, minor, TW__CUDA_ARCHS, major, minor);
	else
		tw__cuda_driver_good(d, "cuModuleLoadData", error);
}

bool tw__image_open(struct tw__device *d)
{
#define NAME(name, argument, body) #name,
	static const char *const names[] = {TW__CUDA_KERNELS(NAME)};
#undef NAME
	char path[4096];
	name_file(path, sizeof path);
	char *image = read_file(path);
	if (!image) {
		snprintf(d->why, sizeof d->why, "%.200s cannot be read", path);
		return false;
	}
	int error = d->api->cuModuleLoadData(&d->image, image);
	free(image);
	if (error) {
		explain(d, error);
		return false;
	}
	bool good = true;
	for (int i = 0; i < TW__N_IMAGE_KERNELS && good; i++)
		good = TW__CUDA_DRIVER(d, cuModuleGetFunction, &d->image_kernels[i], d->image, names[i]);
	return good;
}

void tw__image_close(struct tw__device *d)
{
	if (d->image)
		TW__CUDA_DRIVER(d, cuModuleUnload, d->image);
}
