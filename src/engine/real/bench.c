#include "engine/real/bench_state.h"

#include <stdlib.h>

#include "base/random.h"

/* A worker's set of handles must exceed the caches, as the data of long runs do. For kernels with large operands, a few
 * tasks reach this size. */
enum { LEAST_TASKS = 4, ENOUGH_BYTES = 64 << 20 };

enum { ALIGNMENT = 256 }; /* alignment of handles in an accelerator's memory, in bytes */

void tw__bench_fail(struct tw__bench *b, int status, const char *why)
{
	if (b->status == TW_OK) {
		b->status = status;
		b->why = why;
	}
	b->stops = true;
}

/* Runs the engine with a turn of the bench. The message of a failure, `b->why`, is in the engine's memory. */
int tw__bench_drive(struct tw__bench *b, tw__turn *turn, struct tw_error *err)
{
	b->status = TW_OK;
	b->stops = false;
	b->n_busy = 0;
	int status = tw__engine_real.drive(b->engine, turn, b, err);
	if (status < 0 || b->status == TW_OK)
		return status;
	return b->why ? tw_fail(err, b->status, "engine 'real': %s", b->why)
	              : tw_fail(err, b->status, "engine 'real': out of memory");
}

int tw__bench_number(const struct tw__bench *b, tw_node node)
{
	int n = 0;
	for (tw_worker w = 0; w < b->platform->n_workers && b->platform->workers[w].node != node; w++)
		n += tw__bench_is_accelerator(b, w);
	return n;
}

/* --- the order of tasks ------------------------------------------------------------------------------------------- */

/* The order in which a worker of a bench runs the part's tasks: random, but consistent with their dependencies. In the
 * order of submission, a kernel would find other data in the caches than in runs under a policy. */

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

/* Returns an order of the graph's tasks, which the caller frees. NULL: out of memory. */
static tw_task *make_order(const struct tw_graph *g, uint64_t seed)
{
	const size_t n = (size_t)g->n_tasks + 1;
	struct ordering o = {.graph = g,
	                     .random = tw__random_create(seed, TW__STREAM_ORDER),
	                     .order = calloc(n, sizeof *o.order),
	                     .ready = calloc(n, sizeof *o.ready),
	                     .left = calloc(n, sizeof *o.left)};
	bool has_room = o.random && o.order && o.ready && o.left;
	for (tw_task t = 0; has_room && t < g->n_tasks; t++)
		if ((o.left[t] = g->n_predecessors[t]) == 0)
			o.ready[o.n_ready++] = t;
	while (has_room && o.n_ready)
		take_any(&o);
	tw__random_destroy(o.random);
	free(o.ready);
	free(o.left);
	if (has_room)
		return o.order;
	free(o.order);
	return NULL;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static uint64_t aligned(uint64_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

/* Makes the part of the workload. Each CPU worker has its own set of handles in main memory. Accelerators share one set
 * in main memory, and each has a copy of this set in its own memory. */
static int create_part(struct tw__bench *b, const struct tw__bench_setup *setup, struct tw_error *err)
{
	const int n_accelerators = tw__platform_accelerators(b->platform);
	const struct tw__part_setup part = {
		.graph = setup->graph,
		.least_tasks = LEAST_TASKS,
		.enough_bytes = ENOUGH_BYTES,
		.n_sets = b->platform->n_workers - n_accelerators + (n_accelerators > 0),
		.n_rooms = setup->copy_bytes ? TW__N_BENCH_ROOMS * n_accelerators : 0,
		.room_bytes = setup->copy_bytes,
	};
	return tw__part_create(&b->part, &part, err);
}

/* Places a set of handles in an accelerator's memory, and returns its end. Behind it comes a slot for each room that
 * copies write to or read from in this memory. */
static uint64_t place_set(const struct tw__bench *b, struct tw__bench_lane *lane)
{
	uint64_t at = 0;
	for (tw_data h = 0; h < b->part.n_handles; h++) {
		lane->offset[h] = at;
		at += aligned(b->part.graph->data_bytes[h]);
	}
	return at;
}

static bool has_slot(const struct tw__bench *b, int room, tw_worker w)
{
	const struct tw_platform *p = b->platform;
	for (tw_worker v = 0; v < p->n_workers; v++) {
		if (!tw__bench_is_accelerator(b, v) ||
		    tw__bench_number(b, p->workers[v].node) != room / TW__N_BENCH_ROOMS)
			continue;
		return v == w || (room % TW__N_BENCH_ROOMS == TW__ROOM_OUT &&
		                  tw__route_of(p, p->workers[v].node, p->workers[w].node)->n_links > 0);
	}
	return false;
}

/* Walks the rooms that have a slot in the worker's memory, from offset `at` on, and returns the end. If `tells`, calls
 * the engine's operation `place` for each. */
static uint64_t place_rooms(struct tw__bench *b, tw_worker w, uint64_t at, bool tells)
{
	for (int room = 0; room < b->part.n_rooms; room++) {
		tw_data d = tw__part_room(&b->part, room);
		if (!has_slot(b, room, w))
			continue;
		if (tells)
			tw__engine_real.place(b->engine, b->platform->workers[w].node, d, at,
			                      b->part.graph->data_bytes[d]);
		at += aligned(b->part.graph->data_bytes[d]);
	}
	return at;
}

static void tell_places(struct tw__bench *b)
{
	for (tw_worker w = 0; w < b->platform->n_workers; w++) {
		const struct tw__bench_lane *lane = &b->lanes[w];
		uint64_t end = 0;
		if (!tw__bench_is_accelerator(b, w))
			continue;
		for (tw_data h = 0; h < b->part.n_handles; h++) {
			tw_data d = tw__part_handle(&b->part, lane->set, h);
			tw__engine_real.place(b->engine, b->platform->workers[w].node, d, lane->offset[h],
			                      b->part.graph->data_bytes[d]);
			end = lane->offset[h] + aligned(b->part.graph->data_bytes[d]);
		}
		place_rooms(b, w, end, true);
	}
}

static int init_lanes(struct tw__bench *b, const struct tw__bench_setup *setup, struct tw_error *err)
{
	const struct tw__real_config *config = setup->config;
	const struct tw_platform *p = b->platform;
	const bool has_cpu = tw__platform_accelerators(p) < p->n_workers;
	int set = 0;
	for (tw_worker w = 0; w < p->n_workers; w++) {
		struct tw__bench_lane *lane = &b->lanes[w];
		lane->has = calloc((size_t)b->part.graph->n_kernels + 1, sizeof *lane->has);
		lane->offset = tw__bench_is_accelerator(b, w)
		                       ? calloc((size_t)b->part.n_handles + 1, sizeof *lane->offset)
		                       : NULL;
		lane->order = make_order(b->part.graph, setup->seed + (uint64_t)w);
		if (!lane->has || !lane->order || (tw__bench_is_accelerator(b, w) && !lane->offset))
			return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
		lane->is_gpu = tw__bench_is_accelerator(b, w) && !config->emulates;
		lane->shift = tw__bench_is_accelerator(b, w) && config->emulates && has_cpu;
		lane->set = tw__bench_is_accelerator(b, w) ? b->part.n_sets - 1 : set++;
		b->n_shifts = lane->shift >= b->n_shifts ? lane->shift + 1 : b->n_shifts;
		if (lane->offset)
			b->capacity[p->workers[w].node] = place_rooms(b, w, place_set(b, lane), false);
	}
	return TW_OK;
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
	const struct tw_platform *p = b->platform;
	const struct tw__engine *e = b->engine;
	int n_emulated = 0;
	for (tw_worker w = 0; w < p->n_workers; w++) {
		struct tw__bench_lane *lane = &b->lanes[w];
		bool is_idle = tw__bench_is_accelerator(b, w) && config->emulates && e->cores.n > 0 &&
		               n_emulated++ >= e->cores.n;
		for (tw_kernel k = 0; k < b->part.graph->n_kernels; k++) {
			bool splits = tw__family_codelet(e->family, k)->splits;
			lane->has[k] = !is_idle && (p->workers[w].cores == 1 || splits);
			if (lane->is_gpu)
				lane->has[k] = tw__device_ops_of(e->devices[p->workers[w].node])
				                       ->has(config->workload, b->part.graph->kernels[k].name);
			lane->has[k] &= is_run(b->part.graph, k);
		}
	}
}

static int open_engine(struct tw__bench *b, const struct tw__bench_setup *setup, struct tw_error *err)
{
	const bool has_gpus = tw__platform_accelerators(b->platform) > 0 && !setup->config->emulates;
	struct tw__real_config config = *setup->config;
	config.check = TW__CHECK_NONE;
	config.origin = b->part.origin;
	config.filled_from = tw__part_handle(&b->part, b->part.n_sets - has_gpus, 0);
	const struct tw__engine_setup engine = {
		.platform = b->platform,
		.graph = b->part.graph,
		.shares = TW__SHARES_EQUAL,
		.capacity = b->capacity,
		.home = TW_RAM,
		.seed = setup->seed,
		.config = &config,
	};
	return tw__engine_real.open(&b->engine, &engine, err);
}

static int open(struct tw__bench *b, const struct tw__bench_setup *setup, struct tw_error *err)
{
	b->platform = setup->platform;
	b->capacity = calloc((size_t)b->platform->n_nodes, sizeof *b->capacity);
	b->lanes = calloc((size_t)b->platform->n_workers, sizeof *b->lanes);
	if (!b->capacity || !b->lanes)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	for (tw_node n = 0; n < b->platform->n_nodes; n++)
		b->capacity[n] = UINT64_MAX;
	int status = create_part(b, setup, err);
	if (status == TW_OK)
		status = init_lanes(b, setup, err);
	if (status == TW_OK)
		status = open_engine(b, setup, err);
	if (status < 0)
		return status;
	find_kernels(b, setup->config);
	tell_places(b);
	return TW_OK;
}

int tw__bench_open(struct tw__bench **out, const struct tw__bench_setup *setup, struct tw_error *err)
{
	struct tw__bench *b = *out = calloc(1, sizeof *b);
	return b ? open(b, setup, err) : tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
}

void tw__bench_close(struct tw__bench *b)
{
	if (!b || (b->engine && b->engine->hangs))
		return;
	tw__real_close(b->engine);
	for (tw_worker w = 0; b->lanes && w < b->platform->n_workers; w++) {
		free(b->lanes[w].has);
		free(b->lanes[w].order);
		free(b->lanes[w].offset);
	}
	tw__part_finish(&b->part);
	free(b->lanes);
	free(b->capacity);
	free(b);
}
