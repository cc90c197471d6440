/* From the user's request to a scene: platform, graph and kernel times. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The hash table is filled under a lock, so it must not leave by a door (base/memory.h) when memory runs out. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) free(element)
#include <uthash.h>

#include "base/pages.h"
#include "base/wall.h"
#include "bounds/bounds.h"
#include "cluster/split.h"
#include "experiment/load.h"
#include "machine/machine.h"
#include "request/fields.h"

/* --- memos -------------------------------------------------------------------------------------------------------- */

/* The parameters of the noise: all durations that it draws depend on these alone. */
struct key {
	uint64_t seed, kind;
	double amount;
};

struct drawn {
	struct key key;
	struct tw__memo_bounds bounds;
	UT_hash_handle hh;
};

struct tw__memo {
	pthread_mutex_t lock; /* one scene serves several threads */
	struct drawn *drawn;
	char *fits; /* runtime model with which all tasks fit the memories; NULL: none known */
};

static struct tw__memo *create_memo(void)
{
	struct tw__memo *memo = tw_alloc(1, sizeof *memo);
	pthread_mutex_init(&memo->lock, NULL);
	return memo;
}

static void destroy_memo(struct tw__memo *memo)
{
	struct drawn *d, *next;
	HASH_ITER(hh, memo->drawn, d, next)
	{
		HASH_DEL(memo->drawn, d);
		free(d);
	}
	pthread_mutex_destroy(&memo->lock);
	free(memo->fits);
	free(memo);
}

static struct key key_of(const struct tw__noise *noise)
{
	return (struct key){noise->seed, noise->kind, noise->amount};
}

static struct drawn *find_drawn(const struct tw__memo *memo, const struct key *key)
{
	struct drawn *d;
	HASH_FIND(hh, memo->drawn, key, sizeof *key, d);
	return d;
}

/* The memo is only a saving, so nobody waits for its lock. A process that was forked while another thread had the lock
 * never gets it. */
static bool enter(struct tw__memo *memo) { return pthread_mutex_trylock(&memo->lock) == 0; }

static void leave(struct tw__memo *memo) { pthread_mutex_unlock(&memo->lock); }

bool tw__memo_bounds(struct tw__memo *memo, const struct tw__noise *noise, struct tw__memo_bounds *bounds)
{
	const struct key key = key_of(noise);
	if (!enter(memo))
		return false;
	const struct drawn *d = find_drawn(memo, &key);
	if (d)
		*bounds = d->bounds;
	leave(memo);
	return d;
}

/* Without memory for them, the bounds are not kept. Another thread may have added them already. */
void tw__memo_add_bounds(struct tw__memo *memo, const struct tw__noise *noise, struct tw__memo_bounds bounds)
{
	struct drawn *d = tw_alloc(1, sizeof *d);
	d->key = key_of(noise);
	d->bounds = bounds;
	if (enter(memo)) {
		if (!find_drawn(memo, &d->key)) {
			HASH_ADD(hh, memo->drawn, key, sizeof d->key, d);
			d = NULL;
		}
		leave(memo);
	}
	free(d);
}

bool tw__memo_fits(struct tw__memo *memo, const char *runtime)
{
	if (!enter(memo))
		return false;
	bool fits = memo->fits && strcmp(memo->fits, runtime) == 0;
	leave(memo);
	return fits;
}

void tw__memo_add_fits(struct tw__memo *memo, const char *runtime)
{
	char *text = tw_copy_text(runtime);
	if (enter(memo)) {
		char *before = memo->fits;
		memo->fits = text;
		text = before;
		leave(memo);
	}
	free(text);
}

/* --- scenes ------------------------------------------------------------------------------------------------------- */

int tw__load_platform(struct tw__platform **platform, struct tw__models **models, const struct tw__request *request,
                      struct tw_error *err)
{
	struct tw__origin origin = {0};
	int status = tw__origin_select(&origin, platform, request, err);
	*models = origin.models;
	origin.models = NULL;
	tw__origin_finish(&origin);
	return status;
}

static void name_kernel_model(struct tw__scene *scene, const struct tw__request *request)
{
	const struct tw__times *times = &scene->times;
	bool known = !(request->learn && tw__is_machine(request));
	char text[100];
	snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s%s", times->measured && known ? "+measured" : "",
	         times->has_recorded ? "+recorded" : "", times->sped_up ? "+speedup" : "",
	         times->inferred && known ? "+inferred" : "", times->amdahl ? "+amdahl" : "",
	         times->regression ? "+regression" : "", times->flop_rate ? "+flop_rate" : "",
	         times->multiplied ? "+factor" : "", request->learn ? "+learned" : "");
	snprintf(scene->kernel_model, sizeof scene->kernel_model, "%s", text + (*text == '+'));
}

int tw__scene_find_bounds(const struct tw__scene *scene, const struct tw__times *times, double *critical_path_s,
                          double *area_s, struct tw_error *err)
{
	struct tw__times own = *times;
	const struct tw__bounded in = {scene->platform, tw__scene_program(scene), &own};
	if (scene->program) { /* `times` are for the divided graph, which has the program's kernels first */
		own.own = scene->program_times.own;
		own.n_tasks = scene->program_times.n_tasks;
		own.noise.n_numbers = 0;
	}
	*critical_path_s = *area_s = NAN;
	if (scene->request->is_shown_as_text)
		return TW_OK;
	*critical_path_s = tw__times_critical_path(&own, scene->platform, in.graph);
	int status = tw__bound_area(&in, NULL, area_s, err);
	if (status != TW_NOMEM)
		return status;
	/* A run does not need the bound, and may well need less memory. */
	tw_log(TW_LOG_WARNING, "workload '%s': the bound 'area' is left out: %s", scene->request->workload,
	       err->message);
	*area_s = NAN;
	return TW_OK;
}

/* On a cluster, the graph becomes those of its nodes. */
static int divide(struct tw__scene *scene, struct tw__origin *origin, struct tw__models *own, struct tw_error *err)
{
	const struct tw__platform *p = scene->platform;
	const char *words = scene->request->distribution;
	struct tw__distribution d;
	struct tw_graph *divided = NULL;
	if (!p->rank_names)
		return words ? tw_fail(err, TW_INVALID,
		                       "--distribution %.100s: platform '%.100s' is one node, no cluster", words,
		                       p->name)
		             : TW_OK;
	tw_node *main_of = tw_alloc((size_t)p->n_ranks, sizeof *main_of);
	for (tw_node n = tw__n_mains(p); n-- > 0;)
		main_of[p->nodes[n].rank] = n;
	int status = tw__distribute(&d, scene->graph, words, p->n_ranks, err);
	if (status == TW_OK) {
		status = tw__split(&divided, scene->graph, &d, p->n_ranks, main_of, err);
		tw__distribution_finish(&d);
	}
	free(main_of);
	if (status < 0)
		return status;
	scene->sends = tw__distribution_sends(scene->graph, words, p->n_ranks);
	scene->program = scene->graph;
	scene->program_times = scene->times;
	scene->graph = divided;
	scene->times = (struct tw__times){0};
	return tw__origin_bind(origin, scene, own, err);
}

static int make_scene(struct tw__scene *scene, struct tw__origin *origin, const struct tw__request *request,
                      struct tw_error *err)
{
	const double start_s = tw__wall_s();
	struct tw__models *own = NULL; /* kernel times of the platform `machine`; NULL: another platform */
	int status = tw__is_machine(request) ? tw__machine_load(&scene->platform, request, err)
	                                     : tw__origin_select(origin, &scene->platform, request, err);
	if (status == TW_OK) {
		scene->gpus = tw__platform_accelerators(scene->platform);
		scene->cpus = tw__platform_processors(scene->platform);
		if (request->own.graph)
			scene->graph = tw__graph_share(request->own.graph);
		else
			status = tw__generate(&scene->graph, request->workload, err);
	}
	if (status == TW_OK && tw__is_machine(request))
		status = tw__machine_models(&own, request, scene->platform, scene->graph, err);
	if (status == TW_OK)
		status = tw__scene_multiply(scene, err);
	if (status == TW_OK)
		status = tw__origin_bind(origin, scene, own, err);
	if (status == TW_OK)
		tw__prioritise(scene->graph, &scene->times, scene->platform);
	name_kernel_model(scene, request);
	scene->setup_s = tw__wall_s() - start_s + (tw__is_machine(request) ? 0 : origin->spared_s);
	if (status == TW_OK)
		scene->working_set_bytes = tw__graph_working_set(scene->graph);
	if (status == TW_OK)
		status = tw__scene_find_bounds(scene, &scene->times, &scene->critical_path_s, &scene->area_s, err);
	if (status == TW_OK)
		status = divide(scene, origin, own, err);
	tw__models_destroy(own);
	if (request->learn && tw__is_machine(request)) /* with --learn, `machine` has no kernel times before the run */
		scene->critical_path_s = scene->area_s = NAN;
	/* Processes of runs begin with the memory of this one. */
	if (status == TW_OK)
		tw__pages_give_back((size_t)scene->graph->n_tasks * sizeof(double));
	return status;
}

int tw__scene_create_from(struct tw__origin *origin, struct tw__scene **out, const struct tw__request *request,
                          struct tw_error *err)
{
	*out = NULL;
	struct tw__scene *scene = tw_alloc(1, sizeof *scene);
	scene->memo = scene->drawn = create_memo();
	scene->request = request;
	int status = make_scene(scene, origin, request, err);
	if (status < 0)
		tw__scene_destroy(scene);
	else
		*out = scene;
	return status;
}

int tw__scene_create(struct tw__scene **out, const struct tw__request *request, struct tw_error *err)
{
	struct tw__origin origin = {0};
	int status = tw__scene_create_from(&origin, out, request, err);
	tw__origin_finish(&origin);
	return status;
}

void tw__scene_tell_cores(const struct tw__origin *origin, const struct tw__scene *scene)
{
	const struct tw__platform *p = scene->platform;
	int n = 0;
	for (tw_worker w = 0; w < p->n_workers; w++)
		n += p->archs[p->workers[w].arch].accelerator ? 0 : p->workers[w].cores;
	if (!tw__is_machine(scene->request) && origin->cores_here && n > origin->cores_here)
		tw_log(TW_LOG_WARNING,
		       "platform '%.200s': its workers use more cores than this machine has (%d): calibrate measured "
		       "another machine, or this one with more cores",
		       scene->request->platform, origin->cores_here);
}

void tw__scene_tell(const struct tw__origin *origin, const struct tw__scene *scene)
{
	const char *workload = scene->request->workload;
	tw__scene_tell_cores(origin, scene);
	if (!tw__is_machine(scene->request) && !tw__executes_kernels(scene->request))
		tw__tell_doubts(&scene->times, origin->models, scene->platform, scene->graph, workload);
	const struct tw__platform *all = tw__origin_whole(origin, scene);
	tw__tell_unknown_archs(all, scene->graph, workload);
	tw__tell_idle(&scene->times, all, scene->platform, scene->graph, workload);
}

void tw__scene_destroy(struct tw__scene *scene)
{
	if (!scene)
		return;
	if (scene->times.mean && !scene->borrows)
		tw__times_finish(&scene->times);
	if (scene->program_times.mean && !scene->borrows)
		tw__times_finish(&scene->program_times);
	tw_graph_destroy(scene->graph);
	tw_graph_destroy(scene->program);
	tw__platform_destroy(scene->platform);
	destroy_memo(scene->memo);
	free(scene);
}

bool tw__scene_serves(const struct tw__scene *scene, const struct tw__request *request)
{
	return !tw__requests_differ(scene->request, request, TW__SCENE);
}

bool tw__scene_is_like(const struct tw__scene *scene, const struct tw__request *request)
{
	struct tw__request bounded = *request;
	bounded.choice.gpu_mem_bytes = scene->request->choice.gpu_mem_bytes;
	bounded.choice.mem = scene->request->choice.mem;
	return !tw__is_machine(request) && tw__scene_serves(scene, &bounded);
}

int tw__scene_create_like(const struct tw__scene *like, struct tw__origin *origin, struct tw__scene **out,
                          const struct tw__request *request, struct tw_error *err)
{
	*out = NULL;
	struct tw__scene *scene = tw_alloc(1, sizeof *scene);
	memcpy(scene, like, sizeof *scene);
	scene->request = request;
	scene->platform = NULL;
	scene->graph = tw__graph_share(like->graph);
	scene->program = like->program ? tw__graph_share(like->program) : NULL;
	scene->borrows = true;
	scene->memo = create_memo();
	memset(scene->told_spread, 0, sizeof scene->told_spread);
	int status = tw__origin_select(origin, &scene->platform, request, err);
	if (status < 0)
		tw__scene_destroy(scene);
	else
		*out = scene;
	return status;
}

int tw__scene_check_spread(struct tw__scene *scene, const struct tw__request *request, struct tw_error *err)
{
	bool empirical = request->noise && strcmp(request->noise, "empirical") == 0;
	if (!request->noise || !(empirical || strcmp(request->noise, "measured") == 0) || scene->told_spread[empirical])
		return TW_OK;
	const struct tw__times *times = &scene->times;
	int n = 0, without = 0;
	for (int k = 0; k < times->n_kernels; k++)
		for (tw_arch a = 0; a < times->n_archs; a++) {
			int i = k * times->n_archs + a;
			bool used = !isnan(times->mean[i]) && tw__has_worker(scene->platform, a);
			n += used;
			without += used && !(empirical ? times->draws[i].n > 0 : times->stddev[i] > 0);
		}
	if (n == without && empirical)
		return tw_fail(
			err, TW_INVALID,
			"noise 'empirical': none of the %d kernel times of workload '%.100s' on platform '%.40s' "
			"has samples: expected rows in samples.csv beside its kernels.csv",
			n, request->workload, scene->platform->name);
	if (n == without)
		return tw_fail(err, TW_INVALID,
		               "noise 'measured': none of the %d kernel times of workload '%.100s' on platform '%.40s' "
		               "has a measured deviation: expected one, or a noise such as 0.02",
		               n, request->workload, scene->platform->name);
	const bool told = atomic_exchange(&scene->told_spread[empirical], true);
	if (!told && without && empirical)
		tw_log(TW_LOG_WARNING,
		       "noise 'empirical': %d of %d kernel times of workload '%s' have no samples, and vary with their "
		       "measured deviation, if there is one",
		       without, n, request->workload);
	else if (!told && without)
		tw_log(TW_LOG_WARNING,
		       "noise 'measured': %d of %d kernel times of workload '%s' have no measured deviation, and "
		       "do not vary",
		       without, n, request->workload);
	return TW_OK;
}
