/* The loop of a thread, step by step. One turn of the loop:
 *
 *   TOP     Have all inputs of the fetching task arrived?     -> LAUNCH its kernel.
 *   FINISH  Has the kernel of the first held task ended?      -> RELEASE its successors, PUSH the ready ones.
 *   POLL    PIN buffers of messages. Handle landed transfers, then ISSUE new ones, one by one.
 *   POP     Has the worker's pipeline a free place?           -> ask the policy, FETCH the task's data one by one.
 *   BOTTOM  If this turn did nothing and no signal came: sleep.
 *
 * Each step returns its cost in ns under the runtime model; other threads act meanwhile. Some steps without work call
 * the next one. An accelerator's thread is busy while a synchronous kernel runs, a CPU worker's during each kernel. */
#include "runtime/tasks.h"

#include "runtime/filters.h"
#include "runtime/memory/memory.h"
#include "runtime/messages.h"
#include "runtime/recursive.h"
#include "runtime/state/wakeups.h"
#include "runtime/teams.h"
#include "runtime/transfers/transfers.h"

enum { SLEEP = -1 };

static struct hold *first_hold(struct driver *d) { return d->n_held ? held(d, 0) : NULL; }

static bool is_synchronous(const struct driver *d, const struct hold *h)
{
	return !d->accelerator || d->rt->sync_kernel[d->rt->graph->kernel[h->task]];
}

/* Whether the thread only moves data, because a victim of its memory is written back (reclaim_blocks). The thread is
 * not blocked while the write-back itself waits for room: a task that this thread must finish may hold that room. */
static inline bool is_blocked(const struct driver *d)
{
	const struct tw__rt *rt = d->rt;
	return rt->n_making_room && rt->params->reclaim_blocks && rt->at_node[d->node].mover == d &&
	       tw__memory_is_writing_back(rt, d->node);
}

/* Whether the kernel can be launched now. A synchronous one waits until the worker has ended all earlier tasks, and a
 * parallel one until its team is there. */
static inline bool may_launch(struct driver *d, const struct hold *h)
{
	return (!is_synchronous(d, h) || h == first_hold(d)) && (!h->team || tw__team_is_gathered(h->team));
}

static void started(struct driver *d)
{
	struct hold *h = first_hold(d);
	if (!h->told)
		tw__domain_started(d->rt, h->task, d->worker);
	h->told = true;
}

static tw__ns launch_next(struct driver *d, struct hold *h)
{
	d->launching = h;
	d->step = STEP_LAUNCH;
	if (h == first_hold(d))
		started(d);
	return is_synchronous(d, h) ? 0 : tw__later(d->rt->cost.kernel_queue, tw__task_launch_blocks(d, h, false));
}

static tw__ns launch(struct driver *d)
{
	struct tw__rt *rt = d->rt;
	struct hold *h = d->launching;
	h->state = HOLD_LAUNCHED;
	h->start = rt->now;
	h->launch = rt->sequence++;
	__builtin_prefetch(&rt->graph->successor[rt->graph->successor_start[h->task]]);
	if (h == first_hold(d))
		started(d); /* the task may have become the first held task since its launch began */
	struct tw__launch l = {
		.worker = d->worker, .task = h->task, .length = tw__task_length_on(d, h), .access = rt->placed};
	if (rt->placed)
		l.n_accesses = tw__fetch_placed(rt, h, rt->placed);
	if (h->team) {
		l.n_workers = h->team->n;
		l.workers = h->team->worker;
	}
	rt->ops->exec(tw__engine_at(rt), &l, token_of(&h->activity));
	rt->n_under_way++;
	d->step = is_synchronous(d, h) ? STEP_LAUNCHED : STEP_FINISH;
	return is_synchronous(d, h) ? 0 : tw__task_launch_blocks(d, h, true);
}

static tw__ns launched(struct driver *d)
{
	if (d->launching->state != HOLD_ENDED)
		return SLEEP;
	d->step = STEP_FINISH;
	return 0;
}

static void forget_first(struct driver *d)
{
	d->first = d->first + 1 < d->pipeline ? d->first + 1 : 0;
	d->n_held--;
}

/* Returns the held task whose kernel runs, the first one launched. A synchronous kernel may wait behind others. */
struct hold *tw__driver_running(struct driver *d)
{
	struct hold *running = NULL;
	for (int i = 0; i < d->n_held; i++) {
		struct hold *h = held(d, i);
		if (h->state == HOLD_LAUNCHED && (!running || h->launch < running->launch))
			running = h;
	}
	return running;
}

bool tw__driver_may_begin(const struct driver *d)
{
	const struct hold *fetching = d->fetching, *first = d->n_held ? &d->hold[d->first] : NULL;
	if (is_blocked(d))
		return false;
	if (fetching && (!fetching->missing || (!fetching->admitted && is_bounded(d->rt, d->node))))
		return true;
	return first && (first->state == HOLD_READY || first->state == HOLD_ENDED);
}

bool tw__driver_may_move(const struct driver *d)
{
	return is_blocked(d) || tw__request_any(d) || tw_id_set_has(&d->rt->untidy, d->node);
}

void tw__driver_drop(struct driver *d)
{
	if (d->step == STEP_LAUNCHED && d->launching == first_hold(d))
		d->step = STEP_FINISH; /* the thread stops waiting for the cancelled kernel */
	first_hold(d)->state = HOLD_FREE;
	forget_first(d);
	if (d->idles)
		tw__idle_holds(d);
	struct hold *next = first_hold(d);
	if (next && (next->state == HOLD_LAUNCHED || next->state == HOLD_ENDED))
		started(d);
	tw__rt_signal(d);
}

/* Returns the ns until a scheduler call of turn_cost ends. The call begins when all earlier ones have ended. */
static tw__ns turn_cost(struct tw__rt *rt)
{
	if (rt->cost.turn == 0)
		return 0;
	rt->turn_free_at = tw__later(tw__latest(rt->now, rt->turn_free_at), rt->cost.turn);
	return rt->turn_free_at - rt->now;
}

static tw__ns issue(struct driver *d)
{
	tw__ns cost = 0;
	if (d->landed)
		tw__request_notice(d);
	if (d->rt->n_untidy)
		tw__memory_tidy(d->rt, d->node);
	if (tw__request_may_issue(d) && tw__request_issue(d, &cost)) {
		d->progress = true;
		d->step = STEP_SUBMIT;
		return cost;
	}
	d->step = d->worker == TW_NONE ? STEP_BOTTOM : STEP_POP;
	return 0;
}

static tw__ns poll_transfers(struct driver *d)
{
	d->step = step_after_poll(d);
	tw__ns cost = d->n_polled * d->rt->cost.poll;
	return cost || d->step == STEP_PIN ? cost : issue(d);
}

static tw__ns finish(struct driver *d)
{
	struct hold *h = first_hold(d);
	d->step = STEP_POLL;
	if (h && h->state == HOLD_READY && may_launch(d, h))
		return launch_next(d, h); /* the kernel waited for one that was then cancelled, or for its team */
	if (h && h->state == HOLD_JOINED) {
		tw__team_arrive(h);
		return 0;
	}
	if (!h || h->state != HOLD_ENDED)
		return poll_transfers(d);
	d->progress = true;
	forget_first(d);
	if (h->joined) {
		h->state = HOLD_FREE;
		d->has_joined = false;
		return 0;
	}
	tw__task_end(d, h);
	if (d->rt->params->window || d->rt->graph->n_parts)
		tw__submit_ended(d->rt, h);
	h->state = HOLD_FREE;
	d->step = STEP_RELEASE;
	return turn_cost(d->rt);
}

static tw__ns top(struct driver *d)
{
	struct hold *h = d->fetching;
	d->progress = d->signalled = false;
	d->step = d->messages ? STEP_POLL : STEP_FINISH;
	if (d->messages)
		return tw__messages_turn(d);
	if ((d->worker == TW_NONE && !h) || is_blocked(d)) {
		if (d->changing)
			tw__filters_turn(d);
		d->step = STEP_POLL;
		return 0;
	}
	if (!h)
		return finish(d);
	if (!h->admitted && is_bounded(d->rt, d->node)) {
		if (tw__team_may_reserve(h) && tw__memory_admit(d->rt, h)) {
			d->progress = true;
			d->step = STEP_FETCH;
		}
		return 0;
	}
	if (h->missing || !tw__fetch_settled(d->rt, h))
		return 0;
	if (d->worker == TW_NONE) {
		tw__ends_are_at(d);
		return 0;
	}
	tw__fetch_own(d->rt, h);
	d->fetching = NULL;
	d->progress = true;
	h->state = HOLD_READY;
	return may_launch(d, h) ? launch_next(d, h) : 0;
}

static tw__ns release(struct driver *d)
{
	if (tw__task_release_next(d)) {
		d->step = STEP_PUSH;
		return d->rt->cost.push;
	}
	/* The hint that a handle will not be used again consists of two tasks without a kernel. Both are pushed after
	 * the successors of the handle's last writer; the second one is submitted only then. */
	if (tw__task_has_hint(d)) {
		d->step = STEP_HINT;
		return 2 * d->rt->cost.push + d->rt->cost.submit;
	}
	if (d->rt->inside_left && tw__task_leave(d))
		return 0;
	d->step = STEP_POLL;
	struct hold *h = first_hold(d);
	if (h && h->state == HOLD_READY && may_launch(d, h))
		return launch_next(d, h); /* launches a synchronous kernel: all earlier tasks have ended */
	if (h && (h->state == HOLD_LAUNCHED || h->state == HOLD_ENDED))
		started(d); /* the kernel may have ended while this thread was busy */
	return 0;
}

static tw__ns push(struct driver *d)
{
	tw__task_push(d->rt, d->pushing, d->worker);
	d->has_pushed = true;
	d->step = STEP_RELEASE;
	return 0;
}

static tw__ns hint(struct driver *d)
{
	tw__task_take_hint(d);
	d->step = STEP_RELEASE;
	return 0;
}

static tw__ns submit(struct driver *d)
{
	if (d->issuing)
		tw__bus_submit(d->rt, d->issuing);
	d->issuing = NULL;
	d->step = STEP_ISSUE;
	return 0;
}

static void set_idle(struct driver *d, bool idle)
{
	d->idle = idle;
	tw_id_set_put(&d->rt->idle, d->worker, idle);
}

void tw__driver_set_idle(struct driver *d)
{
	if (!d->idle)
		d->idle_since = d->rt->now;
	set_idle(d, true);
}

static tw__ns message(struct driver *d) { return tw__messages_end(d); }

static tw__ns bottom(struct driver *d)
{
	d->step = STEP_TOP;
	return d->progress || d->signalled ? 0 : SLEEP;
}

static tw__ns pop(struct driver *d)
{
	struct tw__rt *rt = d->rt;
	d->has_pushed = false;
	d->step = STEP_BOTTOM;
	if (is_full(d) || is_blocked(d))
		return bottom(d);
	if (!tw_id_set_has(&rt->stay_woken, d->worker))
		tw_id_set_put(&rt->notified, d->worker, false);
	const struct tw_sched *from;
	tw_task t = tw__domain_pop(rt, d->worker, &from);
	if (t == TW_NONE) {
		rt->n_vain_pops++;
		tw__driver_set_idle(d);
		return rt->cost.scan ? 0 : bottom(d);
	}
	if (!tw__task_is_for(d, from, t)) {
		tw__task_refuse(d, from, t);
		return 0;
	}
	tw__domain_popped(rt, t, d->worker);
	set_idle(d, false);
	d->progress = true;
	struct hold *h = held(d, d->n_held++);
	*h = (struct hold){.activity = {ACTIVITY_KERNEL},
	                   .driver = d,
	                   .task = t,
	                   .state = HOLD_FETCHING,
	                   .access = h->access,
	                   .team = tw__team_of(rt, t)};
	if (h->team && tw__team_join(rt, h))
		return 0;
	d->fetching = h;
	d->fetch_index = 0;
	tw__fetch_resolve(rt, h);
	__builtin_prefetch(&rt->graph->successor_start[t]);
	tw__task_assigned(d, h);
	if (tw__team_may_reserve(h) && tw__memory_admit(rt, h))
		d->step = STEP_FETCH;
	return 0;
}

static tw__ns fetch(struct driver *d)
{
	struct hold *h = d->fetching;
	if (d->fetch_index < h->n_accesses) {
		tw__fetch_access(d->rt, h, d->fetch_index++);
		return d->rt->cost.fetch;
	}
	if (is_prefetched_to(d->rt, h->task, d->node))
		d->rt->prefetched[h->task].to = 0;
	if (drained_for(d->rt, d->node) == h)
		tw__memory_drain(d->rt, d->node, NULL);
	d->step = STEP_BOTTOM;
	return 0;
}

/* Whether no event comes before this thread goes on. If so, moves the date forward at once, without the queue. */
static inline __attribute__((always_inline)) bool goes_on_alone(struct tw__rt *rt, tw__ns cost)
{
	if (cost < 0 || tw__turns_any(rt) || rt->order == ORDER_RANDOM || rt->n_done == rt->graph->n_tasks)
		return false;
	tw__ns date = tw__later(rt->now, cost);
	if (date >= tw__rt_next_date(rt) || date >= TW__LAST || !tw__engine_passes(rt, date))
		return false;
	rt->now = date;
	return true;
}

static tw__ns (*const steps[])(struct driver *) = {
	[STEP_TOP] = top,         [STEP_LAUNCH] = launch,   [STEP_LAUNCHED] = launched, [STEP_FINISH] = finish,
	[STEP_RELEASE] = release, [STEP_PUSH] = push,       [STEP_HINT] = hint,         [STEP_POLL] = poll_transfers,
	[STEP_PIN] = tw__pin,     [STEP_ISSUE] = issue,     [STEP_SUBMIT] = submit,     [STEP_POP] = pop,
	[STEP_FETCH] = fetch,     [STEP_MESSAGE] = message, [STEP_BOTTOM] = bottom,
};

/* Returns the cost of the last step. `looks`: the candidates that plug-ins have looked at cost time (scan_cost). */
static inline __attribute__((always_inline)) tw__ns take_steps(struct driver *d, const bool looks)
{
	struct tw__rt *const rt = d->rt;
	tw__ns cost = 0;
	while (rt->status == TW_OK && (cost == 0 || goes_on_alone(rt, cost))) {
		cost = steps[d->step](d);
		if (looks && cost != SLEEP)
			cost = tw__later(cost, tw__rt_looks(rt));
	}
	return cost;
}

void tw__driver_run(struct driver *d)
{
	const tw__ns cost = d->rt->cost.scan ? take_steps(d, true) : take_steps(d, false);
	if (cost > 0)
		tw__rt_schedule(d, cost);
	else
		tw__rt_sleep(d);
}
