/* Figures of results: the kinds there are, and what they share. */
#ifndef TW__PLOT_RESULTS_H
#define TW__PLOT_RESULTS_H

#include "experiment/facts.h"
#include "plot/chart.h"
#include "plot/plot.h"

/* One figure under way. */
struct tw__figure {
	const struct tw__figure_request *request;
	struct tw__rows rows; /* those that are drawn */
	struct tw__fact_book *book;
	FILE *script;
};

/* They write the script, terminal included. */
int tw__draw_lines(struct tw__figure *, struct tw_error *err);
int tw__draw_bars(struct tw__figure *, struct tw_error *err);
int tw__draw_cloud(struct tw__figure *, struct tw_error *err);
int tw__draw_best(struct tw__figure *, struct tw_error *err);
int tw__draw_validation(struct tw__figure *, struct tw_error *err);

/* Marks where the data of a row fit the memories of its GPUs together, and, of matmul2d, A and B, and B: by the working set, or, over
 * memory, by that of one GPU. What is marked already is not marked again. */
void tw__figure_mark(const struct tw__figure *, struct tw__chart *, double memory_bytes, double gpus,
                     const struct tw__facts *);

/* A warning if some values are not known: these rows are left out. */
void tw__figure_tell_unknown(const struct tw__figure *, const char *what, const double *values);

/* A column of numbers over all rows, in `values`; TW_INVALID if it is not there, or holds something else. Of what figures are of, a
 * warning tells the rows in which it is not known. */
int tw__figure_numbers(const struct tw__figure *, const char *column, double *values, struct tw_error *err);

/* The bound on performance, GFlop/s, that the longer of area and critical path gives; NAN where it is not known. */
int tw__figure_bounds(const struct tw__figure *, double *gflops, struct tw_error *err);

/* `what`, then what the rows have in common, " on mirage, 9 CPUs + 3 GPUs", and what the bars of repetitions are. */
void tw__figure_title(const struct tw__figure *, const char *what, char *title, size_t size, int most_repetitions);

#endif
