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
	LEGEND_ROW = 22,
	MEMORY_GAP = 34,
	MEMORY_PANEL = 150,
	AXIS = 56,
	MAX_WORKERS = 3000,
	MAX_NAME = 22,
	CHARACTER = 8, /* about its width */
	MAX_COLOURED = TW__N_COLOURS,
	N_COLOURS = MAX_COLOURED + 1
};

struct tw__gantt {
	FILE *f;
	const struct tw__schedule *s;
	int left, height, top, bottom; /* of the workers' panel */
	int row_px;
	int memory_top, memory_bottom; /* of the memories' panel; 0: none */
	int first_memory;              /* the main memory is left out when another is known */
	int legend_rows;
	double *total_s; /* [kernels] */
	int *rank;       /* [kernels] the colour; MAX_COLOURED: grey, with all other small ones */
	int n_coloured;
	bool has_others;
	bool drawn[N_COLOURS][2]; /* by colour and width: there are such boxes */
};

/* Kernels' colours, then all places; `s` is what is visible. */
void tw__gantt_colours(struct tw__gantt *);
void tw__gantt_lay_out(struct tw__gantt *);

/* Prints "screen X, screen Y". */
void tw__gantt_at(struct tw__gantt *, int x, int y);

/* Rows of coloured squares and names, the first at `y`; `draw` false: nothing is printed. They return how many rows. */
int tw__gantt_kernel_legend(struct tw__gantt *, int y, bool draw);
int tw__gantt_memory_legend(struct tw__gantt *, int y, bool draw);

uint32_t tw__gantt_line_colour(int i);
bool tw__gantt_has_samples(const struct tw__schedule *, int memory);

#endif
