/* Measures kernel times of this machine, for a graph that is about to run on it. */
#ifndef TW__MEASURE_H
#define TW__MEASURE_H

#include <stdio.h>

#include "engine/real/config.h"

/* Runs each kernel of the graph, on its real data, on the workers of each arch, and appends rows in the format of
 * kernels.csv. Stops after `limit_s` seconds, but not before each kernel has run once. Kernels that cannot be split get
 * no row for groups of cores. Kernels that no task runs get no row. */
int tw__real_measure(FILE *, const struct tw_platform *, const struct tw_graph *, const struct tw__real_config *,
                     uint64_t seed, double limit_s, struct tw_error *err);

#endif
