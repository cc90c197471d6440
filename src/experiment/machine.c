#include "experiment/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/real/measure.h"
#include "experiment/fork.h"
#include "platform/machine.h"

#define MEASURE_FOR_S 3.0

bool tw__is_machine(const struct tw__request *q) { return strcmp(q->platform, TW__MACHINE_NAME) == 0; }

int tw__machine_load(struct tw_platform **platform, const struct tw__request *q, struct tw_error *err)
{
	struct tw__emulation emulation;
	struct tw_platform *all;
	int status = q->emulate ? tw__emulation_parse(&emulation, q->emulate, err) : TW_OK;
	if (status == TW_OK && q->emulate)
		status = tw__emulation_check(&emulation, err);
	if (status == TW_OK)
		status = tw__machine_platform(&all, q->emulate ? &emulation : NULL, err);
	if (status < 0)
		return status;
	status = tw__platform_select(platform, all, &q->choice, err);
	tw__platform_destroy(all);
	return status;
}

/* --- measuring -------------------------------------------------------------------------------------------------- */

/* All rows that were measured, as a kernels.csv without a name; made at the first measurement. One thread measures at a time. */
static FILE *measured;

struct work {
	const struct tw_platform *platform;
	const struct tw_graph *graph;
	const struct tw__real_config *config;
	uint64_t seed;
};

struct work_result {
	int status;
	struct tw_error err;
};

static void measure(const void *arg, void *result)
{
	const struct work *w = arg;
	struct work_result *r = result;
	r->status = tw__real_measure(measured, w->platform, w->graph, w->config, w->seed, MEASURE_FOR_S, &r->err);
	if (r->status == TW_OK && (fflush(measured) || ferror(measured)))
		r->status = tw_fail(&r->err, TW_FAILED, "kernel times could not be written: %s", strerror(errno));
}

static int begin(struct tw_error *err)
{
	if (measured)
		return TW_OK;
	measured = tmpfile();
	if (!measured)
		return tw_fail(err, TW_FAILED, "no temporary file for kernel times: %s", strerror(errno));
	fprintf(measured, "%s\n", tw__kernels_header);
	fflush(measured);
	return TW_OK;
}

static int read_models(struct tw__models **models, struct tw_error *err)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(measured));
	return tw__models_read(models, path, err);
}

/* Whether all of the graph's kernels have times on these archs. */
static bool knows(const struct tw__models *models, const struct tw_platform *platform, const struct tw_graph *graph)
{
	struct tw__times times;
	struct tw_error ignored;
	if (tw__times_bind(&times, models, platform, graph, &ignored) < 0)
		return false;
	bool all = true;
	for (int i = 0; i < times.n_kernels * times.n_archs; i++)
		all &= !isnan(times.mean[i]) || platform->archs[i % times.n_archs].cores > 1;
	tw__times_finish(&times);
	return all;
}

/* The engine that computes, with the parameters that the user gave it; with its defaults if another engine runs. */
static int find_real(struct tw__plan *plan, const struct tw__request *q, struct tw_error *err)
{
	int status = q->engine ? tw__find_engine(plan, q->engine, err) : TW_OK;
	if (status == TW_OK && plan->engine && (plan->engine->caps & TW__ENGINE_COMPUTES))
		return TW_OK;
	tw__plan_finish(plan);
	return status == TW_OK ? tw__find_engine(plan, "real", err) : status;
}

static int measure_in_child(const struct tw__request *q, const struct tw_platform *platform,
                            const struct tw_graph *graph, struct tw_error *err)
{
	struct tw__workload_words words;
	struct tw__plan real = {0};
	struct work_result result;
	int status = tw__workload_words_init(&words, q->workload, err);
	if (status == TW_OK)
		status = find_real(&real, q, err);
	if (status == TW_OK) {
		const struct tw__real_config config = {
			.args = real.engine_args, .workload = words.spec.name, .workload_args = words.args};
		const struct work work = {platform, graph, &config, q->seed};
		long known = ftell(measured);
		status = tw__fork_run(measure, &work, &result, sizeof result, err);
		if (status == TW_OK && result.status < 0)
			status = tw_fail(err, result.status, "%s", result.err.message);
		/* What the child has written stays, unless it is not whole. */
		if (status < 0 && ftruncate(fileno(measured), known) < 0)
			status = tw_fail(err, TW_FAILED, "kernel times could not be cut: %s", strerror(errno));
		fseek(measured, 0, SEEK_END);
	}
	tw__plan_finish(&real);
	tw__workload_words_finish(&words);
	return status;
}

int tw__machine_models(struct tw__models **models, const struct tw__request *q, const struct tw_platform *platform,
                       const struct tw_graph *graph, struct tw_error *err)
{
	*models = NULL;
	int status = begin(err);
	if (status == TW_OK)
		status = read_models(models, err);
	if (status < 0 || knows(*models, platform, graph))
		return status;
	tw__models_destroy(*models);
	*models = NULL;
	status = measure_in_child(q, platform, graph, err);
	return status < 0 ? status : read_models(models, err);
}
