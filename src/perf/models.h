/* Kernel times: what was measured (kernels.csv), and the table that one run needs.
 *
 * kernels.csv: kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note
 * with '#' comment lines and blank lines allowed, the header line required, `note` free text (may be quoted). */
#ifndef TW__MODELS_H
#define TW__MODELS_H

#include "graph/graph.h"
#include "platform/platform.h"

struct tw__models; /* the rows of one kernels.csv */

int tw__models_read(struct tw__models **, const char *path, struct tw_error *err);
void tw__models_destroy(struct tw__models *);

/* Execution times of one graph's kernels on one platform's archs. Seconds; NAN: cannot run there. */
struct tw__times {
	int n_kernels, n_archs;
	double *mean;   /* [kernel * n_archs + arch] */
	double *stddev; /* same */
};

/* The times of "lu.gemm" are those of the rows "lu.gemm", or, if there are none of that size and precision, of the
 * rows "gemm". TW_INVALID if a kernel of the graph has a time on no arch that has a worker: the message names kernel, size and
 * precision, and the sizes that have times. */
int tw__times_bind(struct tw__times *, const struct tw__models *, const struct tw_platform *, const struct tw_graph *,
                   struct tw_error *err);
void tw__times_finish(struct tw__times *);

static inline double tw__time_of(const struct tw__times *t, tw_kernel k, tw_arch a)
{
	return t->mean[k * t->n_archs + a];
}

#endif
