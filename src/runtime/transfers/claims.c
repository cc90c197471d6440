/* Claims: what tasks in queues have prefetched, and its protection against eviction by other prefetches.
 *
 * As in StarPU 1.4 (runtime parameter prefetch_apart), each task has a request of its own for each of its data that is not
 * there: a claim, in the queue of prefetches by its task's priority. What comes of it is settled when its turn comes. The
 * data is there: it is protected for that task. It is on its way for another one: that is as good, but protects nothing.
 * Else the claim loads it, and protects it once it has landed.
 *
 * When the task is popped, its protection ends; a claim of its own that has not protected anything yet never will.
 *
 * Without that parameter, as before 1.4, tasks share a request, and each protects at once. */
#include "runtime/memory/copy.h"
#include "runtime/transfers/protections.h"
#include "runtime/transfers/transfers.h"

void tw__claim(struct tw_sched *rt, tw_task t, tw_data d, tw_node to, unsigned mode)
{
	int32_t priority = tw_task_priority(rt, t);
	if (!rt->params->prefetch_apart || !is_bounded(rt, to) || is_valid(rt, d, to) || rt->data[d].n_writers) {
		tw__copy_protect(rt, d, to, 1);
		tw__prefetch(rt, d, to, mode, priority, CLASS_PREFETCH);
		return;
	}
	struct request *r = tw__request_create(rt, d, to, mode, CLASS_PREFETCH, TW__PREFETCH, priority);
	if (!r)
		return;
	r->claimant = t;
	r->claim_moves = rt->prefetched[t].moves;
	r->is_claim = true;
	*tw__claim_awaits_turn(rt, t, d) = true;
	tw__copy_claim(rt, d, to, 1);
	tw__request_send(rt, r);
}

void tw__claim_settle(struct tw_sched *rt, struct request *r)
{
	tw_data d = r->data;
	tw_node to = r->to;
	struct request *other = replicate_of(rt, d, to)->request;
	bool waits = tw__claim_still_waits(rt, r);
	tw__request_dequeue(rt, r);
	tw__copy_claim(rt, d, to, -1);
	r->is_claim = false;
	if (tw__claim_is_current(rt, r))
		*tw__claim_awaits_turn(rt, r->claimant, d) = false;
	if (waits && is_valid(rt, d, to)) {
		tw__copy_protect(rt, d, to, 1);
		tw__prefetch(rt, d, to, r->mode, r->priority, CLASS_PREFETCH); /* it may be for writing */
	} else if (waits && other && !is_loading(rt, d, to)) { /* whose turn has not come: they are one from now on */
		tw__copy_protect(rt, d, to, 1);
		other->mode |= r->mode;
	} else if (waits && !other && rt->data[d].n_valid && !rt->data[d].n_writers) {
		tw__copy_wish(rt, d, to, r);
		tw__request_send(rt, r);
		return;
	}
	tw__request_free(rt, r);
}
