/* The simulating engine: kernels are SimGrid executions on the worker's host, transfers are SimGrid communications
 * over the platform's links. One simulation a process: SimGrid's clock never goes back.
 *
 * Actors. The runtime runs in one; each worker is one, with a queue of kernels; transfers are done by a pool that
 * grows as needed. A job's actor waits for the job's date, does it, appends its completion and wakes the runtime.
 *
 * Truth. Links have latency 0 in SimGrid and the actor waits the route's latency before it starts the flow, since SimGrid
 * would otherwise share links by 1/latency. A transfer alone takes latency + bytes / bandwidth; transfers on one link
 * share it equally, or by 1/latency where that is asked for: platform/weights.h.
 *
 * Dates. SimGrid's clock is a double. Kernels end at sums of whole nanoseconds, which the engine knows beforehand; a transfer's date is
 * that of SimGrid's clock, rounded up. Before a turn, SimGrid goes on to the turn's date, so that all that ends until then is told.
 *
 * A lazy clock. The runtime has many events of its own between two completions, and asking SimGrid to wake the
 * runtime for each would cost more than all the rest. So the engine knows a date before which nothing can end
 * (kernels: their end; transfers: flows.h), and as long as the runtime's next event comes before it, only moves its own
 * idea of now; jobs carry the date at which they begin.
 *
 * Actors, dates and the lazy clock share the same queues, so they are one file. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>

#include <tilewright/array.h>

#include "platform/bottlenecks.h"
#include "engine/bridges.h"
#include "engine/engine.h"
#include "engine/flows.h"
#include "engine/simgrid_load.h"
#include "engine/simgrid_module.h"

/* SimGrid takes no shorter sleep than this. */
#define SHORTEST_SLEEP_S 1e-12

/* Ends that fall on one date come within this time, as SimGrid's clock rounds; less than tw__clock_slack. */
static double together_s(double date) { return 2e-12 + date * 0x1p-52; }

enum { YIELDS = 2 }; /* until actors whose activities end just now have told so */

struct job {
	struct job *next;     /* in a worker's queue, or in the list of unused jobs */
	tw__ns begin;         /* the date at which it was given */
	tw__ns length;        /* of a kernel */
	tw__ns start, end;    /* of a kernel, unless one before it is cancelled */
	uint64_t bytes;       /* of a transfer */
	struct tw__flow flow; /* of a transfer */
	uint64_t token, sequence;
	tw_node from, to;
	int place; /* in engine->active */
	bool cancelled;
};

struct actor {
	struct tw__engine *engine;
	sg_sem_t wake;
	bool waits;     /* for a job: it has found its queue empty */
	sg_host_t host; /* of a worker */
	double speed;   /* of a worker, flop/s */
	struct job *first, *last;
	struct actor *next;  /* in the list of idle transfer actors */
	struct job *current; /* of a worker */
	tw__ns free_at;      /* of a worker: the end of its last kernel, or the date at which one was cancelled */
	sg_actor_t actor;
};

struct ended {
	struct tw__completion completion;
	uint64_t sequence;
};

struct tw__engine {
	struct tw_platform platform; /* with no more links on its routes than can hold a transfer back */
	double unit;                 /* of weights by latency; 0: links are shared equally */
	tw__ns now;                  /* the runtime's; at or ahead of SimGrid's clock, but for rounding */
	sg_sem_t wake;               /* the runtime's */
	bool runtime_sleeps, over;
	sg_host_t *memory; /* [n_nodes] */
	struct tw__bridges bridges;
	struct actor *workers;
	struct actor *idle; /* transfer actors without work */
	struct actor **transfer_actors;
	int n_transfer_actors;
	size_t transfer_capacity;
	struct job *unused;
	struct job **active; /* under way or queued */
	int n_active;
	size_t active_capacity;
	uint64_t sequence;
	struct tw__flows flows;
	struct ended *ended;
	int n_ended;
	size_t ended_capacity;
	struct tw__completion *told; /* to the turn */
	size_t told_capacity;
	tw__turn *turn;
	void *arg;
	int status;
};

static struct job *job_new(struct tw__engine *e)
{
	struct job *job = e->unused;
	if (job)
		e->unused = job->next;
	else
		job = malloc(sizeof *job);
	if (!job)
		return NULL;
	/* Room for its completion too, so that completing cannot fail. */
	if (!TW_HAS_ROOM(e->active, e->active_capacity, (size_t)e->n_active + 1) ||
	    !TW_HAS_ROOM(e->ended, e->ended_capacity, (size_t)(e->n_ended + e->n_active) + 1) ||
	    !TW_HAS_ROOM(e->told, e->told_capacity, e->ended_capacity)) {
		free(job);
		return NULL;
	}
	*job = (struct job){.begin = e->now, .end = TW__NEVER, .sequence = e->sequence++, .place = e->n_active};
	e->active[e->n_active++] = job;
	return job;
}

static void job_done(struct tw__engine *e, struct job *job)
{
	if (!job->cancelled) {
		struct tw__completion completion = {.token = job->token, .start = job->start, .end = job->end};
		e->ended[e->n_ended++] = (struct ended){completion, job->sequence};
	}
	e->active[job->place] = e->active[--e->n_active];
	e->active[job->place]->place = job->place;
	job->next = e->unused;
	e->unused = job;
	if (e->runtime_sleeps && (e->n_ended || e->n_active == 0)) {
		e->runtime_sleeps = false;
		sg_sem_release(e->wake);
	}
}

static void sleep_until(double date)
{
	double left = date - simgrid_get_clock();
	if (left > SHORTEST_SLEEP_S)
		sg_actor_sleep_for(left);
}

/* Telling the simulator of anything costs more than all that is done here: those who are awake look for themselves. */
static void wake(struct actor *a)
{
	if (!a->waits)
		return;
	a->waits = false;
	sg_sem_release(a->wake);
}

static struct job *take(struct actor *a)
{
	if (!a->first && !a->engine->over) {
		a->waits = true;
		sg_sem_acquire(a->wake);
	}
	struct job *job = a->first;
	if (job) {
		a->first = job->next;
		if (!a->first)
			a->last = NULL;
	}
	return job;
}

static void append(struct actor *a, struct job *job)
{
	if (a->last)
		a->last->next = job;
	else
		a->first = job;
	a->last = job;
}

static void worker_actor(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct actor *a = sg_actor_self_get_data();
	struct job *job;
	while ((job = take(a))) {
		a->current = job;
		if (!job->cancelled)
			sleep_until(tw__seconds(job->start));
		double left = tw__seconds(job->end) - simgrid_get_clock();
		if (!job->cancelled && left > 0)
			sg_actor_execute(left * a->speed);
		if (!job->cancelled)
			a->free_at = job->end;
		a->current = NULL;
		job_done(a->engine, job);
	}
}

static void transfer_actor(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct actor *a = sg_actor_self_get_data();
	struct tw__engine *e = a->engine;
	struct job *job;
	while ((job = take(a))) {
		const struct tw__route *route = tw__route_of(&e->platform, job->from, job->to);
		sleep_until(tw__seconds(job->begin) + (route->latency - tw__weight_latency(route, e->unit)));
		tw__bridges_enter(&e->bridges, route);
		sg_host_sendto(e->memory[job->from], e->memory[job->to], (double)job->bytes);
		double clock = simgrid_get_clock();
		job->start = job->begin;
		job->end = tw__latest(job->start, tw__ns_after(clock));
		tw__flows_remove(&e->flows, &job->flow, clock);
		job_done(e, job); /* at once, as the next line lets other actors act first */
		tw__bridges_leave(&e->bridges, route);
		a->next = e->idle;
		e->idle = a;
	}
}

static void start_actor(const char *name, sg_host_t host, void (*code)(int, char **), struct actor *a)
{
	sg_actor_t actor = sg_actor_init(name, host);
	sg_actor_set_data(actor, a);
	sg_actor_start_(actor, code, 0, NULL);
	a->actor = actor;
}

static struct actor *transfer_actor_get(struct tw__engine *e)
{
	struct actor *a = e->idle;
	if (a) {
		e->idle = a->next;
		return a;
	}
	if (!TW_HAS_ROOM(e->transfer_actors, e->transfer_capacity, (size_t)e->n_transfer_actors + 1))
		return NULL;
	a = calloc(1, sizeof *a);
	if (!a)
		return NULL;
	a->engine = e;
	a->wake = sg_sem_init(0);
	e->transfer_actors[e->n_transfer_actors++] = a;
	start_actor("transfer", e->memory[TW_RAM], transfer_actor, a);
	return a;
}

static int find_hosts(struct tw__engine *e, struct tw_error *err)
{
	char name[32];
	for (int w = 0; w < e->platform.n_workers; w++) {
		struct actor *a = &e->workers[w];
		snprintf(name, sizeof name, "W%d", w);
		a->engine = e;
		a->host = sg_host_by_name(name);
		a->speed = a->host ? sg_host_get_speed(a->host) : 0;
		if (!a->host)
			return tw_fail(err, TW_FAILED, "engine 'simgrid': no host %s in the platform", name);
	}
	for (int n = 0; n < e->platform.n_nodes; n++) {
		snprintf(name, sizeof name, "M%d", n);
		e->memory[n] = sg_host_by_name(name);
		if (!e->memory[n])
			return tw_fail(err, TW_FAILED, "engine 'simgrid': no host %s in the platform", name);
	}
	return TW_OK;
}

static void engine_close(struct tw__engine *e)
{
	if (!e)
		return;
	for (int t = 0; t < e->n_transfer_actors; t++) {
		sg_sem_destroy(e->transfer_actors[t]->wake);
		free(e->transfer_actors[t]);
	}
	for (int w = 0; e->workers && w < e->platform.n_workers; w++)
		if (e->workers[w].wake)
			sg_sem_destroy(e->workers[w].wake);
	if (e->wake)
		sg_sem_destroy(e->wake);
	tw__flows_finish(&e->flows);
	tw__bridges_finish(&e->bridges);
	tw__bottlenecks_finish(&e->platform);
	while (e->unused) {
		struct job *job = e->unused;
		e->unused = job->next;
		free(job);
	}
	for (int j = 0; j < e->n_active; j++)
		free(e->active[j]);
	free(e->transfer_actors);
	free(e->workers);
	free(e->memory);
	free(e->active);
	free(e->ended);
	free(e->told);
	free(e);
}

static int engine_open(struct tw__engine **opened, const struct tw__engine_setup *setup, struct tw_error *err)
{
	const struct tw_platform *platform = setup->platform;
	struct tw__engine *e = calloc(1, sizeof *e);
	if (!e)
		return tw_fail(err, TW_NOMEM, "engine 'simgrid': out of memory");
	e->unit = tw__weight_unit(platform, setup->shares);
	e->workers = calloc((size_t)platform->n_workers, sizeof *e->workers);
	e->memory = calloc((size_t)platform->n_nodes, sizeof *e->memory);
	int status = e->workers && e->memory && !tw__bottlenecks_init(&e->platform, platform) &&
	                             !tw__flows_init(&e->flows, &e->platform, e->unit)
	                     ? tw__simgrid_load(&e->platform, e->unit, err)
	                     : tw_fail(err, TW_NOMEM, "engine 'simgrid': out of memory");
	if (status == TW_OK)
		status = find_hosts(e, err);
	if (status == TW_OK && tw__bridges_init(&e->bridges, &e->platform))
		status = tw_fail(err, TW_NOMEM, "engine 'simgrid': out of memory");
	if (status != TW_OK) {
		engine_close(e);
		return status;
	}
	e->wake = sg_sem_init(0);
	for (int w = 0; w < platform->n_workers; w++) {
		e->workers[w].wake = sg_sem_init(0);
		start_actor("worker", e->workers[w].host, worker_actor, &e->workers[w]);
	}
	*opened = e;
	return TW_OK;
}

/* The dates of a worker's kernels, which run one after the other. */
static void plan(struct actor *a)
{
	tw__ns free_at = a->current && !a->current->cancelled ? a->current->end : a->free_at;
	for (struct job *job = a->first; job; job = job->next)
		if (!job->cancelled) {
			job->start = tw__latest(job->begin, free_at);
			job->end = free_at = tw__later(job->start, job->length);
		}
}

static int engine_exec(struct tw__engine *e, const struct tw__launch *launch, uint64_t token)
{
	struct actor *a = &e->workers[launch->worker];
	struct job *job = job_new(e);
	if (!job)
		return TW_NOMEM;
	job->length = launch->length;
	job->token = token;
	append(a, job);
	plan(a);
	wake(a); /* lets it act, too */
	return TW_OK;
}

static int engine_transfer(struct tw__engine *e, tw_node from, tw_node to, tw_data data, uint64_t bytes, uint64_t token)
{
	(void)data;
	const struct tw__route *route = tw__route_of(&e->platform, from, to);
	assert(route->n_links > 0);
	struct actor *a = transfer_actor_get(e);
	struct job *job = a ? job_new(e) : NULL;
	if (!job)
		return TW_NOMEM;
	job->bytes = bytes;
	job->token = token;
	job->from = from;
	job->to = to;
	if (tw__flows_add(&e->flows, &job->flow, route, tw__seconds(e->now) + route->latency, (double)bytes))
		return TW_NOMEM;
	append(a, job);
	wake(a);
	return TW_OK;
}

static int engine_cancel(struct tw__engine *e, uint64_t token)
{
	for (int w = 0; w < e->platform.n_workers; w++) {
		struct actor *a = &e->workers[w];
		struct job *job = a->current && a->current->token == token ? a->current : a->first;
		while (job && (job->token != token || job->cancelled))
			job = job->next;
		if (!job)
			continue;
		bool runs = job->start <= e->now;
		job->cancelled = true;
		job->end = TW__NEVER;
		if (runs)
			a->free_at = e->now;
		plan(a);
		if (job == a->current) { /* the execution ends with its actor; another goes on with what is queued */
			a->current = NULL;
			sg_actor_kill(a->actor);
			start_actor("worker", a->host, worker_actor, a);
			job_done(e, job);
		}
		return TW_OK;
	}
	return TW_FAILED;
}

/* The first end among the kernels under way. */
static tw__ns next_kernel(const struct tw__engine *e)
{
	tw__ns earliest = TW__NEVER;
	for (int j = 0; j < e->n_active; j++)
		earliest = tw__earliest(earliest, e->active[j]->end);
	return earliest;
}

/* No transfer ends before the date returned, or before `until`. */
static tw__ns transfer_horizon(struct tw__engine *e, tw__ns until)
{
	double ns = TW__NS_PER_S * tw__flows_horizon(&e->flows, tw__seconds(until));
	ns = floor(ns - 1 - ns * 0x1p-48); /* the bound is off by rounding, too */
	return ns < (double)TW__LAST ? (tw__ns)ns : TW__NEVER;
}

static tw__ns next_ended(const struct tw__engine *e)
{
	tw__ns earliest = TW__NEVER;
	for (int i = 0; i < e->n_ended; i++)
		earliest = tw__earliest(earliest, e->ended[i].completion.end);
	return earliest;
}

static int by_sequence(const void *a, const void *b)
{
	uint64_t x = ((const struct ended *)a)->sequence, y = ((const struct ended *)b)->sequence;
	return (x > y) - (x < y);
}

/* What has ended by now -> e->told; returns how many. */
static int deliver(struct tw__engine *e)
{
	int n = 0, kept = 0;
	if (e->n_ended > 1)
		qsort(e->ended, (size_t)e->n_ended, sizeof *e->ended, by_sequence);
	for (int i = 0; i < e->n_ended; i++)
		if (e->ended[i].completion.end <= e->now)
			e->told[n++] = e->ended[i].completion;
		else
			e->ended[kept++] = e->ended[i];
	e->n_ended = kept;
	return n;
}

/* Sleeps until something ends or, at the latest, until that date; just lets the other actors act if it has come. */
static void runtime_sleep(struct tw__engine *e, double until)
{
	double left = until - simgrid_get_clock();
	e->runtime_sleeps = true;
	if (isinf(until))
		sg_sem_acquire(e->wake);
	else if (left > 0)
		sg_sem_acquire_timeout(e->wake, left);
	else
		sg_actor_yield();
	e->runtime_sleeps = false;
	while (!sg_sem_would_block(e->wake))
		sg_sem_acquire(e->wake);
}

/* Moves to the next date at which something ends, or to `until`. Returns how many have ended: all of that date, in the order in which
 * they were started. Negative: nothing is under way and `until` is TW__NEVER. */
static int await(struct tw__engine *e, tw__ns until)
{
	for (int yields = 0;;) {
		tw__ns date = tw__earliest(until, next_ended(e)), kernel = next_kernel(e);
		if (date == TW__NEVER && e->n_active == 0)
			return TW_FAILED;
		double date_s = tw__seconds(date), over_s = date_s + together_s(date_s);
		bool kernel_ends = kernel <= date && kernel != TW__NEVER;
		bool comes = over_s > simgrid_get_clock();
		if (!kernel_ends && (yields >= YIELDS || date < transfer_horizon(e, tw__earliest(date, kernel)))) {
			e->now = tw__latest(e->now, date);
			return deliver(e);
		}
		yields += !comes;
		/* A kernel's execution may last some roundings longer than its date. */
		runtime_sleep(e, kernel_ends && yields > YIELDS ? INFINITY : over_s);
	}
}

/* The runtime's turns, and waiting in between. */
static void runtime_actor(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct actor *a = sg_actor_self_get_data();
	struct tw__engine *e = a->engine;
	tw__ns until = TW__NEVER;
	int n = 0;
	while (n >= 0 && e->turn(e->arg, e->now, e->told, n, &until))
		n = await(e, until);
	e->status = n < 0 ? TW_FAILED : TW_OK;
	e->over = true;
	for (int w = 0; w < e->platform.n_workers; w++)
		wake(&e->workers[w]);
	for (int t = 0; t < e->n_transfer_actors; t++)
		wake(e->transfer_actors[t]);
}

static int engine_drive(struct tw__engine *e, tw__turn *turn, void *arg, struct tw_error *err)
{
	struct actor runtime = {.engine = e};
	e->turn = turn;
	e->arg = arg;
	start_actor("runtime", e->memory[TW_RAM], runtime_actor, &runtime);
	simgrid_run();
	return e->status == TW_OK
	               ? TW_OK
	               : tw_fail(err, TW_FAILED, "engine 'simgrid': the run waits for nothing that is under way");
}

const struct tw__engine_ops tw__simgrid = {
	.name = TW__SIMGRID_NAME,
	.summary = TW__SIMGRID_SUMMARY,
	.caps = TW__SIMGRID_CAPS,
	.open = engine_open,
	.drive = engine_drive,
	.exec = engine_exec,
	.transfer = engine_transfer,
	.cancel = engine_cancel,
	.close = engine_close,
};
