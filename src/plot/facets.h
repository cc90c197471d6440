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
	int told[TW__MAX_POINT_COLUMNS], n_told;
	char titles[TW__MAX_PANELS][TW__CHART_LABEL];
};

/* Chooses the panels of a figure with these lines, and sets in->facets. `request`: the column's name or the option that
 * sets the column, "none" for one panel, or NULL for the default. `not_column`: the column of the horizontal axis, or
 * -1. TW_INVALID: no column of results is called that, or it cannot make panels. The caller finishes the facets, also
 * after errors. */
int tw__facets_init(struct tw__facets *, struct tw__series_input *in, const char *request, int not_column,
                    struct tw_error *err);
void tw__facets_finish(struct tw__facets *);
/* Whether panels tell the values of a column, so that lines need not. */
bool tw__facets_tell(const struct tw__facets *, int column);

/* Finds the column that splits lines best, or -1. Lines of one policy differ in it, and it has at most TW__MAX_PANELS
 * values. Its fullest panel has the fewest lines, but two at least; of equals, the first column counts. Rows agree in
 * all columns if they belong to one line. `drawn`: [rows] whether a row counts; NULL: all do. `*most`: receives the
 * number of lines in the fullest panel. Returns the number of all lines, or TW_NOMEM. */
int tw__facets_best(const struct tw__rows *, const int *columns, int n_columns, const bool *drawn, int *column,
                    int *most, struct tw_error *err);

/* Rows of results with an additional column: the workload without its sizes (see tw__workload_family). The texts of all
 * other cells are shared with the original rows. */
struct tw__families {
	struct tw__rows rows;
	int column;
	char **names; /* [rows] the texts of that column */
};
/* `size`: see tw__workload_family. */
int tw__families_init(struct tw__families *, const struct tw__rows *, const char *size, struct tw_error *err);
void tw__families_finish(struct tw__families *);

/* Finds the columns whose values identify one curve of a figure over the working set, and returns their number. The
 * column of families stands for the column `workload`. `without`: see tw__point_columns_of. */
int tw__family_columns(const struct tw__families *, const char *const *without, int *columns);

/* Returns the number of distinct combinations of values that the rows have in these columns; or TW_NOMEM. */
int tw__rows_count(const struct tw__rows *, const int *columns, int n_columns, struct tw_error *err);

#endif
