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
 * A lazy clock. The runtime has many events of its own between two completions, and asking SimGrid to wake the
 * runtime for each would cost more than all the rest. So the engine knows a date before which nothing can end
 * (kernels: their end; transfers: flows.h), and as long as the runtime's next event comes before it, only moves its own
 * idea of now; jobs carry the date at which they begin. */
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

enum { MAX_COMPLETIONS = 64 };

/* SimGrid's dates and ours differ by rounding: how much earlier than computed something may end. */
#define SLACK_S 1e-9

struct job {
	struct job *next;     /* in a worker's queue, or in the list of unused jobs */
	double begin;         /* the date at which it was given */
	double amount;        /* seconds of a kernel, bytes of a transfer */
	double earliest;      /* a kernel cannot end before */
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
	double busy_until;   /* of a worker: what it was given cannot end before */
	struct actor *next;  /* in the list of idle transfer actors */
	struct job *current; /* of a worker */
	double not_before;   /* of a worker: the date of the last cancel */
	sg_actor_t actor;
};

struct ended {
	struct tw__completion completion;
	uint64_t sequence;
	bool is_transfer;
};

struct tw__engine {
	struct tw_platform platform; /* with no more links on its routes than can hold a transfer back */
	double unit;                 /* of weights by latency; 0: links are shared equally */
	double now;                  /* the runtime's; at or ahead of SimGrid's clock */
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
	    !TW_HAS_ROOM(e->ended, e->ended_capacity, (size_t)(e->n_ended + e->n_active) + 1)) {
		free(job);
		return NULL;
	}
	*job = (struct job){.begin = e->now, .earliest = INFINITY, .sequence = e->sequence++, .place = e->n_active};
	e->active[e->n_active++] = job;
	return job;
}

static void job_done(struct tw__engine *e, struct job *job, double start)
{
	if (!job->cancelled) {
		/* SimGrid ends at once what is below its precision: the clock may still be a rounding before the start. */
		double end = fmax(start, simgrid_get_clock());
		struct tw__completion completion = {job->token, start, end, TW_OK, NULL, false};
		e->ended[e->n_ended++] = (struct ended){completion, job->sequence, job->flow.route != NULL};
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
	if (left > 0)
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

static void give(struct actor *a, struct job *job)
{
	if (a->last)
		a->last->next = job;
	else
		a->first = job;
	a->last = job;
	wake(a);
}

static void worker_actor(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct actor *a = sg_actor_self_get_data();
	struct job *job;
	while ((job = take(a))) {
		a->current = job;
		double begin = fmax(job->begin, a->not_before);
		sleep_until(begin);
		double start = fmax(simgrid_get_clock(), begin); /* the clock may be one rounding early */
		if (!job->cancelled && job->amount > 0)
			sg_actor_execute(job->amount * a->speed);
		a->current = NULL;
		job_done(a->engine, job, start);
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
		sleep_until(job->begin + route->latency - tw__weight_latency(route, e->unit));
		tw__bridges_enter(&e->bridges, route);
		sg_host_sendto(e->memory[job->from], e->memory[job->to], job->amount);
		tw__bridges_leave(&e->bridges, route);
		a->next = e->idle;
		e->idle = a;
		tw__flows_remove(&e->flows, &job->flow, simgrid_get_clock());
		job_done(e, job, job->begin);
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

static int engine_exec(struct tw__engine *e, const struct tw__launch *launch, uint64_t token)
{
	struct actor *a = &e->workers[launch->worker];
	struct job *job = job_new(e);
	if (!job)
		return TW_NOMEM;
	/* Kernels of one worker queue up. */
	a->busy_until = fmax(a->busy_until, e->now) + launch->seconds;
	job->amount = launch->seconds;
	job->token = token;
	job->earliest = a->busy_until;
	give(a, job);
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
	job->amount = (double)bytes;
	job->token = token;
	job->from = from;
	job->to = to;
	if (tw__flows_add(&e->flows, &job->flow, route, e->now + route->latency, (double)bytes))
		return TW_NOMEM;
	give(a, job);
	return TW_OK;
}

/* The lower bounds on the ends of a worker's later kernels hold only as long as nothing is cancelled. */
static void forget_bounds(struct actor *a)
{
	a->busy_until = 0;
	for (struct job *job = a->first; job; job = job->next)
		job->earliest = 0;
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
		job->cancelled = true;
		a->not_before = e->now;
		forget_bounds(a);
		if (job == a->current) { /* the execution ends with its actor; another goes on with what is queued */
			a->current = NULL;
			sg_actor_kill(a->actor);
			start_actor("worker", a->host, worker_actor, a);
			job_done(e, job, 0);
		}
		return TW_OK;
	}
	return TW_FAILED;
}

/* Nothing ends before the date returned, or before `until`. */
static double horizon(struct tw__engine *e, double until)
{
	double earliest = INFINITY;
	for (int j = 0; j < e->n_active; j++)
		if (e->active[j]->earliest < earliest)
			earliest = e->active[j]->earliest;
	return fmin(earliest, tw__flows_horizon(&e->flows, fmin(until, earliest - SLACK_S))) - SLACK_S;
}

static int by_sequence(const void *a, const void *b)
{
	uint64_t x = ((const struct ended *)a)->sequence, y = ((const struct ended *)b)->sequence;
	return (x > y) - (x < y);
}

static int deliver(struct tw__engine *e, struct tw__completion *out, int max)
{
	qsort(e->ended, (size_t)e->n_ended, sizeof *e->ended, by_sequence);
	int n = e->n_ended < max ? e->n_ended : max;
	for (int i = 0; i < n; i++) {
		out[i] = e->ended[i].completion;
		if (e->ended[i].is_transfer) /* SimGrid's clock may be a rounding behind the runtime's */
			out[i].end = e->now;
	}
	memmove(e->ended, e->ended + n, (size_t)(e->n_ended - n) * sizeof *e->ended);
	e->n_ended -= n;
	return n;
}

/* Sleeps until something ends or, at the latest, `until`. */
static void runtime_sleep(struct tw__engine *e, double until)
{
	double left = until - simgrid_get_clock();
	e->runtime_sleeps = true;
	if (isinf(until))
		sg_sem_acquire(e->wake);
	else if (left <= 0 || sg_sem_acquire_timeout(e->wake, left))
		/* Time is up. Kernels and transfers that end at this very date may not have told so yet. */
		sg_actor_yield();
	e->runtime_sleeps = false;
	while (!sg_sem_would_block(e->wake))
		sg_sem_acquire(e->wake);
}

/* Waits for the next date at which something ends, or for `until`. Returns how many completions it wrote to `out`: all of
 * one date, in the order in which they were started, e->now being that date; 0: e->now is `until`. Negative: nothing is under way
 * and `until` is INFINITY. At most `max`; the rest of that date comes with the next call. */
static int await(struct tw__engine *e, double until, struct tw__completion *out, int max)
{
	if (e->n_ended)
		return deliver(e, out, max);
	if (e->n_active == 0 && isinf(until))
		return TW_FAILED;
	if (until < horizon(e, until)) {
		e->now = until;
		return 0;
	}
	runtime_sleep(e, until);
	double clock = simgrid_get_clock();
	if (e->n_ended) {
		assert(clock >= e->now - SLACK_S); /* else the horizon was wrong */
		e->now = fmax(e->now, clock);
		return deliver(e, out, max);
	}
	if (isinf(until)) /* a cancelled job has ended: nothing to tell */
		return await(e, until, out, max);
	e->now = until;
	return 0;
}

/* The runtime's turns, and waiting in between. */
static void runtime_actor(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct actor *a = sg_actor_self_get_data();
	struct tw__engine *e = a->engine;
	struct tw__completion ended[MAX_COMPLETIONS];
	double until = INFINITY;
	int n = 0;
	while (n >= 0 && e->turn(e->arg, e->now, ended, n, &until))
		n = await(e, until, ended, MAX_COMPLETIONS);
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
