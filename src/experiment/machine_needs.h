/* Kernel times that a graph needs on this machine, in a text of lines
 *
 *  SIGNATURE|KERNEL,ARCH,CORES,SIZE,PRECISION,REST
 *
 * where REST is the end of a row of kernels.csv, or TW__NO_KERNEL. The signature identifies the workload's family, the
 * flops and the operand sizes. */
#ifndef TW__MACHINE_NEEDS_H
#define TW__MACHINE_NEEDS_H

#include "experiment/digest.h"
#include "perf/models.h"

/* The arch cannot run the kernel: a GPU without it, or a group of cores and a sequential kernel. */
#define TW__NO_KERNEL "no kernel"

enum { TW__MOST_KEY = 512 };

struct tw__needs {
	const struct tw_platform *platform;
	const struct tw_graph *graph;
	char (*signatures)[TW__DIGEST_TEXT]; /* [kernels] "": no task runs it */
};

/* `family`: the workload's name alone. The caller frees the signatures. TW_NOMEM. */
int tw__needs_init(struct tw__needs *, const struct tw_platform *, const struct tw_graph *, const char *family,
                   struct tw_error *err);

/* The first five fields of a row of kernels.csv, with a comma behind each. */
void tw__needs_fields(const struct tw__needs *, tw_arch, tw_kernel, char *text, size_t room);
/* The rest of the line that begins with `key`; NULL: there is none. */
const char *tw__needs_line(const char *text, const char *key);
/* The REST for a kernel on an arch; NULL: there is none. */
const char *tw__needs_time(const struct tw__needs *, const char *text, tw_arch, tw_kernel);
/* Whether `rest` is a time, not TW__NO_KERNEL. `rest` may be NULL. */
bool tw__needs_is_time(const char *rest);
bool tw__needs_are_known(const struct tw__needs *, const char *text); /* for all kernels and archs */

/* TW_INVALID: no worker can run some kernel, according to the text. */
int tw__needs_check_workers(const struct tw__needs *, const char *text, struct tw_error *err);
/* The text as models, which the caller frees. */
int tw__needs_models(struct tw__models **, const struct tw__needs *, const char *text, struct tw_error *err);

#endif
