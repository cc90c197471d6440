/* Small multiples: a figure as several panels, one for each value of a column of its rows. */
#ifndef TW__FACETS_H
#define TW__FACETS_H

#include "plot/chart.h"
#include "results/points.h"

/* A figure with more lines gets panels, if a column distinguishes them; docs/reference/plots.md says which. */
enum { TW__MANY_LINES = 8 };

struct tw__facets {
	int column; /* the column of the panels; -1: there is one panel */
	int n;      /* number of panels */
	int *panel; /* [rows] the panel of each row; -1: none, as no row with its value is drawn */
	/* Columns with one value in each panel, and the panels' own: they do not distinguish lines. */
	int told[TW__MAX_POINT_COLUMNS + 1], n_told;
};

/* Chooses the panels of a chart with these lines, and sets in->facets. `request`: the column's name or the option that
 * sets the column, "none" for one panel, or NULL for the default. `not_column`: the column of the horizontal axis, or
 * -1. TW_INVALID: no column of results is called that, or it cannot make panels. The chart's arena has the memory. */
int tw__facets_init(struct tw__facets *, struct tw__chart *, struct tw__series_input *in, const char *request,
                    int not_column, struct tw_error *err);
/* Whether panels tell the values of a column, so that lines need not. */
bool tw__facets_tell(const struct tw__facets *, int column);

/* Finds the column that splits lines best, or -1. Lines of one policy differ in it, and it has at most TW__MAX_PANELS
 * values. Its fullest panel has the fewest lines, but two at least; of equals, the first column counts. Rows agree in
 * all columns if they belong to one line. `drawn`: [rows] whether a row counts; NULL: all do. `*most`: receives the
 * number of lines in the fullest panel. Returns the number of all lines. */
int tw__facets_best(const struct tw__rows *, const int *columns, int n_columns, const bool *drawn, int *column,
                    int *most);

/* Adds the column of families to the rows: their workloads without sizes, as in "cholesky:nb=960" for
 * "cholesky:nt=20:nb=960". Where it stands for the workload, one line has all sizes. `size`: the parameter that is the
 * size; NULL: nt, or without nt all numbers. */
#define TW__FAMILY "(family)"
void tw__families_add(struct tw__rows *, const char *size);
/* Whether a column has workloads, or families of them. */
bool tw__is_workload(const char *column);
/* As tw__point_columns_of, but the column of families stands for the column `workload`. */
int tw__family_columns(const struct tw__rows *, const char *const *without, int *columns);

/* Returns the number of distinct combinations of values that the rows have in these columns. */
int tw__rows_count(const struct tw__rows *, const int *columns, int n_columns);

#endif
