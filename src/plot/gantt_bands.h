/* Bands of a Gantt chart: rows of several workers. The height of a colour is the share of the workers that run a kernel
 * at that time, or that wait for a cause. */
#ifndef TW__GANTT_BANDS_H
#define TW__GANTT_BANDS_H

#include "plot/gantt_layout.h"

enum { TW__BAND_COLUMNS = 1000 };

/* Sums up the boxes of workers that are in bands. value_of, [kernels of the schedule]: value of each kernel; NULL: its
 * own number. False: out of memory. */
bool tw__bands_init(struct tw__bands *, int n, const struct tw__gantt_rows *, const struct tw__schedule *,
                    const int *value_of);
void tw__bands_finish(struct tw__bands *);

/* Prints the curves of the bands as named blocks, then plots them. Values are stacked on the lower edge of a row, or
 * hang from the upper one. `name` begins the names of blocks. pattern_of: number of gnuplot's pattern of a value, or 0;
 * NULL: no patterns. `n`: number of things plotted so far; tw__bands_plot returns the number afterwards. */
void tw__bands_print(struct tw__gantt *, const struct tw__bands *, const char *name, bool hang);
int tw__bands_plot(struct tw__gantt *, const struct tw__bands *, const char *name, uint32_t colour_of(int value),
                   int pattern_of(int value), int n);
/* Prints the letters of kernels, each once in a band, where its colour has room for it. */
void tw__bands_print_letters(struct tw__gantt *);

#endif
