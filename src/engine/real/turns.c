/* The turns of a run: any thread leads them, with the jobs that have ended (engine/baton.h). Before the clock of a live
 * run starts, a warm-up takes turns, too. */
#include <math.h>
#include <stdlib.h>

#include "engine/real/real.h"

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

struct tw__warm_up {
	struct tw__engine *engine;
	tw_task *first;  /* [kernels] first task of each kernel; TW_NONE: no task, or too many flops */
	tw_kernel *next; /* [workers] the kernel that each worker runs next */
	int n_busy;
	bool began;
};

static void find_first(struct tw__warm_up *u)
{
	const struct tw_graph *g = u->engine->graph;
	for (tw_kernel k = 0; k < g->n_kernels; k++)
		u->first[k] = TW_NONE;
	for (tw_task t = g->n_tasks - 1; t >= 0; t--)
		if (g->kernels[g->kernel[t]].flops <= MOST_FLOPS)
			u->first[g->kernel[t]] = t;
}

/* Whether the worker takes part in the warm-up. GPUs do not: they are warmed up when they are opened. */
static bool takes_part(const struct tw__engine *e, tw_worker w)
{
	return e->workers[w] || tw__device_ops_of(e->devices[e->platform->workers[w].node]) == &tw__device_emulated;
}

static void give_next(struct tw__warm_up *u, tw_worker w)
{
	const int n = u->engine->graph->n_kernels;
	while (u->next[w] < n && u->first[u->next[w]] == TW_NONE)
		u->next[w]++;
	if (u->next[w] == n)
		return;
	tw__real_rehearse(u->engine, w, u->first[u->next[w]++], (uint64_t)w);
	u->n_busy++;
}

static bool warm_up_turn(void *arg, tw__ns now, const struct tw__completion *ended, int n, tw__ns *until)
{
	struct tw__warm_up *u = arg;
	(void)now;
	*until = TW__NEVER;
	for (tw_worker w = 0; w < u->engine->platform->n_workers && !u->began; w++)
		if (takes_part(u->engine, w))
			give_next(u, w);
	u->began = true;
	u->n_busy -= n;
	for (int i = 0; i < n; i++)
		give_next(u, (tw_worker)ended[i].token);
	return u->n_busy > 0;
}

static int warm_up(struct tw__engine *e, struct tw_error *err)
{
	struct tw__warm_up *u = e->warm_up = tw_alloc(1, sizeof *u);
	u->engine = e;
	u->first = tw_alloc((size_t)e->graph->n_kernels, sizeof *u->first);
	u->next = tw_alloc((size_t)e->platform->n_workers, sizeof *u->next);
	find_first(u);
	int status = take_turns(e, warm_up_turn, u, err);
	if (e->hangs)
		return status; /* a thread may still use the state of the warm-up */
	e->warm_up = NULL;
	free(u->first);
	free(u->next);
	free(u);
	return status;
}

/* --- the drive ---------------------------------------------------------------------------------------------------- */

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
int tw__real_drive(struct tw__engine *e, tw__turn *turn, void *arg, struct tw_error *err)
{
	bool is_bench = e->config.origin;
	int status = TW_OK;
	if (!e->drives || !is_bench)
		start_clock(e);
	if (!is_bench && e->mode == TW__LIVE && e->has_numbers) {
		status = warm_up(e, err);
		e->turn_arg = arg; /* if a kernel hangs, `arg` must stay reachable for the leak sanitizer */
		if (status == TW_OK)
			start_clock(e);
	}
	e->drives = true;
	if (status == TW_OK)
		status = take_turns(e, turn, arg, err);
	if (status == TW_OK && e->logs)
		status = tw__watched_work(e, tw__real_replay, err);
	return status;
}
