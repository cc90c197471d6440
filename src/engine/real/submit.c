/* Operations of the engine in a turn: kernels and copies, as jobs for workers and devices. */
#include <string.h>

#include "engine/real/real.h"

void tw__real_place(struct tw__engine *e, tw_node n, tw_data d, uint64_t offset, uint64_t bytes)
{
	struct tw__device *device = e->devices[n];
	*tw__spaces_offset(&e->spaces, n, d) = offset;
	if (!e->poisons || !device)
		return;
	void *at = tw__spaces_at(&e->spaces, n, d);
	if (tw__device_ops_of(device)->poison)
		tw__device_ops_of(device)->poison(device, at, bytes);
	else
		memset(at, 0xff, bytes);
}

static void tamper(struct tw__engine *e, struct tw__job *job)
{
	if (e->config.tamper)
		e->config.tamper(e->config.tamper_context, job);
}

/* Tells the watchdog the modelled duration of a new kernel or copy, if it is the longest so far. */
static void expect(struct tw__engine *e, double seconds)
{
	if (seconds <= e->longest_s)
		return;
	e->longest_s = seconds;
	tw__watch_longest(&e->watch, seconds);
}

static void give(struct tw__engine *e, tw_worker w, struct tw__job *job)
{
	struct tw__device *device = e->devices[e->platform->workers[w].node];
	if (e->workers[w])
		tw__worker_thread_give(e->workers[w], job);
	else
		tw__device_ops_of(device)->launch(device, job);
}

void tw__real_exec(struct tw__engine *e, const struct tw__launch *launch, uint64_t token)
{
	struct tw__job *job = tw__job_get(e, token);
	tw_node node = e->platform->workers[launch->worker].node;
	job->worker = launch->worker;
	job->task = launch->task;
	job->n_workers = launch->n_workers;
	job->workers = launch->workers;
	job->length = launch->length;
	job->n_operands = launch->n_accesses;
	job->codelet = e->family ? e->family->codelets[e->graph->kernel[launch->task]] : NULL;
	for (int i = 0; i < launch->n_accesses; i++) {
		const struct tw__placed *p = &launch->access[i];
		char *base = e->spaces.has_all[node] ? tw__spaces_at(&e->spaces, node, p->data) : e->spaces.base[node];
		job->operands[i] = (struct tw_operand){base + p->offset, e->graph->data_bytes[p->data], p->mode};
	}
	expect(e, tw__seconds(launch->length));
	tamper(e, job);
	if (e->timed)
		tw__timed_give(e, job);
	give(e, launch->worker, job);
}

void tw__real_refill(struct tw__engine *e, tw_worker w, tw_data d, uint64_t token)
{
	struct tw__job *job = tw__job_get(e, token);
	tw_node node = e->platform->workers[w].node;
	job->is_content = true;
	job->worker = w;
	job->data = d;
	job->target = tw__spaces_at(&e->spaces, node, d);
	give(e, w, job);
}

void tw__real_rehearse(struct tw__engine *e, tw_worker w, tw_task t)
{
	struct tw__job *job = tw__job_get(e, 0);
	tw_kernel k = e->graph->kernel[t];
	job->is_rehearsal = true;
	job->worker = w;
	job->task = t;
	job->codelet = e->family->codelets[k];
	expect(e, e->graph->kernels[k].flops / 1e10);
	give(e, w, job);
}

void tw__real_transfer(struct tw__engine *e, tw_node from, tw_node to, tw_data d, uint64_t bytes, uint64_t token)
{
	struct tw__job *job = tw__job_get(e, token);
	const struct tw__route *route = tw__route_of(e->platform, from, to);
	job->is_copy = true;
	job->from = from;
	job->to = to;
	job->data = d;
	job->bytes = bytes;
	job->source = tw__spaces_at(&e->spaces, from, d);
	job->target = tw__spaces_at(&e->spaces, to, d);
	expect(e, route->latency + (double)bytes / route->bandwidth);
	tamper(e, job);
	/* the accelerator's device makes copies with main memory, that of the target all others */
	struct tw__device *device =
		e->devices[tw__is_main(e->platform, to) && tw__is_card(e->platform, from) ? from : to];
	if (e->timed)
		tw__timed_copy(e, job);
	else
		tw__device_ops_of(device)->copy(device, job);
}
