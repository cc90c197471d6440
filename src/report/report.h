/* Results as one HTML page that needs nothing else: what was run, figures, schedules, means and rows; see docs/reference/report.md.
 *
 *     page.c      the page, from its head to its end
 *     overview.c  what was run, and what failed
 *     figures.c   which figures these rows are for; split.c parts them, svg.c makes gnuplot's figures fit for a page
 *     gantt.c     which runs are simulated again; schedule.c is one of them, as data for the page's script
 *     tables.c    means of repetitions, and the rows
 *     html.c      text and numbers in HTML
 *     page/       the page's style and scripts, which the build puts into the library */
#ifndef TW__REPORT_H
#define TW__REPORT_H

#include <stdio.h>

#include <tilewright/base.h>

struct tw__report_request {
	const char *results;      /* file, CSV */
	const char *const *where; /* see tw__rows_choose */
	/* Runs whose schedule is shown: "17" (a row, from 1), the first characters of an identity, "best", "worst", "none". NULL at the
	 * end; an empty list: best and worst, where they are not too great. */
	const char *const *gantt;
	/* Warnings that were logged meanwhile, which the page tells, too. */
	const char *const *(*warnings)(void *context, int *n);
	void *context;
};

/* Reads the results, runs the chosen runs again, and writes the page. TW_INVALID: a file that is none of results, without rows, or
 * without a run that was asked for. `*left_out`: how many of the runs asked for could not be run again, or came out otherwise; a
 * warning names each. */
int tw__report_write(FILE *, const struct tw__report_request *, int *left_out, struct tw_error *err);

#endif
