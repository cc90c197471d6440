/* One lock that passes from thread to thread, and seats where threads sleep. Nothing else in the project touches atomics.
 *
 * Threads that have ended something post it. The one that posts while nobody leads becomes the leader: it calls lead() with all that has
 * been posted. So no thread exists only to lead, and none spins. */
#ifndef TW__BATON_H
#define TW__BATON_H

#include <stdbool.h>
#include <stdint.h>

struct tw__post {
	struct tw__post *next;
};

struct tw__baton;

/* lead() is called by one thread at a time. `first`: all that has been posted, oldest first, NULL if there was only a
 * tw__baton_call. It may post and give. NULL: out of memory. */
struct tw__baton *tw__baton_create(void (*lead)(void *arg, struct tw__post *first), void *arg);
/* Threads that post must have been joined: tw__baton_post may still look at the baton after another thread has led for it. */
void tw__baton_destroy(struct tw__baton *);

/* From any thread. Returns once somebody has led for it, or leads and will look again. */
void tw__baton_post(struct tw__baton *, struct tw__post *);
/* Has lead() called soon, with or without posts. */
void tw__baton_call(struct tw__baton *);

/* For a watchdog: how often lead() has returned; whether a thread is in it now. */
uint64_t tw__baton_turns(const struct tw__baton *);
bool tw__baton_is_led(const struct tw__baton *);

/* Where one thread, its owner, gets what others give it. */
struct tw__seat {
	_Alignas(64) _Atomic(struct tw__post *) inbox; /* newest first */
	_Atomic(uint32_t) state;                       /* a futex: see baton.c */
	_Atomic(bool) closed;
	struct tw__post *first; /* the owner's: taken from the inbox, oldest first */
};

void tw__seat_init(struct tw__seat *);
/* Any thread: gives an item, ends the owner's wait, or does so for ever. */
void tw__seat_give(struct tw__seat *, struct tw__post *);
void tw__seat_nudge(struct tw__seat *);
void tw__seat_close(struct tw__seat *);
/* The owner: the next item; NULL if there is none now. */
struct tw__post *tw__seat_poll(struct tw__seat *);
/* Sleeps until there is one; NULL: the seat is closed and empty. */
struct tw__post *tw__seat_take(struct tw__seat *);
/* Sleeps until there is an item, a nudge since the last wait, or a close, at most so many seconds (INFINITY: no limit). */
void tw__seat_wait(struct tw__seat *, double seconds);

#endif
