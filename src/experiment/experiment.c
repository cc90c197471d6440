/* Experiments: lists of runs that share platforms and graphs. */
#include "experiment/experiment.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/load.h"
#include "request/identity.h"

struct tw__experiment {
	int n_scenes, n_plans;
	struct tw__origin origin; /* the files of the last scene's platform */
	struct tw__scene **scenes;
	struct tw__plan *plans;
	char (*identities)[TW__DIGEST_TEXT];
	struct tw__identifier *identifier;
};

/* Finds a scene (platform, graph and kernel times) that the request can use; creates one if there is none. */
static int find_scene(struct tw__experiment *e, const struct tw__request *request, struct tw__scene **scene,
                      struct tw_error *err)
{
	for (int i = 0; i < e->n_scenes; i++)
		if (tw__scene_serves(e->scenes[i], request)) {
			*scene = e->scenes[i];
			return TW_OK;
		}
	int status = tw__scene_create_from(&e->origin, scene, request, err);
	if (status == TW_OK) {
		e->scenes[e->n_scenes++] = *scene;
		tw__scene_tell(&e->origin, *scene);
	}
	return status;
}

int tw__experiment_create(struct tw__experiment **out, const struct tw__request *requests, int n, struct tw_error *err)
{
	*out = NULL;
	struct tw__experiment *e = calloc(1, sizeof *e);
	if (!e)
		return tw_fail(err, TW_NOMEM, "out of memory");
	e->scenes = calloc((size_t)n + 1, sizeof(*e->scenes));
	e->plans = calloc((size_t)n + 1, sizeof *e->plans);
	e->identities = calloc((size_t)n + 1, sizeof *e->identities);
	int status = e->scenes && e->plans && e->identities ? tw__identifier_create(&e->identifier, err)
	                                                    : tw_fail(err, TW_NOMEM, "out of memory");
	for (int i = 0; status == TW_OK && i < n; i++) {
		struct tw__scene *scene = NULL;
		status = find_scene(e, &requests[i], &scene, err);
		if (status == TW_OK)
			status = tw__scene_check_spread(scene, &requests[i], err);
		if (status == TW_OK)
			status = tw__plan_init(&e->plans[e->n_plans], &requests[i], scene, err);
		if (status == TW_OK)
			e->plans[e->n_plans++].identity = e->identities[i];
		if (status == TW_OK)
			status = tw__identify(e->identifier, &requests[i], e->identities[i], err);
	}
	if (status < 0)
		tw__experiment_destroy(e);
	else
		*out = e;
	return status;
}

void tw__experiment_destroy(struct tw__experiment *e)
{
	if (!e)
		return;
	for (int i = 0; i < e->n_plans; i++)
		tw__plan_finish(&e->plans[i]);
	for (int i = 0; i < e->n_scenes; i++)
		tw__scene_destroy(e->scenes[i]);
	tw__origin_finish(&e->origin);
	free(e->scenes);
	tw__identifier_destroy(e->identifier);
	free(e->identities);
	free(e->plans);
	free(e);
}

struct tw__plan *tw__experiment_plan(const struct tw__experiment *e, int i) { return &e->plans[i]; }

void tw__experiment_begin_row(const struct tw__experiment *e, int i, struct tw__result *result)
{
	tw__result_begin(result, &e->plans[i]);
	memcpy(result->identity, e->identities[i], sizeof result->identity);
}

int tw__experiment_row(const struct tw__experiment *e, int i, struct tw__result *result, struct tw_error *err)
{
	struct tw__plan *plan = &e->plans[i];
	struct tw__outcome outcome;
	char *explanation;
	tw__experiment_begin_row(e, i, result);
	tw__plan_run(plan, &outcome, &explanation);
	if (outcome.status == TW_INVALID)
		return tw_fail(err, TW_INVALID, "%s", outcome.err.message);
	tw__result_end(result, plan, &outcome);
	result->explanation = explanation;
	return TW_OK;
}

int tw__experiment_run(const struct tw__request *request, struct tw__result *result, struct tw_error *err)
{
	struct tw__experiment *e;
	int status = tw__experiment_create(&e, request, 1, err);
	if (status < 0)
		return status;
	status = tw__experiment_row(e, 0, result, err);
	tw__experiment_destroy(e);
	return status;
}
