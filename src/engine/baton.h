/* Posting, leading and sleeping. Jobs pass between the real engine's threads through this file alone. No other file
 * uses atomics, except for a flag of worker.c. Worker threads run kernels. A worker that ends a job posts the job to
 * the baton. If no other thread leads, the worker becomes the leader: it passes all posted items to the state machine,
 * which gives new jobs to the workers' seats. There is no separate scheduler thread, and no thread spins.
 *
 * Memory order. All memory that a thread wrote before it handed in an item is visible to the thread that gets the item.
 * Writes during one call of lead() are also visible to the next call.
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

/* An item that threads hand in, embedded in a job. It is in one baton or seat at a time. */
struct tw__post {
	struct tw__post *next;
};

/* A lock that passes from thread to thread, with a list of posted items. */
struct tw__baton;

/* Creates a baton. One thread at a time calls lead(), with all posted items, linked by `next`, oldest first. Items of
 * one thread keep their order. lead() must read `next` before it passes an item on. It may post, call, and give to any
 * seat; the loop around lead() handles new items after lead() returns. */
struct tw__baton *tw__baton_create(void (*lead)(void *arg, struct tw__post *first), void *arg);
void tw__baton_destroy(struct tw__baton *); /* no thread may lead then; NULL: does nothing */

/* For any thread: hands in a job that has ended. If no thread leads, the caller leads until no posted item is left.
 * Otherwise the call returns at once, and the leader takes the item. */
void tw__baton_post(struct tw__baton *, struct tw__post *);

/* For any thread, such as a timer: makes sure that a call of lead() starts after this call started, in this thread or
 * in the leader. The argument of lead() is NULL if nothing was posted. One call of lead() may serve several calls of
 * this function. */
void tw__baton_call(struct tw__baton *);

/* For any thread, such as a watchdog: how often lead() has returned, and whether a thread leads now. */
uint64_t tw__baton_turns(const struct tw__baton *);
bool tw__baton_is_led(const struct tw__baton *);

/* A seat is the inbox of one thread, its owner. The owner takes items in the order of the calls that gave them (either
 * order for concurrent calls), and sleeps while the inbox is empty. The owner is the thread that polls, takes and
 * waits; it never changes. The members are private to baton.c. A seat on the heap needs tw__aligned_room. */
struct tw__seat {
	/* All threads write this cache line. */
	_Alignas(64) _Atomic(struct tw__post *) inbox; /* given items, newest first */
	_Atomic uint32_t state;                        /* the futex that the owner sleeps on */
	_Atomic(const void *) owner;                   /* address that identifies the owner's thread; NULL: unknown */
	/* Only the owner uses this cache line. */
	_Alignas(64) struct tw__post *first; /* items moved from the inbox, oldest first */
	struct tw__post *last;               /* the newest of these items; valid if `first` is not NULL */
};

void tw__seat_init(struct tw__seat *);

/* For any thread: gives an item to the owner, and wakes the owner if it sleeps. Giving to one's own seat is cheap. */
void tw__seat_give(struct tw__seat *, struct tw__post *);

/* For the owner: returns the next item; NULL: there is none now. */
struct tw__post *tw__seat_poll(struct tw__seat *);

/* For the owner: returns the next item, and sleeps until there is one. NULL: the seat was closed and is empty. Nudges
 * do not end this sleep, and are lost. */
struct tw__post *tw__seat_take(struct tw__seat *);

/* For the owner: sleeps until there is an item or a nudge, the seat is closed, or `seconds` have passed. INFINITY: no
 * limit; <= 0: does not sleep. Returns at once if one of these conditions holds already. Consumes all nudges. */
void tw__seat_wait(struct tw__seat *, double seconds);

/* For any thread: ends the owner's wait. If the owner does not wait, the owner's next wait returns at once. Several
 * nudges may count as one. */
void tw__seat_nudge(struct tw__seat *);

/* For any thread: closes the seat for good. The owner can still take items that were given before. */
void tw__seat_close(struct tw__seat *);

#endif
