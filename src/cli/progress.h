/* Shows the progress of a sweep on stderr: a bar on a terminal, otherwise one line for each point. */
#ifndef TW__PROGRESS_H
#define TW__PROGRESS_H

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

/* Callbacks for struct tw__sweep_watch, whose context is the struct progress. */
void progress_begin(void *, const struct tw__sweep_counts *, const struct tw__kept *);
void progress_point(void *, const struct tw__sweep_counts *, const struct tw__finished *);
void progress_tick(void *, const struct tw__sweep_counts *);
/* Removes the bar from the screen. */
void progress_end(struct progress *);

#endif
