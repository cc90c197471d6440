/* The warm-up: before the clock of a live run starts, each core and each emulated accelerator runs each kernel once,
 * all at the same time. Otherwise a thread's first kernels may take twice as long. The operands are copies with the
 * initial content, so the run's data do not change. */
#include <math.h>
#include <stdlib.h>

#include "engine/real/real.h"

/* Kernels with more flops are left out: they gain nothing from a warm-up. */
#define MOST_FLOPS 1e9

struct tw__warm_up {
	struct tw__engine *engine;
	tw_task *first;  /* [kernels] first task of each kernel; TW_NONE: no task, or too many flops */
	tw_kernel *next; /* [workers] the kernel that each worker runs next */
	int n_busy;
	bool began, failed;
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
	if (u->next[w] == n || u->failed)
		return;
	if (tw__real_rehearse(u->engine, w, u->first[u->next[w]++], (uint64_t)w) < 0)
		u->failed = true;
	else
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

int tw__real_warm_up(struct tw__engine *e, struct tw_error *err)
{
	struct tw__warm_up *u = e->warm_up = calloc(1, sizeof *u);
	if (!u)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	u->engine = e;
	u->first = calloc((size_t)e->graph->n_kernels + 1, sizeof *u->first);
	u->next = calloc((size_t)e->platform->n_workers + 1, sizeof *u->next);
	u->failed = !u->first || !u->next;
	if (!u->failed)
		find_first(u);
	int status = u->failed ? TW_OK : tw__real_take_turns(e, warm_up_turn, u, err);
	if (e->hangs)
		return status; /* a thread may still use the state of the warm-up */
	e->warm_up = NULL;
	if (u->failed && status == TW_OK)
		status = tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	free(u->first);
	free(u->next);
	free(u);
	return status;
}
