/* Prefetches for queued tasks, and the pins (PIN_QUEUED) that protect prefetched copies from other prefetches.
 *
 * Tasks that prefetch the same copy share one request. Each task protects the copy, from its prefetch until a worker of
 * the node pops the task.
 *
 * With the parameter prefetch_apart, as in StarPU, each queued task makes its own request for each missing handle, with
 * the task's priority. When the turn of the request comes in its queue:
 *
 * - If the copy is valid, it is protected for the task.
 * - If another request already loads the copy, this request is dropped and protects nothing.
 * - If another request for the copy still waits for its turn, it absorbs this request, and the copy is protected.
 * - Otherwise this request loads the copy, and protects it at landing.
 *
 * A pop ends the protections for the task, and voids requests of the task that have protected nothing yet. */
#include "runtime/memory/memory.h"
#include "runtime/state/domain.h"
#include "runtime/transfers/transfers.h"

/* Prefetches one handle of the task, and protects the copy for it at once. */
static void share(struct tw__rt *rt, tw_task t, tw_data d, tw_node n, unsigned mode)
{
	tw__memory_pin(rt, d, n, PIN_QUEUED);
	tw__prefetch(rt, d, n, mode, tw__domain_priority(rt, t), CLASS_PREFETCH);
}

/* --- requests of their own (prefetch_apart) ----------------------------------------------------------------------- */

static bool awaits_turn(const struct tw__rt *rt, uint32_t access) { return tw__bit(rt->awaits_turn, (int)access); }

static void set_awaits(struct tw__rt *rt, uint32_t access, bool awaits)
{
	tw__bit_put(rt->awaits_turn, (int)access, awaits);
}

static void request_apart(struct tw__rt *rt, tw_task t, uint32_t access, tw_node n, unsigned mode)
{
	tw_data d = tw__access_data(rt->graph->access[access]);
	if (!is_bounded(rt, n) || is_valid(rt, d, n) || rt->data[d].n_writers) {
		share(rt, t, d, n, mode);
		return;
	}
	struct request *r =
		tw__request_create(rt, d, n, mode, CLASS_PREFETCH, TW__PREFETCH, tw__domain_priority(rt, t));
	if (!r)
		return;
	r->task = t;
	r->access = access;
	r->task_moves = rt->prefetched[t].moves;
	r->state = REQUEST_APART;
	set_awaits(rt, access, true);
	tw__memory_expect(rt, r);
	tw__request_send(rt, r);
}

void tw__prefetch_turn(struct tw__rt *rt, struct request *r)
{
	tw_data d = r->data;
	tw_node to = r->to;
	struct request *other = replicate_of(rt, d, to)->request;
	bool queued = task_is_queued(rt, r);
	tw__request_dequeue(rt, r);
	tw__memory_release(rt, r);
	r->state = REQUEST_QUEUED;
	if (is_current(rt, r))
		set_awaits(rt, r->access, false);
	if (queued && is_valid(rt, d, to)) {
		share(rt, r->task, d, to, r->mode); /* protects the copy; a request with TW_W moves the ownership */
	} else if (queued && other && !is_loading(rt, d, to)) {
		tw__memory_pin(rt, d, to, PIN_QUEUED);
		other->mode |= r->mode;
	} else if (queued && !other && rt->data[d].n_valid && !rt->data[d].n_writers) {
		tw__memory_expect(rt, r);
		tw__request_send(rt, r);
		return;
	}
	tw__request_free(rt, r);
}

/* Whether the task's protection of the copy is still to come: its own request loads the copy, or may still load it. */
static bool has_not_protected(const struct tw__rt *rt, tw_task t, uint32_t access, tw_node n)
{
	tw_data d = tw__access_data(rt->graph->access[access]);
	const struct request *r = replicate_of(rt, d, n)->request;
	if (r && r->task == t && is_current(rt, r))
		return true;
	return awaits_turn(rt, access) && !(r && is_loading(rt, d, n));
}

/* --- the end of protections --------------------------------------------------------------------------------------- */

/* Ends the task's protection of a copy with prefetch_apart, as StarPU does. `popped`: a worker of the node has popped
 * the task, else the task goes to another node. A protection also ends if the task's own request gave none: then it was
 * given for another task. It stays while the task's request may still give one. */
static void end_apart(struct tw__rt *rt, tw_task t, uint32_t access, tw_node n, bool popped)
{
	tw_data d = tw__access_data(rt->graph->access[access]);
	bool given = !has_not_protected(rt, t, access, n);
	bool ends = popped ? given || is_valid(rt, d, n) : given && !awaits_turn(rt, access);
	if (ends && replicate_of(rt, d, n)->queued_tasks)
		tw__memory_unpin(rt, d, n, PIN_QUEUED);
	set_awaits(rt, access, false);
}

void tw__prefetch_popped(struct tw__rt *rt, tw_task t, tw_data d, tw_node n)
{
	uint32_t a = rt->graph->access_start[t];
	if (!rt->awaits_turn) {
		tw__memory_unpin(rt, d, n, PIN_QUEUED);
		return;
	}
	while (tw__access_data(rt->graph->access[a]) != d)
		a++;
	end_apart(rt, t, a, n, true);
}

void tw__prefetch_drop(struct tw__rt *rt, tw_task t)
{
	const struct tw_graph *g = rt->graph;
	const tw_node n = rt->prefetched[t].to - 1;
	if (n == TW_NONE)
		return;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		if (!(tw__access_mode(g->access[a]) & TW_R))
			continue;
		if (rt->awaits_turn)
			end_apart(rt, t, a, n, false);
		else
			tw__memory_unpin(rt, tw__access_data(g->access[a]), n, PIN_QUEUED);
	}
	rt->prefetched[t].to = 0;
}

/* --- prefetching a task ------------------------------------------------------------------------------------------- */

void tw__prefetch_task(struct tw__rt *rt, tw_task t, tw_node n)
{
	const struct tw_graph *g = rt->graph;
	bool ready = rt->remaining[t] == 0 || rt->remaining[t] == UNPUSHED;
	if (is_prefetched_to(rt, t, n) || rt->remaining[t] == ASSIGNED)
		return;
	tw__prefetch_drop(rt, t);
	rt->prefetched[t].to = (uint16_t)(n + 1);
	rt->prefetched[t].moves++;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		unsigned mode = tw__access_mode(g->access[a]);
		if (!(mode & TW_R))
			continue;
		/* A task that is not ready prefetches only for reading: earlier tasks may still read the old value of
		 * handles that it writes. */
		mode = ready ? mode : TW_R;
		if (rt->awaits_turn)
			request_apart(rt, t, a, n, mode);
		else
			share(rt, t, tw__access_data(g->access[a]), n, mode);
	}
}
