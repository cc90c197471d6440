/* Scenes of programs: a platform and a graph, which runs share. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "request/fields.h"

static int create_scene(void *arg, struct tw_error *err)
{
	struct tw_scene *scene = arg;
	struct tw__origin *origin = &scene->platform->origin;
	int status = tw__scene_create_from(origin, &scene->scene, &scene->request, err);
	if (status == TW_OK)
		tw__scene_tell(origin, scene->scene);
	return status;
}

static int make_scene(struct tw_scene *scene, const char *workload, struct tw_graph *graph, struct tw_error *err)
{
	const struct tw__field *field = tw__field_of("workload");
	if (!workload)
		return tw_fail(err, TW_INVALID, "workload: expected its name");
	scene->workload = tw_copy_text(workload);
	scene->request.workload = scene->workload;
	scene->request.own.graph = graph;
	int status = graph ? tw_graph_finish(graph, err) : field->check(scene->workload, err);
	if (status == TW_OK && graph) {
		scene->request.own.graph_digest = tw__digest_start();
		tw__digest_graph(&scene->request.own.graph_digest, graph);
		tw__digest_tiles(&scene->request.own.graph_digest, graph);
	}
	return status == TW_OK ? tw__platform_lock(scene->platform, create_scene, scene, err) : status;
}

static int create(struct tw_scene **out, struct tw_platform *p, const char *workload, struct tw_graph *graph,
                  struct tw_error *err)
{
	struct tw__door door;
	*out = NULL;
	if (!p)
		return tw_fail(err, TW_INVALID, "platform: expected one");
	if (TW__MEMORY_RUNS_OUT(&door))
		return tw__out_of_memory(err);
	struct tw_scene *scene = tw_alloc(1, sizeof *scene);
	atomic_init(&scene->uses, 1);
	atomic_fetch_add(&p->uses, 1);
	scene->platform = p;
	scene->request = p->options.inputs.common;
	int status = make_scene(scene, workload, graph, err);
	if (status == TW_OK)
		*out = scene;
	else
		tw_scene_close(scene);
	tw__door_close(&door);
	return status;
}

int tw_scene_create(struct tw_scene **scene, struct tw_platform *p, struct tw_graph *graph, const char *name,
                    struct tw_error *err)
{
	*scene = NULL;
	if (!graph)
		return tw_fail(err, TW_INVALID, "graph: expected one");
	return create(scene, p, name, graph, err);
}

int tw_scene_generate(struct tw_scene **scene, struct tw_platform *p, const char *workload, struct tw_error *err)
{
	return create(scene, p, workload, NULL, err);
}

void tw_scene_close(struct tw_scene *scene)
{
	if (!scene || atomic_fetch_sub(&scene->uses, 1) > 1)
		return;
	tw__scene_destroy(scene->scene);
	free(scene->workload);
	tw_platform_close(scene->platform);
	free(scene);
}

const struct tw_graph *tw_scene_graph(const struct tw_scene *scene) { return scene ? scene->scene->graph : NULL; }
