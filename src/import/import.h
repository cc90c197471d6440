/* Imports descriptions of nodes that other tools made. An import becomes a platform: platform.xml and kernels.csv. */
#ifndef TW__IMPORT_H
#define TW__IMPORT_H

#include <stdio.h>

#include <tilewright/params.h>

#include "platform/platform.h"

/* A row of kernels.csv: the time of one kernel on one arch, from the executions of one or more devices. Times are in
 * microseconds. */
struct tw__import_row {
	const char *kernel, *model; /* model: the performance model that has the executions */
	const char *arch;           /* name of an arch of the platform */
	int device_type, cores, implementation, n_devices;
	char size[192], precision;
	uint64_t bytes; /* bytes of all handles of a task; rows are sorted by them */
	double sum, sum2;
	uint64_t n;
	bool derived; /* not measured: the time of syrk is half the time of gemm */
};

/* Numbers of models, entries and routes that an import has left out. A model is the file of one kernel; an entry of a
 * model has the executions of one size on one device. */
struct tw__import_left {
	int malformed; /* model files that are malformed; tw_log reported each of them */
	int copied;    /* models that are copies of other models */
	int copies;    /* entries of a kernel, arch and size that an earlier model has, too */
	int unknown;   /* models of kernels that no workload has */
	int devices;   /* entries of devices that the node lacks, or that its file has again as cards of another kind */
	int mixed;     /* combinations of devices that have several kinds of devices */
	int unused;    /* entries of models without executions */
	/* routes measured as faster than the links in the XML, so that they share these links no longer */
	int routes;
	int slower; /* entries of implementations that are slower than another implementation */
};

struct tw__import {
	struct tw__platform *platform;
	char *source;      /* path of StarPU's sampling directory */
	const char *host;  /* StarPU's name of the node */
	const char *cards; /* StarPU's "CUDA" for accelerators that are now "GPU0", ...; NULL: they keep their names */
	struct tw__import_row *rows;
	size_t n_rows, rows_capacity;
	char **names;
	size_t n_names, names_capacity;
	int n_models; /* number of model files that were read */
	int n_hashed; /* number of rows whose size is known only by StarPU's hash */
	struct tw__import_left left;
};

/* The parameters of an import from StarPU, `starpu:NAME`. */
extern const struct tw_param tw__import_starpu_params[];

/* Imports a host from a sampling directory of StarPU. A malformed performance model is reported through tw_log, counted
 * and left out. TW_INVALID: the directory lacks the host (the message lists its hosts), or the host's platform cannot
 * be read. The caller finishes the import, also after an error. */
int tw__import_starpu(struct tw__import *, const struct tw_args *, struct tw_error *err);
void tw__import_finish(struct tw__import *);

/* Writes the rows of an import as kernels.csv. The caller checks the stream for errors. */
void tw__import_write_kernels(const struct tw__import *, FILE *);

#endif
