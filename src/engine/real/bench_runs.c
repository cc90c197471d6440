/* Times the kernels of a bench: every worker repeats its kernels, on its own set of handles. Times its copies. */
#include <math.h>
#include <stdlib.h>

#include "engine/real/bench_state.h"

/* Runs the engine with a turn of the bench, until no operation is under way. */
static int drive(struct tw__bench *b, tw__turn *turn, struct tw_error *err)
{
	b->why = NULL;
	b->stops = false;
	b->n_busy = 0;
	int status = tw__engine_real.drive(b->engine, turn, b, err);
	return status == TW_OK && b->why ? tw_fail(err, TW_FAILED, "engine 'real': %s", b->why) : status;
}

/* Counts an operation that has ended. The first failure ends the drive. */
static void count_end(struct tw__bench *b, const struct tw__completion *c)
{
	b->n_busy--;
	if (c->status == TW_OK)
		return;
	b->why = b->why ? b->why : c->why;
	b->stops = true;
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static void run_task(const struct tw__bench *b, tw_worker w, tw_task t)
{
	const struct tw__bench_lane *lane = &b->lanes[w];
	const struct tw_graph *g = b->excerpt.graph;
	const tw_node node = b->platform->workers[w].node;
	struct tw__launch launch = {.worker = w, .task = t, .access = b->placed};
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		tw_data d = tw__excerpt_handle(&b->excerpt, lane->set, tw__access_data(g->access[a]));
		b->placed[launch.n_accesses++] =
			(struct tw__placed){d, b->excerpt.mode[a], *tw__spaces_offset(&b->engine->spaces, node, d)};
	}
	/* The kernel's time at a low rate. The watchdog waits for a hundred times this length: see watch.c. */
	launch.length = tw__ns_of(g->kernels[g->kernel[t]].flops / 1e10);
	tw__engine_real.exec(b->engine, &launch, (uint64_t)w + (uint64_t)b->platform->n_workers * (1 + (uint64_t)t));
}

static void bring_content(struct tw__bench *b, tw_worker w, tw_data handle)
{
	tw_data d = tw__excerpt_handle(&b->excerpt, b->lanes[w].set, handle);
	if (b->lanes[w].is_gpu)
		tw__engine_real.transfer(b->engine, TW_RAM, b->platform->workers[w].node, d,
		                         b->excerpt.graph->data_bytes[d], (uint64_t)w);
	else
		tw__real_refill(b->engine, w, d, (uint64_t)w);
}

/* A GPU gets its next kernel while the one before runs, as in runs under a policy: so launches are not in its times.
 * The first kernel of a pass has none in front, so it does not count, unless the pass has no other one of its kind. */
enum { GPU_QUEUE = 2 };

/* Keeps a copy in each direction under way while a GPU runs kernels. In runs, kernels of cores and GPUs share memories
 * with copies, too. While handles are filled, there are copies to the GPU anyway. */
static void copy_beside(struct tw__bench *b, tw_worker w)
{
	struct tw__bench_lane *lane = &b->lanes[w];
	const tw_node node = b->platform->workers[w].node, main = b->platform->nodes[node].main;
	for (int from = 0; from < 2 && lane->is_gpu; from++) {
		if (lane->copies[from] || (!from && lane->handle < b->excerpt.n_handles))
			continue;
		const tw_data room =
			tw__excerpt_room(&b->excerpt, TW__N_BENCH_ROOMS * w + (from ? TW__ROOM_OUT : TW__ROOM_IN));
		const uint64_t task = (uint64_t)b->excerpt.graph->n_tasks + (uint64_t)from;
		lane->copies[from] = true;
		b->n_busy++;
		tw__engine_real.transfer(b->engine, from ? node : main, from ? main : node, room, TW__BESIDE_BYTES,
		                         (uint64_t)w + (uint64_t)b->platform->n_workers * (1 + task));
	}
}

/* Starts the worker's next steps. Before each pass over the tasks, the handles that the previous pass has written get
 * their initial content again. While a handle is filled, no task is under way. */
static void advance(struct tw__bench *b, tw_worker w)
{
	struct tw__bench_lane *lane = &b->lanes[w];
	const struct tw_graph *g = b->excerpt.graph;
	const int queue = lane->is_gpu ? GPU_QUEUE : 1;
	while (!lane->is_filling && lane->n_under_way < queue) {
		while (lane->handle < b->excerpt.n_handles && lane->is_filled && !b->excerpt.is_written[lane->handle])
			lane->handle++;
		bool fills = lane->handle < b->excerpt.n_handles;
		while (!fills && lane->task < g->n_tasks && !lane->has[g->kernel[lane->order[lane->task]]])
			lane->task++;
		bool ends_pass = !fills && lane->task == g->n_tasks;
		if (lane->n_under_way && (fills || ends_pass))
			return;
		lane->is_filled |= !fills;
		if (ends_pass) {
			lane->task = 0;
			lane->handle = 0;
			continue;
		}
		lane->n_under_way++;
		b->n_busy++;
		if (fills) {
			lane->is_filling = true;
			bring_content(b, w, lane->handle++);
			return;
		}
		if (lane->is_gpu && lane->n_under_way == 1)
			lane->alone = lane->order[lane->task];
		run_task(b, w, lane->order[lane->task++]);
	}
}

static void go_on(struct tw__bench *b, tw_worker w)
{
	if (b->stops)
		return;
	advance(b, w);
	copy_beside(b, w);
}

static void kernel_ended(struct tw__bench *b, const struct tw__completion *c)
{
	const uint64_t n_workers = (uint64_t)b->platform->n_workers;
	const tw_worker w = (tw_worker)(c->token % n_workers);
	struct tw__bench_lane *lane = &b->lanes[w];
	count_end(b, c);
	const bool is_task = c->token >= n_workers;
	const tw_task task = is_task ? (tw_task)(c->token / n_workers - 1) : TW_NONE;
	if (task >= b->excerpt.graph->n_tasks) {
		lane->copies[task - b->excerpt.graph->n_tasks] = false;
		go_on(b, w);
		return;
	}
	lane->n_under_way--;
	lane->is_filling = false;
	const tw_kernel kernel = is_task ? b->excerpt.graph->kernel[task] : TW_NONE;
	if (is_task && !b->stops && (!lane->is_gpu || task != lane->alone || lane->n_tasks[kernel] == 1)) {
		const struct tw__timed_kernel timed = {
			.worker = w,
			.kernel = kernel,
			.seconds = tw__seconds(c->end - c->start),
			.launch_s = tw__seconds(c->call),
			.interrupted = c->interrupted,
		};
		b->stops |= !b->take(b->take_context, &timed);
	}
	go_on(b, w);
}

static void begin_shift(struct tw__bench *b)
{
	for (tw_worker w = 0; w < b->platform->n_workers; w++) {
		bool has_any = false;
		for (tw_kernel k = 0; k < b->excerpt.graph->n_kernels; k++)
			has_any |= tw__bench_has(b, b->shift, w, k);
		if (has_any)
			go_on(b, w);
	}
}

static bool kernels_turn(void *arg, tw__ns now, const struct tw__completion *ended, int n, tw__ns *until)
{
	struct tw__bench *b = arg;
	(void)now;
	*until = TW__NEVER;
	if (n == 0 && b->n_busy == 0)
		begin_shift(b);
	for (int i = 0; i < n; i++)
		kernel_ended(b, &ended[i]);
	return b->n_busy > 0;
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

/* Returns the chunk where the next copy from that main memory begins. */
static tw_data next_chunk(struct tw__bench *b, tw_node from, uint64_t bytes)
{
	const int n = (int)((bytes + TW__CHUNK_BYTES - 1) / TW__CHUNK_BYTES);
	if (b->chunk + n > TW__N_PART_CHUNKS)
		b->chunk = 0;
	b->chunk += n;
	return tw__excerpt_chunk(&b->excerpt, from * TW__N_PART_CHUNKS + b->chunk - n);
}

static void begin_copy(struct tw__bench *b, int i)
{
	const struct tw__way *way = &b->ways[i];
	struct tw__bench_way *state = &b->way_states[i];
	if (state->n_left == 0 || b->stops)
		return;
	state->n_left--;
	const tw_data d = state->room == TW_NONE ? next_chunk(b, way->from, state->bytes) : state->room;
	tw__engine_real.transfer(b->engine, way->from, way->to, d, state->bytes, (uint64_t)i);
	b->n_busy++;
}

/* Takes a turn of the bench. Each way has one copy under way and one queued, so the next one starts without a turn. */
static bool copies_turn(void *arg, tw__ns now, const struct tw__completion *ended, int n, tw__ns *until)
{
	struct tw__bench *b = arg;
	(void)now;
	*until = TW__NEVER;
	if (n == 0 && b->n_busy == 0)
		for (int i = 0; b->way_states[i].next; i++) {
			begin_copy(b, i);
			begin_copy(b, i);
		}
	for (int i = 0; i < n; i++) {
		struct tw__bench_way *state = &b->way_states[ended[i].token];
		count_end(b, &ended[i]);
		*state->next++ = (struct tw__timed_copy){tw__seconds(ended[i].start), tw__seconds(ended[i].end)};
		begin_copy(b, (int)ended[i].token);
	}
	return b->n_busy > 0;
}

static tw_data room_of(const struct tw__bench *b, const struct tw__way *way)
{
	const bool comes_in = tw__is_main(b->platform, way->from);
	const enum tw__bench_room which = comes_in ? TW__ROOM_IN : TW__ROOM_OUT;
	const tw_node accelerator = comes_in ? way->to : way->from;
	tw_worker w = 0;
	if (tw__is_main(b->platform, accelerator))
		return TW_NONE;
	while (b->platform->workers[w].node != accelerator)
		w++;
	return tw__excerpt_room(&b->excerpt, TW__N_BENCH_ROOMS * w + (int)which);
}

int tw__bench_copies(struct tw__bench *b, const struct tw__way *ways, const uint64_t *bytes, int n_ways, int n_copies,
                     struct tw__timed_copy *copies, struct tw_error *err)
{
	b->ways = ways;
	b->way_states = tw__arena_alloc(&b->memory, (size_t)n_ways + 1, sizeof *b->way_states);
	for (int i = 0; i < n_ways; i++)
		b->way_states[i] = (struct tw__bench_way){room_of(b, &ways[i]), bytes[i], n_copies,
		                                          copies + (size_t)i * (size_t)n_copies};
	return drive(b, copies_turn, err);
}
