/* Posting, leading and sleeping. All memory that the real engine's threads share goes through this file; no other
 * file uses atomics. Worker threads run kernels. A worker that ends a job posts it to the baton. If no other thread
 * leads, the worker becomes the leader: it passes all posted items to the state machine, which gives new jobs to the
 * workers' seats. There is no separate scheduler thread, and no thread spins.
 *
 * Memory order. Everything that a thread wrote before it handed in an item is visible to the thread that gets the
 * item. The same holds from each call of lead() to the next one.
 *
 * Lifetimes. An item belongs to the baton or seat until it comes out again. It may then be passed on or freed at
 * once, even while the call that handed it in has not returned. Batons and seats must outlive every call on them: a
 * worker may still be inside tw__baton_post or tw__seat_give after its last job has been accounted for. So join all
 * threads first; then destroy the baton and free the seats. */
#ifndef TW__BATON_H
#define TW__BATON_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* An item, embedded in its owner's job. It is in one baton or seat at a time. */
struct tw__post {
	struct tw__post *next;
};

/* A lock that passes from thread to thread, with a list of posted items. */
struct tw__baton;

/* One thread at a time calls lead(), with all posted items, linked by `next`, oldest first. Items of one thread keep
 * their order. lead() reads `next` before it passes an item on. It may post, call, and give to any seat; the loop
 * around lead() handles new items after it returns. NULL: out of memory. */
struct tw__baton *tw__baton_create(void (*lead)(void *arg, struct tw__post *first), void *arg);
void tw__baton_destroy(struct tw__baton *); /* no thread may lead; NULL is fine */

/* Any thread: hands in a job that has ended. If no thread leads, the caller leads until nothing is posted. Otherwise
 * it returns at once, and the leader takes the item. */
void tw__baton_post(struct tw__baton *, struct tw__post *);

/* Any thread, for timers: makes sure that a call of lead() starts after this call started, in this thread or in the
 * leader. The argument of lead() is NULL if nothing was posted. One call of lead() may serve several of these calls. */
void tw__baton_call(struct tw__baton *);

/* Any thread, for a watchdog: how often lead() has returned, and whether a thread leads now. */
uint64_t tw__baton_turns(const struct tw__baton *);
bool tw__baton_is_led(const struct tw__baton *);

/* A seat is the inbox of one thread, its owner. The owner takes items in the order of the calls that gave them
 * (either order for concurrent calls), and sleeps while the inbox is empty. The owner is the thread that polls, takes
 * and waits; it never changes. Members are private to baton.c. A seat on the heap needs aligned_alloc. */
struct tw__seat {
	/* This cache line is written by all threads. */
	_Alignas(64) _Atomic(struct tw__post *) inbox; /* newest first */
	_Atomic uint32_t state;                        /* the futex that the owner sleeps on */
	_Atomic(const void *) owner;                   /* the address that identifies its thread; NULL: unknown yet */
	/* This cache line is used by the owner alone. */
	_Alignas(64) struct tw__post *first; /* oldest first */
	struct tw__post *last;               /* valid if there is a first */
};

void tw__seat_init(struct tw__seat *);

/* Any thread: gives an item, and wakes the owner if it sleeps. Giving to one's own seat is cheap. */
void tw__seat_give(struct tw__seat *, struct tw__post *);

/* The owner: returns the next item, or NULL. */
struct tw__post *tw__seat_poll(struct tw__seat *);

/* The owner: returns the next item, and sleeps until there is one. NULL: the seat was closed and is empty. Nudges do
 * not wake it; they are consumed. */
struct tw__post *tw__seat_take(struct tw__seat *);

/* The owner: sleeps until there is an item or a nudge, the seat is closed, or `seconds` have passed (INFINITY: no
 * limit; <= 0: does not sleep). Returns at once if one of these holds already. Consumes all nudges before it
 * returns. */
void tw__seat_wait(struct tw__seat *, double seconds);

/* Any thread: ends the owner's wait. If the owner does not wait, its next wait returns at once. Several nudges may
 * count as one. */
void tw__seat_nudge(struct tw__seat *);

/* Any thread: closes the seat for good. Items given before can still be taken. */
void tw__seat_close(struct tw__seat *);

#endif
