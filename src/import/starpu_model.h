/* A performance model of StarPU, sampling/codelets/45/SYMBOL.HOST: the history of one kernel on one host. */
#ifndef TW__STARPU_MODEL_H
#define TW__STARPU_MODEL_H

#include <tilewright/base.h>

enum tw__starpu_device { TW__STARPU_CPU, TW__STARPU_CUDA }; /* larger values: other kinds, which are not imported */

/* The executions of one size on one device. In microseconds. */
struct tw__starpu_entry {
	int device_type, device, cores, implementation;
	uint32_t footprint; /* hash of the data's dimensions */
	uint64_t bytes;     /* of all data */
	double sum, sum2;   /* sums of times and of squared times */
	uint64_t n;
};

struct tw__starpu_model {
	struct tw__starpu_entry *entries; /* in the file's order */
	size_t n_entries, capacity;
	int version;
	int n_mixed; /* combinations of several kinds of devices, skipped */
};

/* TW_INVALID: the message names file and line. */
int tw__starpu_model_read(struct tw__starpu_model *, const char *path, struct tw_error *err);
void tw__starpu_model_finish(struct tw__starpu_model *);

#endif
