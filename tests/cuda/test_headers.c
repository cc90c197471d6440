/* Compares our declarations of CUDA's functions and constants with NVIDIA's; it is compiled where NVIDIA's headers
 * exist. When run, it looks up all functions in NVIDIA's libraries, in $TILEWRIGHT_CUDA. There may be no driver. */
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <stdio.h>
#include <string.h>

#define TW__CUDA_ENUM(name) name
#include "engine/real/cuda/api.h"

#define SAME(function, arguments)                                                                         \
	_Static_assert(__builtin_types_compatible_p(__typeof__(&function),                                \
	                                            __typeof__(((struct tw__cuda_api *)NULL)->function)), \
	               #function " is declared otherwise");
TW__CUDART_FUNCTIONS(SAME)
SAME(cudaGetErrorString, )
TW__CUDA_DRIVER_FUNCTIONS(SAME)
SAME(cuGetErrorString, )
TW__CUBLAS_FUNCTIONS(SAME)
SAME(cublasGetStatusString, )
TW__CUSOLVER_FUNCTIONS(SAME)

#define EQUAL(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #theirs " has another value");
EQUAL(TW__CUDA_SUCCESS, cudaSuccess)
EQUAL(TW__CUDA_OLD_DRIVER, cudaErrorInsufficientDriver)
EQUAL(TW__CUDA_NO_DEVICE, cudaErrorNoDevice)
EQUAL(TW__CUDA_NOT_READY, cudaErrorNotReady)
EQUAL(TW__CUDA_PEER_ALREADY_ENABLED, cudaErrorPeerAccessAlreadyEnabled)
EQUAL(TW__CUDA_TO_DEVICE, cudaMemcpyHostToDevice)
EQUAL(TW__CUDA_TO_HOST, cudaMemcpyDeviceToHost)
EQUAL(TW__CUDA_ON_DEVICE, cudaMemcpyDeviceToDevice)
EQUAL(TW__CUDA_STREAM_NON_BLOCKING, cudaStreamNonBlocking)
EQUAL(TW__CUDA_EVENT_DEFAULT, cudaEventDefault)
EQUAL(TW__CUDA_HOST_REGISTER_PORTABLE, cudaHostRegisterPortable)
EQUAL(TW__CUDA_ATTRIBUTE_MAJOR, cudaDevAttrComputeCapabilityMajor)
EQUAL(TW__CUDA_ATTRIBUTE_MINOR, cudaDevAttrComputeCapabilityMinor)
EQUAL(TW__CUDA_NO_BINARY_FOR_GPU, CUDA_ERROR_NO_BINARY_FOR_GPU)
EQUAL(TW__CUDA_OTHER_PTX, CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
EQUAL(TW__CUBLAS_N, CUBLAS_OP_N)
EQUAL(TW__CUBLAS_T, CUBLAS_OP_T)
EQUAL(TW__CUBLAS_LOWER, CUBLAS_FILL_MODE_LOWER)
EQUAL(TW__CUBLAS_UPPER, CUBLAS_FILL_MODE_UPPER)
EQUAL(TW__CUBLAS_LEFT, CUBLAS_SIDE_LEFT)
EQUAL(TW__CUBLAS_RIGHT, CUBLAS_SIDE_RIGHT)
EQUAL(TW__CUBLAS_NON_UNIT, CUBLAS_DIAG_NON_UNIT)
EQUAL(TW__CUBLAS_UNIT, CUBLAS_DIAG_UNIT)

int main(void)
{
	const struct tw__cuda_api *api;
	struct tw_error err = {0};
	if (tw__cuda_load(&api, &err) != TW_OK && !strstr(err.message, "driver was not found")) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	if (tw__cuda_load_kernels(&err) != TW_OK) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	return 0;
}
