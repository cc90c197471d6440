/* Reads a performance model of StarPU, sampling/codelets/45/SYMBOL.HOST: the history of one kernel on one host. */
#ifndef TW__STARPU_MODEL_H
#define TW__STARPU_MODEL_H

#include <tilewright/base.h>

/* The executions of a kernel for one size on one device. Times are in microseconds. */
struct tw__starpu_entry {
	int device_type, device, cores, implementation;
	uint32_t footprint; /* StarPU's hash of the dimensions of a task's handles */
	uint64_t bytes;     /* bytes of all handles of a task */
	double sum, sum2;   /* sum of the times, sum of the squared times */
	uint64_t n;
};

struct tw__starpu_model {
	struct tw__starpu_entry *entries; /* entries in the file's order */
	size_t n_entries, capacity;
	int version;
	int n_mixed; /* number of combinations of several kinds of devices, which are skipped */
};

/* Reads the file of a model. TW_INVALID: the file is malformed; the message names file and line. */
int tw__starpu_model_read(struct tw__starpu_model *, const char *path, struct tw_error *err);
void tw__starpu_model_finish(struct tw__starpu_model *);

#endif
