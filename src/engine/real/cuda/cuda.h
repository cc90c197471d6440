/* NVIDIA GPUs as devices of the real engine: a plug-in that the engine opens when a run asks for GPUs.
 *
 *     api.[ch]      CUDA's functions, looked up when needed
 *     probe.c       finds the GPUs that CUDA shows, and measures their links
 *     device.c      one GPU: its arena, its thread, its streams
 *     prepare.c     before a run: access between the memories of GPUs; runs each kernel once
 *     streams.c     the jobs in a stream, and their ends
 *     codelets_*.c  the kernels that a GPU has, by workload
 *     calls.c       messages of failed calls; calls of cuBLAS in either precision
 *     image.c       the project's own CUDA kernels (cells.cu)
 *
 * Each GPU has one thread, which makes all calls for the GPU except those before and after a run. The thread polls its
 * streams while a kernel or copy is under way, and sleeps otherwise. */
#ifndef TW__CUDA_H
#define TW__CUDA_H

#include <semaphore.h>

#include "cells_cuda.h"
#include "engine/real/cuda/api.h"
#include "engine/real/real.h"

/* The lanes of a GPU: kernels, copies to the GPU, copies to main memory, copies between GPUs. Each is a CUDA stream. */
enum tw__gpu_lane { TW__LANE_KERNELS, TW__LANE_TO_DEVICE, TW__LANE_TO_HOST, TW__LANE_PEERS, TW__N_LANES };

#define TW__IMAGE_KERNEL(name, argument, body) TW__IMAGE_##name,
enum tw__image_kernel { TW__CUDA_KERNELS(TW__IMAGE_KERNEL) TW__N_IMAGE_KERNELS };
#undef TW__IMAGE_KERNEL

/* A job in a stream, between its two CUDA events. */
struct tw__entry {
	struct tw__entry *next;
	struct tw__job *job;
	tw__cuda_event start, end;
	int info; /* index of the kernel's result in tw__device.info; -1: the job has no result */
};

/* One stream of a GPU, with the jobs that are under way in it. */
struct tw__stream {
	tw__cuda_stream cuda;
	struct tw__entry *first, *last;
	tw__ns ended; /* date at which the last job of the stream ended */
};

/* An event of a GPU whose date on the run's clock is known. The dates of all jobs follow from it. */
struct tw__reference {
	tw__cuda_event event; /* NULL: there was no job yet */
	struct timespec zero; /* date 0 of the clock that `date` belongs to */
	tw__ns date;
	tw__ns least_delay; /* least time from a job's end to the look that saw it, since there is this reference */
};

struct tw__device {
	const struct tw__device_ops *ops;
	struct tw__engine *engine;
	const struct tw__cuda_api *api;
	tw_node node;
	int index; /* number of the GPU in CUDA */
	const char *name;
	char *arena;
	struct tw__stream streams[TW__N_LANES];
	struct tw__entry *unused;
	struct tw__reference reference;
	int n_under_way;
	/* The next members are for kernels. */
	tw__cublas blas;
	tw__cusolver solver;
	tw__cuda_module image; /* module of the project's own kernels; NULL: no kernel of the graph needs it */
	tw__cuda_function image_kernels[TW__N_IMAGE_KERNELS];
	const struct tw__cuda_codelet **codelets; /* [kernels of the graph]; NULL: the GPU cannot run the kernel */
	void *work;
	uint64_t work_bytes;
	int *info, *host_info; /* [TW__MOST_INFOS] results of kernels, on the GPU and in pinned memory */
	int next_info;
	/* The next members are for the GPU's thread. */
	struct tw__seat seat;
	pthread_t thread;
	int core; /* core that the thread is bound to, or TW_NONE */
	sem_t is_ready;
	bool runs, has_stopped, had_failed;
	bool pins;     /* whether this GPU counts among those that pin main memory */
	char why[300]; /* message of the first call that failed; "": none has failed */
};

enum { TW__MOST_INFOS = 256 };

/* How cuBLAS reads a matrix: values TW__CUBLAS_* of api.h. */
struct tw__blas_options {
	int side, uplo, trans, diag;
};

/* The arguments of one kernel. */
struct tw__cuda_call {
	struct tw__device *device;
	const struct tw__cuda_codelet *codelet;
	const void *shape; /* the workload's parameters: see tilewright/kernels.h */
	int n_operands;
	const struct tw_operand *operands;
	void *work;
	int *info; /* where the kernel writes its result, on the GPU; initially 0; another value makes the run fail */
};

/* A kernel that GPUs can run. */
struct tw__cuda_codelet {
	const char *workload, *kernel;
	bool (*run)(const struct tw__cuda_call *); /* false: a call failed; device->why says why */
	/* Computes the bytes that the kernel needs in device->work. Returns false if a call failed. NULL: it needs
	 * none. */
	bool (*work_bytes)(struct tw__device *, const void *shape, uint64_t *bytes);
	bool tells_info, needs_image;
	struct tw__blas_options options; /* for calls of cuBLAS in `run` */
};

/* Return true if `status` is success, the result of `function`; otherwise store a message in the device. The macros
 * below make the call: TW__CUDA(d, cudaMalloc, &at, bytes). */
bool tw__cuda_good(struct tw__device *, const char *function, int status);
bool tw__cuda_driver_good(struct tw__device *, const char *function, int status);
bool tw__cublas_good(struct tw__device *, const char *function, int status);
bool tw__cusolver_good(struct tw__device *, const char *function, int status);
#define TW__CUDA(d, function, ...) tw__cuda_good(d, #function, (d)->api->function(__VA_ARGS__))
#define TW__CUDA_DRIVER(d, function, ...) tw__cuda_driver_good(d, #function, (d)->api->function(__VA_ARGS__))
#define TW__CUBLAS(d, function, ...) tw__cublas_good(d, #function, (d)->api->function(__VA_ARGS__))
#define TW__CUSOLVER(d, function, ...) tw__cusolver_good(d, #function, (d)->api->function(__VA_ARGS__))

/* streams.c. Starting and looking happen in the device's thread. */
bool tw__streams_open(struct tw__device *);
void tw__streams_close(struct tw__device *);
/* Starts a job in its stream. If a call of CUDA fails, the job ends at once, as failed. */
void tw__streams_start(struct tw__device *, struct tw__job *);
/* Reports the jobs that have ended to the engine. Returns whether there were any such jobs. */
bool tw__streams_look(struct tw__device *);

/* Copies bytes within the GPU's memory, in the stream of kernels. */
bool tw__cuda_copy_inside(struct tw__device *, void *to, const void *from, uint64_t bytes);

/* image.c: the project's own CUDA kernels, compiled by nvcc into the file tilewright-cuda.fatbin. The file is loaded
 * from $TILEWRIGHT_CUDA or from the plug-in's folder. Builds without nvcc lack the file; workloads that need it then
 * have no kernels on GPUs. */
bool tw__image_is_there(void); /* whether the file can be read */
/* Loads the kernels on the current GPU. Returns false if a call has failed. */
bool tw__image_open(struct tw__device *);
void tw__image_close(struct tw__device *);

/* prepare.c: enables direct access to and from the memories of GPUs opened before. Leaves this GPU as the current
 * one. */
bool tw__cuda_enable_peers(struct tw__device *);

/* Runs each kernel of the graph that the GPU has once. */
bool tw__cuda_warm_up(struct tw__device *, uint64_t arena_bytes);

/* probe.c: counts the GPUs that CUDA shows. TW_INVALID: no GPU can be used; err has the reason. */
int tw__cuda_count(const struct tw__cuda_api *, int *n, struct tw_error *err);
int tw__cuda_detect(struct tw__gpus *, struct tw_error *err);

extern const struct tw__device_ops tw__device_cuda;

#endif
