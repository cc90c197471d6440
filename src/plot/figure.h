/* A figure of results that is being made: what the kinds of figures share, and the function that draws each. */
#ifndef TW__PLOT_FIGURE_H
#define TW__PLOT_FIGURE_H

#include "plot/facets.h"
#include "plot/plot.h"
#include "results/facts.h"

/* A figure being made. */
struct tw__figure {
	const struct tw__figure_request *request;
	struct tw__rows rows; /* the rows to draw, chosen already, with the column of families */
	struct tw__fact_book *book;
	struct tw__arena arena; /* has the memory of the figure */
	FILE *script;
};

/* The kinds of figures: see struct tw__figure_kind. tw__draw_lines draws several. */
int tw__draw_lines(struct tw__figure *, struct tw_error *err);
int tw__draw_bars(struct tw__figure *, struct tw_error *err);
int tw__draw_cloud(struct tw__figure *, struct tw_error *err);
int tw__draw_best(struct tw__figure *, struct tw_error *err);
int tw__draw_validation(struct tw__figure *, struct tw_error *err);

/* Adds markers to the panel where a row's data fit the memories of its GPUs together. For matmul2d, others show where A
 * and B, and B alone, fit. Their position is on the axis of the working set, or of one GPU's memory. `memory_bytes`:
 * memory of all GPUs together. Skips duplicate markers. */
void tw__figure_mark(const struct tw__figure *, struct tw__panel *, double memory_bytes, double gpus,
                     const struct tw__facts *);

/* Warns about rows whose value is NAN: the figure leaves them out. `what` names the value. */
void tw__figure_tell_unknown(const struct tw__figure *, const char *what, const double *values);

/* Reads a numeric column of all rows into a new array of the figure; NAN for empty cells. TW_INVALID: the column is
 * missing, or a cell is no number. Warns about unknown values of gflops and transferred_bytes. */
int tw__figure_numbers(struct tw__figure *, const char *column, double **values, struct tw_error *err);

/* Finds each row's lower bound of the makespan in seconds, the larger of area bound and critical path; NAN: unknown. */
int tw__figure_bound_seconds(struct tw__figure *, double **seconds, struct tw_error *err);

/* Computes the upper bound of the performance in GFlop/s that follows from it; NAN: unknown. */
int tw__figure_bounds(struct tw__figure *, double **gflops, struct tw_error *err);

/* Labels the horizontal axis of a figure of lines, and chooses its unit. `x`: [rows] its values, between `least` and
 * `most`. */
void tw__figure_label_x(const struct tw__figure *, struct tw__chart *, const double *x, double least, double most);
/* Returns the column of the horizontal axis, if it is an input of the run; NULL: it is none. */
const char *tw__figure_input_of_x(const struct tw__figure *);
/* Leaves out columns whose values follow from the input that the horizontal axis shows, as the number of CPU workers
 * may follow from that of GPUs. Returns the number of columns left. */
int tw__figure_leave_out_told(const struct tw__figure *, int *columns, int n);

/* Adds curves to the chart, as tw__chart_add does. TW_INVALID also if they are no bounds, and no row has a value. */
int tw__figure_add(const struct tw__figure *, struct tw__chart *, const struct tw__series_input *,
                   struct tw_error *err);
/* Writes a chart whose curves are there. `what` begins its title. */
int tw__figure_print(const struct tw__figure *, struct tw__chart *, const char *what, struct tw_error *err);

/* Writes a figure's title, unless the user gives one: `what`, then the values that all rows share, as in " on mirage,
 * 9 CPUs + 3 GPUs", and a note on error bars. */
void tw__figure_title(const struct tw__figure *, const char *what, char *title, size_t size, int most_repetitions);

#endif
