#include "engine/real/cuda/api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static struct tw__cuda_api api;
static bool is_loaded, has_kernels;

/* A library of CUDA: its name in messages, and its possible file names, the newest first. */
struct source {
	const char *name;
	const char *files[4];
};

static const struct source cudart = {"CUDA's runtime", {"libcudart.so.13", "libcudart.so.12", "libcudart.so"}};
static const struct source driver = {"NVIDIA's driver", {"libcuda.so.1"}};
static const struct source cublas = {"cuBLAS", {"libcublas.so.13", "libcublas.so.12", "libcublas.so"}};
static const struct source cusolver = {"cuSOLVER", {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"}};

/* The default folder of CUDA's installer, which the dynamic linker may not search. */
static const char usual_folder[] = "/usr/local/cuda/lib64";

/* Opens the newest file of the library that exists in the folder. folder NULL: the dynamic linker searches. */
static void *open_first(const struct source *source, const char *folder)
{
	char path[4096];
	void *library = NULL;
	for (int i = 0; source->files[i] && !library; i++) {
		snprintf(path, sizeof path, "%s%s%s", folder ? folder : "", folder ? "/" : "", source->files[i]);
		library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	}
	return library;
}

static int open_library(void **library, const struct source *source, struct tw_error *err)
{
	const char *folder = getenv("TILEWRIGHT_CUDA");
	*library = open_first(source, folder);
	const char *text = *library ? NULL : dlerror();
	char reason[300]; /* why the first search has failed */
	snprintf(reason, sizeof reason, "%s", text ? text : source->files[0]);
	if (!*library && folder && source == &driver) /* the driver is usually not in the folder of CUDA's libraries */
		*library = open_first(source, NULL);
	if (!*library && !folder)
		*library = open_first(source, usual_folder);
	if (*library)
		return TW_OK;
	return tw_fail(err, TW_INVALID, "%s was not found: %s", source->name, reason);
}

/* Looks up a function of a library. Does nothing once a function was missing. */
static void find(void *function, void *library, const struct source *source, const char *name, int *status,
                 struct tw_error *err)
{
	if (*status != TW_OK)
		return;
	*(void **)function = dlsym(library, name);
	if (!*(void **)function)
		*status = tw_fail(err, TW_INVALID, "%s has no function %s: expected CUDA 12 or later", source->name,
		                  name);
}

#define FIND(function, arguments) find(&api.function, library, source, #function, &status, err);

int tw__cuda_load(const struct tw__cuda_api **out, struct tw_error *err)
{
	void *library;
	const struct source *source;
	*out = &api;
	if (is_loaded)
		return TW_OK;
	int status = open_library(&library, source = &cudart, err);
	TW__CUDART_FUNCTIONS(FIND)
	FIND(cudaGetErrorString, )
	if (status == TW_OK)
		status = open_library(&library, source = &driver, err);
	TW__CUDA_DRIVER_FUNCTIONS(FIND)
	FIND(cuGetErrorString, )
	is_loaded = status == TW_OK;
	return status;
}

int tw__cuda_load_kernels(struct tw_error *err)
{
	void *library;
	const struct source *source;
	if (has_kernels)
		return TW_OK;
	int status = open_library(&library, source = &cublas, err);
	TW__CUBLAS_FUNCTIONS(FIND)
	FIND(cublasGetStatusString, )
	if (status == TW_OK)
		status = open_library(&library, source = &cusolver, err);
	TW__CUSOLVER_FUNCTIONS(FIND)
	has_kernels = status == TW_OK;
	return status;
}
