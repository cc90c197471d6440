/* Results as one self-contained HTML page: overview, figures, schedules, means and rows; see docs/reference/report.md.
 *
 *    report.c      the page, from its head to its end
 *    page.c        the rows of the page
 *    overview.c    overview of the runs, and failed runs
 *    figures.c     chooses figures; split.c splits rows into parts, svg.c adapts gnuplot's figures
 *    schedules.c   chooses runs to simulate again
 *    gantt_data.c  writes one, as data for the page's script, with gantt_causes.c
 *    tables.c      means of repetitions, and the rows
 *    html.c        text and numbers in HTML
 *    page/         style and scripts of the page, which the build puts into the library */
#ifndef TW__REPORT_H
#define TW__REPORT_H

#include <stdio.h>

#include <tilewright/base.h>

struct tw__report_request {
	const char *results;      /* path of a CSV file of results */
	const char *const *where; /* conditions on rows: see tw__rows_choose */
	/* Runs whose schedules are shown: "17" (a row, from 1), the first characters of an identity, "best", "worst" or
	 * "none". Ends with NULL. An empty list means best and worst, unless they have too many tasks. */
	const char *const *gantt;
	/* Returns the n warnings logged so far, which the page lists, too. NULL: the page lists none. */
	const char *const *(*warnings)(int *n);
};

/* Reads the results, simulates the selected runs again, and writes the page.
 * TW_INVALID: the file has no results, no rows, or lacks a selected run. `*left_out`: number of selected runs that
 * could not be simulated again, or had another makespan; a warning names each. */
int tw__report_write(FILE *, const struct tw__report_request *, int *left_out, struct tw_error *err);

/* The style and the scripts of the page, from the folder src/report/page: embed.py puts them into the library. */
struct tw__asset {
	const char *name, *bytes;
	size_t n;
	const char *digest; /* digest for the page's Content-Security-Policy: "sha256-..." */
};
extern const struct tw__asset tw__assets[]; /* all style and script files; ends with {0} */

#endif
