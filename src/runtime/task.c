/* The states of a task: submitted -> ready (pushed) -> assigned (popped) -> running -> done (successors released).
 * These functions take a task from one to the next. */
#include "runtime/memory/memory.h"
#include "runtime/state/domain.h"
#include "runtime/state/uses.h"
#include "runtime/recursive.h"
#include "runtime/tasks.h"
#include "runtime/teams.h"
#include "runtime/transfers/transfers.h"

__attribute__((cold)) void tw__task_refuse(const struct driver *d, const struct tw_sched *from, tw_task t)
{
	struct tw__rt *rt = d->rt;
	char text[TW__POLICY_TEXT], of[TW__POLICY_TEXT];
	if (t >= 0 && t < rt->graph->n_tasks && tw__team_of(rt, t))
		tw__rt_fail(rt, TW_FAILED,
		            "%s gives task %d to worker '%s': expected one that tw_combine named, and each once",
		            tw__domain_text(from, text), (int)t, rt->platform->workers[d->worker].name);
	else if (t < 0 || t >= rt->graph->n_tasks || rt->remaining[t] != 0)
		tw__rt_fail(rt, TW_FAILED, "%s gives task %d, which is not ready or was given before",
		            tw__domain_text(from, text), (int)t);
	else if (tw__domain_of(rt, t) != from)
		tw__rt_fail(rt, TW_FAILED, "%s gives task %d, which is for %s", tw__domain_text(from, text), (int)t,
		            tw__domain_text(tw__domain_of(rt, t), of));
	else
		tw__rt_fail(rt, TW_FAILED, "%s gives task %d (%s) to worker '%s', for which its kernel has no time",
		            tw__domain_text(from, text), (int)t, tw_graph_kernel_name(rt->graph, rt->graph->kernel[t]),
		            rt->platform->workers[d->worker].name);
}

static __attribute__((cold)) void touch_all(struct tw__rt *rt, tw_task t, tw_node n)
{
	for (uint32_t a = rt->graph->access_start[t]; a < rt->graph->access_start[t + 1]; a++)
		if (!(rt->graph->access[a] & TW_REDUX)) /* a contribution touches an accumulator */
			tw__touch(rt, tw__access_data(rt->graph->access[a]), n);
}

void tw__task_assigned(struct driver *d, struct hold *hold)
{
	struct tw__rt *rt = d->rt;
	tw_task t = hold->task;
	tw__rt_record(rt,
	              (struct tw__event){
			      .kind = TW__ASSIGN, .task = t, .worker = (int16_t)d->worker, .node = (int16_t)d->node});
	rt->n_ready--;
	rt->remaining[t] = ASSIGNED;
	tw__uses_take(rt, t, d->node);
	if (rt->untouched)
		touch_all(rt, t, d->node);
	if (!is_prefetched_to(rt, t, d->node))
		tw__prefetch_drop(rt, t);
}

/* Adds the energy of a kernel above idle power. The energy at idle power is added at the end, for the whole run. */
static void count_busy(const struct driver *d, tw__ns length)
{
	struct tw__rt *rt = d->rt;
	rt->counters->busy = tw__later(rt->counters->busy, length);
	if (d->accelerator)
		rt->counters->gpu_busy = tw__later(rt->counters->gpu_busy, length);
	rt->counters->joules +=
		(rt->platform->workers[d->worker].busy_watts - rt->platform->workers[d->worker].idle_watts) *
		tw__seconds(length);
}

static __attribute__((cold)) void end_team(struct tw__rt *rt, const struct hold *master)
{
	const struct team *team = master->team;
	for (int i = 0; i < team->n; i++)
		if (team->hold[i] != master)
			count_busy(&rt->drivers[team->worker[i]], master->end - master->start);
	tw__team_close(rt, master->task);
}

/* Prefetches the state of the first successors into the CPU's cache, for their release. */
static void touch_successors(const struct tw__rt *rt, tw_task t)
{
	const struct tw_graph *g = rt->graph;
	uint32_t first = g->successor_start[t], n = g->successor_start[t + 1] - first;
	for (uint32_t i = 0; i < n && i < 32; i++)
		__builtin_prefetch(&rt->remaining[g->successor[first + i]], 1);
}

/* Notes that a task that accesses the handle has ended. Behind its last one, a discarded handle loses its copies. */
static void count_use(struct tw__rt *rt, tw_data d)
{
	if (rt->uses_left && rt->uses_left[d] > 0 && --rt->uses_left[d] == 0 && is_dead(rt, d)) {
		tw__request_forget(rt, d);
		tw__memory_own(rt, d, TW_NONE, false);
	}
}

void tw__task_commit(struct driver *d, struct hold *hold)
{
	struct tw__rt *rt = d->rt;
	tw_node n = d->node;
	for (int i = 0; i < hold->n_accesses; i++) {
		tw_data data = tw__access_data(hold->access[i]);
		if (tw__access_mode(hold->access[i]) & TW_W) {
			tw__memory_own(rt, data, n, true);
			tw__memory_unpin(rt, data, n, PIN_WRITTEN);
		}
	}
	tw__rt_record(
		rt, (struct tw__event){
			    .kind = TW__RELEASE, .task = hold->task, .worker = (int16_t)d->worker, .node = (int16_t)n});
	for (int i = 0; i < hold->n_accesses; i++) {
		tw_data data = tw__access_data(hold->access[i]);
		if (is_bounded(rt, n) && rt->in->eviction->used)
			rt->in->eviction->used(rt->root, rt->eviction_state, data, n);
		tw__memory_unpin(rt, data, n, PIN_USED);
		count_use(rt, data);
	}
}

void tw__task_over(struct tw__rt *rt)
{
	rt->n_done++;
	tw__rt_beat(rt);
	rt->last_release = rt->now;
}

/* Ends a task when the worker's thread has noticed the end of its kernel. */
void tw__task_end(struct driver *d, struct hold *hold)
{
	struct tw__rt *rt = d->rt;
	tw_task t = hold->task;
	touch_successors(rt, t);
	tw__task_commit(d, hold);
	if (rt->extended)
		tw__reduce_ended(rt, hold);
	tw__memory_leave(rt, hold);
	tw__uses_end(rt, t);
	if (rt->inside_left)
		tw__submit_done(rt, t, tw__recursive_skip(rt, t));
	tw__task_over(rt);
	rt->counters->tasks++;
	rt->counters->gpu_tasks += d->accelerator;
	count_busy(d, hold->end - hold->start);
	if (hold->team)
		end_team(rt, hold);
	tw__domain_done(rt, t, d->worker);
	d->releasing = t;
	d->successor = rt->graph->successor_start[t];
	d->hint = rt->graph->access_start[t];
}

/* Ends a task whose kernel was cancelled: unpins its copies without committing writes. The policy then has the task
 * again. */
void tw__task_cancel(struct driver *d, struct hold *hold)
{
	struct tw__rt *rt = d->rt;
	tw_task t = hold->task;
	tw__rt_record_kernel(rt, hold, tw__latest(hold->start, d->last_end), TW__CANCEL, rt->now, 0);
	for (int i = 0; i < hold->n_accesses; i++) {
		tw_data data = tw__access_data(hold->access[i]);
		if (tw__access_mode(hold->access[i]) & TW_W)
			tw__memory_unpin(rt, data, d->node, PIN_WRITTEN);
		tw__memory_unpin(rt, data, d->node, PIN_USED);
	}
	tw__memory_leave(rt, hold);
	tw__uses_give_back(rt, t);
	count_busy(d, rt->now - tw__latest(hold->start, d->last_end));
	d->last_end = rt->now;
	rt->remaining[t] = 0;
	rt->n_ready++;
}

bool tw__task_leave(struct driver *d)
{
	const struct tw_graph *g = d->rt->graph;
	if (!tw__recursive_leave(d))
		return false;
	for (uint32_t a = g->access_start[d->releasing]; a < g->access_start[d->releasing + 1]; a++)
		count_use(d->rt, tw__access_data(g->access[a]));
	tw__submit_done(d->rt, d->releasing, 1);
	return true;
}

/* Releases further successors of the ended task, up to the next one that becomes ready. */
bool tw__task_release_next(struct driver *d)
{
	const struct tw_graph *g = d->rt->graph;
	while (d->successor < g->successor_start[d->releasing + 1]) {
		tw_task s = g->successor[d->successor++];
		if (--d->rt->remaining[s] == 0) {
			d->rt->remaining[s] = UNPUSHED;
			d->pushing = s;
			__builtin_prefetch(&g->access_start[s]);
			__builtin_prefetch(&g->kernel[s]);
			__builtin_prefetch(&g->priority[s]);
			__builtin_prefetch(&d->rt->prefetched[s]);
			return true;
		}
	}
	if (d->rt->n_appended) {
		d->rt->n_appended--;
		d->pushing = d->rt->appended[d->rt->first_appended++];
		return true;
	}
	return false;
}

bool tw__task_has_hint(struct driver *d)
{
	const struct tw_graph *g = d->rt->graph;
	if (!d->rt->params->idle_write_back)
		return false;
	while (d->hint < g->access_start[d->releasing + 1] && !(g->access[d->hint] & TW__ACCESS_LAST_WRITE))
		d->hint++;
	return d->hint < g->access_start[d->releasing + 1];
}

void tw__task_take_hint(struct driver *d)
{
	tw__memory_expendable(d->rt, tw__access_data(d->rt->graph->access[d->hint++]), d->node);
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

tw_arch tw__task_arch(const struct driver *d, const struct hold *h)
{
	return h->team ? h->team->arch : d->rt->platform->workers[d->worker].arch;
}

tw__ns tw__task_length_on(const struct driver *d, const struct hold *h)
{
	const struct tw__rt *rt = d->rt;
	return tw__task_length(rt->in->truth, rt->graph, h->task, tw__task_arch(d, h));
}

tw__ns tw__task_launch_blocks(const struct driver *d, const struct hold *h, bool has_started)
{
	const tw__ns *blocks = d->rt->launch_blocks;
	if (!blocks)
		return 0;
	const tw__ns all = blocks[d->rt->graph->kernel[h->task]], before = all - tw__task_length_on(d, h);
	return has_started ? tw__earliest(all, all - before) : tw__latest(0, before);
}
