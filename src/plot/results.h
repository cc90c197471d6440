/* Figures of results: all kinds, and what they share. */
#ifndef TW__PLOT_RESULTS_H
#define TW__PLOT_RESULTS_H

#include "experiment/facts.h"
#include "plot/chart.h"
#include "plot/plot.h"

/* A figure being made. */
struct tw__figure {
	const struct tw__figure_request *request;
	struct tw__rows rows; /* rows to draw */
	struct tw__fact_book *book;
	FILE *script;
};

/* They write the script, with its terminal. */
int tw__draw_lines(struct tw__figure *, struct tw_error *err);
int tw__draw_bars(struct tw__figure *, struct tw_error *err);
int tw__draw_cloud(struct tw__figure *, struct tw_error *err);
int tw__draw_best(struct tw__figure *, struct tw_error *err);
int tw__draw_validation(struct tw__figure *, struct tw_error *err);

/* Marks where a row's data fit the memories of its GPUs together; for matmul2d also where A and B, and B alone, fit.
 * The position is on the axis of the working set, or of one GPU's memory. Duplicate marks are skipped. */
void tw__figure_mark(const struct tw__figure *, struct tw__chart *, double memory_bytes, double gpus,
                     const struct tw__facts *);

/* Warns about rows with unknown values, which are left out. */
void tw__figure_tell_unknown(const struct tw__figure *, const char *what, const double *values);

/* Values of a numeric column in all rows. TW_INVALID: the column is missing, or a cell is no number. Warns about
 * unknown values of gflops and transferred_bytes. */
int tw__figure_numbers(const struct tw__figure *, const char *column, double *values, struct tw_error *err);

/* Upper bound of the performance in GFlop/s: from the larger of area and critical path. NAN if unknown. */
int tw__figure_bounds(const struct tw__figure *, double *gflops, struct tw_error *err);

/* `what`, then the common values of all rows, " on mirage, 9 CPUs + 3 GPUs", and a note on error bars. */
void tw__figure_title(const struct tw__figure *, const char *what, char *title, size_t size, int most_repetitions);

#endif
