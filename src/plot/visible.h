/* Reduces a schedule to what is visible in a Gantt chart: see tw__plot_gantt. */
#ifndef TW__VISIBLE_H
#define TW__VISIBLE_H

#include "trace/schedule.h"

/* Columns of the time axis. */
enum {
	TW__COLUMNS = 2000,         /* of a picture: about two per pixel */
	TW__MANY_COLUMNS = 1 << 18, /* of a chart that users zoom; halved until the chart has few enough values */
	TW__ALL_COLUMNS = 1 << 30   /* so many that practically nothing is merged */
};

/* Merges the schedule's boxes in place, for a time axis of so many columns. Afterwards boxes are sorted by worker and
 * start. Can be repeated with fewer columns. */
void tw__visible_boxes(struct tw__schedule *, int columns);

/* Keeps the last sample and the extremes of each counter in each column, in place. */
void tw__visible_samples(const struct tw__schedule *, struct tw__samples *, int columns);

/* Replaces the samples of each counter by its means over each column. */
void tw__visible_means(const struct tw__schedule *, struct tw__samples *, int columns);

#endif
