#include "experiment/load.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/wall.h"
#include "machine/machine.h"
#include "perf/factors.h"
#include "platform/bind.h"

void tw__origin_finish(struct tw__origin *origin)
{
	tw__models_destroy(origin->models);
	tw__platform_destroy(origin->all);
	free(origin->kernels_path);
	free(origin->name);
	*origin = (struct tw__origin){0};
}

/* Whether the platform's files are those that calibrate wrote. */
static bool is_calibrated(const char *kernels_path)
{
	const char *slash = strrchr(kernels_path, '/');
	char *path = tw_format("%.*scalibration.json", slash ? (int)(slash + 1 - kernels_path) : 0, kernels_path);
	bool is = access(path, F_OK) == 0;
	free(path);
	return is;
}

static int count_cores_here(void)
{
	char why[160];
	int n = tw__bindable_cores(why, sizeof why);
	return n < 0 ? 0 : n;
}

static bool is_of(const struct tw__origin *origin, const struct tw__request *request)
{
	return origin->name && strcmp(origin->name, request->platform) == 0 &&
	       origin->extrapolate == request->extrapolate;
}

/* Makes `origin` that of the request's platform: reads the platform's file if `origin` is of another one. */
static int find(struct tw__origin *origin, const struct tw__request *request, struct tw_error *err)
{
	if (is_of(origin, request)) {
		origin->spared_s = origin->read_s;
		return TW_OK;
	}
	double start_s = tw__wall_s();
	tw__origin_finish(origin);
	int status = tw__platform_find(&origin->all, &origin->kernels_path, request->platform, err);
	if (status < 0) {
		*origin = (struct tw__origin){0};
		return status;
	}
	origin->cores_here = is_calibrated(origin->kernels_path) ? count_cores_here() : 0;
	origin->extrapolate = request->extrapolate;
	origin->name = tw_copy_text(request->platform);
	origin->read_s = tw__wall_s() - start_s;
	return TW_OK;
}

static int read_models(struct tw__origin *origin, bool lacks_extrapolate, struct tw_error *err)
{
	if (origin->models)
		return TW_OK;
	double start_s = tw__wall_s();
	int status = tw__models_read(&origin->models, origin->kernels_path, origin->all, err);
	if (status < 0)
		origin->models = NULL;
	else if (origin->extrapolate)
		tw__models_extrapolate(origin->models);
	if (status == TW_OK && lacks_extrapolate)
		tw__models_offer_nothing(origin->models);
	origin->read_s += tw__wall_s() - start_s;
	return status;
}

int tw__origin_select(struct tw__origin *origin, struct tw__platform **platform, const struct tw__request *request,
                      struct tw_error *err)
{
	*platform = NULL;
	if (tw__is_machine(request))
		return tw_fail(err, TW_INVALID, "platform '%s' has no file of its links and kernel times",
		               request->platform);
	int status = find(origin, request, err);
	if (status == TW_OK)
		status = tw__platform_select(platform, origin->all, &request->choice, err);
	return status == TW_OK ? read_models(origin, request->lacks_extrapolate, err) : status;
}

const struct tw__platform *tw__origin_whole(const struct tw__origin *origin, const struct tw__scene *scene)
{
	return tw__is_machine(scene->request) ? scene->platform : origin->all;
}

/* Parses the value of an option and finds its kernels and archs. NULL: none. */
static int take_factors(struct tw__factors *factors, const struct tw__factor_option *option, const char *text,
                        const struct tw__platform *all, const struct tw__scene *scene, struct tw_error *err)
{
	if (!text)
		return TW_OK;
	int status = tw__factors_parse(factors, option, text, err);
	if (status == TW_OK)
		status = tw__factors_bind(factors, all, scene->graph, err);
	return status == TW_INVALID && scene->request->factors_are_checked && factors->all ? TW_OK : status;
}

int tw__origin_bind(const struct tw__origin *origin, struct tw__scene *scene, struct tw__models *own,
                    struct tw_error *err)
{
	const struct tw__request *request = scene->request;
	struct tw__models *models = own ? own : origin->models;
	const struct tw__platform *all = tw__origin_whole(origin, scene);
	struct tw__factors speedups = {0}, amdahl = {0}, time_factors = {0};
	int status = take_factors(&speedups, &tw__speedup_option, request->speedup, all, scene, err);
	if (status == TW_OK)
		status = take_factors(&amdahl, &tw__amdahl_option, request->amdahl, all, scene, err);
	if (status == TW_OK)
		status = take_factors(&time_factors, &tw__time_factor_option, request->time_factor, all, scene, err);
	tw__models_speed_up(models, request->speedup ? &speedups : NULL, request->amdahl ? &amdahl : NULL,
	                    request->time_factor ? &time_factors : NULL);
	if (status == TW_OK)
		status = tw__times_bind(&scene->times, models, scene->platform, scene->graph, err);
	if (status == TW_OK) {
		tw__factors_tell_unused(&speedups, scene->platform, request->workload);
		tw__factors_tell_unused(&amdahl, scene->platform, request->workload);
		tw__factors_tell_unused(&time_factors, scene->platform, request->workload);
	}
	tw__models_speed_up(models, NULL, NULL, NULL);
	tw__factors_finish(&speedups);
	tw__factors_finish(&amdahl);
	tw__factors_finish(&time_factors);
	return status;
}

/* Looks for the items in one workload, on all platforms until each was found. */
static int look_into(struct tw__factors *speedups, struct tw__origin *origin, struct tw__inputs *in,
                     const struct tw_graph *graph, struct tw_error *err)
{
	const struct tw__words *platforms = tw__inputs_list(in, "platform");
	int status = TW_INVALID;
	struct tw_error later;
	for (int p = 0; (p < platforms->n || p == 0) && status == TW_INVALID; p++) {
		struct tw__request request = in->common;
		struct tw__platform *machine = NULL;
		struct tw_error *why = p == 0 ? err : &later;
		if (platforms->n)
			request.platform = platforms->of[p];
		bool is_machine = tw__is_machine(&request);
		status = is_machine ? tw__machine_all(&machine, &request, false, why) : find(origin, &request, why);
		if (status == TW_OK)
			status = tw__factors_bind(speedups, is_machine ? machine : origin->all, graph, why);
		if (status != TW_OK && status != TW_INVALID)
			*err = *why;
		tw__platform_destroy(machine);
	}
	return status;
}

/* Checks one of the options. */
static int check_factors(struct tw__inputs *in, const struct tw__factor_option *option, const char *text,
                         struct tw_error *err)
{
	const struct tw__words *workloads = tw__inputs_list(in, "workload");
	struct tw__factors speedups;
	struct tw__origin origin = {0};
	struct tw_error later;
	if (!text)
		return TW_OK;
	int status = tw__factors_parse(&speedups, option, text, err);
	bool found = status < 0;
	for (int w = 0; w < workloads->n && !found; w++) {
		struct tw_graph *graph = NULL;
		struct tw_error *why = w == 0 ? err : &later; /* the first workload's message stays */
		status = tw__generate(&graph, workloads->of[w], why);
		if (status == TW_OK)
			status = look_into(&speedups, &origin, in, graph, why);
		found = status != TW_INVALID;
		if (found && status != TW_OK)
			*err = *why;
		tw_graph_destroy(graph);
	}
	tw__origin_finish(&origin);
	tw__factors_finish(&speedups);
	return status;
}

int tw__check_factors(struct tw__inputs *in, struct tw_error *err)
{
	const bool is_one = tw__inputs_list(in, "platform")->n <= 1 && tw__inputs_list(in, "workload")->n == 1;
	if (is_one || !(in->common.speedup || in->common.amdahl || in->common.time_factor))
		return TW_OK;
	int status = check_factors(in, &tw__speedup_option, in->common.speedup, err);
	if (status == TW_OK)
		status = check_factors(in, &tw__amdahl_option, in->common.amdahl, err);
	if (status == TW_OK)
		status = check_factors(in, &tw__time_factor_option, in->common.time_factor, err);
	in->common.factors_are_checked = status == TW_OK;
	return status;
}
