#include "calibrate/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

enum { RUNS = 5, TILES = 16, TILES_ON_GPUS = 8 };

const struct tw__costs tw__no_costs = {NAN, NAN, NAN};

/* Returns the smallest tile (an entry of kernel gemm) that was calibrated with Cholesky; NULL: none. The costs do not
 * depend on the size of the tile. */
static const struct tw__calibrated *find_tile(const struct tw__calibration *c)
{
	const struct tw__calibrated *found = NULL;
	for (int i = 0; i < c->n; i++)
		if (c->kernels[i].n && strcmp(c->kernels[i].kernel, "gemm") == 0 &&
		    strcmp(c->kernels[i].workload, "cholesky") == 0 &&
		    (!found || atoi(c->kernels[i].size) < atoi(found->size)))
			found = &c->kernels[i];
	return found;
}

static void name_workload(char *text, size_t room, const struct tw__calibrated *tile, int n_tiles)
{
	snprintf(text, room, "cholesky:nt=%d:nb=%.100s:precision=%.8s", n_tiles, tile->size, tile->precision);
}

/* Measures the runtime system's costs in one run. If the run fails, logs a warning, and all costs are NAN. */
static void measure(struct tw__costs *costs, const struct tw__request *q)
{
	struct tw__result result = {.message = ""};
	struct tw_error err = {""};
	*costs = tw__no_costs;
	if (tw__experiment_run(q, &result, &err) < 0 || result.status != TW__RUN_OK) {
		tw_log(TW_LOG_WARNING, "calibrate: the runtime system's costs were not measured: %s%s", err.message,
		       result.message);
		return;
	}
	const struct tw__engine_report *report = &result.counters.engine;
	*costs = (struct tw__costs){1e6 * report->turn_s / (double)result.tasks, 1e6 * report->launch_s,
	                            1e6 * report->issue_s};
}

static double median_turn_us(const struct tw__request *q)
{
	double us[RUNS];
	for (int i = 0; i < RUNS; i++) {
		struct tw__costs costs;
		measure(&costs, q);
		if (isnan(costs.turn_us))
			return NAN;
		us[i] = costs.turn_us;
	}
	gsl_sort(us, 1, RUNS);
	return gsl_stats_median_from_sorted_data(us, 1, RUNS);
}

void tw__measure_costs(struct tw__costs *costs, const struct tw__calibration *c, const struct tw__request *request,
                       const char *folder)
{
	const struct tw__calibrated *tile = find_tile(c);
	char platform[4200], workload[400], emulate[40];
	struct tw__costs of_kernels;
	*costs = tw__no_costs;
	if (!tile)
		return;
	snprintf(platform, sizeof platform, "%.4100s/platform.xml", folder);
	name_workload(workload, sizeof workload, tile, TILES);
	snprintf(emulate, sizeof emulate, "gpus=%d", tw__platform_accelerators(c->platform));
	struct tw__request q = {
		.platform = platform,
		.workload = workload,
		.policy = "dmdas",
		.engine = "real:kernels=empty",
		.check = "none",
		.emulate = request->emulate ? emulate : NULL,
		.choice = request->choice,
		.seed = request->seed,
	};
	costs->turn_us = median_turn_us(&q);
	if (request->emulate || request->choice.gpus == 0 || tw__platform_accelerators(c->platform) == 0)
		return;
	q.engine = "real";
	name_workload(workload, sizeof workload, tile, TILES_ON_GPUS);
	q.choice.cpus = 0; /* with CPU workers, the policy might give the GPUs no task */
	q.choice.cpu_groups = NULL;
	measure(&of_kernels, &q);
	costs->launch_us = of_kernels.launch_us;
	costs->issue_us = of_kernels.issue_us;
}

char *tw__costs_text(const struct tw__costs *costs)
{
	const struct {
		const char *param;
		double us;
	} all[] = {{"turn_cost", costs->turn_us},
	           {"kernel_queue_cost", costs->launch_us},
	           {"transfer_queue_cost", costs->issue_us}};
	char *text = tw_alloc(200, 1);
	size_t used = 0;
	for (int i = 0; i < 3; i++)
		if (isfinite(all[i].us))
			used += (size_t)snprintf(text + used, 200 - used, "%s%s=%.4gus", used ? ":" : "", all[i].param,
			                         all[i].us);
	return text;
}
