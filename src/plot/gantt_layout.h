/* Layout of the Gantt chart, in pixels from the top left corner; gnuplot gets fractions of the screen. */
#ifndef TW__GANTT_LAYOUT_H
#define TW__GANTT_LAYOUT_H

#include <stdio.h>

#include "plot/gantt_rows.h"
#include "trace/schedule.h"
#include "trace/palette.h"

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

struct tw__gantt_why;

/* Shares of the workers of each band that have each of n values: colours of kernels, or causes (gantt_bands.h). */
struct tw__bands {
	double *share; /* [bands][TW__BAND_COLUMNS][n] */
	int n;
};

struct tw__gantt {
	FILE *f;
	struct tw__gantt_why *why; /* NULL: the chart explains nothing (gantt_why.h) */
	const struct tw__schedule *s;
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
};

/* Assign colours and letters to kernels, choose the links to draw, and lay out the panels. Call the three in this
 * order; the second one after `s` was reduced to what is visible. */
void tw__gantt_colours(struct tw__gantt *);
void tw__gantt_choose_links(struct tw__gantt *);
void tw__gantt_lay_out(struct tw__gantt *);

/* Prints a date in seconds; the locale does not matter. */
void tw__gantt_seconds(struct tw__gantt *, tw__ns);

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
bool tw__gantt_has_samples(const struct tw__samples *, int counter);
/* Returns the first memory to draw: see tw__gantt.first_memory. */
int tw__gantt_first_memory(const struct tw__schedule *);

/* The kernels (gantt_boxes.c). First print all values as named blocks, then plot them, with what explains the run. */
void tw__gantt_print_boxes(struct tw__gantt *);
void tw__gantt_plot_boxes(struct tw__gantt *);

/* The panels below the workers (gantt_panels.c). First print all values as named blocks, then plot each panel with its
 * axes and labels. */
void tw__gantt_print_panels(struct tw__gantt *);
void tw__gantt_plot_panels(struct tw__gantt *);

#endif
