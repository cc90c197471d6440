/* The actors of the SimGrid engine. */
#include "engine/simgrid.h"

/* --- jobs --------------------------------------------------------------------------------------------------------- */

struct job *tw__job_new(struct tw__engine *e)
{
	struct job *job = e->unused;
	if (job)
		e->unused = job->next;
	else
		job = tw__arena_alloc(&e->all, 1, sizeof *job);
	TW_RESERVE(e->active, e->active_capacity, (size_t)e->n_active + 1);
	*job = (struct job){.begin = e->now, .end = TW__NEVER, .sequence = e->sequence++, .place = e->n_active};
	e->active[e->n_active++] = job;
	return job;
}

void tw__job_done(struct tw__engine *e, struct job *job)
{
	if (!job->cancelled)
		tw__ended_add(&e->ended, (struct tw__completion){.token = job->token,
		                                                 .sequence = job->sequence,
		                                                 .start = job->start,
		                                                 .end = job->end});
	e->active[job->place] = e->active[--e->n_active];
	e->active[job->place]->place = job->place;
	job->next = e->unused;
	e->unused = job;
	if (e->runtime_sleeps && (e->ended.n || e->n_active == 0)) {
		e->runtime_sleeps = false;
		sg_sem_release(e->wake);
	}
}

/* --- actors ------------------------------------------------------------------------------------------------------- */

static void sleep_until(double date)
{
	double left = date - simgrid_get_clock();
	if (left > 0)
		sg_actor_sleep_for(left);
}

/* Calls into SimGrid are expensive, so only an actor that waits is woken. Active actors check their queues anyway. */
void tw__actor_wake(struct actor *a)
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

void tw__actor_append(struct actor *a, struct job *job)
{
	if (a->last)
		a->last->next = job;
	else
		a->first = job;
	a->last = job;
}

void tw__worker_actor(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct actor *a = sg_actor_self_get_data();
	struct job *job;
	while ((job = take(a))) {
		a->current = job;
		if (!job->cancelled)
			sleep_until(tw__clock_seconds(a->engine, job->start));
		double left = tw__clock_seconds(a->engine, job->end) - simgrid_get_clock();
		if (!job->cancelled && left > 0)
			sg_actor_execute(left * a->speed);
		if (!job->cancelled)
			a->free_at = job->end;
		a->current = NULL;
		tw__job_done(a->engine, job);
	}
}

/* Counts a flow on the bridges of its route. `change`: 1 when the flow begins, -1 when it has ended. */
static void count_on_bridges(struct tw__engine *e, const struct tw__route *route, int change)
{
	for (int l = 0; l < route->n_links; l++) {
		struct bridge *bridge = &e->bridges[route->links[l]];
		const struct tw__link *link = &e->platform.links[route->links[l]];
		if (!bridge->link || !tw__is_first_listed(route, l))
			continue;
		bool was_shared = bridge->users > 1;
		bridge->users += change;
		if (was_shared != (bridge->users > 1))
			sg_link_set_bandwidth(bridge->link, was_shared ? link->bandwidth : link->shared_bandwidth);
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
		sleep_until(tw__clock_seconds(e, job->begin) +
		            (route->latency - tw__weight_latency(&e->weights, &e->platform, route)));
		count_on_bridges(e, route, 1);
		sg_host_sendto(e->memory[job->from], e->memory[job->to], (double)job->bytes);
		double clock = simgrid_get_clock();
		job->start = job->begin;
		job->end = tw__latest(job->start, tw__clock_date(e, clock));
		tw__flows_remove(&e->flows, &job->flow, clock);
		tw__job_done(e, job); /* must come before the next line, which lets other actors run */
		count_on_bridges(e, route, -1);
		a->next = e->idle;
		e->idle = a;
	}
}

void tw__actor_start(const char *name, sg_host_t host, void (*code)(int, char **), struct actor *a)
{
	sg_actor_t actor = sg_actor_init(name, host);
	sg_actor_set_data(actor, a);
	sg_actor_start_(actor, code, 0, NULL);
	a->actor = actor;
}

struct actor *tw__transfer_actor_get(struct tw__engine *e)
{
	struct actor *a = e->idle;
	if (a) {
		e->idle = a->next;
		return a;
	}
	TW_RESERVE(e->transfer_actors, e->transfer_capacity, (size_t)e->n_transfer_actors + 1);
	a = e->transfer_actors[e->n_transfer_actors++] = tw__arena_alloc(&e->all, 1, sizeof *a);
	a->engine = e;
	a->wake = sg_sem_init(0);
	tw__actor_start("transfer", e->memory[TW_RAM], transfer_actor, a);
	return a;
}

void tw__worker_plan(struct actor *a)
{
	tw__ns free_at = a->current && !a->current->cancelled ? a->current->end : a->free_at;
	for (struct job *job = a->first; job; job = job->next)
		if (!job->cancelled) {
			job->start = tw__latest(job->begin, free_at);
			job->end = free_at = tw__later(job->start, job->length);
		}
}
