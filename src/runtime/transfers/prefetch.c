/* Prefetches for queued tasks, and the protection of prefetched copies from eviction by other prefetches.
 *
 * Tasks that prefetch the same copy share one request. Each task protects the copy, from its prefetch until a worker of
 * the node pops the task. Hooks of the runtime model may change this. */
#include "runtime/memory/copy.h"
#include "runtime/memory/memory.h"
#include "runtime/state/copies.h"
#include "runtime/transfers/transfers.h"

void tw__prefetch_share(struct tw_sched *rt, tw_task t, tw_data d, tw_node n, unsigned mode)
{
	tw__copy_protect(rt, d, n, 1);
	tw__prefetch(rt, d, n, mode, tw_task_priority(rt, t), CLASS_PREFETCH);
}

void tw__prefetch_task(struct tw_sched *rt, tw_task t, tw_node n)
{
	const struct tw_graph *g = rt->graph;
	bool ready = rt->remaining[t] == 0;
	if (rt->prefetched[t].node == n || rt->remaining[t] == UINT32_MAX)
		return;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		touch_copy(rt, tw__access_data(g->access[a]), n);
	tw__prefetch_drop(rt, t);
	rt->prefetched[t].node = (int16_t)n;
	rt->prefetched[t].moves++;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		unsigned mode = tw__access_mode(g->access[a]);
		if (!(mode & TW_R))
			continue;
		/* A task that is not ready prefetches only for reading: earlier tasks may still read the old value of
		 * handles that it writes. */
		mode = ready ? mode : TW_R;
		if (rt->hooks.prefetch)
			rt->hooks.prefetch(rt, t, a, n, mode);
		else
			tw__prefetch_share(rt, t, tw__access_data(g->access[a]), n, mode);
	}
}

void tw__prefetch_popped(struct tw_sched *rt, tw_task t, tw_data d, tw_node n)
{
	if (rt->hooks.prefetch_popped)
		rt->hooks.prefetch_popped(rt, t, d, n);
	else
		tw__copy_protect(rt, d, n, -1);
}

void tw__prefetch_drop(struct tw_sched *rt, tw_task t)
{
	const struct tw_graph *g = rt->graph;
	tw_node n = rt->prefetched[t].node;
	if (n == TW_NONE)
		return;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		if (!(tw__access_mode(g->access[a]) & TW_R))
			continue;
		if (rt->hooks.prefetch_dropped)
			rt->hooks.prefetch_dropped(rt, t, a, n);
		else
			tw__copy_protect(rt, tw__access_data(g->access[a]), n, -1);
	}
	rt->prefetched[t].node = TW_NONE;
}

/* --- idle write-backs --------------------------------------------------------------------------------------------- */

void tw__tidy(struct tw_sched *rt, tw_node n)
{
	tw_node backing = rt->platform->nodes[n].backing;
	if (!tw__memory_is_untidy(rt, n))
		return;
	for (tw_data d; (d = tw__memory_tidy_next(rt, n)) != TW_NONE;)
		if (!is_valid(rt, d, backing))
			tw__prefetch(rt, d, backing, TW_R, 0, CLASS_IDLE);
}
