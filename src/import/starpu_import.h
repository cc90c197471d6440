/* The parts of an import from StarPU. */
#ifndef TW__STARPU_IMPORT_H
#define TW__STARPU_IMPORT_H

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "import/import.h"

struct tw__starpu_import {
	struct tw__import *to;
	const struct tw_args *args;
	const char *host;
	struct tw_error *err;
};

/* Compares the names of directory entries for scandir, in an order that does not depend on the locale. */
static inline int tw__starpu_by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Reads the kernel times of the host from the performance models into to->rows, in the order of kernels.csv. */
void tw__starpu_import_times(struct tw__starpu_import *);

static inline bool tw__starpu_is_card(const struct tw__platform *p, int worker)
{
	return p->archs[p->workers[worker].arch].accelerator;
}

/* Returns the number that StarPU gives an accelerator: 2 for "CUDA2". */
static inline int tw__starpu_card_number(const struct tw__platform *p, int worker)
{
	const char *name = p->workers[worker].name;
	return atoi(name + strcspn(name, "0123456789"));
}

/* --- starpu_bus.c ------------------------------------------------------------------------------------------------- */

/* Reads the buses of a host as StarPU measured them, sampling/bus/HOST.bandwidth and .latency. StarPU's schedulers
 * predict copies with these values. */

/* Sets the predicted bandwidth and latency of all routes between main memories and accelerators. With `numa`, each
 * NUMA node becomes a main memory. The name of each accelerator's memory must be StarPU's, such as "CUDA0". If the
 * files do not exist, *found becomes false, and the predictions do not change. TW_INVALID: a file is malformed, or
 * lacks one of these memories. */
int tw__starpu_bus_read(struct tw__platform *, const char *folder, const char *host, bool numa, bool *found,
                        struct tw_error *err);

/* --- starpu_numa.c ------------------------------------------------------------------------------------------------ */

/* Adds main memories behind the first one, without routes, so that there are n_mains. They are called RAM1, RAM2 ...
 * TW_INVALID: another memory has such a name. */
int tw__starpu_add_mains(struct tw__platform *, int n_mains, struct tw_error *err);
/* Makes the routes of these memories, and gives them accelerators and cores. `bandwidth` and `latency`,
 * [from * n_nodes + to]: measured values of copies from or to main memories, in bytes/s and seconds. */
void tw__starpu_join_mains(struct tw__platform *, int n_mains, const double *bandwidth, const double *latency);

/* --- starpu_measured.c -------------------------------------------------------------------------------------------- */

/* Changes links so that a single copy on each route has the route's predicted latency and bandwidth, which StarPU
 * measured. StarPU's own simulation may differ from them. The first link of each route, which no other route may have,
 * gets these values. A link that several routes share may get a higher bandwidth for one copy. Its bandwidth for
 * several copies is raised only if it is below the bandwidth of one copy. *n_changed counts routes that share no link
 * any more. TW_INVALID: a route has no link of its own. */
int tw__starpu_bus_apply(struct tw__platform *, const char *path, int *n_changed, struct tw_error *err);

/* --- starpu_lines.c ----------------------------------------------------------------------------------------------- */

/* Reads StarPU's text files line by line. Skips comments, from '#' to the end of the line, and blank lines. */

enum { TW__STARPU_MAX_FIELDS = 512 };

struct tw__starpu_lines {
	FILE *file;
	const char *path;
	struct tw_error *err;
	int line; /* number of the line that has the values */
	char *text;
	size_t capacity;
	int n; /* number of values on the line; 0: the file has ended */
	char *values[TW__STARPU_MAX_FIELDS];
};

/* Opens a text file of StarPU. TW_INVALID: the file cannot be read. */
int tw__starpu_lines_open(struct tw__starpu_lines *, const char *path, struct tw_error *err);
void tw__starpu_lines_close(struct tw__starpu_lines *);

/* Reads the values of the next line that has any. At the end of the file, sets `n` to 0. */
int tw__starpu_lines_next(struct tw__starpu_lines *);

/* Reads the next line, which must have one integer from `least` to `most`. `what`: the meaning of the integer, for
 * messages. */
int tw__starpu_lines_int(struct tw__starpu_lines *, const char *what, long long least, long long most,
                         long long *value);

/* Reads value number `place` of the current line as a number; NaN is accepted. `what`: the meaning of the value, for
 * messages. */
int tw__starpu_lines_real(struct tw__starpu_lines *, int place, const char *what, double *value);

/* Sets an error message that starts with "PATH:LINE: ". Returns TW_INVALID. */
int tw__starpu_lines_fail(struct tw__starpu_lines *, const char *format, ...) TW_PRINTF(2, 3);

/* --- starpu_model.c ----------------------------------------------------------------------------------------------- */

/* Reads a performance model of StarPU, sampling/codelets/45/SYMBOL.HOST: the history of one kernel on one host. */

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

/* --- starpu_shape.c ----------------------------------------------------------------------------------------------- */

/* Finds the size of a kernel from an entry of StarPU's history, which has a hash of the dimensions and the number of
 * bytes. */

struct tw__starpu_shape {
	char size[192]; /* size as in kernels.csv; for an unknown shape, StarPU's hash in 8 hexadecimal digits */
	char precision; /* 's' (float), 'd' (double) or 'b' (bytes) */
	int n_data;     /* number of handles; 0: the shape is unknown */
};

/* Searches for a shape with this hash (`footprint`) and these bytes: square tiles; for gemm also products of block rows
 * and columns; for StarPU's stencil kernels, cubes with their borders. `kernel`: the name in Tilewright. `precision`:
 * the one in the model's name; '\0': the name has none. */
void tw__starpu_shape(struct tw__starpu_shape *, const char *kernel, uint64_t bytes, uint32_t footprint,
                      char precision);

#endif
