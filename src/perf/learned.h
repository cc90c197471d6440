/* Kernel times that are learned while a graph runs: history models (Augonnet 2011, 3.4.4, 3.5.1). For each kernel,
 * size, precision and arch, policies believe the mean of all executions so far. As in StarPU, a kernel must be tried
 * on each arch first: until it has run often enough there, its believed time is close to 0. */
#ifndef TW__LEARNED_H
#define TW__LEARNED_H

#include <stdio.h>

#include "perf/models.h"

struct tw__learned;

/* Reads histories from `path`, a file like kernels.csv, which may be missing. `times` only says which kernels can run
 * where; its durations are not used. Platform and graph must outlive the histories. TW_INVALID: the file is damaged. */
int tw__learned_create(struct tw__learned **, const char *path, const struct tw__times *times,
                       const struct tw_platform *, const struct tw_graph *, struct tw_error *err);
void tw__learned_destroy(struct tw__learned *);

/* Replaces the beliefs by the learned times. The beliefs become invalid when the histories are destroyed. */
void tw__learned_believe(struct tw__learned *, struct tw__times *belief);

/* Adds an execution that has ended: compares it with the belief, and updates the history. */
void tw__learned_add(struct tw__learned *, tw_kernel, tw_arch, double seconds);

struct tw__predictions {
	int64_t n;    /* executions of kernels that had been tried often enough */
	double error; /* mean of |believed / taken - 1|; NAN if n is 0 */
};
struct tw__predictions tw__learned_predictions(const struct tw__learned *);

/* Writes the file: header and rows, including those for other graphs. */
void tw__learned_write(const struct tw__learned *, FILE *);

#endif
