/* Progress of `tilewright run` on standard error: one line on a terminal, once the command has taken two seconds. */
#ifndef TW__RUN_PROGRESS_H
#define TW__RUN_PROGRESS_H

#include <signal.h>

#include "experiment/experiment.h"

struct run_progress {
	bool shows;
	int n_runs;
	double start_s, drawn_s;
};

void run_progress_init(struct run_progress *, int n_runs);
/* Draws the line if it is due. `done`: runs whose rows are complete. */
void run_progress_draw(struct run_progress *, int done, const struct tw__running *, int n);
/* Removes the line. */
void run_progress_wipe(struct run_progress *);
/* For a handler of signals: whether the line is on the screen, and the characters that remove it. */
extern volatile sig_atomic_t run_progress_is_drawn;
#define RUN_PROGRESS_WIPE "\r\033[K"

#endif
