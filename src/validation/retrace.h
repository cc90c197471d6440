/* Replays a past run with other durations. Each kernel and copy starts when the items that it waited for have ended,
 * so the order of the run is kept. This answers how long the run would have taken with modelled copies, or without
 * the runtime system's delays. */
#ifndef TW__RETRACE_H
#define TW__RETRACE_H

#include "platform/platform.h"
#include "trace/history.h"

struct tw__retrace; /* the dependencies between the items of a run */

struct tw__retrace_setup {
	const struct tw_graph *graph;
	const struct tw_platform *platform;
	const struct tw__history *history;
	/* If a kernel or copy starts more than this after its known dependencies, it also waited for the item that
	 * ended last before its start. In seconds; delays of turns are shorter. */
	double patience_s;
};

int tw__retrace_create(struct tw__retrace **, const struct tw__retrace_setup *, struct tw_error *err);
void tw__retrace_destroy(struct tw__retrace *);

struct tw__retrace_how {
	bool model_copies; /* copies share links as in simulations; otherwise they take their measured times */
	bool no_delays;    /* items start when their dependencies have ended; otherwise with their measured delay */
	double turn_s;     /* with no_delays: each kernel waits for a turn of this length; one turn runs at a time */
};

/* Computes the makespan of the replay. */
int tw__retrace_run(struct tw__retrace *, const struct tw__retrace_how *, double *makespan_s, struct tw_error *err);

#endif
