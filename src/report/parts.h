/* The state of a report page that is being written, and the sections of the page. */
#ifndef TW__REPORT_PARTS_H
#define TW__REPORT_PARTS_H

#include "report/report.h"
#include "results/points.h"

struct tw__page {
	FILE *f;
	FILE *style; /* CSS rules for the tables of this page, in memory */
	const struct tw__report_request *request;
	struct tw__rows all;  /* rows that --where keeps, in the order of the file */
	struct tw__rows good; /* rows of `all` of successful runs, without duplicates; it owns its cells and lines */
	int *number;          /* [all.n_rows] number of each row in the file, from 1 */
	int n_figures, n_schedules, left_out;
};

/* Writes a section of the page, or nothing if the section would be empty; so do the functions below. */
int tw__report_overview(struct tw__page *, struct tw_error *err);
int tw__report_failures(struct tw__page *, struct tw_error *err);
int tw__report_figures(struct tw__page *, struct tw_error *err);
int tw__report_schedules(struct tw__page *, struct tw_error *err);
/* Whether the page has means of repetitions. Rows of validate-model are means already, so the page has none. */
bool tw__report_has_means(const struct tw__page *);
int tw__report_means(struct tw__page *, struct tw_error *err);
int tw__report_rows(struct tw__page *, struct tw_error *err);

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

#endif
