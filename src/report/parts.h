/* The page under way, and its parts. */
#ifndef TW__REPORT_PARTS_H
#define TW__REPORT_PARTS_H

#include "experiment/points.h"
#include "report/report.h"

struct tw__page {
	FILE *f;
	FILE *style; /* rules of this page's own tables */
	const struct tw__report_request *request;
	struct tw__rows all;  /* as they are in the file, without those that --where leaves out */
	struct tw__rows good; /* of these, the runs that ended well, each once; its cells and lines are its own */
	int *number;          /* [all.n_rows] of the row in the file, from 1 */
	int n_figures, n_schedules, left_out;
};

/* Each writes a section; nothing where there is nothing to say. */
int tw__report_overview(struct tw__page *, struct tw_error *err);
int tw__report_failures(struct tw__page *, struct tw_error *err);
int tw__report_figures(struct tw__page *, struct tw_error *err);
int tw__report_schedules(struct tw__page *, struct tw_error *err);
/* Rows of validate-model are means already. */
bool tw__report_has_means(const struct tw__page *);
int tw__report_means(struct tw__page *, struct tw_error *err);
int tw__report_rows(struct tw__page *, struct tw_error *err);

/* A schedule from a trace, as a figure that the page's script draws, and as a table of its workers. `row` is one of page->all. */
int tw__report_schedule(struct tw__page *, int row, const char *why, const char *trace, struct tw_error *err);

/* "row 17 (cholesky:nt=20, dmdas)", as text, not as HTML. */
const char *tw__report_row_name(const struct tw__page *, int row, char *text, size_t size);

/* Makes an empty file for a while; returns its descriptor, or TW_FAILED. The caller closes and unlinks it. */
enum { TW__TEMPORARY_PATH = 4096 };
int tw__report_temporary(char path[TW__TEMPORARY_PATH], const char *ending, struct tw_error *err);

/* Whether all rows have the same there. */
bool tw__column_is_constant(const struct tw__rows *, int column);
/* Whether each value is a number or empty, and there is one. */
bool tw__column_is_numeric(const struct tw__rows *, int column);

#endif
