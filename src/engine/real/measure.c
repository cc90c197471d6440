#include "engine/real/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/wall.h"
#include "graph/reduction.h"
#include "platform/machine.h"
#include "engine/real/serial.h"
#include "engine/real/timing.h"

enum { MOST_SAMPLES = 10 };

struct sample_set {
	double seconds[MOST_SAMPLES + 1]; /* the first is a warm-up */
	int n;
};

struct measure {
	struct tw__timing timing;
	const struct tw_platform *platform;
	const struct tw_graph *graph;
	struct sample_set *samples; /* [kernels], on the arch being measured */
	double until_s;
};

static bool wants_sample(const struct measure *m, tw_kernel k)
{
	int n = m->samples[k].n;
	return m->timing.may_run[k] && (n == 0 || (n <= MOST_SAMPLES && tw__wall_s() < m->until_s));
}

/* Tasks in the order of submission, of each kernel as many as are needed. A kernel whose task is left out leaves its data as they were,
 * which is no harm to the time of others. */
static int run_tasks(struct measure *m, struct tw_error *err)
{
	const struct tw_graph *g = m->graph;
	int status = TW_OK;
	for (tw_task t = 0; t < g->n_tasks && status == TW_OK; t++) {
		struct sample_set *set = &m->samples[g->kernel[t]];
		if (wants_sample(m, g->kernel[t]))
			status = tw__timing_task(&m->timing, t, &set->seconds[set->n++], err);
	}
	for (int p = 0; p < g->n_phases && status == TW_OK; p++) {
		struct sample_set *set = &m->samples[g->phases[p].combine];
		if (wants_sample(m, g->phases[p].combine))
			status = tw__timing_combination(&m->timing, &g->phases[p], &set->seconds[set->n++], err);
	}
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
		bool splits = tw__family_codelet(m->timing.engine.family, k)->splits;
		const struct tw__kernel *kernel = &m->graph->kernels[k];
		if (m->samples[k].n > 0 && (arch->cores == 1 || splits))
			write_row(f, kernel, arch, &m->samples[k]);
	}
}

static int measure_arch(FILE *f, struct measure *m, tw_worker worker, double limit_s, struct tw_error *err)
{
	const struct tw__arch *arch = &m->platform->archs[m->platform->workers[worker].arch];
	int core = tw__machine_core(m->platform, worker);
	bool is_bound = core != TW_NONE && core + arch->cores <= m->timing.engine.cores.n;
	int status = tw__timing_open_worker(&m->timing, worker, is_bound ? core : TW_NONE, err);
	m->until_s = tw__wall_s() + limit_s;
	memset(m->samples, 0, (size_t)m->graph->n_kernels * sizeof *m->samples);
	if (status == TW_OK)
		status = run_tasks(m, err);
	if (!m->timing.engine.hangs)
		tw__timing_close_worker(&m->timing);
	if (status == TW_OK)
		write_rows(f, m, arch);
	return status;
}

/* The first worker of each arch, on the cores that it will have. */
static int measure_archs(FILE *f, struct measure *m, double limit_s, struct tw_error *err)
{
	const struct tw_platform *p = m->platform;
	int status = TW_OK;
	for (tw_worker w = 0; w < p->n_workers && status == TW_OK; w++) {
		bool is_first = true;
		for (tw_worker v = 0; v < w; v++)
			is_first &= p->workers[v].arch != p->workers[w].arch;
		if (is_first)
			status = measure_arch(f, m, w, limit_s / p->n_archs, err);
	}
	return status;
}

/* --- opening ---------------------------------------------------------------------------------------------------- */

/* A kernel without parts needs a worker that is no group. */
static int check_workers(const struct measure *m, const char *workload, struct tw_error *err)
{
	bool has_group = false;
	for (tw_worker w = 0; w < m->platform->n_workers; w++) {
		bool is_cpu = !m->platform->archs[m->platform->workers[w].arch].accelerator;
		if (is_cpu && m->platform->workers[w].cores == 1)
			return TW_OK;
		has_group |= is_cpu;
	}
	if (!has_group)
		return TW_OK;
	for (int k = 0; k < m->graph->n_kernels; k++)
		if (!tw__family_codelet(m->timing.engine.family, k)->splits)
			return tw_fail(err, TW_INVALID,
			               "workload '%s': kernel '%s' has no parts for the cores of a group: expected a "
			               "worker that is no group",
			               workload, m->graph->kernels[k].name);
	return TW_OK;
}

int tw__real_measure(FILE *f, const struct tw_platform *platform, const struct tw_graph *graph,
                     const struct tw__real_config *config, uint64_t seed, double limit_s, struct tw_error *err)
{
	struct measure *m = tw__aligned_room(sizeof *m);
	if (!m)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	memset(m, 0, sizeof *m);
	struct tw__engine *e = &m->timing.engine;
	m->platform = e->platform = platform;
	m->graph = e->graph = graph;
	e->config = *config;
	e->seed = seed;
	e->patience_s = tw_args_seconds(config->args, "patience");
	m->samples = calloc((size_t)graph->n_kernels + 1, sizeof *m->samples);
	int status =
		m->samples ? tw__timing_open(&m->timing, err) : tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	if (status == TW_OK)
		status = check_workers(m, config->workload, err);
	if (status == TW_OK)
		status = measure_archs(f, m, limit_s, err);
	if (e->hangs)
		return status; /* its thread may still use all of it */
	tw__timing_close(&m->timing);
	free(m->samples);
	free(m);
	return status;
}
