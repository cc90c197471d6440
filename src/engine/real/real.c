/* The operations of the real engine, and its turns. */
#include <math.h>
#include <string.h>

#include "engine/real/real.h"

enum { MAX_COMPLETIONS = 64 };

/* --- jobs ------------------------------------------------------------------------------------------------------- */

const char *tw__real_worker_name(const struct tw__engine *e, tw_worker w) { return e->platform->workers[w].name; }

void tw__job_ended(struct tw__engine *e, struct tw__job *job) { tw__baton_post(e->baton, &job->post); }

/* --- the turn --------------------------------------------------------------------------------------------------- */

/* Runs turns in live mode with the posted jobs. Returns the date of the next turn. */
static tw__ns lead_live(struct tw__engine *e, struct tw__post *posts)
{
	struct tw__completion ended[MAX_COMPLETIONS];
	e->now = tw__clock_now(&e->clock);
	do {
		int n = 0;
		for (struct tw__post *next; posts && n < MAX_COMPLETIONS; posts = next) {
			next = posts->next;
			ended[n++] = tw__job_complete(e, tw__job_of(posts));
		}
		e->over = !e->turn(e->turn_arg, e->now, ended, n, &e->until);
	} while (posts && !e->over);
	return e->until;
}

/* Runs as many turns as the posted items need; the baton's leader calls it with all posted items. Once it has told the
 * main thread that the run is over, only the main thread uses the engine. */
void tw__real_lead(void *arg, struct tw__post *posts)
{
	struct tw__engine *e = arg;
	if (e->over)
		return;
	if (tw__watch_asked(e)) { /* the run has failed, and the main thread may soon free its memory */
		e->over = true;
		return;
	}
	tw__ns began = tw__clock_now(&e->clock);
	tw__ns next = e->timed ? tw__timed_lead(e, posts) : lead_live(e, posts);
	bool tells = e->over || next != e->told;
	e->told = next;
	e->turn_s += tw__clock_seconds(&e->clock, began, tw__clock_now(&e->clock));
	if (tells)
		tw__watch_tell(&e->watch, next, e->over);
}

int tw__real_take_turns(struct tw__engine *e, tw__turn *turn, void *arg, struct tw_error *err)
{
	e->turn = turn;
	e->turn_arg = arg;
	e->over = false;
	e->told = TW__NEVER;
	tw__watch_begin(&e->watch);
	return tw__watch_run(e, err);
}

static void start_clock(struct tw__engine *e)
{
	clock_gettime(CLOCK_MONOTONIC, &e->clock.zero);
	e->now = e->until = 0;
	e->turn_s = 0;
	e->launches = e->issues = (struct tw__device_calls){0};
	e->longest_s = 0;
	tw__watch_longest(&e->watch, 0);
}

/* Drives a run. A bench calls it several times, and warms up by itself. */
static int engine_drive(struct tw__engine *e, tw__turn *turn, void *arg, struct tw_error *err)
{
	bool is_bench = e->config.origin;
	int status = TW_OK;
	if (!e->drives || !is_bench)
		start_clock(e);
	if (!is_bench && e->mode == TW__LIVE && e->has_numbers) {
		status = tw__real_warm_up(e, err);
		e->turn_arg = arg; /* if a kernel hangs, `arg` must stay reachable for the leak sanitizer */
		if (status == TW_OK)
			start_clock(e);
	}
	e->drives = true;
	if (status == TW_OK)
		status = tw__real_take_turns(e, turn, arg, err);
	if (status == TW_OK && e->log)
		status = tw__watched_work(e, tw__log_replay, err);
	return status;
}

/* --- operations in a turn --------------------------------------------------------------------------------------- */

static int engine_place(struct tw__engine *e, tw_node n, tw_data d, uint64_t offset, uint64_t bytes)
{
	e->spaces.offset[(size_t)d * (size_t)e->spaces.n_nodes + (size_t)n] = offset;
	if (e->poisons && e->devices[n])
		tw__device_ops_of(e->devices[n])->poison(e->devices[n], tw__spaces_at(&e->spaces, n, d), bytes);
	return TW_OK;
}

static void tamper(struct tw__engine *e, struct tw__job *job)
{
	if (e->config.tamper)
		e->config.tamper(e->config.tamper_context, job);
}

/* Tells the watchdog the modelled duration of a new kernel or copy, if it is the longest so far. */
static void expect(struct tw__engine *e, double seconds)
{
	if (seconds <= e->longest_s)
		return;
	e->longest_s = seconds;
	tw__watch_longest(&e->watch, seconds);
}

/* Calls the device with a job, and measures the duration of the call, but not for emulated devices. */
static void call_device(struct tw__engine *e, struct tw__device *device,
                        void (*call)(struct tw__device *, struct tw__job *), struct tw__job *job,
                        struct tw__device_calls *calls)
{
	tw__ns start = tw__clock_now(&e->clock);
	call(device, job);
	if (tw__device_ops_of(device) == &tw__device_emulated)
		return;
	calls->n++;
	calls->total_s += tw__clock_seconds(&e->clock, start, tw__clock_now(&e->clock));
}

static void give(struct tw__engine *e, tw_worker w, struct tw__job *job)
{
	struct tw__device *device = e->devices[e->platform->workers[w].node];
	if (e->workers[w])
		tw__worker_thread_give(e->workers[w], job);
	else
		call_device(e, device, tw__device_ops_of(device)->launch, job, &e->launches);
}

static int engine_exec(struct tw__engine *e, const struct tw__launch *launch, uint64_t token)
{
	struct tw__job *job = tw__job_get(e, token);
	if (!job)
		return TW_NOMEM;
	tw_node node = e->platform->workers[launch->worker].node;
	job->worker = launch->worker;
	job->task = launch->task;
	job->length = launch->length;
	job->n_operands = launch->n_accesses;
	job->codelet = e->family ? tw__family_codelet(e->family, e->graph->kernel[launch->task]) : NULL;
	for (int i = 0; i < launch->n_accesses; i++) {
		const struct tw__placed *p = &launch->access[i];
		char *base = node == e->spaces.home ? tw__spaces_home(&e->spaces, p->data) : e->spaces.base[node];
		job->operands[i] = (struct tw_operand){base + p->offset, e->graph->data_bytes[p->data], p->mode};
	}
	expect(e, tw__seconds(launch->length));
	tamper(e, job);
	if (e->timed && tw__timed_give(e, job) < 0)
		return TW_NOMEM;
	give(e, launch->worker, job);
	return TW_OK;
}

int tw__real_refill(struct tw__engine *e, tw_worker w, tw_data d, uint64_t token)
{
	struct tw__job *job = tw__job_get(e, token);
	if (!job)
		return TW_NOMEM;
	tw_node node = e->platform->workers[w].node;
	job->is_content = true;
	job->worker = w;
	job->data = d;
	job->target = tw__spaces_at(&e->spaces, node, d);
	give(e, w, job);
	return TW_OK;
}

int tw__real_rehearse(struct tw__engine *e, tw_worker w, tw_task t, uint64_t token)
{
	struct tw__job *job = tw__job_get(e, token);
	if (!job)
		return TW_NOMEM;
	tw_kernel k = e->graph->kernel[t];
	job->is_rehearsal = true;
	job->worker = w;
	job->task = t;
	job->codelet = tw__family_codelet(e->family, k);
	expect(e, e->graph->kernels[k].flops / 1e10);
	give(e, w, job);
	return TW_OK;
}

static int engine_transfer(struct tw__engine *e, tw_node from, tw_node to, tw_data d, uint64_t bytes, uint64_t token)
{
	struct tw__job *job = tw__job_get(e, token);
	if (!job)
		return TW_NOMEM;
	const struct tw__route *route = tw__route_of(e->platform, from, to);
	job->is_copy = true;
	job->from = from;
	job->to = to;
	job->data = d;
	job->bytes = bytes;
	job->source = tw__spaces_at(&e->spaces, from, d);
	job->target = tw__spaces_at(&e->spaces, to, d);
	expect(e, route->latency + (double)bytes / route->bandwidth);
	tamper(e, job);
	struct tw__device *device = e->devices[to == e->spaces.home ? from : to];
	if (e->timed)
		return tw__timed_copy(e, job);
	if (device)
		call_device(e, device, tw__device_ops_of(device)->copy, job, &e->issues);
	else
		tw__links_give(e->links, job);
	return TW_OK;
}

/* --- afterwards ------------------------------------------------------------------------------------------------- */

static bool engine_hangs(const struct tw__engine *e) { return e->hangs; }

static int engine_collect(struct tw__engine *e, tw_data d, tw_node valid, struct tw_error *err)
{
	void *target = tw__spaces_home(&e->spaces, d), *source = tw__spaces_at(&e->spaces, valid, d);
	struct tw_error why;
	uint64_t bytes = e->graph->data_bytes[d];
	struct tw__device *device = e->devices[valid];
	if (!e->has_numbers)
		return TW_OK;
	if (!device)
		memcpy(target, source, bytes); /* timed mode: the replay of the log has left the content in `valid` */
	else if (tw__device_ops_of(device)->fetch(device, target, source, bytes, &why) != TW_OK)
		return tw_fail(err, TW_FAILED, "engine 'real': data %d could not be copied home: %s", (int)d,
		               why.message);
	return TW_OK;
}

const struct tw__engine_ops tw__engine_real = {
	.name = "real",
	.summary = "real kernels on this machine's cores and NVIDIA GPUs, or on emulated accelerators",
	.caps = TW__ENGINE_FORKS | TW__ENGINE_COMPUTES | TW__ENGINE_ONE_BY_ONE,
	.params = tw__real_params,
	.check = tw__real_check,
	.open = tw__real_open,
	.drive = engine_drive,
	.hangs = engine_hangs,
	.place = engine_place,
	.exec = engine_exec,
	.transfer = engine_transfer,
	.collect = engine_collect,
	.finish = tw__real_finish,
	.close = tw__real_close,
};
