/* samples.csv, beside kernels.csv: measured executions, one a row, for --noise empirical.
 *
 * kernel,arch,cores,size,precision,us
 * with comments and blank lines as in kernels.csv. */
#ifndef TW__SAMPLES_H
#define TW__SAMPLES_H

#include "perf/rows.h"

extern const char tw__samples_header[]; /* the header line */

/* Gives the rows of kernels.csv their draws, and kernels without a row one with the mean and the deviation of their samples. Nothing if
 * there is no such file. TW_INVALID: the message has file and line. */
int tw__samples_read(struct tw__models *, struct tw_error *err);

#endif
