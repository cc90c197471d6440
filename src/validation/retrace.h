/* A run that has happened, told again with other durations. Each kernel and copy starts when what it waited for has ended: so the order of the
 * run is kept, and one can ask how long it would have taken with the copies of the model, or without the runtime system's delays. */
#ifndef TW__RETRACE_H
#define TW__RETRACE_H

#include "platform/platform.h"
#include "trace/history.h"

struct tw__retrace; /* what waits for what */

struct tw__retrace_setup {
	const struct tw_graph *graph;
	const struct tw_platform *platform;
	const struct tw__history *history;
	/* A kernel or copy that starts more than this after all that it is known to wait for waited for something else, too: for what ended last
	 * before it started. Seconds; the delays of turns are shorter. */
	double patience_s;
};

int tw__retrace_create(struct tw__retrace **, const struct tw__retrace_setup *, struct tw_error *err);
void tw__retrace_destroy(struct tw__retrace *);

struct tw__retrace_how {
	bool model_copies; /* copies take what they take in simulations, where they share links; else what they took */
	bool no_delays;    /* all starts at once when what it waited for has ended; else as late as it did */
	double turn_s; /* with no_delays: each kernel waits for a turn that takes so long; there is one turn at a time */
};

/* The makespan. */
int tw__retrace_run(struct tw__retrace *, const struct tw__retrace_how *, double *makespan_s, struct tw_error *err);

#endif
