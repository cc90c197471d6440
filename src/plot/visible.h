/* Reduces a schedule to what is visible in a figure: see tw__plot_gantt. */
#ifndef TW__VISIBLE_H
#define TW__VISIBLE_H

#include "plot/schedule.h"

enum { TW__COLUMNS = 2000 }; /* of the time axis; about two per pixel */

/* Merges boxes in place for an axis of so many columns. Afterwards boxes are sorted by worker and start. Can be
 * repeated with fewer columns. False: out of memory. */
bool tw__visible_boxes(struct tw__schedule *, int columns);

/* For each of `n` counters and each column, keeps the last sample and the extremes, in place. Afterwards samples are
 * sorted by counter and date. False: out of memory. */
bool tw__visible_samples(const struct tw__schedule *, struct tw__samples *, int n, int columns);

/* Replaces the samples of each counter by its means over each column, sorted as above. False: out of memory. */
bool tw__visible_means(const struct tw__schedule *, struct tw__samples *, int n, int columns);

#endif
