/* Foreign descriptions of nodes as platforms: platform.xml and kernels.csv. */
#ifndef TW__IMPORT_H
#define TW__IMPORT_H

#include <stdio.h>

#include <tilewright/params.h>

#include "platform/platform.h"

/* One kernel time, from the executions of one or more devices. Microseconds. */
struct tw__import_row {
	const char *kernel, *model; /* the model it comes from */
	const char *arch;           /* one of the platform's */
	int device_type, cores, implementation, n_devices;
	char size[192], precision;
	uint64_t bytes; /* of the data: the order of sizes */
	double sum, sum2;
	uint64_t n;
	bool derived; /* syrk: half of gemm */
};

/* What was left out. */
struct tw__import_left {
	int malformed; /* files: each was told through tw_log */
	int copied;    /* models that are copies of others */
	int copies;    /* entries that a model read before has, too */
	int unknown;   /* models of kernels that no workload has */
	int devices;   /* entries of devices of other kinds, or that the node does not have */
	int mixed;     /* combinations of several kinds of devices */
	int unused;    /* entries without executions */
	int routes;    /* faster than their links, of which they share none now */
	int slower;    /* entries of implementations that another is faster than */
};

struct tw__import {
	struct tw_platform *platform;
	char *source; /* folder */
	struct tw__import_row *rows;
	size_t n_rows, rows_capacity;
	char **names;
	size_t n_names, names_capacity;
	int n_models; /* files that rows come from */
	int n_hashed; /* rows whose size only StarPU's hash tells */
	struct tw__import_left left;
};

/* The parameters of `starpu:NAME`. */
extern const struct tw_param tw__import_starpu_params[];

/* Host NAME of a sampling directory of StarPU. TW_INVALID: there is no such host (the message lists those that are there), or its
 * platform cannot be read. A malformed performance model is told through tw_log, counted and left out. */
int tw__import_starpu(struct tw__import *, const struct tw_args *, struct tw_error *err);
void tw__import_finish(struct tw__import *);

/* kernels.csv; stream errors are the caller's to see. */
void tw__import_write_kernels(const struct tw__import *, FILE *);

#endif
