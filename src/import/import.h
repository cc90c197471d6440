/* Imports foreign descriptions of nodes as platforms: platform.xml and kernels.csv. */
#ifndef TW__IMPORT_H
#define TW__IMPORT_H

#include <stdio.h>

#include <tilewright/params.h>

#include "platform/platform.h"

/* One kernel time, from the executions of one or more devices. In microseconds. */
struct tw__import_row {
	const char *kernel, *model; /* the model that it comes from */
	const char *arch;           /* an arch of the platform */
	int device_type, cores, implementation, n_devices;
	char size[192], precision;
	uint64_t bytes; /* of all data; sorts sizes */
	double sum, sum2;
	uint64_t n;
	bool derived; /* syrk: half of the time of gemm */
};

/* Numbers of entries left out. */
struct tw__import_left {
	int malformed; /* model files; tw_log reported each */
	int copied;    /* models that are copies of others */
	int copies;    /* entries that an earlier model has, too */
	int unknown;   /* models of kernels that no workload has */
	int devices;   /* entries of devices of other kinds, or that the node lacks */
	int mixed;     /* combinations of several kinds of devices */
	int unused;    /* entries without executions */
	int routes;    /* faster than their links, which they no longer share */
	int slower;    /* entries of implementations slower than another */
};

struct tw__import {
	struct tw_platform *platform;
	char *source; /* folder */
	struct tw__import_row *rows;
	size_t n_rows, rows_capacity;
	char **names;
	size_t n_names, names_capacity;
	int n_models; /* files with rows */
	int n_hashed; /* rows whose size is known only by StarPU's hash */
	struct tw__import_left left;
};

/* The parameters of `starpu:NAME`. */
extern const struct tw_param tw__import_starpu_params[];

/* Imports host NAME from a sampling directory of StarPU. TW_INVALID: no such host (the message lists the hosts there),
 * or its platform cannot be read. A malformed performance model is reported through tw_log, counted and left out. */
int tw__import_starpu(struct tw__import *, const struct tw_args *, struct tw_error *err);
void tw__import_finish(struct tw__import *);

/* Writes kernels.csv; the caller checks the stream for errors. */
void tw__import_write_kernels(const struct tw__import *, FILE *);

#endif
