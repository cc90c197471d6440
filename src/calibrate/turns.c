#include "calibrate/turns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

enum { RUNS = 5, TILES = 16 };

/* A tile that Cholesky was calibrated with, on every kind of worker. */
static const struct tw__calibrated *find_tile(const struct tw__calibration *c)
{
	for (int i = 0; i < c->n; i++)
		if (c->kernels[i].n && strcmp(c->kernels[i].kernel, "gemm") == 0 &&
		    strcmp(c->kernels[i].workload, "cholesky") == 0)
			return &c->kernels[i];
	return NULL;
}

static int count_accelerators(const struct tw_platform *p)
{
	int n = 0;
	for (tw_worker w = 0; w < p->n_workers; w++)
		n += p->archs[p->workers[w].arch].accelerator;
	return n;
}

/* Negative: it has failed. */
static double run(const struct tw__request *q)
{
	struct tw__result result;
	struct tw_error ignored;
	if (tw__experiment_run(q, &result, &ignored) < 0 || result.status != TW__RUN_OK)
		return -1;
	return 1e6 * result.counters.engine.turn_s / (double)result.tasks;
}

double tw__measure_turns(const struct tw__calibration *c, const struct tw__request *request, const char *folder)
{
	const struct tw__calibrated *tile = find_tile(c);
	char platform[4200], workload[400], emulate[40];
	double us[RUNS];
	if (!tile)
		return NAN;
	snprintf(platform, sizeof platform, "%.4100s/platform.xml", folder);
	snprintf(workload, sizeof workload, "cholesky:nt=%d:nb=%.100s:precision=%.8s", TILES, tile->size,
	         tile->precision);
	snprintf(emulate, sizeof emulate, "gpus=%d", count_accelerators(c->platform));
	const struct tw__request q = {
		.platform = platform,
		.workload = workload,
		.policy = "dmdas",
		.engine = "real:kernels=empty",
		.check = "none",
		.emulate = request->emulate ? emulate : NULL,
		.choice = request->choice,
		.seed = request->seed,
	};
	for (int i = 0; i < RUNS; i++)
		if ((us[i] = run(&q)) < 0)
			return NAN;
	gsl_sort(us, 1, RUNS);
	return gsl_stats_median_from_sorted_data(us, 1, RUNS);
}
