/* A Gantt chart being made: its rows, what explains it, its layout, and the parts of its script. Sizes are pixels from
 * the top left corner; gnuplot gets fractions of the screen. */
#ifndef TW__GANTT_H
#define TW__GANTT_H

#include "base/memory.h"
#include "base/print.h"
#include "experiment/past.h"
#include "plot/plot.h"
#include "graph/parts.h"
#include "trace/palette.h"
#include "trace/schedule.h"

/* --- rows: most have one worker; those of a kind that did nothing or is folded share one -------------------------- */

enum { TW__ROW_LABEL = TW__KIND_BYTES + TW__DOMAINS_TEXT + 84 };

struct tw__gantt_row {
	char label[TW__ROW_LABEL];
	int n_workers;
	int band;       /* number of the row among those of several workers; TW_NONE: one worker */
	int y, units;   /* lowest unit of height, counted from below, and number of units; a worker's row has one */
	double busy_ns; /* time in kernels of all its workers */
};

struct tw__gantt_rows {
	struct tw__gantt_row *list; /* [n] from top to bottom */
	int n, n_bands;
	int units; /* sum of all rows' units */
	int *of;   /* [workers] row of each worker; TW_NONE: it is not shown */
	int n_shown;
	double *busy_ns; /* [workers] time in kernels, also of those that are not shown */
};

/* Returns the y of the row's centre, in units. It is a whole number, because rows have one unit or three. */
static inline int tw__row_centre(const struct tw__gantt_row *row) { return row->y + (row->units - 1) / 2; }

/* --- what explains the run: the chain that the makespan hangs on, and causes of idle time ------------------------- */

/* A part of the chain, on the row of a worker. */
struct tw__gantt_step {
	tw__ns start, end;
	int worker;
	bool computes; /* a kernel; otherwise a transfer or a wait */
};

struct tw__gantt_why {
	struct tw__schedule idle;     /* a box for each idle time; its kernel is an enum tw__why */
	struct tw__gantt_step *chain; /* the last step first */
	size_t n_chain;
	bool drawn[TW__N_WHY];   /* causes that have boxes */
	bool in_rows[TW__N_WHY]; /* causes that have boxes in rows of one worker */
	struct tw__explanation explanation;
	char sentences[2048]; /* of the explanation */
};

/* --- the chart ---------------------------------------------------------------------------------------------------- */

enum {
	WIDTH = 1200,
	RIGHT = 64,
	TITLE = 40,
	SUBTITLE = 24,
	LEGEND_ROW = 22,
	SQUARE = 15, /* width of a square in the legend */
	LINE = 30,   /* width of a line in the legend */
	GAP = 34,    /* space above a panel, for its heading */
	MEMORY_PANEL = 150,
	TASKS_PANEL = 100,
	LINK_ROW = 20,
	AXIS = 56,
	MAX_ROWS = 3000,
	MAX_LINKS = 8, /* most rows in the panel of links */
	MAX_NAME = 22,
	CHARACTER = 8,       /* approximate width of a character */
	LEAST_TEXT_ROW = 12, /* least height of a row whose boxes have names or letters */
	MAX_COLOURED = TW__N_COLOURS,
	N_COLOURS = MAX_COLOURED + 1
};

/* The panels of a Gantt chart, from top to bottom. */
enum gantt_panel { WORKERS_PANEL, MEMORY_USED_PANEL, READY_PANEL, LINKS_PANEL, N_PANELS };

/* Shares of the workers of each band that have each of n values: colours of kernels, or causes. */
struct tw__bands {
	double *share; /* [bands][TW__BAND_COLUMNS][n] */
	int n;
};

struct tw__gantt_arrival {
	tw__ns date;
	char graph[40]; /* its words, cut off */
};

struct tw__gantt {
	struct tw__arena arena; /* has the memory of all parts but the schedule and `why` */
	const struct tw__trace_request *request;
	bool by_nodes; /* whether rows and memories are those of nodes of a cluster, and links those between them */
	FILE *f;
	struct tw__gantt_why *why; /* NULL: the chart explains nothing */
	struct tw__schedule *s;
	struct tw__gantt_rows rows;
	struct tw__bands busy, waits; /* waits: only with `why` */
	size_t n_tasks, n_cancelled;  /* numbers of tasks, and of executions that were cancelled */
	int left, height;
	struct {
		int top, bottom; /* edges of each panel; bottom 0: the figure lacks it */
	} panels[N_PANELS];
	enum gantt_panel last; /* the lowest panel, which has the time axis */
	int row_px;            /* height of a unit in pixels: of a worker's row */
	int first_memory;      /* first memory to draw; 0, main memory, only if no other memory has samples */
	int links[MAX_LINKS], n_links;
	int n_other_links;  /* number of links that are used, but not drawn */
	double *link_share; /* [links] mean use: of what the link could pass, 0 to 1 */
	double *total_ns;   /* [kernels] total time of their executions */
	int *rank;          /* [kernels] number of each kernel's colour; MAX_COLOURED: grey, which several share */
	int n_coloured;
	char letter[MAX_COLOURED]; /* [colour] letter of the kernel, for readers who do not see colours */
	bool has_others;
	bool drawn[N_COLOURS][2];       /* [colour][0: narrow, 1: wide]: whether there are boxes of this kind */
	bool has_text[MAX_COLOURED][3]; /* [colour][1: letter, 2: name]: whether boxes have this text */
	struct tw__gantt_arrival
		arrivals[TW__MOST_PARTS]; /* of graphs, but of a first one that is there at the begin */
	int n_arrivals;
};

/* Makes the rows for the workers that the request chooses, and room for colours and links. TW_INVALID: it names a
 * worker or kind that the schedule lacks. The caller finishes the arena in any case. */
int tw__gantt_init(struct tw__gantt *, struct tw_error *err);

/* Assign colours and letters to kernels, choose the links to draw, and lay out the panels. Call the three in this
 * order; the second one after `s` was reduced to what is visible. */
void tw__gantt_colours(struct tw__gantt *);
void tw__gantt_choose_links(struct tw__gantt *);
void tw__gantt_lay_out(struct tw__gantt *);

/* Prints a position in pixels as gnuplot's "screen X, screen Y". */
void tw__gantt_at(struct tw__gantt *, int x, int y);

/* Sets the margins of a panel, and its time axis. Only the last panel has numbers on the axis. */
void tw__gantt_margins(struct tw__gantt *, enum gantt_panel);

/* Draws the legend of kernels, as coloured squares with names, from `y` pixels down; `draw` false: prints nothing.
 * Returns the number of rows. The next function draws the legend of memories, with lines. */
int tw__gantt_kernel_legend(struct tw__gantt *, int y, bool draw);
int tw__gantt_memory_legend(struct tw__gantt *, int y, bool draw);
/* Draws the legend of causes and of the chain; returns 0 if the chart explains nothing. */
int tw__gantt_why_legend(struct tw__gantt *, int y, bool draw);

/* Returns the number of characters of a name, as far as figures show it. */
int tw__gantt_name_length(const char *);

uint32_t tw__gantt_kernel_colour(int i);
/* Returns a colour for text on a colour: white or nearly black. */
uint32_t tw__gantt_ink(uint32_t colour);
uint32_t tw__gantt_line_colour(int i);
uint32_t tw__gantt_why_colour(int why); /* enum tw__why */
int tw__gantt_why_pattern(int why);     /* number of gnuplot's fill pattern; 0: none */
/* Returns the colour of a pattern on a light colour: the same, darker. */
uint32_t tw__gantt_hatch_colour(uint32_t colour);
int tw__gantt_dash(int i); /* dash type of the i-th line, for readers who do not see colours */
/* Sums up the bytes used in the memories of accelerators of each node: those of its first one stand for all. */
void tw__gantt_sum_memories(struct tw__gantt *);
/* Returns the first memory to draw: see tw__gantt.first_memory. */
int tw__gantt_first_memory(const struct tw__schedule *);

/* The kernels (gantt_boxes.c). First print all values as named blocks, then plot them. `n`: number of things plotted so
 * far; returns the number afterwards. */
void tw__gantt_print_boxes(struct tw__gantt *);
int tw__gantt_plot_boxes(struct tw__gantt *, int n);

/* Dates at which graphs arrive (gantt_arrivals.c). tw__gantt_init finds them. They are dashed lines across the rows. */
void tw__gantt_find_arrivals(struct tw__gantt *);
void tw__gantt_print_arrivals(struct tw__gantt *);

/* The panels below the workers (gantt_panels.c). First print all values as named blocks, then plot each panel with its
 * axes and labels. */
void tw__gantt_print_panels(struct tw__gantt *);
void tw__gantt_plot_panels(struct tw__gantt *);

/* --- bands: rows of several workers ------------------------------------------------------------------------------- */

/* The height of a colour is the share of the workers that run a kernel at that time, or that wait for a cause. */
enum { TW__BAND_COLUMNS = 1000 };

/* Sums up the boxes of workers that are in bands. value_of, [kernels of the schedule]: value of each kernel; NULL: its
 * own number. */
void tw__bands_init(struct tw__gantt *, struct tw__bands *, int n, const struct tw__schedule *, const int *value_of);

/* Prints the curves of the bands as named blocks, then plots them. Values are stacked on the lower edge of a row, or
 * hang from the upper one. `name` begins the names of blocks. pattern_of: number of gnuplot's pattern of a value, or 0;
 * NULL: no patterns. `n`: number of things plotted so far; tw__bands_plot returns the number afterwards. */
void tw__bands_print(struct tw__gantt *, const struct tw__bands *, const char *name, bool hang);
int tw__bands_plot(struct tw__gantt *, const struct tw__bands *, const char *name, uint32_t colour_of(int value),
                   int pattern_of(int value), int n);

/* --- functions of what explains the run --------------------------------------------------------------------------- */

/* Explains a run, and makes its schedule; `columns`: of the time axis (visible.h). The caller finishes both in any
 * case. The schedule is all zeros before. */
int tw__gantt_why_of(struct tw__gantt_why *, struct tw__schedule *, const struct tw__traced *,
                     const struct tw__explained_run *, int columns, struct tw_error *err);
void tw__gantt_why_finish(struct tw__gantt_why *);

/* Print all values as named blocks, then plot them: the idle time below the kernels, the chain above. `n`: number of
 * things plotted so far; they return the number afterwards. */
void tw__gantt_why_print(struct tw__gantt *);
int tw__gantt_why_plot_idle(struct tw__gantt *, int n);
int tw__gantt_why_plot_chain(struct tw__gantt *, int n);

#endif
