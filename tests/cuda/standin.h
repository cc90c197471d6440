/* A stand-in for the parts of CUDA that the project uses (src/engine/real/cuda/api.h), for tests on machines without
 * a GPU. A GPU's memory is memory of the process, each stream is a thread, and OpenBLAS does the arithmetic.
 *
 *     standin.c         settings, the count of calls, injected failures, error strings
 *     standin_alive.c   the lock; the list of living objects, and the report of objects that are left at exit
 *     standin_device.c  GPUs: their number, versions, attributes, access to peers
 *     standin_memory.c  device memory, pinned ranges, checks of addresses
 *     standin_copy.c    copies and memsets
 *     standin_stream.c  streams
 *     standin_event.c   events
 *     standin_time.c    durations of kernels, launches and copies; kernels of cores
 *     standin_driver.c  the driver: names of GPUs, modules, launches of the kernels in kernels/cells_cuda.h
 *     standin_handle.c  handles of cuBLAS and cuSOLVER, and checks of their matrices
 *     standin_blas.c, standin_triangle.c, standin_solver.c   arithmetic; the first two share standin_blas.h
 *
 * All are one shared object. Tests name it libcudart.so.13, libcuda.so.1, libcublas.so.13 and libcusolver.so.12 in a
 * folder of their own (standin.py). The folder also has an image for modules: the text "stand-in" and a line end.
 *
 * Environment variables, read at the first call:
 *     STANDIN_GPUS         number of GPUs (1)
 *     STANDIN_NAMES        name of each GPU ("Stand-in")
 *     STANDIN_CAPABILITY   compute capability of each GPU (9.0)
 *     STANDIN_DRIVER       version of the driver (13000); 0: no driver; older than the runtime: asking for the number
 *                          of GPUs fails with cudaErrorInsufficientDriver
 *     STANDIN_PEERS        "no": no GPU can access another's memory
 *     STANDIN_MEMORY       bytes of each GPU (1 GiB)
 *     STANDIN_BANDWIDTH    bytes per second of each copy (unlimited)
 *     STANDIN_KERNEL_US    least duration of a kernel, in microseconds: for all, or by function, as in
 *                          "gemm=4000+trsm=6000+500": the first name that is part of the function's name, else the
 *                          item without a name
 *     STANDIN_ALONE        part by which a kernel is longer if no other kernel runs in front of it (0)
 *     STANDIN_QUERY_US     cudaEventQuery sleeps so long before it says that an event is not reached (0). A thread that
 *                          polls then leaves the cores to others, and wakes in time where there are many of them
 *     STANDIN_LAUNCH_US    time that a launch takes before the GPU gets the kernel (0)
 *     STANDIN_LAUNCH_GROWTH_US  added to it for each GPU driven but one: a GPU is driven if it has streams (0)
 *     STANDIN_BLOCKS_US    time for which a launch blocks its thread after that; by function, too. The kernel does not
 *                          end before (0)
 *     STANDIN_COPY_GROWTH  part by which copies are longer for each GPU driven but one (0)
 *     STANDIN_FAR          part by which copies between GPU i and main memory are longer if the memory is bound to
 *                          another NUMA node than node i (0); a preloaded library knows nodes (../calibrate/nodes.c)
 *     STANDIN_PAUSE        "N,US": after every N-th kernel of a stream, the GPU does nothing for so long (never)
 *     STANDIN_KERNELS      file with real kernels of cores. Then the stand-in itself, named in TILEWRIGHT_KERNELS, has
 *                          the family cholesky with these kernels, which take the times of the next two settings
 *     STANDIN_CPU_US       least duration of a core's kernel, by name as above
 *     STANDIN_CPU_SLOWED   a core's kernel makes this much less progress while a GPU copies from or to main memory:
 *                          with 0.25, it takes 1.25 times as long if copies are always under way (0)
 *     STANDIN_IMAGE_ERROR  error of loading any module, as 209 if it has no code for the GPU (none)
 *     STANDIN_FAIL_AT      the number of the call that fails, from 1: with 999 in the runtime and the driver, 14 in
 *                          cuBLAS, 7 in cuSOLVER; the call has no effect
 *     STANDIN_COUNT        file that receives the number of calls when the process exits
 *     STANDIN_LEAKS        "1": a line on stderr for each kind of object that is alive at exit
 *     STANDIN_TALLY        file that is mapped: the number of calls, then of living objects of each kind, as longs;
 *                          it is right even if the process is killed
 *
 * Dates are exact: a stream computes when each operation starts and ends. An operation starts at the end of the one in
 * front, or when it is enqueued. It is done ahead of its dates, and an event counts as reached at its date. So threads
 * that wake late change no date. Operations without a least duration take the time that the machine takes.
 *
 * Settings of GPUs are one value, or several separated by commas; the last one applies to all further GPUs. Every
 * call counts, except cudaEventQuery with the result cudaErrorNotReady, and the functions for error strings.
 *
 * The stand-in is stricter than CUDA. There is no default stream. A call with a wrong address fails at once. Handles
 * and modules only work for the current device. The driver requires that the thread has called cudaSetDevice. trmm
 * and geam refuse a result that overlaps an operand, unless it is the operand. Every copy is asynchronous. Each
 * refusal prints a line on stderr. */
#ifndef STANDIN_H
#define STANDIN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/real/cuda/api.h"

#define STANDIN_DECLARE(name, arguments) int name arguments;
TW__CUDART_FUNCTIONS(STANDIN_DECLARE)
TW__CUDA_DRIVER_FUNCTIONS(STANDIN_DECLARE)
TW__CUBLAS_FUNCTIONS(STANDIN_DECLARE)
TW__CUSOLVER_FUNCTIONS(STANDIN_DECLARE)
const char *cudaGetErrorString(int error);
int cuGetErrorString(int error, const char **text);
const char *cublasGetStatusString(int status);

/* Errors of the runtime and of the driver, which are the same; statuses of cuBLAS and of cuSOLVER. */
enum {
	STANDIN_INVALID_VALUE = 1,
	STANDIN_NO_MEMORY = 2,
	STANDIN_INVALID_KIND = 21,
	STANDIN_OLD_DRIVER = 35,
	STANDIN_NO_DEVICE = 100,
	STANDIN_INVALID_DEVICE = 101,
	STANDIN_INVALID_IMAGE = 200,
	STANDIN_NO_CONTEXT = 201,
	STANDIN_NO_PEERS = 217,
	STANDIN_INVALID_HANDLE = 400,
	STANDIN_NOT_FOUND = 500,
	STANDIN_NOT_READY = 600,
	STANDIN_PEER_TWICE = 704,
	STANDIN_REGISTERED_TWICE = 712,
	STANDIN_NOT_REGISTERED = 713,
	STANDIN_UNKNOWN = 999
};
enum { STANDIN_BLAS_INVALID = 7, STANDIN_BLAS_NO_MEMORY = 3, STANDIN_BLAS_EXECUTION = 13, STANDIN_BLAS_INTERNAL = 14 };
enum {
	STANDIN_SOLVER_NO_MEMORY = 2,
	STANDIN_SOLVER_INVALID = 3,
	STANDIN_SOLVER_EXECUTION = 6,
	STANDIN_SOLVER_INTERNAL = 7,
	STANDIN_SOLVER_NOT_SUPPORTED = 9
};

/* --- standin.c ---------------------------------------------------------------------------------------------------- */

enum { STANDIN_MOST_GPUS = 16, STANDIN_RUNTIME = 13000 };

struct standin_gpu {
	char name[64];
	int major, minor; /* compute capability */
	size_t memory_bytes;
};
struct standin_settings {
	int n_gpus, driver;
	int image_error; /* 0: none */
	bool peers;
	double bandwidth; /* 0: not set */
	double alone, launch_growth_s, copy_growth, far, cpu_slowed;
	double launch_s, query_s;
	const char *kernel_us, *blocks_us, *cpu_us; /* by function; NULL: not set */
	int pause_every;                            /* 0: never */
	double pause_s;
	unsigned long fail_at; /* 0: never */
	struct standin_gpu gpus[STANDIN_MOST_GPUS];
};
const struct standin_settings *standin_settings(void);

/* Counts a call; true: the call must fail. */
bool standin_fails(void);
/* Prints a line about a refused call, and returns the error. */
int standin_refuse(int error, const char *function, const char *format, ...) __attribute__((format(printf, 3, 4)));
double standin_now(void); /* in seconds */

/* --- standin_time.c ----------------------------------------------------------------------------------------------- */

/* The number for a function in a setting as "gemm=4000+500"; 0: there is none. */
double standin_value(const char *setting, const char *function);
double standin_kernel_s(const char *function);
/* The thread that launches a kernel waits: before the GPU gets the kernel, and after that. */
void standin_launch(void);
void standin_block(const char *function);
void standin_sleep_until(double date);

/* --- standin_alive.c ---------------------------------------------------------------------------------------------- */

/* One lock for everything except the work itself. The thread sanitizer does not see its ordering, but only the
 * ordering that CUDA promises. So it finds code that does not wait for a stream. -DSTANDIN_PLAIN checks the stand-in
 * itself instead. */
void standin_lock(void);
void standin_unlock(void);
void standin_wait(pthread_cond_t *condition); /* the lock must be held */
void standin_join(pthread_t thread);          /* also without ordering for the sanitizer */

#if defined(__SANITIZE_THREAD__) && !defined(STANDIN_PLAIN)
void __tsan_acquire(void *at);
void __tsan_release(void *at);
#define STANDIN_ACQUIRE(at) __tsan_acquire(at)
#define STANDIN_RELEASE(at) __tsan_release(at)
#else
#define STANDIN_ACQUIRE(at) ((void)(at))
#define STANDIN_RELEASE(at) ((void)(at))
#endif

/* Every object that the user creates begins with its link. The lock must be held for all of these. */
struct standin_thing {
	struct standin_thing *next;
};
enum standin_kind {
	STANDIN_ALLOCATIONS,
	STANDIN_RANGES,
	STANDIN_STREAMS,
	STANDIN_EVENTS,
	STANDIN_BLAS,
	STANDIN_SOLVERS,
	STANDIN_MODULES,
	STANDIN_N_KINDS,
	STANDIN_TALLIES = STANDIN_N_KINDS + 1
};
struct standin_thing *standin_first(enum standin_kind);
void standin_count(enum standin_kind, long change); /* changes the number of living objects */
void standin_add(enum standin_kind, void *thing);
bool standin_is_alive(enum standin_kind, const void *thing);
bool standin_remove(enum standin_kind, const void *thing); /* false: it is not alive */
void standin_report(void);

/* --- standin_device.c --------------------------------------------------------------------------------------------- */

int standin_current_device(void); /* of the calling thread */
bool standin_has_context(void);   /* whether the calling thread has chosen a device */

/* --- standin_memory.c --------------------------------------------------------------------------------------------- */

/* Whether all bytes are in one allocation of the device, or in no allocation of any device. If not, they print a line
 * on stderr. Any address with 0 bytes is fine. */
bool standin_on_device(const char *function, const char *what, int device, const void *at, size_t bytes);
bool standin_on_host(const char *function, const char *what, const void *at, size_t bytes);
bool standin_overlap(const char *a, size_t a_bytes, const char *b, size_t b_bytes);

/* --- standin_stream.c --------------------------------------------------------------------------------------------- */

/* The common beginning of operations. They come from malloc; the stream frees them. */
struct standin_op {
	struct standin_op *next;
	uint64_t number; /* in the order of all streams */
	void (*run)(struct standin_op *);
	double least_s; /* least duration */
	enum { STANDIN_OTHER, STANDIN_KERNEL, STANDIN_COPY, STANDIN_RECORD } kind;
	double enqueued_s, end_s; /* dates; the stream sets the second one when the operation is done */
};

int standin_n_driven(void); /* number of GPUs with streams */
bool standin_copies(void);  /* whether a copy is under way now */

int standin_device_of(const char *function, tw__cuda_stream stream); /* -1: there is no such stream */
/* False: there is no such stream; the operation is freed. */
bool standin_enqueue(const char *function, tw__cuda_stream stream, struct standin_op *op);
/* Waits for all operations that were enqueued before, in streams of the device. */
void standin_wait_for_device(int device);

/* --- standin_handle.c --------------------------------------------------------------------------------------------- */

struct standin_handle {
	struct standin_thing thing;
	int device;
	tw__cuda_stream stream;
};
struct cublasContext {
	struct standin_handle handle;
};
struct cusolverDnContext {
	struct standin_handle handle;
};

/* A matrix by columns: all of it ('F'), or its lower ('L') or upper ('U') triangle. */
struct standin_matrix {
	char *at;
	size_t element_bytes;
	int rows, columns, ld;
	char part;
};

/* Whether the handle can be used now. *copy becomes a copy of it. */
bool standin_use(const char *function, enum standin_kind kind, const void *handle, struct standin_handle *copy);
/* Whether sizes and addresses are valid. */
bool standin_matrix_is_good(const char *function, const char *name, int device, const struct standin_matrix *matrix);
/* Whether they have an element in common. */
bool standin_matrices_overlap(const struct standin_matrix *a, const struct standin_matrix *b);
/* Tell the thread sanitizer of accesses by BLAS, which is not instrumented. */
void standin_reads(const struct standin_matrix *matrix);
void standin_writes(const struct standin_matrix *matrix);

#endif
