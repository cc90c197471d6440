/* Replays a past run without the delays of the runtime system. Each kernel and copy starts when the kernels and copies
 * that it waited for have ended. So the order of the past run is kept. The replay tells how long the run would have
 * taken with modelled copies, or with turns of the runtime system. */
#ifndef TW__RETRACE_H
#define TW__RETRACE_H

#include "platform/platform.h"
#include "trace/history.h"

struct tw__retrace; /* the dependencies between the kernels and copies of a run */

struct tw__retrace_setup {
	const struct tw_graph *graph;
	const struct tw__platform *platform;
	const struct tw__history *history;
	/* If a kernel or copy started more than this many seconds after its known dependencies, it also waited for the
	 * kernel or copy that had ended last. Choose more than any delay by turns. */
	double patience_s;
	/* The modelled launches on GPUs, as in params.h: how long one delays its kernel, and [n_tasks] how long it
	 * blocks the GPU's thread behind that. NULL: it does not. */
	tw__ns launch;
	const tw__ns *blocks;
};

struct tw__retrace *tw__retrace_create(const struct tw__retrace_setup *);
void tw__retrace_destroy(struct tw__retrace *);

/* Replays the run, and returns its makespan in s. `model_copies`: whether copies share links as in simulations;
 * otherwise they take their measured times. `model_launches`: the same for launches on GPUs. Each kernel waits for a
 * turn of `turn_s` s; one turn runs at a time. */
double tw__retrace_run(struct tw__retrace *, bool model_copies, bool model_launches, double turn_s);

#endif
