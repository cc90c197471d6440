/* A map of the order in which tiles were processed, under way. */
#ifndef TW__PLOT_ORDER_H
#define TW__PLOT_ORDER_H

#include "experiment/tiles.h"
#include "plot/plot.h"
#include "plot/schedule.h"

struct tw__order {
	const struct tw__order_request *request;
	const char *workload;
	struct tw__tiles tiles;
	struct tw__schedule trace; /* without executions; of a schedule in a table, empty */
	tw_task *started;          /* [n_started] in the order of their starts */
	tw_task n_started;
	int *worker_of;          /* [tasks] in trace.workers; -1: not known */
	int *rows, n_rows;       /* workers that have a row of maps; none: all of them together */
	int *columns, n_columns; /* iterations that have a map */
	int per_colour, n_colours;
};

/* The colour of the i-th task that started: light to dark, and of another hue for each `per_colour` tasks. */
uint32_t tw__order_colour(const struct tw__order *, tw_task i);

/* Writes the script, terminal included. */
int tw__order_draw(const struct tw__order *, FILE *script, struct tw_error *err);

#endif
