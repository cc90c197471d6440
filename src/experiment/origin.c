#include "experiment/load.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/wall.h"
#include "machine/machine.h"
#include "perf/speedup.h"
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

int tw__origin_bind(const struct tw__origin *origin, struct tw__scene *scene, struct tw__models *own,
                    struct tw_error *err)
{
	const struct tw__request *request = scene->request;
	struct tw__models *models = own ? own : origin->models;
	struct tw__speedups speedups = {0};
	int status = request->speedup ? tw__speedups_parse(&speedups, request->speedup, err) : TW_OK;
	if (status == TW_OK)
		status = tw__speedups_bind(&speedups, tw__origin_whole(origin, scene), scene->graph, err);
	if (status == TW_INVALID && request->speedup_is_checked && speedups.all)
		status = TW_OK;
	tw__models_speed_up(models, request->speedup ? &speedups : NULL);
	if (status == TW_OK)
		status = tw__times_bind(&scene->times, models, scene->platform, scene->graph, err);
	if (status == TW_OK)
		tw__speedups_tell_unused(&speedups, scene->platform, request->workload);
	tw__models_speed_up(models, NULL);
	tw__speedups_finish(&speedups);
	return status;
}

/* Looks for the items in one workload, on all platforms until each was found. */
static int look_into(struct tw__speedups *speedups, struct tw__origin *origin, struct tw__inputs *in,
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
		status = is_machine ? tw__machine_all(&machine, &request, why) : find(origin, &request, why);
		if (status == TW_OK)
			status = tw__speedups_bind(speedups, is_machine ? machine : origin->all, graph, why);
		if (status != TW_OK && status != TW_INVALID)
			*err = *why;
		tw__platform_destroy(machine);
	}
	return status;
}

int tw__check_speedup(struct tw__inputs *in, struct tw_error *err)
{
	const struct tw__words *workloads = tw__inputs_list(in, "workload");
	struct tw__speedups speedups;
	struct tw__origin origin = {0};
	struct tw_error later;
	if (!in->common.speedup || (tw__inputs_list(in, "platform")->n <= 1 && workloads->n == 1))
		return TW_OK;
	int status = tw__speedups_parse(&speedups, in->common.speedup, err);
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
	tw__speedups_finish(&speedups);
	in->common.speedup_is_checked = status == TW_OK;
	return status;
}
