/* Threads sleep until a signal, wait for a date, or are runnable. These functions change that state. */
#ifndef TW__WAKEUPS_H
#define TW__WAKEUPS_H

#include "runtime/state/threads.h"

void tw__turns_open(struct tw__rt *, int most_threads);
void tw__turns_close(struct tw__rt *);
void tw__rt_signal(struct driver *); /* makes the thread take a turn of its loop */
/* signals the workers 64 * word + i, for each bit i of `who` */
void tw__rt_signal_workers(struct tw__rt *, int word, uint64_t who);
void tw__rt_schedule(struct driver *, tw__ns delay); /* lets the thread go on after a delay */
void tw__rt_sleep(struct driver *);                  /* lets the thread sleep until a signal */
void tw__rt_wake_scheduled(struct tw__rt *);         /* makes all threads runnable whose date has come */

/* Whether a thread is in the queue of runnable threads. Workers in the sets of sleeping workers (idle.h) are not in
 * this queue. */
static inline bool tw__turns_queued(const struct tw__rt *rt) { return rt->runnable.n > 0 || rt->n_any_runnable > 0; }

/* Returns the first thread in the queue; NULL: there is none. Not for order=random. */
static inline struct driver *tw__turns_first(const struct tw__rt *rt)
{
	const struct tw__heap_item *top = tw__heap_top(&rt->runnable);
	return top ? TW__CONTAINER(top, struct driver, turn) : NULL;
}

/* Removes the next thread from the queue, which must not be empty, and returns the thread. */
struct driver *tw__turns_take(struct tw__rt *);

#endif
