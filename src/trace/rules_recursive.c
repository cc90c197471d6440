/* The rule RECURSIVE: a recursive task either runs, or the tasks inside do, after it has become ready. A record shows
 * by their submission that it was split. It is released without an assignment, after the last of them. */
#include "graph/reduction.h"
#include "trace/replay.h"

void tw__replay_successors(struct tw__replay *r, const struct tw__event *release)
{
	const struct tw_graph *g = r->graph;
	r->last_release = release->date;
	for (uint32_t i = g->successor_start[release->task]; i < g->successor_start[release->task + 1]; i++) {
		struct tw__task_state *successor = &r->tasks[g->successor[i]];
		r->releasers[successor->releasers + --successor->predecessors_left] = release->worker;
	}
}

/* Whether the ready task was split: the first task inside was submitted. */
static bool is_split(const struct tw__replay *r, tw_task t)
{
	return tw_graph_n_inside(r->graph, t) && r->tasks[t + 1].step != TW__NEW;
}

bool tw__replay_splits(const struct tw__replay *r, const struct tw__event *e)
{
	return e->kind == TW__RELEASE && r->tasks[e->task].step == TW__IS_READY && is_split(r, e->task);
}

static const char *kernel_name(const struct tw__replay *r, tw_task t)
{
	return r->graph->kernels[r->graph->kernel[t]].name;
}

int tw__replay_split_ends(struct tw__replay *r, const struct tw__event *e)
{
	const struct tw_graph *g = r->graph;
	for (tw_task t = e->task + 1; t < g->inside_end[e->task]; t++)
		if (g->around[t] == e->task && r->tasks[t].step != TW__RELEASED)
			return tw__violation(r, TW__RULE_RECURSIVE, "task %d (%s) ends before task %d, which is inside",
			                     (int)e->task, kernel_name(r, e->task), (int)t);
	for (uint32_t a = g->access_start[e->task]; a < g->access_start[e->task + 1]; a++)
		r->data[tw__access_data(g->access[a])].uses_left--;
	r->tasks[e->task].step = TW__RELEASED;
	tw__replay_successors(r, e);
	return TW_OK;
}

int tw__replay_recursive(struct tw__replay *r, const struct tw__event *e)
{
	if (!r->graph->around)
		return TW_OK;
	const tw_task around = tw_graph_around(r->graph, e->task);
	if (e->kind == TW__ASSIGN && is_split(r, e->task))
		return tw__violation(r, TW__RULE_RECURSIVE, "task %d (%s) is assigned, though it was split",
		                     (int)e->task, kernel_name(r, e->task));
	if (e->kind == TW__SUBMIT && around != TW_NONE && r->tasks[around].step != TW__IS_READY)
		return tw__violation(r, TW__RULE_RECURSIVE,
		                     "task %d (%s) is submitted while task %d, which is around it, is not ready",
		                     (int)e->task, kernel_name(r, e->task), (int)around);
	return TW_OK;
}

bool tw__replay_skips(const struct tw__replay *r, tw_task t)
{
	const tw_task around = tw_graph_around(r->graph, t);
	return around != TW_NONE && r->tasks[t].step == TW__NEW &&
	       (r->tasks[around].worker != TW_NONE || tw__replay_skips(r, around));
}
