/* The turns of a run: any thread leads them, with the jobs that have ended (engine/baton.h). Before the clock of a live
 * run starts, a warm-up takes turns, too. */
#include <math.h>
#include <stdlib.h>

#include "engine/real/office.h"

enum { MAX_COMPLETIONS = 64 };

/* Runs turns in live mode with the posted jobs. Returns the date of the next turn. */
static tw__ns lead_live(struct tw__engine *e, struct tw__post *posts)
{
	struct tw__completion ended[MAX_COMPLETIONS];
	e->now = tw__clock_now(&e->clock);
	do {
		int n = 0;
		for (struct tw__post *next; posts && n < MAX_COMPLETIONS; posts = next) {
			next = posts->next;
			if (e->office)
				tw__office_note(e, tw__job_of(posts));
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

static int take_turns(struct tw__engine *e, tw__turn *turn, void *arg, struct tw_error *err)
{
	e->turn = turn;
	e->turn_arg = arg;
	e->over = false;
	e->told = TW__NEVER;
	tw__watch_begin(&e->watch);
	return tw__watch_run(e, err);
}

/* --- the warm-up -------------------------------------------------------------------------------------------------- */

/* Before the clock of a live run starts, each core and each emulated accelerator runs each kernel once, all at the same
 * time. Otherwise a thread's first kernels may take twice as long. The operands are copies with the initial content, so
 * the run's data do not change. */

/* Kernels with more flops are left out: they gain nothing from a warm-up. */
#define MOST_FLOPS 1e9

/* Whether the worker takes part in the warm-up. GPUs do not: they are warmed up when they are opened. */
static bool takes_part(const struct tw__engine *e, tw_worker w)
{
	return e->workers[w] || tw__device_ops_of(e->devices[e->platform->workers[w].node]) == &tw__device_emulated;
}

/* Lets each worker run the first task of each kernel. */
static void rehearse_all(struct tw__engine *e)
{
	const struct tw_graph *g = e->graph;
	bool *seen = tw_alloc((size_t)g->n_kernels, sizeof *seen);
	for (tw_task t = 0; t < g->n_tasks; t++) {
		const tw_kernel k = g->kernel[t];
		if (seen[k] || g->kernels[k].is_message || g->kernels[k].flops > MOST_FLOPS)
			continue;
		seen[k] = true;
		for (tw_worker w = 0; w < e->platform->n_workers; w++)
			if (takes_part(e, w)) {
				tw__real_rehearse(e, w, t);
				e->n_rehearsed++;
			}
	}
	free(seen);
}

static bool warm_up_turn(void *arg, tw__ns now, const struct tw__completion *ended, int n, tw__ns *until)
{
	struct tw__engine *e = arg;
	(void)now, (void)ended;
	*until = TW__NEVER;
	if (n == 0 && e->n_rehearsed == 0)
		rehearse_all(e);
	e->n_rehearsed -= n;
	return e->n_rehearsed > 0;
}

/* --- the drive ---------------------------------------------------------------------------------------------------- */

static void start_clock(struct tw__engine *e)
{
	clock_gettime(CLOCK_MONOTONIC, &e->clock.zero);
	e->now = e->until = 0;
	e->turn_s = 0;
	e->launches.n = e->issues.n = 0;
	e->longest_s = 0;
	tw__watch_longest(&e->watch, 0);
}

int tw__real_drive(struct tw__engine *e, tw__turn *turn, void *arg, struct tw_error *err)
{
	bool is_bench = e->config.origin;
	int status = TW_OK;
	if (!e->drives || !is_bench)
		start_clock(e);
	if (!is_bench && e->mode == TW__LIVE && e->has_numbers) {
		status = take_turns(e, warm_up_turn, e, err);
		e->turn_arg = arg; /* if a kernel hangs, `arg` must stay reachable for the leak sanitizer */
		if (status == TW_OK)
			start_clock(e);
	}
	e->drives = true;
	if (status == TW_OK && e->office)
		status = tw__office_start(e, err);
	if (status == TW_OK)
		status = take_turns(e, turn, arg, err);
	if (status == TW_OK && e->logs)
		status = tw__watched_work(e, tw__real_replay, err);
	return status;
}
