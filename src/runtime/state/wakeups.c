/* Threads sleep until a signal, wait for a date, or are runnable. These functions change that state. */
#include "runtime/state/wakeups.h"

#include <stdlib.h>

void tw__turns_open(struct tw__rt *rt, int most_threads)
{
	const size_t n = (size_t)most_threads;
	rt->any_runnable = tw_alloc(n, sizeof(struct driver *));
	tw_id_set_init(&rt->computing, (int32_t)n);
	while (rt->runnable.capacity < (int32_t)n) /* so that waking a worker needs no memory */
		tw__heap_grow(&rt->runnable);
	tw__idle_open(rt);
}

void tw__turns_close(struct tw__rt *rt)
{
	tw__heap_finish(&rt->runnable);
	free(rt->any_runnable);
	tw_id_set_finish(&rt->computing);
	tw__idle_close(rt);
}

/* The order of runnable threads with order=id. Workers with a pending push go first; a worker that has just pushed goes
 * after those it woke. Ties: the lowest id. */
static bool id_before(const struct tw__heap_item *x, const struct tw__heap_item *y)
{
	const struct driver *a = TW__CONTAINER(x, const struct driver, turn);
	const struct driver *b = TW__CONTAINER(y, const struct driver, turn);
	if ((a->step == STEP_PUSH) != (b->step == STEP_PUSH))
		return a->step == STEP_PUSH;
	if (a->has_pushed != b->has_pushed)
		return b->has_pushed;
	return a->id < b->id;
}

/* The order of runnable threads with order=idle_time. Accelerators go first; then the worker that has been idle
 * longest. Ties: the order of id_before. */
static bool idle_time_before(const struct tw__heap_item *x, const struct tw__heap_item *y)
{
	const struct driver *a = TW__CONTAINER(x, const struct driver, turn);
	const struct driver *b = TW__CONTAINER(y, const struct driver, turn);
	if (a->accelerator != b->accelerator)
		return a->accelerator;
	if (a->idle_since != b->idle_since)
		return a->idle_since < b->idle_since;
	return id_before(x, y);
}

/* Makes the thread runnable. While it is runnable, the members by which the heap is sorted do not change. */
static void make_runnable(struct driver *d)
{
	struct tw__rt *rt = d->rt;
	if (d->runnable)
		return;
	d->runnable = true;
	d->asleep = false;
	if (tw_id_set_has(&rt->computing, d->id))
		tw_id_set_put(&rt->computing, d->id, false);
	if (rt->order == ORDER_RANDOM)
		rt->any_runnable[rt->n_any_runnable++] = d;
	else if (rt->order == ORDER_IDLE_TIME)
		tw__heap_push(&rt->runnable, &d->turn, idle_time_before);
	else
		tw__heap_push(&rt->runnable, &d->turn, id_before);
}

struct driver *tw__turns_take(struct tw__rt *rt)
{
	struct driver *d = tw__turns_first(rt);
	if (rt->order == ORDER_RANDOM) {
		uint32_t place = tw__random_below(rt->order_random, (uint32_t)rt->n_any_runnable);
		d = rt->any_runnable[place];
		rt->any_runnable[place] = rt->any_runnable[--rt->n_any_runnable];
	} else if (rt->order == ORDER_IDLE_TIME) {
		tw__heap_remove(&rt->runnable, &d->turn, idle_time_before);
	} else {
		tw__heap_remove(&rt->runnable, &d->turn, id_before);
	}
	d->runnable = false;
	return d;
}

/* Whether the thread waits for the kernel that it has launched, and the kernel has not ended. Waking the thread would
 * have no effect: it would sleep again. */
static bool is_in_kernel(const struct driver *d)
{
	return d->step == STEP_LAUNCHED && d->launching->state != HOLD_ENDED;
}

/* Whether the current turn of the thread's loop has done nothing. Then the thread may join the sets of sleeping workers
 * (idle.h). */
static bool is_idle(const struct driver *d) { return d->may_idle && !d->has_pushed && !d->progress; }

void tw__rt_sleep(struct driver *d)
{
	if (is_idle(d) && d->step == STEP_TOP) {
		tw__idle_join(d);
		return;
	}
	d->asleep = true;
	if (d->step == STEP_LAUNCHED)
		tw_id_set_put(&d->rt->computing, d->id, true);
}

void tw__rt_signal(struct driver *d)
{
	if (d->idles && !tw__idle_leave_asleep(d))
		tw__idle_signal(d->rt, d->id / 64, (uint64_t)1 << d->id % 64);
	else if (!d->asleep)
		d->signalled = true;
	else if (!is_in_kernel(d))
		make_runnable(d);
}

void tw__rt_signal_workers(struct tw__rt *rt, int word, uint64_t who)
{
	if (who & rt->idlers.members.words[word])
		who = tw__idle_signal(rt, word, who);
	for (who &= ~rt->computing.words[word]; who; who &= who - 1)
		tw__rt_signal(&rt->drivers[64 * word + __builtin_ctzll(who)]);
}

static bool goes_on_before(const struct driver *a, const struct driver *b)
{
	return a->date != b->date ? a->date < b->date : a->id < b->id;
}

/* Adds the thread to the list of threads that wait for dates. Delays are mostly the shortest or the longest, so this
 * searches from both ends of the list at once. */
static void add_event(struct tw__rt *rt, struct driver *d)
{
	struct driver *earlier = rt->last_event, *later = rt->first_event;
	for (; earlier && goes_on_before(d, earlier); later = later->later_event) {
		if (goes_on_before(d, later)) {
			earlier = later->earlier_event;
			break;
		}
		earlier = earlier->earlier_event;
	}
	d->earlier_event = earlier;
	d->later_event = earlier ? earlier->later_event : rt->first_event;
	*(earlier ? &earlier->later_event : &rt->first_event) = d;
	*(d->later_event ? &d->later_event->earlier_event : &rt->last_event) = d;
}

void tw__rt_schedule(struct driver *d, tw__ns delay)
{
	if (is_idle(d) && d->step == STEP_ISSUE) {
		tw__idle_join(d);
		return;
	}
	d->date = tw__later(d->rt->now, delay);
	add_event(d->rt, d);
}

void tw__rt_wake_scheduled(struct tw__rt *rt)
{
	if (rt->idlers.next_date <= rt->now)
		tw__idle_wake_scheduled(rt);
	for (struct driver *d; (d = rt->first_event) && d->date <= rt->now;) {
		rt->first_event = d->later_event;
		*(d->later_event ? &d->later_event->earlier_event : &rt->last_event) = NULL;
		make_runnable(d);
	}
}
