/* Kernel times that are learnt while a graph runs: history models (Augonnet 2011, 3.4.4, 3.5.1). For each kernel, size and precision, and each
 * arch, the mean of all executions so far is what policies believe. As in StarPU, a kernel that was not tried often enough on an arch is tried
 * there first: until then it is believed to take next to no time. */
#ifndef TW__LEARNED_H
#define TW__LEARNED_H

#include <stdio.h>

#include "perf/models.h"

struct tw__learned;

/* What `path`, a file like kernels.csv, has already; it need not be there. `times`: which kernels run where; what it says of their durations is
 * not used. Platform and graph outlive it. TW_INVALID: the file is damaged. */
int tw__learned_create(struct tw__learned **, const char *path, const struct tw__times *times,
                       const struct tw_platform *, const struct tw_graph *, struct tw_error *err);
void tw__learned_destroy(struct tw__learned *);

/* From now on these are the times that are learnt. They end with it. */
void tw__learned_believe(struct tw__learned *, struct tw__times *belief);

/* An execution has ended: it is compared with what was believed, and becomes a part of that. */
void tw__learned_add(struct tw__learned *, tw_kernel, tw_arch, double seconds);

struct tw__predictions {
	int64_t n;    /* executions of kernels that had been tried often enough */
	double error; /* mean of |believed / taken - 1|; NAN: n is 0 */
};
struct tw__predictions tw__learned_predictions(const struct tw__learned *);

/* The rows of the file, other graphs' included, with its header. */
void tw__learned_write(const struct tw__learned *, FILE *);

#endif
