#include "engine/baton.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/* All operations on atomics are sequentially consistent where a thread stores one word and then looks at another, which another thread
 * stores and looks at in the other order: of two such threads at least one sees the other's word. */

struct tw__baton {
	_Atomic(struct tw__post *) posted; /* newest first */
	_Atomic(bool) called, led;
	_Atomic(uint64_t) turns;
	void (*lead)(void *, struct tw__post *);
	void *arg;
};

static struct tw__post *reversed(struct tw__post *p)
{
	struct tw__post *first = NULL;
	while (p) {
		struct tw__post *next = p->next;
		p->next = first;
		first = p;
		p = next;
	}
	return first;
}

static void push(_Atomic(struct tw__post *) *stack, struct tw__post *p)
{
	p->next = atomic_load_explicit(stack, memory_order_relaxed);
	while (!atomic_compare_exchange_weak(stack, &p->next, p))
		;
}

/* --- the baton -------------------------------------------------------------------------------------------------- */

struct tw__baton *tw__baton_create(void (*lead)(void *arg, struct tw__post *first), void *arg)
{
	struct tw__baton *b = calloc(1, sizeof *b);
	if (b) {
		b->lead = lead;
		b->arg = arg;
	}
	return b;
}

void tw__baton_destroy(struct tw__baton *b) { free(b); }

/* Who leads looks again after it has let go: somebody may have posted in between, and found it leading. */
static void lead(struct tw__baton *b)
{
	while ((atomic_load(&b->posted) || atomic_load(&b->called)) && !atomic_exchange(&b->led, true)) {
		atomic_store_explicit(&b->called, false, memory_order_relaxed);
		b->lead(b->arg, reversed(atomic_exchange(&b->posted, NULL)));
		atomic_store_explicit(&b->turns, atomic_load_explicit(&b->turns, memory_order_relaxed) + 1,
		                      memory_order_relaxed);
		atomic_store(&b->led, false);
	}
}

void tw__baton_post(struct tw__baton *b, struct tw__post *p)
{
	push(&b->posted, p);
	lead(b);
}

void tw__baton_call(struct tw__baton *b)
{
	atomic_store(&b->called, true);
	lead(b);
}

uint64_t tw__baton_turns(const struct tw__baton *b) { return atomic_load_explicit(&b->turns, memory_order_relaxed); }
bool tw__baton_is_led(const struct tw__baton *b) { return atomic_load(&b->led); }

/* --- seats ------------------------------------------------------------------------------------------------------ */

/* AWAKE: the owner looks for itself. ASLEEP: it is, or is about to be. NUDGED: its next wait returns at once. */
enum { AWAKE, ASLEEP, NUDGED };

void tw__seat_init(struct tw__seat *s) { *s = (struct tw__seat){.inbox = NULL}; }

static void wake(struct tw__seat *s, uint32_t state)
{
	if (atomic_exchange(&s->state, state) == ASLEEP)
		syscall(SYS_futex, &s->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void tw__seat_give(struct tw__seat *s, struct tw__post *p)
{
	push(&s->inbox, p);
	if (atomic_load(&s->state) == ASLEEP)
		wake(s, AWAKE);
}

void tw__seat_nudge(struct tw__seat *s) { wake(s, NUDGED); }

void tw__seat_close(struct tw__seat *s)
{
	atomic_store(&s->closed, true);
	wake(s, NUDGED);
}

struct tw__post *tw__seat_poll(struct tw__seat *s)
{
	if (!s->first && atomic_load_explicit(&s->inbox, memory_order_relaxed))
		s->first = reversed(atomic_exchange(&s->inbox, NULL));
	struct tw__post *p = s->first;
	if (p)
		s->first = p->next;
	return p;
}

/* The kernel looks at the word again before the thread sleeps. */
static void sleep_while_asleep(struct tw__seat *s, double seconds)
{
	struct timespec until, *limit = NULL;
	if (isfinite(seconds)) {
		clock_gettime(CLOCK_MONOTONIC, &until);
		double whole = floor(seconds);
		until.tv_sec += (time_t)whole;
		until.tv_nsec += (long)(1e9 * (seconds - whole));
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		limit = &until;
	}
	/* With a bit set, the limit is a date. */
	syscall(SYS_futex, &s->state, FUTEX_WAIT_BITSET_PRIVATE, ASLEEP, limit, NULL, FUTEX_BITSET_MATCH_ANY);
}

void tw__seat_wait(struct tw__seat *s, double seconds)
{
	uint32_t awake = AWAKE;
	if (s->first || !(seconds > 0))
		return;
	if (atomic_compare_exchange_strong(&s->state, &awake, ASLEEP) && !atomic_load(&s->inbox) &&
	    !atomic_load(&s->closed))
		sleep_while_asleep(s, seconds);
	atomic_store(&s->state, AWAKE);
}

struct tw__post *tw__seat_take(struct tw__seat *s)
{
	struct tw__post *p;
	while (!(p = tw__seat_poll(s))) {
		if (atomic_load(&s->closed))
			return atomic_load(&s->inbox) ? tw__seat_poll(s) : NULL;
		tw__seat_wait(s, INFINITY);
	}
	return p;
}
