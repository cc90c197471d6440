/* Reads samples.csv, a file beside kernels.csv: measured executions, one per row, for --noise empirical.
 *
 * kernel,arch,cores,size,precision,us
 * Comments and blank lines are as in kernels.csv. */
#ifndef TW__SAMPLES_H
#define TW__SAMPLES_H

#include "perf/rows.h"

extern const char tw__samples_header[]; /* the header line of samples.csv */

/* Attaches the samples to the rows of kernels.csv. A kernel without a row gets one, with the mean and the deviation of
 * the kernel's samples. Does nothing if samples.csv is missing. TW_INVALID: the message has file and line. */
int tw__samples_read(struct tw__models *, struct tw_error *err);

#endif
