#include "adversary/duel.h"

#include <stdlib.h>
#include <string.h>

#include "bounds/optimum.h"
#include "request/plugins.h"

void tw__duel_init(struct tw__duel *duel, const struct tw__request *request, const char *against)
{
	*duel = (struct tw__duel){.against_optimum = strcmp(against, "optimum") == 0};
	for (int i = 0; i < TW__DUEL_RUNS; i++) {
		duel->requests[i] = *request;
		duel->requests[i].workload = "adversary";
		duel->requests[i].is_shown_as_text = true; /* nobody wants bounds of all these graphs */
	}
	duel->requests[1].policy = against;
}

void tw__duel_finish(struct tw__duel *duel) { tw__origin_finish(&duel->origin); }

static int run(const struct tw__request *request, const struct tw__scene *scene, tw__ns *makespan, struct tw_error *err)
{
	struct tw__outcome *outcome = tw_alloc(1, sizeof *outcome);
	struct tw__plan *plan = tw_alloc(1, sizeof *plan);
	int status = tw__plan_init(plan, request, scene, err);
	if (status == TW_OK) {
		if (tw__needs_process(request))
			tw__plan_run(plan, outcome, NULL, NULL);
		else
			tw__plan_run_here(plan, NULL, outcome, NULL, NULL);
		status = outcome->status;
		*makespan = outcome->counters.makespan;
		if (status == TW_INVALID)
			*err = outcome->err;
		else if (status < 0)
			tw_fail(err, status, "policy '%.100s': %s", request->policy, outcome->err.message);
		tw__plan_finish(plan);
	}
	free(plan);
	free(outcome);
	return status;
}

static int find_optimum(const struct tw__scene *scene, tw__ns *makespan, struct tw_error *err)
{
	const struct tw__bounded in = tw__scene_bounded(scene);
	struct tw__optimum optimum;
	int status = tw__optimum(&in, scene->request->workload, 0, &optimum, err);
	if (status == TW_OK)
		*makespan = optimum.makespan;
	return status;
}

int tw__duel_run(struct tw__duel *duel, struct tw_graph *graph, bool validate, tw__ns makespan[TW__DUEL_RUNS],
                 struct tw_error *err)
{
	struct tw__scene *scene;
	for (int i = 0; i < TW__DUEL_RUNS; i++) {
		duel->requests[i].own.graph = graph;
		duel->requests[i].validate = validate;
	}
	int status = tw__scene_create_from(&duel->origin, &scene, &duel->requests[0], err);
	if (status < 0)
		return status;
	status = run(&duel->requests[0], scene, &makespan[0], err);
	if (status == TW_OK)
		status = duel->against_optimum ? find_optimum(scene, &makespan[1], err)
		                               : run(&duel->requests[1], scene, &makespan[1], err);
	tw__scene_destroy(scene);
	return status;
}
