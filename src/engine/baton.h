/* Posting, leading and sleeping: all that the real engine's threads share goes through here, and no other file touches
 * atomics. Worker threads run kernels. A worker that ends a job posts it to the baton. The worker then leads, unless
 * another one does: it hands everything posted to the state machine, which gives new jobs to the workers' seats. There
 * is no thread for this, and nobody spins.
 *
 * Whoever hands an item in makes all that it wrote before visible to the thread that gets the item. The same holds from
 * each call of lead() to the next one.
 *
 * Lifetimes. An item belongs to the baton or seat until it comes out again. Then it may be given on or freed at once,
 * even while the call that handed it in has not returned. Batons and seats must outlive every call on them: a worker
 * may still be inside tw__baton_post or tw__seat_give when its last job has been accounted for. So join all threads
 * first; then destroy the baton and free the seats. */
#ifndef TW__BATON_H
#define TW__BATON_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* An item. The owner embeds it in its job. It is in one baton or seat at a time. */
struct tw__post {
	struct tw__post *next;
};

/* A lock that passes from thread to thread, together with what has been posted. */
struct tw__baton;

/* lead() is called by one thread at a time with all that has been posted, linked by `next`, oldest first; items of one
 * thread are in its order. lead() reads `next` before it gives an item on. It may post and call: the loop around it
 * goes on with that when it returns. It may give to any seat. NULL: out of memory. */
struct tw__baton *tw__baton_create(void (*lead)(void *arg, struct tw__post *first), void *arg);
void tw__baton_destroy(struct tw__baton *); /* nobody leads; NULL is fine */

/* Hands in a job that has ended. If nobody leads, the caller does, until nothing is posted; else it returns at once and
 * the thread that leads takes the item. Any thread. */
void tw__baton_post(struct tw__baton *, struct tw__post *);

/* A call of lead() starts after this call started, in this thread or in the one that leads; its argument is NULL if
 * nothing was posted. Several calls may be served by one. For timers. Any thread. */
void tw__baton_call(struct tw__baton *);

/* For a watchdog, any thread: how often lead() has returned, and whether a thread leads now. */
uint64_t tw__baton_turns(const struct tw__baton *);
bool tw__baton_is_led(const struct tw__baton *);

/* A seat: one thread, its owner, gets there what others give it, in the order of the calls (of calls at the same time,
 * in either order), and sleeps while there is nothing. The owner is the thread that polls, takes and waits; it is the
 * same for the seat's whole life. Members are baton.c's. A seat on the heap needs aligned_alloc. */
struct tw__seat {
	/* All threads write this cache line. */
	_Alignas(64) _Atomic(struct tw__post *) inbox; /* newest first */
	_Atomic uint32_t state;                        /* the owner sleeps on it */
	_Atomic(const void *) owner;                   /* its mark; NULL: not known yet */
	/* The owner alone uses this one. */
	_Alignas(64) struct tw__post *first; /* oldest first */
	struct tw__post *last;               /* if there is a first */
};

void tw__seat_init(struct tw__seat *);

/* Any thread. Wakes the owner if it sleeps. To give to one's own seat is cheap. */
void tw__seat_give(struct tw__seat *, struct tw__post *);

/* The owner: the next item, or NULL. */
struct tw__post *tw__seat_poll(struct tw__seat *);

/* The owner: the next item. Sleeps until there is one. NULL: the seat was closed and is empty. Nudges have no effect,
 * and are used up. */
struct tw__post *tw__seat_take(struct tw__seat *);

/* The owner: sleeps until there is an item, a nudge, the seat is closed, or `seconds` have passed (INFINITY: no limit;
 * <= 0: does not sleep). Returns at once if one of these holds already. Uses up the nudges before its return. */
void tw__seat_wait(struct tw__seat *, double seconds);

/* Any thread: ends the owner's wait; without one, the next wait returns at once. Several nudges may count as one. */
void tw__seat_nudge(struct tw__seat *);

/* Any thread. What has been given before can still be taken. A closed seat stays closed. */
void tw__seat_close(struct tw__seat *);

#endif
