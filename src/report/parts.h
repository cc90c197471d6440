/* State of a page being written, and its parts. */
#ifndef TW__REPORT_PARTS_H
#define TW__REPORT_PARTS_H

#include "experiment/points.h"
#include "report/report.h"

struct tw__page {
	FILE *f;
	FILE *style; /* CSS rules for the tables of this page */
	const struct tw__report_request *request;
	struct tw__rows all;  /* in the order of the file, without rows that --where excludes */
	struct tw__rows good; /* successful runs of these, without duplicates; it owns its cells and lines */
	int *number;          /* [all.n_rows] number of the row in the file, from 1 */
	int n_figures, n_schedules, left_out;
};

/* Each writes a section, or nothing if it would be empty. */
int tw__report_overview(struct tw__page *, struct tw_error *err);
int tw__report_failures(struct tw__page *, struct tw_error *err);
int tw__report_figures(struct tw__page *, struct tw_error *err);
int tw__report_schedules(struct tw__page *, struct tw_error *err);
/* False for rows of validate-model, which are means already. */
bool tw__report_has_means(const struct tw__page *);
int tw__report_means(struct tw__page *, struct tw_error *err);
int tw__report_rows(struct tw__page *, struct tw_error *err);

/* Writes a schedule from a trace: a figure that the page's script draws, and a table of its workers. `row` is one of
 * page->all. */
int tw__report_schedule(struct tw__page *, int row, const char *why, const char *trace, struct tw_error *err);

/* "row 17 (cholesky:nt=20, dmdas)", as text, not as HTML. */
const char *tw__report_row_name(const struct tw__page *, int row, char *text, size_t size);

/* Creates an empty temporary file. Returns its descriptor, or TW_FAILED. The caller closes and unlinks it. */
enum { TW__TEMPORARY_PATH = 4096 };
int tw__report_temporary(char path[TW__TEMPORARY_PATH], const char *ending, struct tw_error *err);

/* Whether all rows have the same value in that column. */
bool tw__column_is_constant(const struct tw__rows *, int column);
/* Whether all values are numbers or empty, and at least one is a number. */
bool tw__column_is_numeric(const struct tw__rows *, int column);

#endif
