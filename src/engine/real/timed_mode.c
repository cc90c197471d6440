/* Timed mode: kernels sleep for their modelled times on the workers' threads, and copies take no real time. For each
 * date at which a kernel or copy ends by the model there is a turn, in the order of these dates. A thread that wakes
 * late delays the following turns, but changes no date. So the order of events, and all that depends on it, is that of
 * a simulation. Kernels and copies that end at one date are reported in the order of their starts. */
#include <math.h>
#include <stdlib.h>

#include <tilewright/containers.h>

#include "links/shares.h"
#include "engine/real/real.h"

struct way { /* copies of an ordered pair of memories: one is under way at a time */
	struct tw__share share;
	struct tw__job *job;          /* the copy of this way that is under way, or NULL */
	struct tw__job_queue waiting; /* copies that wait until `job` has ended */
};

struct tw__timed {
	struct tw__engine *engine;
	struct tw__shares shares;
	double shares_date;       /* the last date passed to `shares`, in seconds */
	struct way *ways;         /* [from * n_nodes + to] copies of each ordered pair of memories */
	tw__ns *free_at;          /* [workers] date at which the last submitted kernel ends */
	struct tw__job **kernels; /* submitted kernels that their threads have not posted back yet */
	size_t n_kernels, kernels_capacity;
	struct tw__job **ended; /* kernels and copies that have ended, not yet reported to a turn */
	size_t n_ended, ended_capacity;
	struct tw__completion *told; /* completions that the next turn gets */
	size_t told_capacity;
	size_t n_copies;   /* number of copies that have not ended */
	uint64_t sequence; /* number of the next start of a kernel or copy */
};

static bool no_room(struct tw__timed *t)
{
	size_t most = t->n_kernels + t->n_copies + t->n_ended;
	return !TW_HAS_ROOM(t->kernels, t->kernels_capacity, t->n_kernels + 1) ||
	       !TW_HAS_ROOM(t->ended, t->ended_capacity, most + 1) || !TW_HAS_ROOM(t->told, t->told_capacity, most + 1);
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

int tw__timed_give(struct tw__engine *e, struct tw__job *job)
{
	struct tw__timed *t = e->timed;
	if (no_room(t))
		return TW_NOMEM;
	job->sequence = t->sequence++;
	job->start = tw__latest(e->now, t->free_at[job->worker]);
	job->end = t->free_at[job->worker] = tw__later(job->start, job->length);
	job->place = t->n_kernels;
	t->kernels[t->n_kernels++] = job;
	return TW_OK;
}

static void take_posts(struct tw__timed *t, struct tw__post *posts)
{
	for (struct tw__post *next; posts; posts = next) {
		struct tw__job *job = tw__job_of(posts);
		next = posts->next;
		t->kernels[job->place] = t->kernels[--t->n_kernels];
		t->kernels[job->place]->place = job->place;
		t->ended[t->n_ended++] = job;
	}
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

static void start_copy(struct tw__timed *t, struct way *way, tw__ns date)
{
	if (way->job || !way->waiting.first)
		return;
	struct tw__job *job = way->job = tw__queue_take(&way->waiting);
	job->sequence = t->sequence++;
	job->start = date;
	t->shares_date = fmax(t->shares_date, tw__seconds(date));
	tw__shares_begin(&t->shares, &way->share, job->from, job->to, (double)job->bytes, t->shares_date);
}

int tw__timed_copy(struct tw__engine *e, struct tw__job *job)
{
	struct tw__timed *t = e->timed;
	struct way *way = &t->ways[job->from * e->platform->n_nodes + job->to];
	if (no_room(t))
		return TW_NOMEM;
	tw__queue_put(&way->waiting, job);
	t->n_copies++;
	start_copy(t, way, e->now);
	return TW_OK;
}

static tw__ns next_copy(struct tw__timed *t) { return tw__ns_after(tw__shares_next(&t->shares)); }

/* Ends the copies whose ends are at or before `until`. The next copy of a way starts when the one before has ended. */
static void end_copies(struct tw__timed *t, tw__ns until)
{
	tw__ns date;
	while ((date = next_copy(t)) <= until) {
		t->shares_date = fmax(t->shares_date, tw__shares_next(&t->shares));
		struct tw__share *share = tw__shares_end(&t->shares, t->shares_date);
		struct way *way = (struct way *)((char *)share - offsetof(struct way, share));
		way->job->end = tw__latest(way->job->start, date);
		t->ended[t->n_ended++] = way->job;
		way->job = NULL;
		t->n_copies--;
		start_copy(t, way, tw__latest(date, t->engine->now));
	}
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

static tw__ns first_end(struct tw__job *const *jobs, size_t n)
{
	tw__ns first = TW__NEVER;
	for (size_t i = 0; i < n; i++)
		first = tw__earliest(first, jobs[i]->end);
	return first;
}

/* Returns the date of the next turn, if no kernel that still sleeps ends before. */
static tw__ns next_date(struct tw__timed *t)
{
	tw__ns first = tw__earliest(first_end(t->ended, t->n_ended), next_copy(t));
	return tw__latest(t->engine->now, tw__earliest(first, t->engine->until));
}

static int by_start(const void *a, const void *b)
{
	uint64_t x = (*(struct tw__job *const *)a)->sequence, y = (*(struct tw__job *const *)b)->sequence;
	return (x > y) - (x < y);
}

/* Moves the completions of jobs whose ends are at or before `until` to t->told. Returns their number. */
static int tell_ended(struct tw__timed *t, tw__ns until)
{
	size_t kept = 0;
	int n = 0;
	if (t->n_ended > 1)
		qsort(t->ended, t->n_ended, sizeof(struct tw__job *), by_start);
	for (size_t i = 0; i < t->n_ended; i++)
		if (t->ended[i]->end <= until)
			t->told[n++] = tw__job_complete(t->engine, t->ended[i]);
		else
			t->ended[kept++] = t->ended[i];
	t->n_ended = kept;
	return n;
}

/* Takes the next turn. Returns false if its date is still to come, if a kernel that ends by then still sleeps (its
 * thread will lead), or if the run is over. */
static bool take_turn(struct tw__timed *t)
{
	struct tw__engine *e = t->engine;
	tw__ns date = next_date(t);
	if (date > tw__clock_now(&e->clock) || first_end(t->kernels, t->n_kernels) <= date)
		return false;
	end_copies(t, date);
	e->now = date;
	int n = tell_ended(t, date);
	e->over = !e->turn(e->turn_arg, date, t->told, n, &e->until);
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

int tw__timed_create(struct tw__timed **out, struct tw__engine *e, enum tw__link_shares shares, struct tw_error *err)
{
	const struct tw_platform *p = e->platform;
	struct tw__timed *t = *out = calloc(1, sizeof *t);
	if (!t)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	t->engine = e;
	t->ways = calloc((size_t)p->n_nodes * (size_t)p->n_nodes, sizeof *t->ways);
	t->free_at = calloc((size_t)p->n_workers, sizeof *t->free_at);
	if (!t->ways || !t->free_at || tw__shares_init(&t->shares, p, tw__weight_unit(p, shares)))
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	return TW_OK;
}

void tw__timed_destroy(struct tw__timed *t)
{
	if (!t)
		return;
	if (t->ways && t->free_at)
		tw__shares_finish(&t->shares);
	free(t->ways);
	free(t->free_at);
	free(t->kernels);
	free(t->ended);
	free(t->told);
	free(t);
}
