/* Prints tables of a platform. */
#ifndef TW__SHOW_H
#define TW__SHOW_H

#include <stdio.h>

#include "perf/models.h"

/* Finds the platform `name` and prints its tables on stdout. Also draws its memories and links to the file `picture`,
 * unless that is NULL. Returns the exit status. */
int show_platform(const char *name, const char *picture);

/* Prints a row for each kernel, precision and set of archs, with the sizes for which these archs have times. Then the
 * sources of the times and the cautions, with the kernels of each. */
void print_kernel_times(FILE *, const struct tw__models *);

/* Prints where the numbers of links come from, with the links of each source. Prints nothing if no link says it. */
void print_link_origins(FILE *, const struct tw__platform *);

/* Prints the nodes of a cluster by their platforms, and the links and routes of its network. */
void print_cluster(FILE *, const struct tw__platform *);

/* Reads the kernel times of a platform. *models: NULL if there is no such file. */
int read_kernel_times(struct tw__models **, const char *kernels_path, const struct tw__platform *,
                      struct tw_error *err);

/* Writes how many kernels have measured times, extrapolated ones and so on, as in "8 measured, 1 extrapolated"; "none".
 * `models` may be NULL. malloc'ed. */
char *summary_of_times(const struct tw__models *);

#endif
