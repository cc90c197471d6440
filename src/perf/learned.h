/* Kernel times that are learned while a graph runs: history models (Augonnet 2011, 3.4.4, 3.5.1). For each kernel,
 * size, precision and arch, policies believe the mean time of all executions so far. As in StarPU, each arch must try a
 * kernel first. Until the kernel has run often enough on an arch, its believed time on that arch is close to 0. */
#ifndef TW__LEARNED_H
#define TW__LEARNED_H

#include <stdio.h>

#include "perf/models.h"

struct tw__learned;

/* Reads the histories of earlier runs from the file `path`, which looks like kernels.csv; it need not exist. `times`
 * only says which kernels can run on which archs; its durations are not used. Platform and graph must outlive the
 * histories. TW_INVALID: the file is damaged. */
int tw__learned_create(struct tw__learned **, const char *path, const struct tw__times *times,
                       const struct tw__platform *, const struct tw_graph *, struct tw_error *err);
void tw__learned_destroy(struct tw__learned *);

/* Replaces the times in `belief` by the learned times. `belief` becomes invalid when the histories are destroyed. */
void tw__learned_believe(struct tw__learned *, struct tw__times *belief);

/* Adds an execution that has ended: compares its seconds with the belief, and updates the kernel's history. */
void tw__learned_add(struct tw__learned *, tw_kernel, tw_arch, double seconds);

struct tw__predictions {
	int64_t n;    /* number of predictions: executions of kernels that had run often enough before */
	double error; /* mean of |believed / taken seconds - 1| over these predictions; NAN if n is 0 */
};
struct tw__predictions tw__learned_predictions(const struct tw__learned *);

/* Writes the histories to a file for later runs: header and rows, including the rows read that other graphs need. */
void tw__learned_write(const struct tw__learned *, FILE *);

#endif
