/* Tasks by kernel, accesses by mode, bytes and flops. */
#include <math.h>
#include <stdlib.h>

#include "describe/describe.h"

const enum tw_mode tw__described_modes[TW__N_MODES] = {TW_R, TW_W, TW_RW, TW_SCRATCH, TW_REDUX};

static void count_access(struct tw__description *d, tw__access access, bool *seen, double *task_bytes)
{
	const struct tw_graph *g = d->graph;
	enum tw_mode mode = tw__access_mode(access);
	tw_data data = tw__access_data(access);
	double bytes = (double)g->data_bytes[data];
	int i = 0;
	while (tw__described_modes[i] != mode)
		i++;
	d->accesses[i]++;
	*task_bytes += bytes;
	if (mode == TW_SCRATCH)
		return;
	d->access_bytes += bytes;
	if (!seen[data])
		d->working_set_bytes += bytes;
	seen[data] = true;
}

int tw__describe_counts(struct tw__description *d, struct tw_error *err)
{
	const struct tw_graph *g = d->graph;
	bool *seen = calloc((size_t)g->n_data + 1, sizeof *seen);
	d->kernel_tasks = calloc((size_t)g->n_kernels + 1, sizeof *d->kernel_tasks);
	if (!seen || !d->kernel_tasks) {
		free(seen);
		return tw_fail(err, TW_NOMEM, "out of memory for the counts of %d tasks", (int)g->n_tasks);
	}
	for (tw_data h = 0; h < g->n_data; h++)
		d->handle_bytes += (double)g->data_bytes[h];
	for (tw_task t = 0; t < g->n_tasks; t++) {
		double bytes = 0;
		d->kernel_tasks[g->kernel[t]]++;
		d->recorded_s += g->seconds ? g->seconds[t] : NAN;
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
			count_access(d, g->access[a], seen, &bytes);
		if (bytes > d->largest_task_bytes)
			d->largest_task_bytes = bytes;
	}
	for (tw_kernel k = 0; k < g->n_kernels; k++)
		d->task_flops += d->kernel_tasks[k] * g->kernels[k].flops;
	free(seen);
	return TW_OK;
}
