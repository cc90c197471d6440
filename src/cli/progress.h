/* Progress of a sweep on stderr: a bar on a terminal, else one line a point. */
#ifndef TW__PROGRESS_H
#define TW__PROGRESS_H

#include "experiment/sweep.h"

struct progress {
	bool quiet, bar;
	const char *output; /* for messages */
	double start_s, drawn_s;
	bool drawn; /* a bar is on the screen */
};

void progress_init(struct progress *, const char *output, bool quiet);
/* "mirage cholesky:nt=20 dmdas lru, 2 GPUs of 500 MiB, repeat 3": the options given, without defaults. */
void progress_name(char *text, size_t room, const struct tw__request *);

/* "42 s", "12 min", "3.4 h" */
void progress_duration(char *text, size_t room, double seconds);

/* For struct tw__sweep_watch; the context is the progress. */
void progress_begin(void *, const struct tw__sweep_counts *, const struct tw__kept *);
void progress_point(void *, const struct tw__sweep_counts *, const struct tw__finished *);
void progress_tick(void *, const struct tw__sweep_counts *);
/* Removes the bar. */
void progress_end(struct progress *);

#endif
