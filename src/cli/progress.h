/* Shows progress on stderr. Of a sweep: a bar on a terminal, otherwise one line for each point. Of `tilewright run`: a
 * line on a terminal, once the command has taken two seconds. */
#ifndef TW__PROGRESS_H
#define TW__PROGRESS_H

#include <signal.h>

#include "experiment/experiment.h"
#include "sweep/sweep.h"

struct progress {
	bool quiet, bar;
	const char *output; /* name of the sweep's output file, for messages */
	double start_s, drawn_s;
	bool drawn; /* whether a bar is on the screen */
};

void progress_init(struct progress *, const char *output, bool quiet);
/* Writes the name of a point, from the options given: "mirage cholesky:nt=20 dmdas lru, gpus 2, gpu-mem 500 MiB,
 * repeat 3". */
void progress_name(char *text, size_t room, const struct tw__request *);

/* Writes a duration to `text`: "42 s", "12 min" or "3.4 h". */
void progress_duration(char *text, size_t room, double seconds);

/* Draws a bar of which this part is full, at the start of the line. */
void progress_bar(double part);

/* Callbacks for struct tw__sweep_watch, whose context is the struct progress. */
void progress_begin(void *, const struct tw__sweep_counts *, const struct tw__kept *);
void progress_point(void *, const struct tw__sweep_counts *, const struct tw__finished *);
void progress_tick(void *, const struct tw__sweep_counts *);
/* Removes the bar from the screen. */
void progress_end(struct progress *);

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
