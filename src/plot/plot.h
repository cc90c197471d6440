/* Figures, drawn by the programs gnuplot and Graphviz. Only machines that draw figures need these programs.
 *
 * The ending of `output` chooses the format: .svg, .png, .pdf, or .gp. The last is the gnuplot script with its data,
 * which users can edit (gnuplot FILE.gp > FILE.svg). */
#ifndef TW__PLOT_H
#define TW__PLOT_H

#include <stdio.h>

#include "platform/platform.h"

/* Request for a figure of a trace; see docs/reference/plots.md. */
enum tw__fold { TW__FOLD_IDLE, TW__FOLD_ALL, TW__FOLD_NONE, TW__FOLD_NODES };
enum { TW__MANY_WORKERS = 100 };
struct tw__trace_request {
	const char *trace, *output;
	const char *const *workers; /* words for the workers to show (tw__choose_workers) */
	int n_workers;              /* number of words; 0: all workers */
	bool keep_script;           /* whether to write the script beside the output, with the ending .gp */

	/* For a Gantt chart: which workers share a row. FOLD_IDLE: those that did nothing, and those of some kinds;
	 * FOLD_ALL: all of each kind; FOLD_NODES: all of each kind on one node of a cluster. FOLD_IDLE without words is
	 * FOLD_NODES on clusters of more than TW__MANY_WORKERS. */
	enum tw__fold fold;
	const char *const *kinds; /* with FOLD_IDLE: words for these kinds */
	int n_kinds;
	/* Whether to explain the run (docs/reference/explain.md): the chain that the makespan hangs on, and the causes
	 * of idle time. TW_INVALID if the trace does not hold the whole run. */
	bool explains;

	/* For maps of the order of tiles. */
	const char *workload; /* specification of the workload; NULL: as the trace names it */
	const int *iterations;
	int n_iterations; /* number of iterations to draw; 0: the first four */
	int per_colour;   /* number of tasks for each colour; 0: chosen to give at most seven colours */
	bool as_printed; /* whether to use the colours of Gonthier et al. 2024, which do not suit every colour vision */
};

/* Draws the Gantt chart of a trace that holds its run: workers over time. Below, if the run has them: bytes used in
 * the accelerators' memories, ready tasks, and the most used links.
 * TW_INVALID: an invalid trace (tw__past_open_whole), or "OUTPUT: ..." for the ending. TW_FAILED: gnuplot is not
 * installed or fails, or `output` cannot be written.
 *
 * The time axis has 2000 columns. Kernels shorter than a column are merged per worker and column. The merged box shows
 * the kernel with most time, and its height is the busy share of the column. So 100,000 tasks make a file of a few MB
 * at most, and idle time stays visible even if single gaps are too short. */
int tw__plot_gantt(const struct tw__trace_request *, struct tw_error *err);

struct tw__traced;
struct tw__explained_run;
/* The same for a run in memory, whose name is `trace` of the request. `explained`: the run for its explanation; NULL:
 * the chart explains nothing. */
int tw__gantt_of_run(const struct tw__traced *, const struct tw__explained_run *explained,
                     const struct tw__trace_request *, struct tw_error *err);

/* Draws maps of the order in which the tiles of a matrix were processed. There is a map for each iteration of the outer
 * loop, and for each worker that the request names. A tile's colour shows when its task started. The trace may also be
 * a table of tasks (.csv). */
int tw__plot_order(const struct tw__trace_request *, struct tw_error *err);

/* Draws a platform with Graphviz (dot): memories, workers, links and bandwidths. `output` ends in .svg, .png, or .dot,
 * which is dot's script.
 * In the figure, memories below a shared link use that link. An extra edge joins accelerators whose direct copies are
 * faster than copies through main memory. The edge is dashed if their route uses links of the routes to main memory.
 * TW_INVALID: unknown ending. TW_FAILED: dot is not installed or fails, or `output` cannot be written. */
int tw__plot_topology(const struct tw__platform *, const char *output, struct tw_error *err);

/* Where a legend stands. Corners are inside of the plot. */
enum tw__legend {
	TW__LEGEND_RIGHT,
	TW__LEGEND_BELOW,
	TW__LEGEND_ABOVE,
	TW__LEGEND_TOP_LEFT,
	TW__LEGEND_TOP_RIGHT,
	TW__LEGEND_BOTTOM_LEFT,
	TW__LEGEND_BOTTOM_RIGHT,
	TW__LEGEND_NONE
};
extern const char *const tw__legend_names[]; /* by enum tw__legend; ends with NULL */

/* The look of a figure. Members that are 0 stand for the figure's own look. */
struct tw__figure_style {
	const char *title;
	int width, height; /* in pixels */
	char font[64];     /* name of the family */
	int font_points;
	enum tw__legend legend;
	/* The range of the y axis, in its unit, as far as it is given. */
	bool has_low, has_high;
	double low, high;
};

enum { TW__FONT_POINTS = 13 }; /* the usual size of a figure's font */

/* Parse "800x500", "DejaVu Sans" or "Serif,11", "0:2000" or ":2000". TW_INVALID with "expected ...". */
int tw__style_size(struct tw__figure_style *, const char *text, struct tw_error *err);
int tw__style_font(struct tw__figure_style *, const char *text, struct tw_error *err);
int tw__style_y_range(struct tw__figure_style *, const char *text, struct tw_error *err);

struct tw__tips;
struct tw__rows;
/* Request for a figure of results; see docs/reference/plots.md. The x axis has the working set, a GPU's memory, or a
 * column of numbers. */
enum tw__figure_x { TW__X_WORKING_SET, TW__X_MEMORY, TW__X_COLUMN };
struct tw__figure_request {
	const char *kind;    /* name of one of tw__figure_kinds */
	const char *results; /* path of a CSV file of results */
	const char *output;
	enum tw__figure_x x;
	const char *x_column; /* with TW__X_COLUMN: a column of the results, or a parameter of the workload */
	const char *per;      /* a column, or parameter, by whose value lines are divided; NULL: they are not */
	const char *counter;  /* for the kind "counters": the counter to draw; NULL: the only counter */
	const char *metric;   /* for the kind "bars": a column of numbers; NULL: gflops */
	/* Conditions such as "gpus=1,2": only rows that meet all are drawn; ends with NULL; NULL: all rows. */
	const char *const *where;
	const char *facet; /* the column of panels; "none": one panel; NULL: panels if there are many lines */
	struct tw__figure_style style;
	const char *const *names; /* "LABEL=NAME": names of lines for the legend; ends with NULL; NULL: none */
	bool no_bounds;           /* whether to leave out reference lines */
	/* Rows whose order of policies chooses the policies' colours; NULL: the rows that are drawn. */
	const struct tw__rows *of_colours;
	struct tw__tips *tips; /* receives the texts of the points (chart.h); NULL: points have none */
	bool keep_script;      /* whether to write the script beside the output, with the ending .gp */
};
struct tw__figure;
struct tw__figure_kind {
	const char *name;
	/* Writes the gnuplot script of a figure, with its terminal. */
	int (*draw)(struct tw__figure *, struct tw_error *err);
	bool has_facets, has_legend; /* whether --facet can choose a column of panels, and --legend places the legend */
	bool has_x;                  /* whether --x chooses the horizontal axis, as in figures of lines */
};
extern const struct tw__figure_kind tw__figure_kinds[]; /* all kinds of figures of results; ends with {0} */

/* Reads the results and draws the figure. Failed runs are left out, and a warning counts them. TW_INVALID: a malformed
 * file, missing columns or values, or an unknown ending. TW_FAILED: gnuplot is not installed or fails, or `output`
 * cannot be written. */
int tw__plot_results(const struct tw__figure_request *, struct tw_error *err);

struct tw__fact_book;
/* Draws the figure for rows that the caller has read and chosen; ignores `results` and `where` of the request. The book
 * caches facts about rows. Errors are those of tw__plot_results. */
int tw__plot_rows(const struct tw__figure_request *, const struct tw__rows *, struct tw__fact_book *,
                  struct tw_error *err);

/* Scatter plots: one measure of many points on two sides, with the diagonal where both are equal.
 *
 * Half the width of the confidence interval of each value; NAN or 0: none is drawn. */
struct tw__scatter_point {
	double x, y, x_half, y_half;
};

/* Points of one colour and form. */
struct tw__scatter_series {
	const char *name;
	struct tw__scatter_point *points;
	int n;
};

struct tw__scatter {
	const char *x_label, *y_label;
	struct tw__scatter_series *series;
	int n_series;
	const char *output;
	double band; /* half the width of the grey band around the diagonal, as a part of x: 0.1 */
};

/* Draws the points, the diagonal and the band. Both axes have the same range; they are logarithmic if all values are
 * positive and the greatest exceeds ten times the least. The title counts the points in the band. The ending of
 * `output` chooses the format, as for all figures. TW_INVALID: unknown ending. TW_FAILED: gnuplot is not installed or
 * fails, or `output` cannot be written. */
int tw__plot_scatter(struct tw__scatter *, struct tw_error *err);

/* The rest of this file is internal to the figures. */

/* A program that makes a figure from a script. */
struct tw__drawer {
	const char *name;
	const char *arguments[4];  /* argv, ends with NULL; the program reads the script and writes the figure */
	const char *script_ending; /* ending of an output that is the script itself, as in ".gp" */
	const char *prompt;        /* in messages, lines of stderr that start with this are skipped; NULL: none */
};
extern const struct tw__drawer tw__gnuplot;

/* Draws a figure: write(what, script, err) writes the script of the program, which then makes the file `output`.
 * `keep_script`: also writes the script, to a file beside the output. If the program fails, nothing else is written. */
int tw__draw(const struct tw__drawer *, const char *output, bool keep_script,
             int (*write)(void *what, FILE *script, struct tw_error *err), void *what, struct tw_error *err);

/* Returns the part of a path behind the last folder; the name of a folder itself ends in '/', as in the path. */
const char *tw__trace_name(const char *path);

/* Returns the ending of a file's name, as in ".svg"; "" if there is none. */
const char *tw__ending_of(const char *path);

/* Writes gnuplot's `set terminal` line for the format of `output`, with the figure's size in pixels. The style may have
 * another size and font; NULL: the usual one. TW_INVALID: unknown ending. */
int tw__gnuplot_terminal(FILE *script, const char *output, const struct tw__figure_style *, int width, int height,
                         struct tw_error *err);
/* Returns the size of a font in points, for one that has `points` where the figure's font has its usual size. */
double tw__style_points(const struct tw__figure_style *, double points);

/* Writes a text as a string of gnuplot, which shows it as it is, cut off after `limit` characters. Line ends and
 * invalid UTF-8 are replaced. */
void tw__gnuplot_text(FILE *script, const char *, int limit);
/* The same for the label of a tick, which gnuplot takes for a format. */
void tw__gnuplot_tick(FILE *script, const char *, int limit);

/* Writes a text as tw__gnuplot_text does, in lines of at most `letters` characters that end between words, and at most
 * `most` of them; the last line is cut off. Returns the number of lines. `script` NULL: only counts them. */
int tw__gnuplot_lines(FILE *script, const char *, int letters, int most);
/* Returns the number of characters. */
size_t tw__text_length(const char *);

/* Prints a number as in "100,000". */
void tw__print_count(FILE *, int64_t);

/* The workers that words of the user name, and the kinds of workers (worker_words.c). */

/* Writes the kind of a worker: the part of its arch's name that names its kind (tw__arch_kind_length). */
enum { TW__KIND_BYTES = 64 };
void tw__worker_kind(const struct tw__platform *, tw_worker, char kind[TW__KIND_BYTES]);

/* Whether a word names the kind of a worker. Such a word is the kind of tw__worker_kind, or the worker's name without
 * the number at its end, as "CPU" for CPU3, CPU.3, and node1.CPU3 of a cluster. */
bool tw__worker_is_kind(const struct tw__platform *, tw_worker, const char *word);

/* Finds the workers that words name. A word is the name of a worker, a kind, or the name of a node of a cluster. It
 * may be a range FIRST:LAST of workers or of nodes, in the order of the platform. Lists each worker once in `workers`,
 * which has room for all, in the order of the words. Returns their number. `figure`: kind of figure, for messages.
 * TW_INVALID: a word names no worker. */
int tw__choose_workers(int *workers, const struct tw__platform *, const char *const *words, int n_words,
                       const char *figure, const char *trace, struct tw_error *err);

#endif
