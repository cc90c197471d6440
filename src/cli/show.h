/* What a platform is made of, for people. */
#ifndef TW__SHOW_H
#define TW__SHOW_H

#include <stdio.h>

#include "perf/models.h"

/* Finds the platform and prints it on stdout; if `picture` is not NULL, draws it there too. Returns the exit status. */
int show_platform(const char *name, const char *picture);

/* What has kernel times: one line for each kernel, precision and set of archs, with the sizes. */
int print_kernel_times(FILE *, const struct tw__models *, struct tw_error *err);

#endif
