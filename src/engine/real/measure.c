#include "engine/real/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/wall.h"
#include "graph/reduction.h"
#include "platform/bind.h"
#include "platform/machine.h"
#include "engine/real/real.h"
#include "engine/real/serial.h"

enum { MOST_SAMPLES = 10 };

/* A lower bound on a kernel's rate: how long to wait for one that has no time yet. */
#define LEAST_FLOPS_PER_S 1e8

struct sample_set {
	double seconds[MOST_SAMPLES + 1]; /* the first is a warm-up */
	int n;
};

struct measure {
	struct tw__engine engine; /* as much of one as a worker's thread needs */
	struct tw__seat seat;     /* this thread waits there for the end of a kernel */
	struct tw__job job;
	const struct tw_platform *platform;
	const struct tw_graph *graph;
	struct sample_set *samples; /* [kernels], on the arch being measured */
	double until_s;
};

static void lead(void *arg, struct tw__post *post)
{
	struct measure *m = arg;
	tw__seat_give(&m->seat, post);
}

/* --- one kernel ------------------------------------------------------------------------------------------------- */

/* False: it takes too long. */
static bool wait_for_end(struct measure *m, double patience_s)
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

static int run_job(struct measure *m, struct tw__worker_thread *thread, tw_kernel k, struct tw_error *err)
{
	struct sample_set *set = &m->samples[k];
	double patience_s = m->engine.patience_s + m->graph->kernels[k].flops / LEAST_FLOPS_PER_S;
	m->job.codelet = tw__family_codelet(m->engine.family, k);
	tw__worker_thread_give(thread, &m->job);
	if (!wait_for_end(m, patience_s)) {
		m->engine.hangs = true;
		return tw_fail(err, TW_FAILED,
		               "engine 'real': kernel '%s' of task %d has not come back for %.1f s while it was timed",
		               m->job.codelet->kernel, (int)m->job.task, patience_s);
	}
	if (m->job.code)
		return tw_fail(err, TW_FAILED, "engine 'real': kernel '%s' of task %d returned %d while it was timed",
		               m->job.codelet->kernel, (int)m->job.task, m->job.code);
	set->seconds[set->n++] = m->job.end - m->job.start;
	return TW_OK;
}

static int run_task(struct measure *m, struct tw__worker_thread *thread, tw_task t, struct tw_error *err)
{
	const struct tw_graph *g = m->graph;
	m->job = (struct tw__job){.task = t, .operands = m->job.operands};
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		tw_data d = tw__access_data(g->access[a]);
		unsigned mode = tw__access_mode(g->access[a]);
		m->job.operands[m->job.n_operands++] =
			(struct tw_operand){tw__spaces_home(&m->engine.spaces, d), g->data_bytes[d],
		                            mode & TW_REDUX ? TW_REDUX | TW_RW : mode};
	}
	return run_job(m, thread, g->kernel[t], err);
}

/* A task that a reduction will append: it adds one accumulator to another. */
static int run_combination(struct measure *m, struct tw__worker_thread *thread, const struct tw__phase *phase,
                           struct tw_error *err)
{
	uint64_t bytes = m->graph->data_bytes[phase->data];
	void *other = tw__aligned_room(bytes);
	if (!other)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	memset(other, 0, bytes);
	m->job = (struct tw__job){.task = m->graph->n_tasks, .operands = m->job.operands, .n_operands = 2};
	m->job.operands[0] = (struct tw_operand){tw__spaces_home(&m->engine.spaces, phase->data), bytes, TW_RW};
	m->job.operands[1] = (struct tw_operand){other, bytes, TW_R};
	int status = run_job(m, thread, phase->combine, err);
	if (!m->engine.hangs)
		free(other);
	return status;
}

/* Tasks in the order of submission, of each kernel as many as are needed. A kernel whose task is left out leaves its data as they were,
 * which is no harm to the time of others. */
static int run_tasks(struct measure *m, struct tw__worker_thread *thread, struct tw_error *err)
{
	int status = TW_OK;
	for (tw_task t = 0; t < m->graph->n_tasks && status == TW_OK; t++) {
		int n = m->samples[m->graph->kernel[t]].n;
		if (n == 0 || (n <= MOST_SAMPLES && tw__wall_s() < m->until_s))
			status = run_task(m, thread, t, err);
	}
	for (int p = 0; p < m->graph->n_phases && status == TW_OK; p++)
		if (m->samples[m->graph->phases[p].combine].n <= MOST_SAMPLES)
			status = run_combination(m, thread, &m->graph->phases[p], err);
	return status;
}

/* --- one arch --------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The median of all but the warm-up, and the standard deviation that its quartiles tell of. */
static void write_row(FILE *f, const struct tw__kernel *k, const struct tw__arch *arch, struct sample_set *set)
{
	int skip = set->n > 1, n = set->n - skip;
	double *s = set->seconds + skip;
	qsort(s, (size_t)n, sizeof *s, by_value);
	double median = n % 2 ? s[n / 2] : (s[n / 2 - 1] + s[n / 2]) / 2, spread = (s[3 * n / 4] - s[n / 4]) / 1.349;
	fprintf(f, "%s,%s,%d,%s,%s,%.6g,%.6g,%d,timed before the run\n", k->name, arch->name, arch->cores, k->size,
	        k->precision, 1e6 * fmax(median, 1e-9), n > 3 ? 1e6 * spread : 0, n);
}

static void write_rows(FILE *f, struct measure *m, const struct tw__arch *arch)
{
	for (int k = 0; k < m->graph->n_kernels; k++) {
		bool splits = tw__family_codelet(m->engine.family, k)->splits;
		const struct tw__kernel *kernel = &m->graph->kernels[k];
		if (m->samples[k].n > 0 && (arch->cores == 1 || splits))
			write_row(f, kernel, arch, &m->samples[k]);
	}
}

static int measure_arch(FILE *f, struct measure *m, tw_worker worker, int core, double limit_s, struct tw_error *err)
{
	const struct tw__arch *arch = &m->platform->archs[m->platform->workers[worker].arch];
	struct tw__worker_thread *thread = NULL;
	int status = tw__worker_thread_create(&thread, &m->engine, worker, core, err);
	m->until_s = tw__wall_s() + limit_s;
	memset(m->samples, 0, (size_t)m->graph->n_kernels * sizeof *m->samples);
	if (status == TW_OK)
		status = run_tasks(m, thread, err);
	if (!m->engine.hangs)
		tw__worker_thread_destroy(thread);
	if (status == TW_OK)
		write_rows(f, m, arch);
	return status;
}

/* The first worker of each arch, on the cores that it will have. */
static int measure_archs(FILE *f, struct measure *m, double limit_s, struct tw_error *err)
{
	const struct tw_platform *p = m->platform;
	char why[160];
	int status = TW_OK, cores = tw__bindable_cores(why, sizeof why);
	for (tw_worker w = 0; w < p->n_workers && status == TW_OK; w++) {
		const struct tw__worker *worker = &p->workers[w];
		bool is_first = true;
		for (tw_worker v = 0; v < w; v++)
			is_first &= p->workers[v].arch != worker->arch;
		int core = tw__machine_core(p, w);
		if (core != TW_NONE && core + worker->cores > cores)
			core = TW_NONE;
		if (is_first)
			status = measure_arch(f, m, w, core, limit_s / p->n_archs, err);
	}
	return status;
}

/* --- opening ---------------------------------------------------------------------------------------------------- */

/* A kernel without parts needs a worker that is no group. */
static int check_workers(const struct measure *m, const char *workload, struct tw_error *err)
{
	for (tw_worker w = 0; w < m->platform->n_workers; w++)
		if (m->platform->workers[w].cores == 1)
			return TW_OK;
	for (int k = 0; k < m->graph->n_kernels; k++)
		if (!tw__family_codelet(m->engine.family, k)->splits)
			return tw_fail(err, TW_INVALID,
			               "workload '%s': kernel '%s' has no parts for the cores of a group: expected a "
			               "worker that is no group",
			               workload, m->graph->kernels[k].name);
	return TW_OK;
}

static int open_engine(struct measure *m, const struct tw__real_config *config, struct tw_error *err)
{
	struct tw__engine *e = &m->engine;
	struct tw__engine_setup setup = {.platform = m->platform, .graph = m->graph, .home = TW_RAM};
	e->clock.stretch = 1;
	clock_gettime(CLOCK_MONOTONIC, &e->clock.zero);
	e->baton = tw__baton_create(lead, m);
	m->samples = calloc((size_t)m->graph->n_kernels + 1, sizeof *m->samples);
	m->job.operands = calloc(TW_MAX_ACCESSES, sizeof *m->job.operands);
	if (!e->baton || !m->samples || !m->job.operands)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	int status = tw__family_open(&e->family, config->workload, config->workload_args, m->graph, err);
	if (status == TW_OK)
		status = check_workers(m, config->workload, err);
	if (status == TW_OK)
		status = tw__spaces_open(&e->spaces, &setup, false, err);
	return status == TW_OK ? tw__watched_work(e, tw__real_fill, err) : status;
}

int tw__real_measure(FILE *f, const struct tw_platform *platform, const struct tw_graph *graph,
                     const struct tw__real_config *config, uint64_t seed, double limit_s, struct tw_error *err)
{
	struct measure *m = tw__aligned_room(sizeof *m);
	if (!m)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	memset(m, 0, sizeof *m);
	m->platform = m->engine.platform = platform;
	m->graph = m->engine.graph = graph;
	m->engine.seed = seed;
	m->engine.patience_s = tw_args_seconds(config->args, "patience");
	tw__watch_init(&m->engine.watch);
	tw__watched_init(&m->engine.watched);
	tw__seat_init(&m->seat);
	int status = open_engine(m, config, err);
	if (status == TW_OK)
		status = measure_archs(f, m, limit_s, err);
	if (m->engine.hangs)
		return status; /* its thread may still use all of it */
	tw__watch_finish(&m->engine.watch);
	tw__watched_finish(&m->engine.watched);
	tw__baton_destroy(m->engine.baton);
	tw__spaces_close(&m->engine.spaces);
	tw__family_close(m->engine.family);
	free(m->samples);
	free(m->job.operands);
	free(m);
	return status;
}
