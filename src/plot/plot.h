/* Figures, drawn by gnuplot or Graphviz. These run as programs, so only machines that draw figures need them.
 *
 * The ending of `output` chooses the format: .svg, .png, .pdf, or .gp. The last is the gnuplot script with its data,
 * which users can edit (gnuplot FILE.gp > FILE.svg). */
#ifndef TW__PLOT_H
#define TW__PLOT_H

#include <stdio.h>

#include "platform/platform.h"

/* Gantt chart of a trace that tw__trace_write wrote (Paje or Chrome): workers over time. Below, if the trace has them:
 * bytes used in the accelerators' memories, ready tasks, and the most used links. `keep_script`: also write the script
 * beside the output, with the ending .gp.
 * TW_INVALID with "FILE:LINE: ..." for an invalid trace, or "OUTPUT: ..." for the ending. TW_FAILED: gnuplot is not
 * installed or fails, or `output` cannot be written.
 *
 * The time axis has 2000 columns. Kernels shorter than a column are merged per worker and column. The merged box shows
 * the kernel with most time, and its height is the busy share of the column. So 100,000 tasks make a file of a few MB
 * at most, and idle time stays visible even if single gaps are too short. */
int tw__plot_gantt(const char *trace, const char *output, bool keep_script, struct tw_error *err);

/* Maps of the order in which the tiles of a matrix were processed: one for each iteration of the outer loop. A tile's
 * colour shows when its task started; see docs/reference/plots.md. From a trace as above, or a schedule (.csv). */
struct tw__order_request {
	const char *trace, *output;
	const char *workload; /* NULL: the workload that the trace names */
	const int *iterations;
	int n_iterations;           /* 0: the first four */
	const char *const *workers; /* a row of maps for each of these */
	int n_workers;              /* 0: one row for all together */
	int per_colour;             /* tasks; 0: chosen to give at most seven colours */
	bool as_printed;            /* colours of Gonthier et al. 2024, which do not suit every colour vision */
	bool keep_script;           /* beside the output, with the ending .gp */
};
int tw__plot_order(const struct tw__order_request *, struct tw_error *err);

/* Draws a platform with Graphviz (dot): memories, workers, links and bandwidths. `output` ends in .svg, .png, or .dot,
 * which is dot's script.
 * Memories below a shared link use it. An extra edge joins accelerators whose direct copies are faster than copies
 * through main memory. It is dashed if their route uses links of the routes to main memory. Errors as above. */
int tw__plot_topology(const struct tw_platform *, const char *output, struct tw_error *err);

/* A figure of results; see docs/reference/plots.md. */
enum tw__figure_x { TW__X_WORKING_SET, TW__X_MEMORY };
struct tw__figure_request {
	const char *kind;    /* one of tw__figure_kinds */
	const char *results; /* a CSV file */
	const char *output;
	enum tw__figure_x x;
	const char *counter;      /* for the kind "counters"; NULL: the only counter */
	const char *metric;       /* for the kind "bars": a column of numbers; NULL: gflops */
	const char *const *where; /* "gpus=1,2", ends with NULL: only rows that all of them accept; NULL: all */
	bool keep_script;         /* beside the output, with the ending .gp */
};
struct tw__figure_kind {
	const char *name, *summary;
};
extern const struct tw__figure_kind tw__figure_kinds[]; /* ends with {0} */

/* Errors as above. Failed runs are left out, and a warning counts them. */
int tw__plot_results(const struct tw__figure_request *, struct tw_error *err);

struct tw__rows;
struct tw__fact_book;
/* The same for rows read and selected before. The book caches facts. */
int tw__plot_rows(const struct tw__figure_request *, const struct tw__rows *, struct tw__fact_book *,
                  struct tw_error *err);

/* Internal to the figures. */

/* A program that makes a figure from a script. */
struct tw__drawer {
	const char *name;
	const char *arguments[4];  /* argv, ends with NULL; reads the script, writes the figure */
	const char *script_ending; /* of outputs that are the script itself */
	const char *prompt;        /* lines of stderr that start with it are skipped in messages; NULL: none */
};

/* Runs the script, which is complete. Writes `output` only if the figure is complete. */
int tw__draw(FILE *script, const char *output, const struct tw__drawer *, struct tw_error *err);

/* The ending, ".svg"; "" if there is none. */
const char *tw__ending_of(const char *path);

/* Writes the `set terminal` line for that output, with its size in pixels. TW_INVALID: unknown ending. */
int tw__gnuplot_terminal(FILE *script, const char *output, int width, int height, struct tw_error *err);

/* Writes a string in gnuplot's single quotes, cut after `limit` characters. Line ends and invalid UTF-8 are
 * replaced. */
void tw__gnuplot_text(FILE *script, const char *, int limit);

/* tw__draw with gnuplot. */
int tw__gnuplot_run(FILE *script, const char *output, struct tw_error *err);

/* Writes the script beside the output, with the ending .gp. */
int tw__gnuplot_keep(FILE *script, const char *output, struct tw_error *err);

#endif
