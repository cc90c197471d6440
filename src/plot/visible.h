/* What of a schedule can be seen in a figure: see tw__plot_gantt. */
#ifndef TW__VISIBLE_H
#define TW__VISIBLE_H

#include "plot/schedule.h"

enum { TW__COLUMNS = 2000 }; /* of the time axis; about two a pixel */

/* Merges the schedule's boxes in place, for an axis of so many columns; they are sorted by worker and start afterwards. Can
 * be done again, for fewer columns. False: out of memory. */
bool tw__visible_boxes(struct tw__schedule *, int columns);

/* Keeps, for each of `n` counters and each column, the last sample and the extremes, in place; they are sorted by counter and
 * date afterwards. False: out of memory. */
bool tw__visible_samples(const struct tw__schedule *, struct tw__samples *, int n, int columns);

/* Instead of the samples of each counter, its means in each column, sorted as above. False: out of memory. */
bool tw__visible_means(const struct tw__schedule *, struct tw__samples *, int n, int columns);

#endif
