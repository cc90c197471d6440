#include "calibrate/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

enum { RUNS = 5, TILES = 16, TILES_ON_GPUS = 8 };

const struct tw__costs tw__no_costs = {NAN, NAN, NAN, NAN};

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
	costs->turn_us = 1e6 * report->turn_s / (double)result.tasks;
	costs->launch_us = 1e6 * report->launch_s;
	costs->issue_us = 1e6 * report->issue_s;
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

/* Returns the least time of a launch among the kernels, in microseconds; NAN: no GPU was calibrated. */
static double least_launch_us(const struct tw__calibration *c)
{
	double least_us = NAN;
	for (int i = 0; i < c->n; i++)
		if (tw__calibrated_launch_s(&c->kernels[i]) > 0)
			least_us = fmin(least_us, 1e6 * tw__calibrated_launch_s(&c->kernels[i]));
	return least_us;
}

/* The least costs of launches and copies of some runs. */
static void measure_least(struct tw__costs *least, const struct tw__request *q)
{
	enum { GPU_RUNS = 3 };
	*least = tw__no_costs;
	for (int i = 0; i < GPU_RUNS; i++) {
		struct tw__costs costs;
		measure(&costs, q);
		if (isnan(costs.launch_us))
			return;
		least->launch_us = fmin(least->launch_us, costs.launch_us);
		least->issue_us = fmin(least->issue_us, costs.issue_us);
	}
}

/* Measures launches and copies on one GPU and on all. `q`: a run with real kernels. Kernels were timed with all GPUs
 * busy, so their launches contain what all GPUs add. */
static void measure_on_gpus(struct tw__costs *costs, const struct tw__calibration *c, struct tw__request q, int gpus)
{
	struct tw__costs on_all, on_one;
	measure_least(&on_all, &q);
	costs->issue_us = on_all.issue_us;
	costs->launch_us = least_launch_us(c);
	if (gpus == 1)
		return;
	q.choice.gpus = 1;
	measure_least(&on_one, &q);
	costs->launch_growth_us = fmax(0, (on_all.launch_us - on_one.launch_us) / (gpus - 1));
	costs->launch_us -= isfinite(costs->launch_growth_us) ? (gpus - 1) * costs->launch_growth_us : 0;
}

void tw__measure_costs(struct tw__costs *costs, const struct tw__calibration *c, const struct tw__request *request,
                       const char *folder)
{
	const struct tw__calibrated *tile = find_tile(c);
	char platform[4200], workload[400], emulate[40];
	const int all_gpus = tw__platform_accelerators(c->platform);
	*costs = tw__no_costs;
	if (!tile)
		return;
	snprintf(platform, sizeof platform, "%.4100s/platform.xml", folder);
	name_workload(workload, sizeof workload, tile, TILES);
	snprintf(emulate, sizeof emulate, "gpus=%d", all_gpus);
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
	if (request->emulate || request->choice.gpus == 0 || all_gpus == 0)
		return;
	q.engine = "real";
	name_workload(workload, sizeof workload, tile, TILES_ON_GPUS);
	q.choice.cpus = 0; /* with CPU workers, the policy might give the GPUs no task */
	q.choice.cpu_groups = NULL;
	measure_on_gpus(costs, c, q, request->choice.gpus > 0 ? request->choice.gpus : all_gpus);
}

/* --- the parameters ----------------------------------------------------------------------------------------------- */

static void add(char **text, char *more)
{
	char *longer = tw_format("%s%s", *text, more);
	free(*text);
	free(more);
	*text = longer;
}

static bool is_first_of_size(const struct tw__calibration *c, int entry)
{
	for (int i = 0; i < entry; i++)
		if (tw__calibrated_launch_s(&c->kernels[i]) > 0 &&
		    strcmp(c->kernels[i].kernel, c->kernels[entry].kernel) == 0 &&
		    strcmp(c->kernels[i].size, c->kernels[entry].size) == 0)
			return false;
	return true;
}

/* Adds the kernels whose launches take more than twice the least time. */
static void add_blocks(char **text, const struct tw__calibration *c)
{
	const double least_us = least_launch_us(c);
	const char *before = **text ? ":launch_blocks=" : "launch_blocks=";
	for (int i = 0; i < c->n; i++) {
		const struct tw__calibrated *k = &c->kernels[i];
		const double us = 1e6 * tw__calibrated_launch_s(k);
		if (!(us > 2 * least_us) || !is_first_of_size(c, i))
			continue;
		add(text, tw_format("%s%s@%s=%.2fus", before, k->kernel, k->size, us - least_us));
		before = "+";
	}
}

char *tw__costs_text(const struct tw__costs *costs, const struct tw__calibration *c)
{
	const struct {
		const char *param;
		double us;
	} all[] = {{"turn_cost", costs->turn_us},
	           {"kernel_queue_cost", costs->launch_us},
	           {"kernel_queue_cost_per_gpu", costs->launch_growth_us},
	           {"transfer_queue_cost", costs->issue_us}};
	char *text = tw_format("%s", "");
	for (int i = 0; i < 4; i++)
		if (isfinite(all[i].us))
			add(&text, tw_format("%s%s=%.4gus", *text ? ":" : "", all[i].param, fmax(0, all[i].us)));
	if (isfinite(costs->launch_us))
		add_blocks(&text, c);
	return text;
}
