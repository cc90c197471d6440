/* The parts of CUDA that the real engine uses: the runtime (libcudart), the driver (libcuda), cuBLAS and cuSOLVER.
 * These libraries are loaded when a run asks for GPUs, so Tilewright builds, and simulates, without CUDA.
 *
 * The declarations are the project's own, because a build machine may have no CUDA. Where CUDA is installed, a test
 * compares them with NVIDIA's (tests/cuda/test_headers.c). Names without "tw" are NVIDIA's. */
#ifndef TW__CUDA_API_H
#define TW__CUDA_API_H

#include <stddef.h>

#include <tilewright/base.h>

/* NVIDIA's enumerations are plain ints here. The test of the headers defines this macro to use the enumerations. */
#ifndef TW__CUDA_ENUM
#define TW__CUDA_ENUM(name) int
#endif

typedef struct CUstream_st *tw__cuda_stream;
typedef struct CUevent_st *tw__cuda_event;
typedef struct cublasContext *tw__cublas;
typedef struct cusolverDnContext *tw__cusolver;
typedef struct CUmod_st *tw__cuda_module;
typedef struct CUfunc_st *tw__cuda_function;

/* Values of NVIDIA's enumerations that the engine uses. */
enum { TW__CUDA_SUCCESS = 0, TW__CUDA_OLD_DRIVER = 35, TW__CUDA_NO_DEVICE = 100, TW__CUDA_NOT_READY = 600 };
enum { TW__CUDA_PEER_ALREADY_ENABLED = 704 };
enum { TW__CUDA_NO_BINARY_FOR_GPU = 209, TW__CUDA_OTHER_PTX = 222 }; /* status values of the driver's functions */
enum { TW__CUDA_TO_DEVICE = 1, TW__CUDA_TO_HOST = 2, TW__CUDA_ON_DEVICE = 3 };
enum { TW__CUDA_STREAM_NON_BLOCKING = 1, TW__CUDA_EVENT_DEFAULT = 0 };
enum { TW__CUDA_HOST_REGISTER_PORTABLE = 1 };
enum { TW__CUDA_ATTRIBUTE_MAJOR = 75, TW__CUDA_ATTRIBUTE_MINOR = 76 };
enum { TW__CUBLAS_N = 0, TW__CUBLAS_T = 1 };
enum { TW__CUBLAS_LOWER = 0, TW__CUBLAS_UPPER = 1 };
enum { TW__CUBLAS_LEFT = 0, TW__CUBLAS_RIGHT = 1 };
enum { TW__CUBLAS_NON_UNIT = 0, TW__CUBLAS_UNIT = 1 };

/* NOLINTBEGIN(bugprone-macro-parentheses): types and declarations */

/* The functions of libcudart, which return an error; 0: success. X(name, arguments). */
#define TW__CUDART_FUNCTIONS(X)                                                                                        \
	X(cudaGetDeviceCount, (int *count))                                                                            \
	X(cudaSetDevice, (int device))                                                                                 \
	X(cudaDriverGetVersion, (int *version))                                                                        \
	X(cudaRuntimeGetVersion, (int *version))                                                                       \
	X(cudaDeviceGetAttribute, (int *value, TW__CUDA_ENUM(enum cudaDeviceAttr) attribute, int device))              \
	X(cudaDeviceGetPCIBusId, (char *id, int length, int device))                                                   \
	X(cudaDeviceCanAccessPeer, (int *can, int device, int peer))                                                   \
	X(cudaDeviceEnablePeerAccess, (int peer, unsigned flags))                                                      \
	X(cudaMemGetInfo, (size_t * free, size_t * total))                                                             \
	X(cudaMalloc, (void **at, size_t bytes))                                                                       \
	X(cudaFree, (void *at))                                                                                        \
	X(cudaHostRegister, (void *at, size_t bytes, unsigned flags))                                                  \
	X(cudaHostUnregister, (void *at))                                                                              \
	X(cudaStreamCreateWithFlags, (tw__cuda_stream * stream, unsigned flags))                                       \
	X(cudaStreamDestroy, (tw__cuda_stream stream))                                                                 \
	X(cudaStreamSynchronize, (tw__cuda_stream stream))                                                             \
	X(cudaEventCreateWithFlags, (tw__cuda_event * event, unsigned flags))                                          \
	X(cudaEventDestroy, (tw__cuda_event event))                                                                    \
	X(cudaEventRecord, (tw__cuda_event event, tw__cuda_stream stream))                                             \
	X(cudaEventQuery, (tw__cuda_event event))                                                                      \
	X(cudaEventElapsedTime, (float *ms, tw__cuda_event start, tw__cuda_event end))                                 \
	X(cudaMemcpyAsync,                                                                                             \
	  (void *to, const void *from, size_t bytes, TW__CUDA_ENUM(enum cudaMemcpyKind) kind, tw__cuda_stream stream)) \
	X(cudaMemcpyPeerAsync,                                                                                         \
	  (void *to, int to_device, const void *from, int from_device, size_t bytes, tw__cuda_stream stream))          \
	X(cudaMemsetAsync, (void *at, int value, size_t bytes, tw__cuda_stream stream))

/* The functions of the driver that the runtime does not have in a stable form; 0: success. X(name, arguments). A thread
 * has a context after it has called cudaSetDevice and one more function of the runtime. */
#define TW__CUDA_DRIVER_FUNCTIONS(X)                                                                      \
	X(cuDeviceGetName, (char *name, int length, int device))                                          \
	X(cuModuleLoadData, (tw__cuda_module * module, const void *image))                                \
	X(cuModuleUnload, (tw__cuda_module module))                                                       \
	X(cuModuleGetFunction, (tw__cuda_function * function, tw__cuda_module module, const char *name))  \
	X(cuLaunchKernel, (tw__cuda_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, \
	                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,   \
	                   tw__cuda_stream stream, void **arguments, void **extra))

/* The functions of cuBLAS, which return a status; 0: success. X(name, arguments). */
#define TW__CUBLAS_OF(X, p, real)                                                                                    \
	X(cublas##p##gemm_v2, (tw__cublas blas, TW__CUDA_ENUM(cublasOperation_t) transa,                             \
	                       TW__CUDA_ENUM(cublasOperation_t) transb, int m, int n, int k, const real *alpha,      \
	                       const real *a, int lda, const real *b, int ldb, const real *beta, real *c, int ldc))  \
	X(cublas##p##syrk_v2,                                                                                        \
	  (tw__cublas blas, TW__CUDA_ENUM(cublasFillMode_t) uplo, TW__CUDA_ENUM(cublasOperation_t) trans, int n,     \
	   int k, const real *alpha, const real *a, int lda, const real *beta, real *c, int ldc))                    \
	X(cublas##p##trsm_v2,                                                                                        \
	  (tw__cublas blas, TW__CUDA_ENUM(cublasSideMode_t) side, TW__CUDA_ENUM(cublasFillMode_t) uplo,              \
	   TW__CUDA_ENUM(cublasOperation_t) trans, TW__CUDA_ENUM(cublasDiagType_t) diag, int m, int n,               \
	   const real *alpha, const real *a, int lda, real *b, int ldb))                                             \
	X(cublas##p##trmm_v2,                                                                                        \
	  (tw__cublas blas, TW__CUDA_ENUM(cublasSideMode_t) side, TW__CUDA_ENUM(cublasFillMode_t) uplo,              \
	   TW__CUDA_ENUM(cublasOperation_t) trans, TW__CUDA_ENUM(cublasDiagType_t) diag, int m, int n,               \
	   const real *alpha, const real *a, int lda, const real *b, int ldb, real *c, int ldc))                     \
	X(cublas##p##geam, (tw__cublas blas, TW__CUDA_ENUM(cublasOperation_t) transa,                                \
	                    TW__CUDA_ENUM(cublasOperation_t) transb, int m, int n, const real *alpha, const real *a, \
	                    int lda, const real *beta, const real *b, int ldb, real *c, int ldc))
#define TW__CUBLAS_FUNCTIONS(X)                                          \
	X(cublasCreate_v2, (tw__cublas * blas))                          \
	X(cublasDestroy_v2, (tw__cublas blas))                           \
	X(cublasSetStream_v2, (tw__cublas blas, tw__cuda_stream stream)) \
	TW__CUBLAS_OF(X, S, float)                                       \
	TW__CUBLAS_OF(X, D, double)

/* The functions of cuSOLVER, which return a status; 0: success. X(name, arguments). */
#define TW__CUSOLVER_OF(X, p, real)                                                                                  \
	X(cusolverDn##p##potrf_bufferSize,                                                                           \
	  (tw__cusolver solver, TW__CUDA_ENUM(cublasFillMode_t) uplo, int n, real *a, int lda, int *elements))       \
	X(cusolverDn##p##potrf, (tw__cusolver solver, TW__CUDA_ENUM(cublasFillMode_t) uplo, int n, real *a, int lda, \
	                         real *work, int elements, int *info))                                               \
	X(cusolverDn##p##getrf_bufferSize, (tw__cusolver solver, int m, int n, real *a, int lda, int *elements))     \
	X(cusolverDn##p##getrf,                                                                                      \
	  (tw__cusolver solver, int m, int n, real *a, int lda, real *work, int *pivots, int *info))
#define TW__CUSOLVER_FUNCTIONS(X)                                             \
	X(cusolverDnCreate, (tw__cusolver * solver))                          \
	X(cusolverDnDestroy, (tw__cusolver solver))                           \
	X(cusolverDnSetStream, (tw__cusolver solver, tw__cuda_stream stream)) \
	TW__CUSOLVER_OF(X, S, float)                                          \
	TW__CUSOLVER_OF(X, D, double)

#define TW__CUDART_MEMBER(name, arguments) TW__CUDA_ENUM(cudaError_t)(*name) arguments;
#define TW__CUDA_DRIVER_MEMBER(name, arguments) TW__CUDA_ENUM(CUresult)(*name) arguments;
#define TW__CUBLAS_MEMBER(name, arguments) TW__CUDA_ENUM(cublasStatus_t)(*name) arguments;
#define TW__CUSOLVER_MEMBER(name, arguments) TW__CUDA_ENUM(cusolverStatus_t)(*name) arguments;
struct tw__cuda_api {
	TW__CUDART_FUNCTIONS(TW__CUDART_MEMBER)
	const char *(*cudaGetErrorString)(TW__CUDA_ENUM(cudaError_t) error);
	TW__CUDA_DRIVER_FUNCTIONS(TW__CUDA_DRIVER_MEMBER)
	TW__CUDA_ENUM(CUresult) (*cuGetErrorString)(TW__CUDA_ENUM(CUresult) error, const char **text);
	TW__CUBLAS_FUNCTIONS(TW__CUBLAS_MEMBER)
	const char *(*cublasGetStatusString)(TW__CUDA_ENUM(cublasStatus_t) status);
	TW__CUSOLVER_FUNCTIONS(TW__CUSOLVER_MEMBER)
};

/* NOLINTEND(bugprone-macro-parentheses) */

/* Loads CUDA's runtime and driver, once per process; they stay loaded. They are searched in $TILEWRIGHT_CUDA if it is
 * set, otherwise in the system's folders and in /usr/local/cuda. If $TILEWRIGHT_CUDA has no driver, the system's is
 * taken. TW_INVALID: a library is missing, or lacks a function; the message names it. */
int tw__cuda_load(const struct tw__cuda_api **, struct tw_error *err);

/* Loads cuBLAS and cuSOLVER, as tw__cuda_load does the runtime. This takes much longer. */
int tw__cuda_load_kernels(struct tw_error *err);

#endif
