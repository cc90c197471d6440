/* Kernel times that a graph needs on this machine, found in a text of lines
 *
 *   SIGNATURE|KERNEL,ARCH,CORES,SIZE,PRECISION,REST
 *
 * where REST is the end of a row of kernels.csv, or TW__NO_KERNEL. A time belongs to a kernel of one family with operands of certain sizes, on
 * one arch. */
#ifndef TW__MACHINE_NEEDS_H
#define TW__MACHINE_NEEDS_H

#include "experiment/digest.h"
#include "perf/models.h"

/* The arch is a GPU that has no such kernel, or a group of cores, and the kernel computes in one part. */
#define TW__NO_KERNEL "no kernel"

enum { TW__MOST_KEY = 512 };

struct tw__needs {
	const struct tw_platform *platform;
	const struct tw_graph *graph;
	char (*signatures)[TW__DIGEST_TEXT]; /* [kernels] "": no task runs it */
};

/* `family`: the workload's name alone. The signatures are the caller's to free. TW_NOMEM. */
int tw__needs_init(struct tw__needs *, const struct tw_platform *, const struct tw_graph *, const char *family,
                   struct tw_error *err);

/* The first five fields of a row of kernels.csv, and the comma. */
void tw__needs_fields(const struct tw__needs *, tw_arch, tw_kernel, char *text, size_t room);
/* What follows the key in the line that begins with it; NULL: there is no such line. */
const char *tw__needs_line(const char *text, const char *key);
/* What the text says of a kernel on an arch; NULL: nothing. */
const char *tw__needs_time(const struct tw__needs *, const char *text, tw_arch, tw_kernel);
/* Whether that is a time, and not TW__NO_KERNEL. */
bool tw__needs_is_time(const char *rest);
bool tw__needs_are_known(const struct tw__needs *, const char *text); /* all of them */

/* TW_INVALID: the text has a kernel that no worker can run. */
int tw__needs_check_workers(const struct tw__needs *, const char *text, struct tw_error *err);
/* The text as models, the caller's. */
int tw__needs_models(struct tw__models **, const struct tw__needs *, const char *text, struct tw_error *err);

#endif
