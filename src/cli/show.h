/* Prints tables of a platform. */
#ifndef TW__SHOW_H
#define TW__SHOW_H

#include <stdio.h>

#include "perf/models.h"

/* Finds the platform `name` and prints its tables on stdout. Also draws its memories and links to the file `picture`,
 * unless that is NULL. Returns the exit status. */
int show_platform(const char *name, const char *picture);

/* Prints a row for each kernel, precision and set of archs, with the sizes for which these archs have times. */
int print_kernel_times(FILE *, const struct tw__models *, struct tw_error *err);

#endif
