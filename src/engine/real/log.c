/* The log of timed mode, which computes nothing during the run. The log lists all kernels and copies in the order of
 * their ends. Replaying them one after the other in this order gives the results that the run would have computed. */
#include <stdlib.h>
#include <string.h>

#include "engine/real/real.h"
#include "engine/real/serial.h"

struct tw__log {
	struct tw__job *first, *last;
};

struct tw__log *tw__log_create(void) { return calloc(1, sizeof(struct tw__log)); }

void tw__log_destroy(struct tw__log *log) { free(log); } /* does not free the jobs: the engine owns them */

void tw__log_add(struct tw__log *log, struct tw__job *job)
{
	job->next = NULL;
	if (log->first)
		log->last->next = job;
	else
		log->first = job;
	log->last = job;
}

int tw__log_replay(struct tw__engine *e, struct tw_error *err)
{
	uint64_t bytes = tw__family_workspace_bytes(e->family);
	void *workspace = tw__aligned_room(bytes);
	if (!workspace)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	int code = 0;
	const struct tw__job *job = e->log->first;
	for (; job && !code; job = code ? job : job->next) {
		const struct tw_call call = {
			.shape = tw__family_shape(e->family),
			.task = job->task,
			.seed = e->seed,
			.n_operands = job->n_operands,
			.operands = job->operands,
			.workspace = workspace,
			.n_parts = 1,
		};
		if (job->is_copy) {
			memcpy(job->target, job->source, job->bytes);
			continue;
		}
		tw__watched_step(e, tw__watched_kernel_s(e, job->task), "kernel '%s' of task %d", job->codelet->kernel,
		                 (int)job->task);
		code = job->codelet->run(&call);
	}
	free(workspace);
	return code ? tw_fail(err, TW_FAILED, "engine 'real': kernel '%s' of task %d returned %d", job->codelet->kernel,
	                      (int)job->task, code)
	            : TW_OK;
}
