/* Figures, drawn by gnuplot or Graphviz (run as programs: they have to be installed only where figures are made).
 *
 * The ending of `output` chooses the kind: .svg, .png, .pdf; .gp is the gnuplot script itself, data included, for those who
 * want to change it (gnuplot FILE.gp > FILE.svg). */
#ifndef TW__PLOT_H
#define TW__PLOT_H

#include <stdio.h>

#include "platform/platform.h"

/* Workers over time, and below them the bytes used in the accelerators' memories, the tasks that are ready, and the links that are
 * used most, as far as the trace has them: a file that tw__trace_write wrote (Paje or Chrome). `keep_script`: the script stands beside
 * the output, with the ending .gp. TW_INVALID with "FILE:LINE: ..." if it is no such file, or "OUTPUT: ..." for the ending; TW_FAILED if gnuplot is
 * not installed or fails, or `output` cannot be written.
 *
 * What cannot be seen is not drawn: the time axis has 2000 columns, and kernels shorter than one are summed up per worker and
 * column and shown as the kernel that took most of it, as high as the share of the column that the worker was busy. So
 * 100,000 tasks make a file of a few MB at most, and idle time shows even where single gaps do not. */
int tw__plot_gantt(const char *trace, const char *output, bool keep_script, struct tw_error *err);

/* In which order the tiles of a matrix were processed: for each iteration of the outer loop a map, each tile in a colour that tells
 * when its task started; see docs/reference/plots.md. From a trace as above, or a schedule (.csv). */
struct tw__order_request {
	const char *trace, *output;
	const char *workload; /* NULL: the one that the trace names */
	const int *iterations;
	int n_iterations;           /* 0: the first four */
	const char *const *workers; /* a row of maps for each of these */
	int n_workers;              /* 0: one row for all together */
	int per_colour;             /* tasks; 0: so that there are at most seven colours */
	bool as_printed;            /* the colours of Gonthier et al. 2024, which are not for every eye */
	bool keep_script;           /* beside the output, with the ending .gp */
};
int tw__plot_order(const struct tw__order_request *, struct tw_error *err);

/* A platform: memories, workers, and the links between with their bandwidths. Drawn by Graphviz (dot); `output` ends in .svg, .png
 * or .dot, which is dot's script. What shares a link hangs below it; accelerators that exchange directly, and faster than with main
 * memory, are joined by an edge of their own, dashed where it takes links of the ways to main memory. Errors as above. */
int tw__plot_topology(const struct tw_platform *, const char *output, struct tw_error *err);

/* A figure of results; see docs/reference/plots.md. */
enum tw__figure_x { TW__X_WORKING_SET, TW__X_MEMORY };
struct tw__figure_request {
	const char *kind;    /* one of tw__figure_kinds */
	const char *results; /* file, CSV */
	const char *output;
	enum tw__figure_x x;
	const char *counter;      /* for the kind "counters"; NULL: the only one there is */
	const char *metric;       /* for the kind "bars": a column of numbers; NULL: gflops */
	const char *const *where; /* "gpus=1,2", NULL at the end: rows that all of these admit; NULL: all */
	bool keep_script;         /* beside the output, with the ending .gp */
};
struct tw__figure_kind {
	const char *name, *summary;
};
extern const struct tw__figure_kind tw__figure_kinds[]; /* ends with {0} */

/* Errors as above. Failed runs are left out, with a warning that counts them. */
int tw__plot_results(const struct tw__figure_request *, struct tw_error *err);

struct tw__rows;
struct tw__fact_book;
/* The same of rows that are read and chosen already; facts that are found are kept in the book. */
int tw__plot_rows(const struct tw__figure_request *, const struct tw__rows *, struct tw__fact_book *,
                  struct tw_error *err);

/* For the figures themselves. */

/* A program that makes a figure of a script. */
struct tw__drawer {
	const char *name;
	const char *arguments[4];  /* of its main, NULL at the end; it reads the script and writes the figure */
	const char *script_ending; /* of outputs that are the script itself */
	const char *prompt;        /* begins lines of its complaints that tell nothing; NULL: none do */
};

/* Runs the script, which is at its end. `output` is written when the figure is whole, and left alone else. */
int tw__draw(FILE *script, const char *output, const struct tw__drawer *, struct tw_error *err);

/* ".svg"; "" if there is none. */
const char *tw__ending_of(const char *path);

/* Writes the `set terminal` line for that output and size in pixels; TW_INVALID for an unknown ending. */
int tw__gnuplot_terminal(FILE *script, const char *output, int width, int height, struct tw_error *err);

/* A string in gnuplot's single quotes, at most `limit` characters of it; line ends and what is no UTF-8 are replaced. */
void tw__gnuplot_text(FILE *script, const char *, int limit);

/* tw__draw by gnuplot. */
int tw__gnuplot_run(FILE *script, const char *output, struct tw_error *err);

/* Writes the script beside the output, with the ending .gp. */
int tw__gnuplot_keep(FILE *script, const char *output, struct tw_error *err);

#endif
