/* The rows of a Gantt chart. Most rows have one worker. Workers of one kind that did nothing share a row, and so do all
 * workers of a kind that is folded. */
#ifndef TW__GANTT_ROWS_H
#define TW__GANTT_ROWS_H

#include "plot/plot.h"
#include "plot/worker_words.h"
#include "trace/schedule.h"

enum { TW__ROW_LABEL = TW__KIND_BYTES + 40 };

struct tw__gantt_row {
	char label[TW__ROW_LABEL];
	int n_workers;
	int band;       /* number of the row among those of several workers (gantt_bands.h); TW_NONE: one worker */
	int y, units;   /* lowest unit of height, counted from below, and number of units; a worker's row has one */
	double busy_ns; /* time in kernels of all its workers */
};

struct tw__gantt_rows {
	struct tw__gantt_row *list; /* [n] from top to bottom */
	int n, n_bands;
	int units; /* sum of all rows' units */
	int *of;   /* [workers] row of each worker; TW_NONE: it is not shown */
	int n_shown;
	double *busy_ns; /* [workers] time in kernels, also of those that are not shown */
};

/* Makes the rows for the workers that the view chooses. TW_INVALID: the view names a worker or kind that the schedule
 * lacks. The caller finishes the rows in any case. */
int tw__gantt_rows_init(struct tw__gantt_rows *, const struct tw__schedule *, const struct tw__gantt_view *,
                        const char *trace, struct tw_error *err);
void tw__gantt_rows_finish(struct tw__gantt_rows *);

/* Returns the y of the row's centre, in units. It is a whole number, because rows have one unit or three. */
static inline int tw__row_centre(const struct tw__gantt_row *row) { return row->y + (row->units - 1) / 2; }

#endif
