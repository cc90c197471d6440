/* The real engine: its parameters, and what a run needs: memory with the initial content, kernels, devices, threads. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/memory.h"
#include "base/module.h"
#include "platform/platform.h"
#include "platform/bind.h"
#include "engine/real/office.h"

static const struct tw_param params[] = {
	{"mode", TW_PARAM_CHOICE, "live", 0, 0, "live|timed",
         "live: kernels compute; timed: kernels sleep for their modelled times, and compute after the run"},
	{"stretch", TW_PARAM_REAL, "1", 0.001, 1e6, NULL, "mode=timed: multiplies the time that kernels sleep"},
	{"kernels", TW_PARAM_CHOICE, "real", 0, 0, "real|empty",
         "empty: kernels and copies do nothing, to time the runtime alone"},
	{"patience", TW_PARAM_TIME, "10s", 0.1, 1e6, NULL,
         "the run fails if nothing ends for this time, and for 100 times the longest kernel"},
	{"pageable", TW_PARAM_FLAG, "no", 0, 0, NULL, "with CUDA: main memory is not pinned, so copies are slower"},
	{"poison", TW_PARAM_FLAG, "no", 0, 0, NULL, "for tests: fill memory with NaN when it is allocated"},
	{0},
};

static bool is_timed(const struct tw_args *args) { return strcmp(tw_args_text(args, "mode"), "timed") == 0; }

static bool is_empty(const struct tw_args *args) { return strcmp(tw_args_text(args, "kernels"), "empty") == 0; }

static int check(const struct tw_args *args, struct tw_error *err)
{
	if (tw_args_given(args, "stretch") && !is_timed(args))
		return tw_fail(err, TW_INVALID, "engine 'real': stretch: expected mode=timed with it");
	if (is_empty(args) && is_timed(args))
		return tw_fail(err, TW_INVALID, "engine 'real': kernels=empty: expected mode=live with it");
	if (tw_args_flag(args, "poison") && is_timed(args))
		return tw_fail(err, TW_INVALID, "engine 'real': poison=yes: expected mode=live with it");
	return TW_OK;
}

static bool is_accelerator(const struct tw__platform *p, tw_worker w)
{
	return p->archs[p->workers[w].arch].accelerator;
}

static int check_platform(const struct tw__engine_setup *setup, struct tw_error *err)
{
	const struct tw__platform *p = setup->platform;
	if (p->n_ranks > 1)
		return tw_fail(
			err, TW_INVALID,
			"engine 'real': platform '%.80s' is a cluster of %d nodes: expected as many processes of an "
			"MPI launcher, as in mpirun -np %d",
			p->name, p->n_ranks, p->n_ranks);
	if (setup->homes.first != TW_RAM || setup->capacity[TW_RAM] != UINT64_MAX)
		return tw_fail(err, TW_INVALID,
		               "engine 'real': memory '%s' is bounded: expected no limit on main memory",
		               p->nodes[TW_RAM].name);
	for (tw_data d = 0; d < setup->graph->n_data; d++)
		if (tw__graph_place(setup->graph, TW__HOME, d) >= tw__n_mains(p))
			return tw_fail(err, TW_INVALID, "engine 'real': data %d starts in '%s': expected main memory",
			               (int)d, p->nodes[tw__graph_place(setup->graph, TW__HOME, d)].name);
	if (setup->graph->n_lineages || setup->graph->around)
		return tw_fail(err, TW_INVALID,
		               "engine 'real': the workload divides handles, or has recursive tasks: expected a "
		               "simulation for it");
	for (tw_worker w = 0; w < p->n_workers; w++) {
		tw_node n = p->workers[w].node;
		if (is_accelerator(p, w) && (tw__is_main(p, n) || setup->capacity[n] == UINT64_MAX))
			return tw_fail(err, TW_INVALID,
			               "engine 'real': accelerator '%s' has no bounded memory of its own: expected one",
			               p->workers[w].name);
		for (tw_worker v = 0; v < w; v++)
			if (!tw__is_main(p, n) && p->workers[v].node == n)
				return tw_fail(err, TW_INVALID,
				               "engine 'real': '%s' and '%s' share memory '%s': expected one worker",
				               p->workers[v].name, p->workers[w].name, p->nodes[n].name);
	}
	return TW_OK;
}

/* Checks that this machine has a NUMA node for each of several main memories, if they are not emulated. */
static int check_nodes(const struct tw__engine *e, struct tw_error *err)
{
	const struct tw__platform *p = e->platform;
	char why[160];
	const int n = e->binds ? tw__bindable_mains(why, sizeof why) : 0;
	if (n < 0)
		return tw_fail(err, TW_INVALID, "engine 'real': %d main memories: %s: expected --emulate memories=%d",
		               tw__n_mains(p), why, tw__n_mains(p));
	for (tw_node m = 0; e->binds && m < tw__n_mains(p); m++)
		if (tw__main_number(p, m) >= n)
			return tw_fail(err, TW_INVALID,
			               "engine 'real': memory '%.80s' is main memory %d of platform '%.80s': this "
			               "machine has %d NUMA node%s near cores: expected --emulate memories=%d",
			               p->nodes[m].name, tw__main_number(p, m), p->name, n, n == 1 ? "" : "s",
			               tw__n_mains(p));
	return TW_OK;
}

/* --- NVIDIA's GPUs, through a plug-in ----------------------------------------------------------------------------- */

static int load_plugin(const struct tw__device_ops **ops, struct tw_error *err)
{
	*ops = NULL;
	if (!TW__CUDA)
		return tw_fail(err, TW_INVALID, "built without CUDA: expected a build with the option cuda=enabled");
	*ops = tw__module_open(TW__CUDA_BUILT, "tw__device_cuda", "plug-in with CUDA's devices", err);
	return *ops ? TW_OK : TW_INVALID;
}

/* A factor: opening a GPU may take this many times the watchdog's patience, because it runs kernels and pins memory. */
enum { OPENING_PATIENCE = 10 };

static int open_watched(struct tw__engine *e, struct tw_error *err)
{
	const struct tw__device_ops *ops;
	int status = load_plugin(&ops, err);
	if (status < 0)
		return status;
	const struct tw__worker *worker = &e->platform->workers[e->opening.worker];
	tw__watched_step(e, OPENING_PATIENCE * tw__watch_patience(e), "opening '%s'", worker->name);
	return ops->open(&e->devices[worker->node], e, e->opening.worker, e->opening.arena_bytes, err);
}

/* Opens a GPU as the device of that accelerator's memory, under a watchdog. If that takes too long, sets `hangs`. */
static int open_gpu(struct tw__engine *e, tw_worker w, uint64_t arena_bytes, struct tw_error *err)
{
	struct tw_error why;
	e->opening.worker = w;
	e->opening.arena_bytes = arena_bytes;
	int status = tw__watched_work(e, open_watched, &why);
	if (status == TW_INVALID)
		return tw_fail(err, status,
		               "engine 'real': this machine has no device for accelerator '%s' (%.300s): expected "
		               "--gpus 0, or --emulate",
		               e->platform->workers[w].name, why.message);
	return status == TW_OK ? TW_OK : tw_fail(err, status, "%s", why.message);
}

int tw__real_detect_gpus(struct tw__gpus *gpus, struct tw_error *err)
{
	const struct tw__device_ops *ops;
	int status = load_plugin(&ops, err);
	return status == TW_OK ? ops->detect(gpus, err) : status;
}

bool tw__real_gpus_have(const char *workload, const char *kernel)
{
	const struct tw__device_ops *ops;
	struct tw_error err;
	return load_plugin(&ops, &err) == TW_OK && ops->has(workload, kernel);
}

/* --- threads ---------------------------------------------------------------------------------------------------- */

/* Checks that there are enough cores for the CPU worker after those before it. */
static int check_cores(const struct tw__engine *e, tw_worker w, struct tw_error *err)
{
	const struct tw__worker *worker = &e->platform->workers[w];
	const int has = tw__cores_near(e, w), needs = tw__cores_before(e, w) + worker->cores;
	if (e->cores.n == 0 || is_accelerator(e->platform, w) || needs <= has)
		return TW_OK;
	if (e->binds)
		return tw_fail(err, TW_INVALID,
		               "engine 'real': worker '%s' needs core %d near memory '%s': this machine has %d there: "
		               "expected fewer --cpus, or --emulate memories=%d",
		               worker->name, needs - 1, e->platform->nodes[worker->node].name, has,
		               tw__n_mains(e->platform));
	return tw_fail(err, TW_INVALID,
	               "engine 'real': worker '%s' needs core %d: this machine has %d: expected --cpus "
	               "%d at most, or mode=timed",
	               worker->name, needs - 1, has, has);
}

/* Opens CPU workers, which get cores in order. A group of cores takes as many cores as it has. */
static int open_cpus(struct tw__engine *e, struct tw_error *err)
{
	const struct tw__platform *p = e->platform;
	int status = TW_OK;
	for (tw_worker w = 0; w < p->n_workers && status == TW_OK; w++) {
		if (is_accelerator(p, w) && e->mode == TW__LIVE)
			continue;
		status = check_cores(e, w, err);
		if (status == TW_OK)
			status = tw__worker_thread_create(&e->workers[w], e, w, err);
	}
	return status;
}

/* Opens the devices of several main memories. */
static int open_mains(struct tw__engine *e, struct tw_error *err)
{
	const int n = e->mode == TW__LIVE ? tw__n_mains(e->platform) : 1;
	int status = TW_OK;
	for (tw_node m = 0; n > 1 && m < n && status == TW_OK; m++)
		status = tw__main_open(&e->devices[m], e, m, err);
	return status;
}

static int open_accelerators(struct tw__engine *e, const struct tw__engine_setup *setup, struct tw_error *err)
{
	const struct tw__platform *p = e->platform;
	int status = TW_OK;
	for (tw_worker w = 0; w < p->n_workers && status == TW_OK; w++) {
		tw_node n = p->workers[w].node;
		if (!is_accelerator(p, w))
			continue;
		if (e->mode == TW__TIMED)
			status = !e->has_numbers ? TW_OK : tw__spaces_map(&e->spaces, n, setup->capacity[n], err);
		else if (e->config.emulates || e->empty) /* with kernels=empty, no GPU is needed */
			status = tw__device_emulated.open(&e->devices[n], e, w, setup->capacity[n], err);
		else
			status = open_gpu(e, w, setup->capacity[n], err);
	}
	return status;
}

/* --- opening ---------------------------------------------------------------------------------------------------- */

/* Whether a bench uses the engine. It times real kernels, whatever the engine's parameters say. */
static bool is_bench(const struct tw__engine *e) { return e->config.origin; }

static void read_config(struct tw__engine *e, const struct tw__engine_setup *setup)
{
	const struct tw_args *args;
	e->config = *(const struct tw__real_config *)setup->config;
	args = e->config.args;
	e->mode = is_timed(args) && !is_bench(e) ? TW__TIMED : TW__LIVE;
	e->empty = is_empty(args) && !is_bench(e);
	e->processes = setup->processes;
	e->seed = setup->processes ? setup->processes->seed : setup->seed;
	e->has_numbers = !e->empty && (e->mode == TW__LIVE || e->config.check != TW__CHECK_NONE);
	e->poisons = tw_args_flag(args, "poison") && e->has_numbers && !is_bench(e);
	e->logs = e->mode == TW__TIMED && e->has_numbers;
	e->patience_s = tw_args_seconds(args, "patience");
	e->binds = e->mode == TW__LIVE && !e->empty && !e->config.emulates_mains && tw__n_mains(e->platform) > 1;
	e->clock.stretch = is_bench(e) ? 1 : tw_args_real(args, "stretch");
}

static enum tw__spaces_use use_of(const struct tw__engine *e)
{
	if (!e->has_numbers)
		return TW__UNUSED;
	return e->config.check == TW__CHECK_FULL ? TW__USED_TWICE : TW__USED;
}

static int open_parts(struct tw__engine *e, const struct tw__engine_setup *setup, struct tw_error *err)
{
	const struct tw__platform *p = setup->platform;
	tw__cores_open(e);
	e->baton = tw__baton_create(tw__real_lead, e);
	int status = check_platform(setup, err);
	if (status == TW_OK)
		status = check_nodes(e, err);
	if (status == TW_OK && e->has_numbers)
		status = tw__family_open(&e->family, e->config.workload, e->config.workload_args, tw__program_graph(e),
		                         err);
	if (status == TW_OK)
		status = tw__spaces_open(e, setup, use_of(e), err);
	if (status == TW_OK && e->processes)
		status = tw__office_open(e, err);
	if (status == TW_OK && e->mode == TW__TIMED)
		e->timed = tw__timed_create(e, setup->shares);
	else if (status == TW_OK && p->n_nodes > 1)
		status = tw__links_create(&e->links, e, setup->shares, err);
	if (status == TW_OK)
		status = open_mains(e, err);
	if (status == TW_OK)
		status = open_accelerators(e, setup, err);
	if (status == TW_OK)
		status = open_cpus(e, err);
	if (status == TW_OK && e->has_numbers) /* filled last: only now all memories are known to fit */
		status = tw__watched_work(e, tw__real_fill, err);
	return status;
}

/* The process in which an engine is open, so that a copy of that process may open its own. 0: none. */
static _Atomic pid_t taken;

/* Two runs at once would measure each other. A run that hangs keeps its threads, which may compute for ever. */
static int take_process(struct tw_error *err)
{
	pid_t before = atomic_load(&taken), own = getpid();
	if (before != own && atomic_compare_exchange_strong(&taken, &before, own))
		return TW_OK;
	return tw_fail(err, TW_INVALID,
	               "engine 'real': another run computes in this process: expected one run at a time");
}

static void leave_process(void) { atomic_store(&taken, 0); }

/* Opens the parts. If memory runs out, the parts that are open by then can be closed. */
static int open_parts_or_fail(struct tw__engine *e, const struct tw__engine_setup *setup, struct tw_error *err)
{
	struct tw__door door;
	if (TW__MEMORY_RUNS_OUT(&door))
		return tw__out_of_memory(err);
	int status = open_parts(e, setup, err);
	tw__door_close(&door);
	return status;
}

static int open_engine(struct tw__engine **out, const struct tw__engine_setup *setup, struct tw_error *err)
{
	*out = NULL;
	const size_t n_workers = (size_t)setup->platform->n_workers, n_nodes = (size_t)setup->platform->n_nodes;
	struct tw__engine *e = tw_alloc(1, sizeof *e);
	e->workers = tw__arena_alloc(&e->memory, n_workers, sizeof(struct tw__worker_thread *));
	e->devices = tw__arena_alloc(&e->memory, n_nodes, sizeof(struct tw__device *));
	int status = take_process(err);
	if (status < 0) {
		tw__arena_finish(&e->memory);
		free(e);
		return status;
	}
	e->platform = setup->platform;
	e->graph = setup->graph;
	e->most_operands = tw_graph_most_accesses(setup->graph);
	tw__monitor_init(&e->watch.monitor);
	tw__monitor_init(&e->watched.monitor);
	read_config(e, setup);
	status = open_parts_or_fail(e, setup, err);
	*out = status == TW_OK || e->hangs ? e : NULL;
	if (!*out)
		tw__real_close(e);
	return status;
}

/* Closes the engine. If a thread hangs, the memory that it may use is kept until the process ends. */
void tw__real_close(struct tw__engine *e)
{
	if (!e || e->hangs)
		return;
	tw__office_close(e);
	for (int w = 0; w < e->platform->n_workers; w++)
		tw__worker_thread_stop(e->workers[w]);
	for (int w = 0; w < e->platform->n_workers; w++)
		tw__worker_thread_destroy(e->workers[w]);
	for (int n = 0; n < e->platform->n_nodes; n++)
		if (e->devices[n] && tw__device_ops_of(e->devices[n])->stop)
			tw__device_ops_of(e->devices[n])->stop(e->devices[n]);
	for (int n = 0; n < e->platform->n_nodes; n++)
		if (e->devices[n])
			tw__device_ops_of(e->devices[n])->close(e->devices[n]);
	tw__links_destroy(e->links);
	tw__timed_destroy(e->timed);
	tw__baton_destroy(e->baton);
	tw__monitor_finish(&e->watch.monitor);
	tw__monitor_finish(&e->watched.monitor);
	tw__spaces_close(&e->spaces);
	tw__family_close(e->family);
	free(e->jobs);
	tw__arena_finish(&e->memory);
	free(e);
	leave_process();
}

/* --- operations --------------------------------------------------------------------------------------------------- */

static bool hangs(const struct tw__engine *e) { return e->hangs; }

static int collect(struct tw__engine *e, tw_data d, tw_node valid, struct tw_error *err)
{
	void *target = tw__spaces_home(&e->spaces, d), *source = tw__spaces_at(&e->spaces, valid, d);
	struct tw_error why;
	uint64_t bytes = e->graph->data_bytes[d];
	struct tw__device *device = e->devices[valid];
	if (!e->has_numbers)
		return TW_OK;
	if (!device || !tw__device_ops_of(device)->fetch)
		memcpy(target, source, bytes); /* in timed mode, the replay of the log has left the content there */
	else if (tw__device_ops_of(device)->fetch(device, target, source, bytes, &why) != TW_OK)
		return tw_fail(err, TW_FAILED, "engine 'real': data %d could not be copied home: %s", (int)d,
		               why.message);
	return TW_OK;
}

const struct tw__engine_ops tw__engine_real = {
	.name = "real",
	.summary = "real kernels on this machine's cores and NVIDIA GPUs, or on emulated accelerators",
	.caps = TW__ENGINE_FORKS | TW__ENGINE_COMPUTES | TW__ENGINE_ONE_BY_ONE,
	.params = params,
	.check = check,
	.open = open_engine,
	.drive = tw__real_drive,
	.hangs = hangs,
	.place = tw__real_place,
	.exec = tw__real_exec,
	.transfer = tw__real_transfer,
	.message = tw__real_message,
	.collect = collect,
	.finish = tw__real_finish,
	.close = tw__real_close,
};
