/* State of drawing maps of the order in which tiles were processed. */
#ifndef TW__PLOT_ORDER_H
#define TW__PLOT_ORDER_H

#include "experiment/tiles.h"
#include "plot/plot.h"
#include "plot/schedule.h"

struct tw__order {
	const struct tw__order_request *request;
	const char *workload;
	struct tw__tiles tiles;
	struct tw__schedule trace; /* empty if the order comes from a table */
	tw_task *started;          /* [n_started] sorted by start */
	tw_task n_started;
	int *worker_of;          /* [tasks] index in trace.workers; -1: unknown */
	int *rows, n_rows;       /* workers with their own row of maps; none: one row for all */
	int *columns, n_columns; /* iterations with a map */
	int per_colour, n_colours;
};

/* The colour of the i-th task started: from light to dark, with a new hue after each `per_colour` tasks. */
uint32_t tw__order_colour(const struct tw__order *, tw_task i);

/* Writes the script, with its terminal. */
int tw__order_draw(const struct tw__order *, FILE *script, struct tw_error *err);

#endif
