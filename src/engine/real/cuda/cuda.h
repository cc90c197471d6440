/* NVIDIA GPUs as devices of the real engine: a plug-in that the engine opens when a run asks for GPUs.
 *
 *   api.[ch]       CUDA's functions, looked up when they are needed
 *   calls.c        what a call that fails says
 *   detect.c       the GPUs that CUDA shows, and what their links carry
 *   device.c       one GPU: its arena, its thread, its streams
 *   peers.c        GPUs that read and write each other's memory
 *   warm.c         each kernel once, before a run
 *   streams.c      what is under way in a stream, and when it has ended
 *   codelets*.c    the kernels that a GPU has, by workload
 *   blas.[ch]      calls of cuBLAS in either precision
 *   image.[ch]     kernels of our own (cells.cu)
 *
 * One thread a GPU makes all calls for it, but for those before and after a run. It asks its streams for ends as long as anything is
 * under way, and sleeps otherwise. */
#ifndef TW__CUDA_H
#define TW__CUDA_H

#include <semaphore.h>

#include "engine/real/cuda/api.h"
#include "engine/real/cuda/image.h"
#include "engine/real/real.h"

/* One stream each. */
enum tw__lane { TW__LANE_KERNELS, TW__LANE_TO_DEVICE, TW__LANE_TO_HOST, TW__LANE_PEERS, TW__N_LANES };

/* A job between its two events. */
struct tw__entry {
	struct tw__entry *next;
	struct tw__job *job;
	tw__cuda_event start, end;
	int info; /* place of the kernel's info, or -1 */
};

struct tw__stream {
	tw__cuda_stream cuda;
	struct tw__entry *first, *last;
	tw__ns ended; /* the date of its last end */
};

struct tw__device {
	const struct tw__device_ops *ops;
	struct tw__engine *engine;
	const struct tw__cuda_api *api;
	tw_node node;
	int index; /* CUDA's */
	const char *name;
	char *arena;
	struct tw__stream streams[TW__N_LANES];
	struct tw__entry *unused;
	int n_under_way;
	/* Of kernels. */
	tw__cublas blas;
	tw__cusolver solver;
	tw__cuda_module image; /* NULL: no kernel of the graph needs it */
	tw__cuda_function image_kernels[TW__N_IMAGE_KERNELS];
	const struct tw__cuda_codelet **codelets; /* [kernels of the graph] NULL: the GPU has none */
	void *work;
	uint64_t work_bytes;
	int *info, *host_info; /* [TW__MOST_INFOS] of kernels under way, on the GPU and in pinned memory */
	int next_info;
	/* The thread. */
	struct tw__seat seat;
	pthread_t thread;
	int core; /* that it is bound to, or TW_NONE */
	sem_t is_ready;
	bool runs, has_stopped, had_failed;
	bool pins;     /* main memory */
	char why[300]; /* the first call that failed; "": none */
};

enum { TW__MOST_INFOS = 256 };

/* One kernel. */
struct tw__cuda_call {
	struct tw__device *device;
	const void *shape; /* of the family: see tilewright/kernels.h */
	int n_operands;
	const struct tw_operand *operands;
	void *work;
	int *info; /* on the GPU: 0 already; what is not 0 afterwards fails the run */
};

struct tw__cuda_codelet {
	const char *workload, *kernel;
	bool (*run)(const struct tw__cuda_call *); /* false: a call has failed, and why is in the device */
	/* Bytes of device->work; NULL: none. False as above. */
	bool (*work_bytes)(struct tw__device *, const void *shape, uint64_t *bytes);
	bool tells_info, needs_image;
};

/* NULL: it runs on cores alone. */
const struct tw__cuda_codelet *tw__cuda_codelet_of(const char *workload, const char *kernel);

/* calls.c: whether the call was a success; else the device knows why. TW__CUDA(d, cudaMalloc, &at, bytes) */
bool tw__cuda_good(struct tw__device *, const char *function, int status);
bool tw__cuda_driver_good(struct tw__device *, const char *function, int status);
bool tw__cublas_good(struct tw__device *, const char *function, int status);
bool tw__cusolver_good(struct tw__device *, const char *function, int status);
#define TW__CUDA(d, function, ...) tw__cuda_good(d, #function, (d)->api->function(__VA_ARGS__))
#define TW__CUDA_DRIVER(d, function, ...) tw__cuda_driver_good(d, #function, (d)->api->function(__VA_ARGS__))
#define TW__CUBLAS(d, function, ...) tw__cublas_good(d, #function, (d)->api->function(__VA_ARGS__))
#define TW__CUSOLVER(d, function, ...) tw__cusolver_good(d, #function, (d)->api->function(__VA_ARGS__))

/* streams.c: in the device's thread. */
bool tw__streams_open(struct tw__device *);
void tw__streams_close(struct tw__device *);
/* Starts a job. It ends at once if a call fails. */
void tw__streams_start(struct tw__device *, struct tw__job *);
/* Tells the engine of what has ended; whether there was anything. */
bool tw__streams_look(struct tw__device *);

/* In the stream of kernels, within the GPU. */
bool tw__cuda_copy_inside(struct tw__device *, void *to, const void *from, uint64_t bytes);

/* peers.c: with all GPUs that have been opened before. Leaves this one as the current GPU. */
bool tw__cuda_enable_peers(struct tw__device *);

/* warm.c: runs each kernel of the graph once. */
bool tw__cuda_warm_up(struct tw__device *, uint64_t arena_bytes);

/* detect.c: the number of GPUs. TW_INVALID, with the reason, if there is none that can be used. */
int tw__cuda_count(const struct tw__cuda_api *, int *n, struct tw_error *err);
int tw__cuda_detect(struct tw__gpus *, struct tw_error *err);

extern const struct tw__device_ops tw__device_cuda;

#endif
