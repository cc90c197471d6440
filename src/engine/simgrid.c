/* The SimGrid engine: kernels are SimGrid executions on the worker's host. Transfers are SimGrid communications over
 * the platform's links. A process can run one simulation only, because SimGrid cannot begin anew.
 *
 * The model. Links have latency 0 in SimGrid; the actor itself waits for the route's latency before it starts the
 * flow. Otherwise SimGrid would share links by 1/latency. A single transfer takes latency + bytes / bandwidth.
 * Transfers on one link share it equally, or by 1/latency where the platform asks for it: platform/weights.h.
 *
 * Dates. SimGrid's clock is a double. Kernels end at sums of whole nanoseconds, which the engine knows beforehand. A
 * transfer's date is that of SimGrid's clock, rounded up. Before a turn, SimGrid advances to the turn's date, so that
 * the turn gets all ends until then.
 *
 * Origin. SimGrid's clock counts from an origin that follows the dates: simgrid_load.c.
 *
 * A lazy clock. The runtime has many events of its own between two completions. Waking the runtime through SimGrid for
 * each of them would dominate the run's cost. So the engine keeps a date before which nothing can end: for kernels
 * their ends, for transfers the bound of flows.c. While the runtime's next event comes before that date, the engine
 * advances only its own clock. Jobs carry the date at which they begin.
 *
 * This file has the runtime's actor, its clock, and the operations; simgrid_actors.c has the other actors. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/least.h"
#include "engine/simgrid.h"
#include "platform/bottlenecks.h"

/* How often the runtime's actor yields, until actors whose activities end just now have reported their ends. */
enum { YIELDS = 2 };

static sg_host_t host_of(char kind, int number)
{
	char name[32];
	snprintf(name, sizeof name, "%c%d", kind, number);
	sg_host_t host = sg_host_by_name(name);
	assert(host); /* tw__simgrid_load has made it */
	return host;
}

static void find_bridges(struct tw__engine *e)
{
	char name[32];
	for (int l = 0; l < e->platform.n_links; l++) {
		snprintf(name, sizeof name, "L%d", l);
		if (e->platform.links[l].shared_bandwidth < e->platform.links[l].bandwidth)
			e->bridges[l].link = sg_link_by_name(name);
	}
}

static void engine_close(struct tw__engine *e)
{
	for (int t = 0; t < e->n_transfer_actors; t++)
		sg_sem_destroy(e->transfer_actors[t]->wake);
	for (int w = 0; w < e->platform.n_workers; w++)
		sg_sem_destroy(e->workers[w].wake);
	sg_sem_destroy(e->wake);
	tw__flows_finish(&e->flows);
	tw__weights_finish(&e->weights);
	tw__bottlenecks_finish(&e->platform);
	tw__ended_finish(&e->ended);
	free(e->transfer_actors);
	free(e->active);
	tw__arena_finish(&e->all);
	free(e);
}

static int engine_open(struct tw__engine **opened, const struct tw__engine_setup *setup, struct tw_error *err)
{
	struct tw__platform narrowed;
	struct tw__weights weights;
	tw__weights_init(&weights, setup->platform, setup->shares);
	tw__bottlenecks_init(&narrowed, setup->platform);
	int status = tw__simgrid_load(&narrowed, &weights, err);
	if (status < 0) {
		tw__weights_finish(&weights);
		tw__bottlenecks_finish(&narrowed);
		return status;
	}
	struct tw__engine *e = *opened = tw_alloc(1, sizeof *e);
	*e = (struct tw__engine){.platform = narrowed, .weights = weights, .wake = sg_sem_init(0)};
	e->workers = tw__arena_alloc(&e->all, (size_t)narrowed.n_workers, sizeof *e->workers);
	e->memory = tw__arena_alloc(&e->all, (size_t)narrowed.n_nodes, sizeof *e->memory);
	e->bridges = tw__arena_alloc(&e->all, (size_t)narrowed.n_links, sizeof *e->bridges);
	tw__flows_init(&e->flows, &e->platform, &e->weights);
	find_bridges(e);
	for (int n = 0; n < narrowed.n_nodes; n++)
		e->memory[n] = host_of('M', n);
	for (int w = 0; w < narrowed.n_workers; w++) {
		sg_host_t host = host_of('W', w);
		e->workers[w] = (struct actor){
			.engine = e, .wake = sg_sem_init(0), .host = host, .speed = sg_host_get_speed(host)};
		tw__actor_start("worker", host, tw__worker_actor, &e->workers[w]);
	}
	return TW_OK;
}

static void engine_exec(struct tw__engine *e, const struct tw__launch *launch, uint64_t token)
{
	struct actor *a = &e->workers[launch->worker];
	struct job *job = tw__job_new(e);
	job->length = launch->length;
	job->token = token;
	tw__actor_append(a, job);
	tw__worker_plan(a);
	tw__actor_wake(a); /* also lets the worker's actor run */
}

static void engine_transfer(struct tw__engine *e, tw_node from, tw_node to, tw_data data, uint64_t bytes,
                            uint64_t token)
{
	(void)data;
	const struct tw__route *route = tw__route_of(&e->platform, from, to);
	assert(route->n_links > 0);
	struct actor *a = tw__transfer_actor_get(e);
	struct job *job = tw__job_new(e);
	job->bytes = bytes;
	job->token = token;
	job->from = from;
	job->to = to;
	tw__flows_add(&e->flows, &job->flow, route, tw__clock_seconds(e, e->now) + route->latency, (double)bytes);
	tw__actor_append(a, job);
	tw__actor_wake(a);
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
		tw__worker_plan(a);
		if (job == a->current) { /* killing the actor ends the execution; a new actor goes on with the queue */
			a->current = NULL;
			sg_actor_kill(a->actor);
			tw__actor_start("worker", a->host, tw__worker_actor, a);
			tw__job_done(e, job);
		}
		return TW_OK;
	}
	return TW_FAILED;
}

/* Returns the date of the first end among the kernels; TW__NEVER: there are none. */
static tw__ns next_kernel(const struct tw__engine *e)
{
	tw__ns earliest = TW__NEVER;
	for (int j = 0; j < e->n_active; j++)
		earliest = tw__earliest(earliest, e->active[j]->end);
	return earliest;
}

/* Returns a date before which no transfer ends. The date may be later than `until`. */
static tw__ns transfer_horizon(struct tw__engine *e, tw__ns until)
{
	double until_s = tw__clock_seconds(e, until);
	/* A flow that begins at `until` may end at once. */
	double ns = TW__NS_PER_S * tw__flows_horizon(&e->flows, until_s + tw__clock_slack(until_s) / TW__NS_PER_S);
	ns = floor(ns - 1 - ns * 0x1p-48); /* the bound of flows.c has rounding errors */
	return ns < (double)TW__LAST ? tw__later(e->origin, (tw__ns)ns) : TW__NEVER;
}

/* Sleeps until a kernel or transfer ends, at most until that date. If the date has come, only yields to the other
 * actors. */
static void runtime_sleep(struct tw__engine *e, double until)
{
	double left = until - simgrid_get_clock();
	e->runtime_sleeps = true;
	if (isinf(left))
		sg_sem_acquire(e->wake);
	else if (left > 0)
		sg_sem_acquire_timeout(e->wake, left);
	else
		sg_actor_yield();
	e->runtime_sleeps = false;
	while (!sg_sem_would_block(e->wake))
		sg_sem_acquire(e->wake);
}

/* Moves the clock to the next date at which a kernel or transfer ends, or to `until`. Returns the number of
 * completions: all of that date, in the order in which the jobs were started. Negative: nothing is under way and
 * `until` is TW__NEVER. */
static int await(struct tw__engine *e, tw__ns until)
{
	for (int yields = 0;;) {
		tw__ns date = tw__earliest(until, tw__ended_next(&e->ended)), kernel = next_kernel(e);
		if (date == TW__NEVER && e->n_active == 0)
			return TW_FAILED;
		double date_s = tw__clock_seconds(e, date), over_s = date_s + tw__clock_spread(date_s);
		bool kernel_ends = kernel <= date && kernel != TW__NEVER;
		bool comes = over_s > simgrid_get_clock(), is_near = date_s < TW__FARTHEST_S;
		if (!kernel_ends &&
		    (yields >= YIELDS || (is_near && date < transfer_horizon(e, tw__earliest(date, kernel))))) {
			e->now = tw__latest(e->now, date);
			tw__clock_follow(e);
			return tw__ended_tell(&e->ended, e->now);
		}
		yields += !comes;
		/* In SimGrid a kernel's execution may end some rounding errors after its date. */
		runtime_sleep(e, kernel_ends && yields > YIELDS ? INFINITY : over_s);
	}
}

/* Runs the runtime's actor: runs turns, and waits between them. */
static void runtime_actor(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct actor *a = sg_actor_self_get_data();
	struct tw__engine *e = a->engine;
	tw__ns until = TW__NEVER;
	int n = 0;
	while (n >= 0 && e->turn(e->arg, e->now, e->ended.told, n, &until))
		n = await(e, until);
	e->status = n < 0 ? TW_FAILED : TW_OK;
	e->over = true;
	for (int w = 0; w < e->platform.n_workers; w++)
		tw__actor_wake(&e->workers[w]);
	for (int t = 0; t < e->n_transfer_actors; t++)
		tw__actor_wake(e->transfer_actors[t]);
}

static int engine_drive(struct tw__engine *e, tw__turn *turn, void *arg, struct tw_error *err)
{
	struct actor runtime = {.engine = e};
	e->turn = turn;
	e->arg = arg;
	tw__actor_start("runtime", e->memory[TW_RAM], runtime_actor, &runtime);
	simgrid_run();
	if (!e->over)
		return tw_fail(err, TW_FAILED, "engine 'simgrid': SimGrid stopped at %.9f s, before the run was over",
		               simgrid_get_clock());
	return e->status == TW_OK ? TW_OK : tw_fail(err, TW_FAILED, "engine 'simgrid': stalled, nothing is under way");
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
