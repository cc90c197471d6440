/* The state of a report page that is being written, and the sections of the page. */
#ifndef TW__REPORT_PARTS_H
#define TW__REPORT_PARTS_H

#include <stdio.h>

#include "plot/facets.h"
#include "plot/chart.h"
#include "report/report.h"
#include "results/points.h"

struct tw__page {
	struct tw__arena arena; /* has the memory of the page */
	FILE *f;
	FILE *style; /* CSS rules for the tables of this page, in memory */
	const struct tw__report_request *request;
	struct tw__rows all;  /* rows that --where keeps, in the order of the file */
	struct tw__rows good; /* rows of `all` of successful runs, without duplicates */
	int *number;          /* [all.n_rows] number of each row in the file, from 1 */
	int n_figures, n_schedules, left_out;
};

/* Reads the rows of the request's file, and chooses those that count. TW_INVALID: there is none, or a number is wrong.
 * The caller closes the page in any case. */
int tw__page_open(struct tw__page *, struct tw_error *err);
void tw__page_close(struct tw__page *);

/* Writes a section of the page, or nothing if the section would be empty; so do the functions below. */
void tw__report_overview(struct tw__page *);
void tw__report_failures(struct tw__page *);
void tw__report_figures(struct tw__page *);
int tw__report_schedules(struct tw__page *, struct tw_error *err);
/* Whether the page has means of repetitions. Rows of validate-model are means already, so the page has none. */
bool tw__report_has_means(const struct tw__page *);
int tw__report_means(struct tw__page *, struct tw_error *err);
void tw__report_rows(struct tw__page *);

/* Writes a schedule from a trace: a figure that the page's script draws, and a table of its workers. `row`: the run's
 * row in page->all. `why`: why the run was chosen; may be "". */
int tw__report_schedule(struct tw__page *, int row, const char *why, const char *trace, struct tw_error *err);

/* Writes the name of a row of page->all to `text`, as in "row 17 (cholesky:nt=20, dmdas)", and returns it. The name is
 * not escaped for HTML. */
const char *tw__report_row_name(const struct tw__page *, int row, char *text, size_t size);

/* Creates an empty temporary file, and writes its path to `path`. Returns its descriptor, or TW_FAILED. The caller
 * closes and unlinks the file. */
enum { TW__TEMPORARY_PATH = 4096 };
int tw__report_temporary(char path[TW__TEMPORARY_PATH], const char *ending, struct tw_error *err);

/* Whether all rows have the same value in the column. */
bool tw__column_is_constant(const struct tw__rows *, int column);
/* Whether all values of the column are numbers or empty, and at least one is a number. False for the column
 * `identity`. */
bool tw__column_is_numeric(const struct tw__rows *, int column);

enum { TW__MOST_LINES = 12, TW__MANY_CONFIGURATIONS = 8, TW__MAX_SPLITS = 16 };

/* A split of rows into parts: by platform, then by one column after the other, until no part has a panel with more than
 * TW__MOST_LINES lines. Eviction policies count only where rows of one policy differ in them. Many configurations of
 * CPU workers share one figure: then rows are split only by platform. */
struct tw__split {
	const struct tw__rows *all; /* with the column of families */
	int n, *part;               /* n parts; part: [rows] number of each row's part, from 0 */
	int by[TW__MAX_SPLITS], n_by;
	struct tw__rows rows; /* the rows of the part that tw__split_choose chose */
};
/* Splits the rows. `over_memory`: for figures in which a line covers all sizes of GPU memory. */
void tw__split_init(struct tw__split *, const struct tw__rows *, bool over_memory);
void tw__split_finish(struct tw__split *);

/* Sets split->rows to the rows of part i. `name`: the values by which the part was split off, as in ": mirage, 2
 * GPUs". */
void tw__split_choose(struct tw__split *, int i, char *name, size_t size);

/* Moves the rows of the workload with most tasks to the front; returns their number. */
int tw__largest_first(struct tw__rows *);

/* Copies an SVG file into the page. Only elements and attributes that draw are copied: no scripts, style sheets or
 * external references. Ids get the prefix, as figures of one page must not share ids. `label`: description for readers
 * who do not see the figure. `tips`: the texts of its points. TW_FAILED: the SVG is invalid; nothing was copied. */
int tw__svg_inline(FILE *page, FILE *svg, const char *prefix, const char *label, const struct tw__tips *tips,
                   struct tw_error *err);

#endif
