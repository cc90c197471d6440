/* Tables of a platform. */
#ifndef TW__SHOW_H
#define TW__SHOW_H

#include <stdio.h>

#include "perf/models.h"

/* Finds the platform and prints it on stdout; also draws it if `picture` is not NULL. Returns the exit status. */
int show_platform(const char *name, const char *picture);

/* Prints a row for each kernel, precision and set of archs, with the sizes that have times. */
int print_kernel_times(FILE *, const struct tw__models *, struct tw_error *err);

#endif
