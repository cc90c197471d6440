/* The model `starpu_1_4`: StarPU 1.4, as its SimGrid port simulates it, with StarPU's own defaults.
 *
 * Each behaviour is a hook, and a parameter of params.h switches it on. This model switches on all of them but
 * eviction_waits. Other models can use single ones. docs/reference/runtime.md explains each parameter. */
#include "runtime/models/starpu_1_4.h"

#include <stdlib.h>

#include "graph/reduction.h"
#include "runtime/memory/copy.h"
#include "runtime/memory/memory.h"
#include "runtime/state/copies.h"
#include "runtime/state/threads.h"
#include "runtime/transfers/transfers.h"

/* --- hooks for eviction ------------------------------------------------------------------------------------------- */

/* Switched on by parameter prefetch_evicts: prefetches may evict copies, too. */
static bool may_evict(const struct request *r) { return r->class == CLASS_DEMAND || r->class == CLASS_PREFETCH; }

/* Switched on by parameter keeps_invalid: every invalidated copy keeps its room. */
static bool keeps_invalid(const struct tw_sched *rt, tw_data d, tw_node n)
{
	(void)rt, (void)d, (void)n;
	return true;
}

/* Switched on by parameter chunk_overlooks: allocations find a freed part of a chunk only if it merges with a free
 * neighbour. */
static uint64_t chunk_found(uint64_t given, uint64_t grown)
{
	(void)given;
	return grown;
}

/* Returns the task whose kernel runs on an accelerator of the memory; NULL: no kernel runs. */
static const struct hold *running(const struct tw_sched *rt, tw_node n)
{
	for (int i = 0; i < rt->at_node[n].n; i++) {
		struct driver *d = rt->at_node[n].threads[i];
		for (int h = 0; h < d->n_held && d->accelerator; h++) {
			const struct hold *hold = held(d, h);
			/* the first launched kernel that has not ended; later kernels wait for it */
			if (hold->state == HOLD_LAUNCHED)
				return hold;
		}
	}
	return NULL;
}

/* Switched on by parameter eviction_waits: before its first eviction, a demand waits once for the running kernel. A
 * demand for a handle in a shared chunk does not wait, because freeing such a handle does not call the card's
 * driver. */
static bool evicts_now(struct tw_sched *rt, struct request *r)
{
	if (r->class != CLASS_DEMAND || tw__memory_in_chunks(rt, r->data, r->to))
		return true;
	const struct hold *hold = running(rt, r->to);
	int64_t now = hold ? hold->task + 1 : 0;
	if (!r->noted)
		r->noted = hold ? now : -1;
	return !hold || r->noted != now;
}

static void kernel_over(struct tw_sched *rt, const struct driver *d) { tw__memory_changed(rt, d->node); }

/* Switched on by parameter idle_write_back: a handle that no later task writes is written back when the link is idle,
 * and is evicted first. */
static void not_used_again(struct tw_sched *rt, tw_data d, tw_node n)
{
	if (!is_bounded(rt, n) || !is_valid(rt, d, n))
		return;
	if (!is_valid(rt, d, rt->home))
		tw__prefetch(rt, d, rt->platform->nodes[n].backing, TW_R, 0, CLASS_IDLE);
	tw__copy_clean(rt, d, n, true);
	if (rt->in->eviction->expendable)
		rt->in->eviction->expendable(rt, rt->eviction_state, d, n);
}

/* --- hooks for threads -------------------------------------------------------------------------------------------- */

/* Switched on by parameter reclaim_blocks: a thread only moves data while a victim of its memory is written back. The
 * thread is not blocked while the write-back itself waits for room, because a task that this thread must finish may
 * hold that room. */
static bool blocks_thread(const struct driver *d)
{
	return d->rt->at_node[d->node].mover == d && tw__memory_is_writing_back(d->rt, d->node);
}

/* Switched on by parameter cpus_race: woken CPU workers count as awake for ever. */
static bool stays_woken(const struct driver *d) { return !d->accelerator; }

/* --- hooks for prefetches ----------------------------------------------------------------------------------------- */

/* Hooks that parameter prefetch_apart switches on. Each queued task makes its own request for each missing handle, with
 * the task's priority. When the turn of the request comes in its queue:
 *
 * - If the copy is valid, it is protected for the task.
 * - If another request already loads the copy, this request is dropped and protects nothing.
 * - If another request for the copy still waits for its turn, it absorbs this request, and the copy is protected.
 * - Otherwise this request loads the copy, and protects it at landing.
 *
 * A pop ends the protections for the task, and voids requests of the task that have protected nothing yet. */
struct starpu {
	bool *awaits_turn; /* [accesses] whether a request for the task's access still waits for its turn */
};

static int starpu_open(struct tw_sched *rt)
{
	const struct tw_graph *g = rt->graph;
	/* tasks that reductions may append, with two accesses each */
	size_t appended = (size_t)(tw__graph_max_tasks(g) - rt->n_own_tasks);
	struct starpu *s = rt->model_state = calloc(1, sizeof *s);
	if (s)
		s->awaits_turn = calloc(g->access_start[g->n_tasks] + 2 * appended + 1, sizeof *s->awaits_turn);
	return s && s->awaits_turn ? TW_OK : TW_NOMEM;
}

static void starpu_close(struct tw_sched *rt)
{
	struct starpu *s = rt->model_state;
	if (s)
		free(s->awaits_turn);
	free(s);
}

static bool *awaits_turn(const struct tw_sched *rt, tw_task t, tw_data d)
{
	const struct starpu *s = rt->model_state;
	uint32_t a = rt->graph->access_start[t];
	while (tw__access_data(rt->graph->access[a]) != d)
		a++;
	return &s->awaits_turn[a];
}

/* Whether the task's handles are still prefetched to the request's node, as when it made the request. */
static bool is_current(const struct tw_sched *rt, const struct request *r)
{
	const struct prefetched *p = &rt->prefetched[r->task];
	return p->node == r->to && p->moves == r->task_moves;
}

/* Whether the request is current and no worker has popped its task. */
static bool is_queued(const struct tw_sched *rt, const struct request *r)
{
	return rt->remaining[r->task] != UINT32_MAX && is_current(rt, r);
}

static void prefetch(struct tw_sched *rt, tw_task t, uint32_t access, tw_node n, unsigned mode)
{
	struct starpu *s = rt->model_state;
	tw_data d = tw__access_data(rt->graph->access[access]);
	if (!is_bounded(rt, n) || is_valid(rt, d, n) || rt->data[d].n_writers) {
		tw__prefetch_share(rt, t, d, n, mode);
		return;
	}
	struct request *r = tw__request_create(rt, d, n, mode, CLASS_PREFETCH, TW__PREFETCH, tw_task_priority(rt, t));
	if (!r)
		return;
	r->task = t;
	r->access = access;
	r->task_moves = rt->prefetched[t].moves;
	r->state = REQUEST_APART;
	s->awaits_turn[access] = true;
	tw__copy_apart(rt, d, n, 1);
	tw__request_send(rt, r);
}

static void turn_has_come(struct tw_sched *rt, struct request *r)
{
	tw_data d = r->data;
	tw_node to = r->to;
	struct starpu *s = rt->model_state;
	struct request *other = replicate_of(rt, d, to)->request;
	bool queued = is_queued(rt, r);
	tw__request_dequeue(rt, r);
	tw__copy_apart(rt, d, to, -1);
	r->state = REQUEST_QUEUED;
	if (is_current(rt, r))
		s->awaits_turn[r->access] = false;
	if (queued && is_valid(rt, d, to)) {
		/* protects the copy; a request with TW_W moves the ownership */
		tw__prefetch_share(rt, r->task, d, to, r->mode);
	} else if (queued && other &&
	           !is_loading(rt, d, to)) { /* the other request still waits for its turn: both become one request */
		tw__copy_protect(rt, d, to, 1);
		other->mode |= r->mode;
	} else if (queued && !other && rt->data[d].n_valid && !rt->data[d].n_writers) {
		tw__copy_request(rt, d, to, r);
		tw__request_send(rt, r);
		return;
	}
	tw__request_free(rt, r);
}

static void request_ended(struct tw_sched *rt, const struct request *r)
{
	if (is_valid(rt, r->data, r->to) && is_queued(rt, r))
		tw__copy_protect(rt, r->data, r->to, 1);
}

/* Whether the task's protection of the copy is still to come: its own request loads the copy, or may still load it. */
static bool has_not_protected(const struct tw_sched *rt, tw_task t, tw_data d, tw_node n)
{
	const struct request *r = replicate_of(rt, d, n)->request;
	if (r && r->task == t && is_current(rt, r))
		return true;
	return *awaits_turn(rt, t, d) && !(r && is_loading(rt, d, n));
}

/* Ends one protection of the copy, if it has any. As in StarPU, it may have been given for another task. */
static void take_back(struct tw_sched *rt, tw_data d, tw_node n)
{
	if (replicate_of(rt, d, n)->queued_tasks)
		tw__copy_protect(rt, d, n, -1);
}

/* Ends a protection, as StarPU does, if the copy is valid, or if a request of another task loads it. It does so even if
 * the task's own request gave none. */
static void prefetch_popped(struct tw_sched *rt, tw_task t, tw_data d, tw_node n)
{
	if (is_valid(rt, d, n) || !has_not_protected(rt, t, d, n))
		take_back(rt, d, n);
	*awaits_turn(rt, t, d) = false;
}

static void prefetch_dropped(struct tw_sched *rt, tw_task t, uint32_t access, tw_node n)
{
	struct starpu *s = rt->model_state;
	tw_data d = tw__access_data(rt->graph->access[access]);
	if (!s->awaits_turn[access] && !has_not_protected(rt, t, d, n))
		take_back(rt, d, n);
	s->awaits_turn[access] = false;
}

/* --- the model and its choice of hooks ---------------------------------------------------------------------------- */

static void set_prefetch_apart(struct tw__runtime_hooks *h)
{
	h->open = starpu_open;
	h->close = starpu_close;
	h->prefetch = prefetch;
	h->prefetch_popped = prefetch_popped;
	h->prefetch_dropped = prefetch_dropped;
	h->turn_has_come = turn_has_come;
	h->request_ended = request_ended;
}

void tw__starpu_switches(const struct tw__runtime_params *p, struct tw__runtime_hooks *h)
{
	h->may_evict = p->prefetch_evicts ? may_evict : NULL;
	h->keeps_invalid = p->keeps_invalid ? keeps_invalid : NULL;
	h->chunk_found = p->chunk_overlooks ? chunk_found : NULL;
	h->evicts_now = p->eviction_waits ? evicts_now : NULL;
	h->kernel_over = p->eviction_waits ? kernel_over : NULL;
	h->not_used_again = p->idle_write_back ? not_used_again : NULL;
	h->blocks_thread = p->reclaim_blocks ? blocks_thread : NULL;
	h->stays_woken = p->cpus_race ? stays_woken : NULL;
	if (p->prefetch_apart)
		set_prefetch_apart(h);
}

const struct tw__runtime_model tw__runtime_model_starpu_1_4 = {
	.name = "starpu_1_4",
	.alias = "starpu",
	.summary = "costs and limits of StarPU 1.4, with its own defaults",
	.values = "submit_cost=1us:push_cost=1us:fetch_cost=1us:poll_cost=1us:kernel_queue_cost=10us:"
		  "transfer_queue_cost=10us:alloc_cost=175us:chunk_bytes=32MiB:chunk_overlooks=yes:"
		  "chunk_data_bytes=4MiB:memory_fraction=0.9:sync_kernels=potrf+getrf:demand_limit=5:"
		  "prefetch_limit=2:conflicts=gpu_pair:link_shares=latency:contention=2:idle_write_back=yes:"
		  "clean_low=0.05:clean_high=0.1:keeps_invalid=yes:prefetch_evicts=yes:prefetch_apart=yes:"
		  "reclaim_copies=2:reclaim_blocks=yes:cpus_race=yes:order=id",
};
