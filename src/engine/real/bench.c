#include "engine/real/bench.h"

#include <math.h>
#include <stdlib.h>

#include "engine/real/part.h"
#include "engine/real/real.h"

/* Kernels take turns after so many tasks; more would only need more memory. */
enum { TASKS_PER_KERNEL = 4 };

enum { ALIGNMENT = 256 }; /* of handles in an accelerator's memory, bytes */

/* What a worker does next: it gives the handles of its set their initial content, then it runs the part's tasks in order, and again. */
struct lane {
	int shift, set;
	bool is_gpu;      /* its content comes by copies from main memory */
	bool *has;        /* [kernels] */
	uint64_t *offset; /* [n_handles] in an accelerator's memory */
	tw_data handle;   /* whose content comes next; n_handles: all have theirs */
	tw_task task;     /* to run next */
	bool is_filled;   /* all handles have had their content once */
	bool runs_task;   /* what is under way is a task, and no content */
};

struct way {
	tw_data room;
	uint64_t bytes;
	int n_left;
	struct tw__timed_copy *next;
};

struct tw__bench {
	const struct tw_platform *platform;
	struct tw__engine *engine;
	struct tw__part part;
	uint64_t *capacity; /* [n_nodes] */
	struct lane *lanes; /* [n_workers] */
	int n_shifts;
	/* What is under way. Tokens are numbers of workers, or of ways. */
	int shift, n_busy, status;
	bool (*take)(void *, const struct tw__timed_kernel *);
	void *take_context;
	bool stops;
	const struct tw__way *ways;
	struct way *way_states;
	const char *why; /* of a failure; NULL: out of memory */
};

static bool is_accelerator(const struct tw__bench *b, tw_worker w)
{
	return b->platform->archs[b->platform->workers[w].arch].accelerator;
}

static uint64_t aligned(uint64_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static int run_task(struct tw__bench *b, tw_worker w, tw_task t)
{
	const struct lane *lane = &b->lanes[w];
	const struct tw_graph *g = b->part.graph;
	struct tw__placed placed[TW_MAX_ACCESSES];
	struct tw__launch launch = {.worker = w, .task = t, .access = placed};
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		tw_data handle = tw__access_data(g->access[a]);
		placed[launch.n_accesses++] = (struct tw__placed){
			.data = tw__part_handle(&b->part, lane->set, handle),
			.mode = b->part.mode[a],
			.offset = lane->offset ? lane->offset[handle] : 0,
		};
	}
	/* The engine waits for a hundred times as long: see watch.c. */
	launch.seconds = g->kernels[g->kernel[t]].flops / 1e10;
	return tw__engine_real.exec(b->engine, &launch, (uint64_t)w);
}

static int bring_content(struct tw__bench *b, tw_worker w, tw_data handle)
{
	tw_data d = tw__part_handle(&b->part, b->lanes[w].set, handle);
	if (b->lanes[w].is_gpu)
		return tw__engine_real.transfer(b->engine, TW_RAM, b->platform->workers[w].node, d,
		                                b->part.graph->data_bytes[d], (uint64_t)w);
	return tw__real_refill(b->engine, w, d, (uint64_t)w);
}

/* The worker's next step. Tasks of one pass may have changed handles that those of the next read. */
static int advance(struct tw__bench *b, tw_worker w)
{
	struct lane *lane = &b->lanes[w];
	const struct tw_graph *g = b->part.graph;
	for (;;) {
		while (lane->handle < b->part.n_handles && lane->is_filled && !b->part.is_written[lane->handle])
			lane->handle++;
		lane->runs_task = lane->handle == b->part.n_handles;
		if (!lane->runs_task)
			return bring_content(b, w, lane->handle++);
		lane->is_filled = true;
		while (lane->task < g->n_tasks && !lane->has[g->kernel[lane->task]])
			lane->task++;
		if (lane->task < g->n_tasks)
			return run_task(b, w, lane->task++);
		lane->task = 0;
		lane->handle = 0;
	}
}

static void fail(struct tw__bench *b, int status, const char *why)
{
	if (b->status == TW_OK) {
		b->status = status;
		b->why = why;
	}
	b->stops = true;
}

static void kernel_ended(struct tw__bench *b, const struct tw__completion *c)
{
	tw_worker w = (tw_worker)c->token;
	struct lane *lane = &b->lanes[w];
	b->n_busy--;
	if (c->status < 0)
		fail(b, c->status, c->why);
	if (lane->runs_task && !b->stops) {
		const struct tw__timed_kernel timed = {
			.worker = w,
			.kernel = b->part.graph->kernel[lane->task - 1],
			.seconds = c->end - c->start,
			.interrupted = c->interrupted,
		};
		b->stops |= !b->take(b->take_context, &timed);
	}
	int status = b->stops ? TW_OK : advance(b, w);
	if (status < 0)
		fail(b, status, NULL);
	else
		b->n_busy += !b->stops;
}

static bool has_any(const struct tw__bench *b, tw_worker w)
{
	for (tw_kernel k = 0; k < b->part.graph->n_kernels; k++)
		if (tw__bench_has(b, b->shift, w, k))
			return true;
	return false;
}

static void begin_shift(struct tw__bench *b)
{
	for (tw_worker w = 0; w < b->platform->n_workers; w++) {
		if (!has_any(b, w))
			continue;
		int status = advance(b, w);
		if (status < 0)
			fail(b, status, NULL);
		else
			b->n_busy++;
	}
}

static bool kernels_turn(void *arg, double now, const struct tw__completion *ended, int n, double *until)
{
	struct tw__bench *b = arg;
	(void)now;
	*until = INFINITY;
	if (n == 0 && b->n_busy == 0)
		begin_shift(b);
	for (int i = 0; i < n; i++)
		kernel_ended(b, &ended[i]);
	return b->n_busy > 0;
}

/* `why` of a failure lives in the engine. */
static int drive(struct tw__bench *b, tw__turn *turn, struct tw_error *err)
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

int tw__bench_n_shifts(const struct tw__bench *b) { return b->n_shifts; }

bool tw__bench_has(const struct tw__bench *b, int shift, tw_worker w, tw_kernel k)
{
	return b->lanes[w].shift == shift && b->lanes[w].has[k];
}

int tw__bench_kernels(struct tw__bench *b, int shift, bool (*take)(void *context, const struct tw__timed_kernel *),
                      void *context, struct tw_error *err)
{
	b->shift = shift;
	b->take = take;
	b->take_context = context;
	return drive(b, kernels_turn, err);
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

static void begin_copy(struct tw__bench *b, int i)
{
	const struct tw__way *way = &b->ways[i];
	struct way *state = &b->way_states[i];
	if (state->n_left == 0 || b->stops)
		return;
	state->n_left--;
	int status = tw__engine_real.transfer(b->engine, way->from, way->to, state->room, state->bytes, (uint64_t)i);
	if (status < 0)
		fail(b, status, NULL);
	else
		b->n_busy++;
}

/* Of each way one copy is under way, and one is given: the next starts without a turn between. */
static bool copies_turn(void *arg, double now, const struct tw__completion *ended, int n, double *until)
{
	struct tw__bench *b = arg;
	(void)now;
	*until = INFINITY;
	if (n == 0 && b->n_busy == 0)
		for (int i = 0; b->way_states[i].next; i++) {
			begin_copy(b, i);
			begin_copy(b, i);
		}
	for (int i = 0; i < n; i++) {
		struct way *state = &b->way_states[ended[i].token];
		b->n_busy--;
		if (ended[i].status < 0)
			fail(b, ended[i].status, ended[i].why);
		*state->next++ = (struct tw__timed_copy){ended[i].start, ended[i].end};
		begin_copy(b, (int)ended[i].token);
	}
	return b->n_busy > 0;
}

/* Two rooms for each accelerator: what main memory sends it, and what it sends to others. */
enum { ROOM_IN, ROOM_OUT, N_ROOMS };

/* Among the accelerators. */
static int number_of(const struct tw__bench *b, tw_node node)
{
	int n = 0;
	for (tw_worker w = 0; w < b->platform->n_workers && b->platform->workers[w].node != node; w++)
		n += is_accelerator(b, w);
	return n;
}

static tw_data room_of(const struct tw__bench *b, const struct tw__way *way)
{
	tw_node accelerator = way->from == TW_RAM ? way->to : way->from;
	int which = way->from == TW_RAM ? ROOM_IN : ROOM_OUT;
	return tw__part_room(&b->part, N_ROOMS * number_of(b, accelerator) + which);
}

int tw__bench_copies(struct tw__bench *b, const struct tw__way *ways, const uint64_t *bytes, int n_ways, int n_copies,
                     struct tw__timed_copy *copies, struct tw_error *err)
{
	b->ways = ways;
	b->way_states = calloc((size_t)n_ways + 1, sizeof *b->way_states);
	if (!b->way_states)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	for (int i = 0; i < n_ways; i++)
		b->way_states[i] =
			(struct way){room_of(b, &ways[i]), bytes[i], n_copies, copies + (size_t)i * (size_t)n_copies};
	int status = drive(b, copies_turn, err);
	if (!b->engine->hangs)
		free(b->way_states);
	return status;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static int count_accelerators(const struct tw_platform *p)
{
	int n = 0;
	for (tw_worker w = 0; w < p->n_workers; w++)
		n += p->archs[p->workers[w].arch].accelerator;
	return n;
}

/* Each CPU worker has a set of its own in main memory. Accelerators share one there, and have theirs in their own memory. */
static int create_part(struct tw__bench *b, const struct tw__bench_setup *setup, struct tw_error *err)
{
	const int n_accelerators = count_accelerators(b->platform);
	const struct tw__part_setup part = {
		.graph = setup->graph,
		.tasks_per_kernel = TASKS_PER_KERNEL,
		.n_sets = b->platform->n_workers - n_accelerators + (n_accelerators > 0),
		.n_rooms = setup->copy_bytes ? N_ROOMS * n_accelerators : 0,
		.room_bytes = setup->copy_bytes,
	};
	return tw__part_create(&b->part, &part, err);
}

/* In an accelerator's memory the set comes first, then a slot for each room that copies there come from or go to. */
static uint64_t place_set(const struct tw__bench *b, struct lane *lane)
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
		if (!is_accelerator(b, v) || number_of(b, p->workers[v].node) != room / N_ROOMS)
			continue;
		return v == w || (room % N_ROOMS == ROOM_OUT &&
		                  tw__route_of(p, p->workers[v].node, p->workers[w].node)->n_links > 0);
	}
	return false;
}

/* Calls `place` for each room that has a slot in the worker's memory, from `at` on; returns the end. */
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
		const struct lane *lane = &b->lanes[w];
		uint64_t end = 0;
		if (!is_accelerator(b, w))
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

static int init_lanes(struct tw__bench *b, const struct tw__real_config *config, struct tw_error *err)
{
	const struct tw_platform *p = b->platform;
	const bool has_cpu = count_accelerators(p) < p->n_workers;
	int set = 0;
	for (tw_worker w = 0; w < p->n_workers; w++) {
		struct lane *lane = &b->lanes[w];
		lane->has = calloc((size_t)b->part.graph->n_kernels + 1, sizeof *lane->has);
		lane->offset =
			is_accelerator(b, w) ? calloc((size_t)b->part.n_handles + 1, sizeof *lane->offset) : NULL;
		if (!lane->has || (is_accelerator(b, w) && !lane->offset))
			return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
		lane->is_gpu = is_accelerator(b, w) && !config->emulates;
		lane->shift = is_accelerator(b, w) && config->emulates && has_cpu;
		lane->set = is_accelerator(b, w) ? b->part.n_sets - 1 : set++;
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

/* Of emulated accelerators no more work at a time than there are cores. */
static void find_kernels(struct tw__bench *b, const struct tw__real_config *config)
{
	const struct tw_platform *p = b->platform;
	const struct tw__engine *e = b->engine;
	int n_emulated = 0;
	for (tw_worker w = 0; w < p->n_workers; w++) {
		struct lane *lane = &b->lanes[w];
		bool is_idle = is_accelerator(b, w) && config->emulates && e->cores.n > 0 && n_emulated++ >= e->cores.n;
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
	const bool has_gpus = count_accelerators(b->platform) > 0 && !setup->config->emulates;
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
		status = init_lanes(b, setup->config, err);
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
		free(b->lanes[w].offset);
	}
	tw__part_finish(&b->part);
	free(b->lanes);
	free(b->capacity);
	free(b);
}
