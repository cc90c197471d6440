/* Data of the figure "order", which maps the order in which tiles were processed. */
#ifndef TW__PLOT_ORDER_H
#define TW__PLOT_ORDER_H

#include "base/memory.h"
#include "experiment/past.h"
#include "plot/plot.h"
#include "trace/schedule.h"
#include "results/tiles.h"

struct tw__order {
	struct tw__arena arena; /* has the memory of this struct's arrays */
	const struct tw__trace_request *request;
	const char *workload;
	struct tw__tiles tiles;
	struct tw__past past;
	struct tw__schedule trace; /* of the past run; empty if the order comes from a table (.csv) */
	tw_task *started;          /* [n_started] tasks, sorted by start */
	tw_task n_started;
	int *worker_of;          /* [tasks] index in trace.workers of the task's worker; -1: unknown */
	int *rows, n_rows;       /* workers with a row of maps each; n_rows 0: one row for all workers */
	int *columns, n_columns; /* iterations with a map each */
	int per_colour, n_colours;
};

/* Writes the gnuplot script of a figure, a struct tw__order, with its terminal. */
int tw__order_draw(void *order, FILE *script, struct tw_error *err);

#endif
