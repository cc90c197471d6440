/* Why a run is stuck.
 *
 * Nothing is under way, so each waiting task waits for something that waits, too. One reason followed from each leads
 * back to a task or request that was met before, which is a cycle, or to a culprit that waits for nothing. */
#include "runtime/tasks.h"

#include "runtime/state/domain.h"
#include "runtime/state/threads.h"
#include "runtime/transfers/transfers.h"
#include "runtime/waits.h"

/* LEFT_OUT: more characters than the words have that say how many steps are left out. */
enum { MOST_STEPS = 1000, LEFT_OUT = 80 };

/* Follows the reasons. Returns whether they form a cycle, which then begins at way[*first]. */
static bool follow(const struct tw__rt *rt, struct tw__waiting *way, int *n, int *first)
{
	struct tw__text unused = {0};
	for (*first = 0; *n < MOST_STEPS; ++*n) {
		unused.at = 0;
		struct tw__waiting next = tw__waiting_explain(rt, way[*n - 1], &unused);
		if (!next.hold && !next.request)
			return false;
		for (int i = 0; i < *n; i++)
			if (way[i].hold == next.hold && way[i].request == next.request) {
				*first = i;
				return true;
			}
		way[*n] = next;
	}
	return false;
}

/* Adds a step, up to the name of the next one; `behind`: another step comes before it. */
static struct tw__waiting add_step(const struct tw__rt *rt, struct tw__waiting step, bool behind, struct tw__text *t)
{
	tw__waiting_name(rt, step, t);
	tw__text_add(t, "%s ", behind ? ", which" : "");
	return tw__waiting_explain(rt, step, t);
}

/* Adds the end of the message: the first step of a cycle once more, or the culprit. */
static void add_end(const struct tw__rt *rt, struct tw__waiting step, bool cycle, bool behind, struct tw__text *t)
{
	struct tw__waiting next = {0};
	if (cycle)
		tw__waiting_name(rt, step, t);
	else
		next = add_step(rt, step, behind, t);
	tw__text_add(t, "%s", cycle ? ": a cycle" : next.hold || next.request ? "others" : "");
}

/* If a message has not enough room for all steps, it leaves out those before the last one, and says how many. */
static void blame_waiting(struct tw__rt *rt, const struct hold *hold)
{
	struct tw__waiting way[MOST_STEPS + 1] = {{.hold = hold}};
	int n = 1, first;
	struct tw__text t = {0}, end = {0};
	bool cycle = follow(rt, way, &n, &first);
	int last = cycle ? n : n - 1, i = first;
	add_end(rt, way[cycle ? first : last], cycle, last > first, &end);
	tw__text_add(&t, "at %.9f s: stuck: ", tw__seconds(rt->now));
	for (size_t before = t.at; i < last; i++, before = t.at) {
		add_step(rt, way[i], i > first, &t);
		if (t.at + end.at + (i + 1 < last ? LEFT_OUT : 0) < sizeof rt->err->message)
			continue;
		t.at = before;
		if (last - i > 1)
			tw__text_add(&t, "%d more tasks or transfers, the last of which waits for ", last - i);
		else
			tw__text_add(&t, "one more task or transfer, which waits for ");
		break;
	}
	tw__rt_fail(rt, TW_FAILED, "%s%s", t.of, end.of);
}

/* The first task that was pushed and never popped. */
static tw_task first_ready(const struct tw__rt *rt)
{
	tw_task t = 0;
	while (t < rt->graph->n_tasks && rt->remaining[t] != 0)
		t++;
	return t;
}

static void blame_policy(struct tw__rt *rt)
{
	struct tw__text t = {0};
	tw_task task = first_ready(rt);
	char policy[TW__POLICY_TEXT];
	int able = 0, n_ready = 0;
	const struct tw_sched *view = task < rt->graph->n_tasks ? tw__holder_of(rt, task) : rt->root;
	for (tw_worker w = 0; task < rt->graph->n_tasks && w < rt->platform->n_workers; w++)
		able += tw__domain_can_run(rt, task, w);
	for (tw_task u = task; u < rt->graph->n_tasks; u++)
		n_ready += rt->remaining[u] == 0 && tw__holder_of(rt, u) == view;
	if (rt->n_vain_pops)
		tw__text_add(&t, "since then pop was called %lld times and gave none: ", (long long)rt->n_vain_pops);
	tw__text_add(&t, rt->n_vain_pops ? "it must give them, or call tw_wake once it would"
	                                 : "and no worker was woken since: a tw_wake is missing");
	tw__rt_fail(rt, TW_FAILED,
	            "at %.9f s: %s keeps %d ready task%s back while all %d workers sleep (%d of %d tasks done): "
	            "the last push was at %.9f s, %s. Task %d (%s), the first of them, can run on %d workers",
	            tw__seconds(rt->now), tw__domain_text(view, policy), n_ready, n_ready == 1 ? "" : "s",
	            (int)rt->platform->n_workers, (int)rt->n_done, (int)rt->graph->n_tasks, tw__seconds(rt->last_push),
	            t.of, (int)task,
	            task < rt->graph->n_tasks ? tw_graph_kernel_name(rt->graph, rt->graph->kernel[task]) : "unknown",
	            able);
}

/* The task to begin with: one that waits for its data; if the policy has none, any that a worker holds. */
static const struct hold *first_waiting(const struct tw__rt *rt)
{
	for (int i = 0; i < rt->n_drivers; i++)
		if (rt->drivers[i].fetching)
			return rt->drivers[i].fetching;
	for (int i = 0; i < rt->n_drivers && rt->teams; i++)
		if (rt->drivers[i].n_held && held(&rt->drivers[i], 0)->team)
			return held(&rt->drivers[i], 0);
	for (int i = 0; i < rt->n_drivers && !rt->n_ready; i++)
		if (rt->drivers[i].n_held)
			return held(&rt->drivers[i], 0);
	return NULL;
}

void tw__stuck(struct tw__rt *rt)
{
	if (rt->ends) {
		tw__rt_fail(rt, TW_FAILED, "at %.9f s: stuck: not all data get where they must be at the end",
		            tw__seconds(rt->now));
		return;
	}
	const struct hold *hold = first_waiting(rt);
	if (hold)
		blame_waiting(rt, hold);
	else
		blame_policy(rt);
}

/* --- of a cluster's node --- */

bool tw__run_unjam(struct tw__rt *rt) { return !rt->draining && rt->status == TW_OK && tw__unjam(rt); }

bool tw__run_is_stuck(struct tw__rt *rt)
{
	bool waits = rt->n_ready > 0;
	for (int i = 0; i < rt->platform->n_workers; i++)
		waits |= rt->drivers[i].n_held > 0;
	if (waits && !rt->draining)
		tw__stuck(rt);
	return waits && !rt->draining;
}
