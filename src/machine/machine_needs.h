/* Kernel times that a graph needs on this machine, in a text of lines
 *
 *  SIGNATURE|KERNEL,ARCH,CORES,SIZE,PRECISION,REST
 *
 * where REST is the end of a row of kernels.csv, or TW__NO_KERNEL. The signature identifies the workload's family, the
 * flops and the operand sizes. */
#ifndef TW__MACHINE_NEEDS_H
#define TW__MACHINE_NEEDS_H

#include "perf/models.h"
#include "request/digest.h"

/* REST of a kernel that the arch cannot run: a GPU that lacks the kernel, or a group of cores and a sequential
 * kernel. */
#define TW__NO_KERNEL "no kernel"

enum { TW__MOST_KEY = 512 };

struct tw__needs {
	const struct tw_platform *platform;
	const struct tw_graph *graph;
	char (*signatures)[TW__DIGEST_TEXT]; /* [n_kernels]; "": no task runs the kernel */
};

/* Computes the signatures of the graph's kernels; the caller frees them. `family`: the workload's name without
 * parameters. TW_NOMEM: out of memory. */
int tw__needs_init(struct tw__needs *, const struct tw_platform *, const struct tw_graph *, const char *family,
                   struct tw_error *err);

/* Writes to `text` the first five fields of a row of kernels.csv for the kernel on the arch, with a comma behind
 * each. */
void tw__needs_fields(const struct tw__needs *, tw_arch, tw_kernel, char *text, size_t room);
/* Returns what follows `key` in the first line of `text` that begins with `key`; NULL: no line does. */
const char *tw__needs_line(const char *text, const char *key);
/* Returns the REST in the line of `text` for the kernel on the arch; NULL: there is no such line. */
const char *tw__needs_time(const struct tw__needs *, const char *text, tw_arch, tw_kernel);
/* Whether `rest`, as tw__needs_time returns it, has a time. False for NULL and TW__NO_KERNEL. */
bool tw__needs_is_time(const char *rest);
/* Whether `text` has a line for each kernel and arch. */
bool tw__needs_are_known(const struct tw__needs *, const char *text);

/* Checks that each kernel can run on some worker, by the lines of `text`. TW_INVALID: a kernel cannot. */
int tw__needs_check_workers(const struct tw__needs *, const char *text, struct tw_error *err);
/* Makes kernel times from the lines of `text`; the caller frees them. */
int tw__needs_models(struct tw__models **, const struct tw__needs *, const char *text, struct tw_error *err);

#endif
