/* samples.csv, beside kernels.csv: measured executions, one per row, for --noise empirical.
 *
 * kernel,arch,cores,size,precision,us
 * Comments and blank lines are as in kernels.csv. */
#ifndef TW__SAMPLES_H
#define TW__SAMPLES_H

#include "perf/rows.h"

extern const char tw__samples_header[]; /* the header line */

/* Attaches the samples to the rows of kernels.csv. Kernels without a row get one with the mean and the deviation of
 * their samples. Does nothing if the file is missing. TW_INVALID: the message has file and line. */
int tw__samples_read(struct tw__models *, struct tw_error *err);

#endif
