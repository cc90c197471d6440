/* Stores the messages of failed calls in the device. */
#include <stdio.h>

#include "engine/real/cuda/cuda.h"

static bool good(struct tw__device *d, const char *function, int status, const char *text)
{
	if (status == 0)
		return true;
	if (!*d->why)
		snprintf(d->why, sizeof d->why, "%s on '%s': error %d%s%s", function, d->name, status, text ? ": " : "",
		         text ? text : "");
	return false;
}

bool tw__cuda_good(struct tw__device *d, const char *function, int status)
{
	return good(d, function, status, status ? d->api->cudaGetErrorString(status) : NULL);
}

bool tw__cuda_driver_good(struct tw__device *d, const char *function, int status)
{
	const char *text = NULL;
	if (status)
		d->api->cuGetErrorString(status, &text);
	return good(d, function, status, text);
}

bool tw__cublas_good(struct tw__device *d, const char *function, int status)
{
	return good(d, function, status, status ? d->api->cublasGetStatusString(status) : NULL);
}

bool tw__cusolver_good(struct tw__device *d, const char *function, int status)
{
	return good(d, function, status, NULL);
}
