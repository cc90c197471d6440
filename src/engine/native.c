/* The native engine: the same model as the SimGrid engine, computed here. Kernels end after their seconds, one after the other on each
 * worker; transfers share the platform's links as in shares.c. Kernels and transfers that end at one date are told
 * in the order of their starts.
 *
 * Dates that differ by less than SAME_S are one, as in SimGrid. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include <tilewright/array.h>

#include "base/heap.h"
#include "engine/engine.h"
#include "engine/shares.h"
#include "platform/bottlenecks.h"

enum { MAX_COMPLETIONS = 64 };

#define SAME_S 1e-9

/* A kernel or a transfer. */
struct job {
	struct tw__heap_item running; /* a kernel that runs, by its end */
	struct tw__share share;       /* of a transfer */
	struct job *next;             /* behind it on the worker, or unused */
	struct lane *lane;            /* of a kernel */
	uint64_t token, sequence;
	double given, start, end;
	double seconds; /* of a kernel */
};

struct lane {                     /* a worker */
	struct job *first, *last; /* the first one runs */
	double free_at;           /* the end of the last kernel, or the date at which one was cancelled */
};

struct tw__engine {
	struct tw_platform platform; /* with no more links on its routes than can hold a transfer back */
	struct tw__shares shares;
	bool has_shares;
	double shares_date;      /* the last that they were told */
	struct lane *lanes;      /* [n_workers] */
	struct tw__heap running; /* kernels */
	struct job *unused, **jobs;
	size_t n_jobs, jobs_capacity;
	struct job **ended; /* that no turn has been told of */
	size_t n_ended, ended_capacity;
	uint64_t sequence;
	int n_under_way;
	double now;
};

/* --- jobs --------------------------------------------------------------------------------------------------------- */

/* With room among those that have ended, so that an end cannot fail. */
static struct job *job_get(struct tw__engine *e, uint64_t token)
{
	struct job *job = e->unused;
	if (!TW_HAS_ROOM(e->ended, e->ended_capacity, e->n_ended + (size_t)e->n_under_way + 1))
		return NULL;
	if (job)
		e->unused = job->next;
	else if (TW_HAS_ROOM(e->jobs, e->jobs_capacity, e->n_jobs + 1) && (job = malloc(sizeof *job)))
		e->jobs[e->n_jobs++] = job;
	if (!job)
		return NULL;
	*job = (struct job){.token = token, .sequence = e->sequence++, .given = e->now, .running.place = -1};
	e->n_under_way++;
	return job;
}

static void job_take_back(struct tw__engine *e, struct job *job)
{
	job->next = e->unused;
	e->unused = job;
}

static void job_ended(struct tw__engine *e, struct job *job)
{
	e->n_under_way--;
	e->ended[e->n_ended++] = job;
}

static bool ends_before(const struct tw__heap_item *a, const struct tw__heap_item *b)
{
	const struct job *x = TW__CONTAINER(a, struct job, running), *y = TW__CONTAINER(b, struct job, running);
	return x->end < y->end || (x->end <= y->end && x->sequence < y->sequence);
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static int start_first(struct tw__engine *e, struct lane *lane)
{
	struct job *job = lane->first;
	if (!job)
		return TW_OK;
	job->start = fmax(job->given, lane->free_at);
	job->end = job->start + job->seconds;
	return tw__heap_push(&e->running, &job->running);
}

static struct job *take_first(struct lane *lane)
{
	struct job *job = lane->first;
	lane->first = job->next;
	return job;
}

static int engine_exec(struct tw__engine *e, const struct tw__launch *launch, uint64_t token)
{
	struct lane *lane = &e->lanes[launch->worker];
	struct job *job = job_get(e, token);
	if (!job)
		return TW_NOMEM;
	job->seconds = launch->seconds;
	job->lane = lane;
	job->next = NULL;
	if (lane->first)
		lane->last->next = job;
	else
		lane->first = job;
	lane->last = job;
	return lane->first == job ? start_first(e, lane) : TW_OK;
}

/* Which worker's kernel it is, is not told: tokens say nothing. */
static struct lane *find_lane(struct tw__engine *e, uint64_t token, struct job **before)
{
	for (int w = 0; w < e->platform.n_workers; w++) {
		*before = NULL;
		for (struct job *job = e->lanes[w].first; job; *before = job, job = job->next)
			if (job->token == token)
				return &e->lanes[w];
	}
	return NULL;
}

static int engine_cancel(struct tw__engine *e, uint64_t token)
{
	struct job *before;
	struct lane *lane = find_lane(e, token, &before);
	if (!lane)
		return TW_FAILED;
	struct job *job = before ? before->next : lane->first;
	e->n_under_way--;
	lane->last = lane->last == job ? before : lane->last;
	if (before) {
		before->next = job->next;
		job_take_back(e, job);
		return TW_OK;
	}
	take_first(lane);
	tw__heap_remove(&e->running, &job->running);
	job_take_back(e, job);
	lane->free_at = e->now;
	return start_first(e, lane);
}

/* --- transfers ---------------------------------------------------------------------------------------------------- */

static int engine_transfer(struct tw__engine *e, tw_node from, tw_node to, tw_data data, uint64_t bytes, uint64_t token)
{
	(void)data;
	struct job *job = job_get(e, token);
	if (!job)
		return TW_NOMEM;
	job->start = e->now;
	e->shares_date = fmax(e->shares_date, e->now);
	tw__shares_begin(&e->shares, &job->share, from, to, (double)bytes, e->shares_date);
	return TW_OK;
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

static double next_kernel(const struct tw__engine *e)
{
	const struct tw__heap_item *top = tw__heap_top(&e->running);
	return top ? TW__CONTAINER(top, const struct job, running)->end : INFINITY;
}

/* Kernels and transfers that end at that date. Kernels behind them start, and may end as well. */
static int end_at(struct tw__engine *e, double date)
{
	const double until = date + SAME_S;
	int status = TW_OK;
	while (status == TW_OK && next_kernel(e) <= until) {
		struct job *job = TW__CONTAINER(tw__heap_top(&e->running), struct job, running);
		struct lane *lane = job->lane;
		tw__heap_remove(&e->running, &job->running);
		take_first(lane);
		lane->free_at = job->end = fmin(job->end, date);
		job_ended(e, job);
		status = start_first(e, lane);
	}
	while (tw__shares_next(&e->shares) <= until) {
		e->shares_date = fmax(e->shares_date, tw__shares_next(&e->shares));
		struct tw__share *share = tw__shares_end(&e->shares, e->shares_date);
		struct job *job = (struct job *)((char *)share - offsetof(struct job, share));
		job->end = fmax(job->start, fmin(share->end, date));
		job_ended(e, job);
	}
	return status;
}

static int by_start(const void *a, const void *b)
{
	uint64_t x = (*(struct job *const *)a)->sequence, y = (*(struct job *const *)b)->sequence;
	return (x > y) - (x < y);
}

/* The rest of that date comes with the next call. */
static int tell_ended(struct tw__engine *e, struct tw__completion *completions)
{
	int n = e->n_ended < MAX_COMPLETIONS ? (int)e->n_ended : MAX_COMPLETIONS;
	if (e->n_ended > 1)
		qsort(e->ended, e->n_ended, sizeof *e->ended, by_start);
	for (int i = 0; i < n; i++) {
		struct job *job = e->ended[i];
		completions[i] = (struct tw__completion){.token = job->token, .start = job->start, .end = job->end};
		job_take_back(e, job);
	}
	for (size_t i = (size_t)n; i < e->n_ended; i++)
		e->ended[i - (size_t)n] = e->ended[i];
	e->n_ended -= (size_t)n;
	return n;
}

/* Moves to the next date at which something ends, or to `until`. Returns how many have ended; negative: nothing is under way, and `until` is
 * INFINITY, or memory is short. */
static int await(struct tw__engine *e, double until, struct tw__completion *completions)
{
	if (e->n_ended)
		return tell_ended(e, completions);
	double date = fmin(next_kernel(e), tw__shares_next(&e->shares));
	if (isinf(date) && isinf(until))
		return TW_FAILED;
	e->now = fmax(e->now, fmin(date, until));
	int status = end_at(e, e->now);
	if (status < 0)
		return status;
	return tell_ended(e, completions);
}

static int engine_drive(struct tw__engine *e, tw__turn *turn, void *arg, struct tw_error *err)
{
	struct tw__completion completions[MAX_COMPLETIONS];
	double until = INFINITY;
	int n = 0;
	while (n >= 0 && turn(arg, e->now, completions, n, &until))
		n = await(e, until, completions);
	if (n == TW_NOMEM)
		return tw_fail(err, TW_NOMEM, "engine 'native': out of memory");
	return n >= 0 ? TW_OK : tw_fail(err, TW_FAILED, "engine 'native': the run waits for nothing that is under way");
}

/* --- opening and closing ------------------------------------------------------------------------------------------ */

static void engine_close(struct tw__engine *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->n_jobs; i++)
		free(e->jobs[i]);
	if (e->has_shares)
		tw__shares_finish(&e->shares);
	tw__bottlenecks_finish(&e->platform);
	tw__heap_finish(&e->running);
	free(e->lanes);
	free(e->jobs);
	free(e->ended);
	free(e);
}

static int engine_open(struct tw__engine **opened, const struct tw__engine_setup *setup, struct tw_error *err)
{
	struct tw__engine *e = calloc(1, sizeof *e);
	if (!e)
		return tw_fail(err, TW_NOMEM, "engine 'native': out of memory");
	tw__heap_init(&e->running, ends_before);
	e->lanes = calloc((size_t)setup->platform->n_workers + 1, sizeof *e->lanes);
	bool good = e->lanes && tw__bottlenecks_init(&e->platform, setup->platform) == TW_OK;
	if (good) {
		e->has_shares = true;
		good = tw__shares_init(&e->shares, &e->platform, tw__weight_unit(setup->platform, setup->shares)) ==
		       TW_OK;
	}
	if (good) {
		*opened = e;
		return TW_OK;
	}
	engine_close(e);
	return tw_fail(err, TW_NOMEM, "engine 'native': out of memory");
}

const struct tw__engine_ops tw__engine_native = {
	.name = "native",
	.summary = "simulation: the same model as simgrid's, computed without SimGrid",
	.caps = TW__ENGINE_FORKS | TW__ENGINE_CANCELS,
	.open = engine_open,
	.drive = engine_drive,
	.exec = engine_exec,
	.transfer = engine_transfer,
	.cancel = engine_cancel,
	.close = engine_close,
};
