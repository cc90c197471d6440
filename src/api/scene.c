/* Platforms and scenes of programs: what runs share. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "machine/machine.h"
#include "request/fields.h"

/* --- platforms ---------------------------------------------------------------------------------------------------- */

static void describe(struct tw_platform *p)
{
	const struct tw__platform *of = p->selected;
	p->workers = tw_alloc((size_t)of->n_workers, sizeof *p->workers);
	p->nodes = tw_alloc((size_t)of->n_nodes, sizeof *p->nodes);
	for (tw_worker w = 0; w < of->n_workers; w++) {
		const struct tw__arch *arch = &of->archs[of->workers[w].arch];
		p->workers[w] = (struct tw_worker_about){
			.name = of->workers[w].name,
			.arch = arch->name,
			.accelerator = arch->accelerator,
			.cores = of->workers[w].cores,
			.node = of->workers[w].node,
			.rank = of->workers[w].rank,
		};
	}
	for (tw_node n = 0; n < of->n_nodes; n++) {
		const struct tw__node *node = &of->nodes[n];
		uint64_t bytes = node->limit_bytes ? node->limit_bytes : node->memory_bytes;
		p->nodes[n] = (struct tw_node_about){node->name, bytes ? bytes : UINT64_MAX, node->rank};
	}
}

static int open_platform(struct tw_platform *p, const char *name, const char *const *options, struct tw_error *err)
{
	struct tw__request *q = &p->options.inputs.common;
	if (!name)
		return tw_fail(err, TW_INVALID, "platform: expected its name");
	const struct tw__field *field = tw__field_of("platform");
	char *text = tw__arena_alloc(&p->options.texts, strlen(name) + 1, 1);
	strcpy(text, name);
	int status = field->check(text, err);
	if (status == TW_OK)
		status = tw__field_set(field, q, text, err);
	if (status == TW_OK)
		status = tw__options_take(&p->options, options, true, false, err);
	if (status == TW_OK)
		status = tw__is_machine(q) ? tw__machine_load(&p->selected, q, err)
		                           : tw__origin_select(&p->origin, &p->selected, q, err);
	if (status == TW_OK)
		describe(p);
	return status;
}

int tw_platform_open(struct tw_platform **out, const char *name, const char *const *options, struct tw_error *err)
{
	struct tw__door door;
	*out = NULL;
	if (TW__MEMORY_RUNS_OUT(&door))
		return tw__out_of_memory(err);
	struct tw_platform *p = tw_alloc(1, sizeof *p);
	atomic_init(&p->uses, 1);
	pthread_mutex_init(&p->lock, NULL);
	tw__options_init(&p->options, NULL);
	int status = open_platform(p, name, options, err);
	if (status == TW_OK)
		*out = p;
	else
		tw_platform_close(p);
	tw__door_close(&door);
	return status;
}

void tw_platform_close(struct tw_platform *p)
{
	if (!p || atomic_fetch_sub(&p->uses, 1) > 1)
		return;
	free(p->workers);
	free(p->nodes);
	tw__platform_destroy(p->selected);
	tw__identifier_finish(&p->identifier);
	tw__origin_finish(&p->origin);
	tw__options_finish(&p->options);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

int tw_platform_workers(const struct tw_platform *p, const struct tw_worker_about **workers)
{
	*workers = p ? p->workers : NULL;
	return p ? p->selected->n_workers : 0;
}

int tw_platform_nodes(const struct tw_platform *p, const struct tw_node_about **nodes)
{
	*nodes = p ? p->nodes : NULL;
	return p ? p->selected->n_nodes : 0;
}

int tw__platform_lock(struct tw_platform *p, int (*work)(void *arg, struct tw_error *), void *arg, struct tw_error *err)
{
	struct tw__door door;
	int status;
	pthread_mutex_lock(&p->lock);
	if (TW__MEMORY_RUNS_OUT(&door)) {
		status = tw__out_of_memory(err);
	} else {
		status = work(arg, err);
		tw__door_close(&door);
	}
	pthread_mutex_unlock(&p->lock);
	return status;
}

/* --- scenes ------------------------------------------------------------------------------------------------------- */

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
