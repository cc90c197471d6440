/* Layout of the Gantt chart, in pixels from the top left corner; gnuplot gets fractions of the screen. */
#ifndef TW__GANTT_LAYOUT_H
#define TW__GANTT_LAYOUT_H

#include <stdio.h>

#include "plot/schedule.h"
#include "trace/palette.h"

enum {
	WIDTH = 1200,
	RIGHT = 64,
	TITLE = 40,
	SUBTITLE = 24,
	LEGEND_ROW = 22,
	GAP = 34, /* above a panel that has its own heading */
	MEMORY_PANEL = 150,
	TASKS_PANEL = 100,
	LINK_ROW = 20,
	AXIS = 56,
	MAX_WORKERS = 3000,
	MAX_LINKS = 8, /* rows: the most used links */
	MAX_NAME = 22,
	CHARACTER = 8, /* approximate width */
	MAX_COLOURED = TW__N_COLOURS,
	N_COLOURS = MAX_COLOURED + 1
};

/* From top to bottom. */
enum gantt_panel { WORKERS_PANEL, MEMORY_USED_PANEL, READY_PANEL, LINKS_PANEL, N_PANELS };

struct tw__gantt {
	FILE *f;
	const struct tw__schedule *s;
	size_t n_tasks, n_cancelled; /* cancelled executions */
	int left, height;
	struct {
		int top, bottom; /* bottom 0: no such panel */
	} panels[N_PANELS];
	enum gantt_panel last; /* lowest panel: has the time axis */
	int row_px;            /* height of a worker's row */
	int first_memory;      /* main memory is left out if others have samples */
	int links[MAX_LINKS], n_links;
	int n_other_links;  /* used, but not drawn */
	double *busy_ns;    /* [workers] */
	double *link_share; /* [links] mean share of the bandwidth in use */
	double *total_ns;   /* [kernels] */
	int *rank;          /* [kernels] index of the colour; MAX_COLOURED: grey, shared by the others */
	int n_coloured;
	bool has_others;
	bool drawn[N_COLOURS][2]; /* by colour and width: such boxes exist */
};

/* Call in this order: colours of kernels, links to draw, layout. `s` must be reduced to what is visible. */
void tw__gantt_colours(struct tw__gantt *);
void tw__gantt_choose_links(struct tw__gantt *);
void tw__gantt_lay_out(struct tw__gantt *);

/* Prints a date in seconds, independent of the locale. */
void tw__gantt_seconds(struct tw__gantt *, tw__ns);

/* Prints "screen X, screen Y". */
void tw__gantt_at(struct tw__gantt *, int x, int y);

/* Sets the margins of a panel, and its time axis; the last panel has numbers on it. */
void tw__gantt_margins(struct tw__gantt *, enum gantt_panel);

/* Draw a legend of coloured squares or lines with names, from row `y` down; `draw` false: print nothing. Return the
 * number of rows. */
int tw__gantt_kernel_legend(struct tw__gantt *, int y, bool draw);
int tw__gantt_memory_legend(struct tw__gantt *, int y, bool draw);

uint32_t tw__gantt_kernel_colour(int i);
uint32_t tw__gantt_line_colour(int i);
int tw__gantt_dash(int i); /* the same line's dash type, for readers who do not see colours */
bool tw__gantt_has_samples(const struct tw__samples *, int counter);

/* gantt_panels.c: panels below the workers. First print all data as named blocks, then plot each panel with its
 * surroundings. */
void tw__gantt_print_panels(struct tw__gantt *);
void tw__gantt_plot_panels(struct tw__gantt *);

#endif
