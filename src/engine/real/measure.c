#include "engine/real/config.h"

#include <math.h>
#include <stdlib.h>

#include "base/wall.h"
#include "engine/real/bench.h"

enum { MOST_SAMPLES = 10 };

struct sample_set {
	double seconds[MOST_SAMPLES + 1]; /* in the order of measurement; the first is a warm-up */
	int n;
};

struct measure {
	const struct tw__platform *platform;
	const struct tw_graph *graph;
	struct tw__bench *bench;
	struct sample_set *samples; /* [kernel * archs + arch] measurements of each kernel on each arch */
	int shift;
	double until_s;
};

static struct sample_set *samples_of(const struct measure *m, tw_kernel k, tw_worker w)
{
	return &m->samples[k * m->platform->n_archs + m->platform->workers[w].arch];
}

/* Whether the shift must go on: until each kernel has enough samples, or the time is over and each has run once. */
static bool wants_more(const struct measure *m)
{
	bool is_over = tw__wall_s() >= m->until_s;
	for (tw_worker w = 0; w < m->platform->n_workers; w++)
		for (tw_kernel k = 0; k < m->graph->n_kernels; k++)
			if (tw__bench_has(m->bench, m->shift, w, k) &&
			    samples_of(m, k, w)->n < (is_over ? 1 : MOST_SAMPLES + 1))
				return true;
	return false;
}

static bool take(void *context, const struct tw__timed_kernel *timed)
{
	struct measure *m = context;
	struct sample_set *set = samples_of(m, timed->kernel, timed->worker);
	if (set->n <= MOST_SAMPLES)
		set->seconds[set->n++] = timed->seconds;
	return wants_more(m);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Writes a row of kernels.csv: the median without the warm-up, and the standard deviation estimated from the
 * quartiles. */
static void write_row(FILE *f, const struct tw__kernel *k, const struct tw__arch *arch, struct sample_set *set)
{
	int skip = set->n > 1, n = set->n - skip;
	double *s = set->seconds + skip;
	qsort(s, (size_t)n, sizeof *s, by_value);
	double median = n % 2 ? s[n / 2] : (s[n / 2 - 1] + s[n / 2]) / 2, spread = (s[3 * n / 4] - s[n / 4]) / 1.349;
	fprintf(f, "%s,%s,%d,%s,%s,%.6g,%.6g,%d,timed before the run\n", k->name, arch->name, arch->cores, k->size,
	        k->precision, 1e6 * fmax(median, 1e-9), n > 3 ? 1e6 * spread : 0, n);
}

static void write_rows(FILE *f, const struct measure *m)
{
	for (tw_arch a = 0; a < m->platform->n_archs; a++)
		for (tw_kernel k = 0; k < m->graph->n_kernels; k++)
			if (m->samples[k * m->platform->n_archs + a].n > 0)
				write_row(f, &m->graph->kernels[k], &m->platform->archs[a],
				          &m->samples[k * m->platform->n_archs + a]);
}

/* --- all shifts --------------------------------------------------------------------------------------------------- */

int tw__real_measure(FILE *f, const struct tw__platform *platform, const struct tw_graph *graph,
                     const struct tw__real_config *config, uint64_t seed, double limit_s, struct tw_error *err)
{
	const struct tw__bench_setup setup = {.platform = platform, .graph = graph, .config = config, .seed = seed};
	struct measure m = {.platform = platform, .graph = graph};
	m.samples = tw_alloc((size_t)graph->n_kernels * (size_t)platform->n_archs, sizeof *m.samples);
	int status = tw__bench_open(&m.bench, &setup, err);
	const int n_shifts = status == TW_OK ? tw__bench_n_shifts(m.bench) : 0;
	for (; m.shift < n_shifts && status == TW_OK; m.shift++) {
		m.until_s = tw__wall_s() + limit_s / n_shifts;
		status = tw__bench_kernels(m.bench, m.shift, take, &m, err);
		if (status < 0)
			tw_fail(err, status, "%.400s, while kernels were timed", err->message);
	}
	if (status == TW_OK)
		write_rows(f, &m);
	tw__bench_close(m.bench);
	free(m.samples);
	return status;
}
