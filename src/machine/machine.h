/* The platform `machine`: this machine, with measured kernel times. */
#ifndef TW__EXPERIMENT_MACHINE_H
#define TW__EXPERIMENT_MACHINE_H

#include "perf/models.h"
#include "platform/emulate.h"
#include "platform/gpus.h"
#include "request/digest.h"
#include "request/request.h"

bool tw__is_machine(const struct tw__request *);

/* Makes a platform of this machine, named TW__MACHINE_NAME. Its workers are the cores that this process may run on,
 * "CPU0", "CPU1" ..., and the accelerators in `emulated` or `found` (NULL: none), "GPU0", "GPU1" ... Emulated
 * accelerators take no core from the CPU workers. hwloc runs in a child process. If $HWLOC_XMLFILE or $HWLOC_SYNTHETIC
 * is set, the cores are those that the variable describes. `numa`: each NUMA node near cores is a main memory; else all
 * are one. */
int tw__machine_platform(struct tw__platform **, const struct tw__emulation *emulated, const struct tw__gpus *found,
                         bool numa, struct tw_error *err);

/* Makes the platform of this machine with its cores, and its GPUs or the emulated accelerators of the request. The
 * caller frees the platform. `numa`: as above. TW_INVALID: the machine has fewer GPUs than requested. */
int tw__machine_all(struct tw__platform **, const struct tw__request *, bool numa, struct tw_error *err);
/* Makes the platform of this machine with only the workers that the request selects. The caller frees the platform. */
int tw__machine_load(struct tw__platform **, const struct tw__request *, struct tw_error *err);

/* Finds the times of the graph's kernels on this machine. Measures them in a child process, which takes seconds;
 * kernels that this process has measured before keep their times. TW_INVALID: the workload has no real kernels.
 * With --learn nothing is measured: guessed times tell which archs can run each kernel. */
int tw__machine_models(struct tw__models **, const struct tw__request *, const struct tw__platform *,
                       const struct tw_graph *, struct tw_error *err);

/* --- machine_needs.c, for machine_times.c alone ------------------------------------------------------------------- */

/* Kernel times that a graph needs on this machine, in a text of lines
 *
 *  SIGNATURE|KERNEL,ARCH,CORES,SIZE,PRECISION,REST
 *
 * where REST is the end of a row of kernels.csv, or TW__NO_KERNEL. The signature identifies the workload's family, the
 * flops and the operand sizes. */

/* REST of a kernel that the arch cannot run: a GPU that lacks the kernel, or a group of cores and a sequential
 * kernel. */
#define TW__NO_KERNEL "no kernel"

enum { TW__MOST_KEY = 512 };

struct tw__needs {
	const struct tw__platform *platform;
	const struct tw_graph *graph;
	char (*signatures)[TW__DIGEST_TEXT]; /* [n_kernels]; "": no task runs the kernel */
};

/* Computes the signatures of the graph's kernels; the caller frees them. `family`: the workload's name without
 * parameters. */
void tw__needs_init(struct tw__needs *, const struct tw__platform *, const struct tw_graph *, const char *family);

/* Writes to `text` the first five fields of a row of kernels.csv for the kernel on the arch, with a comma behind
 * each. */
void tw__needs_fields(const struct tw__needs *, tw_arch, tw_kernel, char *text, size_t room);
/* Returns what follows `key` in the first line of `text` that begins with `key`; NULL: no line does. */
const char *tw__needs_line(const char *text, const char *key);
/* Returns the REST in the line of `text` for the kernel on the arch; NULL: there is no such line. */
const char *tw__needs_time(const struct tw__needs *, const char *text, tw_arch, tw_kernel);
/* Whether `text` has a line for each kernel and arch. */
bool tw__needs_are_known(const struct tw__needs *, const char *text);

/* Checks that each kernel can run on some worker, by the lines of `text`. TW_INVALID: a kernel cannot. */
int tw__needs_check_workers(const struct tw__needs *, const char *text, struct tw_error *err);
/* Makes kernel times from the lines of `text`; the caller frees them. */
int tw__needs_models(struct tw__models **, const struct tw__needs *, const char *text, struct tw_error *err);

#endif
