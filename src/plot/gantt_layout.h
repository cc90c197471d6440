/* The layout of the Gantt figure: pixels from the top left corner, which gnuplot takes as fractions of the screen. */
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
	GAP = 34, /* above a panel that has a heading of its own */
	MEMORY_PANEL = 150,
	TASKS_PANEL = 100,
	LINK_ROW = 20,
	AXIS = 56,
	MAX_WORKERS = 3000,
	MAX_LINKS = 8, /* rows: those that are used most */
	MAX_NAME = 22,
	CHARACTER = 8, /* about its width */
	MAX_COLOURED = TW__N_COLOURS,
	N_COLOURS = MAX_COLOURED + 1
};

/* From the top down. */
enum gantt_panel { WORKERS_PANEL, MEMORY_USED_PANEL, READY_PANEL, LINKS_PANEL, N_PANELS };

struct tw__gantt {
	FILE *f;
	const struct tw__schedule *s;
	size_t n_tasks, n_cancelled; /* executions that were */
	int left, height;
	struct {
		int top, bottom; /* 0: there is none */
	} panels[N_PANELS];
	enum gantt_panel last; /* it has the time below */
	int row_px;            /* of a worker */
	int first_memory;      /* the main memory is left out when another is known */
	int links[MAX_LINKS], n_links;
	int n_other_links;  /* used, but not drawn */
	double *busy_ns;    /* [workers] */
	double *link_share; /* [links] of its bandwidth, over the whole time */
	double *total_ns;   /* [kernels] */
	int *rank;          /* [kernels] the colour; MAX_COLOURED: grey, with all other small ones */
	int n_coloured;
	bool has_others;
	bool drawn[N_COLOURS][2]; /* by colour and width: there are such boxes */
};

/* Kernels' colours, which links get a row, then all places; `s` is what is visible. */
void tw__gantt_colours(struct tw__gantt *);
void tw__gantt_choose_links(struct tw__gantt *);
void tw__gantt_lay_out(struct tw__gantt *);

/* A date in seconds, as gnuplot reads it whatever the locale. */
void tw__gantt_seconds(struct tw__gantt *, tw__ns);

/* Prints "screen X, screen Y". */
void tw__gantt_at(struct tw__gantt *, int x, int y);

/* The margins of a panel, and the marks of its time axis: with numbers for the last. */
void tw__gantt_margins(struct tw__gantt *, enum gantt_panel);

/* Rows of coloured squares, or lines, and names, the first at `y`; `draw` false: nothing is printed. They return how many rows. */
int tw__gantt_kernel_legend(struct tw__gantt *, int y, bool draw);
int tw__gantt_memory_legend(struct tw__gantt *, int y, bool draw);

uint32_t tw__gantt_kernel_colour(int i);
uint32_t tw__gantt_line_colour(int i);
int tw__gantt_dash(int i); /* of the same line, for those who see no colours */
bool tw__gantt_has_samples(const struct tw__samples *, int counter);

/* gantt_panels.c: what stands below the workers. Data first, as blocks that have names; then the plots, with all that their
 * panels have around them. */
void tw__gantt_print_panels(struct tw__gantt *);
void tw__gantt_plot_panels(struct tw__gantt *);

#endif
