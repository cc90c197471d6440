#include "engine/real/timing.h"

#include <stdlib.h>
#include <string.h>

#include "base/wall.h"
#include "graph/reduction.h"
#include "engine/real/serial.h"

/* A lower bound on a kernel's rate, and on that of a copy: how long to wait for one that has no time yet. */
#define LEAST_FLOPS_PER_S 1e8
#define LEAST_BYTES_PER_S 1e6

enum { ALIGNMENT = 256 }; /* of data on a GPU, bytes */

static uint64_t aligned(uint64_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static void lead(void *arg, struct tw__post *post)
{
	struct tw__timing *m = arg;
	tw__seat_give(&m->seat, post);
}

int tw__timing_open(struct tw__timing *m, struct tw_error *err)
{
	struct tw__engine *e = &m->engine;
	struct tw__engine_setup setup = {.platform = e->platform, .graph = e->graph, .home = TW_RAM};
	tw__watch_init(&e->watch);
	tw__watched_init(&e->watched);
	tw__seat_init(&m->seat);
	e->clock.stretch = 1;
	clock_gettime(CLOCK_MONOTONIC, &e->clock.zero);
	e->baton = tw__baton_create(lead, m);
	e->devices = calloc((size_t)e->platform->n_nodes, sizeof *e->devices);
	m->may_run = calloc((size_t)e->graph->n_kernels + 1, sizeof *m->may_run);
	m->job.operands = calloc(TW_MAX_ACCESSES, sizeof *m->job.operands);
	if (!e->baton || !e->devices || !m->may_run || !m->job.operands)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	int status = tw__cores_open(e, err);
	if (status == TW_OK)
		status = tw__family_open(&e->family, e->config.workload, e->config.workload_args, e->graph, err);
	return status == TW_OK ? tw__spaces_open(&e->spaces, &setup, TW__USED, err) : status;
}

void tw__timing_close(struct tw__timing *m)
{
	struct tw__engine *e = &m->engine;
	tw__watch_finish(&e->watch);
	tw__watched_finish(&e->watched);
	tw__baton_destroy(e->baton);
	tw__spaces_close(&e->spaces);
	tw__family_close(e->family);
	tw__cores_close(e);
	free(e->devices);
	free(m->may_run);
	free(m->job.operands);
}

/* --- the worker --------------------------------------------------------------------------------------------------- */

/* A GPU has room for the operands of one task. */
static uint64_t arena_bytes(const struct tw_graph *g)
{
	uint64_t most = ALIGNMENT;
	for (tw_task t = 0; t < g->n_tasks; t++) {
		uint64_t bytes = 0;
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
			bytes += aligned(g->data_bytes[tw__access_data(g->access[a])]);
		most = bytes > most ? bytes : most;
	}
	for (int p = 0; p < g->n_phases; p++) {
		uint64_t bytes = 2 * aligned(g->data_bytes[g->phases[p].data]);
		most = bytes > most ? bytes : most;
	}
	return most;
}

static int open_gpu(struct tw__timing *m, tw_worker worker, struct tw_error *err)
{
	struct tw__engine *e = &m->engine;
	const struct tw__device_ops *ops;
	int status = tw__device_plugin(&ops, err);
	m->node = e->platform->workers[worker].node;
	if (status == TW_OK)
		status = tw__gpu_open(e, worker, arena_bytes(e->graph), err);
	m->gpu = e->devices[m->node];
	for (tw_kernel k = 0; k < e->graph->n_kernels && status == TW_OK; k++)
		m->may_run[k] = ops->has(e->config.workload, e->graph->kernels[k].name);
	return status;
}

int tw__timing_open_worker(struct tw__timing *m, tw_worker worker, int first_core, struct tw_error *err)
{
	const struct tw_platform *p = m->engine.platform;
	m->thread = NULL;
	m->gpu = NULL;
	memset(m->may_run, true, (size_t)m->engine.graph->n_kernels);
	int status = tw__watched_work(&m->engine, tw__real_fill, err);
	if (status < 0)
		return status;
	if (p->archs[p->workers[worker].arch].accelerator && !m->engine.config.emulates)
		return open_gpu(m, worker, err);
	return tw__worker_thread_create(&m->thread, &m->engine, worker, first_core, err);
}

void tw__timing_close_worker(struct tw__timing *m)
{
	if (m->gpu) {
		tw__device_ops_of(m->gpu)->close(m->gpu);
		m->engine.devices[m->node] = NULL;
	}
	tw__worker_thread_destroy(m->thread);
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

/* False: it takes too long. */
static bool wait_for_end(struct tw__timing *m, double patience_s)
{
	double start_s = tw__wall_s(), left_s = patience_s;
	while (!tw__seat_poll(&m->seat)) {
		if (left_s <= 0)
			return false;
		tw__seat_wait(&m->seat, left_s);
		left_s = start_s + patience_s - tw__wall_s();
	}
	return true;
}

/* `what`: it is given to the worker already. */
static int finish_job(struct tw__timing *m, const struct tw__job *job, const char *what, double least_s,
                      struct tw_error *err)
{
	double patience_s = m->engine.patience_s + least_s;
	if (!wait_for_end(m, patience_s)) {
		m->engine.hangs = true;
		return tw_fail(err, TW_FAILED,
		               "engine 'real': %s of task %d has not come back for %.1f s while it was timed", what,
		               (int)m->job.task, patience_s);
	}
	if (job->why)
		return tw_fail(err, TW_FAILED, "engine 'real': %s of task %d has failed while it was timed: %s", what,
		               (int)m->job.task, job->why);
	if (job->code)
		return tw_fail(err, TW_FAILED, "engine 'real': %s of task %d returned %d while it was timed", what,
		               (int)m->job.task, job->code);
	return TW_OK;
}

/* An operand to the GPU, or back. */
static int copy(struct tw__timing *m, bool to_gpu, void *target, const void *source, uint64_t bytes,
                struct tw_error *err)
{
	tw_node home = m->engine.spaces.home;
	struct tw__job job = {.is_copy = true,
	                      .from = to_gpu ? home : m->node,
	                      .to = to_gpu ? m->node : home,
	                      .target = target,
	                      .source = source,
	                      .bytes = bytes};
	tw__device_ops_of(m->gpu)->copy(m->gpu, &job);
	return finish_job(m, &job, "an operand", (double)bytes / LEAST_BYTES_PER_S, err);
}

/* All operands to the GPU, where they lie one behind the other; or back, those that were written. */
static int copy_operands(struct tw__timing *m, bool to_gpu, void *const *home, struct tw_error *err)
{
	char *at = m->engine.spaces.base[m->node];
	int status = TW_OK;
	for (int i = 0; i < m->job.n_operands && status == TW_OK; i++) {
		struct tw_operand *o = &m->job.operands[i];
		if (to_gpu)
			status = copy(m, true, at, home[i], o->bytes, err);
		else if (o->mode & TW_W)
			status = copy(m, false, home[i], at, o->bytes, err);
		o->at = to_gpu ? at : home[i];
		at += aligned(o->bytes);
	}
	return status;
}

static int run(struct tw__timing *m, tw_kernel k, double *seconds, struct tw_error *err)
{
	const struct tw__kernel *kernel = &m->engine.graph->kernels[k];
	void *home[TW_MAX_ACCESSES];
	char what[80];
	int status = TW_OK;
	snprintf(what, sizeof what, "kernel '%.60s'", kernel->name);
	m->job.codelet = tw__family_codelet(m->engine.family, k);
	for (int i = 0; i < m->job.n_operands; i++)
		home[i] = m->job.operands[i].at;
	if (m->gpu)
		status = copy_operands(m, true, home, err);
	if (status < 0)
		return status;
	if (m->gpu)
		tw__device_ops_of(m->gpu)->launch(m->gpu, &m->job);
	else
		tw__worker_thread_give(m->thread, &m->job);
	status = finish_job(m, &m->job, what, kernel->flops / LEAST_FLOPS_PER_S, err);
	if (status < 0)
		return status; /* a thread may still use the job */
	*seconds = m->job.end - m->job.start;
	return m->gpu ? copy_operands(m, false, home, err) : TW_OK;
}

int tw__timing_task(struct tw__timing *m, tw_task t, double *seconds, struct tw_error *err)
{
	const struct tw_graph *g = m->engine.graph;
	m->job = (struct tw__job){.task = t, .operands = m->job.operands};
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		tw_data d = tw__access_data(g->access[a]);
		unsigned mode = tw__access_mode(g->access[a]);
		m->job.operands[m->job.n_operands++] =
			(struct tw_operand){tw__spaces_home(&m->engine.spaces, d), g->data_bytes[d],
		                            mode & TW_REDUX ? TW_REDUX | TW_RW : mode};
	}
	return run(m, g->kernel[t], seconds, err);
}

int tw__timing_combination(struct tw__timing *m, const struct tw__phase *phase, double *seconds, struct tw_error *err)
{
	const struct tw_graph *g = m->engine.graph;
	uint64_t bytes = g->data_bytes[phase->data];
	void *other = tw__aligned_room(bytes);
	if (!other)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	memset(other, 0, bytes);
	m->job = (struct tw__job){.task = g->n_tasks, .operands = m->job.operands, .n_operands = 2};
	m->job.operands[0] = (struct tw_operand){tw__spaces_home(&m->engine.spaces, phase->data), bytes, TW_RW};
	m->job.operands[1] = (struct tw_operand){other, bytes, TW_R};
	int status = run(m, phase->combine, seconds, err);
	if (!m->engine.hangs)
		free(other);
	return status;
}
