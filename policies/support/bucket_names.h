/* The names of Heteroprio's buckets (buckets.h), and what the parameters of a policy say of them.
 *
 * A bucket is named by its operation. With the parameter `sizes` it is named by operation and size, as the buckets of
 * TC and TC' in Bramas 2019, section "Multi-priorities": "the same operation but with data of small or large
 * granularity".
 * Parameters are lists such as "potrf+gemm@960", where @960 is a size. */
#ifndef TILEWRIGHT_BUCKET_NAMES_H
#define TILEWRIGHT_BUCKET_NAMES_H

#include "policies/support/learned_order.h"

struct tw_bucket_names {
	const struct tw_graph *graph;
	const char *policy; /* for error messages */
	bool by_size;
	int n_kernels;
	/* [kernels] number of the kernel's name, an index of [names]: the first kernel with the same name */
	int *of;
	/* [names] place of each name in the order that the user gave; INT_MAX: not in it. Index 0 of `rank` is for
	 * processors (parameter cpu), index 1 for accelerators (parameter gpu). */
	int *rank[2];
	/* [names] the type that is the fastest, by best_cpu and best_gpu; TW_N_UNITS: they do not say */
	enum tw_unit *best;
	double *speedup; /* [names] the speedup factor, by the parameter speedup; 0: it does not say */
};

/* Numbers the names, and reads the parameters. Without `rules` those of TW_BUCKETS_RULES are not read. TW_INVALID: the
 * parameters name what the graph does not have, or have wrong values. The struct has memory of the run. */
int tw_bucket_names_init(struct tw_bucket_names *, const struct tw_sched *, const char *policy, bool rules,
                         struct tw_error *err);

#endif
