/* The native engine: the model of the SimGrid engine, computed without SimGrid. Kernels run one after the other on
 * each worker. Transfers share the platform's links as in shares.c.
 *
 * Dates of kernels are sums of integers. shares.c computes dates of transfers with doubles, and shares links anew at
 * the true date of an end. For the runtime, a transfer ends at that date, rounded up to a nanosecond. */
#include <stddef.h>
#include <stdlib.h>

#include "base/heap.h"
#include "base/least.h"
#include "engine/ended.h"
#include "links/dated.h"
#include "platform/bottlenecks.h"

/* A kernel or a transfer. */
struct job {
	struct tw__heap_item running; /* a running kernel's entry in the heap `running`, by its end */
	struct tw__share share;       /* a transfer's share of links */
	struct job *next;             /* next kernel in the worker's lane, or next unused job */
	struct lane *lane;            /* the lane of a kernel's worker */
	uint64_t token, sequence;
	tw__ns given, start, end;
	tw__ns length; /* a kernel's duration */
};

struct lane {                     /* the kernels of one worker */
	struct job *first, *last; /* queued kernels; the first one runs */
	tw__ns free_at;           /* date at which the worker's last kernel ended, or at which one was cancelled */
};

struct tw__engine {
	struct tw__platform platform; /* the platform; its routes list only links that can limit a transfer */
	struct tw__dated transfers;
	tw__ns next_transfer;    /* date at which the next transfer ends; stale if has_changed */
	bool has_changed;        /* whether `transfers` has changed since next_transfer was computed */
	struct lane *lanes;      /* [n_workers] queue of kernels of each worker */
	struct tw__heap running; /* heap of running kernels, the first end on top */
	struct job *unused;
	struct tw__arena memory; /* of lanes and jobs */
	struct tw__ended ended;
	uint64_t sequence;
	tw__ns now;
};

/* --- jobs --------------------------------------------------------------------------------------------------------- */

/* Returns a new job. The caller sets the members that a kernel or a transfer needs. */
static struct job *job_get(struct tw__engine *e, uint64_t token)
{
	struct job *job = e->unused;
	if (job)
		e->unused = job->next;
	else
		job = tw__arena_alloc(&e->memory, 1, sizeof *job);
	job->running.place = -1;
	job->token = token;
	job->sequence = e->sequence++;
	job->given = e->now;
	return job;
}

static void job_take_back(struct tw__engine *e, struct job *job)
{
	job->next = e->unused;
	e->unused = job;
}

static void job_ended(struct tw__engine *e, struct job *job)
{
	tw__ended_add(&e->ended,
	              (struct tw__completion){
			      .token = job->token, .sequence = job->sequence, .start = job->start, .end = job->end});
	job_take_back(e, job);
}

static bool ends_before(const struct tw__heap_item *a, const struct tw__heap_item *b)
{
	const struct job *x = TW__CONTAINER(a, struct job, running), *y = TW__CONTAINER(b, struct job, running);
	return x->end != y->end ? x->end < y->end : x->sequence < y->sequence;
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static void start_first(struct tw__engine *e, struct lane *lane)
{
	struct job *job = lane->first;
	if (!job)
		return;
	job->start = tw__latest(job->given, lane->free_at);
	job->end = tw__later(job->start, job->length);
	tw__heap_push(&e->running, &job->running, ends_before);
}

static void engine_exec(struct tw__engine *e, const struct tw__launch *launch, uint64_t token)
{
	struct lane *lane = &e->lanes[launch->worker];
	struct job *job = job_get(e, token);
	job->length = launch->length;
	job->lane = lane;
	job->next = NULL;
	if (lane->first)
		lane->last->next = job;
	else
		lane->first = job;
	lane->last = job;
	if (lane->first == job)
		start_first(e, lane);
}

/* Tokens do not name the worker, so this searches all lanes: O(queued kernels). */
static int engine_cancel(struct tw__engine *e, uint64_t token)
{
	for (int w = 0; w < e->platform.n_workers; w++) {
		struct lane *lane = &e->lanes[w];
		struct job *before = NULL, *job = lane->first;
		for (; job && job->token != token; job = job->next)
			before = job;
		if (!job)
			continue;
		if (lane->last == job)
			lane->last = before;
		if (before) {
			before->next = job->next;
		} else {
			lane->first = job->next;
			tw__heap_remove(&e->running, &job->running, ends_before);
			lane->free_at = e->now;
			start_first(e, lane);
		}
		job_take_back(e, job);
		return TW_OK;
	}
	return TW_FAILED;
}

/* --- transfers ---------------------------------------------------------------------------------------------------- */

static tw__ns next_transfer(struct tw__engine *e)
{
	if (e->has_changed) {
		e->next_transfer = tw__dated_next(&e->transfers);
		e->has_changed = false;
	}
	return e->next_transfer;
}

static void engine_transfer(struct tw__engine *e, tw_node from, tw_node to, tw_data data, uint64_t bytes,
                            uint64_t token)
{
	(void)data;
	struct job *job = job_get(e, token);
	job->start = e->now;
	tw__dated_begin(&e->transfers, &job->share, from, to, (double)bytes, e->now);
	e->has_changed = true;
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

static tw__ns next_kernel(const struct tw__engine *e)
{
	const struct tw__heap_item *top = tw__heap_top(&e->running);
	return top ? TW__CONTAINER(top, const struct job, running)->end : TW__NEVER;
}

/* Ends the transfers whose ends are at or before that date. A true end may be behind its date, which is rounded. If
 * something else has the same date, SimGrid's clock is not so far in the date's first turn: then the transfer ends in a
 * second one. */
static void end_transfers_at(struct tw__engine *e, tw__ns date, bool has_others)
{
	struct tw__dated *transfers = &e->transfers;
	double last = tw__seconds(date - transfers->origin) + tw__clock_spread(tw__seconds(date));
	for (bool ends = !has_others; next_transfer(e) <= date && (ends || tw__dated_next_s(transfers) <= last);
	     ends = false) {
		tw__ns end = next_transfer(e);
		struct tw__share *share = tw__dated_end(transfers);
		e->has_changed = true;
		struct job *job = (struct job *)((char *)share - offsetof(struct job, share));
		job->end = tw__latest(job->start, end);
		job_ended(e, job);
		last = tw__greatest(last, transfers->now);
	}
}

/* Ends the kernels and transfers whose ends are at or before that date. Kernels queued behind them start, and may end
 * as well. `until`: the date at which the runtime has work of its own. */
static void end_at(struct tw__engine *e, tw__ns date, tw__ns until)
{
	const bool has_others = tw__earliest(next_kernel(e), until) <= date;
	while (next_kernel(e) <= date) {
		struct job *job = TW__CONTAINER(tw__heap_top(&e->running), struct job, running);
		struct lane *lane = job->lane;
		tw__heap_remove(&e->running, &job->running, ends_before);
		lane->first = job->next;
		lane->free_at = job->end;
		job_ended(e, job);
		start_first(e, lane);
	}
	if (next_transfer(e) <= date)
		end_transfers_at(e, date, has_others);
}

static tw__ns engine_next(struct tw__engine *e) { return tw__earliest(next_kernel(e), next_transfer(e)); }

static void engine_advance(struct tw__engine *e, tw__ns now) { e->now = tw__latest(e->now, now); }

/* Between two turns, moves the clock to the next date at which a kernel or transfer ends, or to `until`. */
static int engine_drive(struct tw__engine *e, tw__turn *turn, void *arg, struct tw_error *err)
{
	tw__ns until = TW__NEVER;
	int n = 0;
	while (turn(arg, e->now, e->ended.told, n, &until)) {
		tw__ns date = tw__earliest(engine_next(e), until);
		if (date == TW__NEVER)
			return tw_fail(err, TW_FAILED, "engine 'native': stalled, nothing is under way");
		e->now = tw__latest(e->now, date);
		end_at(e, e->now, until);
		n = tw__ended_tell(&e->ended, e->now);
	}
	return TW_OK;
}

/* --- opening and closing ------------------------------------------------------------------------------------------ */

static void engine_close(struct tw__engine *e)
{
	tw__dated_finish(&e->transfers);
	tw__bottlenecks_finish(&e->platform);
	tw__heap_finish(&e->running);
	tw__ended_finish(&e->ended);
	tw__arena_finish(&e->memory);
	free(e);
}

static int engine_open(struct tw__engine **opened, const struct tw__engine_setup *setup, struct tw_error *err)
{
	(void)err;
	struct tw__engine *e = *opened = tw_alloc(1, sizeof *e);
	e->lanes = tw__arena_alloc(&e->memory, (size_t)setup->platform->n_workers, sizeof *e->lanes);
	tw__bottlenecks_init(&e->platform, setup->platform);
	struct tw__weights weights;
	tw__weights_init(&weights, setup->platform, setup->shares);
	tw__dated_init(&e->transfers, &e->platform, &weights);
	tw__weights_finish(&weights);
	e->next_transfer = TW__NEVER;
	return TW_OK;
}

const struct tw__engine_ops tw__engine_native = {
	.name = "native",
	.summary = "simulation: the same model as simgrid's, computed without SimGrid",
	.caps = TW__ENGINE_CANCELS,
	.open = engine_open,
	.drive = engine_drive,
	.exec = engine_exec,
	.transfer = engine_transfer,
	.cancel = engine_cancel,
	.next = engine_next,
	.advance = engine_advance,
	.close = engine_close,
};
