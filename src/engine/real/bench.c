#include "engine/real/bench_state.h"

#include <stdlib.h>

#include "base/random.h"

/* A worker's set of handles must exceed the caches, as the data of long runs do. For kernels with large operands, a few
 * tasks reach this size. */
enum { LEAST_TASKS = 4, ENOUGH_BYTES = 64 << 20 };

enum { ALIGNMENT = 256 }; /* alignment of handles in an accelerator's memory, in bytes */

/* --- the order of tasks ------------------------------------------------------------------------------------------- */

/* The order in which a worker of a bench runs the excerpt's tasks: random, but consistent with their dependencies. In
 * the order of submission, a kernel would find other data in the caches than in runs under a policy. */

struct ordering {
	const struct tw_graph *graph;
	struct tw__random *random;
	tw_task *order, *ready;
	uint32_t *left; /* [tasks] number of predecessors that are not in `order` yet */
	int n, n_ready;
};

static void take_any(struct ordering *o)
{
	const struct tw_graph *g = o->graph;
	uint32_t i = tw__random_below(o->random, (uint32_t)o->n_ready);
	tw_task t = o->order[o->n++] = o->ready[i];
	o->ready[i] = o->ready[--o->n_ready];
	for (uint32_t s = g->successor_start[t]; s < g->successor_start[t + 1]; s++)
		if (--o->left[g->successor[s]] == 0)
			o->ready[o->n_ready++] = g->successor[s];
}

static tw_task *make_order(struct tw__bench *b, uint64_t seed)
{
	const struct tw_graph *g = b->excerpt.graph;
	const size_t n = (size_t)g->n_tasks;
	struct ordering o = {.graph = g,
	                     .random = tw__random_create(seed, TW__STREAM_ORDER),
	                     .order = tw__arena_alloc(&b->memory, n, sizeof *o.order),
	                     .ready = tw_alloc(n, sizeof *o.ready),
	                     .left = tw_alloc(n, sizeof *o.left)};
	tw__graph_count_predecessors(g, o.left);
	for (tw_task t = 0; t < g->n_tasks; t++)
		if (o.left[t] == 0)
			o.ready[o.n_ready++] = t;
	while (o.n_ready)
		take_any(&o);
	tw__random_destroy(o.random);
	free(o.ready);
	free(o.left);
	return o.order;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static uint64_t aligned(uint64_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

/* Returns the number of the worker's set of handles: CPU workers of a main memory have a set each. */
static int set_of(const struct tw__platform *p, tw_worker worker)
{
	int set = 0;
	for (tw_worker w = 0; w < worker; w++)
		set += p->workers[w].node == p->workers[worker].node;
	return set;
}

/* Makes the excerpt of the workload. Each CPU worker has its own set of handles in its main memory. Accelerators share
 * one set in the first main memory, and each has a copy of this set in its own memory. */
static int create_excerpt(struct tw__bench *b, const struct tw__bench_setup *setup, struct tw_error *err)
{
	const int n_accelerators = tw__platform_accelerators(b->platform), n_mains = tw__n_mains(b->platform);
	int n_sets = 0;
	for (tw_worker w = n_accelerators; w < b->platform->n_workers && !setup->copy_bytes; w++)
		n_sets = set_of(b->platform, w) < n_sets ? n_sets : set_of(b->platform, w) + 1;
	const struct tw__excerpt_setup excerpt = {
		.graph = setup->graph,
		.least_tasks = LEAST_TASKS,
		.enough_bytes = ENOUGH_BYTES,
		.n_sets = n_sets + (n_accelerators > 0 || setup->copy_bytes),
		.n_rooms = setup->copy_bytes || !setup->config->emulates ? TW__N_BENCH_ROOMS * n_accelerators : 0,
		.n_chunks = setup->copy_bytes && n_mains > 1 ? n_mains * TW__N_PART_CHUNKS : 0,
		.chunk_bytes = TW__CHUNK_BYTES,
		.room_bytes = setup->copy_bytes > TW__BESIDE_BYTES ? setup->copy_bytes : TW__BESIDE_BYTES,
	};
	return tw__excerpt_create(&b->excerpt, &excerpt, err);
}

/* Whether the memory of an accelerator has a slot for a room: copies write to the room or read from it there. */
static bool has_slot(const struct tw__bench *b, int room, tw_worker w)
{
	const struct tw__platform *p = b->platform;
	const tw_worker owner = room / TW__N_BENCH_ROOMS;
	return owner == w || (room % TW__N_BENCH_ROOMS == TW__ROOM_OUT &&
	                      tw__route_of(p, p->workers[owner].node, p->workers[w].node)->n_links > 0);
}

/* Places handles in the memory of an accelerator: those of its set, then the rooms. Tells the engine if it is open.
 * Returns the bytes that they need. */
static uint64_t place(const struct tw__bench *b, tw_worker w)
{
	const struct tw__excerpt *x = &b->excerpt;
	uint64_t at = 0;
	for (tw_data d = tw__excerpt_handle(x, b->lanes[w].set, 0); d < tw__excerpt_chunk(x, 0); d++) {
		const uint64_t bytes = x->graph->data_bytes[d];
		if (d >= tw__excerpt_room(x, 0) && !has_slot(b, d - tw__excerpt_room(x, 0), w))
			continue;
		if (b->engine)
			tw__engine_real.place(b->engine, b->platform->workers[w].node, d, at, bytes);
		at += aligned(bytes);
	}
	return at;
}

static void init_lanes(struct tw__bench *b, const struct tw__bench_setup *setup)
{
	const struct tw__real_config *config = setup->config;
	const struct tw__platform *p = b->platform;
	const bool has_cpu = tw__platform_accelerators(p) < p->n_workers;
	for (tw_worker w = 0; w < p->n_workers; w++) {
		struct tw__bench_lane *lane = &b->lanes[w];
		lane->has = tw__arena_alloc(&b->memory, (size_t)b->excerpt.graph->n_kernels, sizeof *lane->has);
		lane->n_tasks = tw__arena_alloc(&b->memory, (size_t)b->excerpt.graph->n_kernels, sizeof *lane->n_tasks);
		lane->order = make_order(b, setup->seed + (uint64_t)w);
		lane->is_gpu = tw__bench_is_accelerator(b, w) && !config->emulates;
		lane->shift = tw__bench_is_accelerator(b, w) && config->emulates && has_cpu;
		lane->set = tw__bench_is_accelerator(b, w) || setup->copy_bytes ? b->excerpt.n_sets - 1 : set_of(p, w);
		b->n_shifts = lane->shift >= b->n_shifts ? lane->shift + 1 : b->n_shifts;
		if (tw__bench_is_accelerator(b, w))
			b->capacity[p->workers[w].node] = place(b, w);
	}
}

static bool is_run(const struct tw_graph *g, tw_kernel k)
{
	tw_task t = 0;
	while (t < g->n_tasks && g->kernel[t] != k)
		t++;
	return t < g->n_tasks;
}

/* Finds the kernels that each worker runs. At most as many emulated accelerators work as there are cores. */
static void find_kernels(struct tw__bench *b, const struct tw__real_config *config)
{
	const struct tw__platform *p = b->platform;
	const struct tw__engine *e = b->engine;
	int n_emulated = 0;
	for (tw_worker w = 0; w < p->n_workers; w++) {
		struct tw__bench_lane *lane = &b->lanes[w];
		bool is_idle = tw__bench_is_accelerator(b, w) && config->emulates && e->cores.n > 0 &&
		               n_emulated++ >= e->cores.n;
		for (tw_kernel k = 0; k < b->excerpt.graph->n_kernels; k++) {
			bool splits = e->family->codelets[k]->splits;
			lane->has[k] = !is_idle && (p->workers[w].cores == 1 || splits);
			if (lane->is_gpu)
				lane->has[k] = tw__device_ops_of(e->devices[p->workers[w].node])
				                       ->has(config->workload, b->excerpt.graph->kernels[k].name);
			lane->has[k] &= is_run(b->excerpt.graph, k);
			for (tw_task t = 0; lane->has[k] && t < b->excerpt.graph->n_tasks; t++)
				lane->n_tasks[k] += b->excerpt.graph->kernel[t] == k;
		}
	}
}

static int open_engine(struct tw__bench *b, const struct tw__bench_setup *setup, struct tw_error *err)
{
	const bool has_gpus = tw__platform_accelerators(b->platform) > 0 && !setup->config->emulates;
	struct tw__real_config config = *setup->config;
	config.check = TW__CHECK_NONE;
	config.origin = b->excerpt.origin;
	config.filled_from = tw__excerpt_handle(&b->excerpt, b->excerpt.n_sets - has_gpus, 0);
	const struct tw__engine_setup engine = {
		.platform = b->platform,
		.graph = b->excerpt.graph,
		.shares = TW__SHARES_EQUAL,
		.capacity = b->capacity,
		.homes = {.first = TW_RAM},
		.seed = setup->seed,
		.config = &config,
	};
	return tw__engine_real.open(&b->engine, &engine, err);
}

static int open(struct tw__bench *b, const struct tw__bench_setup *setup, struct tw_error *err)
{
	b->platform = setup->platform;
	b->capacity = tw__arena_alloc(&b->memory, (size_t)b->platform->n_nodes, sizeof *b->capacity);
	b->lanes = tw__arena_alloc(&b->memory, (size_t)b->platform->n_workers, sizeof *b->lanes);
	for (tw_node n = 0; n < b->platform->n_nodes; n++)
		b->capacity[n] = UINT64_MAX;
	int status = create_excerpt(b, setup, err);
	if (status < 0)
		return status;
	b->placed = tw__arena_alloc(&b->memory, (size_t)tw_graph_most_accesses(b->excerpt.graph), sizeof *b->placed);
	init_lanes(b, setup);
	status = open_engine(b, setup, err);
	if (status < 0)
		return status;
	find_kernels(b, setup->config);
	for (tw_worker w = 0; w < b->platform->n_workers; w++)
		if (tw__bench_is_accelerator(b, w))
			place(b, w);
	return TW_OK;
}

int tw__bench_open(struct tw__bench **out, const struct tw__bench_setup *setup, struct tw_error *err)
{
	*out = tw_alloc(1, sizeof **out);
	return open(*out, setup, err);
}

void tw__bench_close(struct tw__bench *b)
{
	if (!b || (b->engine && b->engine->hangs))
		return;
	tw__real_close(b->engine);
	tw__excerpt_finish(&b->excerpt);
	tw__arena_finish(&b->memory);
	free(b);
}
