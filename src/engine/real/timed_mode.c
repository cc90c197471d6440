/* Timed mode: kernels sleep for their modelled times on the workers' threads, and copies take no real time. For each
 * date at which a kernel or copy ends by the model there is a turn, in the order of these dates. A thread that wakes
 * late delays the following turns, but changes no date. So the order of events, and all that depends on it, is that of
 * a simulation. Kernels and copies that end at one date are reported in the order of their starts. */
#include <stdlib.h>

#include "engine/ended.h"
#include "engine/real/real.h"

struct tw__timed {
	struct tw__engine *engine;
	struct tw__copy_queues copies;
	tw__ns *free_at;          /* [workers] date at which the last submitted kernel ends */
	struct tw__job **kernels; /* submitted kernels that their threads have not posted back yet */
	size_t n_kernels, kernels_capacity;
	struct tw__ended ended;
	uint64_t sequence; /* number of the next start of a kernel or copy */
};

static void end(struct tw__timed *t, struct tw__job *job)
{
	tw__ended_add(&t->ended, tw__job_complete(t->engine, job));
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

void tw__timed_give(struct tw__engine *e, struct tw__job *job)
{
	struct tw__timed *t = e->timed;
	TW_RESERVE(t->kernels, t->kernels_capacity, t->n_kernels + 1);
	job->sequence = t->sequence++;
	job->start = tw__latest(e->now, t->free_at[job->worker]);
	job->end = t->free_at[job->worker] = tw__later(job->start, job->length);
	job->place = t->n_kernels;
	t->kernels[t->n_kernels++] = job;
}

static void take_posts(struct tw__timed *t, struct tw__post *posts)
{
	for (struct tw__post *next; posts; posts = next) {
		struct tw__job *job = tw__job_of(posts);
		next = posts->next;
		t->kernels[job->place] = t->kernels[--t->n_kernels];
		t->kernels[job->place]->place = job->place;
		end(t, job);
	}
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

static void start_copy(struct tw__timed *t, struct tw__copy_queue *queue, tw__ns date)
{
	struct tw__job *job = tw__copy_queue_start(&t->copies, queue, date);
	if (job)
		job->sequence = t->sequence++;
}

void tw__timed_copy(struct tw__engine *e, struct tw__job *job)
{
	start_copy(e->timed, tw__copy_queue_put(&e->timed->copies, job), e->now);
}

/* Ends the copies whose ends are at or before `until`. The next copy of a queue starts when the one before has
 * ended. */
static void end_copies(struct tw__timed *t, tw__ns until)
{
	tw__ns date;
	while ((date = tw__copy_queues_next(&t->copies)) <= until) {
		struct tw__copy_queue *queue;
		end(t, tw__copy_queue_end(&t->copies, &queue));
		start_copy(t, queue, tw__latest(date, t->engine->now));
	}
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

/* Returns the first end of the kernels that still sleep. */
static tw__ns next_kernel(const struct tw__timed *t)
{
	tw__ns first = TW__NEVER;
	for (size_t i = 0; i < t->n_kernels; i++)
		first = tw__earliest(first, t->kernels[i]->end);
	return first;
}

/* Returns the date of the next turn, if no kernel that still sleeps ends before. */
static tw__ns next_date(struct tw__timed *t)
{
	tw__ns first = tw__earliest(tw__ended_next(&t->ended), tw__copy_queues_next(&t->copies));
	return tw__latest(t->engine->now, tw__earliest(first, t->engine->until));
}

/* Takes the next turn. Returns false if its date is still to come, if a kernel that ends by then still sleeps (its
 * thread will lead), or if the run is over. */
static bool take_turn(struct tw__timed *t)
{
	struct tw__engine *e = t->engine;
	tw__ns date = next_date(t);
	if (date > tw__clock_now(&e->clock) || next_kernel(t) <= date)
		return false;
	end_copies(t, date);
	e->now = date;
	int n = tw__ended_tell(&t->ended, date);
	e->over = !e->turn(e->turn_arg, date, t->ended.told, n, &e->until);
	return !e->over;
}

tw__ns tw__timed_lead(struct tw__engine *e, struct tw__post *posts)
{
	struct tw__timed *t = e->timed;
	take_posts(t, posts);
	while (take_turn(t))
		;
	return e->over ? TW__NEVER : next_date(t);
}

/* --- create and destroy ------------------------------------------------------------------------------------------- */

struct tw__timed *tw__timed_create(struct tw__engine *e, enum tw__link_shares shares)
{
	struct tw__timed *t = tw__arena_alloc(&e->memory, 1, sizeof *t);
	t->engine = e;
	t->free_at = tw__arena_alloc(&e->memory, (size_t)e->platform->n_workers, sizeof *t->free_at);
	tw__copy_queues_init(&t->copies, e->platform, shares);
	return t;
}

void tw__timed_destroy(struct tw__timed *t)
{
	if (!t)
		return;
	tw__copy_queues_finish(&t->copies);
	tw__ended_finish(&t->ended);
	free(t->kernels);
}
