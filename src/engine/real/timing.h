/* One kernel, once, on one worker of this machine, alone: how long it takes. */
#ifndef TW__TIMING_H
#define TW__TIMING_H

#include "engine/real/real.h"

struct tw__timing {
	struct tw__engine
		engine; /* as much of one as a worker's thread or a device needs; its main memory has room for the data */
	struct tw__seat seat; /* the calling thread waits there for the end of a job */
	struct tw__job job;
	/* The worker: a thread, or a GPU. */
	struct tw__worker_thread *thread;
	struct tw__device *gpu;
	tw_node node;  /* the GPU's */
	bool *may_run; /* [kernels] the worker has such a kernel */
};

/* Before anything else; engine.platform, graph, config, seed and patience_s are set. */
int tw__timing_open(struct tw__timing *, struct tw_error *err);
void tw__timing_close(struct tw__timing *); /* not if the engine hangs */

/* The data have their initial content again: what another worker has left may be no matrix that can be factored. */
int tw__timing_open_worker(struct tw__timing *, tw_worker, int first_core, struct tw_error *err);
void tw__timing_close_worker(struct tw__timing *);

/* Runs a task, or one that a reduction will append: it adds one accumulator to another. Operands are in main memory; a GPU gets copies of
 * them, and what it writes is brought back. */
int tw__timing_task(struct tw__timing *, tw_task, double *seconds, struct tw_error *err);
int tw__timing_combination(struct tw__timing *, const struct tw__phase *, double *seconds, struct tw_error *err);

#endif
