#include "engine/baton.h"

#ifndef __linux__
#error "the real engine sleeps on Linux's futex; other systems need a replacement of doze() and wake()"
#endif

#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <math.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

/* Reverses a list. Posted items are a stack: threads push them one by one, and the leader takes them all at once and
 * reverses them. No thread pops a single item, so pushing an item again meanwhile is safe (no ABA problem). */
static struct tw__post *reversed(struct tw__post *newest)
{
	struct tw__post *oldest = NULL;
	while (newest) {
		struct tw__post *next = newest->next;
		newest->next = oldest;
		oldest = newest;
		newest = next;
	}
	return oldest;
}

/* One word of the baton, `top`, is both the lock and the stack, so that every thread sees both change together.
 * `top` is
 *     NULL      no thread leads, no item is posted;
 *     &led      a thread leads, no new item is posted;
 *     &called   a thread leads, and lead() must be called once more;
 *     an item   a thread leads, and this is the newest item that it has not seen.
 * A thread that replaces NULL becomes the leader. It stops leading only by changing &led back to NULL. This exchange
 * fails if an item was posted meanwhile, so no item is lost. */
static struct tw__post led, called;

struct tw__baton {
	_Alignas(64) _Atomic(struct tw__post *) top;
	_Atomic uint64_t turns; /* number of calls of lead() that have returned; the leader writes it */
	void (*lead)(void *arg, struct tw__post *first);
	void *arg;
};

struct tw__baton *tw__baton_create(void (*lead)(void *arg, struct tw__post *first), void *arg)
{
	struct tw__baton *b = tw__aligned_room(sizeof *b);
	atomic_init(&b->top, NULL);
	atomic_init(&b->turns, 0);
	b->lead = lead;
	b->arg = arg;
	return b;
}

void tw__baton_destroy(struct tw__baton *b)
{
	assert(!b || !tw__baton_is_led(b));
	free(b);
}

/* Changes `top` to `to` if it still equals *from; otherwise updates *from. Each change happens after all earlier
 * changes: the leader sees all earlier writes of posters, callers and leaders. */
static bool change(struct tw__baton *b, struct tw__post **from, struct tw__post *to)
{
	return atomic_compare_exchange_strong_explicit(&b->top, from, to, memory_order_acq_rel, memory_order_relaxed);
}

static struct tw__post *look(struct tw__baton *b) { return atomic_load_explicit(&b->top, memory_order_relaxed); }

static void count_turn(struct tw__baton *b)
{
	uint64_t turns = atomic_load_explicit(&b->turns, memory_order_relaxed);
	atomic_store_explicit(&b->turns, turns + 1, memory_order_release);
}

/* Leads, in the calling thread, until no new item is posted. */
static void lead(struct tw__baton *b, struct tw__post *first)
{
	for (;;) {
		b->lead(b->arg, first);
		count_turn(b);
		struct tw__post *top = &led;
		if (change(b, &top, NULL))
			return;
		top = atomic_exchange_explicit(&b->top, &led, memory_order_acq_rel);
		first = top == &called ? NULL : reversed(top);
	}
}

void tw__baton_post(struct tw__baton *b, struct tw__post *post)
{
	struct tw__post *top = look(b);
	do
		post->next = top == &led || top == &called ? NULL : top;
	while (!change(b, &top, top ? post : &led));
	if (!top)
		lead(b, post);
}

/* Makes sure that lead() is called. If items are posted, the leader has not taken them yet. Then replacing `top` by the
 * same value is enough to make the caller's writes visible to the leader. */
void tw__baton_call(struct tw__baton *b)
{
	struct tw__post *top = look(b);
	while (!change(b, &top, !top ? &led : top == &led ? &called : top))
		;
	if (!top)
		lead(b, NULL);
}

uint64_t tw__baton_turns(const struct tw__baton *b) { return atomic_load_explicit(&b->turns, memory_order_acquire); }

bool tw__baton_is_led(const struct tw__baton *b) { return atomic_load_explicit(&b->top, memory_order_acquire) != NULL; }

/* Bits of a seat's state. The owner falls asleep in two steps: it sets ASLEEP, then checks its inbox again. Other
 * threads first add an item, then check for ASLEEP. All four steps are sequentially consistent: either the owner sees
 * the item, or the other thread sees ASLEEP. The thread that clears ASLEEP wakes the owner. */
enum { ASLEEP = 1, NUDGED = 2, CLOSED = 4 };

/* The address of this variable identifies the thread that runs. */
static _Thread_local char mark;

/* Sleeps while the seat's state is exactly ASLEEP. Spurious wake-ups are possible. Returns true if the deadline has
 * passed. */
static bool doze(struct tw__seat *s, const struct timespec *deadline)
{
	return syscall(SYS_futex, &s->state, FUTEX_WAIT_BITSET_PRIVATE, ASLEEP, deadline, NULL,
	               FUTEX_BITSET_MATCH_ANY) &&
	       errno == ETIMEDOUT;
}

static void wake(struct tw__seat *s) { syscall(SYS_futex, &s->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }

static void rouse(struct tw__seat *s)
{
	if (!(atomic_load_explicit(&s->state, memory_order_seq_cst) & ASLEEP))
		return;
	if (atomic_fetch_and_explicit(&s->state, ~(uint32_t)ASLEEP, memory_order_seq_cst) & ASLEEP)
		wake(s);
}

void tw__seat_init(struct tw__seat *s)
{
	atomic_init(&s->inbox, NULL);
	atomic_init(&s->state, 0);
	atomic_init(&s->owner, NULL);
	s->first = s->last = NULL;
}

static void own(struct tw__seat *s) { atomic_store_explicit(&s->owner, &mark, memory_order_relaxed); }

static bool is_own(struct tw__seat *s) { return atomic_load_explicit(&s->owner, memory_order_relaxed) == &mark; }

static void append(struct tw__seat *s, struct tw__post *first, struct tw__post *last)
{
	if (s->first)
		s->last->next = first;
	else
		s->first = first;
	s->last = last;
}

/* Moves the items of the seat's inbox to the owner's own list. Only the owner calls it. */
static void collect(struct tw__seat *s)
{
	if (!atomic_load_explicit(&s->inbox, memory_order_relaxed))
		return;
	struct tw__post *newest = atomic_exchange_explicit(&s->inbox, NULL, memory_order_acquire);
	append(s, reversed(newest), newest);
}

void tw__seat_give(struct tw__seat *s, struct tw__post *post)
{
	if (is_own(s)) {
		collect(s); /* comes first, because the inbox's items were given earlier */
		post->next = NULL;
		append(s, post, post);
		return;
	}
	struct tw__post *newest = atomic_load_explicit(&s->inbox, memory_order_relaxed);
	do
		post->next = newest;
	while (!atomic_compare_exchange_weak_explicit(&s->inbox, &newest, post, memory_order_seq_cst,
	                                              memory_order_relaxed));
	rouse(s);
}

struct tw__post *tw__seat_poll(struct tw__seat *s)
{
	own(s);
	if (!s->first)
		collect(s);
	struct tw__post *post = s->first;
	if (post)
		s->first = post->next;
	return post;
}

/* Items that were given before the seat was closed must still be taken. So this reads first whether the seat is closed,
 * then the list. */
struct tw__post *tw__seat_take(struct tw__seat *s)
{
	for (;;) {
		bool closed = atomic_load_explicit(&s->state, memory_order_acquire) & CLOSED;
		struct tw__post *post = tw__seat_poll(s);
		if (post || closed)
			return post;
		tw__seat_wait(s, INFINITY);
	}
}

static bool is_quiet(struct tw__seat *s)
{
	return !s->first && !atomic_load_explicit(&s->inbox, memory_order_seq_cst) &&
	       !(atomic_load_explicit(&s->state, memory_order_seq_cst) & (NUDGED | CLOSED));
}

/* Sets the deadline to now + `seconds` and returns it. Returns NULL (no limit) from about 30 years on. */
static const struct timespec *deadline_in(double seconds, struct timespec *deadline)
{
	if (seconds > 1e9)
		return NULL;
	clock_gettime(CLOCK_MONOTONIC, deadline);
	int64_t ns = deadline->tv_nsec + (int64_t)ceil(seconds * 1e9);
	deadline->tv_sec += ns / 1000000000;
	deadline->tv_nsec = ns % 1000000000;
	return deadline;
}

static void sleep_until(struct tw__seat *s, const struct timespec *deadline)
{
	bool late = false;
	while (!late && is_quiet(s)) {
		atomic_fetch_or_explicit(&s->state, ASLEEP, memory_order_seq_cst);
		if (is_quiet(s))
			late = doze(s, deadline);
	}
}

void tw__seat_wait(struct tw__seat *s, double seconds)
{
	struct timespec deadline;
	own(s);
	if (seconds > 0 && is_quiet(s))
		sleep_until(s, deadline_in(seconds, &deadline));
	if (atomic_load_explicit(&s->state, memory_order_relaxed) & (ASLEEP | NUDGED))
		atomic_fetch_and_explicit(&s->state, ~(uint32_t)(ASLEEP | NUDGED), memory_order_acquire);
}

void tw__seat_nudge(struct tw__seat *s)
{
	atomic_fetch_or_explicit(&s->state, NUDGED, memory_order_seq_cst);
	rouse(s);
}

void tw__seat_close(struct tw__seat *s)
{
	atomic_fetch_or_explicit(&s->state, CLOSED, memory_order_seq_cst);
	rouse(s);
}
